"""Generating and deleting AI resources (section 4.16, paths and bodies assumed): sent once, settled by reading.

`Write.subject` is the video; the request names the language, the kinds, and the form that it came with.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from dashboard.accounts.models import Account
from dashboard.ai_content import drafts
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.models import Document, Version, get_content, get_file_key
from dashboard.ai_content.resources import inventory
from dashboard.ai_content.rules.package import NotAPackage, Package, check_package, get_fingerprint
from dashboard.ai_content.versions import store
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.errors import CallError, Missing, Unreachable
from dashboard.platform_api.videos import Video
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.single_flight import forget
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import UNKNOWN, Absence, Found, NotWanted, Operation, register
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import form_intent, form_key, next_key

GENERATE: Final = "ai_workflow.generate_package"
DELETE: Final = "ai_workflow.delete_package"
CLOCKS: Final = timedelta(seconds=30)
"""How much earlier than here a job may have been made by the platform's clock."""


def generate(request: OwnerRequest, video: Video, lang: str, kinds: list[str]) -> Write:
    """Order AI content. Of a language only one order is open, and the same form is one order.

    Raises the `PlatformError` of a refusal, and of a call that never left.
    """
    key = next_key(request.account, GENERATE, video.id, lang=lang)
    sends = {"lang": lang, "kinds": kinds, "form": str(form_key(request))}
    intent = form_intent(request, GENERATE, subject=video.id, sends=sends, label=video.title, after=_describe(sends))
    return _perform(request, replace(intent, key=key))


def delete(request: OwnerRequest, editor: Editor, kinds: list[str]) -> Write:
    """Delete resources of a language whose content is kept as the version that `editor` has opened. Raises like `generate`."""
    document, version = editor.document, editor.opened.version
    key = next_key(request.account, DELETE, str(document.video_id), lang=document.lang)
    sends = {"lang": document.lang, "kinds": kinds, "form": str(form_key(request)), "version": version.pk}
    intent = form_intent(
        request, DELETE, subject=str(document.video_id), sends=sends, label=document.title, before=_describe(sends)
    )
    return _perform(request, replace(intent, key=key))


def _describe(sends: dict[str, Any]) -> dict[str, Any]:
    """What Activity shows."""
    return {name: value for name, value in sends.items() if name != "form"}


def _perform(request: OwnerRequest, intent: Intent) -> Write:
    """Send it, or return the write that this form has begun before."""
    mine = find_by_form(request.account, intent.operation, UUID(intent.request["form"]))
    if mine is None or clients.is_rehearsing():
        return outbox.perform(intent)
    if mine.state == State.SENDING:
        outbox.wait_for_answer(mine)
    if mine.state == State.REFUSED:
        raise mine.error or Unreachable(mine.operation, sent=False)
    return mine


def find_by_form(account: Account, operation: str, form: UUID) -> Write | None:
    """The write that this form began, or None."""
    writes = Write.objects.filter(account=account, operation=operation, request__form=str(form))
    return writes.exclude(state=State.CANCELLED).order_by("created_at").last()


def list_generations(account: Account, video_id: str) -> "QuerySet[Write]":
    """What was ordered from here for a video."""
    return Write.objects.filter(account=account, operation=GENERATE, subject=video_id)


def _send_generation(write: Write) -> tuple[Job, ...]:
    order = write.request
    return clients.platform_for(write.owner).ai_workflow.generate_package(write.subject, order["lang"], order["kinds"])


def _keep_generation(write: Write, jobs: tuple[Job, ...]) -> None:
    write.result = {"jobs": [job.id for job in jobs]}


def _settle_generation(write: Write) -> Found | Absence:
    """Found where a job of this language began since. That none is listed says nothing: such jobs may not be listed at all."""
    since = (write.sent_at or write.created_at) - CLOCKS
    jobs = clients.platform_for(write.owner).ai_workflow.jobs(write.subject)
    new_jobs = tuple(job for job in jobs if inventory.is_made_since(job, write.request["lang"], since))
    return Found(new_jobs) if new_jobs else UNKNOWN


def _get_version(write: Write) -> Version | None:
    versions = Version.objects.select_related("document", "blob")
    return versions.filter(pk=write.request["version"], document__account_id=write.owner.pk).first()


def _send_deletion(write: Write) -> None:
    """Send the deletion; a repeated one first checks that the file is still the stored version."""
    version = _get_version(write)
    if version is None:
        raise NotWanted
    if write.attempt > 1 and not _is_still(write, version):
        raise Unreachable(DELETE, sent=False)
    lang, kinds = write.request["lang"], write.request["kinds"]
    clients.platform_for(write.owner).ai_workflow.delete_package(write.subject, lang, kinds)


def _is_still(write: Write, version: Version) -> bool:
    """Whether the platform's file is the kept version."""
    try:
        package = _read_file(write, version.document)
    except (CallError, NotAPackage):
        return False
    return store.is_version(version, package, get_fingerprint(package))


def _read_file(write: Write, document: Document) -> Package:
    read = clients.platform_for(write.owner).ai_workflow.read_package
    return check_package(dict(read(document.pullzone, document.external_id, document.lang or None, fresh=True).data))


def _keep_deletion(write: Write, answer: Any = None) -> None:
    """What is left is the newest version; the one before has what was deleted."""
    version = _get_version(write)
    if version is None:
        return
    package = get_content(version.blob)
    rest = inventory.remove_kinds(package, write.request["kinds"])
    document = version.document
    store.add_version(document, rest, Version.Kind.SAVED, actor=write.actor, parent=package)
    forget(get_file_key(document))
    drafts.note_change(document, actor=write.actor, place="file")


def _settle_deletion(write: Write) -> Found | Absence:
    """Found where the file is gone, or has none of it. A file that still has it says nothing: it follows late [4.3]."""
    version = _get_version(write)
    if version is None:
        return UNKNOWN
    try:
        package = _read_file(write, version.document)
    except Missing:
        return Found()
    except NotAPackage:
        return UNKNOWN
    return UNKNOWN if set(inventory.list_kinds(package)) & set(write.request["kinds"]) else Found()


def get_generation_page(write: Write) -> str:
    """Return the address of the page about a generation."""
    return address("ai_content:generate", write.subject)


def get_deletion_page(write: Write) -> str:
    """Return the address of the page about a deletion."""
    return address("ai_content:language", write.subject, write.request["lang"] or "legacy")


register(
    Operation(
        GENERATE, send=_send_generation, keep=_keep_generation, settle=_settle_generation, page=get_generation_page
    )
)
register(
    Operation(
        DELETE,
        send=_send_deletion,
        keep=_keep_deletion,
        settle=_settle_deletion,
        page=get_deletion_page,
        confirmed=_keep_deletion,
        calls=2,
    )
)

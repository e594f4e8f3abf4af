"""What is sent: saves of a language, and orders to generate or delete resources.

A save (section 4.3) is the whole file in one call, settled by reading that file. `Write.subject` is the video; the request
names the document and the version, whose stored content is what is sent. A version is `sending` until its write is
settled, and drafts stay until then. The file is read again and compared first: unseen changes are never overwritten.

Orders and deletions (section 4.16, paths and bodies assumed) are sent once and settled by reading. Their request names the
language, the kinds, and the form that it came with.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.activity.recorder import NotUndone, actor_of, undoes
from dashboard.ai_content import versions
from dashboard.ai_content.ebook_html import Undecided
from dashboard.ai_content.editor import Editor, compose, find_behind
from dashboard.ai_content.models import Document, Draft, Version, get_content, get_file_key
from dashboard.ai_content.pages import open_editor
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.versions import (
    get_word,
)
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.errors import BadToken, CallError, Missing, Unreachable
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import AiKind, JobType
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.locks import forget
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.failures import certainly_not_received, is_ambiguous
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, NotWanted, Operation, register
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import form_intent, form_key, next_key

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


EARLIER: Final = "earlier"
"""In a request that took the place of an unconfirmed one: that one."""


class SaveOutcome(StrEnum):
    """How a save ended."""

    SAVED = "saved"
    NOTHING = "nothing"
    """There was nothing to send."""
    CLASH = "clash"
    """Somebody else changed the file: nothing was sent, the merge page follows."""
    BLOCKED = "blocked"
    """The platform would refuse it, or a decision is missing: nothing was sent."""
    BUSY = "busy"
    """Somebody is sending this language right now."""
    OPEN = "open"
    """An earlier save is not confirmed: nothing was sent, the review page offers to replace it."""
    SENDING = "sending"
    """Sent, and the request waits for the answer no longer."""
    REFUSED = "refused"
    UNCONFIRMED = "unconfirmed"
    """Sent, but without a response."""
    UNREACHABLE = "unreachable"
    """Not sent."""


@dataclass(frozen=True)
class SaveResult:
    """The version that was sent or that is there, the platform's error, and the write."""

    outcome: SaveOutcome
    version: Version | None = None
    error: CallError | None = None
    write: Write | None = None


def wait_for_end(write: Write) -> None:
    """Send the write if it is still held, and wait a moment for its answer. One whose token was refused is cancelled."""
    if write.state == State.HELD and not write.reason:
        outbox.deliver(write)
    if write.state == State.SENDING:
        outbox.wait_for_answer(write)
    if write.state == State.HELD and write.reason:
        outbox.cancel(write)


def _send(write: Write) -> None:
    version = versions.get_version(write)
    if version is None:
        raise NotWanted
    document = version.document
    body = packages.build_payload(get_content(version.blob), str(document.video_id), document.lang or None)
    clients.platform_for(write.owner).ai_workflow.save_package(body)


def _keep(write: Write, package: packages.Package | None) -> None:
    """Keep the version. `package` is the file where a read showed it; the platform's response has no content [4.3]."""
    version = versions.get_version(write)
    if version is not None:
        versions.keep_version(version, package, write.request["tab"])
    stored = Write.objects.get(pk=write.pk)
    if stored.request["version"] != write.request["version"]:
        _forget_version(stored)  # it was to be sent in place of this one, which has arrived after all
        Write.objects.filter(pk=write.pk).update(request=write.request)


def _settle(write: Write) -> Found | Absence:
    """Found where the file is what was sent, else unknown: the file follows a save late [4.3]."""
    version = versions.get_version(write)
    if version is None:
        return ABSENT  # only a refusal removes it: the previous release was told
    if version.kind == Version.Kind.SAVED:
        return Found()
    try:
        package = _read_package(write, version.document)
    except packages.NotAPackage:
        return UNKNOWN
    return Found(package) if versions.is_proof(version, package) else UNKNOWN


def _read_package(write: Write, document: Document) -> packages.Package:
    return packages.check_package(dict(versions.read_file(write.owner, document).data))


def _changed(write: Write) -> None:
    """Delete a version that was refused or never sent; store the platform's message for its question."""
    if write.state == State.UNCONFIRMED:
        error = write.raised or write.error
        if error is not None and not is_ambiguous(error):
            _note_refusal(write)
            _go_back(write)
    elif write.state in (State.REFUSED, State.CANCELLED):
        _note_refusal(write)
        _forget_version(write)


def _go_back(write: Write) -> None:
    """A save that replaced an unconfirmed one was refused: look for the earlier one again."""
    earlier = write.request.get(EARLIER)
    if earlier is None:
        return
    _forget_version(write)
    write.request = {**earlier, "form": write.request["form"]}
    version = versions.get_version(write)
    write.after = None if version is None else describe(version)
    Write.objects.filter(pk=write.pk).update(request=write.request, after=write.after)


def describe(version: Version) -> dict[str, int]:
    """Build what Activity stores to undo a save."""
    return {"version": version.pk, "changes": version.changes_count}


def _note_refusal(write: Write) -> None:
    error, version = write.raised, versions.get_version(write)
    if version is None or error is None or is_no_answer(error):
        return
    place = quiz.find_refused_question(error.message, quiz.get_questions(get_content(version.blob)))
    handle = version.handles[place] if place is not None and place < len(version.handles) else ""
    refusal = {"message": error.message, "status": error.status, "handle": handle}
    Document.objects.filter(pk=version.document_id).update(refusal=refusal)


def is_no_answer(error: CallError) -> bool:
    """Whether the error says nothing about the content: not reached, busy, or the token refused."""
    return isinstance(error, BadToken) or certainly_not_received(error) or is_ambiguous(error)


def _forget_version(write: Write) -> None:
    version = versions.get_version(write)
    if version is not None and version.kind == Version.Kind.SENDING:
        versions.forget_version(version)


def _confirm(write: Write) -> None:
    version = versions.get_version(write)
    if version is not None:
        versions.keep_version(version, None, write.request["tab"])


def get_page(write: Write) -> str:
    """Return the address of the page about a save."""
    return address("ai_content:save", write.subject, write.request["word"])


register(
    Operation(
        versions.SAVE, send=_send, keep=_keep, settle=_settle, changed=_changed, page=get_page, confirmed=_confirm
    )
)


@dataclass(frozen=True)
class SavePress:
    """One press of Save: its form, the key of its write, and the unconfirmed save that it replaces."""

    request: OwnerRequest
    document: Document
    form: UUID
    key: UUID
    undoes: "Entry | None" = None
    replaces: Write | None = None


def save_drafts(request: OwnerRequest, document: Document, undoes: "Entry | None" = None) -> SaveResult:
    """Send the language with its drafts, which stay until the platform has confirmed.

    The same form again has the same outcome. While another save is open nothing is sent, unless the form replaces it.
    """
    press = SavePress(
        request, document, form=form_key(request), key=versions.get_next_key(request.account, document), undoes=undoes
    )
    mine = versions.find_save_by_form(document, press.form)
    if mine is not None:
        wait_for_end(mine)
        return _build_result(mine)
    earlier = versions.find_open(document)
    if earlier is None:
        return _save_press(press)
    if clients.is_rehearsing():
        return SaveResult(SaveOutcome.OPEN, write=earlier)
    wait_for_end(earlier)
    if earlier.request.get("form") == str(press.form):
        return _build_result(earlier)
    if earlier.state in (State.HELD, State.SENDING):
        return SaveResult(SaveOutcome.BUSY)
    if earlier.state == State.UNCONFIRMED:
        if request.POST.get(versions.INSTEAD) != versions.get_instead(earlier):
            return SaveResult(SaveOutcome.OPEN, write=earlier)
        return _save_press(replace(press, replaces=earlier))
    return _save_press(replace(press, key=versions.get_next_key(request.account, document)))


def _save_press(press: SavePress) -> SaveResult:
    document = press.document
    if not document.drafts.exists():
        return _build_empty_result(press)
    opened = _read_again(press.request, document)
    if opened.state is versions.FileState.UNREAD:
        return SaveResult(SaveOutcome.UNREACHABLE, error=opened.trouble)
    if find_behind(opened, versions.list_drafts(document)):
        return SaveResult(SaveOutcome.CLASH, opened.version)
    by_block = versions.list_drafts(document)
    if not by_block:
        return _build_empty_result(press)
    try:
        package = compose(opened.package, by_block)
    except Undecided:
        return SaveResult(SaveOutcome.BLOCKED)
    is_too_large = bool(
        packages.list_large_parts(packages.build_payload(package, str(document.video_id), document.lang or None))
    )
    if is_too_large or (
        packages.Block.QUIZ in by_block and quiz.list_blocking(packages.get_part(package, packages.Block.QUIZ))
    ):
        return SaveResult(SaveOutcome.BLOCKED)
    write = _begin(press, opened, package, by_block)
    wait_for_end(write)
    return _build_result(write) if write.request.get("form") == str(press.form) else _build_other_result(press, write)


def _build_other_result(press: SavePress, write: Write) -> SaveResult:
    """Build the result where another press began its save at the same moment."""
    if write.state == State.DONE and not press.document.drafts.exists():
        return SaveResult(SaveOutcome.NOTHING, versions.get_version(write))
    return SaveResult(SaveOutcome.OPEN if write.state == State.UNCONFIRMED else SaveOutcome.BUSY, write=write)


def _read_again(request: OwnerRequest, document: Document) -> versions.OpenedLanguage:
    forget(get_file_key(document))
    return versions.open_language(request, document.video_id, document.lang or None)


def _build_empty_result(press: SavePress) -> SaveResult:
    """Build the result without drafts: there were none, or the same form has just sent them elsewhere."""
    if mine := versions.find_save_by_form(press.document, press.form):
        return _build_result(mine)
    return SaveResult(SaveOutcome.NOTHING, versions.get_settled(press.document))


def _begin(
    press: SavePress, opened: versions.OpenedLanguage, package: packages.Package, by_block: dict[packages.Block, Draft]
) -> Write:
    """Store the version and its write; returns the write of a faster press where there was one."""
    request, document = press.request, opened.document
    with transaction.atomic():
        version = versions.add_version(
            document,
            package,
            Version.Kind.SENDING,
            actor=actor_of(request, request.account),
            parent=opened.package,
            handles=_get_handles(package, by_block, opened.version),
        )
        version.sent = {str(block): [draft.pk, draft.revision] for block, draft in by_block.items()}
        version.save(update_fields=["sent"])
        intent = form_intent(
            request,
            versions.SAVE,
            subject=str(document.video_id),
            sends={  # the content itself is in the version
                "document": str(document.pk),
                "version": version.pk,
                "word": get_word(document.lang),
                "form": str(press.form),
                "tab": versions.get_tab(request),
            },
            label=f"{document.title} · {get_word(document.lang)}",
            before={"version": opened.version.pk},
            after=describe(version),
            undoes=press.undoes,
        )
        if clients.is_rehearsing():
            return outbox.perform(intent)
        earlier, key = press.replaces, press.key
        if earlier is not None:
            sends = {**intent.request, EARLIER: earlier.request}
            if outbox.renew(earlier, request=sends, after=intent.after):
                return earlier
            key = versions.get_next_key(request.account, document)
        write, new = outbox.begin(replace(intent, key=key))
        if not new:
            versions.forget_version(version)
    return write


def _get_handles(package: packages.Package, by_block: dict[packages.Block, Draft], version: Version) -> list[str]:
    """The handles of the questions: of the draft, else of the version."""
    handles = by_block[packages.Block.QUIZ].handles if packages.Block.QUIZ in by_block else version.handles
    return list(handles) if len(handles) == len(quiz.get_questions(package)) else []


def _build_result(write: Write) -> SaveResult:
    """Build the result of a write. Raises `BadToken`."""
    error = write.raised or write.error
    if write.state == State.DONE:
        return SaveResult(SaveOutcome.SAVED, versions.get_version(write), write=write)
    if write.state == State.SENDING:
        return SaveResult(SaveOutcome.SENDING, write=write)
    if isinstance(error, BadToken):
        raise error
    if write.state == State.UNCONFIRMED and (error is None or is_ambiguous(error)):
        return SaveResult(SaveOutcome.UNCONFIRMED, versions.get_version(write), error, write=write)
    if write.state == State.REFUSED:
        outbox.dismiss(write)  # it is told where the form is
    if error is None or certainly_not_received(error):
        return SaveResult(SaveOutcome.UNREACHABLE, error=error or Unreachable(write.operation, sent=False))
    return SaveResult(SaveOutcome.REFUSED, error=error)


def resend(request: OwnerRequest, document: Document, write: Write) -> SaveResult:
    """Send an unconfirmed save again, unless somebody else has changed the file since."""
    opened = _read_again(request, document)
    if opened.state is versions.FileState.UNREAD:
        return SaveResult(SaveOutcome.UNREACHABLE, error=opened.trouble)
    write.refresh_from_db()
    version = versions.get_version(write)
    if write.state == State.UNCONFIRMED and version is not None:
        if opened.version.pk > version.pk:
            return SaveResult(SaveOutcome.CLASH, opened.version)
        outbox.send_again(write)
    wait_for_end(write)
    return _build_result(write)


@undoes("ai_workflow.save_package")
def undo_save(request: HttpRequest, entry: "Entry") -> Write | None:
    """Send the version before the save; drafts are kept as a version. Raises `NotUndone` or a `PlatformError`.

    Returns the write; None where the platform has that version already.
    """
    owner: OwnerRequest = request  # type: ignore[assignment]  # the Activity page is a page of the account
    pk = entry.before.get("version") if isinstance(entry.before, dict) else None
    stored = Version.objects.filter(document__account_id=owner.account.pk).select_related("document", "blob")
    version = stored.filter(pk=int(pk or 0)).first()
    if version is None:
        raise NotUndone(_("That version is no longer stored."))
    document = version.document
    mine = versions.find_save_by_form(document, form_key(owner))
    if mine is None and versions.find_open(document) is not None:
        raise NotUndone(_("An earlier save of this language is not confirmed: wait until it is, then undo."))
    editor = open_editor(owner, document.video_id, get_word(document.lang))
    if mine is None and editor.behind:
        raise NotUndone(
            _("Nothing was sent: somebody else has changed this language. Merge the changes in AI content first.")
        )
    if mine is None:
        editor.restore(version, formats.moment(version.at))
    result = save_drafts(owner, editor.document, undoes=entry)
    if result.outcome in (SaveOutcome.SAVED, SaveOutcome.NOTHING, SaveOutcome.SENDING, SaveOutcome.UNCONFIRMED):
        return result.write
    if result.error is not None:
        raise result.error
    raise NotUndone(_("The previous version could not be sent. It is kept as a draft, in AI content."))


def list_kinds(package: packages.Package) -> tuple[str, ...]:
    """The kinds that a file has."""
    return tuple(str(kind) for kind in AiKind if packages.Block(str(kind)) in packages.list_blocks(package))


def remove_kinds(package: packages.Package, kinds: Iterable[str]) -> packages.Package:
    """The file without these kinds."""
    gone = {key for kind in kinds for key in packages.KEYS[packages.Block(kind)]}
    return {key: value for key, value in package.items() if key not in gone}


def is_content_job(job: Job) -> bool:
    """Whether a job is one of AI content, as far as can be told: none of subtitles."""
    return job.type not in set(JobType)


def is_made_since(job: Job, lang: str, since: datetime) -> bool:
    """Whether a job of AI content in this language was made at or after a moment."""
    spoken = {job.from_lang.lower(), (job.to_lang or "").lower()}
    return is_content_job(job) and lang.lower() in spoken and job.created_at is not None and job.created_at >= since


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
    new_jobs = tuple(job for job in jobs if is_made_since(job, write.request["lang"], since))
    return Found(new_jobs) if new_jobs else UNKNOWN


def _send_deletion(write: Write) -> None:
    """Send the deletion; a repeated one first checks that the file is still the stored version."""
    version = versions.get_version(write)
    if version is None:
        raise NotWanted
    if write.attempt > 1 and not _is_still(write, version):
        raise Unreachable(DELETE, sent=False)
    lang, kinds = write.request["lang"], write.request["kinds"]
    clients.platform_for(write.owner).ai_workflow.delete_package(write.subject, lang, kinds)


def _is_still(write: Write, version: Version) -> bool:
    """Whether the platform's file is the kept version."""
    try:
        package = _read_package(write, version.document)
    except (CallError, packages.NotAPackage):
        return False
    return versions.is_version(version, package, packages.get_fingerprint(package))


def _keep_deletion(write: Write, answer: Any = None) -> None:
    """What is left is the newest version; the one before has what was deleted."""
    version = versions.get_version(write)
    if version is None:
        return
    package = get_content(version.blob)
    rest = remove_kinds(package, write.request["kinds"])
    document = version.document
    versions.add_version(document, rest, Version.Kind.SAVED, actor=write.actor, parent=package)
    forget(get_file_key(document))
    versions.note_change(document, actor=write.actor, place="file")


def _settle_deletion(write: Write) -> Found | Absence:
    """Found where the file is gone, or has none of it. A file that still has it says nothing: it follows late [4.3]."""
    version = versions.get_version(write)
    if version is None:
        return UNKNOWN
    try:
        package = _read_package(write, version.document)
    except Missing:
        return Found()
    except packages.NotAPackage:
        return UNKNOWN
    return UNKNOWN if set(list_kinds(package)) & set(write.request["kinds"]) else Found()


def get_generation_page(write: Write) -> str:
    """Return the address of the page about a generation."""
    return address("ai_content:generate", write.subject)


def get_deletion_page(write: Write) -> str:
    """Return the address of the page about a deletion."""
    return address("ai_content:language", write.subject, get_word(write.request["lang"]))


register(
    Operation(
        GENERATE,
        send=_send_generation,
        keep=_keep_generation,
        settle=_settle_generation,
        page=get_generation_page,
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

"""Saving a language (section 4.3): the whole file in one call, settled by reading that file.

`Write.subject` is the video; the request names the document and the version, whose stored content is what is sent. A version
is `sending` until its write is settled, and drafts stay until then.
"""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.ai_content import drafts
from dashboard.ai_content.models import Document, Version
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.package import NotAPackage, Package, checked, payload
from dashboard.ai_content.versions import store
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.shared.addresses import address
from dashboard.upstream.single_flight import forget
from dashboard.writes import outbox
from dashboard.writes.failures import certainly_not_received, is_ambiguous
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, NotWanted, Operation, register
from dashboard.writes.requests import next_key

SAVE: Final = "ai_workflow.save_package"
EARLIER: Final = "earlier"
"""In a request that took the place of an unconfirmed one: that one."""


def list_saves(document: Document) -> "QuerySet[Write]":
    """Every save of this language."""
    saves = Write.objects.select_related("account").filter(account_id=document.account_id, operation=SAVE)
    return saves.filter(subject=str(document.video_id), request__document=str(document.pk))


def find_open(document: Document) -> Write | None:
    """The save of this language that has not ended, or None."""
    return list_saves(document).filter(state__in=OPEN).order_by("created_at").last()


def find_by_form(document: Document, form: UUID) -> Write | None:
    """The save that this form began, or None."""
    mine = list_saves(document).filter(request__form=str(form)).exclude(state=State.CANCELLED)
    return mine.order_by("created_at").last()


def get_next_key(account: Account, document: Document) -> UUID:
    """The key of the next save: of a language only one is open, whoever presses. Take it before anything is read."""
    return next_key(account, SAVE, str(document.video_id), document=str(document.pk))


def get_version(write: Write) -> Version | None:
    """The version that is sent; None where it was never sent, or refused."""
    versions = Version.objects.select_related("document", "blob")
    return versions.filter(pk=write.request["version"]).first()


def wait_for_end(write: Write) -> None:
    """Send it if nobody has, and wait a moment for its answer. One whose token was refused is not sent later by itself."""
    if write.state == State.HELD and not write.reason:
        outbox.deliver(write)
    if write.state == State.SENDING:
        outbox.wait_for_answer(write)
    if write.state == State.HELD and write.reason:
        outbox.cancel(write)


def note_arrival(version: Version, package: Package) -> None:
    """Settle the save of `version` if a file that was read for an editor shows it."""
    if not store.proves(version, package):
        return
    write = find_open(version.document)
    if write is not None and write.request["version"] == version.pk:
        outbox.note_found(write, package)
        return
    with transaction.atomic():  # another version took its place, or the previous release sent it
        keep_version(version, package)


def keep_version(version: Version, package: Package | None, tab: str = "") -> None:
    """The platform has `version`, as `package` where that was read: its drafts are done, other windows are told."""
    document = version.document
    if package is not None:
        drafts.adopt(version, package, store.fingerprint(package))
    version.kind = Version.Kind.SAVED
    version.save(update_fields=["kind"])
    forget(store.file_key(document))
    drafts.sent(document, version)
    Document.objects.filter(pk=document.pk).update(refusal=None)
    drafts.changed(document, tab=tab, actor=version.actor, place="saved")


def _send(write: Write) -> None:
    version = get_version(write)
    if version is None:
        raise NotWanted
    document = version.document
    body = payload(store.content(version.blob), str(document.video_id), document.lang or None)
    clients.platform_for(write.owner).ai_workflow.save_package(body)


def _keep(write: Write, package: Package | None) -> None:
    """`package` is the file where a read showed it; the platform's own answer says nothing [4.3]."""
    version = get_version(write)
    if version is not None:
        keep_version(version, package, write.request["tab"])
    stored = Write.objects.get(pk=write.pk)
    if stored.request["version"] != write.request["version"]:
        _forget_version(stored)  # it was to be sent in place of this one, which has arrived after all
        Write.objects.filter(pk=write.pk).update(request=write.request)


def _settle(write: Write) -> Found | Absence:
    """Found where the file is what was sent. A file that is not says nothing: it follows a save late [4.3]."""
    version = get_version(write)
    if version is None:
        return ABSENT  # only a refusal removes it: the previous release was told
    if version.kind == Version.Kind.SAVED:
        return Found()
    document = version.document
    read = clients.platform_for(write.owner).ai_workflow.read_package
    file = read(document.pullzone, document.external_id, document.lang or None, fresh=True)
    try:
        package = checked(dict(file.data))
    except NotAPackage:
        return UNKNOWN
    return Found(package) if store.proves(version, package) else UNKNOWN


def _changed(write: Write) -> None:
    """A version that was refused, or not sent at all, was never there. What the platform said is kept for its question."""
    if write.state == State.UNCONFIRMED:
        error = write.raised or write.error
        if error is not None and not is_ambiguous(error):
            _note_refusal(write)
            _go_back(write)
    elif write.state in (State.REFUSED, State.CANCELLED):
        _note_refusal(write)
        _forget_version(write)


def _go_back(write: Write) -> None:
    """What took the place of an unconfirmed save was refused: reads look for the earlier one again."""
    earlier = write.request.get(EARLIER)
    if earlier is None:
        return
    _forget_version(write)
    write.request = {**earlier, "form": write.request["form"]}
    version = get_version(write)
    write.after = None if version is None else describe(version)
    Write.objects.filter(pk=write.pk).update(request=write.request, after=write.after)


def describe(version: Version) -> dict[str, int]:
    """What Activity keeps of a save: enough to undo it."""
    return {"version": version.pk, "changes": version.changes_count}


def _note_refusal(write: Write) -> None:
    error, version = write.raised, get_version(write)
    if version is None or error is None or is_no_answer(error):
        return
    place = lint.place_of(error.message, quiz.questions_of(store.content(version.blob)))
    handle = version.handles[place] if place is not None and place < len(version.handles) else ""
    refusal = {"message": error.message, "status": error.status, "handle": handle}
    Document.objects.filter(pk=version.document_id).update(refusal=refusal)


def is_no_answer(error: CallError) -> bool:
    """Whether the platform has not judged the content: it was not reached, was busy, or refused the token."""
    return isinstance(error, BadToken) or certainly_not_received(error) or is_ambiguous(error)


def _forget_version(write: Write) -> None:
    version = get_version(write)
    if version is not None and version.kind == Version.Kind.SENDING:
        store.forget(version)


def _confirm(write: Write) -> None:
    version = get_version(write)
    if version is not None:
        keep_version(version, None, write.request["tab"])


def get_page(write: Write) -> str:
    """Where a save is looked after."""
    return address("ai_content:save", write.subject, write.request["word"])


register(Operation(SAVE, send=_send, keep=_keep, settle=_settle, changed=_changed, page=get_page, confirmed=_confirm))

"""Saving a language: read again, compare, send everything, and never overwrite what nobody here has seen [4.3]."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import transaction

from dashboard import clients
from dashboard.activity.recorder import actor_of
from dashboard.ai_content import conflicts, drafts, presence, sync, writes
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.models import Document, Draft, Version
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.package import Block, Package, part
from dashboard.ai_content.sync import Opened, State
from dashboard.ai_content.versions import store
from dashboard.platform_api.errors import BadToken, CallError, Unreachable
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import single_flight
from dashboard.writes import outbox
from dashboard.writes.failures import certainly_not_received, is_ambiguous
from dashboard.writes.models import State as WriteState
from dashboard.writes.models import Write
from dashboard.writes.requests import form_intent, form_key

if TYPE_CHECKING:
    from dashboard.activity.models import Entry

INSTEAD = "instead"
"""The hidden field of a form that saves in place of an unconfirmed save: which one, and the attempt that was seen."""


class Outcome(StrEnum):
    """How a save ended."""

    SAVED = "saved"
    NOTHING = "nothing"
    """There was nothing to send."""
    CLASH = "clash"
    """Somebody else changed the file: nothing was sent, the merge page asks."""
    BLOCKED = "blocked"
    """The platform would refuse it, or something has to be decided first: nothing was sent."""
    BUSY = "busy"
    """Somebody is sending this language right now."""
    OPEN = "open"
    """An earlier save is not confirmed: nothing was sent, the review page offers to save in its place."""
    REFUSED = "refused"
    UNCONFIRMED = "unconfirmed"
    """It left, and no answer came."""
    UNREACHABLE = "unreachable"
    """It never left."""


@dataclass(frozen=True)
class Result:
    """`findings` say what blocks, `undecided` that text and HTML of the eBook disagree, `error` what the platform said."""

    outcome: Outcome
    version: Version | None = None
    error: CallError | None = None
    findings: tuple[lint.Finding, ...] = ()
    undecided: bool = False
    write: Write | None = None


@dataclass(frozen=True)
class Press:
    """One press of Save: the form it came with, the key of its write, and the unconfirmed save it takes the place of."""

    request: OwnerRequest
    document: Document
    form: UUID
    key: UUID
    undoes: "Entry | None" = None
    replaces: Write | None = None


def save(request: OwnerRequest, document: Document, undoes: "Entry | None" = None) -> Result:
    """Send what is typed in this language, whole. Drafts stay until the platform has confirmed.

    The same form again has the same outcome. While another save is open nothing is sent, unless the form says that it
    takes the place of that one.
    """
    press = Press(request, document, form_key(request), writes.get_next_key(request.account, document), undoes)
    mine = writes.find_by_form(document, press.form)
    if mine is not None:
        writes.wait_for_end(mine)
        return _result(mine)
    earlier = writes.find_open(document)
    if earlier is None:
        return _save(press)
    if clients.is_rehearsing():
        return Result(Outcome.OPEN, write=earlier)
    writes.wait_for_end(earlier)
    if earlier.request.get("form") == str(press.form):
        return _result(earlier)
    if earlier.state in (WriteState.HELD, WriteState.SENDING):
        return Result(Outcome.BUSY)
    if earlier.state == WriteState.UNCONFIRMED:
        if request.POST.get(INSTEAD) != instead_of(earlier):
            return Result(Outcome.OPEN, write=earlier)
        return _save(replace(press, replaces=earlier))
    return _save(replace(press, key=writes.get_next_key(request.account, document)))


def instead_of(write: Write) -> str:
    """What a form carries that saves in place of `write`, as it stands now."""
    return f"{write.pk}.{write.attempt}"


def _save(press: Press) -> Result:
    document = press.document
    if not document.drafts.exists():
        return _nothing(press)
    opened = _read_again(press.request, document)
    if opened.state is State.UNREAD:
        return Result(Outcome.UNREACHABLE, error=opened.trouble)
    if conflicts.behind(opened, drafts.drafts_of(document)):
        return Result(Outcome.CLASH, opened.version)
    found = drafts.drafts_of(document)
    if not found:
        return _nothing(press)
    try:
        package = drafts.composed(opened.package, found)
    except Undecided:
        return Result(Outcome.BLOCKED, undecided=True)
    findings = lint.blocking(part(package, Block.QUIZ)) if Block.QUIZ in found else ()
    if findings:
        return Result(Outcome.BLOCKED, findings=findings)
    write = _begin(press, opened, package, found)
    writes.wait_for_end(write)
    return _result(write) if write.request.get("form") == str(press.form) else _of_another_press(press, write)


def _of_another_press(press: Press, write: Write) -> Result:
    """Another press began its save in the same moment."""
    if write.state == WriteState.DONE and not press.document.drafts.exists():
        return Result(Outcome.NOTHING, writes.get_version(write))
    return Result(Outcome.OPEN if write.state == WriteState.UNCONFIRMED else Outcome.BUSY, write=write)


def _read_again(request: OwnerRequest, document: Document) -> Opened:
    single_flight.forget(store.file_key(document))
    return sync.open_language(request, document.video_id, document.lang or None)


def _nothing(press: Press) -> Result:
    """Nothing is typed, or the same form in another process has just sent it."""
    mine = writes.find_by_form(press.document, press.form)
    return Result(Outcome.NOTHING, store.settled(press.document)) if mine is None else _result(mine)


def _begin(press: Press, opened: Opened, package: Package, found: dict[Block, Draft]) -> Write:
    """Store the version and its write, which is the one of a faster press where there was one."""
    request, document = press.request, opened.document
    with transaction.atomic():
        version = store.remember(
            document,
            package,
            Version.Kind.SENDING,
            actor=actor_of(request, request.account),
            parent=opened.package,
            handles=_handles(package, found, opened.version),
        )
        version.sent = {str(block): [draft.pk, draft.revision] for block, draft in found.items()}
        version.save(update_fields=["sent"])
        intent = form_intent(
            request,
            writes.SAVE,
            subject=str(document.video_id),
            sends=_sends(press, version),
            label=f"{document.title} · {sync.word_of(document.lang)}",
            before={"version": opened.version.pk},
            after=writes.describe(version),
            undoes=press.undoes,
        )
        if clients.is_rehearsing():
            return outbox.perform(intent)
        earlier, key = press.replaces, press.key
        if earlier is not None:
            sends = {**intent.request, writes.EARLIER: earlier.request}
            if outbox.renew(earlier, request=sends, after=intent.after):
                return earlier
            key = writes.get_next_key(request.account, document)
        write, new = outbox.begin(replace(intent, key=key))
        if not new:
            store.forget(version)
    return write


def _sends(press: Press, version: Version) -> dict[str, Any]:
    """What the write keeps: the content itself is in the version."""
    document = version.document
    return {
        "document": str(document.pk),
        "version": version.pk,
        "word": sync.word_of(document.lang),
        "form": str(press.form),
        "tab": presence.tab_of(press.request),
    }


def _handles(package: Package, found: dict[Block, Draft], version: Version) -> list[str]:
    """Handles of the questions as they leave: those of the draft, else of the version they come from."""
    handles = found[Block.QUIZ].handles if Block.QUIZ in found else version.handles
    return list(handles) if len(handles) == len(quiz.questions_of(package)) else []


def _result(write: Write) -> Result:
    """How the write of this form ended. Raises `BadToken`."""
    error = write.raised or write.error
    if write.state == WriteState.DONE:
        return Result(Outcome.SAVED, writes.get_version(write), write=write)
    if write.state == WriteState.SENDING:
        return Result(Outcome.BUSY)
    if isinstance(error, BadToken):
        raise error
    if write.state == WriteState.UNCONFIRMED and (error is None or is_ambiguous(error)):
        return Result(Outcome.UNCONFIRMED, writes.get_version(write), error, write=write)
    if write.state == WriteState.REFUSED:
        outbox.dismiss(write)  # it is told where the form is
    if error is None or certainly_not_received(error):
        return Result(Outcome.UNREACHABLE, error=error or Unreachable(write.operation, sent=False))
    return Result(Outcome.REFUSED, error=error)


def send_again(request: OwnerRequest, document: Document, write: Write) -> Result:
    """Send an unconfirmed save once more as it was, unless somebody else has changed the file since."""
    opened = _read_again(request, document)
    if opened.state is State.UNREAD:
        return Result(Outcome.UNREACHABLE, error=opened.trouble)
    write.refresh_from_db()
    version = writes.get_version(write)
    if write.state == WriteState.UNCONFIRMED and version is not None:
        if opened.version.pk > version.pk:
            return Result(Outcome.CLASH, opened.version)
        outbox.send_again(write)
    writes.wait_for_end(write)
    return _result(write)

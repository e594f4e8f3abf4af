"""Save a language: read the file again, compare, and send the whole file; never overwrite unseen changes [4.3]."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import transaction

from dashboard.activity.recorder import actor_of
from dashboard.ai_content import drafts, presence, sync, writes
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.editor import compose, find_behind
from dashboard.ai_content.languages import get_word
from dashboard.ai_content.models import Document, Draft, Version, get_file_key
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.package import Block, Package, build_payload, get_part, list_large_parts
from dashboard.ai_content.save.queries import (
    INSTEAD,
    SAVE,
    find_by_form,
    find_open,
    get_instead,
    get_next_key,
    get_version,
)
from dashboard.ai_content.versions import store
from dashboard.ai_content.versions.store import FileState, OpenedLanguage
from dashboard.ai_content.writes import SaveOutcome, SaveResult
from dashboard.platform_api.errors import BadToken, Unreachable
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients, single_flight
from dashboard.writes import outbox
from dashboard.writes.failures import certainly_not_received, is_ambiguous
from dashboard.writes.models import State as WriteState
from dashboard.writes.models import Write
from dashboard.writes.requests import form_intent, form_key

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


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
    press = SavePress(request, document, form_key(request), get_next_key(request.account, document), undoes)
    mine = find_by_form(document, press.form)
    if mine is not None:
        writes.wait_for_end(mine)
        return _build_result(mine)
    earlier = find_open(document)
    if earlier is None:
        return _save_press(press)
    if clients.is_rehearsing():
        return SaveResult(SaveOutcome.OPEN, write=earlier)
    writes.wait_for_end(earlier)
    if earlier.request.get("form") == str(press.form):
        return _build_result(earlier)
    if earlier.state in (WriteState.HELD, WriteState.SENDING):
        return SaveResult(SaveOutcome.BUSY)
    if earlier.state == WriteState.UNCONFIRMED:
        if request.POST.get(INSTEAD) != get_instead(earlier):
            return SaveResult(SaveOutcome.OPEN, write=earlier)
        return _save_press(replace(press, replaces=earlier))
    return _save_press(replace(press, key=get_next_key(request.account, document)))


def _save_press(press: SavePress) -> SaveResult:
    document = press.document
    if not document.drafts.exists():
        return _build_empty_result(press)
    opened = _read_again(press.request, document)
    if opened.state is FileState.UNREAD:
        return SaveResult(SaveOutcome.UNREACHABLE, error=opened.trouble)
    if find_behind(opened, drafts.list_drafts(document)):
        return SaveResult(SaveOutcome.CLASH, opened.version)
    by_block = drafts.list_drafts(document)
    if not by_block:
        return _build_empty_result(press)
    try:
        package = compose(opened.package, by_block)
    except Undecided:
        return SaveResult(SaveOutcome.BLOCKED, undecided=True)
    if list_large_parts(build_payload(package, str(document.video_id), document.lang or None)):
        return SaveResult(SaveOutcome.BLOCKED)
    findings = lint.list_blocking(get_part(package, Block.QUIZ)) if Block.QUIZ in by_block else ()
    if findings:
        return SaveResult(SaveOutcome.BLOCKED, findings=findings)
    write = _begin(press, opened, package, by_block)
    writes.wait_for_end(write)
    return _build_result(write) if write.request.get("form") == str(press.form) else _build_other_result(press, write)


def _build_other_result(press: SavePress, write: Write) -> SaveResult:
    """Build the result where another press began its save at the same moment."""
    if write.state == WriteState.DONE and not press.document.drafts.exists():
        return SaveResult(SaveOutcome.NOTHING, get_version(write))
    return SaveResult(SaveOutcome.OPEN if write.state == WriteState.UNCONFIRMED else SaveOutcome.BUSY, write=write)


def _read_again(request: OwnerRequest, document: Document) -> OpenedLanguage:
    single_flight.forget(get_file_key(document))
    return sync.open_language(request, document.video_id, document.lang or None)


def _build_empty_result(press: SavePress) -> SaveResult:
    """Build the result without drafts: there were none, or the same form has just sent them elsewhere."""
    mine = find_by_form(press.document, press.form)
    return SaveResult(SaveOutcome.NOTHING, store.get_settled(press.document)) if mine is None else _build_result(mine)


def _begin(press: SavePress, opened: OpenedLanguage, package: Package, by_block: dict[Block, Draft]) -> Write:
    """Store the version and its write; returns the write of a faster press where there was one."""
    request, document = press.request, opened.document
    with transaction.atomic():
        version = store.add_version(
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
            SAVE,
            subject=str(document.video_id),
            sends=_build_request(press, version),
            label=f"{document.title} · {get_word(document.lang)}",
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
            key = get_next_key(request.account, document)
        write, new = outbox.begin(replace(intent, key=key))
        if not new:
            store.forget_version(version)
    return write


def _build_request(press: SavePress, version: Version) -> dict[str, Any]:
    """Build the request of the write; the content itself is in the version."""
    document = version.document
    return {
        "document": str(document.pk),
        "version": version.pk,
        "word": get_word(document.lang),
        "form": str(press.form),
        "tab": presence.get_tab(press.request),
    }


def _get_handles(package: Package, by_block: dict[Block, Draft], version: Version) -> list[str]:
    """The handles of the questions: of the draft, else of the version."""
    handles = by_block[Block.QUIZ].handles if Block.QUIZ in by_block else version.handles
    return list(handles) if len(handles) == len(quiz.get_questions(package)) else []


def _build_result(write: Write) -> SaveResult:
    """Build the result of a write. Raises `BadToken`."""
    error = write.raised or write.error
    if write.state == WriteState.DONE:
        return SaveResult(SaveOutcome.SAVED, get_version(write), write=write)
    if write.state == WriteState.SENDING:
        return SaveResult(SaveOutcome.SENDING, write=write)
    if isinstance(error, BadToken):
        raise error
    if write.state == WriteState.UNCONFIRMED and (error is None or is_ambiguous(error)):
        return SaveResult(SaveOutcome.UNCONFIRMED, get_version(write), error, write=write)
    if write.state == WriteState.REFUSED:
        outbox.dismiss(write)  # it is told where the form is
    if error is None or certainly_not_received(error):
        return SaveResult(SaveOutcome.UNREACHABLE, error=error or Unreachable(write.operation, sent=False))
    return SaveResult(SaveOutcome.REFUSED, error=error)


def resend(request: OwnerRequest, document: Document, write: Write) -> SaveResult:
    """Send an unconfirmed save again, unless somebody else has changed the file since."""
    opened = _read_again(request, document)
    if opened.state is FileState.UNREAD:
        return SaveResult(SaveOutcome.UNREACHABLE, error=opened.trouble)
    write.refresh_from_db()
    version = get_version(write)
    if write.state == WriteState.UNCONFIRMED and version is not None:
        if opened.version.pk > version.pk:
            return SaveResult(SaveOutcome.CLASH, opened.version)
        outbox.send_again(write)
    writes.wait_for_end(write)
    return _build_result(write)

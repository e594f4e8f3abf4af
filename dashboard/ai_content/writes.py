"""Saving a language (section 4.3): the whole file in one call, settled by reading that file.

`Write.subject` is the video; the request names the document and the version, whose stored content is what is sent. A version
is `sending` until its write is settled, and drafts stay until then.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dashboard.ai_content.drafts import keep_version
from dashboard.ai_content.models import Document, Version, get_content
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.package import NotAPackage, Package, build_payload, check_package
from dashboard.ai_content.save.queries import SAVE, get_version
from dashboard.ai_content.versions import store
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.shared.addresses import address
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.failures import certainly_not_received, is_ambiguous
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, NotWanted, Operation, register

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
    """`findings` block the save, `undecided`: text and HTML of the eBook differ, `error`: the platform's."""

    outcome: SaveOutcome
    version: Version | None = None
    error: CallError | None = None
    findings: tuple[lint.Finding, ...] = ()
    undecided: bool = False
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
    version = get_version(write)
    if version is None:
        raise NotWanted
    document = version.document
    body = build_payload(get_content(version.blob), str(document.video_id), document.lang or None)
    clients.platform_for(write.owner).ai_workflow.save_package(body)


def _keep(write: Write, package: Package | None) -> None:
    """Keep the version. `package` is the file where a read showed it; the platform's response has no content [4.3]."""
    version = get_version(write)
    if version is not None:
        keep_version(version, package, write.request["tab"])
    stored = Write.objects.get(pk=write.pk)
    if stored.request["version"] != write.request["version"]:
        _forget_version(stored)  # it was to be sent in place of this one, which has arrived after all
        Write.objects.filter(pk=write.pk).update(request=write.request)


def _settle(write: Write) -> Found | Absence:
    """Found where the file is what was sent, else unknown: the file follows a save late [4.3]."""
    version = get_version(write)
    if version is None:
        return ABSENT  # only a refusal removes it: the previous release was told
    if version.kind == Version.Kind.SAVED:
        return Found()
    document = version.document
    read = clients.platform_for(write.owner).ai_workflow.read_package
    file = read(document.pullzone, document.external_id, document.lang or None, fresh=True)
    try:
        package = check_package(dict(file.data))
    except NotAPackage:
        return UNKNOWN
    return Found(package) if store.is_proof(version, package) else UNKNOWN


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
    version = get_version(write)
    write.after = None if version is None else describe(version)
    Write.objects.filter(pk=write.pk).update(request=write.request, after=write.after)


def describe(version: Version) -> dict[str, int]:
    """Build what Activity stores to undo a save."""
    return {"version": version.pk, "changes": version.changes_count}


def _note_refusal(write: Write) -> None:
    error, version = write.raised, get_version(write)
    if version is None or error is None or is_no_answer(error):
        return
    place = lint.find_refused_question(error.message, quiz.get_questions(get_content(version.blob)))
    handle = version.handles[place] if place is not None and place < len(version.handles) else ""
    refusal = {"message": error.message, "status": error.status, "handle": handle}
    Document.objects.filter(pk=version.document_id).update(refusal=refusal)


def is_no_answer(error: CallError) -> bool:
    """Whether the error says nothing about the content: not reached, busy, or the token refused."""
    return isinstance(error, BadToken) or certainly_not_received(error) or is_ambiguous(error)


def _forget_version(write: Write) -> None:
    version = get_version(write)
    if version is not None and version.kind == Version.Kind.SENDING:
        store.forget_version(version)


def _confirm(write: Write) -> None:
    version = get_version(write)
    if version is not None:
        keep_version(version, None, write.request["tab"])


def get_page(write: Write) -> str:
    """Return the address of the page about a save."""
    return address("ai_content:save", write.subject, write.request["word"])


register(Operation(SAVE, send=_send, keep=_keep, settle=_settle, changed=_changed, page=get_page, confirmed=_confirm))

"""Sending a language: read again, compare, send everything, and never overwrite what nobody here has seen [4.3]."""

import time
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from dashboard import clients
from dashboard.activity.recorder import actor_of, ambiguous, recorded
from dashboard.ai_content import conflicts, drafts, loading, store, windows
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.loading import Opened, State
from dashboard.ai_content.models import Document, Draft, Version
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.package import Block, Package, part, payload
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import single_flight
from dashboard.shared.http import OwnerRequest

if TYPE_CHECKING:
    from dashboard.activity.models import Entry

WAIT_MOST: Final = 3.0
WAIT_STEP: Final = 0.1


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
    error: PlatformError | None = None
    findings: tuple[lint.Finding, ...] = ()
    undecided: bool = False


def save(request: OwnerRequest, document: Document, undoes: "Entry | None" = None) -> Result:
    """Send what is typed in this language, whole. Drafts stay until the platform has confirmed."""
    if not _claim(document):
        return Result(Outcome.BUSY)
    try:
        return _save(request, document, undoes)
    finally:
        Document.objects.filter(pk=document.pk).update(saving_since=None)


def _save(request: OwnerRequest, document: Document, undoes: "Entry | None") -> Result:
    if not document.drafts.exists():
        return Result(Outcome.NOTHING, store.newest(document))
    single_flight.forget(loading.file_key(document))
    opened = loading.open_language(request, document.video_id, document.lang or None)
    if opened.state is State.UNREAD:
        return Result(Outcome.UNREACHABLE, error=opened.trouble)
    if conflicts.behind(opened, drafts.drafts_of(document)):
        return Result(Outcome.CLASH, opened.version)
    found = drafts.drafts_of(document)
    try:
        package = drafts.composed(opened.package, found)
    except Undecided:
        return Result(Outcome.BLOCKED, undecided=True)
    findings = lint.blocking(part(package, Block.QUIZ)) if Block.QUIZ in found else ()
    if findings:
        return Result(Outcome.BLOCKED, findings=findings)
    return _send(request, opened, package, found, undoes)


def _send(
    request: OwnerRequest, opened: Opened, package: Package, found: dict[Block, Draft], undoes: "Entry | None"
) -> Result:
    document = opened.document
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
    try:
        with recorded(
            request,
            "ai_workflow.save_package",
            target=str(document.video_id),
            label=f"{document.title} · {document.lang or loading.LEGACY}",
            before={"version": opened.version.pk},
            after={"version": version.pk, "changes": version.changes_count},
            undoes=undoes,
        ):
            body = payload(package, str(document.video_id), document.lang or None)
            clients.platform(request).ai_workflow.save_package(body)
    except PlatformError as error:
        return _not_saved(request, document, version, error)
    _done(request, document, version)
    return Result(Outcome.SAVED, version)


def _handles(package: Package, found: dict[Block, Draft], version: Version) -> list[str]:
    """Handles of the questions as they leave: those of the draft, else of the version they come from."""
    handles = found[Block.QUIZ].handles if Block.QUIZ in found else version.handles
    return list(handles) if len(handles) == len(quiz.questions_of(package)) else []


def _done(request: OwnerRequest, document: Document, version: Version) -> None:
    version.kind = Version.Kind.SAVED
    version.save(update_fields=["kind"])
    single_flight.forget(loading.file_key(document))
    drafts.sent(document, version)
    drafts.changed(document, tab=windows.tab_of(request), actor=version.actor, place="saved")


def _not_saved(request: OwnerRequest, document: Document, version: Version, error: PlatformError) -> Result:
    if ambiguous(error):
        return reconcile(request, document, version, error)
    questions = quiz.questions_of(store.content(version.blob))
    store.forget(version)
    if isinstance(error, BadToken):
        raise error
    if error.status is None or error.status == 429:
        return Result(Outcome.UNREACHABLE, error=error)
    place = lint.place_of(error.message, questions)
    handle = version.handles[place] if place is not None and place < len(version.handles) else ""
    document.refusal = {"message": error.message, "status": error.status, "handle": handle}
    document.save(update_fields=["refusal"])
    return Result(Outcome.REFUSED, error=error)


def reconcile(
    request: OwnerRequest, document: Document, version: Version, error: PlatformError | None = None
) -> Result:
    """Find out by reading whether what was sent without an answer has arrived. Nothing is ever sent again unasked."""
    single_flight.forget(loading.file_key(document))
    opened = loading.open_language(request, document.video_id, document.lang or None)
    version.refresh_from_db()
    if version.kind == Version.Kind.SAVED:
        drafts.changed(document, tab=windows.tab_of(request), actor=version.actor, place="saved")
        return Result(Outcome.SAVED, version)
    return Result(Outcome.UNCONFIRMED, version, error or opened.trouble)


def _claim(document: Document) -> bool:
    """Only one window sends a language at a time; the others wait a moment. A claim that was never released ends."""
    patience = settings.PLATFORM_TIMEOUT + 45
    deadline = time.monotonic() + WAIT_MOST
    while True:
        now = timezone.now()
        free = Q(saving_since=None) | Q(saving_since__lt=now - timedelta(seconds=patience))
        if Document.objects.filter(free, pk=document.pk).update(saving_since=now):
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(WAIT_STEP)

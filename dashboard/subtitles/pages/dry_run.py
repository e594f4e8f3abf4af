"""The dry run of a batch: templates/subtitles/check.html."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api import errors
from dashboard.shared.dry_run import DryRun
from dashboard.shared.refusals import Explained
from dashboard.subtitles import messages
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages.batches import order_sentence
from dashboard.subtitles.pages.tabs import AccountContext, Tabs, credits_sentence, parent_sentence, tabs
from dashboard.subtitles.rules import RejectionReason
from dashboard.upstream.credits import BalancePart


@dataclass(frozen=True, slots=True)
class DryRunData:
    """A batch that was not sent, with the cells that can be sent now and why the others cannot.

    `requests`: what would be sent, by video. `error`: of the read of a video that failed.
    """

    batch: Batch
    sendable: tuple[PlannedCell, ...]
    rejected: tuple[tuple[PlannedCell, RejectionReason], ...]
    requests: Mapping[str, DryRun]
    balance: BalancePart | None
    error: errors.CallError | None


@dataclass(frozen=True, slots=True)
class DryVideo:
    """What is sent for one video: its languages and the request."""

    title: str
    languages: str
    count: int
    request: DryRun


@dataclass(frozen=True, slots=True)
class DroppedCell:
    """A cell that will not be sent, and why."""

    title: str
    language: str
    reason: str


@dataclass(frozen=True, slots=True)
class DryRunPage:
    """templates/subtitles/check.html."""

    tabs: Tabs
    key: str
    title: str
    order: str
    tier: str
    videos: tuple[DryVideo, ...]
    dropped: tuple[DroppedCell, ...]
    send_words: str
    count: int
    change: str
    credits: str
    balance: BalancePart | None
    parent: str
    trouble: Explained | None


def _format_tier(batch: Batch) -> str:
    """The tier of a batch."""
    return _("Tier %(tier)s") % {"tier": messages.tier(batch.tier)}


def _format_title(count: int) -> str:
    """The heading of the dry run."""
    if not count:
        return _("Nothing left to send")
    return ngettext("Send %(count)s job?", "Send %(count)s jobs?", count) % {"count": count}


def _format_send_words(count: int) -> str:
    """The words of the button that sends."""
    return ngettext("Send %(count)s job", "Send %(count)s jobs", count) % {"count": count}


def build_dry_run_page(data: DryRunData, account: AccountContext) -> DryRunPage:
    """The page that shows what would be sent."""
    count = len(data.sendable)
    return DryRunPage(
        tabs=tabs("plan", account.open_jobs),
        key=str(data.batch.pk),
        title=_format_title(count),
        order=order_sentence(data.batch),
        tier=_format_tier(data.batch),
        videos=tuple(_build_video(video, request, data.sendable) for video, request in data.requests.items()),
        dropped=tuple(
            DroppedCell(cell.title, messages.language(cell.lang), messages.reason(reason))
            for cell, reason in data.rejected
        ),
        send_words=_format_send_words(count),
        count=count,
        change=f"{reverse('subtitles:subtitles')}?{data.batch.plan}",
        credits=credits_sentence(account.name, account.parent),
        balance=data.balance,
        parent=parent_sentence(account.parent),
        trouble=messages.explain(data.error, account.parent) if data.error else None,
    )


def _build_video(video: str, request: DryRun, cells: Iterable[PlannedCell]) -> DryVideo:
    video_cells = [cell for cell in cells if cell.video_id == video]
    languages = "; ".join(messages.language_with_code(cell.lang) for cell in video_cells)
    return DryVideo(video_cells[0].title, languages, len(video_cells), request)

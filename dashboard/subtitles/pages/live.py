"""What a poll answers when something changed: templates/subtitles/_live.html."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.vocabulary import JobStatus
from dashboard.subtitles import messages
from dashboard.subtitles.pages.batches import BatchHead, LiveCell
from dashboard.subtitles.pages.jobs import JobView


@dataclass(frozen=True, slots=True)
class EndedCell:
    """A cell that has ended since the page last asked."""

    title: str
    lang: str
    status: str


@dataclass(frozen=True, slots=True)
class LiveUpdate:
    """Everything that changed. `poll` is empty when nothing is left to wait for."""

    poll: str
    cells: tuple[LiveCell, ...] = ()
    rows: tuple[JobView, ...] = ()
    new_rows: tuple[JobView, ...] = ()
    heads: tuple[BatchHead, ...] = ()
    on_batch: bool = False
    announcement: str = ""
    running: str = ""
    trouble: str = ""
    sprite: str = ""


def announcement(ended: Sequence[EndedCell]) -> str:
    """One sentence for everything that ended; nothing for what only went on."""
    if len(ended) == 1:
        return _one(ended[0])
    counts = Counter(cell.status for cell in ended)
    parts = []
    if count := counts[JobStatus.FINISHED]:
        parts.append(ngettext("%(count)s job finished", "%(count)s jobs finished", count) % {"count": count})
    if count := counts[JobStatus.ERROR]:
        parts.append(ngettext("%(count)s ended in an error", "%(count)s ended in an error", count) % {"count": count})
    if count := counts[JobStatus.SKIPPED]:
        parts.append(ngettext("%(count)s was skipped", "%(count)s were skipped", count) % {"count": count})
    if count := sum(number for status, number in counts.items() if status not in set(JobStatus)):
        parts.append(ngettext("%(count)s was not found", "%(count)s were not found", count) % {"count": count})
    return ", ".join(parts)


def _one(ended: EndedCell) -> str:
    values = {"language": messages.language(ended.lang), "title": ended.title}
    if ended.status == JobStatus.FINISHED:
        return _("%(language)s finished for %(title)s") % values
    if ended.status == JobStatus.ERROR:
        return _("%(language)s ended in an error for %(title)s") % values
    if ended.status == JobStatus.SKIPPED:
        return _("%(language)s was skipped for %(title)s") % values
    return _("%(language)s: no job found for %(title)s") % values


def trouble(failed: bool) -> str:
    """What to say while the platform cannot be asked."""
    return (
        _("The platform isn't answering. This page may be out of date; it will update automatically.") if failed else ""
    )

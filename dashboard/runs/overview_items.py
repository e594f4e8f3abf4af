"""Overview items of runs: those in progress, and those that need a person."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.overview.registry import Moving, Rank, Todo, provides
from dashboard.runs import pages, sending
from dashboard.runs.models import Run, RunState
from dashboard.runs.pages import RunCounts, format_title
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.writes.run_actions import ItemState

MOST = 5


@provides("runs", asks_platform=False)
def runs(request: OwnerRequest) -> Iterator[Todo | Moving]:
    """Runs in progress, runs that stopped by themselves, and finished ones with refused videos that nobody dismissed."""
    own = Run.objects.filter(account=request.account)
    running = list(own.filter(state=RunState.RUNNING)[:MOST])
    finished = own.filter(state=RunState.FINISHED, dismissed_at=None)
    refused = list(finished.filter(items__state=ItemState.REFUSED).distinct()[:MOST])
    counts = sending.count_states_of([*running, *refused])
    for run in running:
        yield _moving(run, RunCounts.of(counts[run.pk]))
    for run in own.filter(state=RunState.PAUSED).exclude(reason="")[:MOST]:
        yield Todo(
            rank=Rank.BROKEN,
            shape="error",
            word=_("Paused"),
            title=_("“%(title)s” was paused") % {"title": format_title(run)},
            address=address("runs:run", run.pk),
            why=pages.format_warning(run),
            action=_("Open run"),
            action_address=address("runs:run", run.pk),
            at=run.changed_at,
        )
    for run in refused:
        yield _refused(run, RunCounts.of(counts[run.pk]).refused)


def _moving(run: Run, counts: RunCounts) -> Moving:
    numbers = {"done": formats.number(counts.done), "total": formats.number(counts.total)}
    sentence = pages.format_wait(run) or _("%(done)s of %(total)s finished") % numbers
    return Moving(
        format_title(run),
        address("runs:run", run.pk),
        sentence=sentence,
        done=counts.done,
        total=max(counts.total, 1),
        counted=True,
    )


def _refused(run: Run, count: int) -> Todo:
    return Todo(
        rank=Rank.BROKEN,
        shape="error",
        word=formats.number(count),
        title=ngettext(
            "%(count)s video of “%(title)s” was refused", "%(count)s videos of “%(title)s” were refused", count
        )
        % {"count": formats.number(count), "title": format_title(run)},
        address=address("runs:run", run.pk),
        why=pages.format_state(run),
        action=_("Open run"),
        action_address=address("runs:run", run.pk),
        at=run.finished_at,
    )

"""Overview items of lives: those of today, and those that were started. Activity lists starts that are not confirmed."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.lives import pages, writes
from dashboard.lives.rules import Stage
from dashboard.overview.registry import Moving, Rank, Todo, provides
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.records.lives import Live
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.reads import Query

SECONDS = 20.0


@provides("lives")
def lives(request: OwnerRequest) -> Iterator[Todo | Moving]:
    """Lives of today, late ones, and the steps of those that were started. Nothing where the platform lists none."""
    try:
        found: tuple[Live, ...] = reads.of(request).get(Query(lambda platform: platform.lives.list(), SECONDS))
    except Missing:
        return
    now = timezone.now()
    presses = writes.load_presses(request.account, found)
    for live in found:
        yield from _said(live, writes.get_stage(live, presses.get(live.id, writes.NO_PRESSES), now))


def _said(live: Live, stage: Stage) -> Iterator[Todo | Moving]:
    here = address("lives:live", live.id)
    name = {"title": live.title or live.id}
    if stage is Stage.LATE:
        title, why = _("Live “%(title)s” is not on air yet") % name, _("No signal from the encoder yet.")
        yield Todo(Rank.BROKEN, "warning", pages.stage_words(stage, live), title, here, why, _("Open live"), here)
    elif stage is Stage.WAITING:
        yield Moving(_("Live “%(title)s”") % name, here, _("Start accepted, waiting for the encoder"), 1, 3)
    elif stage is Stage.LINGERING:
        title, why = _("Live “%(title)s” is still on air") % name, _("The platform accepted the finish a while ago.")
        yield Todo(Rank.BROKEN, "warning", pages.stage_words(stage, live), title, here, why, _("Open live"), here)
    elif stage is Stage.FINISHING:
        yield Moving(_("Live “%(title)s”") % name, here, _("Finish accepted, waiting for the platform"), 1, 2)
    elif stage is Stage.ON_AIR:
        title = _("Live “%(title)s” is on air") % name
        yield Todo(Rank.TODAY, "active", _("On air"), title, here, "", _("Open live"), here)
    elif stage is Stage.SCHEDULED and live.scheduled_at and _today(live):
        when = formats.moment(live.scheduled_at, "short")
        title = _("Live “%(title)s” is today") % name
        why = _("Planned for %(when)s.") % {"when": when}
        start = address("lives:start", live.id)
        yield Todo(Rank.TODAY, "queue", _("Today"), title, here, why, _("Start early"), start, live.scheduled_at)


def _today(live: Live) -> bool:
    """On this day of the reader's zone, and not over."""
    at = live.scheduled_at
    return at is not None and timezone.localtime(at).date() == timezone.localdate()

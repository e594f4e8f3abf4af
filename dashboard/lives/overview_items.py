"""Overview items of lives: those of today and those that were started. Activity lists starts that are not confirmed."""

from collections.abc import Iterator
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.lives import pages, writes
from dashboard.lives.rules import Stage
from dashboard.overview.registry import Moving, Rank, Todo, provides
from dashboard.platform_api.lives import Live
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.reads import Query

SECONDS = 20.0


@provides("lives", query=Query(lambda platform: platform.lives.list(), SECONDS), is_optional=True)
def lives(request: OwnerRequest, all_lives: tuple[Live, ...]) -> Iterator[Todo | Moving]:
    """Lives of today, late ones, and those that were started."""
    now = timezone.now()
    sent_writes = writes.load_sent_writes(request.account, all_lives)
    for live in all_lives:
        yield from _build_items(live, writes.get_stage(live, sent_writes.get(live.id, writes.NOTHING_SENT), now))


def _build_items(live: Live, stage: Stage) -> Iterator[Todo | Moving]:
    page = address("lives:live", live.id)
    name = {"title": live.title or live.id}
    open_live = partial(Todo, address=page, action=_("Open live"), action_address=page)
    if stage is Stage.LATE:
        title, why = _("Live “%(title)s” is not on air yet") % name, _("No signal from the encoder yet.")
        yield open_live(Rank.BROKEN, "warning", word=pages.get_badge(stage)[0], title=title, why=why)
    elif stage is Stage.WAITING:
        yield Moving(
            _("Live “%(title)s”") % name, page, sentence=_("Start accepted, waiting for the encoder"), done=1, total=3
        )
    elif stage is Stage.LINGERING:
        title, why = _("Live “%(title)s” is still on air") % name, _("The platform accepted the finish a while ago.")
        yield open_live(Rank.BROKEN, "warning", word=pages.get_badge(stage)[0], title=title, why=why)
    elif stage is Stage.FINISHING:
        yield Moving(
            _("Live “%(title)s”") % name, page, sentence=_("Finish accepted, waiting for the platform"), done=1, total=2
        )
    elif stage is Stage.ON_AIR:
        title = _("Live “%(title)s” is on air") % name
        yield open_live(Rank.TODAY, "active", word=_("On air"), title=title, why="")
    elif stage is Stage.SCHEDULED and live.scheduled_at and _is_today(live):
        yield Todo(
            Rank.TODAY,
            "queue",
            word=_("Today"),
            title=_("Live “%(title)s” is today") % name,
            address=page,
            why=_("Planned for %(when)s.") % {"when": formats.moment(live.scheduled_at)},
            action=_("Start early"),
            action_address=address("lives:start", live.id),
            at=live.scheduled_at,
        )


def _is_today(live: Live) -> bool:
    """Whether it is scheduled for today in the reader's time zone."""
    at = live.scheduled_at
    return at is not None and timezone.localtime(at).date() == timezone.localdate()

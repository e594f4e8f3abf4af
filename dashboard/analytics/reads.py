"""What analytics asks the platform, made of the windows of its address; and what the answers say about their days."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.utils.translation import gettext as _

from dashboard.analytics.state import State, by_bucket
from dashboard.platform_api.records.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import metrics
from dashboard.shared.charts.figures import count
from dashboard.shared.readings import Ask, Got, ask


def dated_asks(operation: str, state: State, **arguments: object) -> dict[str, Ask]:
    """Questions with the granularity of the address, for the range and for what it is compared with."""
    selection = state.selection
    windows, grain = selection.windows, selection.granularity
    total = grain is Granularity.TOTAL
    now = windows.counted if total else by_bucket(selection, windows.shown)
    made = {"now": ask(operation, now, selection.settled, granularity=grain.value, **arguments)}
    past = windows.compared if total else windows.past
    if past is not None:
        days = past if total else by_bucket(selection, past)
        made["past"] = ask(operation, days, selection.settled, granularity=grain.value, **arguments)
    return made


def total_asks(operation: str, state: State, **arguments: object) -> dict[str, Ask]:
    """Questions about the counted days only, in one sum; with a comparison also which days have numbers at all."""
    selection = state.selection
    made = {"now": ask(operation, selection.windows.counted, selection.settled, **arguments)}
    if selection.windows.compared is not None:
        made["past"] = ask(operation, selection.windows.compared, selection.settled, **arguments)
        made |= day_asks(state)
    return made


def day_asks(state: State, video_id: str | None = None) -> dict[str, Ask]:
    """The questions that tell which days of a comparison have numbers: those of the line over time, by day or hour."""
    selection = state.selection
    if selection.granularity is Granularity.TOTAL:
        state = replace(state, selection=replace(selection, granularity=Granularity.DAY))
    return {f"{name} days": one for name, one in dated_asks("browser", state, video_id=video_id).items()}


@dataclass(frozen=True)
class DayPairs:
    """The days of a comparison that have numbers on both sides, out of `days`."""

    now: frozenset[date]
    past: frozenset[date]
    days: int

    @property
    def complete(self) -> bool:
        return len(self.now) == self.days


def day_pairs(state: State, now: Table, past: Table) -> DayPairs | None:
    """How far two answers by day or hour can be compared; None where an answer does not say when."""
    selection, windows = state.selection, state.selection.windows
    grain = Granularity.HOUR if selection.granularity is Granularity.HOUR else Granularity.DAY
    ours = metrics.over_time(now.rows, "", selection.zone, grain)
    theirs = metrics.over_time(past.rows, "", selection.zone, grain)
    if ours is None or theirs is None:
        return None
    here, there = metrics.covered(ours), metrics.covered(theirs)
    back = timedelta(days=windows.shift)
    days: list[date] = []
    if here is not None and there is not None:
        days = [day for day in windows.counted if here.has_day(day) and there.has_day(day - back)]
    return DayPairs(frozenset(days), frozenset(day - back for day in days), len(windows.counted))


def comparison(state: State, answers: Mapping[str, Got]) -> tuple[Table | None, str]:
    """The answer to compare a panel with, and what has to be said about the days; without one nothing is compared.

    Sums by label, city or video are compared only where every day has numbers on both sides.
    """
    past = answers.get("past")
    if past is None or past.value is None or past.value.table is None or state.selection.windows.compared is None:
        return None, ""
    now_days, past_days = (answers.get(f"{name} days", answers[name]) for name in ("now", "past"))
    if now_days.value is None or past_days.value is None:
        return None, _("It is not known yet which of these days have numbers, so nothing is compared here.")
    tables = now_days.value.table, past_days.value.table
    pairs = day_pairs(state, *tables) if None not in tables else None
    if pairs is None:
        return past.value.table, _("The platform does not say which of these days have numbers.")
    if pairs.complete:
        return past.value.table, ""
    values = {"known": count(len(pairs.now)), "count": count(pairs.days)}
    return None, _("Only %(known)s of %(count)s days have numbers on both sides, so nothing is compared here.") % values

"""What analytics asks the platform, made of the windows of its address; and what the answers say about their days."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby

from django.utils.translation import gettext as _

from dashboard.analytics.state import State, by_bucket
from dashboard.platform_api.records.analytics import Analytics, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import metrics
from dashboard.shared.charts.figures import count
from dashboard.shared.hour_sums import HourSums
from dashboard.shared.ranges import Days
from dashboard.upstream.figures import Ask, Got, HourAsk, ask


def dated_asks(operation: str, state: State, **arguments: object) -> dict[str, Ask]:
    """Questions with the granularity of the address, for the range and for what it is compared with."""
    selection = state.selection
    windows, grain = selection.windows, selection.granularity
    total = grain is Granularity.TOTAL
    now = windows.counted if total else by_bucket(selection, windows.shown)
    asks = {"now": ask(operation, now, selection.settled, granularity=grain.value, **arguments)}
    past = windows.compared if total else windows.past
    if past is not None:
        days = past if total else by_bucket(selection, past)
        asks["past"] = ask(operation, days, selection.settled, granularity=grain.value, **arguments)
    return asks


def hour_asks(operation: str, state: State, **arguments: object) -> dict[str, Ask]:
    """The same where only sums over all labels are wanted; of more hours than can be drawn, in parts ("now 0", "now 1").

    A year by hour is more than one answer may weigh, and the quarters that are over stay known.
    """
    asks = dated_asks(operation, state, **arguments)
    if not state.selection.is_hours_of_week:
        return asks
    settled = state.selection.settled
    return {
        f"{name} {number}": part
        for name, question in asks.items()
        for number, part in enumerate(_by_quarter(question, settled))
    }


def _by_quarter(whole: Ask, settled: date) -> list[HourAsk]:
    """The same question about each quarter of a year that its days touch."""
    arguments = dict(whole.arguments)
    days = Days(arguments.pop("start"), arguments.pop("end"))
    parts = []
    for _quarter, some in groupby(days, key=lambda day: (day.year, (day.month - 1) // 3)):
        first, *more = some
        part = ask(whole.operation.removeprefix("analytics."), Days(first, [first, *more][-1]), settled, **arguments)
        parts.append(HourAsk(part.operation, part.arguments, part.seconds))
    return parts


def joined(answers: Mapping[str, Got], name: str) -> Got | None:
    """The answer to a question, put together where it was asked in parts; None where it was not asked."""
    parts = [answers[f"{name} {number}"] for number in range(len(answers)) if f"{name} {number}" in answers]
    if not parts:
        return answers.get(name)
    missing = [part for part in parts if part.value is None]
    error = next((part.error for part in (*missing, *parts) if part.error), None)
    if missing:
        return Got(None, None, error)
    read_at = min((part.at for part in parts if part.at), default=None)
    return Got(HourSums.joined([part.value for part in parts]), read_at, error, any(part.behind for part in parts))


def total_asks(operation: str, state: State, **arguments: object) -> dict[str, Ask]:
    """Questions about the counted days only, in one sum; with a comparison also which days have numbers at all."""
    selection = state.selection
    asks = {"now": ask(operation, selection.windows.counted, selection.settled, **arguments)}
    if selection.windows.compared is not None:
        asks["past"] = ask(operation, selection.windows.compared, selection.settled, **arguments)
        asks |= day_asks(state)
    return asks


def day_asks(state: State, video_id: str | None = None) -> dict[str, Ask]:
    """The questions that tell which days of a comparison have numbers: those of the line over time, by day or hour."""
    selection = state.selection
    if selection.granularity is Granularity.TOTAL:
        state = replace(state, selection=replace(selection, granularity=Granularity.DAY))
    asks = hour_asks("browser", state, video_id=video_id)
    return {" ".join([*name.split()[:1], "days", *name.split()[1:]]): question for name, question in asks.items()}


@dataclass(frozen=True)
class DayPairs:
    """The days of a comparison that have numbers on both sides, out of `days`."""

    now: frozenset[date]
    past: frozenset[date]
    days: int

    @property
    def complete(self) -> bool:
        return len(self.now) == self.days


def day_pairs(state: State, now: Table | HourSums, past: Table | HourSums) -> DayPairs | None:
    """How far two answers by day or hour can be compared; None where an answer does not say when."""
    windows = state.selection.windows
    (is_dated, here), (is_past_dated, there) = _coverage(state, now), _coverage(state, past)
    if not (is_dated and is_past_dated):
        return None
    back = timedelta(days=windows.shift)
    days: list[date] = []
    if here is not None and there is not None:
        days = [day for day in windows.counted if here.has_day(day) and there.has_day(day - back)]
    return DayPairs(frozenset(days), frozenset(day - back for day in days), len(windows.counted))


def _table(answer: Analytics | HourSums) -> Table | HourSums | None:
    return answer if isinstance(answer, HourSums) else answer.table


def _coverage(state: State, answer: Table | HourSums) -> tuple[bool, metrics.Covered | None]:
    """Whether an answer says when, and the stretch that it has numbers for."""
    zone = state.selection.zone
    if isinstance(answer, HourSums):
        return answer.is_dated, answer.covered(zone)
    grain = Granularity.HOUR if state.selection.granularity is Granularity.HOUR else Granularity.DAY
    sums = metrics.over_time(answer.rows, "", zone, grain)
    return sums is not None, metrics.covered(sums or {})


def comparison(state: State, answers: Mapping[str, Got]) -> tuple[Table | None, str]:
    """The answer to compare a panel with, and what has to be said about the days; without one nothing is compared.

    Sums by label, city or video are compared only where every day has numbers on both sides.
    """
    past = answers.get("past")
    if past is None or past.value is None or past.value.table is None or state.selection.windows.compared is None:
        return None, ""
    now_days, past_days = (joined(answers, f"{name} days") or answers[name] for name in ("now", "past"))
    if now_days.value is None or past_days.value is None:
        return None, _("It is not known yet which of these days have numbers, so nothing is compared here.")
    ours, theirs = _table(now_days.value), _table(past_days.value)
    pairs = day_pairs(state, ours, theirs) if ours is not None and theirs is not None else None
    if pairs is None:
        return past.value.table, _("The platform does not say which of these days have numbers.")
    if pairs.complete:
        return past.value.table, ""
    values = {"known": count(len(pairs.now)), "count": count(pairs.days)}
    return None, _("Only %(known)s of %(count)s days have numbers on both sides, so nothing is compared here.") % values

"""Queries of analytics, built from the date windows of the address, and how far answers can be compared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby

from django.utils.translation import gettext as _

from dashboard.analytics.state import AnalyticsState, get_bucket_days
from dashboard.platform_api.analytics import Analytics, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import metrics
from dashboard.shared.charts.figures import count
from dashboard.shared.days import Days
from dashboard.shared.hour_sums import HourSums
from dashboard.upstream.figures import FigureAnswer, FigureQuery, HourSumsQuery, build_query


def build_dated_asks(operation: str, state: AnalyticsState, **arguments: object) -> dict[str, FigureQuery]:
    """Questions with the granularity of the address, for the range and for what it is compared with."""
    selection = state.selection
    windows, grain = selection.windows, selection.granularity
    total = grain is Granularity.TOTAL
    now = windows.counted if total else get_bucket_days(selection, windows.shown_days)
    asks = {"now": build_query(operation, now, selection.settled, granularity=grain.value, **arguments)}
    past = windows.compared if total else windows.past
    if past is not None:
        days = past if total else get_bucket_days(selection, past)
        asks["past"] = build_query(operation, days, selection.settled, granularity=grain.value, **arguments)
    return asks


def build_hour_asks(operation: str, state: AnalyticsState, **arguments: object) -> dict[str, FigureQuery]:
    """The same where only sums over all labels are wanted; of more hours than can be drawn, in parts ("now 0", "now 1").

    A year by hour is more than one answer may weigh, and the quarters that are over stay known.
    """
    asks = build_dated_asks(operation, state, **arguments)
    if not state.selection.is_hours_of_week:
        return asks
    settled = state.selection.settled
    return {
        f"{name} {number}": part
        for name, question in asks.items()
        for number, part in enumerate(_split_by_quarter(question, settled))
    }


def _split_by_quarter(whole: FigureQuery, settled: date) -> list[HourSumsQuery]:
    """The same question about each quarter of a year that its days touch."""
    arguments = dict(whole.arguments)
    days = Days(arguments.pop("start"), arguments.pop("end"))
    parts = []
    for _quarter, some in groupby(days, key=lambda day: (day.year, (day.month - 1) // 3)):
        first, *more = some
        part = build_query(
            whole.operation.removeprefix("analytics."), Days(first, [first, *more][-1]), settled, **arguments
        )
        parts.append(HourSumsQuery(part.operation, part.arguments, part.seconds))
    return parts


def join_answers(answers: Mapping[str, FigureAnswer], name: str) -> FigureAnswer | None:
    """The answer to a question, put together where it was asked in parts; None where it was not asked."""
    parts = [answers[f"{name} {number}"] for number in range(len(answers)) if f"{name} {number}" in answers]
    if not parts:
        return answers.get(name)
    missing = [part for part in parts if part.value is None]
    error = next((part.error for part in (*missing, *parts) if part.error), None)
    if missing:
        return FigureAnswer(None, None, error)
    read_at = min((part.at for part in parts if part.at), default=None)
    return FigureAnswer(
        HourSums.joined([part.value for part in parts]), read_at, error, any(part.behind for part in parts)
    )


def build_total_asks(operation: str, state: AnalyticsState, **arguments: object) -> dict[str, FigureQuery]:
    """Questions about the counted days only, in one sum; with a comparison also which days have numbers at all."""
    selection = state.selection
    asks = {"now": build_query(operation, selection.windows.counted, selection.settled, **arguments)}
    if selection.windows.compared is not None:
        asks["past"] = build_query(operation, selection.windows.compared, selection.settled, **arguments)
        asks |= build_day_asks(state)
    return asks


def build_day_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    """The questions that tell which days of a comparison have numbers: those of the account's line, by day or hour.

    Also for one video: on a day that the account has numbers of, a video without a row was not viewed.
    """
    selection = state.selection
    if selection.granularity is Granularity.TOTAL:
        state = replace(state, selection=replace(selection, granularity=Granularity.DAY))
    asks = build_hour_asks("browser", state)
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


def get_day_pairs(state: AnalyticsState, now: Table | HourSums, past: Table | HourSums) -> DayPairs | None:
    """How far two answers by day or hour can be compared; None where an answer does not say when."""
    windows = state.selection.windows
    (is_dated, here), (is_past_dated, there) = _get_coverage(state, now), _get_coverage(state, past)
    if not (is_dated and is_past_dated):
        return None
    back = timedelta(days=windows.shift)
    days: list[date] = []
    if here is not None and there is not None:
        days = [day for day in windows.counted if here.has_day(day) and there.has_day(day - back)]
    return DayPairs(frozenset(days), frozenset(day - back for day in days), len(windows.counted))


def _get_table(answer: Analytics | HourSums) -> Table | HourSums | None:
    return answer if isinstance(answer, HourSums) else answer.table


def _get_coverage(state: AnalyticsState, answer: Table | HourSums) -> tuple[bool, metrics.Covered | None]:
    """Whether an answer says when, and the stretch that it has numbers for."""
    zone = state.selection.zone
    if isinstance(answer, HourSums):
        return answer.is_dated, answer.covered(zone)
    grain = Granularity.HOUR if state.selection.granularity is Granularity.HOUR else Granularity.DAY
    return metrics.get_coverage(answer.rows, zone, grain)


def get_comparison(state: AnalyticsState, answers: Mapping[str, FigureAnswer]) -> tuple[Table | None, str]:
    """The answer to compare a panel with, and what has to be said about the days; without one nothing is compared.

    Sums by label, city or video are compared only where every day has numbers on both sides.
    """
    past = answers.get("past")
    if past is None or past.value is None or past.value.table is None or state.selection.windows.compared is None:
        return None, ""
    now_days, past_days = (join_answers(answers, f"{name} days") or answers[name] for name in ("now", "past"))
    if now_days.value is None or past_days.value is None:
        return None, _("It couldn't be checked which of these days have numbers, so nothing is compared here.")
    ours, theirs = _get_table(now_days.value), _get_table(past_days.value)
    pairs = get_day_pairs(state, ours, theirs) if ours is not None and theirs is not None else None
    if pairs is None:
        return past.value.table, _("The platform does not say which of these days have numbers.")
    if pairs.complete:
        return past.value.table, ""
    values = {"known": count(len(pairs.now)), "count": count(pairs.days)}
    return None, _("Only %(known)s of %(count)s days have numbers on both sides, so nothing is compared here.") % values

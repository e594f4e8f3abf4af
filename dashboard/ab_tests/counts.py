"""Parses the analytics of one variant into counts: loads, people, a rate alone, or nothing. Pure."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from dashboard.ab_tests.rules import CountBasis, VariantCounts
from dashboard.ab_tests.statistics import Arm
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.metrics import NAMES, Metric, parse_moment, sum_over_time
from dashboard.shared.ranges import Days

PAIRS = (
    (CountBasis.LOADS, Metric.VIEWS, Metric.PLAYS),
    (CountBasis.PEOPLE, Metric.VIEWERS, Metric.PLAYERS),
)
RATES = ("play_rate", "plays_rate", "rate", "playrate", "unique_play_rate")


def get_whole_days(drawn: Days, settled: date, started: datetime | None, finished: datetime | None) -> Days | None:
    """The days that lie completely inside a run. None if there is none yet.

    The day of the start has hours before it, the day of the end has hours in which everybody gets the
    winner: both would tilt the counts. Days are cut in UTC, as the platform's are. `settled` is the first day that is not over.
    """
    first, last = drawn.start, min(drawn.end, settled - timedelta(days=1))
    if started is not None:
        at = started.astimezone(UTC)
        first = max(first, at.date() + timedelta(days=0 if at.time() == time.min else 1))
    if finished is not None:
        last = min(last, finished.astimezone(UTC).date() - timedelta(days=1))
    return Days(first, last) if first <= last else None


def parse_counts(table: Table | None) -> VariantCounts:
    """The figures of a variant: its loads, because the player draws a variant for each; its people where only they are told.

    Buckets are added up: whether they are hours or days depends on the range.
    """
    if table is None:
        return VariantCounts(CountBasis.NOTHING)
    if not table.rows:
        return VariantCounts(CountBasis.LOADS, Arm(0, 0), 0.0, people=0)
    is_impossible = False
    for basis, viewed, played in PAIRS:
        pair = _sum_column(table, viewed), _sum_column(table, played)
        if pair[0] is None or pair[1] is None:
            continue
        if pair[1] > pair[0]:
            is_impossible = True  # one load may be played several times: people may still be told
            continue
        arm = Arm(round(pair[0]), round(pair[1]))
        people = [
            _sum_column(table, metric) for metric in (Metric.VIEWERS, Metric.PLAYERS) if basis is CountBasis.LOADS
        ]
        whole = [None if number is None else round(number) for number in people]
        return VariantCounts(basis, arm, arm.rate, build_arms_by_day(table, viewed, played), *whole)
    rate = _parse_rate(table)
    if rate is not None and not is_impossible:
        return VariantCounts(CountBasis.RATE, None, rate)
    return VariantCounts(CountBasis.IMPOSSIBLE if is_impossible else CountBasis.NOTHING)


def build_arms_by_day(table: Table, viewed: Metric, played: Metric) -> dict[date, Arm]:
    """The counts of each day, as the platform cuts days. A day of which one of the two is not known is left out."""
    names = _find_column(table, viewed), _find_column(table, played)
    sums: dict[date, tuple[float, float]] = {}
    unknown: set[date] = set()
    for row in table.rows:
        moment = parse_moment(row.at, ZoneInfo("UTC"), Granularity.DAY)
        if moment is None:
            return {}
        loads, plays = (row.metrics.get(name or "") for name in names)
        if loads is None or plays is None:
            unknown.add(moment.day)
            continue
        before = sums.get(moment.day, (0.0, 0.0))
        sums[moment.day] = before[0] + loads, before[1] + plays
    # A day may count a page that was loaded before midnight as a play only.
    return {
        day: Arm(round(loads), min(round(loads), round(plays)))
        for day, (loads, plays) in sorted(sums.items())
        if day not in unknown
    }


def _sum_column(table: Table, metric: Metric) -> float | None:
    name = _find_column(table, metric)
    return None if name is None else sum(row.metrics.get(name, 0.0) for row in table.rows)


def _find_column(table: Table, metric: Metric) -> str | None:
    return next((name for name in NAMES[metric] if name in table.columns), None)


def _parse_rate(table: Table) -> float | None:
    """The only rate of an answer. Rates of several buckets cannot be added up, so they are ignored."""
    rates = [row.metrics[name] for row in table.rows for name in RATES if name in row.metrics] or [
        table.totals[name] for name in RATES if name in table.totals
    ]
    if len(rates) != 1 or not 0 <= rates[0] <= 100:
        return None
    return rates[0] / 100 if rates[0] > 1 else rates[0]


def get_rates_by_day(table: Table | None, zone: ZoneInfo) -> Mapping[date, float]:
    """The play rate of each day, by what the counts are of. Days without loads have none."""
    if table is None:
        return {}
    for _basis, viewed, played in PAIRS:
        names = _find_column(table, viewed), _find_column(table, played)
        if names[0] is None or names[1] is None:
            continue
        loads = sum_over_time(table.rows, names[0], zone, Granularity.DAY) or {}
        plays = sum_over_time(table.rows, names[1], zone, Granularity.DAY) or {}
        return {day: min(1.0, plays.get((day, None), 0.0) / total) for (day, _), total in loads.items() if total > 0}
    return {}

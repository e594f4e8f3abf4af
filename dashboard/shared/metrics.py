"""Which figure is meant in an analytics answer, when it was, and how far it adds up. Pure.

The specification shows no body of any analytics answer [4.15], so nothing here trusts a shape: a metric is found by the
names it is known under, a moment by what can be read as one. What an answer by hour adds up to over all of its labels is kept
as `HourSums`: thousands of hours in a form that is read in milliseconds.
"""

import json
import re
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final, Protocol, Self
from zoneinfo import ZoneInfo

from dashboard.platform_api.analytics import Row, Table
from dashboard.platform_api.vocabulary import Granularity


class Metric(StrEnum):
    """What can be counted. A view is not a play, and people are not views."""

    VIEWS = "views"
    PLAYS = "plays"
    VIEWERS = "viewers"
    PLAYERS = "players"


NAMES: Final[Mapping[Metric, tuple[str, ...]]] = {
    Metric.VIEWS: ("view", "views", "total_views"),
    Metric.PLAYS: ("play", "plays", "total_plays"),
    Metric.VIEWERS: ("unique_view", "unique_views", "viewers", "unique_viewers"),
    Metric.PLAYERS: ("unique_play", "unique_plays", "players"),
}

NO_SUM: Final = re.compile(r"(^|_)(rate|avg|average|percent|percentage|share|engagement|duration|position|rank)(_|$)")
"""Columns that cannot be added up."""


class Columns(Protocol):
    """What has columns, like a table."""

    @property
    def columns(self) -> tuple[str, ...]: ...


def parse_metric(text: str) -> Metric:
    """The metric of an address; views for anything else."""
    return Metric(text) if text in set(Metric) else Metric.VIEWS


def find_column(table: "Table | Columns", metric: Metric) -> str | None:
    """The column that holds a metric. Where the table knows none of the names, its first column that adds up."""
    known = next((name for name in NAMES[metric] if name in table.columns), None)
    if known or any(name in table.columns for names in NAMES.values() for name in names):
        return known
    return next((name for name in table.columns if not NO_SUM.search(name.lower())), None)


def find_metric(column: str) -> Metric | None:
    """Which metric a column holds; None for a name of the platform's own."""
    return next((metric for metric, names in NAMES.items() if column in names), None)


_MOMENT: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2})(?::?(\d{2}))?(?::?(\d{2}))?(?:[.,]\d+)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class LocalMoment:
    """The day, and where the answer has hours the hour, that a row is about."""

    day: date
    hour: int | None


@lru_cache(maxsize=8_192)
def parse_moment(at: str | None, zone: ZoneInfo, granularity: Granularity) -> LocalMoment | None:
    """Reads the moment of a row. Hours are moved into `zone`, those without an offset as UTC; days stay as they were cut.

    Both are assumed [platform_api.assumptions, UTC_DAYS].
    """
    match = _MOMENT.fullmatch((at or "").strip())
    if not match:
        return None
    day, hour, minute, _, offset = match.groups()
    try:
        if hour is None or granularity is not Granularity.HOUR:
            return LocalMoment(date.fromisoformat(day), None)
        offset = "+00:00" if offset in (None, "Z") else offset if len(offset) > 3 else f"{offset}:00"
        moment = datetime.fromisoformat(f"{day}T{hour}:{minute or '00'}:00{offset}").astimezone(zone)
        return LocalMoment(moment.date(), moment.hour)
    except (ValueError, OverflowError):
        return None


def sum_over_time(
    rows: Sequence[Row], column: str, zone: ZoneInfo, granularity: Granularity
) -> "dict[Moment, float] | None":
    """The sums of a column by bucket. None where no row says when, empty where there are no rows."""
    buckets = _get_buckets(rows, zone, granularity)
    sums: dict[Moment, float] = {}
    for row in rows:
        bucket = buckets.get(row.at)
        if bucket is not None:
            sums[bucket] = sums.get(bucket, 0.0) + row.metrics.get(column, 0.0)
    return None if rows and not sums else sums


def _get_buckets(rows: Sequence[Row], zone: ZoneInfo, granularity: Granularity) -> "dict[str | None, Moment]":
    """The bucket of every moment that rows name: hundreds of rows name a few days."""
    is_hourly = granularity is Granularity.HOUR
    buckets: dict[str | None, Moment] = {}
    for at in {row.at for row in rows}:
        moment = parse_moment(at, zone, granularity)
        if moment is not None and not (is_hourly and moment.hour is None):
            buckets[at] = moment.day, moment.hour if is_hourly else None
    return buckets


Moment = tuple[date, int | None]
"""A bucket: a day, or an hour of it."""


@dataclass(frozen=True)
class Covered:
    """The stretch for which an answer has numbers: from its first bucket with a row to its last.

    A bucket between two rows that has none of its own is one in which nothing was counted. Before the first and after
    the last row nobody knows: the account may have begun later, the platform may not be done yet.
    """

    first: Moment
    last: Moment

    def holds(self, moment: Moment) -> bool:
        """Whether the numbers of a bucket are known."""
        return _get_order(self.first) <= _get_order(moment) <= _get_order(self.last)

    def has_day(self, day: date) -> bool:
        """Whether any bucket of a day is known."""
        return self.first[0] <= day <= self.last[0]


def get_coverage(rows: Sequence[Row], zone: ZoneInfo, granularity: Granularity) -> tuple[bool, Covered | None]:
    """Whether rows say when (of no row that is true), and the stretch that they have numbers for."""
    covered = get_covered(_get_buckets(rows, zone, granularity).values())
    return covered is not None or not rows, covered


def get_covered(moments: Collection[Moment]) -> Covered | None:
    """What an answer covers that has rows of these moments; None where it has no row with a day."""
    return Covered(min(moments, key=_get_order), max(moments, key=_get_order)) if moments else None


def _get_order(moment: Moment) -> tuple[date, int]:
    return moment[0], moment[1] or 0


def sum_by_label(
    rows: Sequence[Row], column: str, *, days: Container[date] | None = None, zone: ZoneInfo, granularity: Granularity
) -> dict[str, float]:
    """The sums of a column by label. Rows that name a day outside of `days` do not count, nor those without the column."""
    outside = set() if days is None else _find_outside(rows, days, zone, granularity)
    sums: dict[str, float] = {}
    for row in rows:
        if row.at not in outside and column in row.metrics:
            sums[row.label] = sums.get(row.label, 0.0) + row.metrics[column]
    return sums


def sum_columns(
    rows: Sequence[Row], columns: Sequence[str], *, days: Container[date], zone: ZoneInfo, granularity: Granularity
) -> tuple[float, ...]:
    """The sum of each column. Rows that name a day outside of `days` do not count."""
    outside = _find_outside(rows, days, zone, granularity)
    inside = [row.metrics for row in rows if row.at not in outside]
    return tuple(sum([metrics[column] for metrics in inside if column in metrics], 0.0) for column in columns)


def _find_outside(
    rows: Sequence[Row], days: Container[date], zone: ZoneInfo, granularity: Granularity
) -> set[str | None]:
    """Of the moments that rows name, those that are on no day of `days`: hundreds of rows name a few."""
    moments = {at: parse_moment(at, zone, granularity) for at in {row.at for row in rows}}
    return {at for at, moment in moments.items() if moment is not None and moment.day not in days}


def parse_retention(table: Table) -> dict[float, float] | None:
    """Second → value out of a retention answer; None where no column says how many still watch.

    A list without seconds counts as one value per second, as far as anybody can tell.
    """
    column = next(
        (name for name in ("retention", "value", "percent", "viewers", "engagement") if name in table.columns), None
    )
    if column is None:
        return {} if not table.rows else None
    points: dict[float, float] = {}
    for position, row in enumerate(table.rows):
        if column in row.metrics:
            points[_parse_second(row.label, position)] = row.metrics[column]
    return points


def _parse_second(label: str, position: int) -> float:
    try:
        return float(label)
    except ValueError:
        parts = label.split(":")
        if 1 < len(parts) <= 3 and all(part.isdecimal() and len(part) < 7 for part in parts):
            return float(sum(int(part) * 60**power for power, part in enumerate(reversed(parts))))
        return float(position)


def count_players(table: Table) -> int | None:
    """How many people played, out of a general answer; None where it counts no people."""
    name = next((name for name in NAMES[Metric.PLAYERS] if name in table.columns), None)
    if name is None:
        return None
    return round(sum(row.metrics.get(name, 0.0) for row in table.rows)) or None


EPOCH: Final = date(1970, 1, 1).toordinal()
DAY: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class HourSums:
    """`at`: the hours that have a row, in minutes since 1970 (UTC), sorted. `sums`: their values by column.

    `is_dated` is false where the answer has rows and none says its hour.
    """

    at: tuple[int, ...]
    sums: Mapping[str, tuple[float, ...]] = field(hash=False)
    is_dated: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what is counted."""
        return tuple(self.sums)

    @property
    def rows(self) -> tuple[int, ...]:
        """What tells an answer without any row from others, as in a table."""
        return self.at

    @classmethod
    def of(cls, table: Table | None) -> Self:
        """The sums of a table. None of the rows of a table that says no hours counts."""
        if table is None:
            return cls((), {}, is_dated=False)
        by_minute: dict[int, dict[str, float]] = {}
        for row in table.rows:
            minute = _parse_minute(row.at)
            if minute is None:
                continue
            minute_sums = by_minute.setdefault(minute, {})
            for name, value in row.metrics.items():
                minute_sums[name] = minute_sums.get(name, 0.0) + value
        at = tuple(sorted(by_minute))
        sums = {name: tuple(by_minute[minute].get(name, 0.0) for minute in at) for name in table.columns}
        return cls(at, sums, is_dated=bool(at) or not table.rows)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The sums of parts that follow each other."""
        known = [part for part in parts if part.at]
        at = tuple(minute for part in known for minute in part.at)
        columns = dict.fromkeys(name for part in known for name in part.sums)
        sums = {name: _sum_column(known, name) for name in columns}
        return cls(at, sums, is_dated=bool(known) or all(part.is_dated for part in parts))

    def dumped(self) -> bytes:
        """The same as bytes, for `loaded`."""
        return json.dumps([self.is_dated, self.at, self.sums], separators=(",", ":")).encode()

    @classmethod
    def loaded(cls, data: bytes) -> Self:
        """Raises `ValueError` for what another release wrote."""
        is_dated, at, sums = json.loads(data)
        return cls(tuple(at), {name: tuple(values) for name, values in sums.items()}, is_dated)

    def in_zone(self, column: str, zone: ZoneInfo) -> dict[Moment, float] | None:
        """The sums of a column by local day and hour; None where the answer does not say when."""
        if not self.is_dated:
            return None
        sums_by_hour: dict[Moment, float] = {}
        values: Sequence[float] = self.sums.get(column) or (0.0,) * len(self.at)
        for minute, value in zip(self.at, values, strict=True):
            moment = _get_local_moment(minute, zone)
            sums_by_hour[moment] = sums_by_hour.get(moment, 0.0) + value
        return sums_by_hour

    def covered(self, zone: ZoneInfo) -> Covered | None:
        """The stretch of local hours for which there are numbers."""
        return Covered(_get_local_moment(self.at[0], zone), _get_local_moment(self.at[-1], zone)) if self.at else None


def _sum_column(parts: Sequence[HourSums], name: str) -> tuple[float, ...]:
    return tuple(value for part in parts for value in part.sums.get(name) or (0.0,) * len(part.at))


def _parse_minute(at: str | None) -> int | None:
    moment = parse_moment(at, _UTC, Granularity.HOUR)
    if moment is None or moment.hour is None:
        return None
    return (moment.day.toordinal() - EPOCH) * DAY + moment.hour * 60


_UTC: Final = ZoneInfo("UTC")


def _get_local_moment(minute: int, zone: ZoneInfo) -> Moment:
    """The local day and hour of a moment."""
    day, rest = divmod(minute, DAY)
    return _get_local_hours(day, zone)[rest // 60]


@lru_cache(maxsize=4096)
def _get_local_hours(day: int, zone: ZoneInfo) -> tuple[Moment, ...]:
    """The local day and hour of each hour of a day in UTC."""
    start = datetime.fromordinal(EPOCH + day).replace(tzinfo=UTC)
    first, last = ((start + timedelta(hours=hours)).astimezone(zone) for hours in (0, 24))
    if first.utcoffset() != last.utcoffset():
        moments = ((start + timedelta(hours=hour)).astimezone(zone) for hour in range(24))
        return tuple((moment.date(), moment.hour) for moment in moments)
    days = first.date(), last.date()
    return tuple((days[(first.hour + hour) // 24], (first.hour + hour) % 24) for hour in range(24))

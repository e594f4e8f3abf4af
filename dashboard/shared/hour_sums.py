"""What an answer by hour adds up to, over all of its labels: thousands of hours in a form that is read in milliseconds."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, Self
from zoneinfo import ZoneInfo

from dashboard.platform_api.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.metrics import Covered, Moment, parse_moment

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

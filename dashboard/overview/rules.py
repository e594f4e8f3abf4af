"""The figures of the overview out of the platform's answers, whose shapes are not specified. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from dashboard.platform_api.analytics import Row, Table
from dashboard.shared.ranges import Days

DAYS: Final = 7
TOP: Final = 5
PLAYS: Final = ("play", "plays")
VIEWS: Final = ("view", "views")
"""Names by which plays and views are publicly known; other figures keep the platform's own name."""


@dataclass(frozen=True)
class Weeks:
    """The last seven whole days and the seven before, as the platform is assumed to cut them: in UTC."""

    now: Days
    before: Days

    @property
    def both(self) -> Days:
        """The two weeks as one run: one question brings both."""
        return Days(self.before.start, self.now.end)


def get_weeks(at: datetime) -> Weeks:
    """The weeks before the day of `at` (aware): today is still filling up and counts in neither."""
    last = at.astimezone(UTC).date() - timedelta(days=1)
    now = Days(last - timedelta(days=DAYS - 1), last)
    return Weeks(now, now.moved(-DAYS))


@dataclass(frozen=True)
class Figure:
    """One number of the last week, the week before (None: not known), and its course over both weeks (may be empty).

    `known` are the days of the last week that have numbers. Where a day of either week has none, nothing is compared.
    """

    column: str
    now: float
    before: float | None
    course: tuple[float | None, ...] = ()
    known: int = DAYS


def build_figures(table: Table | None, weeks: Weeks) -> tuple[Figure, ...]:
    """Plays and views by day; where neither is known, the first figure the platform gives."""
    if table is None:
        return ()
    columns = [name for names in (PLAYS, VIEWS) for name in names if name in table.columns]
    return tuple(build_figure(table.rows, column, weeks) for column in columns or table.columns[:1])


def build_figure(rows: Sequence[Row], column: str, weeks: Weeks) -> Figure:
    """One column summed by day. Rows without a day cannot be told apart by week: then nothing before is known.

    A day without a row is zero between two days with rows, and unknown before the first and after the last one.
    """
    by_day = dict.fromkeys(weeks.both, 0.0)
    undated, counted = 0.0, set()
    for row in rows:
        day = get_day(row)
        if day is None:
            undated += row.metrics.get(column, 0.0)
        elif day in by_day:
            by_day[day] += row.metrics.get(column, 0.0)
            counted.add(day)
    if undated:
        return Figure(column, undated, None)
    days_with_data = Days(min(counted), max(counted)) if counted else ()
    return Figure(
        column,
        sum(by_day[day] for day in weeks.now),
        before=sum(by_day[day] for day in weeks.before) if all(day in days_with_data for day in weeks.both) else None,
        course=tuple(total if day in days_with_data else None for day, total in by_day.items()),
        known=sum(day in days_with_data for day in weeks.now),
    )


def get_day(row: Row) -> date | None:
    """The day a row is about, where it says one."""
    try:
        return date.fromisoformat((row.at or "")[:10])
    except ValueError:
        return None


def count_rows_with_viewers(table: Table | None) -> int | None:
    """How many rows (cities) had anybody; None where the answer is no table."""
    return None if table is None else sum(max(row.metrics.values(), default=0) > 0 for row in table.rows)


@dataclass(frozen=True)
class RankedVideo:
    """One of the most watched videos. `video_id` is "" where the platform names none."""

    video_id: str
    title: str
    now: float
    before: float | None


def find_ranking_column(table: Table) -> str | None:
    """By what the ranking ranks: plays, else views, else the platform's first figure."""
    names_found = (name for names in (PLAYS, VIEWS) for name in names if name in table.columns)
    return next(names_found, None) or next(iter(table.columns), None)


def rank_videos(now: Table, before: Table | None, most: int = TOP) -> tuple[RankedVideo, ...]:
    """The most watched videos, most first, each with the week before where the ranking of that week lists it."""
    column = find_ranking_column(now)
    if column is None:
        return ()
    past = {_get_key(row): row.metrics.get(column, 0.0) for row in before.rows} if before is not None else None
    rows = sorted(now.rows, key=lambda row: -row.metrics.get(column, 0.0))[:most]
    return tuple(
        RankedVideo(
            video_id=_get_video_id(row),
            title=row.label,
            now=row.metrics.get(column, 0.0),
            before=None if past is None else past.get(_get_key(row)),
        )
        for row in rows
        if row.metrics.get(column, 0.0) > 0
    )


def _get_video_id(row: Row) -> str:
    return str(row.extra.get("video_id") or row.extra.get("id") or "")


def _get_key(row: Row) -> str:
    return _get_video_id(row) or row.label


def sum_traffic(table: Table | None) -> float | None:
    """Traffic of the days asked for: the platform's total where it says one, else the sum of its days."""
    if table is None:
        return None
    if "total_consumed" in table.totals:
        return table.totals["total_consumed"]
    return sum(value for row in table.rows for value in row.metrics.values())

"""The one range engine: which days a page shows, what they are compared with, and how they are cut into buckets.

Every figure of analytics, A/B tests and traffic takes its days from here, so that cards, charts, tables and files can
never disagree about a period. The rules, in one place:

- A range is made of whole calendar days of one named time zone. Both ends belong to it.
- A comparison has exactly as many days and never touches the range. "Previous" is the days just before; "last year" is
  moved by whole weeks (364 days, or a multiple for longer ranges), so that a Monday meets a Monday.
- Today is still filling up. It is shown and marked, and it counts in no total and in no comparison. The same holds for
  yesterday where the reader's zone is ahead and the platform, which is assumed to cut its days in UTC, is not done yet.
- An hour is an hour of the wall clock. The hour that daylight saving skips does not exist; the one it repeats is one
  bucket, because the platform's answers cannot tell its halves apart.

Nothing here speaks to people: what is wrong with an address comes back as `Problem`s, the pages have the sentences.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from dashboard.platform_api.vocabulary import Granularity


@dataclass(frozen=True, order=True)
class Days:
    """A run of whole calendar days, both ends included. Never empty."""

    start: date
    end: date

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError("a run of days has at least one day")

    def __len__(self) -> int:
        return (self.end - self.start).days + 1

    def __iter__(self) -> Iterator[date]:
        return (self.start + timedelta(days=step) for step in range(len(self)))

    def __contains__(self, day: object) -> bool:
        return isinstance(day, date) and self.start <= day <= self.end

    def moved(self, days: int) -> "Days":
        """The same number of days, `days` later (earlier when negative)."""
        shift = timedelta(days=days)
        return Days(self.start + shift, self.end + shift)

    def touches(self, other: "Days") -> bool:
        return self.start <= other.end and other.start <= self.end


@lru_cache(maxsize=4096)
def list_hours(day: date, zone: ZoneInfo) -> tuple[int, ...]:
    """The hours that the wall clock of `zone` shows on `day`: usually 0 to 23, without the hour that is skipped.

    Empty for a day that a zone left out (Samoa, 30 December 2011).
    """
    moment, end = get_day_start(day, zone), get_day_start(day + timedelta(days=1), zone)
    if end - moment == timedelta(days=1):
        return tuple(range(24))
    hours: dict[int, None] = {}
    while moment < end:
        hours[moment.astimezone(zone).hour] = None
        moment += timedelta(minutes=30)
    return tuple(hours)


def get_day_start(day: date, zone: ZoneInfo) -> datetime:
    """The first moment of `day` in `zone`, in UTC, also where daylight saving skips or repeats midnight."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def parse_day(text: str) -> date | None:
    """`2026-11-20` as a date; None for anything else, without guessing."""
    if not _ISO_DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@lru_cache(maxsize=1)
def list_zone_names() -> frozenset[str]:
    """Every name of the time zone database."""
    return frozenset(available_timezones())


@dataclass(frozen=True)
class ComparisonWindows:
    """What a page shows, adds up and compares, exactly as it is asked of the platform.

    `shown` is what is drawn; `counted` is what totals add up: the days of `shown` that are over, or all of them where
    none is over yet (`partial`). `past` is what the counted days are drawn beside: as many days, `shift` days earlier.
    """

    shown_days: Days
    counted: Days
    past: Days | None
    shift: int
    partial: bool

    @property
    def compared(self) -> Days | None:
        """The days that totals are compared with. None where only unfinished days are counted: nothing equals them."""
        return None if self.partial else self.past

    @property
    def unfinished(self) -> Days | None:
        """The days that are shown and not added up."""
        start = self.counted.end + timedelta(days=1)
        return Days(start, self.shown_days.end) if start <= self.shown_days.end else None

    def partner(self, day: date) -> date | None:
        """The day that `day` is compared with; None for a day that is compared with nothing."""
        if self.past is None or day not in self.counted:
            return None
        return day - timedelta(days=self.shift)


def get_comparison_windows(shown_days: Days, against: Days | None, settled: date) -> ComparisonWindows:
    """The windows of a range. `against` is what was chosen to compare with; days before `settled` are over."""
    partial = shown_days.start >= settled
    counted = shown_days if partial else Days(shown_days.start, min(shown_days.end, settled - timedelta(days=1)))
    shift = 0 if against is None else (shown_days.start - against.start).days
    return ComparisonWindows(
        shown_days, counted, past=None if against is None else counted.moved(-shift), shift=shift, partial=partial
    )


EARLIEST: Final = date(2000, 1, 1)
"""No video platform has older numbers; a year typed as 0226 is a slip and is answered as one."""

MAX_DAYS: Final = 1_100
"""Three years and a little: the longest range that is drawn day by day."""

MAX_HOUR_DAYS: Final = 400
"""The longest range whose hours are asked for: 9,600, with as many labels in each as the platform has."""

HOURS_DRAWN: Final = 7
"""The longest range that is drawn hour by hour; of a longer one the hours of the week are shown."""

WEEKS_OF_A_YEAR: Final = 52 * 7
HOURS_FIRST: Final = 2
"""Up to this many days a range starts grouped by hour, where nothing else was asked for."""


class Preset(StrEnum):
    """Ranges with a name. All end today, which is shown as incomplete."""

    TODAY = "today"
    LAST_7 = "7d"
    LAST_28 = "28d"
    LAST_90 = "90d"
    THIS_MONTH = "month"
    THIS_YEAR = "year"


class Compare(StrEnum):
    """What a range is compared with."""

    PREVIOUS = "previous"
    LAST_YEAR = "last-year"
    CHOSEN = "chosen"
    NONE = "none"


class RangeReason(StrEnum):
    """Why an address names no range. The pages turn each into a sentence."""

    PRESET_UNKNOWN = "preset-unknown"
    START_MISSING = "start-missing"
    START_UNREADABLE = "start-unreadable"
    START_TOO_EARLY = "start-too-early"
    END_UNREADABLE = "end-unreadable"
    END_IN_FUTURE = "end-in-future"
    REVERSED = "reversed"
    TOO_LONG = "too-long"
    TOO_LONG_BY_HOUR = "too-long-by-hour"
    GRANULARITY_UNKNOWN = "granularity-unknown"
    COMPARE_UNKNOWN = "compare-unknown"
    AGAINST_UNUSED = "against-unused"
    AGAINST_MISSING = "against-missing"
    AGAINST_UNREADABLE = "against-unreadable"
    AGAINST_TOO_EARLY = "against-too-early"
    AGAINST_OVERLAPS = "against-overlaps"
    AGAINST_IN_FUTURE = "against-in-future"
    ZONE_UNKNOWN = "zone-unknown"


@dataclass(frozen=True)
class RangeProblem:
    """One thing wrong with an address: the name of the field, and why."""

    field: str
    reason: RangeReason


@dataclass(frozen=True)
class Bucket:
    """One point of a chart: a day, or an hour of a day.

    `whole` is false for every bucket of a day that is not over; `begun` is false for the hours that are still to come.
    """

    day: date
    hour: int | None
    whole: bool
    begun: bool

    @property
    def key(self) -> str:
        """ISO text: `2026-11-20` or `2026-11-20T13:00`. What files write and answers are joined by."""
        return self.day.isoformat() if self.hour is None else f"{self.day.isoformat()}T{self.hour:02}:00"


@dataclass(frozen=True)
class Selection:
    """A checked choice of days. Made by `read`, or by `selected` where the dates are known to be good."""

    days: Days
    granularity: Granularity
    compare: Compare
    against: Days | None
    zone: ZoneInfo
    now: datetime

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    @property
    def settled(self) -> date:
        """Days before this one are over, for the reader and for the platform, and their numbers stay as they are."""
        return min(self.today, self.now.astimezone(UTC).date())

    @property
    def closed(self) -> bool:
        """Whether every day of the range, and of what it is compared with, is over."""
        return self.days.end < self.settled

    @property
    def whole(self) -> Days | None:
        """The days that are over. None when the range has none."""
        return None if self.windows.partial else self.windows.counted

    @property
    def counted(self) -> Days:
        """The days a total is asked for: the whole ones, or those that are filling up where there is nothing else."""
        return self.windows.counted

    @property
    def windows(self) -> ComparisonWindows:
        """The days that are shown, added up and compared."""
        return get_comparison_windows(self.days, self.against, self.settled)

    @property
    def is_hours_of_week(self) -> bool:
        """Whether hours are added up by weekday, because there are more than can be told apart one by one."""
        return self.granularity is Granularity.HOUR and len(self.days) > HOURS_DRAWN

    def by_day(self) -> "Selection":
        """The same days without hours, where there are too many hours: for what is not about hours."""
        return replace(self, granularity=Granularity.DAY) if self.is_hours_of_week else self

    def buckets(self) -> tuple[Bucket, ...]:
        """The points of the range in order. With granularity `total` these are its days."""
        return self._cut(self.days)

    def partners(self) -> tuple[Bucket | None, ...]:
        """For each bucket the one it is compared with; None where that hour did not exist, or nothing is compared."""
        windows = self.windows
        there = {(bucket.day, bucket.hour): bucket for bucket in self.past_buckets()}
        partner_days = ((windows.partner(bucket.day), bucket.hour) for bucket in self.buckets())
        return tuple(there.get((day, hour)) if day is not None else None for day, hour in partner_days)

    def past_buckets(self) -> tuple[Bucket, ...]:
        """The points of the compared days in order; none without comparison."""
        return () if self.windows.past is None else self._cut(self.windows.past)

    def earlier(self) -> Days | None:
        """The same number of days just before, for the key and link that step back. None at the edge of time."""
        days = self.days.moved(-len(self.days))
        return None if days.start < EARLIEST else days

    def later(self) -> Days | None:
        """The same number of days just after, or as many as there are. None when the range already ends today."""
        if self.days.end >= self.today:
            return None
        start = self.days.end + timedelta(days=1)
        return Days(start, min(self.today, self.days.end + timedelta(days=len(self.days))))

    def query(self) -> dict[str, str]:
        """The address of exactly this choice, in dates: a copied link shows the same days tomorrow."""
        words = {
            "start": self.days.start.isoformat(),
            "end": self.days.end.isoformat(),
            "granularity": self.granularity.value,
            "compare": self.compare.value,
            "zone": self.zone.key,
        }
        if self.compare is Compare.CHOSEN and self.against is not None:
            words["against"] = self.against.start.isoformat()
        return words

    def file_part(self, *, totals: bool = False) -> str:
        """The period as part of a file name: `2026-08-01_2026-08-31_vs_2026-07-01_2026-07-31_America-Sao_Paulo`.

        `totals`: of a file that holds sums of the counted days, not each day that is shown.
        """
        windows = self.windows
        days, past = (windows.counted, windows.compared) if totals else (windows.shown_days, windows.past)
        parts = [days.start.isoformat(), days.end.isoformat()]
        if past is not None:
            parts += ["vs", past.start.isoformat(), past.end.isoformat()]
        return "_".join([*parts, self.zone.key.replace("/", "-")])

    def _cut(self, days: Days) -> tuple[Bucket, ...]:
        settled, today = self.settled, self.today
        if self.granularity is not Granularity.HOUR:
            return tuple(Bucket(day, None, day < settled, True) for day in days)
        hour_now = self.now.astimezone(self.zone).hour
        return tuple(
            Bucket(day, hour, day < settled, day < today or hour <= hour_now)
            for day in days
            for hour in list_hours(day, self.zone)
        )


@dataclass(frozen=True)
class ParsedRange:
    """What an address asked for: a selection, or at least one problem. Never both, never neither."""

    selection: Selection | None
    problems: tuple[RangeProblem, ...] = ()


def parse_range(params: Mapping[str, str], *, now: datetime, zone: str, preset: Preset = Preset.LAST_28) -> ParsedRange:
    """Reads `range` or `start` and `end`, `granularity`, `compare`, `against`, `zone` out of a query string.

    `now` is an aware moment, `zone` the name used where the address names none, `preset` the range of a bare address.
    Without `end` the range ends today.
    """
    problems: list[RangeProblem] = []
    place = _parse_zone(params.get("zone", "").strip() or zone, problems)
    if place is None:
        return ParsedRange(None, tuple(problems))
    today = now.astimezone(place).date()
    days = _parse_days(params, today, preset, problems)
    granularity = _parse_granularity(params.get("granularity", "").strip(), days, problems)
    compare = _parse_compare(params.get("compare", "").strip(), problems)
    if days is None or granularity is None or compare is None:
        return ParsedRange(None, tuple(problems))
    against = _parse_against(params.get("against", "").strip(), compare, days, today, problems)
    if problems:
        return ParsedRange(None, tuple(problems))
    return ParsedRange(Selection(days, granularity, compare=compare, against=against, zone=place, now=now))


def build_selection(
    days: Days,
    *,
    now: datetime,
    zone: ZoneInfo,
    granularity: Granularity = Granularity.DAY,
    compare: Compare = Compare.NONE,
) -> Selection:
    """A selection of days that did not come from an address, for example the run of an A/B test."""
    return Selection(days, granularity, compare=compare, against=get_compared_days(days, compare), zone=zone, now=now)


def get_preset_days(preset: Preset, today: date) -> Days:
    """The days a preset stands for on the day `today`."""
    match preset:
        case Preset.TODAY:
            return Days(today, today)
        case Preset.THIS_MONTH:
            return Days(today.replace(day=1), today)
        case Preset.THIS_YEAR:
            return Days(today.replace(month=1, day=1), today)
        case _:
            return Days(today - timedelta(days=int(preset.removesuffix("d")) - 1), today)


def get_compared_days(days: Days, compare: Compare) -> Days | None:
    """The days that `days` is compared with: as many of them, and none in common."""
    match compare:
        case Compare.PREVIOUS:
            return days.moved(-len(days))
        case Compare.LAST_YEAR:
            years = -(-len(days) // WEEKS_OF_A_YEAR)
            return days.moved(-WEEKS_OF_A_YEAR * years)
        case _:
            return None


def _parse_zone(name: str, problems: list[RangeProblem]) -> ZoneInfo | None:
    # ZoneInfo opens a file of that name, so only names of the database ever reach it.
    if name in list_zone_names():
        return ZoneInfo(name)
    problems.append(RangeProblem("zone", RangeReason.ZONE_UNKNOWN))
    return None


def _parse_days(params: Mapping[str, str], today: date, preset: Preset, problems: list[RangeProblem]) -> Days | None:
    start_text, end_text = params.get("start", "").strip(), params.get("end", "").strip()
    if not start_text and not end_text:
        name = params.get("range", "").strip()
        if name and name not in set(Preset):
            problems.append(RangeProblem("range", RangeReason.PRESET_UNKNOWN))
            return None
        return get_preset_days(Preset(name) if name else preset, today)
    start, end = parse_day(start_text), parse_day(end_text) if end_text else today
    days = [
        RangeProblem("start", RangeReason.START_MISSING) if not start_text else None,
        RangeProblem("start", RangeReason.START_UNREADABLE) if start_text and start is None else None,
        RangeProblem("end", RangeReason.END_UNREADABLE) if end is None else None,
        RangeProblem("start", RangeReason.START_TOO_EARLY) if start is not None and start < EARLIEST else None,
        RangeProblem("end", RangeReason.END_IN_FUTURE) if end is not None and end > today else None,
    ]
    if start is not None and end is not None and not any(days):
        if start > end:
            # Without a typed end the range ends today: then it is the start that lies in the future.
            days.append(RangeProblem("end" if end_text else "start", RangeReason.REVERSED))
        elif (end - start).days >= MAX_DAYS:
            days.append(RangeProblem("start", RangeReason.TOO_LONG))
        else:
            return Days(start, end)
    problems.extend(problem for problem in days if problem)
    return None


def _parse_granularity(text: str, days: Days | None, problems: list[RangeProblem]) -> Granularity | None:
    if not text:
        return Granularity.HOUR if days is not None and len(days) <= HOURS_FIRST else Granularity.DAY
    if text not in set(Granularity):
        problems.append(RangeProblem("granularity", RangeReason.GRANULARITY_UNKNOWN))
        return None
    if text == Granularity.HOUR and days is not None and len(days) > MAX_HOUR_DAYS:
        problems.append(RangeProblem("granularity", RangeReason.TOO_LONG_BY_HOUR))
        return None
    return Granularity(text)


def _parse_compare(text: str, problems: list[RangeProblem]) -> Compare | None:
    if not text:
        return Compare.PREVIOUS
    if text not in set(Compare):
        problems.append(RangeProblem("compare", RangeReason.COMPARE_UNKNOWN))
        return None
    return Compare(text)


def _parse_against(text: str, compare: Compare, days: Days, today: date, problems: list[RangeProblem]) -> Days | None:
    if compare is not Compare.CHOSEN:
        if text:
            problems.append(RangeProblem("against", RangeReason.AGAINST_UNUSED))
        return get_compared_days(days, compare)
    start = parse_day(text)
    if start is None:
        problems.append(
            RangeProblem("against", RangeReason.AGAINST_UNREADABLE if text else RangeReason.AGAINST_MISSING)
        )
        return None
    if start < EARLIEST:
        problems.append(RangeProblem("against", RangeReason.AGAINST_TOO_EARLY))
        return None
    against = days.moved((start - days.start).days) if start <= today else Days(start, start)
    if against.end >= today:
        problems.append(RangeProblem("against", RangeReason.AGAINST_IN_FUTURE))
    elif against.touches(days):
        problems.append(RangeProblem("against", RangeReason.AGAINST_OVERLAPS))
    return against

"""Weeks of a report: which one has ended, when its e-mail leaves, and which of its days can be compared. Pure.

A week is Monday to Sunday in the time zone of the account.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from dashboard.shared.days import Days, get_day_start, parse_day

LENGTH: Final = 7
EARLIEST: Final = date(2000, 1, 3)
"""A Monday. Nothing older is asked for."""
MAIL_TIME: Final = time(8)
"""When the e-mail about a week leaves, on the Monday after it."""
PATIENCE: Final = timedelta(hours=12)
"""So long the e-mail waits for days that have no numbers yet; then it says which are missing."""
GIVE_UP: Final = timedelta(hours=24)
"""After so long no e-mail about the week leaves any more."""


@dataclass(frozen=True, order=True)
class Week:
    """Seven days from a Monday on."""

    monday: date

    @property
    def days(self) -> Days:
        return Days(self.monday, self.monday + timedelta(days=LENGTH - 1))

    @property
    def before(self) -> "Week":
        return Week(self.monday - timedelta(days=LENGTH))

    @property
    def after(self) -> "Week":
        return Week(self.monday + timedelta(days=LENGTH))

    def get_start(self, zone: ZoneInfo) -> datetime:
        """Its first moment in `zone`, in UTC. A week with a change of clocks has an hour more or less."""
        return get_day_start(self.monday, zone)

    def get_mail_moment(self, zone: ZoneInfo) -> datetime:
        """When its e-mail leaves, in UTC."""
        return datetime.combine(self.after.monday, MAIL_TIME, tzinfo=zone).astimezone(UTC)


def get_week_of(day: date) -> Week:
    """The week that a day is in."""
    return Week(day - timedelta(days=day.weekday()))


def get_last_week(now: datetime, zone: ZoneInfo) -> Week:
    """The last week that is over in `zone`."""
    return get_week_of(now.astimezone(zone).date()).before


def get_first_open_day(now: datetime, zone: ZoneInfo) -> date:
    """Days before this one are over, in `zone` and in UTC, in which the platform is assumed to cut its days."""
    return min(now.astimezone(zone).date(), now.astimezone(UTC).date())


def parse_week(text: str, last: Week) -> Week:
    """The week of a day in an address; `last` for anything else, and for a week that is not over."""
    day = parse_day(text)
    if day is None or day < EARLIEST:
        return last
    return min(get_week_of(day), last)


@dataclass(frozen=True)
class Coverage:
    """Which days a report counts. `past` are as many days a week earlier; None where nothing can be compared.

    `missing` and `missing_past` are the days without numbers of the week and of the week before.
    """

    counted: Days | None
    past: Days | None
    missing: tuple[date, ...]
    missing_past: tuple[date, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every day of both weeks has numbers."""
        return self.counted is not None and not self.missing and not self.missing_past


def get_coverage(week: Week, known: Days | None) -> Coverage:
    """Which days can be counted, where only those in `known` have numbers: compared days have them in both weeks."""
    now, before = _get_common(week.days, known), _get_common(week.before.days, known)
    both = _get_common(now, before.moved(LENGTH)) if now and before else None
    missing, missing_past = tuple(_list_missing(week.days, now)), tuple(_list_missing(week.before.days, before))
    return Coverage(both or now, both.moved(-LENGTH) if both else None, missing, missing_past)


def _get_common(days: Days | None, others: Days | None) -> Days | None:
    if days is None or others is None or not days.touches(others):
        return None
    return Days(max(days.start, others.start), min(days.end, others.end))


def _list_missing(days: Days, known: Days | None) -> Iterator[date]:
    return (day for day in days if known is None or day not in known)


class Step(StrEnum):
    """What is done about a week's e-mail now."""

    WAIT = "wait"
    SEND = "send"
    GIVE_UP = "give-up"


def get_step(now: datetime, moment: datetime, coverage: Coverage | None) -> Step:
    """Whether an e-mail that leaves at `moment` leaves now. `coverage` None: the numbers could not be read."""
    if now >= moment + GIVE_UP:
        return Step.GIVE_UP
    if now < moment or coverage is None or coverage.counted is None:
        return Step.WAIT
    return Step.WAIT if coverage.missing and now < moment + PATIENCE else Step.SEND

"""Weeks in the zone of the account, when their e-mail leaves, and which days are compared."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.reports import rules
from dashboard.reports.rules import Step, Week
from dashboard.shared.ranges import Days

SAO_PAULO, MADRID, AUCKLAND = map(ZoneInfo, ("America/Sao_Paulo", "Europe/Madrid", "Pacific/Auckland"))
WEEK = Week(date(2026, 11, 9))
MONDAYS = st.dates(date(2001, 1, 1), date(2100, 1, 1)).map(rules.get_week_of)


@pytest.mark.parametrize(
    ("now", "zone", "monday"),
    [
        (datetime(2026, 11, 16, 2, 59, 59, tzinfo=UTC), SAO_PAULO, date(2026, 11, 2)),  # Sunday, 23:59:59
        (datetime(2026, 11, 16, 3, tzinfo=UTC), SAO_PAULO, date(2026, 11, 9)),  # Monday, 0:00
        (datetime(2026, 11, 22, 10, 59, tzinfo=UTC), AUCKLAND, date(2026, 11, 9)),  # Sunday, 23:59
        (datetime(2026, 11, 22, 11, tzinfo=UTC), AUCKLAND, date(2026, 11, 16)),  # Monday, 0:00
    ],
)
def test_last_week_ends_with_sunday_in_the_zone_of_the_account(now: datetime, zone: ZoneInfo, monday: date) -> None:
    assert rules.get_last_week(now, zone) == Week(monday)


@pytest.mark.parametrize(
    ("week", "zone", "hours"),
    [
        (Week(date(2026, 3, 23)), MADRID, 167),  # the clocks go forward on Sunday 29 March
        (Week(date(2026, 10, 19)), MADRID, 169),  # and back on Sunday 25 October
        (Week(date(2026, 10, 26)), MADRID, 168),
        (WEEK, SAO_PAULO, 168),
    ],
)
def test_week_with_a_change_of_clocks_has_an_hour_more_or_less(week: Week, zone: ZoneInfo, hours: int) -> None:
    assert week.after.get_start(zone) - week.get_start(zone) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("week", "zone", "moment"),
    [
        (WEEK, SAO_PAULO, datetime(2026, 11, 16, 11, tzinfo=UTC)),
        (Week(date(2026, 3, 23)), MADRID, datetime(2026, 3, 30, 6, tzinfo=UTC)),  # summer time began the day before
        (Week(date(2026, 3, 16)), MADRID, datetime(2026, 3, 23, 7, tzinfo=UTC)),
        (Week(date(2026, 10, 19)), MADRID, datetime(2026, 10, 26, 7, tzinfo=UTC)),  # it ended the day before
    ],
)
def test_mail_leaves_on_monday_at_eight_by_the_clock_on_the_wall(week: Week, zone: ZoneInfo, moment: datetime) -> None:
    assert week.get_mail_moment(zone) == moment
    assert moment.astimezone(zone).hour == 8 and moment.astimezone(zone).weekday() == 0


@pytest.mark.parametrize(
    ("text", "monday"),
    [
        ("2026-11-02", date(2026, 11, 2)),
        ("2026-11-08", date(2026, 11, 2)),
        ("2026-11-15", date(2026, 11, 9)),
        ("2026-11-16", date(2026, 11, 9)),  # is not over
        ("2199-01-01", date(2026, 11, 9)),
        ("2000-01-03", date(2000, 1, 3)),
        ("2000-01-02", date(2026, 11, 9)),
        ("", date(2026, 11, 9)),
        ("yesterday", date(2026, 11, 9)),
    ],
)
def test_address_names_a_week_by_any_of_its_days(text: str, monday: date) -> None:
    assert rules.parse_week(text, WEEK) == Week(monday)


def test_days_are_open_until_they_are_over_in_utc_too() -> None:
    assert rules.get_first_open_day(datetime(2026, 11, 15, 20, tzinfo=UTC), AUCKLAND) == date(2026, 11, 15)
    assert rules.get_first_open_day(datetime(2026, 11, 16, 2, tzinfo=UTC), SAO_PAULO) == date(2026, 11, 15)


@given(MONDAYS, st.integers(-3, 16), st.integers(0, 20))
def test_counted_days_have_numbers_in_both_weeks_or_nothing_is_compared(week: Week, start: int, length: int) -> None:
    first = week.before.monday + timedelta(days=start)
    known = Days(first, first + timedelta(days=length))
    coverage = rules.get_coverage(week, known)
    now = {day for day in week.days if day in known}
    both = {day for day in now if day - timedelta(days=7) in known}
    assert set(coverage.counted or ()) == (both or now)
    assert set(coverage.past or ()) == {day - timedelta(days=7) for day in both}
    assert set(coverage.missing) == set(week.days) - now
    assert coverage.is_whole == (len(both) == 7)


def test_week_without_any_numbers_counts_nothing() -> None:
    coverage = rules.get_coverage(WEEK, None)
    assert coverage.counted is None and coverage.past is None and len(coverage.missing) == 7


MOMENT = datetime(2026, 11, 16, 11, tzinfo=UTC)
WHOLE = rules.get_coverage(WEEK, Days(WEEK.before.monday, WEEK.days.end))
PARTLY = rules.get_coverage(WEEK, Days(WEEK.before.monday, date(2026, 11, 13)))
SHORT = rules.get_coverage(WEEK, WEEK.days)
NONE = rules.get_coverage(WEEK, WEEK.before.days)


@pytest.mark.parametrize(
    ("hours", "coverage", "step"),
    [
        (-0.01, WHOLE, Step.WAIT),
        (0, WHOLE, Step.SEND),
        (0, SHORT, Step.SEND),  # the week before will never be known
        (0, PARTLY, Step.WAIT),
        (11.99, PARTLY, Step.WAIT),
        (12, PARTLY, Step.SEND),
        (12, NONE, Step.WAIT),
        (12, None, Step.WAIT),
        (23.99, WHOLE, Step.SEND),
        (24, WHOLE, Step.GIVE_UP),
        (24, None, Step.GIVE_UP),
    ],
)
def test_mail_waits_for_its_numbers_half_a_day_and_is_given_up_after_one(
    hours: float, coverage: rules.Coverage | None, step: Step
) -> None:
    assert rules.get_step(MOMENT + timedelta(hours=hours), MOMENT, coverage) is step

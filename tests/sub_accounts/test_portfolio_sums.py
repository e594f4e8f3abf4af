"""What sub-accounts add up to: known days alone, the same days on both sides, and sums that say of how many they are."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.shared.ranges import Days
from dashboard.sub_accounts.rules import (
    DAYS,
    Period,
    Plays,
    Show,
    Sort,
    SubAccountState,
    TokenState,
    add_up,
    get_period,
    select,
    sum_plays,
)

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
PERIOD = get_period(NOON)
EVERY_DAY = dict.fromkeys(PERIOD.both, 2.0)


def state(name: str, **about: object) -> SubAccountState:
    """A connected sub-account."""
    return SubAccountState(name, **{"token": TokenState.CONNECTED, **about})  # type: ignore[arg-type]  # by name


def plays(total: float, before: float | None = None) -> Plays:
    """Plays of the whole period."""
    return Plays(total, before, PERIOD.now)


@pytest.mark.parametrize(
    ("at", "last"),
    [
        (datetime(2026, 11, 25, 0, 0, tzinfo=UTC), date(2026, 11, 24)),
        (datetime(2026, 11, 25, 23, 59, tzinfo=UTC), date(2026, 11, 24)),
        (datetime(2026, 11, 26, 0, 0, tzinfo=UTC), date(2026, 11, 25)),
    ],
)
def test_period_is_28_whole_days_and_the_28_before(at: datetime, last: date) -> None:
    period = get_period(at)
    assert (period.now.end, len(period.now), len(period.before)) == (last, DAYS, DAYS)
    assert period.before.end + timedelta(days=1) == period.now.start


def test_all_days_known_are_added_up_and_compared() -> None:
    assert sum_plays(EVERY_DAY, PERIOD) == Plays(2.0 * DAYS, 2.0 * DAYS, PERIOD.now)


def test_a_day_without_plays_between_two_with_some_is_zero() -> None:
    days = {PERIOD.before.start: 1.0, PERIOD.now.start: 4.0, PERIOD.now.end: 5.0}
    assert sum_plays(days, PERIOD) == Plays(9.0, 1.0, PERIOD.now)


def test_no_day_known_is_not_zero() -> None:
    assert sum_plays({}, PERIOD) is None
    assert sum_plays(dict.fromkeys(PERIOD.before, 1.0), PERIOD) is None
    assert sum_plays({PERIOD.now.end + timedelta(days=1): 1.0}, PERIOD) is None


def test_days_after_the_last_known_one_are_left_out_on_both_sides() -> None:
    last = PERIOD.now.end - timedelta(days=6)
    known = {day: 2.0 for day in PERIOD.both if day <= last}
    assert sum_plays(known, PERIOD) == Plays(2.0 * (DAYS - 6), 2.0 * (DAYS - 6), Days(PERIOD.now.start, last))


@pytest.mark.parametrize(("first", "before"), [(0, 2.0 * DAYS), (1, None)])
def test_nothing_is_compared_where_a_day_before_is_not_known(first: int, before: float | None) -> None:
    start = PERIOD.before.start + timedelta(days=first)
    result = sum_plays({day: plays for day, plays in EVERY_DAY.items() if day >= start}, PERIOD)
    assert result is not None and result.total == 2.0 * DAYS and result.before == before


def test_no_plays_before_give_no_change() -> None:
    assert plays(5.0, 0.0).change is None and plays(5.0, 4.0).change == 0.25


@given(st.dictionaries(st.integers(-60, 60), st.integers(0, 10**9), max_size=90))
def test_plays_of_the_period_are_exactly_those_of_its_days(counts: dict[int, int]) -> None:
    days = {PERIOD.now.start + timedelta(days=step): float(count) for step, count in counts.items()}
    result = sum_plays(days, PERIOD)
    inside = {day: count for day, count in days.items() if day in PERIOD.now}
    assert (result.total if result else 0.0) == sum(inside.values())
    if result:
        assert set(inside) <= set(result.days)
        assert result.before is None or result.before == sum(days.get(day, 0.0) for day in result.days.moved(-DAYS))


@given(st.lists(st.one_of(st.none(), st.integers(0, 10**12)), max_size=30))
def test_totals_add_up_what_is_known_and_say_of_how_many(values: list[int | None]) -> None:
    states = [state(str(n), traffic=value, waiting=value) for n, value in enumerate(values)]
    totals, known = add_up(states), [value for value in values if value is not None]
    assert totals.count == len(values)
    assert (totals.traffic.value, totals.traffic.known) == (sum(known), len(known))
    assert (totals.waiting.value, totals.waiting.known) == (sum(known), len(known))
    assert totals.plays.known == 0


def test_change_of_all_leaves_out_sub_accounts_without_days_before() -> None:
    totals = add_up([state("a", plays=plays(30, 20)), state("b", plays=plays(1_000)), state("c")])
    assert (totals.plays.value, totals.plays.known, totals.compared.known, totals.change) == (1_030, 2, 1, 0.5)


STATES = (
    state("quiet", plays=plays(10), waiting=0, running=0, jobs=0),
    state("Most played", plays=plays(900), traffic=5, waiting=0, running=2),
    state("unknown", token=TokenState.MISSING, traffic=90),
    state("waits", plays=plays(5), waiting=3),
    state("Refused", token=TokenState.REFUSED, waiting=1),
    state("busy", plays=plays(20), jobs=4),
)


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        (Sort.URGENT, ["Refused", "waits", "Most played", "busy", "quiet", "unknown"]),
        (Sort.NAME, ["busy", "Most played", "quiet", "Refused", "unknown", "waits"]),
        (Sort.PLAYS, ["Most played", "busy", "quiet", "waits", "Refused", "unknown"]),
        (Sort.TRAFFIC, ["unknown", "Most played", "busy", "quiet", "Refused", "waits"]),
        (Sort.WAITING, ["waits", "Refused", "Most played", "quiet", "busy", "unknown"]),
    ],
)
def test_rows_are_sorted_with_the_unknown_last(sort: Sort, names: list[str]) -> None:
    assert [entry.name for entry in select(STATES, Show.ALL, sort)] == names


def test_chips_show_who_needs_a_person_and_where_something_is_in_progress() -> None:
    assert [entry.name for entry in select(STATES, Show.WAITING)] == ["Refused", "waits"]
    assert [entry.name for entry in select(STATES, Show.RUNNING)] == ["Most played", "busy"]


def test_period_as_one_run_has_all_days() -> None:
    assert len(Period(PERIOD.now, PERIOD.before).both) == 2 * DAYS

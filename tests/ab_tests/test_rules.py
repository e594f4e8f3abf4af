"""What may be done in which state, what an answer counts, and the verdict, the plan."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from dashboard.ab_tests import rules
from dashboard.ab_tests.counts import Pieces, counted, pieces, rates_by_day, whole_days
from dashboard.ab_tests.rules import Act, Basis, Counted, Split, Terms, Verdict, Why
from dashboard.ab_tests.statistics import Arm
from dashboard.platform_api.records.analytics import Analytics
from dashboard.shared.days import Days


def people(*pairs: tuple[int, int]) -> list[Counted]:
    return [Counted(Basis.PEOPLE, Arm(*pair), pair[1] / pair[0] if pair[0] else 0.0) for pair in pairs]


@pytest.mark.parametrize(
    ("act", "status", "variants", "why"),
    [
        (Act.EDIT_VARIANTS, "DRAFT", 2, None),
        (Act.EDIT_VARIANTS, "IN_PROGRESS", 2, Why.VARIANTS_FIXED),
        (Act.EDIT_VARIANTS, "COMPLETED", 2, Why.VARIANTS_FIXED),
        (Act.EDIT_TEXT, "COMPLETED", 2, None),
        (Act.START, "DRAFT", 2, None),
        (Act.START, "DRAFT", 1, Why.TOO_FEW_VARIANTS),
        (Act.START, "IN_PROGRESS", 2, Why.ALREADY_RUNNING),
        (Act.START, "COMPLETED", 2, Why.ALREADY_COMPLETED),
        (Act.FINISH, "DRAFT", 2, Why.NOT_RUNNING),
        (Act.FINISH, "IN_PROGRESS", 2, None),
        (Act.FINISH, "COMPLETED", 2, Why.ALREADY_COMPLETED),
        (Act.DELETE, "IN_PROGRESS", 2, None),
        (Act.FINISH, "PAUSED", 2, None),
    ],
)
def test_each_act_is_possible_in_its_states_and_says_why_not_in_others(
    act: Act, status: str, variants: int, why: Why | None
) -> None:
    assert rules.refused(act, status, variants) is why


@pytest.mark.parametrize(
    ("answer", "basis", "arm"),
    [
        ({"views_data": {"2026-11-06": {"view": 9, "unique_view": 6, "play": 5, "unique_play": 3},
                         "2026-11-07": {"view": 1, "unique_view": 1, "play": 1, "unique_play": 1}}}, Basis.PEOPLE, Arm(7, 4)),
        ({"views": 10, "unique_views": 8, "plays": 5, "unique_plays": 4}, Basis.PEOPLE, Arm(8, 4)),
        ({"views": 10, "plays": 5}, Basis.LOADS, Arm(10, 5)),
        ({"views": 3, "plays": 5}, Basis.IMPOSSIBLE, None),
        ({"views_data": {"2026-11-06": {"play": 5, "unique_play": 4}}}, Basis.NOTHING, None),
        ({"play_rate": 31.5}, Basis.RATE, None),
        ({"plays_rate": 0.315}, Basis.RATE, None),
        ({"data": [{"date": "2026-11-06", "play_rate": 30}, {"date": "2026-11-07", "play_rate": 40}]}, Basis.NOTHING, None),
        ({"views_data": {}}, Basis.PEOPLE, Arm(0, 0)),
        ("oops", Basis.NOTHING, None),
    ],
)  # fmt: skip
def test_an_answer_counts_people_loads_a_bare_rate_or_nothing(answer: object, basis: Basis, arm: Arm | None) -> None:
    found = counted(Analytics.from_json(answer).table)  # type: ignore[arg-type]  # any JSON
    assert (found.basis, found.arm) == (basis, arm)
    if basis is Basis.RATE:
        assert found.rate == pytest.approx(0.315)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ({"views": 10, "unique_views": 8, "plays": 5, "unique_plays": 4}, Pieces.NONE),
        ({"views_data": {"2026-11-06": {"unique_view": 6}}}, Pieces.NONE),
        ({"views_data": {"2026-11-06": {"unique_view": 6}, "2026-11-07": {"unique_view": 6}}}, Pieces.DAYS),
        ({"views_data": {"2026-11-06T01:00:00Z": {"unique_view": 6}, "2026-11-06T02:00:00Z": {"unique_view": 6}}}, Pieces.HOURS),
        ("oops", Pieces.NONE),
    ],
)  # fmt: skip
def test_it_is_known_what_was_added_up(answer: object, found: Pieces) -> None:
    assert pieces(Analytics.from_json(answer).table) is found  # type: ignore[arg-type]  # any JSON


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("started", "finished", "settled", "whole"),
    [
        (at(8, 0, 34), None, 22, (9, 21)),
        (at(8), None, 22, (8, 21)),
        (at(8, 23, 59), at(20, 0, 1), 22, (9, 19)),
        (at(8), at(20), 22, (8, 19)),
        (at(8, 9), None, 9, None),
        (at(8, 9), None, 10, (9, 9)),
        (at(8, 9), at(9, 18), 22, None),
        (at(8, 9), at(8, 18), 22, None),
        (None, at(20, 9), 22, (7, 19)),
    ],
    ids=[
        "running",
        "from-midnight",
        "ended",
        "midnights",
        "first-day",
        "second-day",
        "two-parts",
        "one-day",
        "unknown",
    ],
)
def test_only_days_that_lie_wholly_inside_the_test_count(
    started: datetime | None, finished: datetime | None, settled: int, whole: tuple[int, int] | None
) -> None:
    drawn = Days(date(2026, 11, 7), date(2026, 11, 22))
    found = whole_days(drawn, date(2026, 11, settled), started, finished)
    assert (found and (found.start.day, found.end.day)) == whole


def test_days_are_cut_in_utc_whatever_the_offset_of_a_moment() -> None:
    drawn = Days(date(2026, 11, 7), date(2026, 11, 22))
    late = datetime(2026, 11, 7, 22, 0, tzinfo=ZoneInfo("America/Sao_Paulo"))  # 1:00 on the 8th in UTC
    found = whole_days(drawn, date(2026, 11, 22), late, None)
    assert found is not None and found.start == date(2026, 11, 9)


def test_rates_by_day_leave_out_days_without_viewers() -> None:
    table = Analytics.from_json(
        {"views_data": {"2026-11-06T01:00:00Z": {"unique_view": 4, "unique_play": 1},
                        "2026-11-06T02:00:00Z": {"unique_view": 4, "unique_play": 3}, "2026-11-07": {"unique_view": 0}}}
    ).table  # fmt: skip
    assert [round(rate, 3) for rate in rates_by_day(table, ZoneInfo("UTC")).values()] == [0.5]


@pytest.mark.parametrize(
    ("readings", "verdict"),
    [
        (people((99, 40), (200, 80)), Verdict.COLLECTING),
        (people((200, 4), (200, 80)), Verdict.COLLECTING),
        (people((200, 196), (200, 80)), Verdict.COLLECTING),
        (people((0, 0), (0, 0)), Verdict.COLLECTING),
        (people((100, 50), (100, 52)), Verdict.NO_DIFFERENCE),
        (people((5000, 1500), (5000, 1600)), Verdict.LEANING),
        (people((5000, 1300), (5000, 1700)), Verdict.BETTER),
        (people((5400, 1300), (4600, 1700)), Verdict.SPLIT_WRONG),
        (people((5000, 1300)), Verdict.ALONE),
        ([], Verdict.ALONE),
        ([Counted(Basis.RATE, None, 0.3), Counted(Basis.RATE, None, 0.6)], Verdict.NOT_COUNTED),
        ([*people((5000, 1300)), Counted(Basis.NOTHING)], Verdict.NOT_COUNTED),
    ],
)
def test_the_verdict_follows_its_gates_in_order(readings: list[Counted], verdict: Verdict) -> None:
    assert rules.read_out(readings).verdict is verdict


def test_loads_lean_at_most_and_never_turn_green_or_red() -> None:
    loads = [Counted(Basis.LOADS, Arm(5400, 1300)), Counted(Basis.LOADS, Arm(4600, 1700))]
    found = rules.read_out(loads)
    assert found.verdict is Verdict.LEANING and not found.green and not found.honest_drawn
    assert found.split is not None and found.split.state is Split.NOT_JUDGED


def test_people_and_loads_are_compared_by_what_both_have() -> None:
    assert rules.shared_basis([*people((10, 5)), Counted(Basis.LOADS, Arm(10, 5))]) is Basis.LOADS


def test_equal_is_said_only_inside_the_band_the_owner_set_and_a_real_difference_stays_green() -> None:
    close = people((400_000, 120_000), (400_000, 120_200))
    assert rules.read_out(close, Terms(equal_band=0.01)).verdict is Verdict.EQUAL
    assert rules.read_out(close, Terms(equal_band=0.0)).verdict is Verdict.NO_DIFFERENCE
    assert rules.read_out(close, Terms(equal_band=0.0001)).verdict is Verdict.NO_DIFFERENCE
    small = people((4_000_000, 1_200_000), (4_000_000, 1_210_000))
    assert rules.read_out(small, Terms(equal_band=0.05)).verdict is Verdict.BETTER


def test_a_wrong_split_needs_both_an_improbable_and_a_visible_deviation() -> None:
    speck = people((50_040_000, 15_000_000), (49_960_000, 15_000_000))
    found = rules.check_split([one.arm for one in speck if one.arm], Basis.PEOPLE)
    assert found.probability < 0.001 and found.state is Split.DOUBTFUL
    assert rules.check_split([Arm(700, 0), Arm(300, 0)], Basis.PEOPLE, (70, 30)).state is Split.FAIR
    assert rules.check_split([Arm(700, 0), Arm(300, 0)], Basis.PEOPLE).state is Split.WRONG


def test_more_variants_share_the_chance_of_a_false_alarm() -> None:
    assert rules.pair_alpha(0.05, 2) == 0.05
    assert rules.pair_alpha(0.05, 4) == pytest.approx(0.05 / 3)


def test_a_reason_is_asked_for_when_the_winner_is_not_what_the_read_out_says() -> None:
    better = rules.read_out(people((5000, 1300), (5000, 1700)))
    assert not rules.needs_reason(better, 1) and rules.needs_reason(better, 0)
    assert rules.needs_reason(rules.read_out(people((5000, 1500), (5000, 1600))), 1)
    equal = rules.read_out(people((400_000, 120_000), (400_000, 120_200)), Terms(equal_band=0.01))
    assert not rules.needs_reason(equal, 0)
    assert not rules.needs_reason(rules.read_out([Counted(Basis.RATE, None, 0.3)] * 2), 0)


def test_the_plan_says_days_first_and_whole_weeks() -> None:
    rows = rules.plan(0.30, 400, 2)
    assert [row.lift for row in rows] == [0.05, 0.10, 0.20]
    ten = rows[1]
    assert ten.days == 37 and ten.weeks == 6 and ten.single_days == 19
    assert rules.plan(0.9, 400, 2, [0.2]) == ()
    assert rules.plan(0.3, 0, 2)[0].days is None
    assert rules.plan(0.001, 1, 2, [0.01])[0].days is None


def test_the_days_that_are_left_follow_the_pace() -> None:
    assert rules.days_until_enough([Arm(50, 20), Arm(80, 30)], 5) == 5
    assert rules.days_until_enough([Arm(500, 200), Arm(800, 300)], 5) == 0
    assert rules.days_until_enough([Arm(0, 0), Arm(800, 300)], 5) is None
    leaning = rules.read_out(people((5000, 1500), (5000, 1600)))
    both = [Arm(5000, 1500), Arm(5000, 1600)]
    left = rules.days_until_settled(leaning.pairs, both, 10, 0.05)
    assert left is not None and left > 0
    grown = 1 + left / 10
    later = people((round(5000 * grown), round(1500 * grown)), (round(5000 * grown), round(1600 * grown)))
    assert rules.read_out(later).green
    equal = rules.read_out(people((5000, 1500), (5000, 1500)))
    assert rules.days_until_settled(equal.pairs, both, 10, 0.05) is None

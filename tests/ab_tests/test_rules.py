"""What may be done in which state, what an answer counts, and the verdict, the plan."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from math import log
from zoneinfo import ZoneInfo

import pytest

from dashboard.ab_tests import rules
from dashboard.ab_tests.queries import get_rates_by_day, get_whole_days, parse_counts
from dashboard.ab_tests.rules import (
    Act,
    CountBasis,
    Doubt,
    EvidenceLevel,
    RefusalReason,
    VariantCounts,
    Verdict,
    VerdictTerms,
)
from dashboard.ab_tests.statistics import Arm, Mixture
from dashboard.platform_api.analytics import Analytics
from dashboard.shared.ranges import Days


def people(*pairs: tuple[int, int], days: int = 14, basis: CountBasis = CountBasis.LOADS) -> list[VariantCounts]:
    """Variants whose people loaded the page once, evenly over so many days."""

    def part(whole: int, day: int) -> int:
        return whole * (day + 1) // days - whole * day // days

    first = date(2026, 11, 1)
    return [
        VariantCounts(
            basis,
            Arm(*pair),
            pair[1] / pair[0] if pair[0] else 0.0,
            {first + timedelta(days=day): Arm(part(pair[0], day), part(pair[1], day)) for day in range(days)},
            pair[0] if basis is CountBasis.LOADS else None,
        )
        for pair in pairs
    ]


@pytest.mark.parametrize(
    ("act", "status", "variants", "why"),
    [
        (Act.EDIT_VARIANTS, "DRAFT", 2, None),
        (Act.EDIT_VARIANTS, "IN_PROGRESS", 2, RefusalReason.VARIANTS_FIXED),
        (Act.EDIT_VARIANTS, "COMPLETED", 2, RefusalReason.VARIANTS_FIXED),
        (Act.EDIT_TEXT, "COMPLETED", 2, None),
        (Act.START, "DRAFT", 2, None),
        (Act.START, "DRAFT", 1, RefusalReason.TOO_FEW_VARIANTS),
        (Act.START, "IN_PROGRESS", 2, RefusalReason.ALREADY_RUNNING),
        (Act.START, "COMPLETED", 2, RefusalReason.ALREADY_COMPLETED),
        (Act.FINISH, "DRAFT", 2, RefusalReason.NOT_RUNNING),
        (Act.FINISH, "IN_PROGRESS", 2, None),
        (Act.FINISH, "COMPLETED", 2, RefusalReason.ALREADY_COMPLETED),
        (Act.DELETE, "IN_PROGRESS", 2, None),
        (Act.FINISH, "PAUSED", 2, None),
    ],
)
def test_each_act_is_possible_in_its_states_and_says_why_not_in_others(
    act: Act, status: str, variants: int, why: RefusalReason | None
) -> None:
    assert rules.get_refusal(act, status, variants) is why


@pytest.mark.parametrize(
    ("answer", "basis", "arm"),
    [
        ({"views_data": {"2026-11-06": {"view": 9, "unique_view": 6, "play": 5, "unique_play": 3},
                         "2026-11-07": {"view": 1, "unique_view": 1, "play": 1, "unique_play": 1}}},
         CountBasis.LOADS, Arm(10, 6)),
        ({"views": 10, "unique_views": 8, "plays": 5, "unique_plays": 4}, CountBasis.LOADS, Arm(10, 5)),
        ({"views": 10, "unique_views": 8, "plays": 12, "unique_plays": 4}, CountBasis.PEOPLE, Arm(8, 4)),
        ({"unique_views": 8, "unique_plays": 4}, CountBasis.PEOPLE, Arm(8, 4)),
        ({"views": 3, "plays": 5}, CountBasis.IMPOSSIBLE, None),
        ({"views_data": {"2026-11-06": {"play": 5, "unique_play": 4}}}, CountBasis.NOTHING, None),
        ({"play_rate": 31.5}, CountBasis.RATE, None),
        ({"plays_rate": 0.315}, CountBasis.RATE, None),
        ({"data": [{"date": "2026-11-06", "play_rate": 30}, {"date": "2026-11-07", "play_rate": 40}]}, CountBasis.NOTHING, None),
        ({"views_data": {}}, CountBasis.LOADS, Arm(0, 0)),
        ("oops", CountBasis.NOTHING, None),
    ],
)  # fmt: skip
def test_an_answer_counts_people_loads_a_bare_rate_or_nothing(
    answer: object, basis: CountBasis, arm: Arm | None
) -> None:
    found = parse_counts(Analytics.from_json(answer).table)  # type: ignore[arg-type]  # any JSON
    assert (found.basis, found.arm) == (basis, arm)
    if basis is CountBasis.RATE:
        assert found.rate == pytest.approx(0.315)


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
    found = get_whole_days(drawn, date(2026, 11, settled), started, finished)
    assert (found and (found.start.day, found.end.day)) == whole


def test_days_are_cut_in_utc_whatever_the_offset_of_a_moment() -> None:
    drawn = Days(date(2026, 11, 7), date(2026, 11, 22))
    late = datetime(2026, 11, 7, 22, 0, tzinfo=ZoneInfo("America/Sao_Paulo"))  # 1:00 on the 8th in UTC
    found = get_whole_days(drawn, date(2026, 11, 22), late, None)
    assert found is not None and found.start == date(2026, 11, 9)


def test_rates_by_day_leave_out_days_without_loads() -> None:
    table = Analytics.from_json(
        {"views_data": {"2026-11-06T01:00:00Z": {"unique_view": 4, "unique_play": 1},
                        "2026-11-06T02:00:00Z": {"unique_view": 4, "unique_play": 3}, "2026-11-07": {"unique_view": 0}}}
    ).table  # fmt: skip
    assert [round(rate, 3) for rate in get_rates_by_day(table, ZoneInfo("UTC")).values()] == [0.5]


@pytest.mark.parametrize(
    ("answer", "days"),
    [
        ({"views_data": {"2026-11-06T23:00:00Z": {"unique_view": 4, "unique_play": 1},
                         "2026-11-07": {"unique_view": 2, "unique_play": 2}}},
         {6: Arm(4, 1), 7: Arm(2, 2)}),
        ({"views_data": {"2026-11-06": {"unique_view": 4, "unique_play": 5},
                         "2026-11-07": {"unique_view": 9, "unique_play": 2}}},
         {6: Arm(4, 4), 7: Arm(9, 2)}),
        ({"views_data": {"2026-11-06": {"unique_view": 4, "unique_play": 1}, "2026-11-07": {"unique_view": 2}}}, {6: Arm(4, 1)}),
        ({"unique_views": 8, "unique_plays": 4}, {}),
    ],
)  # fmt: skip
def test_days_are_counted_apart_and_one_that_lacks_a_figure_is_not_known(answer: object, days: dict[int, Arm]) -> None:
    found = parse_counts(Analytics.from_json(answer).table)  # type: ignore[arg-type]  # any JSON
    assert {day.day: arm for day, arm in found.days.items()} == days


@pytest.mark.parametrize(
    ("readings", "verdict", "doubt"),
    [
        (people((99, 40), (200, 80)), Verdict.COLLECTING, Doubt.NONE),
        (people((200, 4), (200, 80)), Verdict.COLLECTING, Doubt.NONE),
        (people((200, 196), (200, 80)), Verdict.COLLECTING, Doubt.NONE),
        (people((0, 0), (0, 0)), Verdict.COLLECTING, Doubt.NONE),
        (people((1000, 500), (1000, 520)), Verdict.NO_EVIDENCE, Doubt.NONE),
        (people((5000, 1500), (5000, 1630)), Verdict.SOME, Doubt.NONE),
        (people((5000, 1500), (5000, 1645)), Verdict.STRONG, Doubt.NONE),
        (people((5000, 1300), (5000, 1700)), Verdict.BETTER, Doubt.NONE),
        (people((5000, 1700), (5000, 1300)), Verdict.BETTER, Doubt.NONE),
        (people((5000, 1300), (5000, 1700), days=6), Verdict.CANNOT_TELL, Doubt.FEW_DAYS),
        (people((5000, 1300), (5000, 1700), days=7), Verdict.BETTER, Doubt.NONE),
        ([VariantCounts(CountBasis.PEOPLE, Arm(5000, played)) for played in (1300, 1700)],
         Verdict.CANNOT_TELL, Doubt.NO_DAYS),
        (people((5000, 1300), (5000, 1700), basis=CountBasis.PEOPLE), Verdict.BETTER, Doubt.NONE),
        (people((5600, 1300), (4400, 1700)), Verdict.SPLIT_WRONG, Doubt.NONE),
        (people((5000, 1300)), Verdict.ALONE, Doubt.NONE),
        ([], Verdict.ALONE, Doubt.NONE),
        ([VariantCounts(CountBasis.RATE, None, 0.3), VariantCounts(CountBasis.RATE, None, 0.6)], Verdict.NOT_COUNTED, Doubt.NONE),
        ([*people((5000, 1300)), VariantCounts(CountBasis.NOTHING)], Verdict.NOT_COUNTED, Doubt.NONE),
        (people((9000, 2700), (9000, 2710), (9000, 3300)), Verdict.BETTER, Doubt.NONE),
        (people((9000, 2700), (9000, 3290), (9000, 3300)), Verdict.NO_EVIDENCE, Doubt.NONE),
    ],
)  # fmt: skip
def test_the_verdict_follows_its_gates_in_order(readings: list[VariantCounts], verdict: Verdict, doubt: Doubt) -> None:
    found = rules.read_out(readings)
    assert (found.verdict, found.doubt) == (verdict, doubt)
    assert found.green == (verdict is Verdict.BETTER)
    assert bool(found.pairs) == found.drawn


def test_days_that_one_variant_lacks_are_not_counted_for_any() -> None:
    one, two = people((5000, 1300), (5000, 1700))
    late = replace(two, days=dict(list(two.days.items())[8:]))
    found = rules.read_out([one, late])
    assert (len(found.days), found.verdict) == (6, Verdict.CANNOT_TELL)


def test_people_are_not_compared_with_loads() -> None:
    mixed = [*people((5000, 1300)), *people((5000, 1700), basis=CountBasis.PEOPLE)]
    assert rules.get_shared_basis(mixed) is CountBasis.NOTHING
    assert rules.read_out(mixed).verdict is Verdict.NOT_COUNTED


def test_people_who_saw_another_variant_before_widen_every_range() -> None:
    once = rules.read_out(people((5000, 1300), (5000, 1700)))
    again = rules.read_out([replace(variant, people=3500) for variant in people((5000, 1300), (5000, 1700))])
    assert (once.seen_before, once.carried) == (0.0, 0.0)
    assert [again.seen_before, again.carried] == pytest.approx([0.3, 0.009])
    assert again.pairs[0].difference.low == pytest.approx(once.pairs[0].difference.low - 0.009)
    assert again.pairs[0].lift.low < once.pairs[0].lift.low
    assert again.ranges[0] is not None and once.ranges[0] is not None
    assert again.ranges[0].low == pytest.approx(once.ranges[0].low - 0.009)
    close = [replace(variant, people=3500) for variant in people((5000, 1500), (5000, 1645))]
    assert rules.read_out(close).verdict is Verdict.NO_EVIDENCE, "what is carried over may be all of it"


@pytest.mark.parametrize(
    ("loads", "people_told", "variants", "part"),
    [(1000, 1000, 2, 0.0), (1000, 750, 2, 0.25), (1000, 750, 3, 0.5), (1000, 100, 4, 1.0), (1000, 1100, 2, 0.0),
     (1000, None, 2, 0.5), (1000, None, 4, 0.75), (0, 0, 2, 0.5)],
)  # fmt: skip
def test_as_many_loads_follow_another_variant_as_follow_the_same_one(
    loads: int, people_told: int | None, variants: int, part: float
) -> None:
    counted = [VariantCounts(CountBasis.LOADS, Arm(loads, 0), people=people_told)] * variants
    assert rules.get_seen_before(counted, variants) == pytest.approx(part)


def test_equal_is_said_only_inside_the_band_the_owner_set_and_a_real_difference_stays_green() -> None:
    close = people((400_000, 120_000), (400_000, 120_200))
    assert rules.read_out(close, VerdictTerms(equal_band=0.01)).verdict is Verdict.EQUAL
    assert rules.read_out(close, VerdictTerms(equal_band=0.0)).verdict is Verdict.NO_EVIDENCE
    assert rules.read_out(close, VerdictTerms(equal_band=0.0001)).verdict is Verdict.NO_EVIDENCE
    small = people((4_000_000, 1_200_000), (4_000_000, 1_210_000))
    assert rules.read_out(small, VerdictTerms(equal_band=0.05)).verdict is Verdict.BETTER


@pytest.mark.parametrize(("alpha", "levels"), [(0.05, (20, 10)), (0.10, (40, 20)), (0.01, (4, 2))])
def test_some_and_strong_evidence_are_four_and_two_times_as_often_wrong_as_a_settled_test(
    alpha: float, levels: tuple[int, int]
) -> None:
    some, strong = (log(100 / level) for level in levels)
    assert rules.get_level(some - 0.01, alpha) is EvidenceLevel.NONE
    assert rules.get_level(some + 0.01, alpha) is EvidenceLevel.SOME
    assert rules.get_level(strong + 0.01, alpha) is EvidenceLevel.STRONG


def test_more_variants_share_the_chance_of_a_false_alarm() -> None:
    assert rules.get_pair_alpha(0.05, 2) == 0.05
    assert rules.get_pair_alpha(0.05, 4) == pytest.approx(0.05 / 3)


def test_a_reason_is_asked_for_when_the_winner_is_not_what_the_read_out_says() -> None:
    better = rules.read_out(people((5000, 1300), (5000, 1700)))
    assert not rules.needs_reason(better, 1) and rules.needs_reason(better, 0)
    assert rules.needs_reason(rules.read_out(people((5000, 1500), (5000, 1645))), 1)
    equal = rules.read_out(people((400_000, 120_000), (400_000, 120_200)), VerdictTerms(equal_band=0.01))
    assert not rules.needs_reason(equal, 0)
    assert not rules.needs_reason(rules.read_out([VariantCounts(CountBasis.RATE, None, 0.3)] * 2), 0)


def test_the_days_until_there_are_enough_loads_follow_the_pace() -> None:
    assert rules.get_days_until_enough([Arm(50, 20), Arm(80, 30)], 5) == 5
    assert rules.get_days_until_enough([Arm(500, 200), Arm(800, 300)], 5) == 0
    assert rules.get_days_until_enough([Arm(0, 0), Arm(800, 300)], 5) is None


def test_variant_without_numbers_leaves_the_whole_test_not_counted() -> None:
    first, second = people((4000, 1000), (4000, 1200))
    assert rules.read_out([first, replace(second, arm=None)]).verdict is Verdict.NOT_COUNTED


@pytest.mark.parametrize(("plays", "leader"), [((1000, 1600), 1), ((1600, 1000), 0)])
def test_leader_of_two_variants_is_the_one_with_more_plays_by_loads(plays: tuple[int, int], leader: int) -> None:
    found = rules.read_out(people((5000, plays[0]), (5000, plays[1])))
    assert (found.verdict, found.leader) == (Verdict.BETTER, leader)


def test_range_of_a_rate_lies_around_it_and_is_as_wide_as_its_variance_says() -> None:
    found = rules.read_out(people((5000, 1000), (5000, 1600)))
    widest = max(pair.contrast.widening.factor for pair in found.pairs)
    for interval, rate in zip(found.ranges, (0.2, 0.32), strict=True):
        half = Mixture(VerdictTerms().effect).reach(rate * (1 - rate) / 5000 * widest, VerdictTerms().alpha)
        assert interval is not None
        assert [interval.low, interval.high] == pytest.approx([rate - half, rate + half])


def test_no_days_are_missing_where_nothing_is_compared() -> None:
    assert rules.get_days_until_enough([], 3) == 0


@pytest.mark.parametrize(
    ("arm", "enough"),
    [(Arm(100, 5), True), (Arm(99, 5), False), (Arm(100, 4), False), (Arm(100, 95), True), (Arm(100, 96), False)],
)
def test_formulas_need_a_hundred_loads_of_which_five_played_and_five_did_not(arm: Arm, enough: bool) -> None:
    assert rules.is_enough(arm) is enough


@pytest.mark.parametrize(
    ("bases", "shared"),
    [
        ((CountBasis.RATE, CountBasis.LOADS), CountBasis.RATE),
        ((CountBasis.LOADS, CountBasis.IMPOSSIBLE), CountBasis.IMPOSSIBLE),
        ((CountBasis.IMPOSSIBLE, CountBasis.NOTHING), CountBasis.NOTHING),
        ((CountBasis.PEOPLE, CountBasis.PEOPLE), CountBasis.PEOPLE),
        ((), CountBasis.NOTHING),
    ],
)
def test_variants_are_compared_by_the_weakest_of_what_was_counted(
    bases: tuple[CountBasis, ...], shared: CountBasis
) -> None:
    variants = [VariantCounts(basis) for basis in bases]
    assert rules.get_shared_basis(variants) is shared
    assert rules.read_out(variants).basis is shared


def test_a_variant_without_a_drawn_range_has_an_empty_place_for_it() -> None:
    assert rules.read_out(people((50, 10), (50, 20), (50, 20))).ranges == (None, None, None)


def test_a_common_day_is_known_of_every_variant_and_of_none_there_is_no_day() -> None:
    first, second = people((5000, 1300), (5000, 1700))
    days = sorted(first.days)
    early = replace(first, days={day: first.days[day] for day in days[:9]})
    late = replace(second, days={day: second.days[day] for day in days[5:]})
    assert rules.list_common_days([early, late]) == tuple(days[5:9])
    assert rules.list_common_days([]) == ()


def test_without_evidence_nobody_leads() -> None:
    found = rules.read_out(people((5000, 1500), (5000, 1510)))
    assert (found.verdict, found.leader) == (Verdict.NO_EVIDENCE, None)


def test_a_split_found_wrong_earlier_stays_wrong_in_the_read_out() -> None:
    found = rules.read_out(people((5000, 1500), (5000, 1510)), VerdictTerms(split_wrong_on=date(2026, 11, 3)))
    assert found.verdict is Verdict.SPLIT_WRONG
    assert found.split is not None and found.split.since == date(2026, 11, 3)


def test_without_days_the_split_of_all_loads_is_judged() -> None:
    assert rules.read_out(people((6000, 1500), (4000, 1500), days=0)).verdict is Verdict.SPLIT_WRONG


def test_leader_is_the_highest_rate_over_days_that_weigh_alike_for_all() -> None:
    quiet, busy = date(2026, 11, 1), date(2026, 11, 2)
    steady = VariantCounts(CountBasis.LOADS, days={quiet: Arm(100, 30), busy: Arm(900, 270)})
    one_day = VariantCounts(CountBasis.LOADS, days={quiet: Arm(100, 40), busy: Arm(0, 0)})
    nobody = VariantCounts(CountBasis.LOADS, days={quiet: Arm(0, 0), busy: Arm(0, 0)})
    assert rules.get_leader([steady, one_day, nobody], [quiet, busy]) == 1
    assert rules.get_leader([nobody, steady, steady], [quiet, busy]) == 1, "the first of equals"


def test_range_of_a_rate_does_not_leave_what_a_rate_can_be() -> None:
    high, low = rules.read_out(people((200, 194), (200, 6))).ranges
    assert high is not None and low is not None
    assert (high.high, low.low) == (1.0, 0.0)


def test_a_level_is_reached_by_the_evidence_that_it_asks_for() -> None:
    assert rules.get_level(-log(0.2), 0.05) is EvidenceLevel.SOME
    assert rules.get_level(0.0, 0.5) is EvidenceLevel.NONE, "no evidence is none, however many alarms are accepted"

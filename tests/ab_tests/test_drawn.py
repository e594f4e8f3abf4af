"""What the page draws of a verdict: green if and only if every drawn range lies on one side of zero."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from html import unescape
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.template.loader import render_to_string
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dashboard.ab_tests import rules, verdicts
from dashboard.ab_tests.models import Terms
from dashboard.ab_tests.pages import build_study_page
from dashboard.ab_tests.queries import ComparisonSnapshot, Study, StudyRun, Variant
from dashboard.ab_tests.rules import CountBasis
from dashboard.ab_tests.statistics import Arm, Mixture
from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.comparisons import Comparison
from dashboard.shared.ranges import Days, build_selection
from dashboard.upstream.figures import FigureAnswer
from tests.ab_tests.test_rules import people

BEGUN = datetime(2026, 11, 1, tzinfo=UTC)
DAYS = Days(date(2026, 11, 1), date(2026, 11, 20))


def study_of(arms: list[Arm], *, alpha: float = 0.05, band: float = 0.0, basis: CountBasis = CountBasis.LOADS) -> Study:
    """A running test with these counts, spread evenly over 14 days."""
    counted = people(*((arm.loads, arm.played) for arm in arms), basis=basis)
    letters = "ABCDEFGH"[: len(arms)]
    nothing = FigureAnswer(Analytics.from_json({}))
    variants = tuple(
        Variant(letter, letter, "", None, one, {}, nothing, nothing)
        for letter, one in zip(letters, counted, strict=True)
    )
    run = StudyRun(
        build_selection(DAYS, now=datetime(2026, 11, 21, tzinfo=UTC), zone=ZoneInfo("UTC")),
        BEGUN,
        None,
        True,
        whole=DAYS,
    )
    readout = rules.read_out(counted, rules.VerdictTerms(alpha=alpha, equal_band=band))
    terms = Terms(level=round(100 * (1 - alpha)), equal_points=band * 100, worth_finding=0.03, base_at_start=0.3)
    return Study(
        ComparisonSnapshot(Comparison.from_json({"id": "636f6d70-x", "status": "IN_PROGRESS"})),
        run,
        variants,
        readout,
        terms,
        None,
    )


def drawn(study: Study) -> str:
    """The panel of the verdict as it stands in the page."""
    return render_to_string("ab_tests/_verdict.html", {"page": SimpleNamespace(said=verdicts.build_verdict(study))})


def sides(html: str) -> list[int]:
    """Of each plot: on which side of the dashed line the whole broad bar lies; 0 where they touch. Empty: no broad bar."""
    found = []
    for plot in re.findall(r'<svg class="interval".*?</svg>', html, re.DOTALL):
        zero = int(re.findall(r'interval__zero" d="M(-?\d+) 0V', plot)[0])
        for start, end in re.findall(r'interval__wide[^"]*" d="M(-?\d+) \d+H(-?\d+)"', plot):
            found.append(1 if int(start) > zero else -1 if int(end) < zero else 0)
    return found


@st.composite
def near_the_edge(draw: st.DrawFn) -> list[Arm]:
    """Two to four variants; the second is ahead of the first by about as much as turns the verdict green, or behind."""
    viewers, rate = draw(st.integers(1_500, 60_000)), draw(st.floats(0.05, 0.9))
    first = Arm(viewers, round(viewers * rate))
    width = Mixture(0.03).reach(2.5 * rate * (1 - rate) / viewers, 0.05)
    push = draw(st.floats(-1.6, 1.6)) * width
    arms = [first, Arm(viewers, min(viewers, max(0, round(viewers * (first.rate + push)))))]
    for _ in range(draw(st.integers(0, 2))):
        more = draw(st.integers(viewers - viewers // 50, viewers + viewers // 50))
        arms.append(Arm(more, round(more * draw(st.floats(0.01, 0.99)))))
    return arms


@given(near_the_edge(), st.sampled_from([0.01, 0.05, 0.1]), st.sampled_from([0.0, 0.05]))
@example([Arm(5000, 1300), Arm(5000, 1700)], 0.05, 0.0)
@example([Arm(5000, 1700), Arm(5000, 1300)], 0.05, 0.0)
@example([Arm(5000, 1500), Arm(5000, 1645)], 0.05, 0.0)
@example([Arm(5400, 1300), Arm(4600, 1700)], 0.05, 0.0)
@example([Arm(200, 2), Arm(200, 90)], 0.05, 0.0)
@example([Arm(0, 0), Arm(0, 0)], 0.05, 0.0)
@example([Arm(4_000_000, 1_200_000), Arm(4_000_000, 1_210_000)], 0.05, 0.05)
@settings(deadline=None, max_examples=25)
def test_the_page_is_green_if_and_only_if_every_drawn_range_lies_on_one_side_of_zero(
    arms: list[Arm], alpha: float, band: float
) -> None:
    html = drawn(study_of(arms, alpha=alpha, band=band))
    found = sides(html)
    clear = bool(found) and all(side == found[0] != 0 for side in found)
    assert ('class="reading is-finished"' in html) == clear
    assert ("Settled: " in html) == clear


@given(near_the_edge())
@settings(deadline=None, max_examples=5)
def test_ranges_of_people_alone_are_as_wide_as_if_half_had_seen_the_other(arms: list[Arm]) -> None:
    loads, alone = (study_of(arms[:2], basis=basis).readout for basis in (CountBasis.LOADS, CountBasis.PEOPLE))
    assume(loads.drawn and alone.drawn)
    wide, narrow = (readout.pairs[0].difference for readout in (alone, loads))
    assert wide.low <= max(-1, narrow.low - 0.0149) and wide.high >= min(1, narrow.high + 0.0149)


@pytest.mark.parametrize(
    ("people_told", "sentence"),
    [
        (4000, "About 20% of the loads are by people who had seen another variant on the same day."),
        (None, "The ranges are 1.5 points wider at each end, as if 50% of the loads were by people who"),
    ],
)
def test_the_page_says_what_was_counted_and_how_many_saw_several_variants(
    people_told: int | None, sentence: str
) -> None:
    study = study_of([Arm(5000, 1300), Arm(5000, 1700)])
    counted = [replace(variant.counted, people=people_told) for variant in study.variants]
    variants = [replace(variant, counted=own) for variant, own in zip(study.variants, counted, strict=True)]
    study = replace(study, variants=tuple(variants), readout=rules.read_out(counted))
    page = build_study_page(study, [], (), "http://testserver/")
    html = " ".join(unescape(render_to_string("ab_tests/_readout.html", {"page": page})).split())
    assert sentence in html
    assert "a person who loads the page twice counts twice" in html
    assert (
        "Each page load shows one of the videos at random, with equal chance; a visitor who reloads may see another."
        in html
    )


@given(near_the_edge())
@settings(deadline=None, max_examples=10)
def test_the_numbers_of_a_range_are_on_the_same_side_of_zero_as_the_range(arms: list[Arm]) -> None:
    study = study_of(arms[:2])
    assume(study.readout.drawn)
    for plot, side in zip(verdicts.build_verdict(study).plots, sides(drawn(study)), strict=True):
        low, high = re.findall(r"[+−]?[\d.,]+", plot.words)[:2]
        assert (low.startswith("+"), high.startswith("−")) == (side == 1, side == -1)


def test_differences_of_several_variants_are_drawn_on_one_scale() -> None:
    said = verdicts.build_verdict(study_of([Arm(3000, 930), Arm(3000, 1020), Arm(3000, 900), Arm(3000, 600)]))
    assert len(said.plots) == 3 and all(plot.sub.startswith("Lift: ") for plot in said.plots)
    assert len({tuple((tick.at, tick.text) for tick in plot.ticks) for plot in said.plots}) == 1


@pytest.mark.parametrize(
    ("arms", "sentences"),
    [
        ([(5000, 1500), (5000, 1510)], ["No difference can be shown yet. A and B may be equal: ",
                                        "This test may never settle",
                                        "We can&#x27;t say which variant gets more plays."]),
        ([(5000, 1500), (5000, 1630)], ["B may be better. Keep the test running: −",
                                        "At most 20 of 100 tests without a real difference"]),
        ([(5000, 1645), (5000, 1500)], ["A is probably better, but it isn&#x27;t settled: the difference can still be −0.",
                                        "At most 10 of 100 tests", "Plan with the best estimate."]),
        ([(5000, 1700), (5000, 1300)], ["A is better. Even checking every day, the difference is real: +",
                                        "At most 5 of 100 tests", "You can finish the test."]),
        ([(9000, 2700), (9000, 2710), (9000, 3300)], ["C is better than every other variant.", "Lift: +"]),
    ],
    ids=["none", "some", "strong", "settled", "three"],
)  # fmt: skip
def test_each_level_says_what_a_marketer_can_repeat(arms: list[tuple[int, int]], sentences: list[str]) -> None:
    study = study_of([Arm(*arm) for arm in arms])
    page = build_study_page(study, [], (), "http://testserver/")
    html = render_to_string("ab_tests/_readout.html", {"page": page})
    assert [sentence for sentence in sentences if sentence not in html] == []


def test_the_sentence_to_tell_counts_plays_by_the_best_estimate() -> None:
    tell = verdicts.format_summary(study_of([Arm(5000, 1300), Arm(5000, 1700)]))
    assert tell.startswith("B is better than A. About ") and "more plays in every 100 page loads (+" in tell
    assert tell.endswith("Even checking every day, the difference is real.")

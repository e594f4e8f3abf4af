"""Thousands of tests whose truth is known, looked at every day, by the engine of the read-out written again for arrays.

`python -m tests.ab_tests.simulate` measures what docs/statistics.md quotes, several times as thoroughly as the suite does.

Loads and plays are arrays of tests × variants × days. `tests/ab_tests/test_simulations.py` holds the arrays against the
product's own plain Python, so that what is simulated is what is shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import numpy

from dashboard.ab_tests import forecast, rules, statistics
from dashboard.ab_tests.rules import CountBasis, EvidenceLevel, VariantCounts, VariantPair
from dashboard.ab_tests.statistics import Arm, Interval, Mixture, Split, check_split, compare_days

DAYS, DAILY, FIRST = 28, 200, 7
LOADS_MOST = 6
RANDOM = numpy.random.Generator


@dataclass(frozen=True)
class Counts:
    """Loads of a page and those that were played, of tests × variants × days. `people` are counted once a day in each variant
    that they saw, `players` in each that they played; without `people` the loads are all that is told."""

    loads: numpy.ndarray
    plays: numpy.ndarray
    people: numpy.ndarray | None = None
    players: numpy.ndarray | None = None

    def by_people(self) -> "Counts":
        """What is read where the platform tells people alone."""
        assert self.people is not None and self.players is not None
        return Counts(self.people, self.players)

    def pair(self, first: int, second: int) -> tuple[numpy.ndarray, numpy.ndarray]:
        return self.loads[:, [first, second]].astype(float), self.plays[:, [first, second]].astype(float)

    def seen_before(self) -> numpy.ndarray:
        """The part of the loads by people who had seen another variant, as it is worked out after each day."""
        tests, variants, days = self.loads.shape
        if self.people is None:
            return numpy.full((tests, days), 1 - 1 / variants)
        loads, people = (part.sum(axis=1).cumsum(axis=1) for part in (self.loads, self.people))
        found: numpy.ndarray = numpy.clip((1 - people / numpy.maximum(loads, 1)) * (variants - 1), 0, 1)
        return found


def single(random: RANDOM, tests: int, rates: list[float], *, days: int = DAYS, daily: float = DAILY) -> Counts:
    """People who load a page once, `daily` for each variant."""
    loads = random.poisson(daily, (tests, len(rates), days))
    return Counts(loads, random.binomial(loads, numpy.array(rates)[None, :, None]), loads)


def jumping(random: RANDOM, tests: int, *, jump: float = 0.05, daily: float = DAILY, days: int = DAYS) -> Counts:
    """Rates that jump by `jump` for every variant and day by itself."""
    loads = random.poisson(daily, (tests, 2, days))
    return Counts(loads, random.binomial(loads, numpy.clip(random.normal(0.3, jump, loads.shape), 0, 1)), loads)


@dataclass(frozen=True)
class Habits:
    """What people do who load a page again: `share` of all people, 2 to 6 times, drawn anew each time.

    `later`: by how much any load after the first is played more often. `carried`: by how much the last variant is, by somebody
    who saw another one before. `apart`: days between the loads of one person. `stop`: nobody loads again after a play.
    `same`: everybody always plays, or never.
    """

    share: float
    later: float = 0.0
    carried: float = 0.0
    apart: int = 0
    stop: bool = False
    same: bool = False


def loading(
    random: RANDOM, tests: int, rates: list[float], habits: Habits, *, days: int = DAYS, daily: float = DAILY
) -> Counts:
    """Tests in which some people load the page again. `daily` people a day for each variant."""
    if habits.same:
        plain = replace(habits, same=False)
        never = loading(random, tests, [0.0] * len(rates), plain, days=days, daily=daily * (1 - rates[0]))
        always = loading(random, tests, [1.0] * len(rates), plain, days=days, daily=daily * rates[0])
        return Counts(*(one + other for one, other in zip(vars(never).values(), vars(always).values(), strict=True)))
    variants, found = len(rates), numpy.zeros((4, tests, len(rates), days), int)
    for times in range(1, LOADS_MOST + 1):
        part = 1 - habits.share if times == 1 else habits.share / (LOADS_MOST - 1)
        # what each person saw: of every variant nothing (0), its page (1), the video itself (2)
        groups = {(0,) * variants: random.poisson(daily * variants * part, (tests, days))}
        for time in range(times):
            groups = _load_once(random, groups, rates, habits, time, found)
    return Counts(found[0], found[2], found[1], found[3])


def _load_once(
    random: RANDOM,
    groups: dict[tuple[int, ...], numpy.ndarray],
    rates: list[float],
    habits: Habits,
    time: int,
    found: numpy.ndarray,
) -> dict[tuple[int, ...], numpy.ndarray]:
    """Everybody loads the page once more: a variant is drawn, and played or not. `found`: loads, people, plays, players."""
    after: dict[tuple[int, ...], numpy.ndarray] = {}
    for seen, group in groups.items():
        if habits.stop and 2 in seen:
            continue
        left = group
        for variant, rate in enumerate(rates):
            here = random.binomial(left, 1 / (len(rates) - variant))
            left = left - here
            has_seen_other = any(seen[:variant] + seen[variant + 1 :])
            chance = rate + habits.later * (time > 0)
            chance += habits.carried * (variant == len(rates) - 1 and has_seen_other)
            played = random.binomial(here, min(1.0, max(0.0, chance)))
            is_new_day = habits.apart > 0
            for place, number in enumerate((here, here, played, played)):
                if place in (0, 2) or is_new_day or seen[variant] < (1 if place == 1 else 2):
                    found[place, :, variant] += numpy.roll(number, habits.apart * time, 1)
            for state, number in ((2, played), (max(1, seen[variant]), here - played)):
                key = (*seen[:variant], state, *seen[variant + 1 :])
                after[key] = after.get(key, 0) + number
    return after


@dataclass(frozen=True)
class Look:
    """All tests after a number of days, for one pair of variants."""

    days: int
    rates: tuple[numpy.ndarray, numpy.ndarray]
    variances: tuple[numpy.ndarray, numpy.ndarray]
    factor: numpy.ndarray
    carried: numpy.ndarray
    told: numpy.ndarray

    @property
    def difference(self) -> numpy.ndarray:
        found: numpy.ndarray = self.rates[1] - self.rates[0]
        return found

    @property
    def variance(self) -> numpy.ndarray:
        found: numpy.ndarray = (self.variances[0] + self.variances[1]) * self.factor
        return found

    def reach(self, effect: float, alpha: float) -> numpy.ndarray:
        """Half the width of the range of the difference."""
        found: numpy.ndarray = reaches(self.variance, effect, alpha) + self.carried
        return found


def looks(counts: Counts, effect: float, pair: tuple[int, int] = (0, 1), alpha: float = 0.05) -> Iterator[Look]:
    """What the read-out knows of every test at the end of each day, from the first week on."""
    loads, plays = counts.pair(*pair)
    size = loads.prod(axis=1) / numpy.maximum(loads.sum(axis=1), 1)
    rate = plays / numpy.maximum(loads, 1)
    spread = rate * (1 - rate) / numpy.maximum(loads - 1, 1)
    enough, seen = _enough(counts), counts.seen_before()
    for days in range(FIRST, loads.shape[2] + 1):
        here, apart = size[:, :days], rate[:, 1, :days] - rate[:, 0, :days]
        whole = here.sum(axis=1)
        rates = [(here * rate[:, place, :days]).sum(axis=1) / whole for place in (0, 1)]
        variances = [(here**2 * spread[:, place, :days]).sum(axis=1) / whole**2 for place in (0, 1)]
        variance = numpy.maximum(variances[0] + variances[1], 1e-12)
        off = here * (apart - (rates[1] - rates[0])[:, None])
        reach = reaches(variance, effect, alpha) ** 2 / variance
        jumps = _jumps((off**2).sum(axis=1) / (variance * whole**2), days, reach)
        factor = jumps * (1 + statistics.get_unknown_share(days))
        told, carried = enough[:, days - 1], seen[:, days - 1] * effect
        yield Look(days, (rates[0], rates[1]), (variances[0], variances[1]), factor, carried, told)


def _enough(counts: Counts) -> numpy.ndarray:
    loads, plays = (part.cumsum(axis=2) for part in (counts.loads, counts.plays))
    least = numpy.minimum(plays, loads - plays).min(axis=1)
    found: numpy.ndarray = (loads.min(axis=1) >= rules.LOADS_MIN) & (least >= rules.EACH_WAY_MIN)
    return found


def _jumps(scatter: numpy.ndarray, days: int, reach: numpy.ndarray) -> numpy.ndarray:
    found = scatter * days / (days - 1)
    student = found * (days - 1) * numpy.expm1(reach / days) / reach
    return numpy.where(found > 1 + 1.65 * numpy.sqrt(2 / (days - 1)), student, 1.0)


@lru_cache
def _table(effect: float, alpha: float) -> tuple[numpy.ndarray, numpy.ndarray]:
    mixture, logs = Mixture(effect), numpy.linspace(-30.0, 0.0, 1_501)
    return logs, numpy.log([mixture.reach(float(numpy.exp(at)), alpha) for at in logs])


def reaches(variance: numpy.ndarray, effect: float, alpha: float) -> numpy.ndarray:
    """`Mixture.reach` for many variances, read off a table of 1,500 of them."""
    found: numpy.ndarray = numpy.exp(numpy.interp(numpy.log(variance), *_table(effect, alpha)))
    return found


def ahead(counts: Counts, effect: float, alpha: float = 0.05, times: int = 1) -> Iterator[tuple[Look, numpy.ndarray]]:
    """Each look at two variants with the tests that reach a level then (`times` as in `rules.TIMES`; 1 is settled)."""
    for look in looks(counts, effect, alpha=alpha):
        yield look, look.told & (abs(look.difference) > look.reach(effect, times * alpha))


def ever(counts: Counts, effect: float = 0.03, alpha: float = 0.05, times: int = 1) -> float:
    """The share of tests of two variants that ever reach a level."""
    reached = numpy.zeros(len(counts.loads), bool)
    for _look, now in ahead(counts, effect, alpha, times):
        reached |= now
    return float(reached.mean())


def levels(counts: Counts, effect: float = 0.03) -> list[float]:
    """The share of tests of two variants that ever settle, ever have strong evidence, ever have some."""
    reached = numpy.zeros((3, len(counts.loads)), bool)
    for look in looks(counts, effect):
        for place, times in enumerate((1, 2, 4)):
            reached[place] |= look.told & (abs(look.difference) > look.reach(effect, times * 0.05))
    return [float(share) for share in reached.mean(axis=1)]


def ever_crowned(counts: Counts, effect: float, alpha: float = 0.05, winner: int | None = None) -> float:
    """The share of tests of several variants in which a look ever crowns one, or the `winner`."""
    tests, variants, _days = counts.loads.shape
    level, reached = alpha / (variants - 1), numpy.zeros(tests, bool)
    winners = range(variants) if winner is None else [winner]
    for leader in winners:
        others = [looks(counts, effect, (other, leader), level) for other in range(variants) if other != leader]
        for together in zip(*others, strict=True):
            beats = [one.told & (one.difference > one.reach(effect, level)) for one in together]
            reached |= numpy.all(beats, axis=0)
    return float(reached.mean())


def never_outside(counts: Counts, rates: tuple[float, float], effect: float = 0.03) -> tuple[float, float]:
    """The share of tests whose range holds the true difference, and the true lift, at every look."""
    held = numpy.ones((2, len(counts.loads)), bool)
    lift = rates[1] / rates[0]
    for look in looks(counts, effect):
        reach = look.reach(effect, 0.05)
        square = reach**2 / look.variance * look.factor
        distance = (look.rates[1] - lift * look.rates[0]) ** 2
        held[0] &= ~look.told | (abs(look.difference - rates[1] + rates[0]) <= reach)
        held[1] &= ~look.told | (distance <= square * (look.variances[1] + lift**2 * look.variances[0]))
    return float(held[0].mean()), float(held[1].mean())


def ever_equal(counts: Counts, band: float, effect: float = 0.03) -> float:
    """The share of tests that ever count as practically equal."""
    said = numpy.zeros(len(counts.loads), bool)
    for look in looks(counts, effect):
        said |= look.told & (abs(look.difference) + look.reach(effect, 0.05) < band)
    return float(said.mean())


def at_first_green(counts: Counts, truth: float, effect: float = 0.03) -> tuple[float, float]:
    """What was measured, and the best estimate, on the day a test settles: on average, in parts of the truth."""
    done, measured, best = numpy.zeros(len(counts.loads), bool), 0.0, 0.0
    for look, now in ahead(counts, effect):
        new = now & ~done
        done |= new
        found, variance = look.difference[new], look.variance[new]
        measured += found.sum()
        best += (found * numpy.maximum(0, 1 - 3 * variance / found**2)).sum()
    return measured / done.sum() / truth, best / done.sum() / truth


def ever_wrong_split(counts: Counts) -> float:
    """The share of tests whose variants were ever found to be shown unevenly."""
    days = [date(2026, 1, 1) + timedelta(days=at) for at in range(counts.loads.shape[2])]
    found = 0
    for test in counts.loads:
        loads = [(day, (int(one), int(two))) for day, (one, two) in zip(days, test.T, strict=True)]
        found += check_split(loads, 2).state is Split.WRONG
    return found / len(counts.loads)


def promised(random: RANDOM, tests: int, rates: list[float], habits: Habits, known: int = 14) -> tuple[float, float]:
    """Of tests that are open after `known` days: the share that is given days, and how often those hold. Days hold where
    the test settles within them; where they come with "may never settle", also where it takes longer than half a year."""
    counts = loading(random, tests, rates, habits, days=known + forecast.LONGEST_WAIT)
    settled, held, given, still = numpy.full(tests, 999), 0, 0, 0
    for look, now in ahead(counts, 0.03):
        settled = numpy.where(now & (settled == 999), look.days, settled)
    seen = counts.seen_before()
    for test in numpy.flatnonzero(settled > known):
        carried = float(seen[test, known - 1]) * 0.03
        contrast = compare_days(arms_by_day(counts, int(test), known), Mixture(0.03), carried=carried)
        nothing = Interval(-1.0, 1.0)
        found = forecast.get_wait(
            [VariantPair(0, 1, contrast, nothing, nothing, EvidenceLevel.NONE)], Mixture(0.03), 2, 0.05
        )
        still += 1
        if found is None or found.earliest is None or found.latest is None:
            continue
        more = int(settled[test]) - known
        given += 1
        held += found.earliest <= more <= found.latest or (found.maybe_never and more > forecast.LONGEST_WAIT)
    return given / still, held / max(given, 1)


def arms_by_day(counts: Counts, test: int, days: int) -> list[tuple[Arm, Arm]]:
    """One test's first two variants as the product takes them."""
    parts = counts.loads[test], counts.plays[test]
    return [
        (Arm(int(parts[0][0, day]), int(parts[1][0, day])), Arm(int(parts[0][1, day]), int(parts[1][1, day])))
        for day in range(days)
    ]


def counted(counts: Counts, test: int, days: int) -> list[VariantCounts]:
    """One test's variants as they are read out after so many days."""
    by_day = list(zip(*arms_by_day(counts, test, days), strict=True))
    first = date(2026, 1, 1)
    people = None if counts.people is None else counts.people[test, :, :days].sum(axis=1)
    return [
        VariantCounts(
            CountBasis.LOADS,
            Arm(sum(arm.loads for arm in arms), sum(arm.played for arm in arms)),
            None,
            {first + timedelta(days=day): arm for day, arm in enumerate(arms)},
            None if people is None else int(people[place]),
        )
        for place, arms in enumerate(by_day)
    ]


def planned(random: RANDOM, tests: int, plan: tuple[float, float, float, int], habits: Habits) -> float:
    """The share of tests with a lift that settle within the whole weeks that are planned."""
    base, lift, daily, variants = plan
    rates = [base] * (variants - 1) + [base * (1 + lift)]
    week = loading(random, 20, rates, habits, days=7, daily=daily / variants)
    seen, loads = float(week.seen_before()[:, -1].mean()), float(week.loads.sum()) / 20 / 7
    row = forecast.list_plan_rows(base, loads, variants, [lift], seen_before=seen)[0]
    assert row.weeks is not None
    counts = loading(random, tests, rates, habits, days=7 * row.weeks, daily=daily / variants)
    return ever_crowned(counts, base * lift, winner=variants - 1)


ONCE = Habits(0.0)
AGAIN = (0.2, 0.4, 0.6)
KINDS: tuple[dict[str, Any], ...] = ({}, {"same": True}, {"stop": True}, {"later": -0.15}, {"later": 0.15})
"""Everybody by chance; some always play; until they play; once seen, less eager or more."""
PLANS = tuple(
    (base, lift, daily, variants)
    for base, lift, daily in ((0.005, 0.2, 40_000), (0.05, 0.2, 3_000), (0.3, 0.1, 2_000), (0.6, 0.1, 300))
    for variants in (2, 3, 4, 6)
)
FEW_PLANS = tuple(plan for plan in PLANS if plan[3] < 4)


def worst(random: RANDOM, tests: int, share: float) -> dict[str, list[float]]:
    """Of all kinds of people who load again: the share of equal tests that ever settle, or reach strong or some evidence; as
    they are judged, as if nobody had seen another variant, and where the platform tells people alone.
    """
    found: dict[str, list[list[float]]] = {"": [], ", unwidened": [], ", by people": []}
    for kind in KINDS:
        counts = loading(random, tests, [0.3, 0.3], Habits(share, **kind))
        for name, judged in (("", counts), (", unwidened", unwidened(counts)), (", by people", counts.by_people())):
            found[name].append(levels(judged))
    return {name: [max(level) for level in zip(*kinds, strict=True)] for name, kinds in found.items()}


def unwidened(counts: Counts) -> Counts:
    """As if nobody had seen another variant before."""
    return replace(counts, people=counts.loads)


def main(tests: int = 10_000) -> Iterator[tuple[str, list[float]]]:
    """Every row of docs/statistics.md that is about loads, plays and days."""
    random, few = numpy.random.default_rng(2026), tests // 5
    yield "levels", levels(single(random, tests, [0.3, 0.3]))
    yield "90 days", levels(single(random, few, [0.3, 0.3], days=90))
    yield (
        "bases",
        [
            ever(single(random, few, [0.05, 0.05]), 0.005),
            ever(single(random, few, [0.01, 0.01], daily=2_000), 0.001),
            ever_crowned(single(random, few, [0.3] * 4), 0.03),
        ],
    )
    yield "lifts", [ever(single(random, tests // 2, [0.3, rate])) for rate in (0.33, 0.345)]
    yield "one percent", [ever(single(random, few, [0.01, 0.011], daily=10_000), 0.001)]
    yield "jumps", [ever(jumping(random, few, daily=daily)) for daily in (50, 200, 2_000, 20_000)]
    yield "held", list(never_outside(single(random, few, [0.3, 0.33], days=90), (0.3, 0.33)))
    yield "equal", [ever_equal(single(random, few, [0.3, 0.31], daily=2_000, days=90), 0.01)]
    yield (
        "first green",
        [
            value
            for lift in (0.1, 0.05)
            for value in at_first_green(single(random, few, [0.3, 0.3 + 0.3 * lift]), 0.3 * lift)
        ],
    )
    yield "split", [ever_wrong_split(loading(random, few, [0.3, 0.3], habits)) for habits in (ONCE, Habits(0.6))]
    again = few // 2
    for share in AGAIN:
        for name, found in worst(random, again, share).items():
            yield f"again {share}{name}", found
    for carried, apart in ((0.03, 0), (-0.03, 0), (-0.1, 0), (0.03, 1)):
        made = [loading(random, again, [0.3, 0.3], Habits(share, carried=carried, apart=apart)) for share in AGAIN]
        for share, counts in zip(AGAIN, made, strict=True):
            yield f"carried {carried}, {apart} days apart, {share}", levels(counts)
        yield f"carried {carried}, {apart} days apart, unwidened", [ever(unwidened(counts)) for counts in made]
        yield f"carried {carried}, {apart} days apart, by people", [ever(counts.by_people()) for counts in made]
    four = loading(random, again // 5, [0.3] * 4, Habits(0.4, carried=0.03))
    yield "four variants, carried", [ever_crowned(four, 0.03)]
    for carried in (0.0, 0.03, -0.03):
        made = [loading(random, again, [0.3, 0.33], Habits(share, carried=carried)) for share in AGAIN]
        yield f"held, carried {carried}", [min(never_outside(counts, (0.3, 0.33))) for counts in made]
        if not carried:
            yield "lift, again", [ever(counts) for counts in made]
            yield "first green, again", list(at_first_green(made[1], 0.03))
    yield (
        "lift, again, 90 days",
        [ever(loading(random, again // 2, [0.3, 0.33], Habits(share), days=90)) for share in AGAIN],
    )
    for carried in (0.0, -0.03):
        made = [loading(random, again, [0.3, 0.32], Habits(share, carried=carried), daily=2_000) for share in AGAIN]
        yield f"equal, again, carried {carried}", [ever_equal(counts, 0.02) for counts in made]
    for habits in (ONCE, Habits(0.4)):
        yield (
            f"promised {habits.share}",
            [value for rate in (0.3, 0.33) for value in promised(random, few // 10, [0.3, rate], habits)],
        )
    yield "planned", [min(planned(random, few // 10, plan, ONCE) for plan in PLANS)]
    yield "planned, again", [min(planned(random, few // 10, plan, Habits(0.4)) for plan in FEW_PLANS)]


if __name__ == "__main__":
    for name, values in main():
        print(f"{name}: {'; '.join(f'{100 * value:.1f} %' for value in values)}", flush=True)  # noqa: T201  (a command)

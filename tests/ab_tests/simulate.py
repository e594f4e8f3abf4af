"""Thousands of tests whose truth is known, looked at every day, by the engine of the read-out written again for arrays.

`python -m tests.ab_tests.simulate` measures what the README quotes, several times as thoroughly as the suite does.

People and plays are arrays of tests × variants × days. `tests/ab_tests/test_simulations.py` holds the arrays against the
product's own plain Python, so that what is simulated is what is shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

import numpy

from dashboard.ab_tests import dispersion, forecast, rules
from dashboard.ab_tests.dispersion import compare_days
from dashboard.ab_tests.rules import EvidenceLevel, VariantPair
from dashboard.ab_tests.splits import Split, check_split
from dashboard.ab_tests.statistics import Arm, Interval, Mixture

Counts = tuple[numpy.ndarray, numpy.ndarray]
DAYS, DAILY, FIRST = 28, 200, 7
RANDOM = numpy.random.Generator


def single(random: RANDOM, tests: int, rates: list[float], *, days: int = DAYS, daily: float = DAILY) -> Counts:
    """People who are counted once, `daily` for each variant."""
    people = random.poisson(daily, (tests, len(rates), days))
    return people, random.binomial(people, numpy.array(rates)[None, :, None])


def returning(
    random: RANDOM, tests: int, times: Mapping[int, float], *, apart: int = 1, rate: float = 0.3, days: int = DAYS
) -> Counts:
    """People who are counted on as many days as `times` says (days: share of people), `apart` days from each other, and who
    always do the same. With `apart` 0 the days are any of the test."""
    people, played = numpy.zeros((2, tests, 2, days), int)
    each = sum(count * share for count, share in times.items())
    for count, share in times.items():
        mean = DAILY * share / each  # people who come for the first time on a day
        if apart:
            here = random.poisson(mean, people.shape)
            players = random.binomial(here, rate)
            for again in range(count):
                people += numpy.roll(here, apart * again, 2)
                played += numpy.roll(players, apart * again, 2)
            continue
        sets = numpy.argsort(random.random((4_000, days)), axis=1)[:, :count]
        hit = (sets[:, :, None] == numpy.arange(days)).any(axis=1).astype(numpy.float32)
        for test in range(0, tests, 50):
            here = random.poisson(mean * days / len(hit), (min(50, tests - test), 2, len(hit)))
            players = random.binomial(here, rate)
            people[test : test + 50] += (here.astype(numpy.float32) @ hit).round().astype(int)
            played[test : test + 50] += (players.astype(numpy.float32) @ hit).round().astype(int)
    return people, played


def jumping(random: RANDOM, tests: int, *, jump: float = 0.05, daily: float = DAILY, days: int = DAYS) -> Counts:
    """Rates that jump by `jump` for every variant and day by itself."""
    people = random.poisson(daily, (tests, 2, days))
    return people, random.binomial(people, numpy.clip(random.normal(0.3, jump, people.shape), 0, 1))


def changed(random: RANDOM, tests: int, *, daily: float = 2_000, days: int = DAYS) -> Counts:
    """A split that changes from 50 to 80 % in the middle, while everybody's rate moves from 30 to 36 %."""
    later = numpy.arange(days) >= days // 2
    whole = random.poisson(2 * daily, (tests, days))
    second = random.binomial(whole, numpy.where(later, 0.8, 0.5))
    people = numpy.stack([whole - second, second], axis=1)
    return people, random.binomial(people, numpy.where(later, 0.36, 0.30))


def clustered(random: RANDOM, tests: int, *, top: int = 60, days: int = DAYS) -> Counts:
    """A heavy tail: some are counted many times on a day (Zipf's law with exponent 2) and always do the same."""
    people, played = numpy.zeros((2, tests, 2, days), int)
    shares = numpy.arange(1, top + 1) ** -2.0
    shares /= (shares * numpy.arange(1, top + 1)).sum()
    for count, share in enumerate(shares, 1):
        here = random.poisson(DAILY * share, people.shape)
        people, played = people + count * here, played + count * random.binomial(here, 0.3)
    return people, played


@dataclass(frozen=True)
class Look:
    """All tests after a number of days, for one pair of variants."""

    days: int
    rates: tuple[numpy.ndarray, numpy.ndarray]
    variances: tuple[numpy.ndarray, numpy.ndarray]
    factor: numpy.ndarray
    repeats: numpy.ndarray
    told: numpy.ndarray

    @property
    def difference(self) -> numpy.ndarray:
        found: numpy.ndarray = self.rates[1] - self.rates[0]
        return found

    @property
    def variance(self) -> numpy.ndarray:
        found: numpy.ndarray = (self.variances[0] + self.variances[1]) * self.factor
        return found


def looks(counts: Counts, effect: float, pair: tuple[int, int] = (0, 1), alpha: float = 0.05) -> Iterator[Look]:
    """What the read-out knows of every test at the end of each day, from the first week on."""
    viewers, plays = (part[:, list(pair)].astype(float) for part in counts)
    size = viewers.prod(axis=1) / numpy.maximum(viewers.sum(axis=1), 1)
    rate = plays / numpy.maximum(viewers, 1)
    spread = rate * (1 - rate) / numpy.maximum(viewers - 1, 1)
    enough = _enough(counts)
    for days in range(FIRST, viewers.shape[2] + 1):
        here, apart = size[:, :days], rate[:, 1, :days] - rate[:, 0, :days]
        whole = here.sum(axis=1)
        rates = [(here * rate[:, place, :days]).sum(axis=1) / whole for place in (0, 1)]
        variances = [(here**2 * spread[:, place, :days]).sum(axis=1) / whole**2 for place in (0, 1)]
        variance = numpy.maximum(variances[0] + variances[1], 1e-12)
        off = here * (apart - (rates[1] - rates[0])[:, None])
        played = _resemblance(off, variance * whole**2)
        reach = reaches(variance, effect, alpha) ** 2 / variance
        jumps = _jumps(played[0], days, reach)
        repeats = _repeats(viewers[:, :, :days], played, days)
        factor = jumps * (1 + numpy.maximum(repeats, dispersion.get_unknown_share(days)))
        told = enough[:, days - 1] & (repeats <= rules.REPEATS_MOST)
        yield Look(days, (rates[0], rates[1]), (variances[0], variances[1]), factor, repeats, told)


def _enough(counts: Counts) -> numpy.ndarray:
    viewers, plays = (part.cumsum(axis=2) for part in counts)
    least = numpy.minimum(plays, viewers - plays).min(axis=1)
    found: numpy.ndarray = (viewers.min(axis=1) >= rules.VIEWERS_MIN) & (least >= rules.EACH_WAY_MIN)
    return found


def _resemblance(off: numpy.ndarray, expected: numpy.ndarray) -> list[numpy.ndarray]:
    days = off.shape[1]
    return [(off[:, apart:] * off[:, : days - apart]).sum(axis=1) / expected for apart in range(5)]


def _repeated(found: list[numpy.ndarray]) -> numpy.ndarray:
    weighed: numpy.ndarray = numpy.tensordot(numpy.array(dispersion.LAGS), numpy.array(found[1:]), axes=1)
    return 2 * weighed


def _jumps(scatter: numpy.ndarray, days: int, reach: numpy.ndarray) -> numpy.ndarray:
    found = scatter * days / (days - 1)
    student = found * (days - 1) * numpy.expm1(reach / days) / reach
    return numpy.where(found > 1 + 1.65 * numpy.sqrt(2 / (days - 1)), student, 1.0)


def _repeats(viewers: numpy.ndarray, played: list[numpy.ndarray], days: int) -> numpy.ndarray:
    near = _repeated(played)
    near = (near + (played[0] + near) * 1.6 * sum(dispersion.LAGS) / days) / numpy.maximum(1, played[0])
    people = viewers.sum(axis=1)
    off, expected = viewers[:, 1] - people / 2, people.sum(axis=1) / 4
    split = _resemblance(off, expected)
    total = numpy.maximum(0, off.sum(axis=1) ** 2 / expected - 1)
    both = (near + _repeated(split) / numpy.maximum(1, split[0])) / 2 + 0.2 * total
    found: numpy.ndarray = numpy.maximum(0, numpy.where(split[0] < 0.5, near, both))
    return found


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
        yield look, look.told & (abs(look.difference) > reaches(look.variance, effect, times * alpha))


def ever(counts: Counts, effect: float = 0.03, alpha: float = 0.05, times: int = 1) -> float:
    """The share of tests of two variants that ever reach a level."""
    reached = numpy.zeros(len(counts[0]), bool)
    for _look, now in ahead(counts, effect, alpha, times):
        reached |= now
    return float(reached.mean())


def ever_crowned(counts: Counts, effect: float, alpha: float = 0.05, winner: int | None = None) -> float:
    """The share of tests of several variants in which a look ever crowns one, or the `winner`."""
    tests, variants, _days = counts[0].shape
    level, reached = alpha / (variants - 1), numpy.zeros(tests, bool)
    winners = range(variants) if winner is None else [winner]
    for leader in winners:
        others = [looks(counts, effect, (other, leader), level) for other in range(variants) if other != leader]
        for together in zip(*others, strict=True):
            beats = [one.told & (one.difference > reaches(one.variance, effect, level)) for one in together]
            reached |= numpy.all(beats, axis=0)
    return float(reached.mean())


def never_outside(counts: Counts, rates: tuple[float, float], effect: float = 0.03) -> tuple[float, float]:
    """The share of tests whose range holds the true difference, and the true lift, at every look."""
    held = numpy.ones((2, len(counts[0])), bool)
    lift = rates[1] / rates[0]
    for look in looks(counts, effect):
        reach = reaches(look.variance, effect, 0.05)
        square = reach**2 / look.variance * look.factor
        distance = (look.rates[1] - lift * look.rates[0]) ** 2
        held[0] &= ~look.told | (abs(look.difference - rates[1] + rates[0]) <= reach)
        held[1] &= ~look.told | (distance <= square * (look.variances[1] + lift**2 * look.variances[0]))
    return float(held[0].mean()), float(held[1].mean())


def ever_equal(counts: Counts, band: float, effect: float = 0.03) -> float:
    """The share of tests that ever count as practically equal."""
    said = numpy.zeros(len(counts[0]), bool)
    for look in looks(counts, effect):
        said |= look.told & (abs(look.difference) + reaches(look.variance, effect, 0.05) < band)
    return float(said.mean())


def at_first_green(counts: Counts, truth: float, effect: float = 0.03) -> tuple[float, float]:
    """What was measured, and the best estimate, on the day a test settles: on average, in parts of the truth."""
    done, measured, best = numpy.zeros(len(counts[0]), bool), 0.0, 0.0
    for look, now in ahead(counts, effect):
        new = now & ~done
        done |= new
        found, variance = look.difference[new], look.variance[new]
        measured += found.sum()
        best += (found * numpy.maximum(0, 1 - 3 * variance / found**2)).sum()
    return measured / done.sum() / truth, best / done.sum() / truth


def withheld(counts: Counts, effect: float = 0.03) -> float:
    """The share of tests that on the last day cannot tell, because people seem to be counted again."""
    *_before, last = looks(counts, effect)
    return float((last.repeats > rules.REPEATS_MOST).mean())


def ever_wrong_split(counts: Counts) -> float:
    """The share of tests whose split was ever found wrong."""
    days = [date(2026, 1, 1) + timedelta(days=at) for at in range(counts[0].shape[2])]
    found = 0
    for test in counts[0]:
        people = [(day, (int(one), int(two))) for day, (one, two) in zip(days, test.T, strict=True)]
        found += check_split(people, (0.5, 0.5)).state is Split.WRONG
    return found / len(counts[0])


def promised(random: RANDOM, tests: int, rates: list[float], known: int = 14) -> tuple[float, float]:
    """Of tests that are open after `known` days: the share that is given days, and how often those hold. Days hold where
    the test settles within them; where they come with "may never settle", also where it takes longer than half a year."""
    counts = single(random, tests, rates, days=known + forecast.LONGEST_WAIT)
    settled, held, given, still = numpy.full(tests, 999), 0, 0, 0
    for look, now in ahead(counts, 0.03):
        settled = numpy.where(now & (settled == 999), look.days, settled)
    for test in numpy.flatnonzero(settled > known):
        arms = [
            [Arm(int(one), int(two)) for one, two in zip(*side, strict=True)]
            for side in zip(*(part[test, :, :known] for part in counts), strict=True)
        ]
        contrast = compare_days(list(zip(*arms, strict=True)), Mixture(0.03))
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


def planned(random: RANDOM, tests: int, base: float, lift: float, daily: float, variants: int) -> float:
    """The share of tests with a lift that settle within the whole weeks that are planned."""
    row = forecast.list_plan_rows(base, daily, variants, [lift])[0]
    assert row.weeks is not None
    rates = [base] * (variants - 1) + [base * (1 + lift)]
    counts = single(random, tests, rates, days=7 * row.weeks, daily=daily / variants)
    return ever_crowned(counts, base * lift, winner=variants - 1)


TIMES = {
    "1.5": {1: 0.5, 2: 0.5},
    "2": {2: 1.0},
    "3": {3: 1.0},
    "1 to 3": {1: 1 / 3, 2: 1 / 3, 3: 1 / 3},
}
TAIL = {count: 1 / count**2 for count in range(1, 29)}
"""A heavy tail: people who are counted on up to 28 days, by Zipf's law."""
PLANS = tuple(
    (base, lift, daily, variants)
    for base, lift, daily in ((0.005, 0.2, 40_000), (0.05, 0.2, 3_000), (0.3, 0.1, 2_000), (0.6, 0.1, 300))
    for variants in (2, 3, 4, 6)
)


def main(tests: int = 10_000) -> Iterator[tuple[str, list[float]]]:
    """Every row of the README that is about people, plays and days."""
    random, few = numpy.random.default_rng(2026), tests // 5
    equal = single(random, tests, [0.3, 0.3])
    yield "levels", [ever(equal, times=times) for times in (1, 2, 4)]
    yield "90 days", [ever(single(random, few, [0.3, 0.3], days=90), times=times) for times in (1, 2, 4)]
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
    for name, times in TIMES.items():
        yield name, [ever(returning(random, few, times, apart=apart)) for apart in (1, 2, 0)]
    yield "tail", [ever(returning(random, few, TAIL)), ever(clustered(random, few))]
    yield "jumps", [ever(jumping(random, few, daily=daily)) for daily in (50, 200, 2_000, 20_000)]
    yield "changed", [ever(changed(random, few))]
    yield "withheld", [withheld(single(random, few, [0.3, 0.3])), withheld(returning(random, few, TIMES["3"]))]
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
    yield (
        "split",
        [
            ever_wrong_split(single(random, few, [0.3, 0.3])),
            ever_wrong_split(clustered(random, few)),
            ever_wrong_split(returning(random, few, TIMES["3"])),
        ],
    )
    yield "promised", [value for rate in (0.3, 0.33) for value in promised(random, few // 10, [0.3, rate])]
    yield "planned", [min(planned(random, few // 10, *plan) for plan in PLANS)]


if __name__ == "__main__":
    for name, values in main():
        print(f"{name}: {'; '.join(f'{100 * value:.1f} %' for value in values)}", flush=True)  # noqa: T201  (a command)

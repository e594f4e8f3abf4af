"""Text of the verdict, its facts, and drawings of its ranges with every number as text. `rules.py` decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.ab_tests import forecast, rules
from dashboard.ab_tests.forecast import Wait
from dashboard.ab_tests.queries import Study
from dashboard.ab_tests.rules import CountBasis, Doubt, EvidenceLevel, VariantPair, Verdict
from dashboard.ab_tests.statistics import Interval, Mixture
from dashboard.shared.charts import interval
from dashboard.shared.charts.drawing import on_page
from dashboard.shared.charts.figures import count, day, signed
from dashboard.shared.charts.plot import Tick


@dataclass(frozen=True)
class RangePlot:
    """One range on its scale, with every number as text."""

    title: str
    words: str
    shapes: SafeString
    spoken: str
    ticks: tuple[Tick, ...]
    sub: str = ""


@dataclass(frozen=True)
class RangeUnit:
    """How a difference or a lift is written: its decimals at a tick, and its unit."""

    unit: str = ""

    def number(self, share: float, digits: int) -> str:
        return signed(share * 100, digits) + self.unit

    def tick(self, on: interval.Scale, step: float) -> str:
        return (signed(step * 100, _count_step_digits(on)) + self.unit) if step else count(0)


POINTS, PERCENT = RangeUnit(), RangeUnit("%")


def build_plots(study: Study) -> tuple[RangePlot, ...]:
    """Every difference on one scale: bars below each other are compared by their length and place. Of two variants the lift
    stands below, with a scale of its own."""
    pairs = study.readout.pairs
    on = _build_scale([pair.difference for pair in pairs])
    plots = [_plot_difference(study, pair, on) for pair in pairs]
    if len(pairs) == 1 and pairs[0].lift.high != inf:
        plots.append(_plot_lift(study, pairs[0], _build_scale([pairs[0].lift])))
    return tuple(plots)


def _build_scale(ranges: Sequence[Interval]) -> interval.Scale:
    return interval.build_scale(min(bounds.low for bounds in ranges), max(bounds.high for bounds in ranges))


def _plot_difference(study: Study, pair: VariantPair, on: interval.Scale) -> RangePlot:
    contrast, letters = pair.contrast, get_letters(study, pair)
    words = format_difference(pair.difference)
    sub = "" if len(study.variants) == rules.VARIANTS_MIN else _("Lift: %(range)s") % {"range": format_lift(pair.lift)}
    title = _("Difference in play rate, %(second)s minus %(first)s") % letters
    return _build_plot(title, words, pair.difference, (contrast.best, contrast.difference), on, POINTS, sub)


def _plot_lift(study: Study, pair: VariantPair, on: interval.Scale) -> RangePlot:
    contrast = pair.contrast
    title = _("Lift over %(first)s") % get_letters(study, pair)
    values = contrast.best / contrast.first, contrast.difference / contrast.first
    return _build_plot(title, format_lift(pair.lift), pair.lift, values, on, PERCENT)


def _build_plot(
    title: str,
    words: str,
    bounds: Interval,
    values: tuple[float, float],
    on: interval.Scale,
    measure: RangeUnit,
    sub: str = "",
) -> RangePlot:
    best, measured = values
    shapes = interval.interval_shapes(on, best, wide=(bounds.low, bounds.high), measured=measured)
    digits = count_digits(bounds)
    spoken = _("%(range)s. Best estimate %(best)s, measured so far %(measured)s.") % {
        "range": words,
        "best": measure.number(best, digits),
        "measured": measure.number(measured, digits),
    }
    marks = interval.ticks(on, {step: measure.tick(on, step) for step in on.steps})
    return RangePlot(title, words, shapes=on_page(shapes), spoken=spoken, ticks=marks, sub=sub)


def get_letters(study: Study, pair: VariantPair) -> dict[str, str]:
    """The letters of both variants."""
    return {"first": study.variants[pair.first].letter, "second": study.variants[pair.second].letter}


def format_difference(bounds: Interval) -> str:
    """−0.2 to +4.6 points."""
    return _("%(low)s to %(high)s points") % format_bounds(bounds)


def format_bounds(bounds: Interval) -> dict[str, str]:
    """Both ends of a range in points."""
    digits = count_digits(bounds)
    return {"low": POINTS.number(bounds.low, digits), "high": POINTS.number(bounds.high, digits)}


def format_lift(bounds: Interval) -> str:
    """−0.6% to +14.8%; a lift whose end is not known yet says so."""
    if bounds.high == inf:
        low = PERCENT.number(bounds.low, 0)
        return _("%(low)s or more") % {"low": low} if bounds.low > 0 else _("not known yet")
    digits = count_digits(bounds)
    values = {"low": PERCENT.number(bounds.low, digits), "high": PERCENT.number(bounds.high, digits)}
    return _("%(low)s to %(high)s") % values


def count_digits(bounds: Interval) -> int:
    """The number of decimals needed so that a bound beside zero is not written as zero."""
    for digits in (1, 2, 3):
        if all(bound == 0 or round(bound * 100, digits) != 0 for bound in (bounds.low, bounds.high)):
            return digits
    return 4


def _count_step_digits(on: interval.Scale) -> int:
    step = (on.steps[1] - on.steps[0]) * 100
    return next((digits for digits in range(4) if abs(step - round(step, digits)) < 1e-9), 4)


def format_relative(difference: float, rate: float) -> str:
    """A difference relative to a rate: (+3.2%)."""
    return f"({signed(difference / rate * 100)}%)" if rate else ""


def format_points(share: float, digits: int = 1) -> str:
    """A difference of rates in percentage points."""
    return _("%(value)s points") % {"value": signed(share * 100, digits)}


LOOKS = {
    Verdict.NOT_COUNTED: ("is-none", "unknown"),
    Verdict.ALONE: ("is-none", "unknown"),
    Verdict.COLLECTING: ("is-queue", "queue"),
    Verdict.SPLIT_WRONG: ("is-error", "error"),
    Verdict.CANNOT_TELL: ("is-queue", "unknown"),
    Verdict.NO_EVIDENCE: ("is-queue", "queue"),
    Verdict.SOME: ("is-open", "open"),
    Verdict.STRONG: ("is-leaning", "leaning"),
    Verdict.EQUAL: ("is-resolved", "resolved"),
    Verdict.BETTER: ("is-finished", "finished"),
}
"""The state class and the shape of each verdict. Only `BETTER` has the finished one."""


@dataclass(frozen=True)
class VerdictFact:
    """A figure below the verdict."""

    label: str
    value: str
    sub: str = ""


@dataclass(frozen=True)
class VerdictText:
    """The verdict as the page shows it. `tell` is a sentence to pass on, empty if there is no result."""

    word: str
    why: str
    look: str
    shape: str
    marks: tuple[tuple[str, bool, bool], ...]
    """The levels of evidence on their scale: name, whether it is reached, whether it is the one."""
    plots: tuple[RangePlot, ...]
    facts: tuple[VerdictFact, ...]
    notes: tuple[str, ...]
    tell: str


def build_verdict(study: Study) -> VerdictText:
    """Build the text of the verdict, with its ranges and facts."""
    look, shape = LOOKS[study.readout.verdict]
    wait = get_wait(study)
    drawn = study.readout.drawn
    return VerdictText(
        format_word(study),
        format_reason(study),
        look=look,
        shape=shape,
        marks=build_marks(study),
        plots=build_plots(study) if drawn else (),
        facts=build_facts(study, wait) if drawn else (),
        notes=list_notes(study, wait) if drawn else (),
        tell=format_summary(study),
    )


def build_marks(study: Study) -> tuple[tuple[str, bool, bool], ...]:
    """The four levels of evidence; empty if the data do not support a verdict."""
    if study.readout.verdict not in rules.VERDICTS.values():
        return ()
    names = {
        EvidenceLevel.NONE: pgettext("evidence", "None"),
        EvidenceLevel.SOME: pgettext("evidence", "Some"),
        EvidenceLevel.STRONG: pgettext("evidence", "Strong"),
        EvidenceLevel.SETTLED: pgettext("evidence", "Settled"),
    }
    level = study.readout.level
    return tuple((name, EvidenceLevel.NONE < at <= level, at == level) for at, name in names.items())


def get_wait(study: Study) -> Wait | None:
    """The days left of a running test that is not settled."""
    readout, terms = study.readout, study.terms
    if not study.running or readout.verdict not in (Verdict.NO_EVIDENCE, Verdict.SOME, Verdict.STRONG):
        return None
    mixture = Mixture(terms.worth_finding or rules.VerdictTerms().effect)
    return forecast.get_wait(readout.pairs, mixture, len(study.variants), readout.alpha)


def _get_leader_letter(study: Study) -> str:
    leader = study.readout.leader
    return study.variants[leader].letter if leader is not None else ""


def format_word(study: Study) -> str:
    """The verdict's few words."""
    values = {"letter": _get_leader_letter(study)}
    match study.readout.verdict:
        case Verdict.NOT_COUNTED:
            return _("No result from these numbers")
        case Verdict.ALONE:
            return _("Nothing to compare")
        case Verdict.COLLECTING:
            return _("Collecting")
        case Verdict.SPLIT_WRONG:
            return _format_split_wrong(study)
        case Verdict.CANNOT_TELL:
            return _format_doubt(study)
        case Verdict.NO_EVIDENCE:
            return _("No evidence yet") if study.running else _("No evidence")
        case Verdict.SOME:
            return _("Some evidence for %(letter)s") % values
        case Verdict.STRONG:
            return _("Strong evidence for %(letter)s") % values
        case Verdict.EQUAL:
            return _("Practically equal")
        case Verdict.BETTER:
            return _("Settled: %(letter)s is better") % values


def _format_split_wrong(study: Study) -> str:
    split = study.readout.split
    if split is None or split.since is None or not study.readout.days:
        return _("No result: the variants are not shown equally often")
    return _("No result: the variants were not shown equally often (%(day)s)") % {"day": day(split.since)}


def _format_doubt(study: Study) -> str:
    match study.readout.doubt:
        case Doubt.NO_DAYS:
            return _("Can't tell: there are no numbers by day")
        case _other:
            return _("Can't tell: less than a week of data")


def format_reason(study: Study) -> str:
    """One or two sentences of why."""
    match study.readout.verdict:
        case Verdict.NOT_COUNTED:
            return _format_not_counted(study)
        case Verdict.ALONE:
            return _("A test needs two variants. With one there is nothing to compare.")
        case Verdict.COLLECTING:
            return _format_collecting(study)
        case Verdict.SPLIT_WRONG:
            return _(
                "Chance alone would show each of them about equally often. One of the videos is probably shown elsewhere too, "
                "or could not be loaded, so this test can't give a result any more. Start a new test. The numbers stay below."
            )
        case Verdict.CANNOT_TELL:
            return _format_doubt_reason(study)
        case Verdict.EQUAL:
            return _format_equal(study)
        case Verdict.BETTER:
            return _format_better(study)
        case _other:
            return _format_unsettled(study)


def _format_unsettled(study: Study) -> str:
    """No, some or strong evidence, with the range of the closest difference in favour of who is ahead."""
    readout, leader = study.readout, _get_leader_letter(study)
    if readout.verdict is Verdict.NO_EVIDENCE:
        first = _("No difference can be shown yet.") if study.running else _("No difference could be shown.")
        if len(readout.pairs) > 1:
            return f"{first} {_('The variants may be equal.')}"
        values = {**get_letters(study, readout.pairs[0]), **format_bounds(readout.pairs[0].difference)}
        sentence = _("%(first)s and %(second)s may be equal: %(low)s to %(high)s points.")
        return f"{first} {sentence % values}"
    values = {"letter": leader, **format_bounds(get_leader_bounds(study))}
    if readout.verdict is Verdict.STRONG:
        return (
            _(
                "%(letter)s is probably better, but it isn't settled: the difference can still be %(low)s to %(high)s points."
            )
            % values
        )
    if study.running:
        return _("%(letter)s may be better. Keep the test running: %(low)s to %(high)s points.") % values
    return _("%(letter)s may be better: %(low)s to %(high)s points.") % values


def get_closest_pair(study: Study) -> VariantPair:
    """The difference that decides: the one with the least evidence."""
    return min(study.readout.pairs, key=lambda pair: abs(pair.contrast.difference))


def get_leader_bounds(study: Study) -> Interval:
    """The range of the deciding difference as leader minus other."""
    pair = get_closest_pair(study)
    if pair.second == study.readout.leader or study.readout.leader is None:
        return pair.difference
    return Interval(-pair.difference.high, -pair.difference.low)


def _format_equal(study: Study) -> str:
    low, high = (
        min(pair.difference.low for pair in study.readout.pairs),
        max(pair.difference.high for pair in study.readout.pairs),
    )
    band = signed(float(study.terms.equal_points), 1).lstrip("+")
    values = {**format_bounds(Interval(low, high)), "band": band}
    sentence = _(
        "The difference is between %(low)s and %(high)s points: smaller than the %(band)s points you called equal."
    )
    return f"{sentence % values} {_('Choose either.')}"


def _format_better(study: Study) -> str:
    values = {"letter": _get_leader_letter(study), **format_bounds(get_leader_bounds(study))}
    if len(study.readout.pairs) > 1:
        sentence = _(
            "%(letter)s is better than every other variant. Even checking every day, the difference is real; to the closest "
            "one it is %(low)s to %(high)s points."
        )
    else:
        sentence = _(
            "%(letter)s is better. Even checking every day, the difference is real: %(low)s to %(high)s points."
        )
    band = float(study.terms.equal_points) / 100
    if band > 0 and all(pair.difference.within(band) for pair in study.readout.pairs):
        return f"{sentence % values} {_('The difference is real, and smaller than what you called equal.')}"
    return sentence % values


def _format_not_counted(study: Study) -> str:
    if study.late:
        return _("The numbers are still loading.")
    if study.error() is not None:
        return _("The numbers of a variant could not be read, so they cannot be compared.")
    match study.readout.basis:
        case CountBasis.RATE:
            return _(
                "The platform sent only a rate. Without the number of page loads, it's impossible to say whether a difference is "
                "more than chance."
            )
        case CountBasis.IMPOSSIBLE:
            return _("The platform counted more plays than views, so a play rate cannot be worked out.")
        case _other:
            return _("The platform's answer has no page loads and plays to compare.")


def _format_doubt_reason(study: Study) -> str:
    readout = study.readout
    match readout.doubt:
        case Doubt.NO_DAYS:
            return _(
                "The platform gave totals. Without days, nothing shows how much chance moves them. The counts are below."
            )
        case _other:
            known = len(readout.days)
            sentence = ngettext(
                "There is %(count)s whole day of data.", "There are %(count)s whole days of data.", known
            )
            later = _("A result needs at least %(days)s days.") % {"days": rules.WEEK}
            return (
                f"{sentence % {'count': count(known)}} {later}" if study.running else sentence % {"count": count(known)}
            )


def _format_collecting(study: Study) -> str:
    arms = [variant.counted.arm for variant in study.variants if variant.counted.arm is not None]
    sentence = _(
        "Each variant needs %(loads)s page loads, %(each)s with a play and %(each)s without, before its numbers mean anything."
    ) % {"loads": rules.LOADS_MIN, "each": rules.EACH_WAY_MIN}
    days = rules.get_days_until_enough(arms, study.run.days) if study.running else None
    if days is None:
        return sentence
    return f"{sentence} " + ngettext(
        "At this pace about %(count)s more day.", "At this pace about %(count)s more days.", days
    ) % {"count": days}


def build_facts(study: Study, wait: Wait | None) -> tuple[VerdictFact, ...]:
    """The figures below the verdict: estimates and days left."""
    contrast = get_closest_pair(study).contrast
    facts = [
        VerdictFact(
            _format_label(study, _("Best estimate")),
            format_points(contrast.best),
            format_relative(contrast.best, contrast.first),
        ),
        VerdictFact(
            _format_label(study, _("Measured so far")),
            format_points(contrast.difference),
            format_relative(contrast.difference, contrast.first),
        ),
    ]
    if (left := build_days_left(wait)) is not None:
        facts.append(left)
    return tuple(facts)


def build_days_left(wait: Wait | None) -> VerdictFact | None:
    """The days left as a range, or that the test may never settle; None where nothing is left."""
    if wait is None:
        return None
    if wait.earliest is None or wait.latest is None:
        return VerdictFact(_("Days left"), _("May never settle"))
    sub = _("or may never settle") if wait.maybe_never else ""
    return VerdictFact(_("Days left"), _format_span(wait.earliest, wait.latest), sub)


def _format_span(earliest: int, latest: int) -> str:
    if earliest == latest:
        return count(earliest)
    return _("%(low)s to %(high)s") % {"low": count(earliest), "high": count(latest)}


def _format_label(study: Study, label: str) -> str:
    if len(study.variants) == rules.VARIANTS_MIN:
        return label
    values = {**get_letters(study, get_closest_pair(study)), "label": label}
    return _("%(label)s, %(second)s over %(first)s") % values


def list_notes(study: Study, wait: Wait | None) -> tuple[str, ...]:
    """Notes on the level of evidence, on the estimate, and on a test that may never settle."""
    readout, notes = study.readout, []
    if wait is not None and wait.earliest is None:
        notes.append(_("This test may never settle: the difference is probably smaller than it can find."))
    if readout.verdict is Verdict.BETTER and study.running:
        notes.append(_("You can finish the test."))
    times = {**rules.TIMES, EvidenceLevel.SETTLED: 1}
    if readout.verdict is not Verdict.EQUAL and readout.level in times:
        values = {"count": count(min(99, round(100 * readout.alpha * times[readout.level])))}
        notes.append(_("At most %(count)s of 100 tests without a real difference ever reach this level.") % values)
    if readout.level is not EvidenceLevel.NONE:
        first = _("Early results look larger than they are, so the best estimate is lower than what was measured.")
        notes.append(f"{first} {_('Plan with the best estimate.')}")
    return tuple(notes)


def format_summary(study: Study) -> str:
    """Format the verdict as a sentence to pass on."""
    readout = study.readout
    if not readout.drawn:
        return ""
    values = {"letter": _get_leader_letter(study), **get_letters(study, get_closest_pair(study))}
    values["other"] = values["first"] if values["letter"] == values["second"] else values["second"]
    if len(readout.pairs) > 1:
        values["other"] = _("the other variants")
    match readout.verdict:
        case Verdict.NO_EVIDENCE:
            return _("We can't say which variant gets more plays.")
        case Verdict.EQUAL:
            return _("The variants are practically equal. We can choose either.")
        case Verdict.SOME:
            return _("%(letter)s may be better than %(other)s, but the evidence is weak.") % values
        case Verdict.STRONG:
            first, last = _("%(letter)s is probably better than %(other)s."), _("It isn't settled yet.")
        case _other:
            first, last = (
                _("%(letter)s is better than %(other)s."),
                _("Even checking every day, the difference is real."),
            )
    return " ".join(part for part in (first % values, _format_effect(study), last) if part)


def _format_effect(study: Study) -> str:
    """Format how many more plays it gets, by the best estimate; empty if too few."""
    best = abs(get_closest_pair(study).contrast.best)
    of = next((size for size in (100, 1_000, 10_000) if best * size >= 1), None)
    if of is None:
        return ""
    more = round(best * of)
    values = {"count": count(more), "of": count(of), "points": format_points(best)}
    words = ngettext(
        "About %(count)s more play in every %(of)s page loads (%(points)s).",
        "About %(count)s more plays in every %(of)s page loads (%(points)s).",
        more,
    )
    return words % values

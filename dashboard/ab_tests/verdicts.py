"""The verdict in words, with its plot and its facts. The rules decide; here it is said."""

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ab_tests import rules
from dashboard.ab_tests.reading import Study
from dashboard.ab_tests.rules import Basis, Pair, Readout, Verdict
from dashboard.ab_tests.statistics import Interval
from dashboard.shared.charts import interval
from dashboard.shared.charts.figures import count, percent, signed
from dashboard.shared.charts.interval import drawn, interval_shapes, scale, ticks
from dashboard.shared.charts.plot import Tick

LOOKS = {
    Verdict.NOT_COUNTED: ("is-none", "unknown"),
    Verdict.ALONE: ("is-none", "unknown"),
    Verdict.COLLECTING: ("is-queue", "queue"),
    Verdict.SPLIT_WRONG: ("is-error", "warning"),
    Verdict.NO_DIFFERENCE: ("is-none", "none"),
    Verdict.LEANING: ("is-leaning", "leaning"),
    Verdict.EQUAL: ("is-in-progress", "exists"),
    Verdict.BETTER: ("is-finished", "finished"),
}
"""The state class and the shape of each verdict. Green is the finished one, and only `BETTER` has it."""


@dataclass(frozen=True)
class Fact:
    """A figure below the verdict."""

    label: str
    value: str
    sub: str = ""


@dataclass(frozen=True)
class Plotted:
    """One difference on its scale, with every number as text."""

    title: str
    strong: tuple[Tick, ...]
    shapes: SafeString
    spoken: str
    ticks: tuple[Tick, ...]
    honest: bool


@dataclass(frozen=True)
class Said:
    """The verdict as the page shows it."""

    word: str
    why: str
    look: str
    shape: str
    plots: tuple[Plotted, ...]
    facts: tuple[Fact, ...]
    single_key: str
    honest_key: str
    zero_key: str


def said(study: Study) -> Said:
    """The verdict in words, with its plots and facts."""
    look, shape = LOOKS[study.readout.verdict]
    level = percent(1 - study.readout.alpha, 0)
    return Said(
        word(study),
        why(study),
        look,
        shape,
        plots(study) if _shown(study.readout) else (),
        facts(study),
        _("%(level)s range for a single look") % {"level": level},
        _("Honest range, holds however often you look"),
        _("No difference"),
    )


def _shown(readout: Readout) -> bool:
    """A wrong split and too few people take the plot away, never the numbers in the table."""
    return readout.verdict in (Verdict.NO_DIFFERENCE, Verdict.LEANING, Verdict.EQUAL, Verdict.BETTER)


def _leader(study: Study) -> str:
    leader = study.readout.leader
    return study.variants[leader].letter if leader is not None else ""


def word(study: Study) -> str:
    """The verdict's few words."""
    match study.readout.verdict:
        case Verdict.NOT_COUNTED:
            return _("No verdict from these numbers")
        case Verdict.ALONE:
            return _("Nothing to compare")
        case Verdict.COLLECTING:
            return _("Collecting")
        case Verdict.SPLIT_WRONG:
            return _("Split looks wrong")
        case Verdict.NO_DIFFERENCE:
            return _("No clear difference yet")
        case Verdict.LEANING:
            return _("Leaning to %(letter)s") % {"letter": _leader(study)}
        case Verdict.EQUAL:
            return _("Practically equal")
        case Verdict.BETTER:
            return _("%(letter)s is better") % {"letter": _leader(study)}


def why(study: Study) -> str:
    """One or two sentences of why."""
    readout, letter = study.readout, _leader(study)
    match readout.verdict:
        case Verdict.NOT_COUNTED:
            return _not_counted(study)
        case Verdict.ALONE:
            return _("A test needs two variants. With one there is a rate, and nothing it could be better than.")
        case Verdict.COLLECTING:
            return _collecting(study)
        case Verdict.SPLIT_WRONG:
            return _(
                "The variants did not get the viewers they should have, and chance hardly explains it. Whatever moved the "
                "viewers may have moved the plays too, so there is no verdict. The numbers stay below."
            )
        case Verdict.NO_DIFFERENCE:
            return _("The numbers so far are what two equal variants could show.") + _wait(study)
        case Verdict.LEANING if readout.basis is Basis.LOADS:
            return _(
                "%(letter)s looks better, but the platform counted loads and not people, which makes every range too "
                "narrow. It stays at leaning."
            ) % {"letter": letter}
        case Verdict.LEANING:
            sentence = _(
                "%(letter)s is very likely better, but the range that stays honest under daily looking still includes no "
                "difference."
            )
            return sentence % {"letter": letter} + _wait(study)
        case Verdict.EQUAL:
            band = signed(float(study.terms.equal_points), 1).lstrip("+")
            sentence = _("Whatever the difference is, it is smaller than the %(band)s points you called equal.")
            return sentence % {"band": band}
        case Verdict.BETTER:
            return _better(study)


def _better(study: Study) -> str:
    sentence = _("The range that stays honest under daily looking excludes no difference, in favour of %(letter)s.") % {
        "letter": _leader(study)
    }
    band = float(study.terms.equal_points) / 100
    if band > 0 and all(pair.honest.within(band) for pair in study.readout.pairs):
        sentence += " " + _("The difference is real, and smaller than what you called equal.")
    return sentence


def _not_counted(study: Study) -> str:
    if study.late:
        return _("The platform is still answering.")
    if study.error() is not None:
        return _("The numbers of a variant could not be read, so they cannot be compared.")
    match study.readout.basis:
        case Basis.RATE:
            return _(
                "The platform answered with a rate alone. Without knowing of how many people, nobody can say whether a "
                "difference is more than chance."
            )
        case Basis.IMPOSSIBLE:
            return _("The platform counted more plays than views, so a play rate cannot be worked out.")
        case _other:
            return _("The platform's answer has no viewers and plays to compare.")


def _collecting(study: Study) -> str:
    arms = [variant.counted.arm for variant in study.variants if variant.counted.arm is not None]
    sentence = _(
        "Each variant needs %(viewers)s viewers, and %(each)s who played and %(each)s who did not, before its numbers mean "
        "anything."
    ) % {"viewers": rules.VIEWERS_MIN, "each": rules.EACH_WAY_MIN}
    days = rules.days_until_enough(arms, study.run.days) if study.running else None
    if days is None:
        return sentence
    return f"{sentence} " + ngettext(
        "At this pace about %(count)s more day.", "At this pace about %(count)s more days.", days
    ) % {"count": days}


def _wait(study: Study) -> str:
    days = days_left(study)
    if days is None or not study.running:
        return ""
    return " " + ngettext(
        "About %(count)s more day at this pace should settle it.",
        "About %(count)s more days at this pace should settle it.",
        days,
    ) % {"count": days}


def days_left(study: Study) -> int | None:
    """Days until a difference as large as the one seen would be settled, at the present pace."""
    arms = [variant.counted.arm for variant in study.variants if variant.counted.arm is not None]
    if study.readout.basis is not Basis.PEOPLE or len(arms) < rules.VARIANTS_MIN:
        return None
    return rules.days_until_settled(study.readout.pairs, arms, study.run.days, study.readout.alpha)


def facts(study: Study) -> tuple[Fact, ...]:
    """What a person asks next: how sure, how much, at what risk, how long."""
    readout = study.readout
    if readout.chances is None or not readout.pairs:
        return ()
    best = rules.leading([variant.counted.arm for variant in study.variants if variant.counted.arm is not None])
    letter = study.variants[best].letter
    pair = min(readout.pairs, key=lambda one: abs(one.difference))
    made = [
        Fact(_("Chance that %(letter)s is best") % {"letter": letter}, chance(readout.chances.best[best])),
        Fact(_lift_label(study, pair), points(pair.difference), _lift(pair)),
        Fact(_("Cost if %(letter)s is wrong") % {"letter": letter}, _loss(readout.chances.loss[best])),
    ]
    days = days_left(study)
    if days and study.running and readout.verdict in (Verdict.NO_DIFFERENCE, Verdict.LEANING):
        words = ngettext("about %(count)s day", "about %(count)s days", days) % {"count": count(days)}
        made.append(Fact(_("Time left, at this pace"), words))
    return tuple(made)


def _lift(pair: Pair) -> str:
    """The relative lift, with its range for a single look."""
    low, high = pair.lift_single.low * 100, pair.lift_single.high * 100
    digits = 1 if max(abs(low), abs(high)) < 10 else 0
    values = {"lift": signed(pair.lift * 100), "low": signed(low, digits), "high": signed(high, digits)}
    return _("%(lift)s%%, single look %(low)s%% to %(high)s%%") % values


def _lift_label(study: Study, pair: Pair) -> str:
    if len(study.variants) == rules.VARIANTS_MIN:
        return _("Lift")
    values = {"first": study.variants[pair.first].letter, "second": study.variants[pair.second].letter}
    return _("Lift of %(second)s over %(first)s") % values


def chance(share: float) -> str:
    """A probability that is never written as certain."""
    if share > 0.999:
        return _("over %(share)s") % {"share": percent(0.999, 1)}
    if share < 0.001:
        return _("under %(share)s") % {"share": percent(0.001, 1)}
    return percent(share, 1)


def points(share: float, digits: int = 1) -> str:
    """A difference of rates in percentage points."""
    return _("%(value)s points") % {"value": signed(share * 100, digits)}


def _loss(share: float) -> str:
    return _("%(value)s points") % {"value": small(share * 100)}


def small(value: float) -> str:
    """A small number with two decimals; one that would be written as zero is "under 0.01"."""
    return count(value, 2) if value >= 0.01 else _("under %(share)s") % {"share": count(0.01, 2)}


def plots(study: Study) -> tuple[Plotted, ...]:
    """Every difference, all on one scale: bars below each other are compared by their length and place."""
    pairs, honest = study.readout.pairs, study.readout.honest_drawn
    ranges = [one for pair in pairs for one in (pair.single, *((pair.honest,) if honest else ()))]
    on = scale(min(one.low for one in ranges), max(one.high for one in ranges))
    return tuple(plotted(study, pair, on) for pair in pairs)


def plotted(study: Study, pair: Pair, on: interval.Scale) -> Plotted:
    """A difference drawn: the honest range where there is one, the single look, the estimate, and zero."""
    honest = pair.honest if study.readout.honest_drawn else None
    wide = (honest.low, honest.high) if honest else None
    shapes = interval_shapes(on, pair.difference, wide=wide, narrow=(pair.single.low, pair.single.high))
    labelled = honest or pair.single
    digits = telling_digits(labelled)
    span = on.high - on.low
    strong = tuple(
        Tick(_percent((value - on.low) / span), signed(value * 100, digits))
        for value in (labelled.low, pair.difference, labelled.high)
    )
    words = {step: signed(step * 100, _step_digits(on)) for step in on.steps}
    words[0.0] = count(0)
    values = {"first": study.variants[pair.first].letter, "second": study.variants[pair.second].letter}
    return Plotted(
        _("%(second)s minus %(first)s, play rate") % values,
        strong,
        drawn(shapes),
        _spoken(pair, honest, digits),
        ticks(on, words),
        honest is not None,
    )


def _spoken(pair: Pair, honest: Interval | None, digits: int) -> str:
    def value(share: float) -> str:
        return signed(share * 100, digits)

    parts = [_("Estimate %(value)s points.") % {"value": value(pair.difference)}]
    if honest is not None:
        parts.append(_("Honest range %(low)s to %(high)s.") % {"low": value(honest.low), "high": value(honest.high)})
    low, high = value(pair.single.low), value(pair.single.high)
    parts.append(_("Single-look range %(low)s to %(high)s.") % {"low": low, "high": high})
    return " ".join(parts)


def telling_digits(bounds: Interval) -> int:
    """As many decimals as it takes for a bound beside zero not to be written as zero."""
    for digits in (1, 2, 3):
        if all(bound == 0 or round(bound * 100, digits) != 0 for bound in (bounds.low, bounds.high)):
            return digits
    return 4


def _step_digits(on: interval.Scale) -> int:
    step = (on.steps[1] - on.steps[0]) * 100
    return next((digits for digits in range(4) if abs(step - round(step, digits)) < 1e-9), 4)


def _percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"

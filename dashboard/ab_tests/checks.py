"""What stands beside the verdict: can it be trusted? In words; the rules decide."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.ab_tests import rules
from dashboard.ab_tests.counts import Pieces
from dashboard.ab_tests.reading import Study
from dashboard.ab_tests.rules import Basis, Split
from dashboard.shared.charts.figures import count, percent


@dataclass(frozen=True)
class Check:
    """One thing that decides whether the numbers can be trusted."""

    look: str
    shape: str
    badge: str
    title: str
    words: str


def checks(study: Study, edits: tuple[str, ...]) -> tuple[Check, ...]:
    """What stands beside the verdict: can it be trusted? `edits` are days on which the test was changed."""
    made = [_split(study), _sample(study), _duration(study), _loads(study)]
    if not study.run.known:
        words = _("The platform does not say when the test was started. Counted are the days since it was created.")
        made.append(Check("is-warning", "warning", _("Note"), _("Start not known"), words))
    if edits:
        words = _("Name or description changed on %(days)s. Results are not affected.") % {"days": ", ".join(edits)}
        made.append(Check("is-warning", "warning", _("Note"), _("Edited while running"), words))
    made.append(Check("is-none", "unknown", _("Note"), _("What is counted"), _what_is_counted(study)))
    return tuple(check for check in made if check is not None)


def _loads(study: Study) -> Check | None:
    if study.readout.basis is not Basis.LOADS:
        return None
    words = _("The platform counts loads, not people. One person who reloads counts twice, so ranges are too narrow.")
    return Check("is-warning", "warning", _("Caution"), _("Loads instead of people"), words)


def _what_is_counted(study: Study) -> str:
    """Viewers of each day, added up, are more than the people there were over the whole test."""
    words = _(
        "The platform counts every view of these videos in these days, also on pages that are not part of the test."
    )
    if not added_up(study):
        return words
    again = _("Whoever comes back at another time counts again; where many do, ranges are somewhat too narrow.")
    return f"{words} {again}"


def added_up(study: Study) -> str:
    """How viewers were counted, where their number is a sum; empty where the platform gave one figure, or no people."""
    if study.readout.basis is not Basis.PEOPLE:
        return ""
    found = {variant.pieces for variant in study.variants}
    if Pieces.HOURS in found:
        return _("Viewers and plays are people counted by the hour and added up.")
    if Pieces.DAYS in found:
        return _("Viewers and plays are people counted by the day and added up.")
    return ""


def _split(study: Study) -> Check | None:
    split = study.readout.split
    if split is None:
        return None
    values = {
        "expected": " / ".join(percent(share, 0) for share in split.expected),
        "seen": " / ".join(percent(share, 1) for share in split.seen),
        "chance": _p(split.probability),
    }
    sentence = _("Expected %(expected)s, seen %(seen)s.") % values
    title = _("Traffic split")
    match split.state:
        case Split.FAIR:
            words = _("Chance alone explains it (p = %(chance)s).") % values
            return Check("is-healthy", "healthy", _("Healthy"), title, f"{sentence} {words}")
        case Split.DOUBTFUL:
            words = _("Chance seldom does that (p = %(chance)s). Watch it.") % values
            return Check("is-warning", "warning", _("Doubtful"), title, f"{sentence} {words}")
        case Split.WRONG:
            words = _("Chance hardly ever does that (p = %(chance)s).") % values
            return Check("is-error", "error", pgettext("a check", "Wrong"), title, f"{sentence} {words}")
        case Split.NOT_JUDGED:
            words = _("Not judged, because loads are not people.")
            return Check("is-none", "unknown", _("Not judged"), title, f"{sentence} {words}")


def _p(probability: float) -> str:
    if probability < 0.0001:
        return _("under %(value)s") % {"value": count(0.0001, 4)}
    return count(probability, 2 if probability >= 0.01 else 4)


def _sample(study: Study) -> Check | None:
    arms = [variant.counted.arm for variant in study.variants if variant.counted.arm is not None]
    if len(arms) < len(study.variants) or not arms:
        return None
    values = {"viewers": rules.VIEWERS_MIN, "each": rules.EACH_WAY_MIN}
    if all(rules.enough(arm) for arm in arms):
        words = _("Each variant has at least %(viewers)s viewers, and %(each)s who played and who did not.") % values
        return Check("is-healthy", "healthy", _("Enough"), _("Sample"), words)
    words = _("A variant has fewer than %(viewers)s viewers, or than %(each)s who played or who did not.") % values
    return Check("is-queue", "queue", _("Too few"), _("Sample"), words)


def _duration(study: Study) -> Check | None:
    if study.draft:
        return None
    days, edges = study.run.days, _edges(study)
    if not days:
        return Check("is-none", "unknown", _("Note"), _("Duration"), edges) if edges else None
    weeks, rest = divmod(days, rules.WEEK)
    shown = ngettext("%(count)s whole day.", "%(count)s whole days.", days) % {"count": count(days)}
    if weeks and not rest:
        words = ngettext("That is one full week.", "That is %(count)s full weeks.", weeks) % {"count": count(weeks)}
        return Check("is-healthy", "healthy", _("Whole weeks"), _("Duration"), f"{shown} {words} {edges}".rstrip())
    words = _("Whole weeks are better: then every weekday weighs the same.")
    return Check("is-none", "unknown", _("Part of a week"), _("Duration"), f"{shown} {words} {edges}".rstrip())


def _edges(study: Study) -> str:
    """What became of the days of the start and of the end: they have hours that are not the test's."""
    run = study.run
    if run.whole is None:
        return _("No whole day has passed inside the test, so hours before its start or after its end are counted too.")
    if run.started is not None and run.whole.start > run.selection.days.start:
        if study.completed:
            return _("The days of the start and of the end are left out: they have hours outside of the test.")
        return _("The day of the start is left out: it has hours before the test.")
    return ""

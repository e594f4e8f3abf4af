"""The checks beside the verdict, as text: can the numbers be trusted? `rules.py` decides."""

from dataclasses import dataclass
from datetime import date, timedelta
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.ab_tests import rules
from dashboard.ab_tests.counts import Pieces
from dashboard.ab_tests.dispersion import Widening
from dashboard.ab_tests.queries import Study
from dashboard.ab_tests.ranges import format_points
from dashboard.ab_tests.rules import CountBasis, Doubt
from dashboard.ab_tests.splits import Split, SplitCheck
from dashboard.shared.charts.figures import count, day, percent
from dashboard.upstream.video_options import format_problems


@dataclass(frozen=True)
class TrustCheck:
    """One thing that decides whether the numbers can be trusted."""

    look: str
    shape: str
    badge: str
    title: str
    words: str


def build_checks(study: Study, edits: tuple[str, ...]) -> tuple[TrustCheck, ...]:
    """Build the checks beside the verdict. `edits`: the days on which the test was changed, formatted."""
    checks = [
        _check_split(study),
        _check_sample(study),
        _check_repeats(study),
        _check_jumps(study),
        _check_duration(study),
        _check_missing_days(study),
        _check_loads(study),
    ]
    checks.append(_check_scale(study))
    if not study.run.known:
        words = _("The platform doesn't say when the test started, so the days since its creation are counted.")
        checks.append(TrustCheck("is-warning", "warning", _("Note"), _("Start not known"), words))
    if edits:
        words = _("Name or description changed on %(days)s. Results are not affected.") % {"days": ", ".join(edits)}
        checks.append(TrustCheck("is-warning", "warning", _("Note"), _("Edited while running"), words))
    checks.append(TrustCheck("is-none", "unknown", _("Note"), _("What is counted"), _describe_counting(study)))
    return tuple(check for check in checks if check is not None)


def _check_loads(study: Study) -> TrustCheck | None:
    if study.readout.basis is not CountBasis.LOADS:
        return None
    words = _("The platform counts loads, not people. One person who reloads counts twice.")
    return TrustCheck("is-warning", "warning", _("Caution"), _("Loads instead of people"), words)


def _describe_counting(study: Study) -> str:
    return _(
        "The platform counts every view of these videos in these days, also on pages that are not part of the test."
    )


def format_counting_note(study: Study) -> str:
    """Say how viewers were counted if their number is a sum. Empty for a single figure, or if people were not counted."""
    if study.readout.basis is not CountBasis.PEOPLE:
        return ""
    pieces = {variant.pieces for variant in study.variants}
    if Pieces.HOURS in pieces:
        return _("Viewers and plays are people counted by the hour and added up.")
    if Pieces.DAYS in pieces:
        return _("Viewers and plays are people counted by the day and added up.")
    return ""


def _check_split(study: Study) -> TrustCheck | None:
    split, title = study.readout.split, _("Traffic split")
    if split is None:
        return None
    if problems := format_problems([variant.video for variant in study.variants if variant.video]):
        return TrustCheck("is-warning", "warning", _("Not all can be played"), title, " ".join(problems))
    match split.state:
        case Split.FAIR:
            since = study.readout.days[0] if study.readout.days else None
            words = _("Checked every day since %(day)s.") % {"day": day(since)} if since else ""
            return TrustCheck("is-healthy", "healthy", _("Healthy"), title, f"{_format_split(split)} {words}".rstrip())
        case Split.DOUBTFUL:
            words = f"{_format_split(split)} {_('This rarely happens by chance. Keep an eye on it.')}"
            return TrustCheck("is-warning", "warning", _("Doubtful"), title, words)
        case Split.WRONG:
            return TrustCheck(
                "is-error", "error", pgettext("a check", "Wrong"), title, _format_wrong_split(split, study)
            )
        case Split.NOT_JUDGED:
            words = f"{_format_split(split)} {_('Not judged, because loads are not people.')}"
            return TrustCheck("is-none", "unknown", _("Not judged"), title, words)


def format_shares(shares: tuple[float, ...], digits: int = 1) -> str:
    """50.2% / 49.8%."""
    return " / ".join(percent(share, digits) for share in shares)


def _format_split(split: SplitCheck) -> str:
    values = {"planned": format_shares(split.expected, 0), "measured": format_shares(split.shares)}
    return _("Planned %(planned)s, measured %(measured)s.") % values


def _format_wrong_split(split: SplitCheck, study: Study) -> str:
    if split.since is None or not study.readout.days:
        return f"{_format_split(split)} {_('This almost never happens by chance.')}"
    values = {
        "planned": format_shares(split.expected, 0),
        "day": day(split.since),
        "measured": format_shares(split.then),
    }
    words = _("Planned %(planned)s. What was measured on %(day)s almost never happens by chance.") % values
    if split.then:
        words = (
            _("Planned %(planned)s, measured %(measured)s on %(day)s. This almost never happens by chance.") % values
        )
    if split.recovered:
        words += " " + _("It looks right now, but the numbers include the days when it was wrong.")
    return words


def _format_widening(share: float) -> str:
    """Format by how much a variance widens the ranges: 12%."""
    return percent(sqrt(share) - 1, 0)


def _get_widest(study: Study) -> Widening | None:
    if not study.readout.pairs:
        return None
    return max((pair.contrast.widening for pair in study.readout.pairs), key=lambda widening: widening.factor)


def _check_repeats(study: Study) -> TrustCheck | None:
    title, widening = _("Same people on several days"), _get_widest(study)
    if study.readout.doubt is Doubt.REPEATS:
        words = _("Neighbouring days are too similar: many people are probably counted on several days.")
        return TrustCheck("is-warning", "warning", _("Caution"), title, words)
    if widening is None:
        return None
    share = _format_widening(1 + max(widening.repeats, widening.unknown))
    if widening.unknown > widening.repeats and widening.unknown >= 0.1:
        words = _("There are too few days to see how many people come back. Until then the ranges are %(share)s wider.")
        return TrustCheck("is-queue", "queue", _("Not known yet"), title, words % {"share": share})
    if widening.repeats < 0.02:
        return TrustCheck(
            "is-healthy", "healthy", _("Measured"), title, _("Nothing suggests that people are counted again.")
        )
    words = _("On average, each person seems to be counted on %(days)s days, so the ranges are %(share)s wider.")
    values = {"days": count(1 + widening.repeats, 1), "share": share}
    return TrustCheck("is-healthy", "healthy", _("Measured"), title, words % values)


def _check_jumps(study: Study) -> TrustCheck | None:
    widening, title = _get_widest(study), _("Steady days")
    if widening is None:
        return None
    if widening.jumps <= 1:
        words = _("Differences between days are no larger than chance.")
        return TrustCheck("is-healthy", "healthy", _("Healthy"), title, words)
    words = _("Days differ more than by chance, so the ranges are %(share)s wider.")
    return TrustCheck(
        "is-warning", "warning", _("Measured"), title, words % {"share": _format_widening(widening.jumps)}
    )


def list_missing_days(study: Study) -> tuple[date, ...]:
    """List the counted days without numbers of some variant. Empty if the answer has no days."""
    known, run = study.readout.days, study.run
    if not known or run.whole is None:
        return ()
    every = (run.whole.start + timedelta(days=number) for number in range(len(run.whole)))
    return tuple(counted_day for counted_day in every if counted_day not in set(known))


def _check_missing_days(study: Study) -> TrustCheck | None:
    missing, whole = list_missing_days(study), study.run.whole
    if not missing or whole is None:
        return None
    title = _("%(day)s and %(count)s more") % {"day": day(missing[0]), "count": count(len(missing) - 1)}
    if len(missing) <= 3:
        title = ", ".join(day(missing_day) for missing_day in missing)
    words = _("%(known)s of %(whole)s days have numbers. The other days are not counted for any variant.")
    values = {"known": count(len(whole) - len(missing)), "whole": count(len(whole))}
    return TrustCheck("is-queue", "unknown", _("No data"), title, words % values)


def _check_scale(study: Study) -> TrustCheck | None:
    """The lift that the read-out looks for, and its source."""
    terms = study.terms
    if terms.worth_finding is None or not terms.base_at_start:
        return None
    values = {
        "lift": percent(terms.worth_finding / terms.base_at_start, 0),
        "base": percent(terms.base_at_start),
        "points": format_points(terms.worth_finding),
    }
    words = (
        _("A lift of about %(lift)s over a play rate of %(base)s: %(points)s. Set once, at the start of the test.")
        % values
    )
    return TrustCheck(
        "is-none", "unknown", _("Note"), _("What is looked for"), f"{words} {_format_source(terms.base_from)}".rstrip()
    )


def _format_source(base_from: str) -> str:
    match base_from:
        case "plan":
            return _("The play rate is that of the plan.")
        case "variants":
            return _("The play rate is that of these videos in the 28 days before.")
        case "account":
            return _("The play rate is that of the whole account in the 28 days before.")
        case "first-day":
            return _("The play rate is that of the first day, because there are no earlier numbers.")
        case _other:
            return _("The play rate is a typical one, because there are no earlier numbers.")


def _check_sample(study: Study) -> TrustCheck | None:
    arms = [variant.counted.arm for variant in study.variants if variant.counted.arm is not None]
    if len(arms) < len(study.variants) or not arms:
        return None
    values = {"viewers": rules.VIEWERS_MIN, "each": rules.EACH_WAY_MIN}
    if all(rules.is_enough(arm) for arm in arms):
        words = (
            _("Each variant has at least %(viewers)s viewers, %(each)s who played and %(each)s who didn't.") % values
        )
        return TrustCheck("is-healthy", "healthy", _("Enough"), _("Sample"), words)
    words = (
        _(
            "A variant has fewer than %(viewers)s viewers, fewer than %(each)s who played, or fewer than %(each)s who didn't."
        )
        % values
    )
    return TrustCheck("is-queue", "queue", _("Too few"), _("Sample"), words)


def _check_duration(study: Study) -> TrustCheck | None:
    if study.draft:
        return None
    days, edges = study.run.days, _format_edges(study)
    if not days:
        return TrustCheck("is-none", "unknown", _("Note"), _("Duration"), edges) if edges else None
    weeks, rest = divmod(days, rules.WEEK)
    sentence = ngettext("%(count)s whole day.", "%(count)s whole days.", days) % {"count": count(days)}
    if weeks and not rest:
        words = ngettext("That is one full week.", "That is %(count)s full weeks.", weeks) % {"count": count(weeks)}
        return TrustCheck(
            "is-healthy", "healthy", _("Whole weeks"), _("Duration"), f"{sentence} {words} {edges}".rstrip()
        )
    words = _("Whole weeks are better: then every weekday weighs the same.")
    return TrustCheck("is-none", "unknown", _("Part of a week"), _("Duration"), f"{sentence} {words} {edges}".rstrip())


def _format_edges(study: Study) -> str:
    """Say whether the first and last day are left out: they have hours outside the test."""
    run = study.run
    if run.whole is None:
        return _("The test has no whole day, so hours before its start or after its end are counted too.")
    if run.started is not None and run.whole.start > run.selection.days.start:
        if study.completed:
            return _("The first and last day are left out: parts of them are outside the test.")
        return _("The first day is left out: part of it is before the test.")
    return ""

"""Messages beside the verdict: parts of a test that could not be read, and checks whether its numbers can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.ab_tests import rules
from dashboard.ab_tests.queries import Study, Variant
from dashboard.ab_tests.rules import CountBasis
from dashboard.ab_tests.statistics import Split, SplitCheck, Widening
from dashboard.ab_tests.verdicts import format_points
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared import formats, metrics, refusals
from dashboard.shared.charts.figures import count, day, percent
from dashboard.upstream.figures import FigureAnswer, Trouble, trouble
from dashboard.upstream.video_options import format_problems


def build_test_trouble(study: Study) -> Trouble | None:
    """The test was read some time ago: its state may have changed."""
    snapshot = study.snapshot
    if snapshot.error is None:
        return None
    trouble = _build_trouble(_("The test couldn't be refreshed."), snapshot.error, None)
    aged = _("Last read %(when)s.") % {"when": formats.ago(snapshot.at)} if snapshot.at else ""
    return replace(trouble, aged=aged)


def format_shown(study: Study) -> str:
    """What viewers get now, where the player's public file says otherwise than the platform, or instead of it."""
    shown, snapshot = study.snapshot.shown, study.snapshot
    if shown is None:
        return ""
    if snapshot.at is None:
        return _("The platform didn't tell about this test. This is what the player's public file says.")
    if shown.status != TestStatus.COMPLETED:
        if not study.completed:
            return ""
        return _("The player still draws one of the videos at random: its file can be a few minutes behind.")
    if not study.completed:
        return _("The player plays the winner already: the test was finished elsewhere, or its file was changed.")
    winner = next((variant for variant in study.variants if variant.video_id == study.comparison.winner), None)
    if winner is None or winner.video is None or shown.winner in (None, winner.video_id, winner.video.external_id):
        return ""
    return _("The player plays another video than the winner: its file can be a few minutes behind.")


def build_counts_trouble(study: Study) -> Trouble | None:
    """Viewers and plays of a variant could not be read or refreshed."""
    got = [(variant, variant.general) for variant in study.variants]
    failures = _collect_failures(got)
    if study.draft or failures is None:
        return _build_refreshing_trouble(study, [answer for _variant, answer in got])
    if failures.lost:
        return failures.build_trouble(_("%(letters)s: the numbers could not be read."))
    return failures.build_trouble(_("%(letters)s: the numbers couldn't be refreshed."))


def build_retention_trouble(study: Study) -> Trouble | None:
    """The retention of a variant could not be read or refreshed, or the answer has no seconds."""
    got = [(variant, variant.retention) for variant in study.variants]
    failures = _collect_failures(got)
    silent = [variant.letter for variant, answer in got if answer.value is not None and not _has_seconds(answer)]
    if study.draft or (failures is None and not silent):
        return _build_refreshing_trouble(study, [answer for _variant, answer in got])
    if failures is None:
        letters = ", ".join(silent)
        title = _("%(letters)s: the platform's answer has no retention by second.") % {"letters": letters}
        return Trouble(title, _("The Retention page shows the original answer."), "")
    if failures.lost:
        return failures.build_trouble(_("%(letters)s: the retention could not be read."))
    return failures.build_trouble(_("%(letters)s: the retention couldn't be refreshed."))


def _build_refreshing_trouble(study: Study, got: Sequence[FigureAnswer]) -> Trouble | None:
    """Nothing failed, but the cached answer is shown while a new one is loading."""
    old = [answer for answer in got if answer.behind]
    return None if study.draft or not old else trouble(min(old, key=lambda answer: str(answer.at)))


def _has_seconds(got: FigureAnswer) -> bool:
    table = got.value.table
    return table is not None and bool(metrics.parse_retention(table))


def format_variant_trouble(study: Study, variant: Variant) -> str:
    """The line below a variant's title if its counts are old or missing."""
    got = variant.general
    if study.draft:
        return ""
    if got.old and got.at is not None:
        return _("Read %(when)s") % {"when": formats.ago(got.at)}
    return refusals.explain(got.error).sentence if got.error is not None else ""


@dataclass(frozen=True)
class _VariantFailures:
    """The variants whose reads failed. `lost`: nothing of them is shown; otherwise `at` is when the oldest was read."""

    letters: str
    error: CallError
    lost: bool
    at: datetime | None

    def build_trouble(self, title: str) -> Trouble:
        return _build_trouble(title % {"letters": self.letters}, self.error, self.at)


def _collect_failures(got: Sequence[tuple[Variant, FigureAnswer]]) -> _VariantFailures | None:
    failed = [(variant.letter, answer.error, answer) for variant, answer in got if answer.error is not None]
    if not failed:
        return None
    lost = [letter for letter, _error, answer in failed if answer.value is None]
    read = [answer.at for _letter, _error, answer in failed if answer.value is not None and answer.at is not None]
    letters = lost or [letter for letter, _error, _one in failed]
    return _VariantFailures(", ".join(letters), failed[0][1], bool(lost), min(read, default=None))


def _build_trouble(title: str, error: CallError, at: datetime | None) -> Trouble:
    explained = refusals.explain(error)
    aged = _("These are the last numbers received, %(when)s.") % {"when": formats.ago(at)} if at else ""
    return Trouble(title, explained.whole, aged)


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
        _check_counting(study),
        _check_seen_before(study),
        _check_split(study),
        _check_sample(study),
        _check_jumps(study),
        _check_duration(study),
        _check_missing_days(study),
        _check_scale(study),
    ]
    if not study.run.known:
        words = _("The platform doesn't say when the test started, so the days since its creation are counted.")
        checks.append(TrustCheck("is-warning", "warning", badge=_("Note"), title=_("Start not known"), words=words))
    if edits:
        words = _("Name or description changed on %(days)s. Results are not affected.") % {"days": ", ".join(edits)}
        checks.append(
            TrustCheck("is-warning", "warning", badge=_("Note"), title=_("Edited while running"), words=words)
        )
    return tuple(check for check in checks if check is not None)


def _check_counting(study: Study) -> TrustCheck:
    """What the figures are of, and what that means for the comparison."""
    words = _(
        "The platform counts every view of these videos in these days, also on pages that are not part of the test."
    )
    if study.readout.basis is CountBasis.LOADS:
        first = _(
            "Page loads and the plays they led to: a person who loads the page twice counts twice, because the video is drawn "
            "anew each time."
        )
        return TrustCheck("is-none", "unknown", badge=_("Note"), title=_("What is counted"), words=f"{first} {words}")
    if study.readout.basis is CountBasis.PEOPLE:
        first = _(
            "People: the platform doesn't tell page loads. A person who saw several variants counts in each of them."
        )
        return TrustCheck(
            "is-warning", "warning", badge=_("Caution"), title=_("What is counted"), words=f"{first} {words}"
        )
    return TrustCheck("is-none", "unknown", badge=_("Note"), title=_("What is counted"), words=words)


def _check_seen_before(study: Study) -> TrustCheck | None:
    """How many loads are by people who had seen another variant before, and how much wider that makes the ranges."""
    readout, title = study.readout, _("People who see several variants")
    if not readout.pairs:
        return None
    points = {"share": percent(readout.seen_before, 0), "points": format_points(readout.carried).lstrip("+")}
    if any(variant.counted.people is None for variant in study.variants):
        words = _(
            "The platform doesn't tell how many there are. The ranges are %(points)s wider at each end, as if %(share)s of the "
            "loads were by people who had seen another variant before."
        )
        return TrustCheck("is-queue", "queue", badge=_("Not known"), title=title, words=words % points)
    words = _(
        "About %(share)s of the loads are by people who had seen another variant on the same day. In case that changed how "
        "often they play by as much as is looked for, the ranges are %(points)s wider at each end."
    )
    later = _(
        "Nothing shows who came back on another day: if that changed what many of them did, the result can be wrong."
    )
    return TrustCheck("is-healthy", "healthy", badge=_("Measured"), title=title, words=f"{words % points} {later}")


def _check_split(study: Study) -> TrustCheck | None:
    split, title = study.readout.split, _("Equal chance")
    if split is None:
        return None
    if problems := format_problems([variant.video for variant in study.variants if variant.video]):
        return TrustCheck(
            "is-warning", "warning", badge=_("Not all can be played"), title=title, words=" ".join(problems)
        )
    measured = _("Measured: %(parts)s of the page loads.") % {"parts": format_parts(split.parts)}
    match split.state:
        case Split.FAIR:
            since = study.readout.days[0] if study.readout.days else None
            words = _("Checked every day since %(day)s.") % {"day": day(since)} if since else ""
            return TrustCheck(
                "is-healthy", "healthy", badge=_("Healthy"), title=title, words=f"{measured} {words}".rstrip()
            )
        case Split.DOUBTFUL:
            words = f"{measured} {_('Equal chance rarely gives this. Keep an eye on it.')}"
            return TrustCheck("is-warning", "warning", badge=_("Doubtful"), title=title, words=words)
    return TrustCheck(
        "is-error",
        "error",
        badge=pgettext("a check", "Wrong"),
        title=title,
        words=_format_uneven(split, study, measured),
    )


def format_parts(parts: tuple[float, ...]) -> str:
    """50.2% / 49.8%."""
    return " / ".join(percent(part, 1) for part in parts)


def _format_uneven(split: SplitCheck, study: Study, measured: str) -> str:
    if split.since is None or not study.readout.days:
        return f"{measured} {_('Equal chance almost never gives this.')}"
    values = {"day": day(split.since), "parts": format_parts(split.then)}
    words = _("Equal chance almost never gives what was measured on %(day)s.") % values
    if split.then:
        words = _("Measured on %(day)s: %(parts)s of the page loads. Equal chance almost never gives this.") % values
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


def _check_jumps(study: Study) -> TrustCheck | None:
    widening, title = _get_widest(study), _("Steady days")
    if widening is None:
        return None
    if widening.unknown >= 0.1 and widening.jumps <= 1:
        words = _("There are too few days to see how much they differ. Until then the ranges are %(share)s wider.")
        words %= {"share": _format_widening(1 + widening.unknown)}
        return TrustCheck("is-queue", "queue", badge=_("Not known yet"), title=title, words=words)
    if widening.jumps <= 1:
        words = _("Differences between days are no larger than chance.")
        return TrustCheck("is-healthy", "healthy", badge=_("Healthy"), title=title, words=words)
    words = _("Days differ more than by chance, so the ranges are %(share)s wider.")
    return TrustCheck(
        "is-warning",
        "warning",
        badge=_("Measured"),
        title=title,
        words=words % {"share": _format_widening(widening.jumps)},
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
    return TrustCheck("is-queue", "unknown", badge=_("No data"), title=title, words=words % values)


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
        "is-none",
        "unknown",
        badge=_("Note"),
        title=_("What is looked for"),
        words=f"{words} {_format_source(terms.base_from)}".rstrip(),
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
    values = {"loads": rules.LOADS_MIN, "each": rules.EACH_WAY_MIN}
    if all(rules.is_enough(arm) for arm in arms):
        words = _("Each variant has at least %(loads)s page loads, %(each)s with a play and %(each)s without.") % values
        return TrustCheck("is-healthy", "healthy", badge=_("Enough"), title=_("Sample"), words=words)
    words = (
        _(
            "A variant has fewer than %(loads)s page loads, fewer than %(each)s with a play, or fewer than %(each)s without."
        )
        % values
    )
    return TrustCheck("is-queue", "queue", badge=_("Too few"), title=_("Sample"), words=words)


def _check_duration(study: Study) -> TrustCheck | None:
    if study.draft:
        return None
    days, edges = study.run.days, _format_edges(study)
    if not days:
        return TrustCheck("is-none", "unknown", badge=_("Note"), title=_("Duration"), words=edges) if edges else None
    weeks, rest = divmod(days, rules.WEEK)
    sentence = ngettext("%(count)s whole day.", "%(count)s whole days.", days) % {"count": count(days)}
    if weeks and not rest:
        words = ngettext("That is one full week.", "That is %(count)s full weeks.", weeks) % {"count": count(weeks)}
        return TrustCheck(
            "is-healthy",
            "healthy",
            badge=_("Whole weeks"),
            title=_("Duration"),
            words=f"{sentence} {words} {edges}".rstrip(),
        )
    words = _("Whole weeks are better: then every weekday weighs the same.")
    return TrustCheck(
        "is-none",
        "unknown",
        badge=_("Part of a week"),
        title=_("Duration"),
        words=f"{sentence} {words} {edges}".rstrip(),
    )


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

"""Messages about parts of a test that could not be read: which variants, how old the shown numbers are, what to do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from dashboard.ab_tests.queries import Study, Variant
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared import formats, metrics, refusals
from dashboard.upstream.figures import FigureAnswer, Trouble, trouble


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

"""What could not be read of a test, said in its place: whose numbers they are, how old what is shown is, what to do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from dashboard.ab_tests.queries import Study, Variant
from dashboard.platform_api.errors import CallError
from dashboard.shared import formats, metrics, refusals
from dashboard.upstream.error_messages import Trouble
from dashboard.upstream.error_messages import trouble as shared_trouble
from dashboard.upstream.figures import Got


def of_test(study: Study) -> Trouble | None:
    """The test itself is as it was read some time ago: its state may be another one by now."""
    found = study.found
    if found.error is None:
        return None
    said = _trouble(_("The test could not be read anew."), found.error, None)
    aged = _("You see it as it was %(when)s.") % {"when": formats.ago(found.at)} if found.at else ""
    return replace(said, aged=aged)


def of_counts(study: Study) -> Trouble | None:
    """Viewers and plays of a variant could not be read, or not anew."""
    got = [(variant, variant.general) for variant in study.variants]
    failed = _failed(got)
    if study.draft or failed is None:
        return _behind(study, [one for _variant, one in got])
    if failed.lost:
        return failed.said(_("%(letters)s: the numbers could not be read."))
    return failed.said(_("%(letters)s: the numbers could not be read anew."))


def of_retention(study: Study) -> Trouble | None:
    """The retention of a variant could not be read, or not anew; or the answer has no seconds."""
    got = [(variant, variant.retention) for variant in study.variants]
    failed = _failed(got)
    silent = [variant.letter for variant, one in got if one.value is not None and not _seconds(one)]
    if study.draft or (failed is None and not silent):
        return _behind(study, [one for _variant, one in got])
    if failed is None:
        letters = ", ".join(silent)
        title = _("%(letters)s: the platform's answer has no seconds to draw.") % {"letters": letters}
        return Trouble(title, _("The page of retention shows the answer as it came."), "")
    if failed.lost:
        return failed.said(_("%(letters)s: the retention could not be read."))
    return failed.said(_("%(letters)s: the retention could not be read anew."))


def _behind(study: Study, got: Sequence[Got]) -> Trouble | None:
    """Nothing failed, but what is shown is what was known before: the new answer is on its way."""
    old = [one for one in got if one.behind]
    return None if study.draft or not old else shared_trouble(min(old, key=lambda one: str(one.at)))


def _seconds(got: Got) -> bool:
    table = got.value.table
    return table is not None and bool(metrics.retention_points(table))


def of_variant(study: Study, variant: Variant) -> str:
    """What stands below a variant's title while its counts are old or missing."""
    got = variant.general
    if study.draft:
        return ""
    if got.old and got.at is not None:
        return _("Read %(when)s") % {"when": formats.ago(got.at)}
    return refusals.explain(got.error).sentence if got.error is not None else ""


@dataclass(frozen=True)
class _Failed:
    """Which variants' answers failed; `lost` where nothing of them is shown, else `at` is when the oldest was read."""

    letters: str
    error: CallError
    lost: bool
    at: datetime | None

    def said(self, title: str) -> Trouble:
        return _trouble(title % {"letters": self.letters}, self.error, self.at)


def _failed(got: Sequence[tuple[Variant, Got]]) -> _Failed | None:
    failed = [(variant.letter, one.error, one) for variant, one in got if one.error is not None]
    if not failed:
        return None
    lost = [letter for letter, _error, one in failed if one.value is None]
    read = [one.at for _letter, _error, one in failed if one.value is not None and one.at is not None]
    letters = lost or [letter for letter, _error, _one in failed]
    return _Failed(", ".join(letters), failed[0][1], bool(lost), min(read, default=None))


def _trouble(title: str, error: CallError, at: datetime | None) -> Trouble:
    explained = refusals.explain(error)
    aged = _("These are the last numbers received, %(when)s.") % {"when": formats.ago(at)} if at else ""
    return Trouble(title, explained.whole, aged)

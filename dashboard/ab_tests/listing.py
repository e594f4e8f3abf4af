"""The list of tests for its template: filtered, searched, running ones first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ab_tests.pages import StateBadge, build_state_badge
from dashboard.ab_tests.standings import SECONDS, KeptStanding, Standing, Standings, find_oldest
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared import formats, refusals
from dashboard.shared.charts.figures import count


@dataclass(frozen=True)
class StateChip:
    """A filter of the list."""

    text: str
    count: str
    address: str
    current: bool


@dataclass(frozen=True)
class AbTestRow:
    """One test of the list."""

    id: str
    name: str
    description: str
    state: StateBadge
    variants: str
    when: str
    since: str
    winner: str
    standing: Standing | None
    is_judged: bool
    """Whether there is evidence, known or still to be read: a draft has none."""


@dataclass(frozen=True)
class AbTestListPage:
    """templates/ab_tests/ab_tests.html."""

    chips: tuple[StateChip, ...]
    rows: tuple[AbTestRow, ...]
    find: str
    state: str
    trouble: str
    answer: str
    """The platform's answer if it cannot be read."""
    none_at_all: bool
    evidence_age: str
    is_reading: bool
    """Whether evidence that is not known yet is being worked out: the table asks again by itself."""


NO_STANDINGS: Final = Standings({})
FILTERS = ("", TestStatus.DRAFT.value, TestStatus.IN_PROGRESS.value, TestStatus.COMPLETED.value)


def build_list_page(
    tests: Sequence[Comparison],
    state: str,
    find: str,
    standings: Standings = NO_STANDINGS,
    error: CallError | None = None,
) -> AbTestListPage:
    """The tests of a state whose name, description or a variant's title has `find` in it; running ones first."""
    state, by_test = state if state in FILTERS else "", standings.kept
    matches = [test for test in tests if _matches(test, find.casefold())]
    chips = tuple(
        StateChip(
            build_state_badge(name).word if name else _("All tests"),
            count(sum(not name or test.status == name for test in matches)),
            f"?{urlencode({key: value for key, value in (('state', name), ('find', find)) if value})}",
            name == state,
        )
        for name in FILTERS
    )
    order = {TestStatus.IN_PROGRESS.value: 0, TestStatus.DRAFT.value: 1, TestStatus.COMPLETED.value: 2}
    sorted_tests = sorted(
        (test for test in matches if not state or test.status == state), key=lambda test: order.get(test.status, 3)
    )
    explained = refusals.explain(error) if error else None
    return AbTestListPage(
        chips,
        tuple(_build_row(test, by_test.get(test.id)) for test in sorted_tests),
        find=find,
        state=state,
        trouble=explained.whole if explained else "",
        answer=explained.answer if explained else "",
        none_at_all=not tests,
        evidence_age=_format_age([by_test[test.id] for test in sorted_tests if test.id in by_test]),
        is_reading=standings.is_reading
        and any(test.status in SECONDS and test.id not in by_test for test in sorted_tests),
    )


def _format_age(standings: Sequence[KeptStanding]) -> str:
    oldest = find_oldest(standings)
    return _("Evidence read %(when)s.") % {"when": formats.ago(oldest)} if oldest else ""


def _matches(test: Comparison, find: str) -> bool:
    texts = (test.name, test.description, test.id, *(variant.title for variant in test.videos))
    return any(find in text.casefold() for text in texts)


def _build_row(test: Comparison, latest: KeptStanding | None) -> AbTestRow:
    winner = next(
        (variant.title or variant.video_id for variant in test.videos if variant.video_id == test.winner),
        test.winner or "",
    )
    size = _format_size(test)
    titles = ", ".join(variant.title for variant in test.videos if variant.title)
    return AbTestRow(
        test.id,
        test.name or test.id,
        description=test.description,
        state=build_state_badge(test.status),
        variants=f"{size}: {titles}" if titles else size,
        when=_format_day(test) or _format_when(test),
        since=_format_when(test) if _format_day(test) else "",
        winner=winner,
        standing=latest.standing if latest else None,
        is_judged=test.status in SECONDS,
    )


def _format_size(test: Comparison) -> str:
    """2 variants; or that they are unknown."""
    if test.size is None:
        return _("Variants unknown")
    return ngettext("%(count)s variant", "%(count)s variants", test.size) % {"count": test.size}


def _format_day(test: Comparison) -> str:
    """Day 14 of a running test."""
    if test.status != TestStatus.IN_PROGRESS or test.started_at is None:
        return ""
    return _("Day %(day)s") % {"day": count((timezone.now() - test.started_at).days + 1)}


def _format_when(test: Comparison) -> str:
    if test.finished_at:
        return _("Ended %(when)s") % {"when": formats.ago(test.finished_at)}
    if test.started_at:
        return _("Started %(when)s") % {"when": formats.ago(test.started_at)}
    return _("Created %(when)s") % {"when": formats.ago(test.created_at)} if test.created_at else ""

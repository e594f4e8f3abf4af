"""Where tests stand, in a few words for lists: worked out beside the page, because it takes two reads a variant, and kept."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from dashboard.ab_tests import queries, verdicts
from dashboard.ab_tests.queries import Study
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import CallError, PlatformDown, RateLimited, Unreachable
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared.http import OwnerRequest
from dashboard.shared.locks import Reading, forget, kept_reading, shared_reading
from dashboard.upstream import clients, page_sources, reads

SECONDS: Final = {TestStatus.IN_PROGRESS.value: 300.0, TestStatus.COMPLETED.value: 6 * 3600.0}
"""How old a standing may be, by the test's state: it uses whole days. A draft has none."""
READING, FAILED = "reading", "failed"
TURN_SECONDS: Final = 60
"""How long a test is left alone that is being read, or could not be: the others get their turn."""
PASSING: Final = (Unreachable, PlatformDown, RateLimited)
"""Errors after which the same read succeeds later."""
MOST: Final = 5
"""Tests that one page has read: the page follows what it began, and the next look begins with the others."""


@dataclass(frozen=True)
class Standing:
    """A verdict as lists say it. `difference` is the range that decides, "" where none is drawn; `left` and `left_sub` the
    days left, "" where the test does not run or cannot tell."""

    verdict: str
    look: str
    shape: str
    word: str
    why: str
    difference: str
    left: str
    left_sub: str


@dataclass(frozen=True)
class KeptStanding:
    """A standing, and when it was worked out."""

    standing: Standing
    at: datetime


@dataclass(frozen=True)
class Standings:
    """What is kept, by test, in the reader's language. `is_reading`: more of it is being worked out at this moment."""

    kept: Mapping[str, KeptStanding]
    is_reading: bool = False


def load_standings(request: OwnerRequest, tests: Iterable[Comparison]) -> Standings:
    """What is kept of these tests. The `MOST` that are oldest, or not known, are read beside the page."""
    account_id = request.account.pk
    judged = [test for test in tests if test.status in SECONDS]
    readings = {test.id: kept_reading(_key(account_id, test)) for test in judged}
    due = sorted((test for test in judged if _is_due(test, readings[test.id])), key=lambda test: _age(readings, test))
    turns = cache.get_many([_turn_key(account_id, test) for test in due])
    room = MOST - list(turns.values()).count(READING)
    next_ones = [
        test
        for test in due
        if _turn_key(account_id, test) not in turns and _may_begin(request, test, readings[test.id])
    ]
    for test in next_ones[: max(0, room)]:
        if cache.add(_turn_key(account_id, test), READING, TURN_SECONDS):
            page_sources.begin_work(account_id, partial(_save, request, test))
            readings[test.id] = kept_reading(_key(account_id, test))
    is_reading = READING in cache.get_many([_turn_key(account_id, test) for test in due]).values()
    return Standings(_in_language(readings), is_reading)


def kept_standings(account_id: UUID, tests: Iterable[Comparison]) -> dict[str, KeptStanding]:
    """What is kept, by test, in the reader's language. Reads nothing."""
    return _in_language({test.id: kept_reading(_key(account_id, test)) for test in tests})


def forget_standing(account_id: UUID, comparison_id: str) -> None:
    """Drop what is kept, because the test is judged otherwise now."""
    for status in SECONDS:
        forget(f"ab_tests:{account_id}:standing:{comparison_id}:{status}")


def _in_language(readings: Mapping[str, Reading[dict[str, Standing]] | None]) -> dict[str, KeptStanding]:
    language = get_language() or settings.LANGUAGE_CODE
    return {
        test_id: KeptStanding(reading.value[language], datetime.fromtimestamp(reading.at, UTC))
        for test_id, reading in readings.items()
        if reading is not None and language in reading.value
    }


def _is_due(test: Comparison, reading: Reading[object] | None) -> bool:
    return reading is None or reading.age >= SECONDS[test.status]


def _may_begin(request: OwnerRequest, test: Comparison, reading: Reading[object] | None) -> bool:
    """Whether this look has a test read. Where the table only follows what a look began, that is what runs and is not known:
    a long list that stays open would have every test read, five after five."""
    return reads.is_page(request) or (reading is None and test.status == TestStatus.IN_PROGRESS)


def _age(readings: Mapping[str, Reading[dict[str, Standing]] | None], test: Comparison) -> tuple[bool, float]:
    """Sorts what is not known first, running tests before others, then the oldest."""
    reading = readings[test.id]
    return test.status != TestStatus.IN_PROGRESS, reading.at if reading else 0.0


def _save(request: OwnerRequest, test: Comparison) -> bool:
    """Work out a standing and keep it in every language. Returns whether it says something else than before."""

    def judge() -> dict[str, Standing]:
        snapshot = queries.ComparisonSnapshot(test)
        study = queries.load_study(request, snapshot, patience=clients.config().timeout)
        if (trouble := _find_trouble(study)) is not None:
            raise trouble
        return _say(study)

    key, turn = _key(request.account.pk, test), _turn_key(request.account.pk, test)
    before = kept_reading(key)
    is_read = False
    try:
        now = shared_reading(key, SECONDS[test.status], judge)
        is_read = now.error is None
    finally:
        cache.delete(turn) if is_read else cache.set(turn, FAILED, TURN_SECONDS)
    return before is None or before.value != now.value


def _find_trouble(study: Study) -> CallError | None:
    """Why numbers are missing that come with a later look: "no result" would be kept for hours. A refusal is a result."""
    missing = [variant.general for variant in study.variants if variant.general.value is None]
    errors = [answer.error or Unreachable("analytics.general") for answer in missing]
    return next((error for error in errors if isinstance(error, PASSING)), None)


def _say(study: Study) -> dict[str, Standing]:
    standings = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            standings[language] = build_standing(study)
    return standings


def build_standing(study: Study) -> Standing:
    """The verdict of a test's own page, as a row of a list says it."""
    readout = study.readout
    look, shape = verdicts.LOOKS[readout.verdict]
    left = verdicts.build_days_left(verdicts.get_wait(study)) if readout.drawn else None
    return Standing(
        verdict=readout.verdict.value,
        look=look,
        shape=shape,
        word=verdicts.format_word(study),
        why=verdicts.format_reason(study),
        difference=_format_difference(study) if readout.drawn else "",
        left=left.value if left else "",
        left_sub=left.sub if left else "",
    )


def _format_difference(study: Study) -> str:
    """B minus A: −0.2 to +4.6 points. The difference that decides, in favour of who is ahead."""
    pair, bounds = verdicts.get_closest_pair(study), verdicts.get_leader_bounds(study)
    letters = verdicts.get_letters(study, pair)
    if bounds is not pair.difference:
        letters = {"first": letters["second"], "second": letters["first"]}
    return _("%(second)s minus %(first)s: %(range)s") % {**letters, "range": verdicts.format_difference(bounds)}


def find_oldest(standings: Sequence[KeptStanding]) -> datetime | None:
    """When the oldest of these was worked out."""
    return min((entry.at for entry in standings), default=None)


def _key(account_id: UUID, test: Comparison) -> str:
    return f"ab_tests:{account_id}:standing:{test.id}:{test.status}"


def _turn_key(account_id: UUID, test: Comparison) -> str:
    return f"{_key(account_id, test)}:turn"

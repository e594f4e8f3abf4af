"""Overview items of A/B tests: running tests with a clear verdict or a wrong split."""

from collections.abc import Iterator
from functools import partial

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard import clients
from dashboard.ab_tests import queries, verdicts
from dashboard.ab_tests.rules import Verdict
from dashboard.overview.registry import Rank, Todo, provides
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.records.comparisons import Comparison
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import background, reads
from dashboard.upstream.reads import Query
from dashboard.upstream.single_flight import kept_reading, shared_reading

LIST_SECONDS = 30.0
VERDICT_SECONDS = 300.0
"""A verdict uses whole days, so it may be old; it costs two reads per variant."""
MOST = 5
TELLING = frozenset({Verdict.BETTER, Verdict.EQUAL, Verdict.STRONG, Verdict.SPLIT_WRONG})


@provides("ab_tests")
def list_ab_test_items(request: OwnerRequest) -> Iterator[Todo]:
    """List running tests with a clear verdict. Empty if the platform has no A/B tests."""
    try:
        comparisons = reads.of(request).get(Query(lambda platform: platform.comparisons.list(), LIST_SECONDS))
    except Missing:
        return
    running = [test for test in comparisons.comparisons if test.status == TestStatus.IN_PROGRESS]
    for test in running[:MOST]:
        reading = _get_verdict(request, test)
        if reading is None or reading[0] not in TELLING:
            continue
        verdict, shape, word, why = reading
        here = address("ab_tests:ab_test", test.id)
        title = _("A/B test “%(name)s”: %(verdict)s") % {"name": test.name or test.id, "verdict": word}
        wrong = verdict == Verdict.SPLIT_WRONG
        finish = verdict in (Verdict.BETTER, Verdict.EQUAL)
        yield Todo(
            rank=Rank.BROKEN if wrong else Rank.VERDICT,
            shape=shape,
            word=_("Check") if wrong else _("Verdict") if finish else _("Strong evidence"),
            title=title,
            address=here,
            why=why,
            action=_("Finish test") if finish else _("Open test"),
            action_address=address("ab_tests:finish", test.id) if finish else here,
            at=test.started_at,
        )


def _get_verdict(request: OwnerRequest, test: Comparison) -> tuple[str, str, str, str] | None:
    """The verdict, its shape, its word and its first sentence, in the reader's language; None until it has been worked out.

    That is done beside the page: it takes two reads for each variant.
    """
    key = f"ab_tests:{request.account.pk}:verdict:{test.id}:{get_language()}"
    reading = kept_reading(key)
    if reading is None or reading.age >= VERDICT_SECONDS:
        background.begin(request.account.pk, partial(_save_verdict, request, test, key))
        reading = kept_reading(key)
    return None if reading is None else reading.value


def _save_verdict(request: OwnerRequest, test: Comparison, key: str) -> bool:
    """Calculate and cache a verdict. Returns whether it changed."""

    def judge() -> tuple[str, str, str, str]:
        study = queries.load_study(request, queries.ComparisonSnapshot(test), patience=clients.config().timeout)
        why = verdicts.format_reason(study)
        return study.readout.verdict.value, verdicts.LOOKS[study.readout.verdict][1], verdicts.format_word(study), why

    before = kept_reading(key)
    now = shared_reading(key, VERDICT_SECONDS, judge)
    return before is None or before.value != now.value

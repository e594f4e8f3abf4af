"""Overview items of A/B tests: running tests with a clear verdict, or whose variants are shown unevenly."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from dashboard.ab_tests.rules import Verdict
from dashboard.ab_tests.standings import load_standings
from dashboard.overview.registry import Rank, Todo, provides
from dashboard.platform_api.comparisons import Comparisons
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.reads import Query

LIST_SECONDS = 30.0
MOST = 5
TELLING = frozenset({Verdict.BETTER, Verdict.EQUAL, Verdict.STRONG, Verdict.SPLIT_WRONG})


@provides("ab_tests", query=Query(lambda platform: platform.comparisons.list(), LIST_SECONDS), is_optional=True)
def list_ab_test_items(request: OwnerRequest, comparisons: Comparisons) -> Iterator[Todo]:
    """List running tests with a clear verdict."""
    running = [test for test in comparisons.comparisons if test.status == TestStatus.IN_PROGRESS]
    standings = load_standings(request, running[:MOST]).kept
    for test in running[:MOST]:
        if test.id not in standings or standings[test.id].standing.verdict not in TELLING:
            continue
        standing = standings[test.id].standing
        here = address("ab_tests:ab_test", test.id)
        title = _("A/B test “%(name)s”: %(verdict)s") % {"name": test.name or test.id, "verdict": standing.word}
        wrong = standing.verdict == Verdict.SPLIT_WRONG
        finish = standing.verdict in (Verdict.BETTER, Verdict.EQUAL)
        yield Todo(
            rank=Rank.BROKEN if wrong else Rank.VERDICT,
            shape=standing.shape,
            word=_("Check") if wrong else _("Verdict") if finish else _("Strong evidence"),
            title=title,
            address=here,
            why=standing.why,
            action=_("Finish test") if finish else _("Open test"),
            action_address=address("ab_tests:finish", test.id) if finish else here,
            at=test.started_at,
        )

"""What A/B tests add to a report: those that were ended in its week."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from dashboard.ab_tests.models import Decision
from dashboard.reports.registry import Done, Span, adds
from dashboard.shared.addresses import address
from dashboard.upstream.parallel import Ready
from dashboard.upstream.reads import Query, Reads


@adds("ab_tests")
def list_test_lines(span: Span) -> Iterator[Done]:
    """Tests are the account's: a report about some of its videos has none."""
    if span.videos is not None:
        return
    ended = Decision.objects.filter(account_id=span.account.pk, at__gte=span.start, at__lt=span.end).order_by("at")
    decisions = list(ended)
    names = _load_names(span) if decisions else {}
    for decision in decisions:
        name = names.get(decision.comparison_id) or decision.comparison_id
        yield Done(
            _("The A/B test “%(name)s” was ended.") % {"name": name},
            address("ab_tests:ab_test", decision.comparison_id),
        )


def _load_names(span: Span) -> dict[str, str]:
    """The names that are known, by id."""
    outcome = Reads(span.account).known(tests=Query(lambda platform: platform.comparisons.list()))["tests"]
    return {test.id: test.name or "" for test in outcome.value.comparisons} if isinstance(outcome, Ready) else {}

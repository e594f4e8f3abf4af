"""A/B tests in the search: by name, with their state."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.search.registry import Found, find_by_name, finds, read_rows
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest

STATES = {
    "DRAFT": gettext_noop("Draft"),
    "IN_PROGRESS": gettext_noop("Running"),
    "COMPLETED": gettext_noop("Finished"),
}


@finds("ab_tests", title=gettext_noop("A/B tests"), order=50)
def ab_tests(request: OwnerRequest, query: str) -> Iterator[Found]:
    """By name; an unknown state is shown as it came. Nothing where the platform has no list of them."""
    rows = read_rows(
        request,
        lambda platform: [
            (test.id, test.name or test.id, test.status) for test in platform.comparisons.list().comparisons
        ],
    )
    tests = (
        Found(address("ab_tests:ab_test", key), "ab", name, _(STATES[state]) if state in STATES else state)
        for key, name, state in rows
    )
    yield from find_by_name(tests, query)

"""Funnels in the search: by name."""

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from dashboard.search.registry import Found, find_by_name, finds, read_rows
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest


@finds("funnels", title=gettext_noop("Funnels"), order=90)
def funnels(request: OwnerRequest, query: str) -> Iterator[Found]:
    """By name. Nothing where the platform has no list of them."""
    rows = read_rows(
        request, lambda platform: [(funnel.id, funnel.name or funnel.id, "") for funnel in platform.funnels.list()]
    )
    yield from find_by_name((Found(address("funnels:funnel", key), "funnel", name) for key, name, _note in rows), query)

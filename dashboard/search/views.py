"""Find anything: a page, and the part of it that the palette shows."""

from functools import partial
from itertools import islice

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.platform_api.errors import BadToken
from dashboard.search import pages, rules
from dashboard.search.registry import MOST, Found, Source, sources
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.parallel import Failed, gather

PALETTE_PATIENCE = 3.0
"""Seconds that somebody who is typing waits for the slowest kind; the others are there at once next time."""
EMPTY_QUERY_SOURCES = frozenset({"actions", "pages"})
"""What is shown before anything is typed."""


@require_safe
def search(request: OwnerRequest) -> HttpResponse:
    """Everything that matches, by kind. The palette asks with htmx and gets the list alone."""
    query = rules.clean_query(request.GET.get("q", ""))
    sources_to_search = [source for source in sources() if query or source.name in EMPTY_QUERY_SOURCES]
    waits = clients.config().timeout if request.GET.get("wait") == "1" else None
    patience = waits or (PALETTE_PATIENCE if request.htmx else None)
    outcomes = gather(
        patience, **{source.name: partial(_search_source, request, source, query) for source in sources_to_search}
    )
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, BadToken):
            raise outcome.error
    page = pages.build_search_page(query, sources_to_search, outcomes)
    template = "search/_options.html" if request.htmx else "search/search.html"
    return render(request, template, {"page": page})


def _search_source(request: OwnerRequest, source: Source, query: str) -> list[Found]:
    """As many as are shown; a finder that goes on is stopped."""
    return list(islice((result for result in source.find(request, query) if result.address), MOST))

"""Find anything: a page, and the part of it that the palette shows."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.platform_api.errors import BadToken
from dashboard.search import registry
from dashboard.search.registry import MOST, Found, HighlightedName, Source, sources
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.parallel import Failed, Outcome, Ready, gather

PALETTE_PATIENCE = 3.0
"""Seconds that somebody who is typing waits for the slowest kind; the others are there at once next time."""
EMPTY_QUERY_SOURCES = frozenset({"actions", "pages"})
"""What is shown before anything is typed."""


@require_safe
def search(request: OwnerRequest) -> HttpResponse:
    """Everything that matches, by kind. The palette asks with htmx and gets the list alone."""
    query = registry.clean_query(request.GET.get("q", ""))
    sources_to_search = [source for source in sources() if query or source.name in EMPTY_QUERY_SOURCES]
    waits = clients.config().timeout if request.GET.get("wait") == "1" else None
    patience = waits or (PALETTE_PATIENCE if request.htmx else None)
    outcomes = gather(
        patience, **{source.name: partial(_search_source, request, source, query) for source in sources_to_search}
    )
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, BadToken):
            raise outcome.error
    failed = [source for source in sources_to_search if isinstance(outcomes[source.name], Failed)]
    late = any(not isinstance(outcome, Ready | Failed) for outcome in outcomes.values())
    groups = _list_groups(query, sources_to_search, outcomes)
    context = {
        "wanted": query,
        "groups": groups,
        "found": sum(len(results) for _source, _title, results in groups),
        "trouble": _explain_failed(failed, outcomes),
        "here": address("search:search", q=query),
        "late": address("search:search", q=query, wait="1") if late else "",
        "nothing": bool(query) and not groups and not late and not failed,
    }
    return render(request, "search/_options.html" if request.htmx else "search/search.html", context)


def _search_source(request: OwnerRequest, source: Source, query: str) -> list[Found]:
    """As many as are shown; a finder that goes on is stopped."""
    return list(islice((result for result in source.find(request, query) if result.address), MOST))


def _list_groups(
    query: str, searched: Sequence[Source], outcomes: Mapping[str, Outcome]
) -> list[tuple[Source, str, list[tuple[Found, HighlightedName]]]]:
    """The sources that found anything, each with its title and what it found: its name cut around what was typed."""
    groups = []
    for source in searched:
        outcome = outcomes[source.name]
        if isinstance(outcome, Ready) and outcome.value:
            results = [(result, registry.highlight(result.name, query)) for result in outcome.value]
            groups.append((source, _(source.title), results))
    return groups


def _explain_failed(failed: Sequence[Source], outcomes: Mapping[str, Outcome]) -> str:
    """Which sources could not be searched, and why the first of them."""
    first = outcomes[failed[0].name] if failed else None
    if not isinstance(first, Failed):
        return ""
    titles = ", ".join(_(source.title) for source in failed)
    return _("Not searched: %(kinds)s. %(why)s") % {"kinds": titles, "why": refusals.explain(first.error).sentence}

"""View models of the search templates."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.errors import CallError
from dashboard.search import rules
from dashboard.search.registry import MOST, Found, Source
from dashboard.search.rules import HighlightedName
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.upstream.parallel import Failed, Outcome, Ready


@dataclass(frozen=True)
class SearchResult:
    """One thing that was found; its name cut around what was typed."""

    id: str
    address: str
    icon: str
    name: HighlightedName
    note: str
    posts: bool
    field: tuple[str, str]


@dataclass(frozen=True)
class ResultGroup:
    """The results of one kind."""

    name: str
    title: str
    results: tuple[SearchResult, ...]


@dataclass(frozen=True)
class SearchPage:
    """templates/search/search.html and its part _found.html."""

    wanted: str
    groups: tuple[ResultGroup, ...]
    said: str
    trouble: str
    here: str
    late: str
    nothing: bool


def build_search_page(query: str, sources: list[Source], outcomes: Mapping[str, Outcome]) -> SearchPage:
    """The groups that have anything; kinds that failed or are late are named."""
    groups = []
    for source in sources:
        outcome = outcomes.get(source.name)
        if isinstance(outcome, Ready) and outcome.value:
            groups.append(_build_group(query, source, outcome.value))
    failed = [(source, outcome.error) for source in sources if isinstance(outcome := outcomes.get(source.name), Failed)]
    late = [_(source.title) for source in sources if not isinstance(outcomes.get(source.name), Ready | Failed)]
    count = sum(len(group.results) for group in groups)
    return SearchPage(
        wanted=query,
        groups=tuple(groups),
        said=_format_count(count) if query else "",
        trouble=_format_trouble(failed),
        here=address("search:search", q=query),
        late=address("search:search", q=query, wait="1") if late else "",
        nothing=bool(query) and not groups and not late and not failed,
    )


def _format_count(count: int) -> str:
    return ngettext("%(count)s result", "%(count)s results", count) % {"count": formats.number(count)}


def _format_trouble(failed: list[tuple[Source, CallError]]) -> str:
    if not failed:
        return ""
    titles = ", ".join(_(source.title) for source, _error in failed)
    why = refusals.explain(failed[0][1]).sentence
    return _("Not searched: %(kinds)s. %(why)s") % {"kinds": titles, "why": why}


def _build_group(query: str, source: Source, results: list[Found]) -> ResultGroup:
    return ResultGroup(
        source.name,
        _(source.title),
        tuple(
            SearchResult(
                f"{source.name}-{place}",
                result.address,
                result.icon,
                rules.highlight(result.name, query),
                result.note,
                result.posts,
                result.field,
            )
            for place, result in enumerate(islice(results, MOST))
        ),
    )

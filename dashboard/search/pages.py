"""What the templates of the search get: every decision is already a boolean, an address or a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.errors import CallError
from dashboard.search import rules
from dashboard.search.registry import MOST, Found, Source
from dashboard.search.rules import Marked
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.upstream.parallel import Failed, Outcome, Ready


@dataclass(frozen=True)
class Result:
    """One thing that was found; its name cut around what was typed."""

    id: str
    address: str
    icon: str
    name: Marked
    note: str
    posts: bool
    field: tuple[str, str]


@dataclass(frozen=True)
class Group:
    """The results of one kind."""

    name: str
    title: str
    results: tuple[Result, ...]


@dataclass(frozen=True)
class SearchPage:
    """templates/search/search.html and its part _found.html."""

    wanted: str
    groups: tuple[Group, ...]
    said: str
    trouble: str
    here: str
    late: str
    nothing: bool


def search_page(wanted: str, sources: list[Source], outcomes: Mapping[str, Outcome]) -> SearchPage:
    """The groups that have anything; kinds that failed or are late are named."""
    groups = []
    for source in sources:
        outcome = outcomes.get(source.name)
        if isinstance(outcome, Ready) and outcome.value:
            groups.append(_group(wanted, source, outcome.value))
    failed = [(source, outcome.error) for source in sources if isinstance(outcome := outcomes.get(source.name), Failed)]
    late = [_(source.title) for source in sources if not isinstance(outcomes.get(source.name), Ready | Failed)]
    count = sum(len(group.results) for group in groups)
    return SearchPage(
        wanted=wanted,
        groups=tuple(groups),
        said=_said(count) if wanted else "",
        trouble=_trouble(failed),
        here=address("search:search", q=wanted),
        late=address("search:search", q=wanted, wait="1") if late else "",
        nothing=bool(wanted) and not groups and not late and not failed,
    )


def _said(count: int) -> str:
    return ngettext("%(count)s result", "%(count)s results", count) % {"count": formats.number(count)}


def _trouble(failed: list[tuple[Source, CallError]]) -> str:
    if not failed:
        return ""
    titles = ", ".join(_(source.title) for source, _error in failed)
    why = refusals.explain(failed[0][1]).sentence
    return _("Not searched: %(kinds)s. %(why)s") % {"kinds": titles, "why": why}


def _group(wanted: str, source: Source, found: list[Found]) -> Group:
    return Group(
        source.name,
        _(source.title),
        tuple(
            Result(
                f"{source.name}-{place}",
                one.address,
                one.icon,
                rules.marked(one.name, wanted),
                one.note,
                one.posts,
                one.field,
            )
            for place, one in enumerate(islice(found, MOST))
        ),
    )

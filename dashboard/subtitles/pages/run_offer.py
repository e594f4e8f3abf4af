"""The press that leads from the planner to the check of a run: for more videos than a plan takes, in the same languages."""

from dataclasses import dataclass

from django.utils.translation import ngettext

from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.subtitles.forms import ROOT, PlanRequest
from dashboard.subtitles.library import LibraryPage
from dashboard.subtitles.rules import MOST_VIDEOS, languages_in_order


@dataclass(frozen=True, slots=True)
class RunOffer:
    """The button and what it sends besides the fields of the planner. `is_all`: everything that `query` finds, else the chosen
    videos."""

    address: str
    words: str
    is_all: bool
    query: str = ""


def build_run_offer(plan_request: PlanRequest, page: LibraryPage) -> RunOffer | None:
    """The chosen videos where they are too many for a plan, else all of the filter where those are."""
    check, count = address("runs:check"), len(plan_request.choice.videos)
    if not check:
        return None
    if count > MOST_VIDEOS:
        words = ngettext("Check %(count)s chosen video as a run", "Check %(count)s chosen videos as a run", count)
        return RunOffer(check, words % {"count": formats.number(count)}, is_all=False)
    count = _count_all(plan_request, page)
    if count <= MOST_VIDEOS:
        return None
    words = ngettext("Check all %(count)s video as a run", "Check all %(count)s videos as a run", count)
    return RunOffer(check, words % {"count": formats.number(count)}, is_all=True, query=format_query(plan_request))


def _count_all(plan_request: PlanRequest, page: LibraryPage) -> int:
    """How many videos the filter finds; 0 where that is not known of all."""
    if not plan_request.filter.gaps:
        return page.total or 0
    return page.counts.gaps if page.counts is not None and page.counts.is_all else 0


def format_query(plan_request: PlanRequest) -> str:
    """The filter of the planner as the list of videos writes it."""
    library_filter, order = plan_request.filter, plan_request.order
    terms = []
    if library_filter.folder == ROOT:
        terms.append("folder:none")
    elif library_filter.folder:
        terms.append(f"folder:{_quote(library_filter.folder)}/**")
    if library_filter.gaps:
        terms.append(f"missing:{','.join(languages_in_order(order) or (order.from_lang,))}")
    if library_filter.q:
        terms.append(_quote(library_filter.q))
    return " ".join(terms)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

"""The press that leads from the planner to the check of a run: for more videos than a plan takes, in the same languages."""

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.subtitles.forms import ROOT, PlanRequest
from dashboard.subtitles.library import LibraryPage
from dashboard.subtitles.pages.coverage import CoverageNote
from dashboard.subtitles.rules import MOST_VIDEOS, CellChoice, gap_languages


@dataclass(frozen=True, slots=True)
class RunOffer:
    """The button and what it sends besides the fields of the planner. `is_all`: everything that `query` finds, else the chosen
    videos."""

    address: str
    words: str
    is_all: bool
    query: str = ""


def build_run_offer(plan_request: PlanRequest, page: LibraryPage) -> RunOffer | None:
    """The button for what a plan does not take; None where cells were changed one by one, which a run would ignore."""
    return None if plan_request.choice.has_single_cells else _build_offer(plan_request, page)


def build_run_note(plan_request: PlanRequest, page: LibraryPage) -> CoverageNote | None:
    """Why there is no button because of single cells, and the step that brings it."""
    offer = _build_offer(plan_request, page)
    if offer is None or not plan_request.choice.has_single_cells:
        return None
    sentences = [_("A run creates the chosen languages for all its videos. It can't add or leave out single cells.")]
    if not offer.is_all:
        most = {"most": MOST_VIDEOS}
        sentences.append(_("To keep your single cells, choose %(most)s videos at most and check the plan.") % most)
    whole = replace(plan_request, choice=CellChoice(plan_request.choice.videos))
    step = f"{reverse('subtitles:subtitles')}?{whole.query()}#coverage"
    return CoverageNote("info", " ".join(sentences), _("Undo the changes to single cells"), step)


def _build_offer(plan_request: PlanRequest, page: LibraryPage) -> RunOffer | None:
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
    """How many videos the filter finds; 0 where that is not known of all, or no language says what a gap is."""
    if not plan_request.filter.gaps:
        return page.total or 0
    return page.counts.gaps or 0 if page.counts is not None and page.counts.is_all else 0


def format_query(plan_request: PlanRequest) -> str:
    """The filter of the planner as the list of videos writes it."""
    library_filter, order = plan_request.filter, plan_request.order
    terms = []
    if library_filter.folder == ROOT:
        terms.append("folder:none")
    elif library_filter.folder:
        terms.append(f"folder:{_quote(library_filter.folder)}/**")
    if library_filter.gaps and (languages := gap_languages(order)):
        terms.append(f"missing:{','.join(languages)}")
    if library_filter.q:
        terms.append(_quote(library_filter.q))
    return " ".join(terms)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

"""Why traffic changed: the page of the parts, and their file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.analytics import account_traffic, traffic_why_pages
from dashboard.analytics.change_steps import WhyContent
from dashboard.analytics.chooser import get_titles
from dashboard.analytics.date_bar import build_date_bar
from dashboard.analytics.models import TrafficVideo
from dashboard.analytics.pages import AnalyticsPage, AnalyticsPanel
from dashboard.analytics.panels import format_file_name
from dashboard.analytics.parameters import get_panel_name
from dashboard.analytics.state import AnalyticsState, group_by_day
from dashboard.analytics.traffic_causes import VideoChange
from dashboard.analytics.traffic_changes import ComparedDays, build_queries, find_days, load_changes, select_folder
from dashboard.analytics.traffic_why_pages import SPLITS, TrafficWhy, build_address
from dashboard.analytics.views import with_state
from dashboard.analytics.why_subject import Scope, format_folder, load_beside
from dashboard.platform_api.errors import BadToken
from dashboard.shared import csv
from dashboard.shared.addresses import path_of
from dashboard.shared.entries import ROOT, Shelf
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import library, reads
from dashboard.upstream.figures import FigureAnswer, build_video_query, get_full_timeout, read_figures, trouble
from dashboard.upstream.parallel import Failed, Ready


@dataclass(frozen=True)
class WhyData:
    """Everything a page of a split is made of. `search`: the videos that a search of the address selects; None without one."""

    days: ComparedDays
    videos: tuple[VideoChange, ...]
    shelves: tuple[Shelf, ...]
    titles: Mapping[str, str]
    answers: Mapping[str, FigureAnswer]
    search: Scope | None = None


@require_safe
def traffic_why_first(request: OwnerRequest) -> HttpResponse:
    """Lead to the causes of the same days."""
    query = request.META["QUERY_STRING"]
    return redirect(f"{reverse('analytics:traffic_why', args=[SPLITS[0]])}{'?' if query else ''}{query}")


@with_state
def traffic_why(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The parts of the change of traffic, by one split."""
    state = _clean_state(state, split)
    data = _load(request, state, split)
    needed = _list_needed(data, state, split)
    why = TrafficWhy(WhyContent())
    if all(answer.value is not None for answer in needed):
        why = traffic_why_pages.build_content(data.videos, data.days, split, state, data.shelves)
    panel = _build_panel(needed, state, split)
    context = {"panel": panel, "content": why.content, "traffic_why": why}
    if get_panel_name(request):
        return render(request, "analytics/_why_traffic_panels.html", context)
    page = AnalyticsPage(
        _("Why did traffic change?"),
        _format_subject(request, data, state),
        traffic_why_pages.build_tabs(state, split),
        build_date_bar(state, metrics=(), grains=False),
        request.build_absolute_uri(build_address(split, state)),
        "",
    )
    if data.days.progress is not None:
        context["progress"] = account_traffic.build_progress_part(data.days.progress)
    whole = build_address(split, state, cause=None, folder=None, directly=None, search=None, video=None)
    context |= {"page": page, "traffic": f"{path_of('analytics:traffic')}?{_query_of_days(state)}"}
    context["whole"] = whole if state.folder or state.search or state.cause or state.videos else ""
    return render(request, "analytics/why_traffic.html", context)


@with_state
def traffic_why_file(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The same parts as CSV; where nothing can be compared, the page, which says why."""
    state = _clean_state(state, split)
    data = _load(request, state, split, patience=get_full_timeout())
    if data.days.now is None or any(answer.value is None for answer in _list_needed(data, state, split)):
        return redirect(build_address(split, state))
    heads, rows = traffic_why_pages.build_table(data.videos, data.days, split, state, data.shelves)
    return csv.download(csv.written(heads, rows), format_file_name(f"why-traffic-{split}", state, "csv"))


def _clean_state(state: AnalyticsState, split: str) -> AnalyticsState:
    """What of the address counts here. Raises Http404 for an unknown split."""
    if split not in SPLITS:
        raise Http404
    if state.videos:
        state = replace(state, folder="", directly=False, search="", cause="")
    return replace(group_by_day(state), country="", region="", find="")


def _query_of_days(state: AnalyticsState) -> str:
    return state.query(cause=None, folder=None, directly=None, search=None, page=None)


def _load(request: OwnerRequest, state: AnalyticsState, split: str, patience: float | None = None) -> WhyData:
    """Raises `Missing` for a video or folder of another account, `BadToken` for a token that was refused."""
    patience = get_full_timeout() if get_panel_name(request) else patience
    account = request.account
    stored = dict(
        TrafficVideo.objects.filter(account=account, video_id__in=state.videos).values_list("video_id", "title")
    )
    unknown = {f"video {video}": build_video_query(video) for video in state.videos if video not in stored}
    days = find_days(account, state)
    queries = {**build_queries(days, state.selection), **unknown}
    read = partial(read_figures, request, queries, patience=patience)
    answers, search = load_beside(request, replace(state, folder=""), patience, read)
    titles = get_titles(state.videos, answers, stored)
    shelves: tuple[Shelf, ...] = ()
    if split == "folders" or state.folder:
        reader = reads.of(request) if patience is None else reads.Reads(account)
        outcome = reader.gather(patience, folders=library.FOLDERS)["folders"]
        shelves, is_unread = library.folders_of(outcome)
        if isinstance(outcome, Failed | Ready) and isinstance(outcome.error, BadToken):
            raise outcome.error
        error = outcome.error if isinstance(outcome, Failed) else None
        answers["folders"] = FigureAnswer(None if is_unread else shelves, error=error)
        if state.folder not in ("", ROOT) and not is_unread and state.folder not in {shelf.id for shelf in shelves}:
            raise Http404
    videos = select_folder(load_changes(account, days, state, answers), state, shelves)
    if search is not None:
        answers["search"] = search.answer
        videos = tuple(video for video in videos if video.video_id in search.videos)
        days = _add_search(days, search)
    return WhyData(days, videos, shelves, titles, answers, search)


def _add_search(days: ComparedDays, search: Scope) -> ComparedDays:
    """The days, with what is to be said of the videos that a search selects."""
    if search.unknown:
        return ComparedDays(unknown=search.unknown)
    return replace(days, caution=" ".join(filter(None, (days.caution, search.caution))))


def _list_needed(data: WhyData, state: AnalyticsState, split: str) -> list[FigureAnswer]:
    """The answers without which the page tells nothing: rankings for causes, folders where folders are told apart, the videos
    of a search.
    """
    names = ["search", *(["now", "past"] if split == "causes" or state.cause else [])]
    names += ["folders"] if split == "folders" or state.folder else []
    return [data.answers[name] for name in names if name in data.answers]


def _build_panel(needed: Sequence[FigureAnswer], state: AnalyticsState, split: str) -> AnalyticsPanel:
    """The state of what was read: late, or in trouble."""
    address = build_address(split, state)
    panel = AnalyticsPanel("why", "", retry=address, fragment=f"{address}&panel=why")
    failed = next((answer for answer in needed if answer.value is None and answer.error), None)
    if failed is None and any(answer.late for answer in needed):
        return replace(panel, late=True)
    cause = failed or next((answer for answer in needed if answer.old), None)
    return replace(panel, trouble=trouble(cause)) if cause else panel


def _format_subject(request: OwnerRequest, data: WhyData, state: AnalyticsState) -> str:
    """Whose traffic the page splits."""
    if data.titles:
        return f"{', '.join(data.titles.values())}."
    name = next((shelf.name for shelf in data.shelves if shelf.id == state.folder), state.folder)
    names = (format_folder(state, name) if state.folder else "", data.search.name if data.search else "")
    return " ".join(filter(None, names)) or _("All videos of %(account)s.") % {"account": request.account.name}

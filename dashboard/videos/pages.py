"""View model of the list of videos."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.videos.bulk import BulkBar, build_bar
from dashboard.videos.chips import Chip, build_alternatives, build_offered_chips, build_set_chips, is_read_apart
from dashboard.videos.library import ListView
from dashboard.videos.models import SavedView
from dashboard.videos.progress import ReadingProgress
from dashboard.videos.query.matching import match_query
from dashboard.videos.query.parser import NotAQuery, ProblemKind, parse_query
from dashboard.videos.query.terms import Has, Measure, format_query
from dashboard.videos.query_form import QueryForm, build_form, draw_examples
from dashboard.videos.query_messages import explain_problem
from dashboard.videos.rows import VideoRow, build_rows, column_label
from dashboard.videos.rules import (
    NUMBERS,
    PER_PAGE,
    ListState,
    SortKey,
    VideoColumn,
    VideoSort,
)
from dashboard.videos.saved_views import is_changed, read_state

SORTED_BY: Final = {
    VideoColumn.PLAYS: SortKey.PLAYS,
    VideoColumn.VIEWS: SortKey.VIEWS,
    VideoColumn.TRAFFIC: SortKey.TRAFFIC,
    VideoColumn.COMMENTS: SortKey.COMMENTS,
    VideoColumn.CREATED: SortKey.CREATED,
    VideoColumn.UPDATED: SortKey.UPDATED,
    VideoColumn.SIZE: SortKey.SIZE,
}


@dataclass(frozen=True)
class Option:
    """One entry of a select or of the columns."""

    value: str
    words: str
    is_selected: bool


@dataclass(frozen=True)
class ColumnHead:
    """One column: its words, and how its link would sort ("" where it cannot)."""

    words: str
    address: str
    sorted: str
    """ascending, descending, or none."""
    is_number: bool = False


@dataclass(frozen=True)
class ViewTab:
    """One saved view, or all videos: how many match, and whether it is open."""

    name: str
    count: str
    address: str
    is_open: bool
    edit: str = ""
    report: str = ""
    """Its weekly report."""
    is_so_far: bool = False
    """Whether something that it asks for is still being read."""
    is_changed: bool = False
    """Whether it is open and the list has another query, order or columns by now."""


@dataclass(frozen=True)
class QueryProblem:
    """The word that is wrong, underlined in the query as it was typed; its repair, and the search for the word itself."""

    before: str
    word: str
    after: str
    sentence: str
    repair: str
    repaired: str
    phrase: str
    last: str
    """The query whose list is below; "" for all videos."""


@dataclass(frozen=True)
class VideosPage:
    """templates/videos/videos.html and its part _library.html."""

    state: ListState
    title: str
    about: str
    here: str
    tabs: tuple[ViewTab, ...]
    save: str
    export: str
    export_words: str
    count: str
    count_of: str
    videos: str
    """The count with its word: 1 video."""
    is_so_far: bool
    left_out: str
    chips: tuple[Chip, ...]
    offered: tuple[Chip, ...]
    alternatives: tuple[Chip, ...]
    clear: str
    kept: tuple[tuple[str, str], ...]
    """The fields that every form of the list keeps."""
    complete: str
    problem: QueryProblem | None
    form: QueryForm
    examples: SafeString
    """Filters that can be typed, as rows of a table."""
    columns: tuple[Option, ...]
    heads: tuple[ColumnHead, ...]
    sorts: tuple[Option, ...]
    rows: tuple[VideoRow, ...]
    bar: BulkBar | None
    range: str
    pages: str
    previous: str
    following: str
    progress: ReadingProgress | None
    late: str
    trouble: str
    answer: str
    """What came, where it cannot be read."""
    is_empty_library: bool
    are_folders_unknown: bool


def build_videos_page(view: ListView, progress: ReadingProgress | None, *, is_reading: bool) -> VideosPage:
    """The list; of a late one, or one that could not be read, what surrounds it."""
    state, total = view.state, len(view.catalog.entries)
    is_there = view.prepared is not None
    asks_apart = any(word in state.q for word in (Measure.TRAFFIC, Measure.COMMENTS, Has.REVIEW_LINK))
    so_far = is_there and not view.match.is_complete and (is_reading or (asks_apart and is_read_apart(view)))
    tabs = _build_tabs(view, is_reading=is_reading) if is_there else ()
    explained = refusals.explain(view.error, reading=True) if view.error else None
    return VideosPage(
        state=state,
        title=_build_title(view, tabs),
        about=_build_about(view, total),
        here=address("videos:videos", **state.params(page=state.page, last=state.last if view.problem else "")),
        tabs=tabs,
        save=address("videos:save_view", **state.params()),
        export=address("videos:export", **state.params()) if view.match.count and not view.problem else "",
        export_words=_("Export %(count)s") % {"count": formats.at_least(view.match.count, is_all=not so_far)},
        count=formats.number(view.match.count),
        count_of=ngettext("of %(count)s video matches", "of %(count)s videos match", total)
        % {"count": formats.number(total)},
        videos=formats.videos(view.match.count),
        is_so_far=so_far,
        left_out="" if so_far else _format_left_out(view),
        chips=build_set_chips(view, is_reading=is_reading) if is_there and not view.problem else (),
        offered=build_offered_chips(view, is_reading=is_reading) if is_there and not view.problem else (),
        alternatives=build_alternatives(view) if is_there and not view.match.count else (),
        clear=address("videos:videos", **state.params(q="", saved="")),
        kept=_list_kept(state),
        complete=address("videos:complete"),
        problem=_build_problem(view) if view.problem else None,
        form=build_form(view),
        examples=draw_examples(get_language() or "en"),
        columns=tuple(Option(column.value, column_label(column), column in state.columns) for column in VideoColumn),
        heads=_build_heads(view),
        sorts=_build_sorts(state),
        rows=build_rows(view),
        bar=build_bar(view, is_reading=is_reading) if view.positions else None,
        range=_format_range(view),
        pages=_format_pages(view),
        previous=address("videos:videos", **state.params(page=state.page - 1)) if state.page > 1 else "",
        following=address("videos:videos", **state.params(page=state.page + 1)) if state.page < view.pages else "",
        progress=progress,
        late=address("videos:videos", **state.params(page=state.page), wait="1") if view.is_late else "",
        trouble=explained.whole if explained else "",
        answer=explained.answer if explained else "",
        is_empty_library=is_there and total == 0,
        are_folders_unknown=not view.catalog.are_folders_known,
    )


def _build_title(view: ListView, tabs: tuple[ViewTab, ...]) -> str:
    """What the browser's tab says: the view and how many match."""
    name = next((tab.name for tab in tabs if tab.is_open), _("Videos"))
    return f"{name}, {formats.videos(view.match.count)}" if view.prepared else name


def _build_about(view: ListView, total: int) -> str:
    if view.prepared is None:
        return _("All videos of this account. The link to this page keeps your filters.")
    return _("%(count)s in every folder of this account. Read from the platform %(when)s.") % {
        "count": formats.videos(total),
        "when": formats.ago(view.prepared.read_at),
    }


def _format_left_out(view: ListView) -> str:
    """Of how many videos the platform does not tell what is asked for."""
    count = view.match.unknown.bit_count()
    if not count or view.problem:
        return ""
    return ngettext(
        "%(count)s more video may match: the platform doesn't show what this filter needs.",
        "%(count)s more videos may match: the platform doesn't show what this filter needs.",
        count,
    ) % {"count": formats.number(count)}


def _build_tabs(view: ListView, *, is_reading: bool) -> tuple[ViewTab, ...]:
    state = view.state
    total = len(view.catalog.entries)
    everything = ListState(columns=state.columns, sort=state.sort)
    is_open = not state.q and not state.saved
    tabs = [ViewTab(_("All videos"), formats.number(total), address("videos:videos", **everything.params()), is_open)]
    for row in view.saved:
        count, is_whole = _count(row.query, view)
        is_current = state.saved == str(row.pk)
        edit = address("videos:saved_view", row.pk, **state.params()) if is_current else ""
        link = address("videos:videos", **read_state(row).params())
        report = address("reports:report", about=f"search:{row.query}") if is_current and row.query else ""
        is_so_far = not is_whole and (is_reading or is_read_apart(view))
        is_changed_view = is_current and is_changed(row, state)
        tabs.append(ViewTab(row.name, count, link, is_current, edit, report, is_so_far, is_changed_view))
    return tuple(tabs)


def list_changes(view: SavedView, state: ListState) -> tuple[tuple[str, str], ...]:
    """What of a list differs from the view, each under its name as the view would keep it."""
    saved = read_state(view)
    changes = []
    if saved.q != state.q:
        changes.append((_("Filters"), state.q or _("All videos")))
    if saved.sort != state.sort:
        changes.append((_("Order"), next(sort.words for sort in _build_sorts(state) if sort.is_selected)))
    if saved.columns != state.columns:
        changes.append((_("Columns"), ", ".join(map(column_label, state.columns)) or _("Title only")))
    return tuple(changes)


def _count(text: str, view: ListView) -> tuple[str, bool]:
    """How many videos a saved view finds, and whether these are all; "" where it names something that is gone."""
    try:
        match = match_query(parse_query(text), view.catalog, view.setting)
    except NotAQuery:
        return "", True
    return formats.number(match.count), match.is_complete


def _build_problem(view: ListView) -> QueryProblem:
    problem, text = view.problem, view.state.q
    if problem is None:
        raise ValueError("the query has no problem")
    can_be_phrase = problem.kind in (ProblemKind.UNKNOWN_NAME, ProblemKind.NOT_COMPARED, ProblemKind.NOT_A_FILTER)
    return QueryProblem(
        before=text[: problem.start],
        word=text[problem.start : problem.end],
        after=text[problem.end :],
        sentence=explain_problem(problem),
        repair=problem.repair,
        repaired=_address(view, problem.repaired(text)) if problem.repair else "",
        phrase=_address(view, problem.as_phrase(text)) if can_be_phrase else "",
        last=format_query(view.query),
    )


def _address(view: ListView, text: str) -> str:
    return address("videos:videos", **view.state.params(q=text))


def _list_kept(state: ListState) -> tuple[tuple[str, str], ...]:
    """What the search keeps beside the query: the order, the columns, and the query whose list is shown."""
    params = replace(state, q="").params()
    pairs = [(name, params[name]) for name in ("sort", "columns", "saved") if name in params]
    flat = [(name, str(item)) for name, value in pairs for item in (value if isinstance(value, list) else [value])]
    last = state.last or state.q
    return (*flat, *([("last", last)] if last else []))


def _build_heads(view: ListView) -> tuple[ColumnHead, ...]:
    titled = _build_head(view.state, _("Video"), SortKey.TITLE)
    columns = (
        _build_head(view.state, column_label(column), SORTED_BY.get(column), is_number=column in NUMBERS)
        for column in view.state.columns
    )
    return (titled, *columns)


def _build_head(state: ListState, words: str, key: SortKey | None, *, is_number: bool = False) -> ColumnHead:
    """A press on the head sorts: numbers and dates the largest first, titles from A, and then the other way."""
    if key is None:
        return ColumnHead(words, "", "none", is_number)
    is_current = state.sort.key is key
    turned = VideoSort(key, not state.sort.is_down if is_current else key is not SortKey.TITLE)
    order = ("descending" if state.sort.is_down else "ascending") if is_current else "none"
    return ColumnHead(words, address("videos:videos", **state.params(sort=turned)), order, is_number)


def _build_sorts(state: ListState) -> tuple[Option, ...]:
    labels: Mapping[str, str] = {
        "-created": _("Newest first"),
        "created": _("Oldest first"),
        "title": _("Title, A to Z"),
        "-title": _("Title, Z to A"),
        "-length": _("Longest first"),
        "length": _("Shortest first"),
        "-size": _("Largest first"),
        "size": _("Smallest first"),
        "-plays": _("Most plays first"),
        "plays": _("Fewest plays first"),
        "-views": _("Most views first"),
        "views": _("Fewest views first"),
        "-traffic": _("Most traffic first"),
        "traffic": _("Least traffic first"),
        "-comments": _("Most open comments first"),
        "comments": _("Fewest open comments first"),
        "-updated": _("Changed last first"),
        "updated": _("Changed longest ago first"),
    }
    return tuple(Option(value, words, value == str(state.sort)) for value, words in labels.items())


def _format_range(view: ListView) -> str:
    if not view.positions:
        return ""
    first = (view.state.page - 1) * PER_PAGE + 1
    return _("%(first)s to %(last)s of %(total)s") % {
        "first": formats.number(first),
        "last": formats.number(first + len(view.positions) - 1),
        "total": formats.number(view.match.count),
    }


def _format_pages(view: ListView) -> str:
    if view.pages < 2:
        return ""
    return _("Page %(page)s of %(pages)s") % {
        "page": formats.number(view.state.page),
        "pages": formats.number(view.pages),
    }

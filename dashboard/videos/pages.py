"""The list of videos: its query as a form, its saved views, chips, rows, and the bar of actions on what is selected."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.videos.catalog import match_query
from dashboard.videos.completion import (
    build_alternatives,
    build_offered_chips,
    build_set_chips,
    get_query_address,
    is_read_apart,
)
from dashboard.videos.labels import NAMES, VALUES, WITHOUT, explain_problem
from dashboard.videos.library import ListView, is_changed, read_state
from dashboard.videos.models import SavedView
from dashboard.videos.query import (
    CHOICES,
    NO_FOLDER,
    ONE_VALUE,
    FilterName,
    Has,
    Measure,
    NotAQuery,
    Problem,
    ProblemKind,
    format_query,
    parse_query,
    read_fields,
)
from dashboard.videos.query import WITHOUT as WITHOUT_FIELD
from dashboard.videos.query import WORDS as WORDS_FIELD
from dashboard.videos.rows import build_rows, column_label
from dashboard.videos.rules import NUMBERS, PER_PAGE, ListState, SortKey, VideoColumn, VideoSort
from dashboard.writes.run_actions import list_actions

Choices: TypeAlias = tuple[tuple[str, str], ...]
"""Values with their words."""
MOST_FOLDERS = 100
"""With more folders than this a list to choose from is no help: their names are typed."""


@dataclass(frozen=True)
class FormField:
    """One field: with choices (value, words, whether it is selected) a select, else a text."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str, bool], ...] = ()
    hint: str = ""

    @property
    def drawn(self) -> SafeString:
        """The field as HTML. Its selects have a hundred options, which are the same on nearly every page."""
        return _draw(self)


@lru_cache(maxsize=256)
def _draw(field: FormField) -> SafeString:
    return render_to_string("videos/_query_field.html", {"field": field})


def build_form(view: ListView) -> dict[str, object]:
    """The form with the query of the list that is shown: its fields, and as `rest` the terms that none of them can say."""
    form_fields = read_fields(view.query)
    values = dict(form_fields.values)

    def field(name: str, label: str, choices: Choices) -> FormField:
        return _build_field(name, label, values.get(name, ""), choices)

    fields = [
        FormField(WORDS_FIELD, _("Words in the title"), values.get(WORDS_FIELD, "")),
        _build_folder(view, values.get(FilterName.FOLDER.value, "")),
        *(field(name.value, _(NAMES[name]), _list_choices(name, get_language() or "en")) for name in ONE_VALUE),
        field(WITHOUT_FIELD, _("Without"), tuple((value, _(label)) for value, label in WITHOUT.items())),
        FormField(Measure.TRAFFIC.value, _("Traffic over, GB in 28 days"), values.get(Measure.TRAFFIC.value, "")),
    ]
    return {"fields": fields, "is_below": form_fields.is_below, "rest": form_fields.rest}


def _build_field(name: str, label: str, value: str, choices: Choices) -> FormField:
    """A select; a value that it does not offer is offered as it is, so that nothing typed is lost."""
    if value and value.lower() not in {choice.lower() for choice, _words in choices}:
        choices = (*choices, (value, value))
    options = tuple((choice, words, choice.lower() == value.lower()) for choice, words in choices)
    return FormField(name, label, value, options)


def _build_folder(view: ListView, value: str) -> FormField:
    shelves = view.catalog.shelves
    shelf = view.catalog.shelf_by_id.get(value)
    label = _(NAMES[FilterName.FOLDER])
    if len(shelves) > MOST_FOLDERS:
        return FormField(FilterName.FOLDER.value, label, shelf.name if shelf else value, hint=_("Type its name."))
    names = sorted({shelf.name for shelf in shelves}, key=str.casefold)
    choices = ((NO_FOLDER, _("In no folder")), *((name, name) for name in names))
    return _build_field(FilterName.FOLDER.value, label, shelf.name if shelf else value, choices)


@lru_cache(maxsize=64)
def _list_choices(name: FilterName, language: str) -> Choices:
    """The values of a filter with their names in `language`, which is the reader's: looked up and sorted once."""
    if name is FilterName.MISSING:
        languages = [(code, formats.language_name(code)) for code in LANGUAGES]
        return tuple(sorted(languages, key=lambda pair: pair[1].casefold()))
    if name is FilterName.CREATED:
        return tuple(
            (f"{days}d", _("In the last %(days)s days") % {"days": formats.number(days)}) for days in (7, 28, 90, 365)
        )
    return tuple((value, _(VALUES[name, value])) for value in CHOICES[name])


@lru_cache(maxsize=4)
def draw_examples(language: str) -> SafeString:
    """What people can type, and what it finds, as rows of a table. Drawn once for each `language`, which is the reader's."""
    return render_to_string("videos/_query_examples.html")


MOST_BY_ID = 50
"""So many videos an address can name, and a page that has no runs can take."""
ICONS = {
    "subtitles": "subs",
    "show_chat": "talk",
    "hide_chat": "talk",
    "set_field": "tag",
    "review_links": "link",
    "add_to_funnel": "funnel",
}
"""The icons of actions that become a run, by name; the first of them is the bar's own."""
PAGES = (
    ("subtitles:subtitles", gettext_noop("Create subtitles"), "subs"),
    ("funnels:funnels", gettext_noop("Add to a funnel"), "funnel"),
)
"""Pages that take the selected videos where there are no runs: the view, the label (a msgid), the icon."""


@dataclass(frozen=True)
class BulkAction:
    """One button of the bar. With `name` its form says which action."""

    words: str
    icon: str
    address: str
    name: str = ""


def build_bar(view: ListView, *, is_reading: bool) -> dict[str, object]:
    """templates/videos/_bar.html: the actions on what is selected. All that matches can be selected once none of it is unknown.

    `address`: where its form leads without a button. `ids`: everything that is selected, where a page takes ids.
    `is_one_page`: the page shows all that match, so that with script its own box selects them. `why_not`: why not everything
    can be selected, or what is selected not be used.
    """
    state, count = view.state, view.match.count
    is_all = state.is_all and not view.problem and view.match.is_complete
    pages = () if is_all and count > MOST_BY_ID else _list_pages()
    every = _list_runs() if address("runs:check") else pages
    can_select_all = count > 1 and view.match.is_complete and not view.problem
    return {
        "address": every[0].address if every else address("videos:videos"),
        "actions": every,
        "is_all": is_all,
        "query": state.q,
        "ids": _list_ids(view) if is_all and count <= MOST_BY_ID else (),
        "count": count,
        "select_all": address("videos:videos", **state.params(page=state.page, is_all=True)) if can_select_all else "",
        "is_one_page": count == len(view.positions),
        "select_none": address("videos:videos", **state.params(page=state.page)),
        "why_not": _explain(view, is_reading=is_reading, is_too_many=is_all and not every),
    }


def _list_runs() -> tuple[BulkAction, ...]:
    """The actions that features offer for many videos, those that have an icon of their own first."""
    order = list(ICONS)
    actions = sorted(
        list_actions(), key=lambda action: order.index(action.name) if action.name in ICONS else len(order)
    )
    check = address("runs:check")
    return tuple(
        BulkAction(str(action.label), ICONS.get(action.name, "right"), check, action.name) for action in actions
    )


def _list_pages() -> tuple[BulkAction, ...]:
    actions = (BulkAction(_(label), icon, address(view)) for view, label, icon in PAGES)
    return tuple(action for action in actions if action.address)


def _list_ids(view: ListView) -> tuple[str, ...]:
    positions = view.catalog.list_positions(view.match.true, range(len(view.catalog.entries)))
    return tuple(view.catalog.entries[position].id for position in positions)


def _explain(view: ListView, *, is_reading: bool, is_too_many: bool) -> str:
    if is_too_many:
        return _("Select at most %(most)s videos for these actions.") % {"most": formats.number(MOST_BY_ID)}
    if view.match.count > len(view.positions) and not view.match.is_complete and is_reading:
        return _("Everything that matches can be selected once your library is read.")
    return ""


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


def list_parts(view: ListView, *, is_reading: bool) -> dict[str, object]:
    """templates/videos/_library.html: the list; of a late one, or one that could not be read, what surrounds it.

    `kept`: the fields that every form of the list keeps.
    """
    state, is_there = view.state, view.prepared is not None
    asks_apart = any(word in state.q for word in (Measure.TRAFFIC, Measure.COMMENTS, Has.REVIEW_LINK))
    so_far = is_there and not view.match.is_complete and (is_reading or (asks_apart and is_read_apart(view)))
    tabs = _build_tabs(view, is_reading=is_reading) if is_there else ()
    explained = refusals.explain(view.error, reading=True) if view.error else None
    return {
        "view": view,
        "state": state,
        "total": len(view.catalog.entries),
        "title": next((tab.name for tab in tabs if tab.is_open), _("Videos")),
        "here": address("videos:videos", **state.params(page=state.page, last=state.last if view.problem else "")),
        "tabs": tabs,
        "save": address("videos:save_view", **state.params()),
        "export": address("videos:export", **state.params()) if view.match.count and not view.problem else "",
        "at_least": formats.at_least(view.match.count, is_all=not so_far),
        "is_so_far": so_far,
        "left_out": 0 if so_far or view.problem else view.match.unknown.bit_count(),
        "chips": build_set_chips(view, is_reading=is_reading) if is_there and not view.problem else (),
        "offered": build_offered_chips(view, is_reading=is_reading) if is_there and not view.problem else (),
        "alternatives": build_alternatives(view) if is_there and not view.match.count else (),
        "clear": address("videos:videos", **state.params(q="", saved="")),
        "kept": _list_kept(state),
        "problem": _build_problem(view, view.problem) if view.problem else None,
        "form": build_form(view),
        "examples": draw_examples(get_language() or "en"),
        "columns": [(column.value, column_label(column), column in state.columns) for column in VideoColumn],
        "heads": _list_heads(state),
        "sorts": _list_sorts(),
        "sort": str(state.sort),
        "rows": build_rows(view),
        "bar": build_bar(view, is_reading=is_reading) if view.positions else None,
        "first": (state.page - 1) * PER_PAGE + 1,
        "last": (state.page - 1) * PER_PAGE + len(view.positions),
        "previous": address("videos:videos", **state.params(page=state.page - 1)) if state.page > 1 else "",
        "following": address("videos:videos", **state.params(page=state.page + 1)) if state.page < view.pages else "",
        "late": address("videos:videos", **state.params(page=state.page), wait="1") if view.is_late else "",
        "trouble": explained,
    }


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
        tabs.append(
            ViewTab(
                row.name,
                count,
                address=link,
                is_open=is_current,
                edit=edit,
                report=report,
                is_so_far=is_so_far,
                is_changed=is_changed_view,
            )
        )
    return tuple(tabs)


def list_changes(view: SavedView, state: ListState) -> tuple[tuple[str, str], ...]:
    """What of a list differs from the view, each under its name as the view would keep it."""
    saved = read_state(view)
    changes = []
    if saved.q != state.q:
        changes.append((_("Filters"), state.q or _("All videos")))
    if saved.sort != state.sort:
        changes.append((_("Order"), _list_sorts()[str(state.sort)]))
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


def _build_problem(view: ListView, problem: Problem) -> dict[str, str]:
    """The word that is wrong, underlined in the query as it was typed; its repair, and the search for the word itself.

    `last`: the query whose list is below; "" for all videos.
    """
    text = view.state.q
    can_be_phrase = problem.kind in (ProblemKind.UNKNOWN_NAME, ProblemKind.NOT_COMPARED, ProblemKind.NOT_A_FILTER)
    return {
        "before": text[: problem.start],
        "word": text[problem.start : problem.end],
        "after": text[problem.end :],
        "sentence": explain_problem(problem),
        "repair": problem.repair,
        "repaired": get_query_address(view, problem.repaired(text)) if problem.repair else "",
        "phrase": get_query_address(view, problem.as_phrase(text)) if can_be_phrase else "",
        "last": format_query(view.query),
    }


def _list_kept(state: ListState) -> tuple[tuple[str, str], ...]:
    """What the search keeps beside the query: the order, the columns, and the query whose list is shown."""
    params = replace(state, q="").params()
    pairs = [(name, params[name]) for name in ("sort", "columns", "saved") if name in params]
    flat = [(name, str(item)) for name, value in pairs for item in (value if isinstance(value, list) else [value])]
    last = state.last or state.q
    return (*flat, *([("last", last)] if last else []))


def _list_heads(state: ListState) -> list[tuple[str, str, str, bool]]:
    """The heads of the columns: words, how a link would sort ("" where it cannot), ascending or descending, whether numbers."""
    columns = [(column_label(column), SORTED_BY.get(column), column in NUMBERS) for column in state.columns]
    heads = [(_("Video"), SortKey.TITLE, False), *columns]
    return [(words, *_sort_by(state, key), is_number) for words, key, is_number in heads]


def _sort_by(state: ListState, key: SortKey | None) -> tuple[str, str]:
    """A press on the head sorts: numbers and dates the largest first, titles from A, and then the other way."""
    if key is None:
        return "", "none"
    is_current = state.sort.key is key
    turned = VideoSort(key, not state.sort.is_down if is_current else key is not SortKey.TITLE)
    order = ("descending" if state.sort.is_down else "ascending") if is_current else "none"
    return address("videos:videos", **state.params(sort=turned)), order


def _list_sorts() -> dict[str, str]:
    """The orders of the list as addresses write them, with their words."""
    return {
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

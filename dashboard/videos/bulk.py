"""The bar of actions on selected videos: what can be done with them, and where it leads."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.videos.library import ListView
from dashboard.writes.run_actions import list_actions

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


@dataclass(frozen=True)
class BulkBar:
    """templates/videos/_bar.html."""

    address: str
    """Where its form leads without a button."""
    first: BulkAction | None
    more: tuple[BulkAction, ...]
    is_all: bool
    query: str
    ids: tuple[str, ...]
    """Everything that is selected, where a page takes ids."""
    words: str
    select_all: str
    select_all_words: str
    is_one_page: bool
    """Whether the page shows all that match: with script, its own box selects them."""
    select_none: str
    why_not: str
    """Why not everything can be selected, or what is selected not be used."""


def build_bar(view: ListView, *, is_reading: bool) -> BulkBar:
    """The bar of this list. Everything that matches can be selected once nothing about it is unknown."""
    state, count = view.state, view.match.count
    is_all = state.is_all and not view.problem and view.match.is_complete
    by_run = bool(address("runs:check"))
    pages = () if is_all and count > MOST_BY_ID else _list_pages()
    every = _list_runs() if by_run else pages
    can_select_all = count > 1 and view.match.is_complete and not view.problem
    return BulkBar(
        address=every[0].address if every else address("videos:videos"),
        first=every[0] if every else None,
        more=every[1:],
        is_all=is_all,
        query=state.q,
        ids=_list_ids(view) if is_all and count <= MOST_BY_ID else (),
        words=_format_all(count),
        select_all=address("videos:videos", **state.params(page=state.page, is_all=True)) if can_select_all else "",
        select_all_words=_("Select all %(count)s that match") % {"count": formats.number(count)},
        is_one_page=count == len(view.positions),
        select_none=address("videos:videos", **state.params(page=state.page)),
        why_not=_explain(view, is_reading=is_reading, is_too_many=is_all and not every),
    )


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


def _format_all(count: int) -> str:
    return ngettext("The %(count)s video that matches is selected", "All %(count)s that match are selected", count) % {
        "count": formats.number(count)
    }


def _explain(view: ListView, *, is_reading: bool, is_too_many: bool) -> str:
    if is_too_many:
        return _("Select at most %(most)s videos for these actions.") % {"most": formats.number(MOST_BY_ID)}
    if view.match.count > len(view.positions) and not view.match.is_complete and is_reading:
        return _("Everything that matches can be selected once your library is read.")
    return ""

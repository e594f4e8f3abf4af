"""The list of videos as an address asks for it: what matches, counted over the whole library, and one page of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import fold
from dashboard.upstream.library import SavedQuery, Selection, register_loader, register_saved_loader, waiting
from dashboard.videos.catalog import Catalog, Match, Setting, list_order, match_query
from dashboard.videos.labels import explain_problem
from dashboard.videos.models import SavedView
from dashboard.videos.prepared import Prepared, load_prepared
from dashboard.videos.query import NotAQuery, Problem, VideoQuery, list_missing, parse_query
from dashboard.videos.rules import COLUMNS, NEWEST, NO_COLUMNS, PER_PAGE, ListState, parse_columns, parse_sort

PERSON_MOST = SavedView._meta.get_field("person").max_length
MOST = 30
"""Views of one person in one account."""


def list_views(request: OwnerRequest) -> "QuerySet[SavedView]":
    """The person's views of this account, the oldest first."""
    return SavedView.objects.filter(account=request.account, person=person_of(request))


def load_views(account: Account, person: str) -> dict[str, VideoQuery]:
    """The queries of the person's views by folded name, for the filter view:NAME."""
    return parse_views(SavedView.objects.filter(account=account, person=person[:PERSON_MOST]))


def parse_views(views: Iterable[SavedView]) -> dict[str, VideoQuery]:
    """The queries of these views by folded name."""
    queries = {}
    for view in views:
        try:
            queries[fold(view.name)] = parse_query(view.query)
        except NotAQuery:  # saved by a release that knew other filters
            continue
    return queries


def explain_query(state: ListState) -> str:
    """Why the query of this list is no query that can be kept; "" where it is one."""
    try:
        parse_query(state.q)
    except NotAQuery as error:
        return explain_problem(error.problem)
    return ""


def save_view(request: OwnerRequest, name: str, state: ListState) -> SavedView | None:
    """Save the view under a name; None where the person has one of that name. The same form twice saves one."""
    person = person_of(request)
    values = _values_of(state)
    same = SavedView.objects.filter(account=request.account, person=person, name__iexact=name).first()
    if same is not None:
        return same if (same.query, same.sort, same.columns) == tuple(values.values()) else None
    try:
        with transaction.atomic():
            return SavedView.objects.create(account=request.account, person=person, name=name, **values)
    except IntegrityError:
        return None


def rename_view(view: SavedView, name: str) -> bool:
    """Give a view another name; False where the person has one of that name."""
    others = SavedView.objects.filter(account_id=view.account_id, person=view.person, name__iexact=name)
    if others.exclude(pk=view.pk).exists():
        return False
    try:
        with transaction.atomic():
            SavedView.objects.filter(pk=view.pk).update(name=name)
    except IntegrityError:
        return False
    return True


def read_state(view: SavedView) -> ListState:
    """The list that a view shows. An order or a column that no release knows any more is left out."""
    columns = parse_columns([*view.columns, NO_COLUMNS]) if isinstance(view.columns, list) else COLUMNS
    return ListState(view.query, parse_sort(view.sort), columns=columns, saved=str(view.pk))


def is_changed(view: SavedView, state: ListState) -> bool:
    """Whether a list has another query, order or columns than the view."""
    saved = read_state(view)
    return (saved.q, saved.sort, saved.columns) != (state.q, state.sort, state.columns)


def update_view(view: SavedView, state: ListState) -> None:
    """Keep another query, order and columns under the same name."""
    SavedView.objects.filter(pk=view.pk).update(**_values_of(state))


def _values_of(state: ListState) -> dict[str, Any]:
    return {"query": state.q, "sort": str(state.sort), "columns": [column.value for column in state.columns]}


def person_of(request: OwnerRequest) -> str:
    """Whose views they are: the name given at sign-in, else the account's."""
    return actor_of(request, request.account)[:PERSON_MOST]


@register_loader
def load_selection(account: Account, query: str, person: str) -> Selection:
    """The videos that match, the newest first. Raises the `PlatformError` of a list that could not be read."""
    prepared = load_prepared(account, patience=waiting())
    if prepared is None:
        return Selection(complete=False, problem=_("The videos didn't load in time. Try again."))
    catalog = prepared.catalog
    try:
        parsed = parse_query(query)
        match = match_query(parsed, catalog, load_setting(account, load_views(account, person)))
    except NotAQuery as error:
        return Selection(problem=explain_problem(error.problem))
    entries = [
        catalog.entries[position] for position in catalog.list_positions(match.true, list_order(catalog, NEWEST))
    ]
    ids = tuple(entry.id for entry in entries)
    titles = {entry.id: entry.title or entry.id for entry in entries}
    return Selection(ids, titles, match.is_complete, missing=list_missing(parsed))


def load_setting(account: Account, views: Mapping[str, VideoQuery]) -> Setting:
    """The day and the zone of the account's pages, and the saved views that a query may name."""
    zone = ZoneInfo(account.zone) if account.zone else ZoneInfo(timezone.get_current_timezone_name())
    return Setting(timezone.now().astimezone(zone).date(), zone, views)


@register_saved_loader
def list_saved_queries(account: Account, person: str) -> list[SavedQuery]:
    """The saved views of the list, each by its name."""
    views = SavedView.objects.filter(account=account, person=person[:PERSON_MOST])
    return [SavedQuery(view.name, view.query) for view in views]


EMPTY = Catalog(())


@dataclass(frozen=True)
class ListView:
    """What one view of the list shows. `query` is the one whose list it is: with a `problem`, the last that had none.

    `prepared` None: the list was not there in time, or there is an `error`.
    """

    state: ListState
    query: VideoQuery
    setting: Setting
    match: Match
    positions: Sequence[int] = ()
    saved: Sequence[SavedView] = ()
    """The person's saved views."""
    prepared: Prepared | None = None
    problem: Problem | None = None
    error: CallError | None = None

    @property
    def catalog(self) -> Catalog:
        return self.prepared.catalog if self.prepared else EMPTY

    @property
    def is_late(self) -> bool:
        return self.prepared is None and self.error is None

    @property
    def pages(self) -> int:
        return -(-self.match.count // PER_PAGE)


def load_list(request: OwnerRequest, state: ListState, *, patience: float | None = None) -> ListView:
    """The view that the address asks for; its form stands whatever happens to the list. Raises `BadToken`."""
    saved = list(list_views(request))
    setting = load_setting(request.account, parse_views(saved))
    late = ListView(state, VideoQuery(), setting, Match(0, 0), saved=saved)
    try:
        prepared = load_prepared(request.account, patience=patience)
    except PlatformError as error:
        return replace(late, error=error)
    return late if prepared is None else _load_matching(prepared, late)


def _load_matching(prepared: Prepared, late: ListView) -> ListView:
    """What matches; of a query with a mistake, what matched the last one, or everything."""
    catalog, state, setting, problem = prepared.catalog, late.state, late.setting, None
    query, match = VideoQuery(), Match(catalog.everything, 0)
    for text in (state.q, state.last):
        try:
            query = parse_query(text)
            match = match_query(query, catalog, setting)
        except NotAQuery as error:
            problem = problem or error.problem
            query = VideoQuery()
        else:
            break
    order = catalog.list_positions(match.true, list_order(catalog, state.sort))
    page = min(state.page, max(1, -(-len(order) // PER_PAGE)))
    return replace(
        late,
        state=replace(state, page=page),
        query=query,
        match=match,
        positions=order[(page - 1) * PER_PAGE : page * PER_PAGE],
        prepared=prepared,
        problem=problem,
    )


NAME_MOST = SavedView._meta.get_field("name").max_length


class ViewNameForm(forms.Form):
    """A name of a saved view."""

    name = forms.CharField(
        label=gettext_lazy("Name of the view"),
        max_length=NAME_MOST,
        error_messages={"required": gettext_lazy("Type a name.")},
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )

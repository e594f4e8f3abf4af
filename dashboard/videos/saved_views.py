"""Views of the list that somebody saved by name: of one account, and of the person who saved them."""

from collections.abc import Iterable
from uuid import UUID

from django.db import IntegrityError, transaction

from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import fold
from dashboard.videos.models import SavedView
from dashboard.videos.query.parser import NotAQuery, parse_query
from dashboard.videos.query.terms import VideoQuery
from dashboard.videos.query_messages import explain_problem
from dashboard.videos.rules import COLUMNS, NO_COLUMNS, ListState, parse_columns, parse_sort

PERSON_MOST = SavedView._meta.get_field("person").max_length
MOST = 30
"""Views of one person in one account."""


def list_views(request: OwnerRequest) -> list[SavedView]:
    """The person's views of this account, the oldest first."""
    return list(SavedView.objects.filter(account=request.account, person=person_of(request)))


def get_view(request: OwnerRequest, view_id: UUID) -> SavedView:
    """One of them. Raises `SavedView.DoesNotExist` for every other."""
    return SavedView.objects.get(pk=view_id, account=request.account, person=person_of(request))


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
    columns = [column.value for column in state.columns]
    values = {"query": state.q, "sort": str(state.sort), "columns": columns}
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
    columns = [column.value for column in state.columns]
    SavedView.objects.filter(pk=view.pk).update(query=state.q, sort=str(state.sort), columns=columns)


def count_views(request: OwnerRequest) -> int:
    """How many the person has."""
    return SavedView.objects.filter(account=request.account, person=person_of(request)).count()


def person_of(request: OwnerRequest) -> str:
    """Whose views they are: the name given at sign-in, else the account's."""
    return actor_of(request, request.account)[:PERSON_MOST]

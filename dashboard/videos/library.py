"""The list of videos as an address asks for it: what matches, counted over the whole library, and one page of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.shared.http import OwnerRequest
from dashboard.videos.models import SavedView
from dashboard.videos.prepared import Prepared, load_prepared
from dashboard.videos.query.catalog import Catalog
from dashboard.videos.query.matching import Match, Setting, match_query
from dashboard.videos.query.parser import NotAQuery, Problem, parse_query
from dashboard.videos.query.sorting import list_order
from dashboard.videos.query.terms import VideoQuery
from dashboard.videos.rules import PER_PAGE, ListState
from dashboard.videos.saved_views import list_views, parse_views
from dashboard.videos.selection import load_setting

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
    saved = list_views(request)
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

"""What a query selects, for the features that act on many videos (`dashboard.upstream.library`)."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.upstream.library import SavedQuery, Selection, register_loader, register_saved_loader, waiting
from dashboard.videos.models import SavedView
from dashboard.videos.prepared import load_prepared
from dashboard.videos.query.matching import Setting, match_query
from dashboard.videos.query.parser import NotAQuery, parse_query
from dashboard.videos.query.sorting import list_order
from dashboard.videos.query.terms import VideoQuery, list_missing
from dashboard.videos.query_messages import explain_problem
from dashboard.videos.rules import NEWEST
from dashboard.videos.saved_views import PERSON_MOST, load_views


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

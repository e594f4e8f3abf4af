"""What a query selects, for the features that act on many videos (`dashboard.upstream.selection`)."""

from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.upstream.library import waiting
from dashboard.upstream.selection import Selection, register_loader
from dashboard.videos.prepared import load_prepared
from dashboard.videos.query.catalog import Catalog
from dashboard.videos.query.matching import Setting, match_query
from dashboard.videos.query.parser import NotAQuery, parse_query
from dashboard.videos.query_messages import explain_problem


@register_loader
def load_selection(account: Account, query: str) -> Selection:
    """The videos that match, the newest first. Raises the `PlatformError` of a list that could not be read."""
    prepared = load_prepared(account, patience=waiting())
    if prepared is None:
        return Selection(complete=False, problem=_("The videos didn't load in time. Try again."))
    catalog = prepared.catalog
    try:
        match = match_query(parse_query(query), catalog, load_setting(account))
    except NotAQuery as error:
        return Selection(problem=explain_problem(error.problem))
    entries = [catalog.entries[position] for position in catalog.list_positions(match.true, list_newest(catalog))]
    ids = tuple(entry.id for entry in entries)
    return Selection(ids, {entry.id: entry.title or entry.id for entry in entries}, match.is_complete)


def load_setting(account: Account) -> Setting:
    """The day and the zone of the account's pages."""
    zone = ZoneInfo(account.zone) if account.zone else ZoneInfo(timezone.get_current_timezone_name())
    return Setting(timezone.now().astimezone(zone).date(), zone)


def list_newest(catalog: Catalog) -> list[int]:
    """All positions, the newest video first; those without a date last."""
    return sorted(range(len(catalog.entries)), key=lambda n: (-(catalog.entries[n].created or 0.0), n))

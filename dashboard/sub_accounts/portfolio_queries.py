"""What the pages of all sub-accounts are drawn from: what is known, without waiting for any sub-account.

The rows are those that the platform's usage per sub-account lists to their parent, and the sub-accounts that are connected in
this browser. Only of these is anything read or shown that needs their own token: whoever signs in to the parent alone opens
nothing else by it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.feature import tally
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.organizations import Usage
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import Listing, listing
from dashboard.sub_accounts import play_records
from dashboard.sub_accounts.models import PlayRecord
from dashboard.sub_accounts.portfolio import Period, SubAccountState, TokenState, get_period, sum_plays
from dashboard.upstream import page_sources, parallel
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Reads, is_page, of

TRAFFIC_NAMES = ("bandwidth", "bandwidth_used", "traffic", "total_consumed")
"""Names by which the platform's usage may tell what viewers downloaded, in bytes."""


@dataclass(frozen=True)
class PortfolioData:
    """Every sub-account with what is known of it."""

    period: Period
    states: tuple[SubAccountState, ...]
    usage: Listing[Usage]
    usage_at: datetime | None = None
    """When the usage was read."""
    children: tuple[Account, ...] = field(default_factory=tuple)
    """The sub-accounts that are connected in this browser."""


def load_portfolio(request: OwnerRequest) -> PortfolioData:
    """What is known; what is old is read anew beside the page. Raises `BadToken` of the parent's own token."""
    period = get_period(timezone.now())
    children = [account for account in access.connected(request) if account.parent_id == request.account.pk]
    usage, usage_at = _load_usage(request)
    by_usage = match_usage(usage.found, children)
    ids = {by_usage[place].pk: line.organization_id for place, line in enumerate(usage.found) if place in by_usage}
    records = _load_records(request, children, period, ids)
    states = _build_states(usage.found, by_usage, children, records, period)
    return PortfolioData(period, states, usage, usage_at, tuple(children))


def match_usage(usages: Sequence[Usage], children: Sequence[Account]) -> dict[int, Account]:
    """Which connected sub-account each line of the usage is about, by its position: by its id, else by its name.

    A name says so only where one line and one account that is not matched by its id have it.
    """
    ids = {account.organization_id: account for account in reversed(children) if account.organization_id}
    matches = {place: ids[line.organization_id] for place, line in enumerate(usages) if line.organization_id in ids}
    names: dict[str, list[Account]] = {}
    for account in children:
        if account not in matches.values() and account.organization_id not in ids.keys() - {""}:
            names.setdefault(account.name.casefold(), []).append(account)
    lines = [line.name.casefold() for place, line in enumerate(usages) if place not in matches]
    for place, line in enumerate(usages):
        accounts = names.get(line.name.casefold(), [])
        if place not in matches and len(accounts) == 1 and lines.count(line.name.casefold()) == 1:
            matches[place] = accounts[0]
    return matches


def _load_usage(request: OwnerRequest) -> tuple[Listing[Usage], datetime | None]:
    """What the parent is told of all its sub-accounts, within the page's patience."""
    match of(request).gather(usage=lambda platform: platform.organizations.usage())["usage"]:
        case Ready(value, at):
            return Listing(tuple(value)), at
        case Failed(error):
            return listing(partial(_raise, error)), None
        case _:
            account = request.account
            page_sources.begin_work(
                account.pk, lambda: bool(Reads(account).get(lambda p: p.organizations.usage()) or True)
            )
            trouble = _("The platform has not answered yet. This page updates automatically.")
            return Listing(trouble=trouble), None


def _raise(error: CallError) -> Sequence[Usage]:
    raise error


def _load_records(
    request: OwnerRequest, children: Sequence[Account], period: Period, ids: Mapping[UUID, str]
) -> Mapping[UUID, PlayRecord]:
    """What was last read of the sub-accounts. Only what was never read is waited for, as long as a page waits."""
    records = play_records.load_records(children)
    due = play_records.list_due(children, records, timezone.now())
    if due and is_page(request):
        is_first = any(account.pk not in records for account in due)
        work = partial(_refresh, due, period, ids)
        page_sources.begin_work(request.account.pk, work, parallel.page_patience() if is_first else 0.0)
        records = play_records.load_records(children)
    return records


def _refresh(due: Sequence[Account], period: Period, ids: Mapping[UUID, str]) -> bool:
    """Keep the platform's ids of accounts that were recognised by name, which may change, and read those that are due."""
    for account in due:
        if not account.organization_id and ids.get(account.pk):
            Account.objects.filter(pk=account.pk, organization_id="").update(organization_id=ids[account.pk])
    return play_records.refresh(due, period)


def _build_states(
    usages: Sequence[Usage],
    by_usage: Mapping[int, Account],
    children: Sequence[Account],
    records: Mapping[UUID, PlayRecord],
    period: Period,
) -> tuple[SubAccountState, ...]:
    """Lines of the usage in its order, then connected sub-accounts that it does not list."""
    tallies = {name: tally(name, children) or {} for name in ("running", "jobs", "waiting")}
    build = partial(_build_state, records=records, tallies=tallies, period=period)
    matched = {account.pk for account in by_usage.values()}
    told = {account.organization_id for account in by_usage.values()} - {""}
    rest = [child for child in children if child.pk not in matched and child.organization_id not in told]
    return (
        *(build(by_usage.get(place), line) for place, line in enumerate(usages)),
        *(build(account, None) for account in rest),
    )


def _build_state(
    account: Account | None,
    usage: Usage | None,
    *,
    records: Mapping[UUID, PlayRecord],
    tallies: Mapping[str, Mapping[UUID, int]],
    period: Period,
) -> SubAccountState:
    traffic = None
    if usage is not None:
        traffic = next((usage.figures[name] for name in TRAFFIC_NAMES if name in usage.figures), None)
    name = (usage.name or usage.organization_id) if usage else ""
    organization_id = usage.organization_id if usage else ""
    is_creating = usage is not None and usage.status.lower() == "creating"
    if account is None:
        return SubAccountState(name, TokenState.MISSING, organization_id, traffic=traffic, is_creating=is_creating)
    record = records.get(account.pk)
    is_refused = play_records.is_refused(account, record)
    return SubAccountState(
        name=account.name,
        token=TokenState.REFUSED if is_refused else TokenState.CONNECTED,
        organization_id=organization_id or account.organization_id,
        account_id=account.pk,
        traffic=traffic,
        plays=sum_plays(record.list_days(), period) if record else None,
        read_at=record.read_at if record else None,
        error=record.error if record else "",
        running=tallies["running"].get(account.pk),
        jobs=tallies["jobs"].get(account.pk),
        waiting=tallies["waiting"].get(account.pk),
    )

"""What the pages of all sub-accounts are drawn from: what is known, without waiting for any sub-account.

The rows are those that the platform's usage per sub-account lists to their parent, and the sub-accounts that are connected in
this browser. Only of these is anything read or shown that needs their own token: whoever signs in to the parent alone opens
nothing else by it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.feature import tally
from dashboard.overview.registry import Moving, provides
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.errors import BadToken, CallError, Unreachable
from dashboard.platform_api.organizations import Usage
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import NAMES, Metric, sum_over_time
from dashboard.shared.refusals import Listing, listing
from dashboard.shared.vault import Unreadable
from dashboard.sub_accounts import writes
from dashboard.sub_accounts.models import PlayRecord
from dashboard.sub_accounts.rules import Period, SubAccountState, TokenState, get_period, sum_plays
from dashboard.upstream import page_sources, parallel
from dashboard.upstream.figures import build_query
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads, is_page, of
from dashboard.writes.models import State

AT_ONCE: Final = 4
"""Calls in flight for the sub-accounts of one account."""
FRESH: Final = timedelta(minutes=2)
"""How long a read, or the refusal of a token, stands before it is tried again."""
ZONE: Final = ZoneInfo("UTC")


def load_records(accounts: Sequence[Account]) -> dict[UUID, PlayRecord]:
    """What was last read of these accounts, by the account's id."""
    return {record.account_id: record for record in PlayRecord.objects.filter(account__in=accounts)}


def list_due(accounts: Sequence[Account], records: Mapping[UUID, PlayRecord], now: datetime) -> list[Account]:
    """The accounts to read anew, those that were tried longest ago first."""
    due = [account for account in accounts if _is_due(account, records.get(account.pk), now)]
    never = datetime.min.replace(tzinfo=UTC)
    return sorted(due, key=lambda account: records[account.pk].tried_at or never if account.pk in records else never)


def is_refused(account: Account, record: PlayRecord | None) -> bool:
    """Whether the platform refused this very token at the last read that it answered."""
    return record is not None and record.refused == account.fingerprint


def refresh(accounts: Sequence[Account], period: Period) -> bool:
    """Read accounts anew, at most `AT_ONCE` at a time; whether anything that is shown has changed.

    Each group is kept before the next one is read.
    """
    is_changed = False
    for first in range(0, len(accounts), AT_ONCE):
        group = accounts[first : first + AT_ONCE]
        reads = {account.pk.hex: partial(_read, account, period) for account in group}
        outcomes = parallel.gather(float(settings.PLATFORM_TIMEOUT), **reads)
        for account in group:
            outcome = outcomes[account.pk.hex]
            is_changed |= _save(account, outcome.value if isinstance(outcome, Ready) else outcome)
    return is_changed


def _is_due(account: Account, record: PlayRecord | None, now: datetime) -> bool:
    if record is None or record.tried_at is None or (record.refused and record.refused != account.fingerprint):
        return True
    return not timedelta() <= now - record.tried_at < FRESH  # a later moment is of a clock that ran ahead


def _read(account: Account, period: Period) -> Outcome:
    query = build_query("browser", period.both, period.now.end + timedelta(days=1), granularity="day")
    plays = Query(query.put, FRESH.total_seconds())
    try:
        return Reads(account).gather(float(settings.PLATFORM_TIMEOUT), plays=plays)["plays"]
    except Unreadable:  # the key of its token is gone: only a new token helps
        return Failed(BadToken(query.operation))


def _save(account: Account, outcome: Outcome) -> bool:
    """Keep what a read brought. What was known stays where it brought nothing."""
    now = timezone.now()
    before = PlayRecord.objects.filter(account=account).first() or PlayRecord(account=account)
    values: dict[str, Any] = {"tried_at": now, "refused": before.refused if is_refused(account, before) else ""}
    match outcome:
        case Ready(value, at, _, None):
            values |= {"days": _sum_days(value.table), "read_at": at or now, "error": "", "refused": ""}
        case Ready(error=error) | Failed(error):
            values["error"] = type(error).__name__
            if isinstance(error, BadToken):
                values["refused"] = account.fingerprint
        case Late():
            values["error"] = Unreachable.__name__
    PlayRecord.objects.update_or_create(account=account, defaults=values)
    return any(getattr(before, name) != value for name, value in values.items() if name not in ("tried_at", "read_at"))


def _sum_days(table: Table) -> dict[str, float]:
    """Plays by ISO day; empty where the answer does not count plays by day."""
    column = next((name for name in NAMES[Metric.PLAYS] if name in table.columns), None)
    sums = sum_over_time(table.rows, column, ZONE, Granularity.DAY) if column else None
    return {day.isoformat(): plays for (day, _hour), plays in sorted((sums or {}).items())}


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
    return PortfolioData(period, states, usage=usage, usage_at=usage_at, children=tuple(children))


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
    records = load_records(children)
    due = list_due(children, records, timezone.now())
    if due and is_page(request):
        is_first = any(account.pk not in records for account in due)
        work = partial(_refresh, due, period, ids)
        page_sources.begin_work(request.account.pk, work, parallel.page_patience() if is_first else 0.0)
        records = load_records(children)
    return records


def _refresh(due: Sequence[Account], period: Period, ids: Mapping[UUID, str]) -> bool:
    """Keep the platform's ids of accounts that were recognised by name, which may change, and read those that are due."""
    for account in due:
        if not account.organization_id and ids.get(account.pk):
            Account.objects.filter(pk=account.pk, organization_id="").update(organization_id=ids[account.pk])
    return refresh(due, period)


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
    return SubAccountState(
        name=account.name,
        token=TokenState.REFUSED if is_refused(account, record) else TokenState.CONNECTED,
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


DAYS = 3
MOST = 3


@provides("sub_accounts", asks_platform=False)
def sub_accounts(request: OwnerRequest) -> Iterator[Moving]:
    """Nobody knows when a sub-account is ready (section 3): it leaves the list when it is connected, or after days."""
    connected = set(Account.objects.connected().filter(parent=request.account).values_list("name", flat=True))
    since = timezone.now() - timedelta(days=DAYS)
    recent = writes.list_creations(request.account).filter(state=State.DONE, created_at__gte=since)
    for creation in recent.exclude(label__in=connected)[:MOST]:
        here = address("sub_accounts:sub_account", creation.pk)
        sentence = _("Creating, %(when)s. The platform does not say when it is ready.")
        when = {"when": formats.ago(creation.created_at)}
        yield Moving(
            _("Sub-account %(name)s") % {"name": creation.label}, here, sentence=sentence % when, done=1, total=2
        )

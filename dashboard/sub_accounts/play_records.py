"""Reads the plays of connected sub-accounts, each with its own token, and keeps them beside the pages."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.errors import BadToken, Unreachable
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.metrics import NAMES, Metric, sum_over_time
from dashboard.shared.vault import Unreadable
from dashboard.sub_accounts.models import PlayRecord
from dashboard.sub_accounts.portfolio import Period
from dashboard.upstream import parallel
from dashboard.upstream.figures import build_query
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads

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

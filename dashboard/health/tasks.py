"""What the worker tries of a platform by itself: the reads that it may have."""

from datetime import timedelta
from logging import getLogger

from django.dispatch import receiver
from django.utils import timezone
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.accounts.tokens import connected
from dashboard.health import probing
from dashboard.platform_api.errors import CallError
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget
from dashboard.upstream.capabilities import OLD_AFTER
from dashboard.upstream.models import Capability, CapabilityState
from dashboard.writes import schedule

log = getLogger(__name__)

JUST_DONE = timedelta(hours=1)


@task()
def probe_account(account_id: str) -> int:
    """Try the assumed reads of one account; how many were tried. An account whose token is gone or refused is left."""
    account = Account.objects.connected().filter(pk=account_id).first()
    if account is None:
        return 0
    try:
        with budget.background():
            return len(probing.probe(account))
    except (CallError, Unreadable) as error:
        log.info("an account was not probed: %s", type(error).__name__)
        return 0


@receiver(connected)
def probe_soon(account: Account, **kwargs: object) -> None:
    """Let the worker try the reads of an account that was just connected, unless that was done a moment ago."""
    recent = Capability.objects.filter(account=account, checked_at__gt=timezone.now() - JUST_DONE)
    if not recent.exclude(state=CapabilityState.UNTRIED).exists():
        probe_account.enqueue(str(account.pk))


@task()
def probe_accounts() -> int:
    """Try the reads of every connected account whose record is missing or old; how many accounts.

    A record in which nothing was found was made while the platform was down.
    """
    recent = Capability.objects.filter(checked_at__gt=timezone.now() - OLD_AFTER)
    fresh = recent.exclude(state=CapabilityState.UNTRIED).values("account_id")
    accounts = list(Account.objects.connected().exclude(pk__in=fresh).values_list("pk", flat=True))
    return sum(bool(probe_account.call(str(pk))) for pk in accounts)


schedule.recur(probe_accounts, every=timedelta(hours=1))

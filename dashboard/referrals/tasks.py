"""Task of referrals: save each day's figures, because the platform has no history."""

from datetime import UTC, timedelta

from django.utils import timezone
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import CallError
from dashboard.referrals import models
from dashboard.referrals.rules import parse_summary
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, clients
from dashboard.writes import schedule


@task()
def keep_referrals() -> dict[str, list[str]]:
    """Save today's referral figures of every connected account.

    Returns the names of the accounts kept, and of those whose platform did not answer. Opening the page keeps a day as well;
    this is for days on which nobody looks.
    """
    today = timezone.now().astimezone(UTC).date()
    names: dict[str, list[str]] = {"kept": [], "failed": []}
    for account in Account.objects.connected().order_by(
        "?"
    ):  # where the call budget ends, others are left out next time
        try:
            with budget.background():
                raw = clients.platform_for(account).analytics.member_referrals().raw
        except (CallError, Unreadable) as error:
            names["failed"].append(f"{account.name}: {type(error).__name__}")
            continue
        models.save_day(account.pk, today, parse_summary(raw))
        names["kept"].append(account.name)
    return names


# Every hour: what is not seen on a day is lost, and one read a day that fails, or drifts past midnight, would miss it.
schedule.recur(keep_referrals, every=timedelta(hours=1))

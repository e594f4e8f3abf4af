"""Keeps today's referral figures of every connected account: `uv run manage.py keep_referrals`, once a day from cron.

Opening the page keeps a day as well; this is for days on which nobody looks.
"""

from datetime import UTC
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.accounts.vault import Unreadable
from dashboard.platform_api.errors import PlatformError
from dashboard.referrals import keeping
from dashboard.referrals.rules import summary


class Command(BaseCommand):
    help = "Keep today's referral figures of every connected account."

    def handle(self, *args: Any, **options: Any) -> None:
        today, kept = timezone.now().astimezone(UTC).date(), 0
        for account in Account.objects.connected():
            try:
                raw = clients.platform_for(account).analytics.member_referrals().raw
            except (PlatformError, Unreadable) as error:
                self.stderr.write(f"{account.name}: {type(error).__name__}")
                continue
            keeping.keep(account.pk, today, summary(raw))
            kept += 1
        self.stdout.write(f"{kept} accounts kept for {today.isoformat()}")

"""Keeps today's referral figures now: `uv run manage.py keep_referrals`. The worker does so every hour."""

from typing import Any

from django.core.management.base import BaseCommand

from dashboard.referrals.tasks import keep_referrals


class Command(BaseCommand):
    help = "Keep today's referral figures of every connected account."

    def handle(self, *args: Any, **options: Any) -> None:
        names = keep_referrals.call()
        for name in names["failed"]:
            self.stderr.write(name)
        self.stdout.write(f"{len(names['kept'])} accounts kept")

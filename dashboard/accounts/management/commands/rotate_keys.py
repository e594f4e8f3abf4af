"""manage.py rotate_keys: seal everything with the newest of TOKEN_KEYS, and say when the older ones can go."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from dashboard.accounts import identity, rotation

EVERY = 1000
"""Rows between two lines of progress."""


class Command(BaseCommand):
    """Works while the product runs; can be stopped and run again. Exits with 1 while an older key is still needed."""

    help = "Seal every stored secret with the newest of TOKEN_KEYS, and say when the older ones can be removed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--forget-lost",
            action="store_true",
            help="Also delete what none of TOKEN_KEYS opens: its accounts are disconnected until their token is given again.",
        )

    def handle(self, *args: Any, forget_lost: bool, **options: Any) -> None:
        identity.key.cache_clear()
        identity.key()
        for column in rotation.sealed_columns():
            self._reseal(column)
            if forget_lost and (count := rotation.forget_lost(column)):
                self.stdout.write(f"{column}: {count} that could not be opened forgotten.")
        renewed, twins = rotation.renew_fingerprints()
        if renewed:
            self.stdout.write(f"Accounts found by the identity key from now on: {renewed}.")
        if twins:
            self.stdout.write(f"Accounts whose token another account holds as well: {twins}. Sign-in opens the other.")
        self._conclude()

    def _reseal(self, column: rotation.SealedColumn) -> None:
        resealed = reported = 0
        for count in rotation.reseal(column):
            resealed += count
            if resealed - reported >= EVERY:
                self.stdout.write(f"{column}: {resealed} sealed anew …")
                reported = resealed
        self.stdout.write(f"{column}: {resealed} sealed anew.")

    def _conclude(self) -> None:
        """What a second look finds; only that decides whether older keys can go."""
        total = rotation.tally_all()
        older_keys = len(settings.TOKEN_KEYS) - 1
        self.stdout.write(f"{total.newest} with the newest key, {total.older} with an older, {total.lost} with none.")
        if total.older:
            self.stdout.write(
                "Keep every key: something was sealed with an older one meanwhile. "
                "Restart whatever runs with earlier settings, then run this again."
            )
        if total.lost:
            self.stdout.write(
                "A key was removed too early: put it back into TOKEN_KEYS, behind the others, and run this again. "
                "If it is lost: rotate_keys --forget-lost."
            )
        if total.older or total.lost:
            sys.exit(1)
        if older_keys:
            keys = "the older key" if older_keys == 1 else f"the {older_keys} older keys"
            self.stdout.write(f"You can remove {keys} from TOKEN_KEYS.")
        else:
            self.stdout.write("TOKEN_KEYS has one key, and it is in use.")

"""manage.py probe: try what the platform may have, once for each connected account, and say what is there."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dashboard.accounts.models import Account
from dashboard.health import probing
from dashboard.platform_api.errors import CallError
from dashboard.shared.vault import Unreadable


class Command(BaseCommand):
    """One line for each read that the specification does not describe. What is absent is not asked for on pages."""

    help = "Try each assumed read once, for every connected account, and keep what is there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--account", default="", help="Only the account of this name or id.")

    def handle(self, *args: Any, account: str, **options: Any) -> None:
        connected = [
            account_row
            for account_row in Account.objects.connected()
            if account in ("", account_row.name, str(account_row.pk))
        ]
        if not connected:
            raise CommandError("No such account is connected. Sign in with its token first.")
        failed = [account_row.name for account_row in connected if not self._probe(account_row)]
        if failed:
            raise CommandError(f"Not tried: {', '.join(failed)}.")

    def _probe(self, account: Account) -> bool:
        self.stdout.write(account.name)
        try:
            tried = probing.probe(account)
        except (CallError, Unreadable) as error:
            self.stderr.write(f"  {type(error).__name__}: the token is refused or cannot be read; sign in again.")
            return False
        for trial in tried:
            self.stdout.write(f"  {trial.operation:24} {trial.state:10} {trial.path:32} {trial.shape}".rstrip())
        return True

"""manage.py backup: a consistent copy of everything, while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dashboard import backups
from dashboard.backups import CopyFailed


class Command(BaseCommand):
    """Writes a folder that its owner alone can read, or nothing."""

    help = "Copy every database into DIR, with a manifest. Pages and worker go on meanwhile. Keys are not in it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", type=Path, help="A new folder.")

    def handle(self, *args: Any, dir: Path, **options: Any) -> None:
        try:
            manifest = backups.take(dir)
        except (backups.Refused, CopyFailed) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{dir} could not be written: {error.strerror}.") from error
        for alias, copy in manifest.databases.items():
            self.stdout.write(f"{alias}: {copy.size} bytes in {copy.file}")
        self.stdout.write(
            f"Wrote {dir}. SECRET_KEY and TOKEN_KEYS are not in it: keep a copy of them in another place."
        )

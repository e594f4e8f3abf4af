"""manage.py restore: a backup becomes the database again, and nothing is sent twice."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dashboard import backups
from dashboard.backups import CopyFailed


class Command(BaseCommand):
    """Checks everything before it changes anything."""

    help = "Make a backup the database: with every server and worker stopped, and the keys of its time."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", type=Path, help="A folder that manage.py backup wrote.")
        parser.add_argument("--replace", action="store_true", help="Delete what is in the database now.")
        parser.add_argument(
            "--keys-lost", action="store_true", help="Restore although a key is missing: its tokens cannot be read."
        )

    def handle(self, *args: Any, dir: Path, replace: bool, keys_lost: bool, **options: Any) -> None:
        try:
            manifest = backups.read_manifest(dir)
            backups.check(manifest, replace=replace, keys_lost=keys_lost)
            doubted = backups.restore(dir, manifest)
        except backups.Refused as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        except (CopyFailed, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored the backup of {manifest.taken_at}. Everybody signs in again.")
        if doubted:
            self.stdout.write(
                f"Writes that were open then: {doubted}. They may have been sent since, so they are not sent by themselves: "
                "they are looked for on the platform, and Activity shows them as not confirmed."
            )
        self.stdout.write("Start the server and the worker.")

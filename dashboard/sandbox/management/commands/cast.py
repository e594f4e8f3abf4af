"""manage.py cast: the demo's tokens and identifiers, for whoever drives the product from outside."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from dashboard.sandbox.seed.demo import cast


class Command(BaseCommand):
    """Migrates and seeds what a fresh clone lacks, then prints one JSON object and nothing else."""

    help = "Print the demo's tokens and identifiers as one JSON object."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--indent", type=int, default=2, help="Spaces per level; 0 for one line.")

    def handle(self, *args: Any, **options: Any) -> None:
        for database in ("default", "sandbox"):
            call_command("migrate", database=database, verbosity=0, interactive=False, stdout=self.stderr)
        indent = options["indent"] or None
        self.stdout.write(json.dumps(cast(), ensure_ascii=False, indent=indent))

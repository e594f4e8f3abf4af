"""manage.py doctor: is this installation safe and whole, and what to write where it is not."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from dashboard.diagnosis import Level, examine


class Command(BaseCommand):
    """Prints a line per finding; exits with 1 when something is unsafe or broken."""

    help = "Check every setting and the running installation, and say what to write instead."
    requires_system_checks = []  # it runs them itself, and goes on after what they find

    def handle(self, *args: Any, **options: Any) -> None:
        problems = []
        for finding in examine():
            self.stdout.write(str(finding))
            problems.append(finding.level)
        broken, warnings = problems.count(Level.BROKEN), problems.count(Level.WARNING)
        self.stdout.write(f"{broken} broken, {warnings} {'warning' if warnings == 1 else 'warnings'}.")
        if broken:
            sys.exit(1)

"""python -m tests.fuzz --requests 10000 [--seed N] [--round N] [--database postgres://…]: requests that no browser sends.

Over all addresses of the URL configuration, as owner, reviewer, stranger and another account, with the embedded platform
failing now and then. Every failure prints its seed and round; `--seed N --round N` makes that round again. Exit status 1
when something failed.
"""

import argparse
import logging
import os
import sys
import time

from tests.termination import unwind_on_termination


def main() -> int:
    """Run, tell failures as they come, and sum up."""
    unwind_on_termination()
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--round", type=int, help="only this round of the seed")
    parser.add_argument("--database", default=os.environ.get("TEST_DATABASE_URL", ""), help="SQLite without it")
    asked = parser.parse_args()
    os.environ["TEST_DATABASE_URL"] = asked.database
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    logging.disable()
    from django.conf import settings
    from django.db import connection
    from django.utils.module_loading import import_string

    from tests.bench.__main__ import databases
    from tests.fuzz.running import ROUND, Outcome, run_round
    from tests.fuzz.world import empty
    from tests.snapshots import Snapshots

    def tell(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    outcome, begun = Outcome(), time.monotonic()
    with databases():
        file = str(settings.DATABASES["sandbox"]["NAME"])
        platform = Snapshots(file, {"seeded": import_string(settings.SANDBOX_CAST)})
        rounds = [asked.round] if asked.round is not None else range(-(-asked.requests // ROUND))
        for number in rounds:
            run_round(empty(platform), outcome, asked.seed, number, ROUND, tell)
        vendor = connection.vendor
    tell(
        f"{vendor}, seed {asked.seed}: {outcome.requests} requests in {time.monotonic() - begun:.0f} s, of them {outcome.faults}"
        f" under a fault; {len(outcome.names)} addresses; {dict(outcome.people)}; {dict(sorted(outcome.statuses.items()))};"
        f" slowest {outcome.slowest:.1f} s CPU; {len(outcome.failures)} failures"
    )
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main())

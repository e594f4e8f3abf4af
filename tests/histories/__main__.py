"""Long histories: `uv run --group test python -m tests.histories --minutes 10 [--database-url …] [--webs 2 --workers 2]`."""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.histories.history import run
from tests.termination import unwind_on_termination


def main() -> int:
    unwind_on_termination()
    parser = argparse.ArgumentParser(prog="python -m tests.histories")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--webs", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--database-url", default="", help="PostgreSQL; SQLite without it. The database must be empty.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="history-", ignore_cleanup_errors=True) as folder:
        outcome = run(
            Path(folder),
            random.Random(asked.seed),
            seconds=asked.minutes * 60,
            webs=asked.webs,
            workers=asked.workers,
            database_url=asked.database_url,
        )
    sys.stdout.write(f"seed {asked.seed}\n{outcome.table()}\n")
    return 0 if outcome.verdict.holds and outcome.counts.accepted else 1


if __name__ == "__main__":
    sys.exit(main())

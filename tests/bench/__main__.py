"""python -m tests.bench [topic …] [--json]: what pages cost, as figures with their bounds.

Every `bench_<topic>.py` of this folder has `figures()`, which returns `Figure`s and finds two migrated, empty databases.
The exit status is 1 when a bound is broken.
"""

import argparse
import importlib
import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from tests.bench.figure import Figure
from tests.termination import unwind_on_termination

HERE = Path(__file__).parent


@contextmanager
def databases() -> Iterator[None]:
    """Test databases of their own, gone afterwards."""
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases, teardown_test_environment

    setup_test_environment(debug=False)
    made = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        teardown_databases(made, verbosity=0)
        teardown_test_environment()


def measured(topic: str) -> list[dict[str, Any]]:
    """The figures of one topic, on empty databases."""
    from django.core.management import call_command

    from tests.forgetting import forget

    for database in ("default", "sandbox"):
        call_command("flush", database=database, interactive=False, verbosity=0)
    forget()
    return rows_of(topic, importlib.import_module(f"tests.bench.bench_{topic}").figures())


def rows_of(topic: str, found: list[Figure]) -> list[dict[str, Any]]:
    """The figures as they are printed."""
    return [
        {
            "topic": topic,
            "name": one.name,
            "value": round(one.value, 3),
            "most": one.most if isfinite(one.most) else None,
            "unit": one.unit,
            "holds": one.holds,
        }
        for one in found
    ]


def table(rows: list[dict[str, Any]]) -> str:
    """The figures for people: aligned, broken bounds marked."""
    lines = [("topic", "figure", "value", "at most", "unit", "")]
    lines += [
        (
            row["topic"],
            row["name"],
            f"{row['value']:g}",
            "" if row["most"] is None else f"{row['most']:g}",
            row["unit"],
            "" if row["holds"] else "BROKEN",
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def main() -> int:
    """Measure, print, and say by the exit status whether every bound is kept."""
    unwind_on_termination()
    topics = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="What pages cost, with their bounds.")
    parser.add_argument("topics", nargs="*", metavar="topic", help=f"of {', '.join(topics)}; all without it")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    if unknown := set(options.topics) - set(topics):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ.setdefault("LOG_LEVEL", "error")
    import logging

    import django

    django.setup()
    logging.disable(logging.WARNING)
    with databases():
        rows = [row for topic in options.topics or topics for row in measured(topic)]
    if options.json:
        print(json.dumps({"python": platform.python_version(), "cores": os.cpu_count(), "figures": rows}, indent=1))  # noqa: T201
    else:
        print(table(rows))  # noqa: T201
    return 0 if all(row["holds"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

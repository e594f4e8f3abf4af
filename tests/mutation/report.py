"""What became of the mutants: a table by module, and the survivors that nobody gave a reason for."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

LEAST = 85.0
"""Percent of the mutants that the tests notice."""
ACCEPTED = Path(__file__).parent / "accepted.txt"


def accepted() -> dict[str, str]:
    """Reasons by mutant: in the file a reason stands on a line that begins with `# `, above the mutants it is for."""
    reasons, reason = {}, ""
    for line in ACCEPTED.read_text().splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            reasons[line.strip()] = reason
    return reasons


def key(result: dict[str, Any]) -> str:
    """A mutant as `accepted.txt` names it: it stays the same when lines move."""
    return f"{result['module']} {result['function'] or '-'}: {result['before']}  =>  {result['after']}"


def print_survivor(result: dict[str, Any]) -> None:
    """Print a mutant that no test noticed, unless it is accepted."""
    if not is_killed(result) and key(result) not in accepted():
        sys.stdout.write(f"{result['module']}:{result['line']} {result['outcome']}\n  {key(result)}\n")
        sys.stdout.flush()


def print_table(results: list[dict[str, Any]]) -> float:
    """Print the table of modules; the percentage killed comes back."""
    reasons = accepted()
    sys.stdout.write(f"\n{'module':48}{'mutants':>9}{'killed':>9}{'accepted':>9}{'left':>6}{'killed %':>10}\n")
    for module in sorted({result["module"] for result in results}):
        sys.stdout.write(_row(module, [result for result in results if result["module"] == module], reasons))
    sys.stdout.write(_row("all", results, reasons))
    return percent_killed(results)


def is_killed(result: dict[str, Any]) -> bool:
    """Whether a test noticed."""
    return str(result["outcome"]).startswith("killed")


def percent_killed(results: list[dict[str, Any]]) -> float:
    """Of all that were tried, accepted survivors included."""
    return 100 * sum(map(is_killed, results)) / len(results) if results else 100.0


def _row(name: str, results: list[dict[str, Any]], reasons: dict[str, str]) -> str:
    counts = Counter(
        "killed" if is_killed(result) else "accepted" if key(result) in reasons else "left" for result in results
    )
    figures = f"{len(results):9}{counts['killed']:9}{counts['accepted']:9}{counts['left']:6}"
    return f"{name:48}{figures}{percent_killed(results):10.1f}\n"

"""Each folder keeps within its budget of lines: tests/house/budget.txt, which is lowered with each step and raised with a reason.

Lines of Python that hold code: blank lines, comments and docstrings are not counted, migrations are.
`python -m tests.house.test_budget` prints the table as it is today.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

from tests.house.sources import OWN_PACKAGES, ROOT, assert_none, read_text

FILE = Path(__file__).with_name("budget.txt")
SLACK = 25
"""A folder that is smaller than its budget by more is to be lowered, or somebody else's lines fill it again."""
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def count_code(source: str) -> int:
    """The lines of a module that hold code."""
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in LAYOUT
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def count_folders() -> dict[str, int]:
    """Lines with code by folder: each app of the dashboard, what lies beside them, the review portal."""
    counts: Counter[str] = Counter()
    for package in OWN_PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            folder = path.relative_to(ROOT).parts[:2]
            is_app = package == "dashboard" and not folder[-1].endswith(".py")
            counts["/".join(folder) if is_app else package] += count_code(read_text(path))
    return dict(sorted(counts.items()))


def test_no_folder_outgrows_its_budget() -> None:
    budgets = {name: int(lines) for lines, name in (line.split() for line in FILE.read_text().splitlines())}
    counts = count_folders()
    too_large = [
        f"{name}: {counts[name]} lines, at most {budgets.get(name, 0)}"
        for name in counts
        if counts[name] > budgets.get(name, 0)
    ]
    too_high = [
        f"{name}: lower {budgets[name]} to {counts.get(name, 0)}"
        for name in budgets
        if counts.get(name, 0) < budgets[name] - SLACK
    ]
    assert_none([*too_large, *too_high])


def test_lines_of_code_are_counted_and_no_others() -> None:
    source = '"""Said."""\n\n# why\nx = """a\nb\n"""  # three\ndef f():\n    """Said\n    twice."""\n    return (\n        1\n    )\n'
    assert count_code(source) == 3 + 1 + 3


if __name__ == "__main__":
    sys.stdout.writelines(f"{lines} {name}\n" for name, lines in count_folders().items())

"""The pages for those who run Reelroom say what is there."""

import ast
import re
from pathlib import Path

from django.core.management import get_commands
from django.utils.text import slugify

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"])
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)")


def functions(file: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)}


def test_every_promise_of_the_security_page_names_tests_that_there_are() -> None:
    rows = re.findall(r"^\| (?!promise|-)(.+) \| (.+) \|$", (ROOT / "docs" / "security.md").read_text(), re.MULTILINE)
    assert len(rows) > 15
    for promise, tests in rows:
        named = NAMED_TEST.findall(tests)
        assert named and NAMED_TEST.sub("", tests).strip(", ") == "", promise
        for file, name in named:
            assert (ROOT / file).is_file() and name in functions(ROOT / file), f"{file}::{name}"


def test_every_link_between_the_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target, heading in LINK.findall(page.read_text()):
            found = (page.parent / target).resolve() if target else page
            assert found.exists(), f"{page.name}: {target}"
            if heading:
                headings = re.findall(r"^#+ (.+)$", found.read_text(), re.MULTILINE)
                assert heading in {slugify(text) for text in headings}, f"{page.name}: {target}#{heading}"


def test_every_command_on_the_pages_can_be_run() -> None:
    for page in PAGES:
        named = set(re.findall(r"manage\.py ([a-z_]+)", page.read_text()))
        assert named <= set(get_commands()), page.name


def test_upgrading_backs_up_and_stops_before_it_migrates() -> None:
    page = (ROOT / "docs" / "upgrading.md").read_text()
    order = [
        page.index(step) for step in ("**Back up**", "**Stop every process", "**Install**", "`migrate`", "/readyz")
    ]
    assert order == sorted(order)
    assert "writes_write" not in (ROOT / "docs" / "operations.md").read_text(), "said once"

"""What the pages for contributors name exists."""

import re

import pytest

from tests.house.sources import ROOT, assert_none, list_project_files, read_text, relative_name

PATH = re.compile(r"`((?:dashboard|review_portal|templates|static|tests|docs|\.ci)/[\w./-]+)`")
LINK = re.compile(r"\]\(([\w./-]+)\)")
PAGES = ("README.md", "CONTRIBUTING.md", "STYLE.md", "docs/architecture.md", "docs/decisions.md", "docs/operations.md")
EXAMPLE = "## Add an operation and a page"
"""What the worked example makes does not exist yet."""


def list_named_paths(page: str) -> set[str]:
    """The files and folders that a page names or links to."""
    text = read_text(ROOT / page).partition(EXAMPLE)[0]
    links = {str((ROOT / page).parent.joinpath(link).resolve().relative_to(ROOT)) for link in LINK.findall(text)}
    return links | {path.partition("::")[0] for path in PATH.findall(text)}


@pytest.mark.parametrize("page", PAGES)
def test_page_names_only_files_that_exist(page: str) -> None:
    assert_none(sorted(path for path in list_named_paths(page) if not (ROOT / path).exists()))


def test_architecture_names_every_package() -> None:
    text = read_text(ROOT / "docs/architecture.md")
    packages = "platform_api", "sandbox", "shared", "upstream", "writes", "accounts", "activity", "review_links"
    assert_none(package for package in packages if package not in text)
    assert len(list_named_paths("docs/architecture.md")) > 15


def test_docstrings_and_comments_name_only_files_that_exist() -> None:
    scripts = [path for path in list_project_files() if path.suffix == ".py" and "tests" not in path.parts]
    named = re.compile(r"(?<![\w/.])((?:templates|static|dashboard|tests|docs)/[\w/-]+\.(?:py|html|js|css|md))\b")
    assert_none(
        f"{relative_name(script)}: {path}"
        for script in scripts
        for path in named.findall(read_text(script))
        if not (ROOT / path).exists() and not (ROOT / "templates" / path).exists()
    )

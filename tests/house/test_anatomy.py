"""One word, five places; and what no file of the project may hold."""

import re
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
FEATURES = sorted(
    app.removeprefix("dashboard.")
    for app in settings.INSTALLED_APPS
    if app.startswith("dashboard.")
    and app not in {"dashboard.shared", "dashboard.management", "dashboard.templatetags", "dashboard.sandbox"}
)
TRACKED = [
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")
    if name and (ROOT / name).is_file()
]  # fmt: skip
TEXT = [
    path
    for path in TRACKED
    if path.suffix in {".py", ".html", ".css", ".js", ".toml", ".md", ".svg", ".po", ".json", ".vtt", ""}
]
REGISTRIES = re.compile(
    r"pypi\.org|pythonhosted|npmjs|registry\.|unpkg|jsdelivr|cdnjs|//cdn[.-]|esm\.sh|googleapis|deb\.debian",
    re.IGNORECASE,
)
VENDOR = re.compile("panda" + r"[ -]?video|panda" + r"player", re.IGNORECASE)


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_is_found_by_its_word(feature: str) -> None:
    folder = ROOT / "dashboard" / feature
    assert (folder / "urls.py").exists() == (folder / "views.py").exists()
    if (folder / "urls.py").exists():
        assert (ROOT / "templates" / feature).is_dir(), "no templates of its word"
        assert any((ROOT / "tests" / feature).glob("test_*.py")), "no tests of its word"


@pytest.mark.parametrize("feature", FEATURES)
def test_its_address_is_its_word(feature: str) -> None:
    urls = ROOT / "dashboard" / feature / "urls.py"
    if urls.exists():
        assert f'app_name = "{feature}"' in urls.read_text()


def test_style_sheets_of_features_carry_the_word_of_a_feature() -> None:
    words = {path.stem for path in (ROOT / "static" / "css" / "features").glob("*.css")}
    folders = {path.name for path in (ROOT / "templates").iterdir() if path.is_dir()} | {"review", "sign_in"}
    assert words - folders == set()


def test_every_style_sheet_is_imported_once() -> None:
    entry = "\n".join(path.read_text() for path in (ROOT / "static" / "css").glob("*.css"))
    for path in (ROOT / "static" / "css").rglob("*/*.css"):
        name = str(path.relative_to(ROOT / "static" / "css"))
        assert entry.count(f'url("{name}")') >= 1, f"{name} is not imported"


def test_every_script_is_used() -> None:
    sources = "\n".join(path.read_text() for path in TRACKED if path.suffix in {".html", ".js", ".py"})
    unused = [path.name for path in (ROOT / "static" / "js").rglob("*.js") if path.name not in sources]
    assert unused == []


@pytest.mark.parametrize("path", TEXT, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_file_names_a_registry_or_a_vendor(path: Path) -> None:
    if path.is_relative_to(ROOT / "tests" / "house"):
        return  # the patterns above
    text = path.read_text()
    assert not REGISTRIES.search(text)
    assert not VENDOR.search(text)


def test_nothing_that_tools_make_is_tracked() -> None:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in names if name == "uv.lock" or "node_modules" in name or name.endswith((".mo", ".pyc"))]


def test_the_top_level_is_as_agreed() -> None:
    tracked = {path.relative_to(ROOT).parts[0] for path in TRACKED}
    agreed = {
        "manage.py",
        "pyproject.toml",
        "README.md",
        "CHANGELOG.md",
        "docs",
        "dashboard",
        "review_portal",
        "templates",
        "static",
        "tests",
    }
    assert {name for name in tracked if not name.startswith(".")} - agreed == set()


LONG_ON_PURPOSE: dict[str, str] = {}


@pytest.mark.parametrize(
    "path",
    [p for p in TRACKED if p.suffix in {".py", ".js", ".css", ".html"} and "migrations" not in p.parts],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_no_file_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400 or str(path.relative_to(ROOT)) in LONG_ON_PURPOSE

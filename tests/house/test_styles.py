"""Each page of the dashboard loads two style sheets: what all pages share, and what those of its feature show besides."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

ROOT = Path(__file__).resolve().parents[2]
STYLES, TEMPLATES = ROOT / "static" / "css", ROOT / "templates"
ON_EVERY_PAGE = "features/search.css"
PUBLIC = "features/review_portal/"
SHARED = {"components", "review_portal"}
FEATURES = sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir() and path.name not in SHARED)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CLASS_FIRST = re.compile(r"(?:^|[{},;])\s*&?\s*(?::is\()?\.([a-zA-Z][\w-]*)")
TAG, CLASSES = re.compile(r"\{%.*?%\}|\{\{.*?\}\}"), re.compile(r'class="([^"]*)"')
LINKED = re.compile(r'rel="stylesheet" href="\{% static "css/(\w+)\.css" %\}"')
USED = re.compile(r'\{% (?:include|extends) "([^"]+)"')


def imported(entry: str) -> set[str]:
    path = STYLES / f"{entry}.css"
    return set(re.findall(r'url\("([^"]+)"\)', path.read_text())) if path.exists() else set()


def sheets_of_classes() -> dict[str, set[str]]:
    """The sheets that have a rule beginning with a class, by class."""
    found: dict[str, set[str]] = {}
    for path in [*STYLES.glob("components/*.css"), *STYLES.glob("features/**/*.css"), STYLES / "base.css"]:
        name = path.relative_to(STYLES).as_posix()
        for used in CLASS_FIRST.findall(COMMENT.sub("", path.read_text())) if not name.startswith(PUBLIC) else ():
            found.setdefault(used, set()).add(name)
    return found


def classes_of(feature: str) -> set[str]:
    """The classes that are written out in the templates of a feature and in those that they use."""
    waiting, seen, classes = (
        [path.relative_to(TEMPLATES).as_posix() for path in (TEMPLATES / feature).iterdir()],
        set(),
        set(),
    )
    while waiting:
        name = waiting.pop()
        if name not in seen and (TEMPLATES / name).exists():
            seen.add(name)
            text = (TEMPLATES / name).read_text()
            waiting += USED.findall(text)
            classes |= {
                word for words in CLASSES.findall(TAG.sub("\0", text)) for word in words.split() if "\0" not in word
            }
    return classes


@pytest.mark.parametrize("feature", FEATURES)
def test_pages_load_the_sheets_of_the_classes_they_use(feature: str) -> None:
    sheets, loaded = sheets_of_classes(), imported("app") | imported(feature)
    for path in (TEMPLATES / feature).iterdir():  # what single pages of it show besides
        loaded = loaded.union(*map(imported, LINKED.findall(path.read_text())))
    used = classes_of(feature) & sheets.keys()
    assert {name: sheets[name] for name in sorted(used) if not sheets[name] & loaded} == {}


def test_no_page_loads_the_sheet_of_another_feature() -> None:
    assert {name for name in imported("app") if name.startswith("features/")} == {ON_EVERY_PAGE}
    entries = [path.stem for path in STYLES.glob("*.css") if path.stem not in {"app", "room"}]
    features = {
        entry: {Path(name).parts[1].removesuffix(".css") for name in imported(entry) if name.startswith("features/")}
        for entry in entries
    }
    assert {entry: names for entry, names in features.items() if len(names) > 1} == {}


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_list_of_videos_loads_nothing_that_only_the_page_of_one_video_shows(
    owner: Client, cast: dict[str, Any]
) -> None:
    page = owner.get("/dashboard/videos/").content.decode()
    assert re.findall(r'rel="stylesheet" href="/static/css/(\w+)\.css"', page) == ["app", "videos"]
    assert not imported("videos") & imported("video")
    page = owner.get(f"/dashboard/videos/{cast['videos']['plain']}/").content.decode()
    assert re.findall(r'rel="stylesheet" href="/static/css/(\w+)\.css"', page) == ["app", "videos", "video"]


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_page_names_the_shared_sheet_and_then_its_own(owner: Client) -> None:
    page = owner.get("/dashboard/analytics/").content.decode()
    assert re.findall(r'rel="stylesheet" href="/static/css/(\w+)\.css"', page) == ["app", "analytics"]
    page = owner.get("/dashboard/search/").content.decode()
    assert re.findall(r'rel="stylesheet" href="/static/css/(\w+)\.css"', page) == ["app"]

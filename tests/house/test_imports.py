"""Who may import whom: the table of the architecture, kept true over the syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FEATURES = sorted(
    path.parent.name
    for path in (ROOT / "dashboard").glob("*/__init__.py")
    if path.parent.name
    not in {"platform_api", "sandbox", "shared", "accounts", "activity", "writes", "templatetags", "management"}
)
COMMON = (
    "dashboard.shared",
    "dashboard.platform_api",
    "dashboard.clients",
    "dashboard.activity.recorder",
    "dashboard.accounts",
    "dashboard.writes",
)


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("dashboard", "review_portal"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                yield name, path


def imported_by(path: Path) -> set[str]:
    """Modules that a file imports, those only for type checking left out."""
    tree = ast.parse(path.read_text())
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


ALL = dict(modules())


def within(name: str, *places: str) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)


@pytest.mark.parametrize("name", [name for name in ALL if within(name, "dashboard.platform_api")])
def test_the_platform_client_knows_neither_django_nor_us(name: str) -> None:
    outside = {i for i in imported_by(ALL[name]) if within(i, "django", "dashboard", "review_portal")}
    assert {i for i in outside if not within(i, "dashboard.platform_api")} == set()


@pytest.mark.parametrize("name", [name for name in ALL if not within(name, "dashboard.platform_api")])
def test_only_the_client_its_door_and_the_embedded_transport_know_httpx(name: str) -> None:
    allowed = within(name, "dashboard.clients", "dashboard.sandbox")
    assert allowed or not any(
        within(i, "httpx", "requests", "urllib.request", "http.client") for i in imported_by(ALL[name])
    )


@pytest.mark.parametrize("name", [name for name in ALL if not within(name, "dashboard.sandbox")])
def test_nobody_imports_the_embedded_platform(name: str) -> None:
    assert not any(within(i, "dashboard.sandbox") for i in imported_by(ALL[name]))


@pytest.mark.parametrize("name", [name for name in ALL if within(name, "dashboard.sandbox")])
def test_the_embedded_platform_knows_the_vocabulary_and_nothing_else_of_ours(name: str) -> None:
    ours = {i for i in imported_by(ALL[name]) if within(i, "dashboard", "review_portal")}
    allowed = ("dashboard.sandbox", "dashboard.platform_api.vocabulary")
    assert {i for i in ours if not within(i, *allowed)} == set()


@pytest.mark.parametrize("feature", FEATURES)
def test_no_feature_imports_another(feature: str) -> None:
    for name, path in ALL.items():
        if not within(name, f"dashboard.{feature}"):
            continue
        allowed: tuple[str, ...] = (f"dashboard.{feature}", *COMMON)
        if feature == "review_links":
            allowed += ("review_portal.links",)
        ours = {i for i in imported_by(path) if within(i, "dashboard", "review_portal")}
        assert {i for i in ours if not within(i, *allowed)} == set(), name


@pytest.mark.parametrize("name", [name for name in ALL if name.endswith(".rules")])
def test_rules_are_pure(name: str) -> None:
    package = name.rsplit(".", 1)[0]
    allowed = (
        "dashboard.platform_api.vocabulary",
        "dashboard.platform_api.records",
        package,
        "dashboard.shared.ranges",
        "dashboard.shared.metrics",
    )
    foreign = {i for i in imported_by(ALL[name]) if within(i, "django", "httpx", "dashboard", "review_portal")}
    assert {i for i in foreign if not within(i, *allowed)} == set()


@pytest.mark.parametrize("name", [name for name in ALL if within(name, "review_portal")])
def test_the_portal_knows_only_what_a_public_face_needs(name: str) -> None:
    allowed = ("review_portal", *COMMON)
    ours = {i for i in imported_by(ALL[name]) if within(i, "dashboard", "review_portal")}
    assert {i for i in ours if not within(i, *allowed)} == set()


def test_nothing_but_the_desk_of_review_links_reaches_into_the_portal() -> None:
    for name, path in ALL.items():
        if within(name, "review_portal"):
            continue
        found = {i for i in imported_by(path) if within(i, "review_portal")}
        if within(name, "dashboard.review_links"):
            found = {i for i in found if not within(i, "review_portal.links")}
        assert found == set(), name


def test_direction_is_urls_views_pages_rules_never_back() -> None:
    order = {"rules": 0, "models": 0, "pages": 1, "forms": 1, "views": 2, "urls": 3}
    for name, path in ALL.items():
        package, _, word = name.rpartition(".")
        if word not in order:
            continue
        for other, rank in order.items():
            if rank > order[word]:
                assert not any(within(i, f"{package}.{other}") for i in imported_by(path)), f"{name} imports {other}"

"""Who may import whom: the table of the architecture, kept true over the syntax trees. Each rule lists who breaks it."""

from collections.abc import Iterable

from tests.house.sources import OWN_PACKAGES, ROOT, assert_none, list_imports, list_modules

FEATURES = sorted(
    path.parent.name
    for path in (ROOT / "dashboard").glob("*/__init__.py")
    if path.parent.name
    not in {
        "platform_api",
        "sandbox",
        "shared",
        "accounts",
        "activity",
        "upstream",
        "writes",
        "templatetags",
        "management",
    }
)
COMMON = (
    "dashboard.shared",
    "dashboard.platform_api",
    "dashboard.upstream.clients",
    "dashboard.upstream",
    "dashboard.activity.recorder",
    "dashboard.accounts",
    "dashboard.writes",
    "dashboard.overview.registry",
    "dashboard.notices.history",
    "dashboard.notices.registry",
    "dashboard.notices.rules",
    "dashboard.notices.subscriptions",
    "dashboard.reports.registry",
    "dashboard.search.registry",
    "dashboard.activity.recorder",
    "dashboard.navigation",
    "dashboard.feature",
)
CROSSING = (
    "review_portal.context",
    "review_portal.cuts",
    "review_portal.decision_comments",
    "review_portal.decision_pages",
    "review_portal.decisions",
    "review_portal.export_files",
    "review_portal.exports",
    "review_portal.forms",
    "review_portal.imports",
    "review_portal.markup",
    "review_portal.messages",
    "review_portal.models",
    "review_portal.owner_queries",
    "review_portal.owner_writes",
    "review_portal.ownership",
    "review_portal.people_pages",
    "review_portal.rules",
    "review_portal.stills",
    "review_portal.sync",
    "review_portal.threads",
    "review_portal.videos",
)
"""The modules of the portal that `dashboard/review_links` imports: no others, and none of these in vain."""
RANKS = {"rules": 0, "models": 0, "pages": 1, "forms": 1, "views": 2, "urls": 3}
"""Layers of a feature: one imports those of its own rank and below."""


def is_within(name: str, *places: str) -> bool:
    """Whether a dotted name is one of these modules or packages, or inside one."""
    return any(name == place or name.startswith(f"{place}.") for place in places)


def list_offenders(modules: Iterable[str], watched: tuple[str, ...], allowed: tuple[str, ...] = ()) -> list[str]:
    """Imports of `watched` by these modules, except of what is `allowed`, as `module imports name`."""
    return [
        f"{module} imports {name}"
        for module in modules
        for name in sorted(list_imports(list_modules()[module]))
        if is_within(name, *watched) and not is_within(name, *allowed)
    ]


def modules_within(*places: str) -> list[str]:
    """The modules of these packages. A package that has none would make its rule say nothing."""
    modules = [name for name in list_modules() if is_within(name, *places)]
    assert modules, f"there is no {places}"
    return modules


def modules_outside(*places: str) -> list[str]:
    """Every other module."""
    return [name for name in list_modules() if not is_within(name, *places)]


def test_platform_client_imports_neither_django_nor_the_product() -> None:
    client = "dashboard.platform_api"
    assert_none(list_offenders(modules_within(client), ("django", *OWN_PACKAGES), allowed=(client,)))


def test_no_module_imports_an_http_client_except_the_platform_client_its_factory_the_sandbox_and_webhooks() -> None:
    """Webhooks are posted to addresses that people typed: `webhooks` is what keeps them out of this network."""
    mine = "dashboard.notices.webhooks"
    others = modules_outside("dashboard.platform_api", "dashboard.upstream.clients", "dashboard.sandbox", mine)
    assert_none(list_offenders(others, ("httpx", "requests", "urllib.request", "http.client")))


def test_no_module_imports_the_sandbox() -> None:
    assert_none(list_offenders(modules_outside("dashboard.sandbox"), ("dashboard.sandbox",)))


def test_sandbox_imports_nothing_of_the_product_except_the_vocabulary() -> None:
    allowed = ("dashboard.sandbox", "dashboard.platform_api.vocabulary")
    assert_none(list_offenders(modules_within("dashboard.sandbox"), OWN_PACKAGES, allowed))


def test_shared_imports_nothing_of_the_product_except_the_platform_client() -> None:
    allowed = ("dashboard.shared", "dashboard.platform_api")
    assert_none(list_offenders(modules_within("dashboard.shared"), OWN_PACKAGES, allowed))


def test_no_feature_imports_another() -> None:
    offenders = []
    for feature in FEATURES:
        package = f"dashboard.{feature}"
        portal = CROSSING if feature == "review_links" else ()
        offenders += list_offenders(modules_within(package), OWN_PACKAGES, allowed=(package, *COMMON, *portal))
    assert_none(offenders)


def test_rules_import_nothing_but_records_ranges_metrics_and_their_own_package() -> None:
    pure = (
        "dashboard.platform_api.vocabulary",
        "dashboard.platform_api.records",
        "dashboard.shared.ranges",
        "dashboard.shared.ranges",
        "dashboard.shared.metrics",
        "dashboard.shared.entries",
        "dashboard.shared.text",
        "dashboard.shared.csv",  # the one place of the guard of formula signs
    )
    rules = [name for name in list_modules() if name.endswith(".rules")]
    assert len(rules) > 5
    offenders = []
    for name in rules:
        package = name.rsplit(".", 1)[0]
        offenders += list_offenders([name], ("django", "httpx", *OWN_PACKAGES), allowed=(*pure, package))
    assert_none(offenders)


def test_review_portal_imports_only_what_a_public_page_needs() -> None:
    assert_none(list_offenders(modules_within("review_portal"), OWN_PACKAGES, allowed=("review_portal", *COMMON)))


def test_no_module_imports_the_review_portal_except_review_links_the_modules_of_the_crossing() -> None:
    others = modules_outside("review_portal", "dashboard.review_links")
    offenders = list_offenders(others, ("review_portal",))
    offenders += list_offenders(modules_within("dashboard.review_links"), ("review_portal",), allowed=CROSSING)
    assert_none(offenders)


def test_review_links_imports_every_module_of_the_crossing() -> None:
    imported = [
        name for module in modules_within("dashboard.review_links") for name in list_imports(list_modules()[module])
    ]
    assert_none([module for module in CROSSING if not any(is_within(name, module) for name in imported)])


def test_layers_of_a_feature_never_import_a_higher_layer() -> None:
    offenders = []
    for name in list_modules():
        package, _, layer = name.rpartition(".")
        if layer in RANKS:
            higher = tuple(f"{package}.{other}" for other, rank in RANKS.items() if rank > RANKS[layer])
            offenders += list_offenders([name], higher)
    assert_none(offenders)

"""Who may import whom: the table of docs/architecture.md, kept true over the syntax trees. Each rule lists who breaks it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter

from tests.house.sources import OWN_PACKAGES, ROOT, assert_none, list_imports, list_modules, read_text

EACH_FEATURE, OTHERS = "each feature", "all others"
ROW = re.compile(r"^\| (?P<who>.+?) \| (?P<what>.+?) \|$", re.MULTILINE)
NAME = re.compile(r"`([a-z_.]+)`")
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


@cache
def read_table() -> dict[str, frozenset[str]]:
    """What the modules of each row may import, by their dotted names; `EACH_FEATURE` and `OTHERS` stand for themselves."""
    text = read_text(ROOT / "docs/architecture.md").partition("## Who may import whom")[2].partition("\n## ")[0]
    table: dict[str, frozenset[str]] = {}
    for row in list(ROW.finditer(text))[2:]:
        what = row["what"].partition(";")[0]
        allowed = frozenset(map(complete, NAME.findall(what)))
        if what.startswith("like each feature"):
            allowed |= table.get(EACH_FEATURE, frozenset({EACH_FEATURE}))
        who = list(map(complete, NAME.findall(row["who"]))) or [row["who"].partition(":")[0]]
        table |= dict.fromkeys(who, allowed.union(who))
    features = table[EACH_FEATURE]
    return {who: allowed | features if EACH_FEATURE in allowed else allowed for who, allowed in table.items()}


def complete(name: str) -> str:
    """The dotted name of what the table calls `shared`."""
    return name if name.split(".")[0] in OWN_PACKAGES else f"dashboard.{name}"


def find_row(module: str) -> str:
    """The row of a module: that of the longest name that it begins with, else that of its feature or of all others."""
    named = [who for who in read_table() if is_within(module, who)]
    if named:
        return max(named, key=len)
    is_of_feature = module.count(".") > 1 and ".management" not in module and "dashboard.management" not in module
    return EACH_FEATURE if is_of_feature else OTHERS


def find_node(module: str) -> str:
    """What stands for a module in the drawing of all imports: its row, or its own feature."""
    row = find_row(module)
    return ".".join(module.split(".")[:2]) if row == EACH_FEATURE else row


@cache
def list_own_imports() -> Mapping[str, frozenset[str]]:
    """The modules of the product that each of its modules imports."""
    modules = list_modules()
    return {
        module: frozenset(
            imported
            for name in list_imports(path)
            if (imported := name if name in modules else name.rpartition(".")[0]) in modules and "." in imported
        )
        for module, path in modules.items()
    }


def test_modules_import_only_what_their_row_of_the_table_names() -> None:
    offenders = []
    for module, imports in list_own_imports().items():
        row, node = find_row(module), find_node(module)
        allowed = read_table()[row]
        offenders += [
            f"{module} imports {name}: {row} may not"
            for name in sorted(imports)
            if find_node(name) != node
            and (is_within(name, *allowed) if row == OTHERS else not is_within(name, *allowed))
        ]
    assert_none(offenders)


def test_no_rows_import_each_other_directly_or_in_a_circle() -> None:
    graph: dict[str, set[str]] = defaultdict(set)
    for module, imports in list_own_imports().items():
        if find_row(module) != OTHERS:
            graph[find_node(module)] |= {find_node(name) for name in imports} - {find_node(module)}
    try:
        assert len(list(TopologicalSorter(graph).static_order())) > 30
    except CycleError as error:
        raise AssertionError(f"these import each other: {' <- '.join(error.args[1])}") from None


def test_every_row_of_the_table_has_modules() -> None:
    rows = {find_row(module) for module in list_modules()}
    assert_none([who for who in read_table() if who not in rows])


def test_platform_client_imports_neither_django_nor_the_product() -> None:
    client = "dashboard.platform_api"
    assert_none(list_offenders(modules_within(client), ("django", *OWN_PACKAGES), allowed=(client,)))


def test_no_module_imports_an_http_client_except_the_platform_client_its_factory_the_sandbox_and_webhooks() -> None:
    """Webhooks are posted to addresses that people typed: `webhooks` is what keeps them out of this network."""
    mine = "dashboard.notices.webhooks"
    others = modules_outside("dashboard.platform_api", "dashboard.upstream.clients", "dashboard.sandbox", mine)
    assert_none(list_offenders(others, ("httpx", "requests", "urllib.request", "http.client")))


def test_rules_import_nothing_but_records_ranges_metrics_and_their_own_package() -> None:
    pure = (
        "dashboard.platform_api",
        "dashboard.shared.ranges",
        "dashboard.shared.retention",
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


def test_no_module_imports_the_review_portal_except_review_links() -> None:
    """They are one subject with two faces; `test_review_portal_imports_only_what_a_public_page_needs` holds the way back."""
    assert_none(list_offenders(modules_outside("review_portal", "dashboard.review_links"), ("review_portal",)))


def test_layers_of_a_feature_never_import_a_higher_layer() -> None:
    offenders = []
    for name in list_modules():
        package, _, layer = name.rpartition(".")
        if layer in RANKS:
            higher = tuple(f"{package}.{other}" for other, rank in RANKS.items() if rank > RANKS[layer])
            offenders += list_offenders([name], higher)
    assert_none(offenders)

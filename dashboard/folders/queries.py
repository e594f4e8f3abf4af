"""Reading folders [4.11]: the list at once where it holds the tree, else level by level; both answer forms are records here."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final
from urllib.parse import quote

from django.core.cache import cache

from dashboard.folders import rules
from dashboard.folders.rules import Forest, Node
from dashboard.platform_api.errors import BadToken, Missing, Unreachable
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import fold, parse_uuid
from dashboard.upstream import clients, reads
from dashboard.upstream.parallel import Failed, Late, Outcome, gather
from dashboard.upstream.reads import Query

LEVEL_SECONDS: Final = 10.0
REMEMBERED: Final = 24 * 60 * 60
"""Seconds for which the ancestors of a folder stay cached."""
SOUGHT: Final = 60
"""Calls that the search for an unknown folder may take: the platform may refuse more than about 200 a minute."""


class Slow(Unreachable):
    """The list was not there within the page's patience."""


def read_forest(request: OwnerRequest, *, inactive: bool, patience: float | None = None) -> Forest:
    """Active folders, with `inactive` all of them. Raises the `PlatformError` of the list, and `Slow`."""
    calls = {"active": partial(_list_folders, request, active=True)}
    if inactive:
        calls["inactive"] = partial(_list_folders, request, active=False)
    outcomes = gather(patience, **calls)
    return rules.build_forest(node for outcome in outcomes.values() for node in _nodes(outcome))


def _nodes(outcome: Outcome) -> list[Node]:
    if isinstance(outcome, Failed):
        raise outcome.error
    if isinstance(outcome, Late):
        raise Slow("folders.list")
    return list(outcome.value)


def list_active(request: OwnerRequest) -> list[Node]:
    """The active folders that the platform lists. Raises its `PlatformError`."""
    return _list_folders(request, active=True)


def _list_folders(request: OwnerRequest, *, active: bool) -> list[Node]:
    return reads.of(request).get(
        Query(
            lambda platform: [rules.build_node(folder) for folder in platform.folders.list(active=active)],
            shape="nodes",
        )
    )


def load_level(request: OwnerRequest, parent: str, *, inactive: bool) -> Sequence[Node]:
    """The direct children of one folder. `status` true gives active ones; what false gives is merged by id.

    Raises the `PlatformError` of either read.
    """
    calls = {"active": partial(_load_children, request, parent, active=True)}
    if inactive:
        calls["inactive"] = partial(_load_children, request, parent, active=False)
    outcomes = gather(clients.config().timeout, **calls)
    nodes: dict[str, Node] = {}
    for outcome in outcomes.values():
        if isinstance(outcome, Late):
            raise Unreachable("folders.list")
        nodes |= {node.id: node for node in _nodes(outcome) if node.id not in nodes}
    cache_ancestors(request, nodes.values())
    return sorted(nodes.values(), key=lambda node: (fold(node.name), node.id))


def _load_children(request: OwnerRequest, parent: str, *, active: bool) -> list[Node]:
    return reads.of(request).get(
        Query(
            lambda platform: [
                rules.build_node(folder)._replace(parent=parent)
                for folder in platform.folders.list(parent, active=active)
            ],
            LEVEL_SECONDS,
            shape="nodes",
        )
    )


def cache_ancestors(request: OwnerRequest, nodes: Iterable[Node]) -> None:
    """Cache the ancestors: the platform has no call that reads one folder."""
    cache.set_many({_node_key(request, node.id): tuple(node) for node in nodes}, REMEMBERED)


def find_path(request: OwnerRequest, forest: Forest, folder_id: str) -> tuple[Node, ...]:
    """The path from the root to a folder, from the list or the cache; () for a folder that the account does not have."""
    ancestors: list[Node] = []
    current = folder_id
    while current and len(ancestors) < rules.DEEPEST and not any(other.id == current for other in ancestors):
        node = forest.nodes.get(current) or _get_cached(request, current)
        if node is None:
            break
        ancestors.append(node)
        current = node.parent
    return tuple(reversed(ancestors))


def search_path(request: OwnerRequest, forest: Forest, folder_id: str, *, inactive: bool) -> tuple[Node, ...]:
    """Search for a folder's path by descending from the root, where the list has only the root (a shared link).

    Level by level, the nearest first. () when it is not found within `SOUGHT` calls.
    Raises the `PlatformError` of a level.
    """
    if forest.whole or not parse_uuid(folder_id):
        return ()
    level, calls = list(forest.children("")), 0
    while level and calls + len(level) <= SOUGHT:
        calls += len(level)
        calls_by_id = {node.id: partial(load_children, request, node.id, inactive=inactive) for node in level}
        outcomes = gather(clients.config().timeout, **calls_by_id).values()
        level = [node for outcome in outcomes if not _is_gone(outcome) for node in _nodes(outcome)]
        cache_ancestors(request, level)
        if any(node.id == folder_id for node in level):
            return find_path(request, forest, folder_id)
    return ()


def _is_gone(outcome: Outcome) -> bool:
    """Whether the folder was deleted after it was listed: then nothing is below it."""
    return isinstance(outcome, Failed) and isinstance(outcome.error, Missing)


def _get_cached(request: OwnerRequest, folder_id: str) -> Node | None:
    row = cache.get(_node_key(request, folder_id))
    return Node._make(row) if row else None


def _node_key(request: OwnerRequest, folder_id: str) -> str:
    # An address may name anything at all; a key holds no spaces and is not long.
    return f"folders:{request.account.pk}:node:{quote(folder_id, errors='replace')[:150]}"


def load_levels(request: OwnerRequest, forest: Forest, ancestors: Sequence[Node], *, inactive: bool) -> Forest:
    """The forest with the levels along `ancestors`, read by parent where the list has only the root.

    A level that fails is empty; the tree shows the rest. Raises `BadToken`.
    """
    if forest.whole or not ancestors:
        return forest
    nodes = {**forest.nodes, **{node.id: node for node in ancestors}}
    outcomes = gather(
        clients.config().timeout,
        **{node.id: partial(load_children, request, node.id, inactive=inactive) for node in ancestors},
    )
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, BadToken):
            raise outcome.error
        if not isinstance(outcome, Failed | Late):
            nodes |= {node.id: node for node in outcome.value if node.id not in nodes}
            cache_ancestors(request, outcome.value)
    return rules.build_forest(nodes.values())


def load_children(request: OwnerRequest, parent: str, *, inactive: bool) -> list[Node]:
    """The children of one folder, with its reads in sequence: for callers that run in parallel already."""
    rows = _load_children(request, parent, active=True) + (
        _load_children(request, parent, active=False) if inactive else []
    )
    return list({node.id: node for node in rows}.values())

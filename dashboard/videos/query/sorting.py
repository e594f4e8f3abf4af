"""The orders of a catalog. Pure."""

from collections.abc import Callable
from typing import Any

from dashboard.videos.query import catalog as facts
from dashboard.videos.query.catalog import Catalog
from dashboard.videos.rules import SortKey, VideoSort

_FACTS: dict[SortKey, tuple[str, Callable[[Any], float]]] = {
    SortKey.PLAYS: (facts.PLAYS, lambda count: count.now),
    SortKey.VIEWS: (facts.VIEWS, lambda count: count.now),
    SortKey.TRAFFIC: (facts.TRAFFIC, float),
    SortKey.COMMENTS: (facts.COMMENTS, lambda counts: counts.open),
}


def list_order(catalog: Catalog, sort: VideoSort) -> list[int]:
    """All positions in this order; those without the value are last. Worked out once for a catalog that is held."""
    return catalog.ordered(str(sort), lambda: _sort_positions(catalog, sort))


def _sort_positions(catalog: Catalog, sort: VideoSort) -> list[int]:
    values = _list_values(catalog, sort.key)
    known = [position for position, value in enumerate(values) if value is not None]
    known.sort(key=lambda position: values[position], reverse=sort.is_down)
    return known + [position for position, value in enumerate(values) if value is None]


def _list_values(catalog: Catalog, key: SortKey) -> list[Any]:
    if key is SortKey.TITLE:
        return list(catalog.titles)
    if key in _FACTS:
        column, read = _FACTS[key]
        return [None if value is None else read(value) for value in catalog.column(column)]
    return [getattr(entry, key.value) for entry in catalog.entries]

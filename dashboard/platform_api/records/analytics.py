"""Analytics answers [4.5, 4.12, 4.15], whose shapes the specification does not show.

`Analytics.raw` is always the answer as it came. `Table` is a tolerant reading of every shape that is known or likely:

    [{…}, …]                                        one row per object
    {"data" | "items" | "results" | …: [{…}, …]}    the same, with totals beside it
    {"views_data": {"<date>": {"play": 1, …}}}      one row per bucket
    {"retention": {"0": 100, "5": 95}}              one row per second
    {"points": [{"retention": 100}, …]}             one row per point
    {"data": [{"t": "<date>", "b": 1}]}             traffic: bytes per day
    {"<label or date>": {…} | number | [{…}, …]}    one row per key; dates and labels may be nested in either order
    {"views": 1, "plays": 1}                        one row of totals
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Self

from dashboard.platform_api.values import JSON, first, mapping, moment, number, optional_text, text


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it is about (`label`), when (`at`, a date or time as it came), and its numbers by metric name."""

    label: str
    at: str | None
    metrics: Mapping[str, float] = field(hash=False)
    latitude: float | None = None
    longitude: float | None = None
    country: str | None = None
    region: str | None = None
    city: str | None = None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    def __reduce__(self) -> tuple[type["Row"], tuple[object, ...]]:
        """Answers lie in a cache as pickles, and what dataclasses do by themselves takes four times as long to read back."""
        place = (self.latitude, self.longitude, self.country, self.region, self.city)
        return Row, (self.label, self.at, self.metrics, *place, self.extra)


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` are the metric names in the order of their first appearance; `totals` are numbers beside the rows."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Analytics:
    """The answer as it came, and as a table where it could be understood as one (None where not)."""

    raw: JSON = field(hash=False)
    table: Table | None

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        return cls(value, table_of(value))


_WRAPPERS: Final = ("data", "items", "results", "result", "rows")
_NAMED: Final = ("views_data", "retention", "points", "videos")
_LEVELS: Final = 3
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")
_METRIC_WORD: Final = re.compile(
    r"(^|_)(views?|plays?|unique|total|average|avg|count|balance|received|estimated|amount|value|bytes|bandwidth"
    r"|consumed|consumption|retention|engagement|duration|rate)(_|$)"
)
_AT: Final = ("date", "datetime", "day", "bucket", "period", "timestamp", "t")
_LABELS: Final = ("label", "name", "browser", "referrer", "referer", "source", "title", "video_title", "second", "time")
_PLACES: Final = {
    "latitude": ("latitude", "lat"),
    "longitude": ("longitude", "lng", "lon"),
    "country": ("country", "country_code"),
    "region": ("region", "state"),
    "city": ("city", "city_name"),
}
_SHOWN: Final = frozenset({*_AT, "hour", *(key for keys in _PLACES.values() for key in keys)})
_NOT_METRICS: Final = frozenset({*_SHOWN, *_LABELS, "id"})


def table_of(value: JSON, metric: str = "value") -> Table | None:
    """The table in an answer; `metric` names numbers that stand alone.

    An empty array or object is an empty table: nothing happened. Where nothing is a number, None: not understood.
    """
    totals: dict[str, float] = {}
    if isinstance(value, list):
        rows = tuple(_elements(value, "", None, metric))
    elif isinstance(value, dict):
        envelope = next((key for key in (*_WRAPPERS, *_NAMED) if isinstance(value.get(key), list | dict)), None)
        totals = _numbers(value) if _containers(value) else {}
        if envelope in _WRAPPERS:
            inner = table_of(value[envelope], metric)
            return inner and Table(inner.columns, inner.rows, inner.totals or totals)
        rows = tuple(_rows(value[envelope], "", None, envelope) if envelope else _bare(value, metric))
    else:
        return None
    columns = tuple(dict.fromkeys(name for row in rows for name in row.metrics))
    understood = columns or totals or not value or (not rows and _containers(value))
    return Table(columns, rows, totals) if understood else None


def _bare(value: dict[str, JSON], metric: str) -> Iterator[Row]:
    """Rows of an object without envelope: by key, or a single one where it is a set of totals."""
    containers = _containers(value)
    labelled = not any(_METRIC_WORD.search(key) for key in value) and len(_numbers(value)) == len(value)
    if containers:
        yield from _rows(containers, "", None, metric)
    elif labelled or _dated(value):
        yield from _rows(value, "", None, metric)
    elif value:
        yield _row(value, "", None)


def _rows(value: JSON, label: str, at: str | None, metric: str, level: int = 0) -> Iterator[Row]:
    """One row per element or key; a key that is a date says when, any other one what."""
    if isinstance(value, list):
        yield from _elements(value, label, at, metric)
    for key, inner in mapping(value).items():
        here = (label, key) if _DATE.fullmatch(key) else (key, at)
        if isinstance(inner, dict) and not (_dated(inner) or len(_containers(inner)) == len(inner)):
            yield _row(inner, *here)
        elif isinstance(inner, list | dict) and level < _LEVELS:
            yield from _rows(inner, *here, metric, level + 1)
        elif (found := number(inner)) is not None:
            yield Row(here[0] or key, here[1], {metric: found})


def _elements(value: list[JSON], label: str, at: str | None, metric: str) -> Iterator[Row]:
    """Rows of an array of objects or numbers; without any name, the position is the label."""
    for position, item in enumerate(value):
        if isinstance(item, dict):
            row = _row(item, label, at)
            yield row if row.label else replace(row, label=str(position))
        elif (found := number(item)) is not None:
            yield Row(label or str(position), at, {metric: found})


def _row(source: dict[str, JSON], label: str, at: str | None) -> Row:
    """One object as a row; its own name and time win over those of the key it stood under."""
    flat = source
    for inner in source.values():
        if isinstance(inner, dict):
            flat = {**inner, **flat}
    known = _known_keys(tuple(flat))
    own_time = _when(flat)
    found_at = own_time or at
    found_label = next((name for key in known.labels if (name := text(flat[key]))), label)
    if not found_label:
        others = (value for key, value in flat.items() if isinstance(value, str) and key not in _AT)
        position = "" if own_time else text(first(flat, *_AT))  # "t": 5 is no date: the fifth second, say
        found_label = next((value for value in others if value and number(value) is None), position or found_at or "")
    place = {name: first(flat, *keys) for name, keys in known.places}
    metrics = {key: value for key in known.metrics if (value := number(flat[key])) is not None}
    kept = {
        key: inner for key, inner in source.items() if not (key in metrics or key in _SHOWN or inner == found_label)
    }
    return Row(
        label=found_label,
        at=found_at,
        metrics=metrics,
        latitude=_degrees(place.get("latitude"), 90),
        longitude=_degrees(place.get("longitude"), 180),
        country=optional_text(place.get("country")),
        region=optional_text(place.get("region")),
        city=optional_text(place.get("city")),
        extra=kept if label in ("", found_label) else {**kept, "key": label},
    )


@dataclass(frozen=True, slots=True)
class _KnownKeys:
    """The keys of a row that mean something: its names, the best first, where it was, and what may be a number of it."""

    labels: tuple[str, ...]
    places: tuple[tuple[str, tuple[str, ...]], ...]
    metrics: tuple[str, ...]


@lru_cache(maxsize=256)
def _known_keys(keys: tuple[str, ...]) -> _KnownKeys:
    """Looked up once for all rows that have the same keys: an answer has tens of thousands."""
    there = frozenset(keys)
    labels = (*_LABELS, *_PLACES["city"], *_PLACES["region"], *_PLACES["country"])
    places = ((name, tuple(key for key in some if key in there)) for name, some in _PLACES.items())
    return _KnownKeys(
        tuple(key for key in labels if key in there),
        tuple((name, found) for name, found in places if found),
        tuple(key for key in keys if key not in _NOT_METRICS and not key.endswith("_id")),
    )


def _when(source: Mapping[str, JSON]) -> str | None:
    """The time of an object: the date as it came, with the hour where that stands apart, or an epoch as ISO 8601."""
    value = first(source, *_AT)
    hour = number(source.get("hour"))
    if number(value) is not None:
        found = moment(value)
        return found.isoformat() if found and found.year > _EPOCH_YEAR else None
    written = optional_text(value) or optional_text(source.get("hour") if hour is None else None)
    if written and hour is not None and len(written) == len("2026-01-31") and 0 <= hour < 24:
        return f"{written}T{int(hour):02d}:00"
    return written


_EPOCH_YEAR: Final = 1990
"""A number that would be a time before this is no time: most likely a position."""


def _numbers(source: Mapping[str, JSON]) -> dict[str, float]:
    """The metrics of an object: every number that is neither a name, a time, a place nor an identifier."""
    found = {key: number(value) for key, value in source.items() if key not in _NOT_METRICS and not key.endswith("_id")}
    return {key: value for key, value in found.items() if value is not None}


def _containers(value: JSON) -> dict[str, JSON]:
    return {key: inner for key, inner in mapping(value).items() if isinstance(inner, list | dict)}


def _dated(value: Mapping[str, JSON]) -> bool:
    return bool(value) and all(_DATE.fullmatch(key) for key in value)


def _degrees(value: JSON, limit: float) -> float | None:
    found = number(value)
    return found if found is not None and abs(found) <= limit else None

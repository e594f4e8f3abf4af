"""Analytics answers [4.5, 4.12, 4.15], whose shapes the specification does not show.

`Analytics.raw` is always the answer as it came. `Table` is a tolerant reading of every shape that is known or likely:

    [{…}, …]                                        one row per object
    {"data" | "items" | "results" | …: [{…}, …]}    the same, with totals beside it
    {"views_data": {"<date>": {"play": 1, …}}}      one row per bucket
    {"retention": {"0": 100, "5": 95}}              one row per second
    {"points": [{"retention": 100}, …]}             one row per point
    {"data": [{"t": "<date>", "b": 1}]}             traffic: bytes per day
    {"<label or date>": {…} | number | [{…}, …]}    one row per key; dates and labels may be nested in either order
    {"labels": […], "values": […]}                  columns of one length, or rows with their names apart: see `columns`
    {"views": 1, "plays": 1}                        one row of totals, which is about nothing by name

A row is named by what it says itself, then by the key it stands under. What has no name has the label "".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple, Self

from dashboard.platform_api.lists import is_identifier
from dashboard.platform_api.request import Auth, Host, Identifier, Query, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, first, mapping, moment, number, optional_text, sequence, text


class Row(NamedTuple):
    """One line: what it is about (`label`), when (`at`, a date or time as it came), and its numbers by metric name."""

    label: str
    at: str | None
    metrics: Mapping[str, float]
    latitude: float | None = None
    longitude: float | None = None
    country: str | None = None
    region: str | None = None
    city: str | None = None
    extra: Mapping[str, JSON] = {}

    @property
    def video_id(self) -> str:
        """The video that it is the row of; "" where it names none."""
        own = text(first(self.extra, *_IDENTIFIERS))
        return own or (self.label if is_identifier(self.label) else "")

    def __hash__(self) -> int:
        """Of what it says in words: mappings have none."""
        return hash((self.label, self.at, self.country, self.region, self.city))


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` are the metric names in the order of their first appearance; `totals` are numbers beside the rows."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: Mapping[str, float] = field(default_factory=dict, hash=False)

    @property
    def is_named(self) -> bool:
        """Whether rows say what they are about: not only when, at which position, or nothing."""
        return any(row.label not in ("", row.at) and not row.label.isdecimal() for row in self.rows)


@dataclass(frozen=True, slots=True)
class Analytics:
    """The answer as it came, and as a table where it could be understood as one (None where not)."""

    raw: JSON = field(hash=False)
    table: Table | None

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        return cls(value, table_of(value))


_WRAPPERS: Final = ("data", "items", "results", "result", "rows")
_NAMED: Final = (
    "views_data",
    "retention",
    "points",
    "videos",
    *(
        "browsers",
        "browser",
        "cities",
        "city",
        "referrers",
        "referrer",
        "sites",
        "ranking",
        "rankings",
        "top",
        "traffic",
    ),
)
"""Keys that say what stands under them: none of them names a row."""
_COUNTED: Final = ("views_data", "retention", "points")
"""Those that say as well what numbers alone count."""
_LEVELS: Final = 3
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")
_METRIC_WORD: Final = re.compile(
    r"(^|_)(views?|plays?|unique|total|average|avg|count|balance|received|estimated|amount|value|bytes|bandwidth"
    r"|consumed|consumption|retention|engagement|duration|rate)(_|$)"
)
_AT: Final = ("date", "datetime", "day", "bucket", "period", "timestamp", "t")
_LABELS: Final = ("label", "name", "browser", "referrer", "referer", "source", "title", "video_title", "second", "time")
_IDENTIFIERS: Final = ("video_id", "id")
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
    value = as_rows(value, metric)
    if isinstance(value, list):
        rows = tuple(_elements(value, "", None, metric))
    elif isinstance(value, dict):
        envelope = next((key for key in (*_WRAPPERS, *_NAMED) if isinstance(value.get(key), list | dict)), None)
        totals = _numbers(value) if _containers(value) else {}
        if envelope in _WRAPPERS:
            inner = table_of(value[envelope], metric)
            return inner and Table(inner.columns, inner.rows, inner.totals or totals)
        rows = tuple(_bare(value, metric) if envelope is None else _named(value[envelope], envelope, metric))
    else:
        return None
    columns = tuple(dict.fromkeys(chain.from_iterable(dict.fromkeys(tuple(row.metrics) for row in rows))))
    understood = columns or totals or not value or (not rows and _containers(value))
    return Table(columns, rows, totals) if understood else None


def _named(value: JSON, name: str, metric: str) -> Iterator[Row]:
    """Rows of what stands under a name; numbers alone are counted by that name where it says what they count."""
    yield from _rows(as_rows(value, metric), "", None, name if name in _COUNTED else metric)


def _bare(value: dict[str, JSON], metric: str) -> Iterator[Row]:
    """Rows of an object without envelope: by key, or a single one where it is a set of totals."""
    containers = _containers(value)
    labelled = not any(_METRIC_WORD.search(key) for key in value) and len(_numbers(value)) == len(value)
    if containers:
        yield from _rows(containers, "", None, metric)
    elif labelled or _dated(value):
        yield from _rows(value, "", None, metric)
    elif value:
        yield _read_row(value, "", None)


def _rows(value: JSON, label: str, at: str | None, metric: str, level: int = 0) -> Iterator[Row]:
    """One row per element or key; a key that is a date says when, any other one what."""
    if isinstance(value, list):
        yield from _elements(value, label, at, metric)
    for key, inner in mapping(value).items():
        here = (label, key) if _DATE.fullmatch(key) else (key, at)
        if isinstance(inner, dict) and not (_dated(inner) or len(_containers(inner)) == len(inner)):
            yield _read_row(inner, *here)
        elif isinstance(inner, list | dict) and level < _LEVELS:
            yield from _rows(inner, *here, metric, level + 1)
        elif (figure := number(inner)) is not None:
            yield Row(here[0] or key, here[1], {metric: figure})


def _elements(value: list[JSON], label: str, at: str | None, metric: str) -> Iterator[Row]:
    """Rows of an array of objects or numbers; without any name, the position is the label."""
    for position, item in enumerate(value):
        if isinstance(item, dict):
            objects = _objects_in(item)
            row = _read_row(item, label if label and _when(item) else "", at, objects)
            if objects and (days := next(filter(_dated, objects), None)):
                yield from _rows(days, row.label or label, at, metric)
            else:
                yield row if row.label else row._replace(label=label or str(position))
        elif (figure := number(item)) is not None:
            yield Row(label or str(position), at, {metric: figure})


def _objects_in(item: dict[str, JSON]) -> list[dict[str, JSON]]:
    """The objects inside of an object: most rows have none. JSON has no types of its own."""
    return [inner for inner in item.values() if type(inner) is dict] if dict in map(type, item.values()) else []


def _read_row(
    source: dict[str, JSON], label: str, at: str | None, objects: Iterable[dict[str, JSON]] | None = None
) -> Row:
    """One object as a row; its own name and time win over those of the key it stood under. `objects`: those inside of it."""
    flat = source
    for inner in _objects_in(source) if objects is None else objects:
        if not _dated(inner):
            flat = {**inner, **flat}
    known = _known_keys(tuple(flat))
    own_time = _when(flat, known.times) if known.is_timed else None
    found_at = own_time or at
    found_label = _named_by(flat, known.labels) or label or _wider_label(flat, known)
    if not found_label:
        others = (value for key, value in flat.items() if isinstance(value, str) and key not in _AT)
        position = "" if own_time else text(first(flat, *_AT))  # "t": 5 is no date: the fifth second, say
        found_label = next((value for value in others if value and number(value) is None), position or found_at or "")
    metrics = {key: value for key in known.metrics if (value := number(flat[key])) is not None}
    texts = known.texts if len(metrics) == len(known.metrics) else known.texts_and_metrics
    extra = {key: source[key] for key in texts if key not in metrics and key in source and source[key] != found_label}
    if label not in ("", found_label):
        extra["key"] = label
    if not known.places:
        return Row(found_label, found_at, metrics, extra=extra)
    latitude, longitude, country, region, city = map(flat.get, known.places)
    if known.is_ambiguous:
        latitude, longitude, country, region, city = (first(flat, *keys) for keys in _PLACES.values())
    return Row(
        found_label,
        at=found_at,
        metrics=metrics,
        latitude=_degrees(latitude, 90),
        longitude=_degrees(longitude, 180),
        country=optional_text(country),
        region=optional_text(region),
        city=optional_text(city),
        extra=extra,
    )


def _wider_label(flat: Mapping[str, JSON], known: "_KnownKeys") -> str:
    """The name of a row without a name and a key: what it is the row of, or the largest place that it names."""
    return _identifier(flat) or _named_by(flat, known.wider)


def _named_by(flat: Mapping[str, JSON], keys: Iterable[str]) -> str:
    """The first name under these keys, which are all there."""
    for key in keys:
        if name := text(flat[key]):
            return name
    return ""


def _identifier(flat: Mapping[str, JSON]) -> str:
    """What a row is the row of, where it says that by identifier and does not say when."""
    return text(first(flat, *_IDENTIFIERS)) if _when(flat) is None else ""


@dataclass(frozen=True, slots=True)
class _KnownKeys:
    """The keys of a row that mean something: its names, the best first, where it was, and what may be a number of it.

    `wider`: names of places that many rows share.
    """

    labels: tuple[str, ...]
    wider: tuple[str, ...]
    places: tuple[str, ...]
    """That of each part of the place, in the order of a row; none at all where nothing says it."""
    is_ambiguous: bool
    """Whether a part of the place has two keys, of which either may be null."""
    metrics: tuple[str, ...]
    texts: tuple[str, ...]
    """What is kept as it came, where it is not the name."""
    texts_and_metrics: tuple[str, ...]
    """The same where not every metric is a number: those that are none are kept, too."""
    times: tuple[str, ...]
    """Those that say when, the best first."""
    is_timed: bool
    """Whether any of the keys says when, or at what hour."""


@lru_cache(maxsize=256)
def _known_keys(keys: tuple[str, ...]) -> _KnownKeys:
    """Looked up once for all rows that have the same keys: an answer has tens of thousands."""
    there = frozenset(keys)
    labels, wider = (*_LABELS, *_PLACES["city"]), (*_PLACES["region"], *_PLACES["country"])
    places = [[key for key in some if key in there] or [some[0]] for some in _PLACES.values()]
    metrics = tuple(key for key in keys if key not in _NOT_METRICS and not key.endswith("_id"))
    return _KnownKeys(
        tuple(key for key in labels if key in there),
        tuple(key for key in wider if key in there),
        places=tuple(names[0] for names in places) if any(names[0] in there for names in places) else (),
        is_ambiguous=any(len(names) > 1 for names in places),
        metrics=metrics,
        texts=tuple(key for key in keys if key not in _SHOWN and key not in metrics),
        texts_and_metrics=tuple(key for key in keys if key not in _SHOWN),
        times=tuple(key for key in _AT if key in there),
        is_timed=not there.isdisjoint((*_AT, "hour")),
    )


def _when(source: Mapping[str, JSON], keys: tuple[str, ...] = _AT) -> str | None:
    """The time of an object: the date as it came, with the hour where that stands apart, or an epoch as ISO 8601."""
    value = None
    for key in keys:
        if (value := source.get(key)) is not None:
            break
    if isinstance(value, str) and value[4:5] == value[7:8] == "-" and "hour" not in source:
        return value  # no number has two of them there; most rows end here
    hour = number(source.get("hour"))
    if number(value) is not None:
        time = moment(value)
        return time.isoformat() if time and time.year > _EPOCH_YEAR else None
    written = optional_text(value) or optional_text(source.get("hour") if hour is None else None)
    if written and hour is not None and len(written) == len("2026-01-31") and 0 <= hour < 24:
        return f"{written}T{int(hour):02d}:00"
    return written


_EPOCH_YEAR: Final = 1990
"""A number that would be a time before this is no time: most likely a position."""


def _numbers(source: Mapping[str, JSON]) -> dict[str, float]:
    """The metrics of an object: every number that is neither a name, a time, a place nor an identifier."""
    figures = {
        key: number(value) for key, value in source.items() if key not in _NOT_METRICS and not key.endswith("_id")
    }
    return {key: value for key, value in figures.items() if value is not None}


def _containers(value: JSON) -> dict[str, JSON]:
    return {key: inner for key, inner in mapping(value).items() if isinstance(inner, list | dict)}


def _dated(value: Mapping[str, JSON]) -> bool:
    return bool(value) and all(_DATE.fullmatch(key) for key in value)


def _degrees(value: JSON, limit: float) -> float | None:
    degrees = number(value)
    return degrees if degrees is not None and abs(degrees) <= limit else None


_NAMES: Final = ("columns", "headers", "header", "fields")
_SETS: Final = ("datasets", "series")
_LABEL_KEYS: Final = ("labels", "label", "names", "name", "categories", "keys", "x")
_NUMBERS: Final = ("values", "value", "data", "counts", "y")


def as_rows(value: JSON, metric: str) -> JSON:
    """A list of objects, where `value` is figures with their names apart; else `value`. `metric` names nameless numbers."""
    if isinstance(value, list):
        return _of_rows(value, (), metric)
    source = mapping(value)
    names = sequence(first(source, *_NAMES))
    if names and isinstance(source.get("rows"), list):
        return _of_rows(sequence(source["rows"]), tuple(map(_name, names)), metric)
    columns = dict(_columns(source, metric))
    lengths = {len(column) for column in columns.values()}
    if len(columns) < 2 or len(lengths) != 1 or not lengths - {0} or not _is_named(columns):
        return value
    rows: list[JSON] = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return {"data": rows, **{key: inner for key, inner in source.items() if number(inner) is not None}}


def _columns(source: dict[str, JSON], metric: str) -> Iterator[tuple[str, list[JSON]]]:
    """The columns of an object by name; of datasets, each by its own."""
    for key, inner in source.items():
        column = sequence(inner)
        if key in _SETS and all(isinstance(entry, dict) for entry in column):
            for entry in map(mapping, column):
                yield text(first(entry, "label", "name")) or metric, sequence(first(entry, *_NUMBERS))
        elif column and not any(isinstance(cell, list | dict) for cell in column):
            is_dates = all(_DATE.fullmatch(text(cell)) for cell in column)
            name = "label" if key in _LABEL_KEYS else metric if key in _NUMBERS else key
            yield "date" if is_dates else name, column


def _is_named(columns: dict[str, list[JSON]]) -> bool:
    """Whether one column names the rows, and the others count something."""
    numeric = [all(cell is None or number(cell) is not None for cell in column) for column in columns.values()]
    return any(numeric) and (not all(numeric) or "label" in columns or "date" in columns)


def _of_rows(rows: list[JSON], names: tuple[str, ...], metric: str) -> list[JSON]:
    """Rows without keys as objects; where no names stand before them, the first row may have them."""
    if not rows or not all(isinstance(row, list) and row for row in rows):
        return rows
    cells = [sequence(row) for row in rows]
    if not names and all(isinstance(cell, str) and number(cell) is None for cell in cells[0]) and len(cells) > 1:
        names, cells = tuple(map(text, cells[0])), cells[1:]
    names = names or tuple(_guessed(cells, at, metric) for at in range(len(cells[0])))
    if any(len(row) != len(names) for row in cells):
        return rows
    return [dict(zip(names, row, strict=True)) for row in cells]


def _guessed(rows: list[list[JSON]], at: int, metric: str) -> str:
    """What a column without a name is: a date, a label, or the numbers."""
    column = [row[at] if at < len(row) else None for row in rows]
    if all(_DATE.fullmatch(text(cell)) for cell in column):
        return "date"
    if any(number(cell) is None for cell in column):
        return "label" if at < 2 else f"label {at}"
    return metric if at < 2 else f"{metric} {at}"


def _name(value: JSON) -> str:
    return text(value) or text(first(mapping(value), "name", "label", "title", "key"))


class AnalyticsOperations:
    """Figures of the account and of single videos."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def browser(
        self,
        start: date | None = None,
        end: date | None = None,
        granularity: str | None = None,
        video_id: Identifier | None = None,
    ) -> Analytics:
        """GET {data_url}/browser, or /browser/{video_id} for one video [4.15]."""
        path = ("browser",) if video_id is None else ("browser", video_id)
        return self._ask("analytics.browser", path, [*_range(start, end), ("granularity", granularity)])

    def city(
        self,
        start: date | None = None,
        end: date | None = None,
        granularity: str | None = None,
        country: str | None = None,
        region: str | None = None,
    ) -> Analytics:
        """GET {data_url}/city [4.15]; `region` is required when granularity is day or hour."""
        query = [*_range(start, end), ("granularity", granularity), ("country", country), ("region", region)]
        return self._ask("analytics.city", ("city",), query)

    def referrer(self, start: date | None = None, end: date | None = None, granularity: str | None = None) -> Analytics:
        """GET {data_url}/referrer [4.15]."""
        return self._ask("analytics.referrer", ("referrer",), [*_range(start, end), ("granularity", granularity)])

    def ranking(self, start: date | None = None, end: date | None = None) -> Analytics:
        """GET {data_url}/ranking [4.15]."""
        return self._ask("analytics.ranking", ("ranking",), _range(start, end))

    def traffic(self, video_id: Identifier, start: date, end: date) -> Analytics:
        """GET {traffic_url}/analytics/traffic [4.12]: bandwidth of one video; Bearer, or by `traffic_auth` [5]."""
        request = Request(
            "analytics.traffic",
            "GET",
            ("analytics", "traffic"),
            [("video_id", video_id), *_range(start, end)],
            host=Host.TRAFFIC,
            auth=Auth.TRAFFIC,
        )
        return self._send(request, lambda answer: Analytics.from_json(answer.json()))

    def general(self, video_id: Identifier, start: date | None = None, end: date | None = None) -> Analytics:
        """GET {data_url}/general/{video_id}: variant plays rate [4.5]."""
        return self._ask("analytics.general", ("general", video_id), _range(start, end))

    def retention(self, video_id: Identifier, start: date | None = None, end: date | None = None) -> Analytics:
        """GET {data_url}/retention/{video_id}: variant retention [4.5]."""
        return self._ask("analytics.retention", ("retention", video_id), _range(start, end))

    def member_referrals(self) -> Analytics:
        """GET {data_url}/member-referrals [4.15]: link, pending estimate, total received, balance [2.9]."""
        return self._ask("analytics.member_referrals", ("member-referrals",), [])

    def _ask(self, operation: str, path: tuple[Identifier, ...], query: Query) -> Analytics:
        return self._send(
            Request(operation, "GET", path, query, host=Host.DATA), lambda answer: Analytics.from_json(answer.json())
        )


def _range(start: date | None, end: date | None) -> list[tuple[str, object]]:
    return [
        ("start_date", None if start is None else f"{start:%Y-%m-%d}"),
        ("end_date", None if end is None else f"{end:%Y-%m-%d}"),
    ]

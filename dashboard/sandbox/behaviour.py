"""In which manner the embedded platform answers: which operations it lacks, and the shape of reads that no document shows."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from dashboard.sandbox.http_types import Answer, Json
from dashboard.sandbox.operations import Operation


class Shape(StrEnum):
    """How reads are answered of which the specification shows no body."""

    PLAIN = "plain"
    """Lists under the name of their group, records as they are."""
    WRAPPED = "wrapped"
    """Everything under `data`."""
    BARE = "bare"
    """Lists as arrays, without what stands beside them."""
    STRINGS = "strings"
    """Numbers and yes or no as text, and records inside of others as their identifiers."""


@dataclass(slots=True)
class Manner:
    """The manner of this process. `without`: names of operations that answer as addresses that do not exist."""

    without: frozenset[str] = frozenset()
    shape: Shape = Shape.PLAIN


manner: Final = Manner()


def use(*, without: frozenset[str] = frozenset(), shape: str = Shape.PLAIN) -> None:
    """Answer in this manner from now on. Raises `ValueError` for operations that there are none of, and for other shapes."""
    from dashboard.sandbox.routes import OPERATIONS  # the table imports the handlers, and they import a lot

    unknown = sorted(without - {operation.name for operation in OPERATIONS})
    if unknown:
        raise ValueError(f"There is no operation {', '.join(unknown)}.")
    manner.without, manner.shape = without, Shape(shape)


def lacks(operation: Operation | None) -> bool:
    """Whether this platform does not have the operation."""
    return operation is not None and operation.name in manner.without


def shaped(operation: Operation, answer: Answer) -> Answer:
    """The answer in the shape of this platform. What the specification describes stays as it says."""
    is_shown = operation.writes or not operation.section.startswith(("4.16", "gaps"))
    if manner.shape is Shape.PLAIN or is_shown or answer.status != 200 or answer.content is not None:
        return answer
    return replace(answer, json=_SHAPES[manner.shape](operation.name.partition(".")[0], answer.json))


def _wrapped(group: str, json: Json) -> Json:
    return {"data": json}


def _bare(group: str, json: Json) -> Json:
    return json[group] if isinstance(json, dict) and isinstance(json.get(group), list) else json


def _strings(group: str, json: Json) -> Json:
    if isinstance(json, dict) and isinstance(json.get(group), list):
        return {name: _as_text(value) for name, value in json.items() if name != group} | {
            group: [_as_text(record) for record in json[group]]
        }
    return [_as_text(record) for record in json] if isinstance(json, list) else _as_text(json)


def _as_text(value: Json) -> Json:
    """A record with its numbers as text, and with identifiers in the place of the records that it lists."""
    match value:
        case dict():
            return {name: _as_text(inner) for name, inner in value.items()}
        case list():
            return [_identifier(entry) for entry in value]
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
    return value


def _identifier(value: Json) -> Json:
    """What a record inside of another is known by; one without an identifier as it is."""
    if isinstance(value, dict):
        return value.get("video_id") or value.get("id") or _as_text(value)
    return _as_text(value)


_SHAPES: Final = {Shape.WRAPPED: _wrapped, Shape.BARE: _bare, Shape.STRINGS: _strings}

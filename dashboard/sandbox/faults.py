"""What the embedded platform was told to do wrong, per operation, and in which manner it answers.

Faults are kept in its database: set by tests (`faults.set("videos.get", status=500)`) and by the fault panel, read at every
call by every process. The manner is that of a process: which operations it lacks, and the shape of reads that no document shows.
"""

import random
from dataclasses import dataclass, replace
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from django.db import transaction
from django.db.models import F

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox import clock
from dashboard.sandbox.http_types import Answer, Json, Refusal
from dashboard.sandbox.models import Fault
from dashboard.sandbox.operations import Operation

EVERY: Final = "*"
"""The name that means every operation without a fault of its own."""
HANG_SECONDS: Final = 60.0
"""How long a call that hangs is held over HTTP before its connection is closed."""
_FAULTS: Final = "SELECT * FROM sandbox_fault WHERE operation IN (%s, %s)"
"""SQL, because every call asks it: composing it anew took four times as long as its answer."""


class Broken(StrEnum):
    """How a connection ends without an answer."""

    REFUSED = "refused"
    """The connection is never made. Over HTTP, where it was, it is dropped."""
    DROPPED = "dropped"
    """The connection ends before anything happened."""
    LOST = "lost"
    """The call is carried out, then the connection ends: what was written stays, the answer is lost."""
    HANGS = "hangs"
    """Nothing happens and no answer comes."""
    STALLS = "stalls"
    """The call is carried out and no answer comes."""


BEFORE: Final = frozenset({Broken.REFUSED, Broken.DROPPED, Broken.HANGS})


class Disconnected(Exception):
    """No answer will come; `how` says in which way."""

    def __init__(self, how: Broken) -> None:
        super().__init__(str(how))
        self.how = how


@dataclass(slots=True)
class Baseline:
    """Latency of every call of this process (`manage.py sandbox --latency-ms`), on top of any fault."""

    latency_ms: float = 0
    jitter_ms: float = 0


baseline = Baseline()


def set(
    operation: str,
    *,
    latency_ms: int = 0,
    jitter_ms: int = 0,
    status: int | None = None,
    retry_after: int | None = None,
    broken: str = "",
    times: int | None = None,
) -> None:
    """Let an operation (or `*`) go wrong from now on, or `times` times.

    `status`: 400 to 599 in place of the real answer. `retry_after`: seconds, sent with it. `broken`: a `Broken`.
    Raises ValueError for anything that cannot be done.
    """
    if status is not None and not 400 <= status <= 599:
        raise ValueError("status must be 400 to 599")
    if min(latency_ms, jitter_ms, retry_after or 0) < 0 or (times is not None and times < 1):
        raise ValueError("a fault has no negative numbers, and hits at least once")
    values = {
        "latency_ms": latency_ms,
        "jitter_ms": jitter_ms,
        "status": status,
        "retry_after": retry_after,
        "broken": Broken(broken) if broken else "",
        "remaining": times,
    }
    Fault.objects.update_or_create(pk=operation, defaults=values)


def clear(operation: str | None = None) -> None:
    """Let an operation work again; without a name, all of them."""
    (Fault.objects.all() if operation is None else Fault.objects.filter(pk=operation)).delete()


def strike(operation: str) -> Fault | None:
    """Return the fault that hits this call, and count it."""
    by_operation = {fault.pk: fault for fault in Fault.objects.raw(_FAULTS, [operation, EVERY])}
    fault = by_operation.get(operation) or by_operation.get(EVERY)
    if fault is None or fault.remaining is None:
        return fault
    with transaction.atomic(using="sandbox"):
        hit = Fault.objects.filter(pk=fault.pk, remaining__gt=0).update(remaining=F("remaining") - 1)
        Fault.objects.filter(pk=fault.pk, remaining=0).delete()
    return fault if hit else None


def wait(fault: Fault | None) -> None:
    """Be as late as the process and the fault say."""
    late, jitter = baseline.latency_ms, baseline.jitter_ms
    if fault is not None:
        late, jitter = late + fault.latency_ms, jitter + fault.jitter_ms
    clock.sleep(max(0.0, late + random.uniform(-jitter, jitter)) / 1000)


def before(fault: Fault | None) -> None:
    """Raise `Disconnected` where the call must not happen."""
    if fault is not None and fault.broken in BEFORE:
        raise Disconnected(Broken(fault.broken))


def after(fault: Fault | None) -> None:
    """Raise `Disconnected` where the answer must not arrive."""
    if fault is not None and fault.broken:
        raise Disconnected(Broken(fault.broken))


def answer(fault: Fault | None, coded: bool) -> Answer | None:
    """Return the wrong answer that the fault asks for, if it does."""
    if fault is None or fault.status is None:
        return None
    headers = {} if fault.retry_after is None else {"retry-after": str(fault.retry_after)}
    return Refusal(fault.status, _sentence(fault.status), headers).answer(coded)


def _sentence(status: int) -> str:
    if status == 500:
        return Message.INTERNAL
    return HTTPStatus(status).phrase if status in {known.value for known in HTTPStatus} else "Error"


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


def use_manner(*, without: frozenset[str] = frozenset(), shape: str = Shape.PLAIN) -> None:
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

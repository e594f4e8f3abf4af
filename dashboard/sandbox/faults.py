"""What the embedded platform was told to do wrong, per operation, kept in its database.

Set by tests (`faults.set("videos.get", status=500)`), by the fault panel, and read at every call: by every process.
"""

import random
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from django.db import transaction
from django.db.models import F

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox import clock
from dashboard.sandbox.http_types import Answer, Refusal
from dashboard.sandbox.models import Fault

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

"""An operation that hangs or fails takes no thread from the others: a bound on its calls in flight, and a circuit.

Reads have both. What a request writes has the bound alone (`writes/beside.py`): a write that cannot leave is held by whoever
keeps it, and is told apart from one that may have arrived.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

MOST_IN_FLIGHT: Final = 8
"""Reads of one operation at once, in this process."""
WAIT_SECONDS: Final = 1.0
"""How long a read waits for its place."""
STUCK_SECONDS: Final = 3.0
"""A read that takes longer is taken for stuck."""
MOST_STUCK: Final = 3
"""Stuck reads of one operation: no other is begun before one of them ends."""
MOST_STUCK_IN_ALL: Final = 6
"""The same over all operations: then it is the platform that hangs."""
FAILURES: Final = 4
"""Failures in a row after which the circuit is open."""
OPEN_SECONDS: Final = 5.0
"""For so long nothing is asked; then one read tries. Doubled each time that it fails, up to `LONGEST_OPEN`."""
LONGEST_OPEN: Final = 10.0


@dataclass
class _Circuit:
    """One operation: when its reads in flight began, failures in a row, and until when it is open."""

    begun: list[float] = field(default_factory=list)
    failures: int = 0
    open_seconds: float = 0.0
    open_until: float = 0.0

    def stuck(self, now: float) -> int:
        return sum(now - moment > STUCK_SECONDS for moment in self.begun)


class Circuits:
    """The circuits of all operations of one process. Safe to use from any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._by_operation: dict[str, _Circuit] = {}
        self._changed = threading.Condition()

    def enter(self, operation: str) -> float | None:
        """Begin a read: what `leave` wants back, or None where it must not be begun. Waits a moment for a place."""
        give_up_at = self._now() + WAIT_SECONDS
        with self._changed:
            circuit = self._by_operation.setdefault(operation, _Circuit())
            while True:
                now = self._now()
                if self._is_closed_to(circuit, now):
                    return None
                if len(circuit.begun) < MOST_IN_FLIGHT:
                    circuit.begun.append(now)
                    return now
                if now >= give_up_at or not self._changed.wait(give_up_at - now):
                    return None

    def _is_closed_to(self, circuit: _Circuit, now: float) -> bool:
        tries = circuit.failures >= FAILURES and bool(circuit.begun)  # the one that tries is under way
        if now < circuit.open_until or tries or circuit.stuck(now) >= MOST_STUCK:
            return True
        return sum(other.stuck(now) for other in self._by_operation.values()) >= MOST_STUCK_IN_ALL

    def leave(self, operation: str, entered: float, *, failed: bool | None) -> None:
        """End a read. `failed`: it brought no answer, or that of a gateway; None: nothing was sent after all."""
        with self._changed:
            circuit = self._by_operation[operation]
            circuit.begun.remove(entered)
            if failed is False:
                circuit.failures, circuit.open_seconds = 0, 0.0
            elif failed:
                circuit.failures += 1
                if circuit.failures >= FAILURES:
                    circuit.open_seconds = min(max(OPEN_SECONDS, circuit.open_seconds * 2), LONGEST_OPEN)
                    circuit.open_until = self._now() + circuit.open_seconds
            self._changed.notify()

    def open_operations(self) -> list[str]:
        """Operations that are not asked at this moment, by name."""
        now = self._now()
        with self._changed:
            return sorted(name for name, circuit in self._by_operation.items() if now < circuit.open_until)

    def close(self) -> None:
        """Forget all failures."""
        with self._changed:
            for circuit in self._by_operation.values():
                circuit.failures, circuit.open_seconds, circuit.open_until = 0, 0.0, 0.0

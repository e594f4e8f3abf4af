"""Records made of known answers, for as long as the answers stay the same: thousands of records cost a page too much."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from uuid import UUID

from dashboard.platform_api import Operations
from dashboard.platform_api.questions import Question, read_again
from dashboard.upstream import clients, store
from dashboard.upstream.store import Known

MOST_BYTES: Final = 800_000
"""Of the deflated answers whose records one process holds; the records are some twenty times that."""

DEFLATED: Final = 8
"""How many times smaller answers are for being deflated: an estimate."""

T = TypeVar("T")

_records: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
_lock = threading.Lock()
_bytes = 0


@dataclass(frozen=True)
class Condensed:
    """How a record that takes long to make of an answer is kept beside it. `load` raises `ValueError`."""

    dump: Callable[[Any], bytes]
    load: Callable[[bytes], Any]


@dataclass(frozen=True)
class Reader:
    """What is made of an answer: by `call`; `shape` names it where that is not the operation's record."""

    call: Callable[[Operations], Any]
    shape: str = ""
    condensed: Condensed | None = None


def get(account_id: UUID, digest: str, reader: Reader, known: Known) -> Any:
    """What a reader makes of the known answer to the question of this digest. Raises `Unreadable`."""
    key = (account_id, digest, reader.shape, known.changed_at)
    with _lock:
        if key in _records:
            _records.move_to_end(key)
            return _records[key][1]
    value = _load(reader, known)
    if value is None:
        value = read_again(reader.call, known.answer, review_reads=clients.config().review_reads)
        if reader.condensed is not None:
            store.condense(account_id, digest, known, reader.condensed.dump(value))
    _hold(key, value, len(known.condensed or known.packed))
    return value


def share(account_id: UUID, question: Question, shape: str, value: Any) -> None:
    """Hold what a read has just made of its answer, for whoever waited for the same: it is not made a second time.

    Of lives it is not what is known, which is without their secrets.
    """
    fresh = store.get_unwritten(account_id, question.digest)
    if fresh is not None and not question.operation.startswith("lives."):
        begun, size = fresh
        _hold((account_id, question.digest, shape, begun), value, size // DEFLATED)


def keep(key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """What `make` brings, for as long as its key is asked for: the key names the state of all that it is made of.

    `size`: of how many deflated bytes it is worth.
    """
    with _lock:
        if key in _records:
            _records.move_to_end(key)
            value: T = _records[key][1]
            return value
    value = make()
    _hold(key, value, size(value))
    return value


def _load(reader: Reader, known: Known) -> Any:
    if reader.condensed is not None and known.condensed is not None:
        with suppress(ValueError):
            return reader.condensed.load(known.condensed)
    return None


def _hold(key: Hashable, value: Any, size: int) -> None:
    global _bytes
    with _lock:
        if size > MOST_BYTES or key in _records:
            return
        _records[key] = size, value
        _bytes += size
        while _bytes > MOST_BYTES:
            _bytes -= _records.popitem(last=False)[1][0]

"""Records made of known answers, for as long as the answers stay the same: thousands of records cost a page too much."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final

from dashboard import clients
from dashboard.platform_api import Operations
from dashboard.platform_api.questions import read_again
from dashboard.upstream.store import Known

MOST_BYTES: Final = 600_000
"""Of the deflated answers whose records one process holds; the records are some twenty times that."""

_records: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
_lock = threading.Lock()
_bytes = 0


def get(key: Hashable, call: Callable[[Operations], Any], known: Known) -> Any:
    """What `call` makes of the answer. `key` names both and its state. Raises `Unreadable`."""
    with _lock:
        if key in _records:
            _records.move_to_end(key)
            return _records[key][1]
    value = read_again(call, known.answer, review_reads=clients.config().review_reads)
    _hold(key, value, len(known.packed))
    return value


def _hold(key: Hashable, value: Any, size: int) -> None:
    global _bytes
    with _lock:
        if size > MOST_BYTES or key in _records:
            return
        _records[key] = size, value
        _bytes += size
        while _bytes > MOST_BYTES:
            _bytes -= _records.popitem(last=False)[1][0]

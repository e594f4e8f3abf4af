"""What a line of the log, a write and a task know of the request that they belong to."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class RequestContext:
    """One request, or one task that a request has queued. What is not known yet is "". Never an address."""

    request_id: str
    method: str = ""
    view: str = ""
    """The name of the URL, such as "review_portal:room"; of a task, its module path."""
    account: str = ""
    """The id of the signed-in account."""


_NOTHING = RequestContext("")
_current: ContextVar[RequestContext] = ContextVar("request_context", default=_NOTHING)


def get_context() -> RequestContext:
    """What is known here; every field is "" outside of requests and tasks."""
    return _current.get()


def get_request_id() -> str:
    """The id of the request, or of the task, that runs here; "" outside of both."""
    return _current.get().request_id


@contextmanager
def use_context(context: RequestContext) -> Iterator[RequestContext]:
    """Inside, also in threads that copy the context, `context` is what is known."""
    before = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(before)


def continue_request(request_id: str) -> None:
    """From now on this task belongs to the request with this id, where there is one."""
    context = _current.get()
    if request_id and context is not _NOTHING:
        context.request_id = request_id

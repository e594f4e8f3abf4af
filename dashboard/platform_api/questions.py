"""A read as a value: the question that it puts, and what its operation makes of an answer that came earlier."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.operations import Operations
from dashboard.platform_api.request import Flag, Request

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Question:
    """What a read asks, without the token of who asks."""

    operation: str
    about: str
    """The identifier that its address names; "" for a list."""
    digest: str
    """Of host, path and query, 32 characters: the same for the same question."""


class _Asked(Exception):
    def __init__(self, request: Request) -> None:
        self.request = request


def question_of(call: Callable[[Operations], object], *, review_reads: bool = True) -> Question:
    """The question of `call`, which makes one read: `question_of(lambda p: p.videos.get(video_id))`. Nothing is sent.

    Raises `ValueError` for a call that reads nothing, and the `PlatformError` of identifiers that cannot exist.
    """
    return as_question(request_of(call, review_reads=review_reads))


def request_of(call: Callable[[Operations], object], *, review_reads: bool = True) -> Request:
    """What `call` would send first. Nothing is sent. Raises like `question_of`."""
    try:
        call(Operations(_ask, review_reads=review_reads))
    except _Asked as asked:
        return asked.request
    raise ValueError("nothing was asked")


def as_question(request: Request) -> Question:
    """The question that a request puts. Raises `ValueError` for one that writes."""
    if request.method != "GET":
        raise ValueError(f"{request.operation} is no read")
    pairs = [(name, None if value is Flag.SET else str(value)) for name, value in request.query if value is not None]
    question = (request.host.value, [str(segment) for segment in request.path], pairs)
    named = [*request.path[1:2], *(value for name, value in request.query if name == "video_id")]
    about = str(named[0]) if named else ""
    return Question(request.operation, about, blake2b(repr(question).encode(), digest_size=16).hexdigest())


def read_again(call: Callable[[Operations], T], answer: Answer, *, review_reads: bool = True) -> T:
    """What `call` makes of an answer to its question that came earlier. Raises `Unreadable`."""

    def send(request: Request, read: Callable[[Answer], U]) -> U:
        return read(answer)

    return call(Operations(send, review_reads=review_reads))


def _ask(request: Request, read: Callable[[Answer], T]) -> T:
    raise _Asked(request)

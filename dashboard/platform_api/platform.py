"""The platform as one account sees it: its operations, and reads as values."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TypeAlias, TypeVar

import httpx

from dashboard.platform_api.ai_workflow import AiWorkflow
from dashboard.platform_api.analytics import AnalyticsOperations
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.assistants import Assistants
from dashboard.platform_api.circuits import Circuits
from dashboard.platform_api.comparisons import ComparisonOperations
from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.credits import CreditOperations
from dashboard.platform_api.folders import Folders
from dashboard.platform_api.funnels import Funnels
from dashboard.platform_api.lives import Lives
from dashboard.platform_api.organizations import Organizations
from dashboard.platform_api.playlists import Playlists
from dashboard.platform_api.public_files import PublicFiles
from dashboard.platform_api.request import Flag, Preview, Request, preview_of
from dashboard.platform_api.reviews import PublicReview, ReviewLinks
from dashboard.platform_api.sending import Budget, Observe, Send, Sender, T
from dashboard.platform_api.videos import CustomFields, Videos


class Operations:
    """Every group, over one way of sending.

    `review_reads`: whether the assumed reads of review links and comments may leave (see `assumptions`).
    """

    def __init__(self, send: Send, *, review_reads: bool) -> None:
        self.videos = Videos(send)
        self.ai_workflow = AiWorkflow(send)
        self.organizations = Organizations(send)
        self.review_links = ReviewLinks(send, review_reads)
        self.public_files = PublicFiles(send)
        self.public_review = PublicReview(send, review_reads)
        self.comparisons = ComparisonOperations(send)
        self.credits = CreditOperations(send)
        self.custom_fields = CustomFields(send)
        self.lives = Lives(send)
        self.funnels = Funnels(send)
        self.folders = Folders(send)
        self.playlists = Playlists(send)
        self.assistants = Assistants(send)
        self.analytics = AnalyticsOperations(send)


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
    if not request.is_read:
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


Keep: TypeAlias = Callable[[Question, Answer, datetime], None]
"""Is told of the answer to every read, and when that began."""


class Rehearsed(Exception):
    """Raised in the place of a call that must only be shown: `preview` is what would have been sent."""

    def __init__(self, preview: Preview) -> None:
        super().__init__(preview.operation)
        self.preview = preview


class Platform(Operations):
    """All operations, sent with one account's token; "" for reviewers, who have none.

    `http` comes from `open_http` and is shared by the process, and so are `circuits`. `observe` is told of every attempt,
    `leave` when one begins, `keep` of every answer to a read. Nothing leaves that `budget` does not admit.
    With `rehearse` reads are sent and the first write raises `Rehearsed` instead. Cheap to make.
    """

    def __init__(
        self,
        config: PlatformConfig,
        http: httpx.Client,
        token: str,
        *,
        observe: Observe | None = None,
        sleep: Callable[[float], None] = time.sleep,
        rehearse: bool = False,
        circuits: Circuits | None = None,
        budget: Budget | None = None,
        leave: Callable[[], None] | None = None,
        keep: Keep | None = None,
    ) -> None:
        self._sender = Sender(
            config, http=http, token=token, observe=observe, sleep=sleep, circuits=circuits, budget=budget, leave=leave
        )
        send = _checking(self._sender.send)
        if keep is not None:
            send = _keeping(send, keep)
        super().__init__(_showing(config, reads=send) if rehearse else send, review_reads=config.review_reads)
        self.config = config

    def ask(self, call: Callable[[Operations], object]) -> Answer:
        """The answer to the one read of `call`, as it came: nothing of it is understood or kept.

        Raises `PlatformError`, and `ValueError` for a call that writes.
        """
        request = request_of(call, review_reads=self.config.review_reads)
        if not request.is_read:
            raise ValueError(f"{request.operation} is no read")
        return self._sender.send(request, lambda answer: answer)

    def preview(self, call: Callable[[Operations], object]) -> Preview:
        """What a call would send, without sending it: `platform.preview(lambda p: p.lives.start(live_id))`.

        Raises `ValueError` for a `call` that makes no call, and whatever the operation raises before it sends.
        """
        try:
            call(Operations(_showing(self.config), review_reads=self.config.review_reads))
        except Rehearsed as shown:
            return shown.preview
        raise ValueError("nothing was called")


def _checking(send: Send) -> Send:
    """Sends with `send`, and takes no answer for a success that says in its body that the call failed.

    Public files are no answers of an operation.
    """

    def send_and_check(request: Request, read: Callable[[Answer], T]) -> T:
        def read_checked(answer: Answer) -> T:
            if not request.host.has_files:
                answer.check(is_write=not request.is_read)
            return read(answer)

        return send(request, read_checked)

    return send_and_check


def _keeping(send: Send, keep: Keep) -> Send:
    """Sends with `send`, and gives the answers to reads to `keep`."""

    def send_and_keep(request: Request, read: Callable[[Answer], T]) -> T:
        if not request.is_read:
            return send(request, read)
        begun, answers = datetime.now(UTC), []

        def read_answer(answer: Answer) -> T:
            answers.append(answer)
            return read(answer)

        value = send(request, read_answer)
        keep(as_question(request), answers[-1], begun)
        return value

    return send_and_keep


def _showing(config: PlatformConfig, reads: Send | None = None) -> Send:
    """Shows calls by raising `Rehearsed`; with `reads`, a read is sent with it."""

    def send(request: Request, read: Callable[[Answer], T]) -> T:
        if reads is not None and request.is_read:
            return reads(request, read)
        raise Rehearsed(preview_of(request, config))

    return send

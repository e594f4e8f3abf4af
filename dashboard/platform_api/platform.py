"""The platform as one account sees it."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

import httpx

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.circuits import Circuits
from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.operations import Operations
from dashboard.platform_api.questions import Question, as_question, request_of
from dashboard.platform_api.request import Preview, Request, preview_of
from dashboard.platform_api.sending import Budget, Observe, Send, Sender, T

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
        self._sender = Sender(config, http, token, observe, sleep, circuits, budget, leave)
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
        if request.method != "GET":
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
                answer.check(is_write=request.method != "GET")
            return read(answer)

        return send(request, read_checked)

    return send_and_check


def _keeping(send: Send, keep: Keep) -> Send:
    """Sends with `send`, and gives the answers to reads to `keep`."""

    def send_and_keep(request: Request, read: Callable[[Answer], T]) -> T:
        if request.method != "GET":
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
    """Shows calls by raising `Rehearsed`; with `reads`, a GET is sent with it."""

    def send(request: Request, read: Callable[[Answer], T]) -> T:
        if reads is not None and request.method == "GET":
            return reads(request, read)
        raise Rehearsed(preview_of(request, config))

    return send

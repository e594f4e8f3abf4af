"""The only place that sends: one exchange, its retries, its errors, its line in the log.

What is logged and observed is the operation's name, the status and the milliseconds. Never an address, never a token.
"""

import logging
import random
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias, TypeVar

import httpx

from dashboard.platform_api import connection
from dashboard.platform_api.answers import Answer, without_secrets
from dashboard.platform_api.circuits import Circuits
from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.errors import (
    BadToken,
    CallError,
    PlatformDown,
    RateLimited,
    Unreachable,
    error_for,
)
from dashboard.platform_api.request import Auth, Request
from dashboard.platform_api.values import Denied, Unreadable

log = logging.getLogger(__name__)
T = TypeVar("T")

LEAST_SECRET: Final = 16
"""Letters of a token from which it is looked for in answers: a shorter one is a word of any text."""
BODY_LIMIT: Final = 8_000_000
"""Bytes of an answer, decompressed. The largest sensible one, a year of hourly analytics, stays below 2 MB."""
RETRIES: Final = 2
PAUSES: Final = (0.1, 0.4)
"""Seconds before each retry; half of it is left to chance so that many readers do not come back at once."""
RETRY_AFTER_LIMIT: Final = 2.0
"""Waits longer than this are told to the person instead of being waited for."""
LEAST_RETRY_AFTER: Final = 1.0
"""After a 429 nothing is tried again sooner, even where the platform says that it may."""

GATEWAY_FAILURES: Final = frozenset({502, 503, 504})

_NEVER_CONNECTED = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
)
_NO_ADDRESS = (httpx.UnsupportedProtocol, httpx.InvalidURL)
"""A setting that is empty or no address: trying again is of no use."""


NOT_SENT: Final = "NotSent"


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt of one call, for whoever observes. `error` is the name of the error's class, None for success.

    `NOT_SENT` for a call that was not begun, because its operation hangs or fails, or too many have left.
    """

    operation: str
    method: str
    status: int | None
    milliseconds: float
    error: str | None
    attempt: int = 1


Observe: TypeAlias = Callable[[Call], None]


class Send(Protocol):
    """What an operation needs: send a request, turn the answer into a value. Raises `PlatformError`."""

    def __call__(self, request: Request, read: Callable[[Answer], T]) -> T: ...


class Budget(Protocol):
    """Which calls are held back: whether one may leave now, and that the platform said that there were too many."""

    def admit(self, request: Request) -> RateLimited | None: ...

    def slow_down(self, request: Request, requested: float | None) -> float: ...


@dataclass(frozen=True, slots=True)
class _Lost:
    """No answer: why, whether the call may have arrived, and whether a read may try again."""

    cause: str
    sent: bool
    hopeless: bool = False


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends with one account's token. Cheap: one per page."""

    config: PlatformConfig
    http: httpx.Client
    token: str
    observe: Observe | None = None
    sleep: Callable[[float], None] = time.sleep
    circuits: Circuits | None = None
    budget: Budget | None = None
    leave: Callable[[], None] | None = None

    def __repr__(self) -> str:
        return "Sender()"

    def send(self, request: Request, read: Callable[[Answer], T]) -> T:
        """What `read` makes of the answer; `read` may raise `Unreadable`. Raises `PlatformError` and nothing else.

        A read is tried up to three times within `config.timeout`. Anything else is sent again only when the connection
        was never made, so nothing is ever posted twice because an answer was late. A read of an operation that hangs or
        fails for everybody is not sent at all: `Unreachable`, not `sent`. What the budget holds back is not sent: `RateLimited`.
        """
        self._check_token(request)
        if self.circuits is None or not request.is_read:
            return self._send(request, read)
        entered = self.circuits.enter(request.operation)
        if entered is None:
            self._tell_not_sent(request, "it hangs or fails")
            raise Unreachable(request.operation, sent=False)
        failed: bool | None = False
        try:
            return self._send(request, read)
        except CallError as error:
            is_unsent = isinstance(error, RateLimited) and error.status is None
            failed = None if is_unsent else isinstance(error, Unreachable) or error.status in GATEWAY_FAILURES
            raise
        finally:
            self.circuits.leave(request.operation, entered, failed=failed)

    def _send(self, request: Request, read: Callable[[Answer], T]) -> T:
        give_up_at = time.monotonic() + self.config.timeout
        attempt = 1
        while True:
            self._take_turn(request, give_up_at)
            if self.leave is not None:
                self.leave()
            begun = time.monotonic()
            outcome = self._exchange(request, give_up_at)
            result = self._result(request, outcome, read)
            if self.budget is not None and isinstance(result, RateLimited):
                result.put_off(self.budget.slow_down(request, result.retry_after))
            failure = result if isinstance(result, CallError) else None
            self._report(request, outcome, failure, (time.monotonic() - begun) * 1000, attempt)
            if not isinstance(result, CallError):
                return result
            pause = _pause(request, outcome, result, attempt)
            if pause is None or time.monotonic() + pause > give_up_at:
                raise result
            self.sleep(pause)
            attempt += 1

    def _take_turn(self, request: Request, give_up_at: float) -> None:
        """Ask the budget, if there is one. Waits a moment where it may leave then; raises `RateLimited` for a longer wait."""
        while self.budget is not None:
            error = self.budget.admit(request)
            if error is None:
                return
            wait = error.retry_after or 0.0
            if wait > RETRY_AFTER_LIMIT or time.monotonic() + wait > give_up_at:
                self._tell_not_sent(request, "too many calls")
                raise error
            self.sleep(wait)

    def _check_token(self, request: Request) -> None:
        """A token that a header cannot carry (pasted with a line break, say) is a bad token, not a crash.

        An empty one is sent as none at all: that is how one asks whether the platform answers.
        """
        sendable = self.token.isascii() and self.token.isprintable() and self.token == self.token.strip()
        if request.auth is not Auth.NONE and not sendable:
            raise BadToken(request.operation)
        if request.reviewer_token == "":
            raise BadToken(request.operation)

    def _exchange(self, request: Request, give_up_at: float) -> Answer | _Lost:
        """One attempt. Returns instead of raising, so that no traceback shows a frame that holds a token."""
        try:
            with connection.until(give_up_at):
                response = self.http.send(self._built(request), auth=None, follow_redirects=False, stream=True)
                try:
                    return _answer(response, give_up_at)
                finally:
                    response.close()
        except _NO_ADDRESS as error:
            return _Lost(type(error).__name__, sent=False, hopeless=True)
        except _NEVER_CONNECTED as error:
            return _Lost(type(error).__name__, sent=False)
        except (httpx.TimeoutException, TimeoutError) as error:
            return _Lost(type(error).__name__, sent=True, hopeless=True)
        except (httpx.HTTPError, httpx.StreamError) as error:
            return _Lost(type(error).__name__, sent=True)

    def _built(self, request: Request) -> httpx.Request:
        """Not built by the client, which parses the address twice and merges cookies that are never kept."""
        headers = self.http.headers.copy()
        headers.update(request.headers(self.config, self.token))
        return httpx.Request(
            request.method,
            request.url(self.config, request.reviewer_token),
            headers=headers,
            content=request.content(self.config),
            extensions={"timeout": self.http.timeout.as_dict()},
        )

    def _result(self, request: Request, outcome: Answer | _Lost, read: Callable[[Answer], T]) -> T | CallError:
        if isinstance(outcome, _Lost):
            return Unreachable(request.operation, sent=outcome.sent)
        if outcome.accepted:
            outcome = self._without_ours(outcome)
            if (
                request.method == "HEAD"
            ):  # it has no body; when its file was changed is read, and kept, in the place of one
                outcome = replace(outcome, body=outcome.headers.get("last-modified", "").encode(), broken="")
            place = self.config.paths.get(request.operation)
            try:
                return read(outcome if place is None else place.narrowed(outcome))
            except Unreadable as unreadable:
                return self._unreadable(request, outcome, str(unreadable) if isinstance(unreadable, Denied) else "")
        message = outcome.message()
        error = error_for(request.operation, outcome.status, message, request.sent_keys())
        return error(request.operation, outcome.status, self._without_tokens(request, message), outcome.retry_after())

    def _without_ours(self, answer: Answer) -> Answer:
        """The answer of a platform that repeats our token in it: pages show answers as they came, and some are kept."""
        ours = self.token.encode()
        if len(ours) < LEAST_SECRET or ours not in answer.body:
            return answer
        return replace(answer, body=answer.body.replace(ours, "…".encode()))

    def _unreadable(self, request: Request, answer: Answer, message: str) -> PlatformDown:
        """The error of an answer that no reader knows, or that denies its own status, with the sentence that it has.

        What a read brought is shown to people, so secrets leave it.
        """
        error = PlatformDown(request.operation, answer.status, self._without_tokens(request, message))
        if request.is_read:
            safe = without_secrets(answer) if request.operation.startswith("lives.") else answer
            error.answer = self._without_tokens(request, safe.beginning())
        return error

    def _without_tokens(self, request: Request, message: str) -> str:
        """The message is shown to people and logged: a platform that repeats the token in it must not spread it."""
        for token in (self.token, request.reviewer_token):
            if token:
                message = message.replace(token, "…")
        return message

    def _report(
        self,
        request: Request,
        outcome: Answer | _Lost,
        failure: CallError | None,
        milliseconds: float,
        attempt: int,
    ) -> None:
        status = outcome.status if isinstance(outcome, Answer) else None
        name = None if failure is None else type(failure).__name__
        level = logging.WARNING if isinstance(failure, Unreachable | PlatformDown | RateLimited) else logging.INFO
        result = outcome.cause if isinstance(outcome, _Lost) else outcome.status
        extra = {"operation": request.operation, "status": status, "milliseconds": round(milliseconds)}
        log.log(level, "%s %s %s %.0f ms", request.operation, result, name or "ok", milliseconds, extra=extra)
        self._tell(
            Call(
                request.operation, request.method, status=status, milliseconds=milliseconds, error=name, attempt=attempt
            )
        )

    def _tell_not_sent(self, request: Request, reason: str) -> None:
        log.info("%s not sent: %s", request.operation, reason)
        self._tell(Call(request.operation, request.method, status=None, milliseconds=0.0, error=NOT_SENT))

    def _tell(self, call: Call) -> None:
        if self.observe is not None:
            try:
                self.observe(call)
            except Exception:  # whatever an observer does wrong, the page it watches goes on
                log.exception("observing %s failed", call.operation)


def _pause(request: Request, outcome: Answer | _Lost, failure: CallError, attempt: int) -> float | None:
    """Seconds to wait before the next attempt; None when there is to be none."""
    if attempt > RETRIES:
        return None
    if isinstance(outcome, _Lost):
        again = not outcome.hopeless and (request.is_read or not outcome.sent)
    elif outcome.status == 429:
        again = request.is_read and failure.retry_after is not None
    else:
        again = request.is_read and outcome.status in GATEWAY_FAILURES
    requested = failure.retry_after or 0.0
    if not again or requested > RETRY_AFTER_LIMIT:
        return None
    least = LEAST_RETRY_AFTER if isinstance(failure, RateLimited) else 0.0
    return max(requested, least, PAUSES[attempt - 1] * random.uniform(0.5, 1.0))  # noqa: S311  (spreads load, guards nothing)


def _answer(response: httpx.Response, give_up_at: float) -> Answer:
    """The answer with its body, read piece by piece up to `BODY_LIMIT`. Raises `TimeoutError` after `give_up_at`."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    if response.is_stream_consumed:  # a transport inside this process hands over a body that is already in memory
        body, broken = response.content, ""
    else:
        body, broken = _body(response, give_up_at)
    if len(body) > BODY_LIMIT:
        body, broken = b"", "the answer is too large"
    return Answer(response.status_code, headers, body, broken)


def _body(response: httpx.Response, give_up_at: float) -> tuple[bytes, str]:
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip"):
        return b"", "the answer has an encoding that was not asked for"
    unpack = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    body = bytearray()
    for piece in response.iter_raw():
        if time.monotonic() > give_up_at:
            raise TimeoutError
        try:
            body += piece if unpack is None else unpack.decompress(piece, BODY_LIMIT + 1 - len(body))
        except zlib.error:
            return b"", "the answer cannot be unpacked"
        if len(body) > BODY_LIMIT:
            break
    if unpack is not None and not unpack.eof and len(body) <= BODY_LIMIT:
        return b"", "the answer is cut off"
    return bytes(body), ""

"""Stands between the product and its platform: notes when each call came and went, and refuses some for a while."""

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from tests.histories.proxy import Faults, Handler, Proxy

FACT: Final = re.compile(r"/api/(?:videos|subtitles)/[0-9a-f-]{36}$")
"""What the platform tells of one video at a time: its record and its subtitles."""
GRACE: Final = 0.5
"""Seconds after a 429 in which calls still come that had left before it was there."""


@dataclass(frozen=True)
class Passed:
    """A call: whose ("" without a token), its address, when it came and when its answer left, and the answer's status."""

    account: str
    path: str
    begun: float
    ended: float
    status: int

    @property
    def is_fact(self) -> bool:
        """Whether it asks for a fact of one video."""
        return FACT.search(self.path) is not None


@dataclass(frozen=True)
class Pause:
    """A 429: whose, when it left, and when its Retry-After is over."""

    account: str
    begun: float
    ended: float


class Recorder(Proxy):
    """Forwards to `target`. `refusals`: which facts are refused, counted from one, and for how many seconds."""

    def __init__(self, target: int, refusals: Mapping[int, int]) -> None:
        self.calls: list[Passed] = []
        self.pauses: list[Pause] = []
        self._refusals, self._facts, self._lock = dict(refusals), 0, threading.Lock()
        super().__init__(target, Faults(random.Random(0), calm=True), RecordingHandler)

    def refusal(self, path: str) -> int | None:
        """For how many seconds this call is refused; None where it is let through."""
        if not FACT.search(path):
            return None
        with self._lock:
            self._facts += 1
            return self._refusals.get(self._facts)

    def facts(self) -> list[Passed]:
        """The calls for facts of one video so far."""
        return [call for call in list(self.calls) if call.is_fact]

    def is_busy(self, seconds: float = 0.3) -> bool:
        """Whether a fact was asked for a moment ago."""
        facts = self.facts()
        return bool(facts) and time.monotonic() - facts[-1].ended < seconds

    def most_in_flight(self, *, facts: bool) -> int:
        """How many calls of one account were out at the same moment; of those for `facts`, or of all."""
        calls = [call for call in list(self.calls) if call.account and (call.is_fact or not facts)]
        steps = sorted(
            [(call.ended, -1, call.account) for call in calls] + [(call.begun, 1, call.account) for call in calls]
        )
        out, most = Counter[str](), 0
        for _at, step, account in steps:
            out[account] += step
            most = max(most, out[account])
        return most

    def early(self) -> int:
        """Calls of an account that came before a pause of it was over, but for those that were out as it began."""
        return sum(
            pause.account == call.account and pause.begun + GRACE < call.begun < pause.ended
            for pause in self.pauses
            for call in list(self.calls)
        )

    def told_twice(self) -> int:
        """Answers to a fact that the platform had told already, but for the first video: its reads are tried after sign-in."""
        facts = self.facts()
        tried = facts[0].path.rpartition("/")[2]
        told = Counter(
            (call.account, call.path)
            for call in facts
            if call.status == HTTPStatus.OK and not call.path.endswith(tried)
        )
        return sum(count - 1 for count in told.values())


class RecordingHandler(Handler):
    """One connection."""

    server: Recorder

    def _do(self) -> None:
        begun, account = time.monotonic(), self.headers.get("Authorization", "")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seconds = self.server.refusal(self.path)
        if seconds is None:
            status, headers, content = self._forward(body)
        else:
            status, headers, content = (
                HTTPStatus.TOO_MANY_REQUESTS,
                {"Retry-After": str(seconds)},
                b'{"errMsg": "Slow"}',
            )
        ended = time.monotonic()  # noted before it leaves: no call that it lets out is seen beside it
        self.server.calls.append(Passed(account, self.path.partition("?")[0], begun, ended, status))
        if seconds is not None:
            self.server.pauses.append(Pause(account, ended, ended + seconds))
        self._answer(status, headers, content)

    do_GET = do_POST = do_PUT = do_DELETE = _do


@contextmanager
def recording(target: int, refusals: Mapping[int, int]) -> Iterator[Recorder]:
    """A recorder before the platform at this port, until it is left."""
    recorder = Recorder(target, refusals)
    try:
        yield recorder
    finally:
        recorder.shutdown()
        recorder.server_close()

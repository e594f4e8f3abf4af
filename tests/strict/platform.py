"""A platform written from the specification alone: a small server that takes what is documented and records the rest."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote_plus

from tests.strict import answers
from tests.strict.answers import Answer, Call
from tests.strict.assumed import FILES_CHANGED, REVIEW_READS, Manner, answer_read, find_read, shape
from tests.strict.documented import OPERATIONS, deviations
from tests.strict.world import TOKEN, World

NOT_DOCUMENTED = 418


@dataclass
class StrictPlatform:
    """State, journal and what was wrong. `refusals`: what an operation is answered instead, by its name."""

    address: str = ""
    manner: Manner = Manner.PLAIN
    world: World = field(default_factory=World)
    calls: list[Call] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    refusals: dict[str, Answer] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, manner: Manner) -> None:
        """Everything as at the beginning."""
        self.manner, self.world = manner, World()
        self.calls, self.wrong, self.refusals = [], [], {}

    def called(self, operation: str) -> list[Call]:
        """The calls of an operation."""
        return [call for call in self.calls if call.operation == operation]

    @property
    def writes(self) -> list[Call]:
        return [call for call in self.calls if call.method not in ("GET", "HEAD")]

    def answer(self, call: Call) -> Answer:
        """Take a call: a documented one, or an assumed read; anything else is wrong."""
        with self.lock:
            self.calls.append(call)
            if "authorization" in call.headers and call.headers["authorization"].removeprefix("Bearer ") != TOKEN:
                return 401, {"message": "Unauthorized"}
            read = find_read(call)
            if read is not None:
                self.wrong += [f"{call}: query {name} is in no source" for name in call.asked if name not in read.query]
                if call.operation in REVIEW_READS and not self.manner.has_reads:
                    self.wrong.append(f"{call}: is sent although PLATFORM_REVIEW_READS is off")
                expected = TOKEN if read.auth == "raw token" else None
                if call.headers.get("authorization") != expected:
                    self.wrong.append(f"{call}: Authorization is not as on other calls ({read.auth})")
                return self.refusals.get(call.operation) or answer_read(read, self.manner, self.world, call)
            return self._documented(call)

    def _documented(self, call: Call) -> Answer:
        for operation in OPERATIONS:
            found = operation.pattern.fullmatch(call.path)
            if operation.method != call.method or found is None:
                continue
            if "id" in operation.query and "id" not in call.asked:
                continue
            call.operation, call.names = operation.name, found.groupdict()
            said = deviations(operation, call.query, call.headers, call.body, TOKEN)
            if said:
                self.wrong += [f"{call}: {line}" for line in said]
                return NOT_DOCUMENTED, {"message": said[0]}
            if call.operation in self.refusals:
                return self.refusals[call.operation]
            status, body = answers.ANSWERS[operation.name](self.world, call)
            return status, shape(self.manner, operation.name, body) if status == 200 else body
        self.wrong.append(f"{call}: is not documented")
        return NOT_DOCUMENTED, {"message": "not documented"}


class _Handler(BaseHTTPRequestHandler):
    platform: StrictPlatform

    def _take(self) -> None:
        path, _mark, query = self.path.partition("?")
        pairs = [one.partition("=") for one in query.split("&") if one]
        size = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(size) if size else b""
        call = Call(
            self.command,
            path,
            [(unquote_plus(name), unquote_plus(value) if equals else None) for name, equals, value in pairs],
            {name.lower(): value for name, value in self.headers.items()},
            _parse(raw),
        )
        try:
            status, body = self.platform.answer(call)
        except Exception as error:  # a mistake in this platform is a failure of the drive
            self.platform.wrong.append(f"{call}: {type(error).__name__}: {error}")
            status, body = 500, {"message": "Internal server error"}
        sent = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/vtt" if isinstance(body, str) else "application/json")
        self.send_header("Content-Length", str(len(sent)))
        if call.method == "HEAD" and status == 200:
            self.send_header("Last-Modified", FILES_CHANGED)
        self.end_headers()
        if call.method != "HEAD":
            self.wfile.write(sent)

    do_HEAD = do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _take

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return f"no JSON: {raw[:200]!r}"


@contextmanager
def serving() -> Iterator[StrictPlatform]:
    """The platform on a port of its own, until the block ends."""
    platform = StrictPlatform()
    handler = type("Handler", (_Handler,), {"platform": platform})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    platform.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield platform
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)

"""Stands between the product and its platform and does what networks and gateways do to calls."""

import http.client
import random
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOP = {"connection", "transfer-encoding", "content-length", "keep-alive", "content-encoding"}


@dataclass
class Faults:
    """How often which fault happens to a write; reads fail more rarely. `calm` switches all of them off."""

    dice: random.Random
    rate: float = 0.35
    calm: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def draw(self, *, write: bool) -> str:
        """What happens to the next call."""
        with self.lock:
            if self.calm or self.dice.random() > (self.rate if write else self.rate / 4):
                return "pass"
            return self.dice.choice(["drop", "lose", "lose", "late", "503 after", "503 before", "500 after", "429"])


class Proxy(ThreadingHTTPServer):
    """Forwards to `target` (a port of this machine). What it does to each call comes from `faults`."""

    daemon_threads = True
    request_queue_size = 256

    hanging: str = ""
    """Reads whose address has this part get no answer."""
    hangs_writes: bool = False
    """Whether writes there get none either."""
    longest: float = 60.0

    def __init__(self, target: int, faults: Faults, handler: "type[Handler] | None" = None) -> None:
        super().__init__(("127.0.0.1", 0), handler or Handler)
        self.target, self.faults = target, faults
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that went away is part of the game."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else the second half of each answer comes 40 ms after the first
    server: Proxy

    def _do(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        is_held = self.command == "GET" or self.server.hangs_writes
        if is_held and self.server.hanging and self.server.hanging in self.path:
            time.sleep(self.server.longest)
            return self._hang_up()
        fault = self.server.faults.draw(write=self.command != "GET")
        if fault == "drop":
            return self._hang_up()
        if fault in ("503 before", "429"):
            return self._answer(int(fault[:3]), {}, b'{"errMsg": "Not now"}')
        status, headers, content = self._forward(body)
        if fault == "lose":
            return self._hang_up()
        if fault == "late":
            time.sleep(3.5)  # longer than the product waits
        if fault.endswith("after"):
            return self._answer(int(fault[:3]), {}, b"<html>bad gateway</html>")
        return self._answer(status, headers, content)

    do_GET = do_POST = do_PUT = do_DELETE = _do

    def _forward(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.target, timeout=30)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP | {"host"}}
        upstream.request(self.command, self.path, body, headers | {"Accept-Encoding": "identity"})
        answer = upstream.getresponse()
        content = answer.read()
        upstream.close()
        return answer.status, {name: value for name, value in answer.getheaders() if name.lower() not in HOP}, content

    def _answer(self, status: int, headers: dict[str, str], content: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:  # the base class names it so
        """Nothing: the product logs its calls itself."""

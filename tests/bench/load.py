"""python -m tests.bench.load: asks a server as many browsers do, in a process of its own, whose CPU is not the server's.

Reads one `Job` as JSON from its input and prints an `Answered` as JSON. `ask` starts it.
"""

import asyncio
import gzip
import itertools
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

ROOT: Final = Path(__file__).resolve().parents[2]
LENGTH: Final = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
VERSION: Final = re.compile(rb'id="live" data-v="(\w+)"')
FINE: Final = frozenset({b"200", b"204"})
BEHIND_PROXY: Final = {
    "Host": "127.0.0.1",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.7",
    "Accept-Encoding": "gzip",
}


@dataclass(frozen=True)
class Asked:
    """One request: what it is counted as, and by which address and cookie it is asked."""

    kind: str
    path: str
    cookie: str = ""


@dataclass(frozen=True)
class Job:
    """What to ask, over so many connections that stay open, as a proxy's do.

    With `interval` each request is a watcher's poll, repeated so many seconds after its answer with the version that the
    answer brought (at first with that of its address), until `seconds` are over. Without, each connection asks as soon as it
    is answered, in a random order that `seed` decides, until `seconds` are over or `count` answers have come.
    """

    port: int
    requests: list[Asked]
    connections: int = 1
    seconds: float = 600.0
    count: int = 0
    interval: float = 0.0
    seed: int = 1


@dataclass
class Answered:
    """Milliseconds of each answer by kind, how many polls brought something, how long all took, and CPU seconds of asking."""

    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    news: int = 0
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def count(self) -> int:
        return sum(map(len, self.milliseconds.values()))


def ask(job: Job) -> Answered:
    """Do the job in another process. Raises `RuntimeError` where an answer was an error."""
    command = [sys.executable, "-m", "tests.bench.load"]
    ran = subprocess.run(command, cwd=ROOT, input=json.dumps(asdict(job)), capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr[-2000:])
    return Answered(**json.loads(ran.stdout))


class Connection:
    """One connection; it is opened anew where the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def get(self, request: Asked) -> bytes:
        """The body of the answer, as it travels. Raises `RuntimeError` for an error."""
        headers = BEHIND_PROXY | ({"Cookie": request.cookie} if request.cookie else {})
        lines = [f"GET {request.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        message = ("\r\n".join(lines) + "\r\n\r\n").encode()
        head = b""
        for _attempt in range(2):
            try:
                head = await self._send(message)
                break
            except (ConnectionError, asyncio.IncompleteReadError):
                self._reader = None
        if head[9:12] not in FINE:
            raise RuntimeError(f"{request.path}: {head[:300]!r}")
        assert self._reader is not None
        length = LENGTH.search(head)
        body = await self._reader.readexactly(int(length[1])) if length else b""
        if b"onnection: close" in head:
            self._reader = None
        return body

    async def _send(self, message: bytes) -> bytes:
        if self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        assert self._writer is not None
        self._writer.write(message)
        return await self._reader.readuntil(b"\r\n\r\n")


async def _press(job: Job, answered: Answered) -> None:
    """Every connection asks as soon as it is answered."""
    deck, end = _shuffled(job), time.monotonic() + job.seconds
    turns = iter(range(job.count)) if job.count else itertools.count()

    async def one() -> None:
        connection = Connection(job.port)
        while time.monotonic() < end and next(turns, None) is not None:
            request = next(deck)
            begun = time.perf_counter()
            body = await connection.get(request)
            answered.milliseconds[request.kind].append((time.perf_counter() - begun) * 1000)
            answered.news += request.kind == "poll" and bool(body)

    await asyncio.gather(*(one() for _ in range(job.connections)))


def _shuffled(job: Job) -> Iterator[Asked]:
    dice = random.Random(job.seed)
    while True:
        yield from dice.sample(job.requests, len(job.requests))


async def _watch(job: Job, answered: Answered) -> None:
    """Every request is somebody who watches a room."""
    dice, end = random.Random(job.seed), time.monotonic() + job.seconds

    async def one(request: Asked, begins: float) -> None:
        connection = Connection(job.port)
        address, _, query = request.path.partition("?")
        version = parse_qs(query)["v"][0].encode()
        await asyncio.sleep(begins)
        while time.monotonic() < end:
            begun = time.perf_counter()
            seen = version.decode()
            path = f"{address}?v={seen}&after={seen.rstrip('a')}"
            body = await connection.get(Asked(request.kind, path, request.cookie))
            answered.milliseconds[request.kind].append((time.perf_counter() - begun) * 1000)
            version = _version(body) or version
            answered.news += bool(body)
            await asyncio.sleep(job.interval)

    await asyncio.gather(*(one(request, dice.uniform(0, job.interval)) for request in job.requests))


def _version(body: bytes) -> bytes:
    """The version that an answer brought, or nothing."""
    found = VERSION.search(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
    return found[1] if found else b""


def main() -> None:
    """Do the job that the input describes."""
    told: dict[str, Any] = json.load(sys.stdin)
    job = Job(**{**told, "requests": [Asked(**request) for request in told["requests"]]})
    answered = Answered({request.kind: [] for request in job.requests})
    begun, used = time.monotonic(), time.process_time()
    asyncio.run(_watch(job, answered) if job.interval else _press(job, answered))
    answered.seconds, answered.cpu = time.monotonic() - begun, time.process_time() - used
    sys.stdout.write(json.dumps(asdict(answered)))


if __name__ == "__main__":
    main()

"""The same over a real socket: hangs, drips, broken connections, sizes, keep-alive."""

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import httpx
import pytest

from dashboard.platform_api import Platform, PlatformConfig, errors, open_http, sending
from tests.platform_api.operations import VIDEO

pytestmark = pytest.mark.loopback

Script = Callable[[socket.socket], None]
PATIENCE = 0.4
"""Seconds a call may take here. Nothing may hold it longer than this and what a busy machine adds."""
SLACK = 5.0


class Server:
    """A socket that plays a script to each connection and keeps what it was sent."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.received: list[bytes] = []
        self.connections = 0
        self.over = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(5)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self) -> None:
        while not self.over.is_set():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(5)
            try:
                while request := self._read(connection):
                    self.received.append(request)
                    self.script(connection)
            except OSError:
                return  # the client gave up, as it should

    def _read(self, connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65536)
            if not piece:
                return b""
            data += piece
        return data

    def close(self) -> None:
        self.over.set()
        self._listening.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._listening.close()
        for thread in self._threads:
            thread.join(6)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the machine must not come between a test and its own server."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@contextmanager
def serving(script: Script, patience: float = PATIENCE) -> Iterator[tuple[Server, Platform]]:
    server = Server(script)
    try:
        with connected(server.url, patience) as platform:
            yield server, platform
    finally:
        server.close()


@contextmanager
def connected(url: str, patience: float = PATIENCE) -> Iterator[Platform]:
    config = PlatformConfig(url, url, url, url, url, timeout=patience)
    with open_http(config) as http:
        yield Platform(config, http, "token")


@contextmanager
def within(seconds: float) -> Iterator[None]:
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < seconds


def head(length: int, extra: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{extra}\r\n".encode()


def answer(body: bytes, extra: str = "") -> bytes:
    return head(len(body), extra) + body


def test_an_answer_over_a_socket_is_read() -> None:
    with serving(lambda connection: connection.sendall(answer(b'{"id": "1", "title": "Read"}'))) as (server, platform):
        assert platform.videos.get(VIDEO).title == "Read"
        assert server.received[0].startswith(f"GET /videos/{VIDEO} HTTP/1.1\r\n".encode())
        assert b"\r\nAuthorization: token\r\n" in server.received[0]


def test_the_flag_without_equals_sign_survives_the_wire() -> None:
    with serving(lambda connection: connection.sendall(answer(b"[]"))) as (server, platform):
        platform.custom_fields.list(VIDEO)
        assert server.received[0].startswith(f"GET /videos/{VIDEO}?custom_fields HTTP/1.1\r\n".encode())


def test_connections_are_kept_alive() -> None:
    with serving(lambda connection: connection.sendall(answer(b'{"id": "1"}'))) as (server, platform):
        for _ in range(5):
            platform.videos.get(VIDEO)
        assert server.connections == 1


def test_a_refused_connection_was_certainly_not_received() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    with connected(f"http://127.0.0.1:{free}") as platform:
        for call in (lambda: platform.folders.list(), lambda: platform.lives.start("live")):
            with pytest.raises(errors.Unreachable) as raised:
                call()
            assert raised.value.sent is False


@pytest.mark.parametrize("url", ["", "ftp://127.0.0.1", "http://", "not an address", "http://[::1"])
def test_an_address_that_is_none_is_unreachable_and_not_tried_again(url: str) -> None:
    with connected(url) as platform, within(SLACK), pytest.raises(errors.Unreachable) as raised:
        platform.lives.start("live")
    assert raised.value.sent is False


def hangs(connection: socket.socket) -> None:
    connection.recv(1)  # until the client gives up


def hangs_in_the_body(connection: socket.socket) -> None:
    connection.sendall(head(1000) + b'{"id": ')
    hangs(connection)


def drips_its_headers(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in range(400):
        connection.sendall(f"X-{number}: y\r\n".encode())
        time.sleep(0.05)


def drips_its_body(connection: socket.socket) -> None:
    connection.sendall(head(1000))
    for _ in range(400):
        connection.sendall(b" ")
        time.sleep(0.05)


@pytest.mark.parametrize("script", [hangs, hangs_in_the_body, drips_its_body])
def test_a_server_that_hangs_is_given_up(script: Script) -> None:
    with serving(script) as (server, platform), within(PATIENCE + SLACK), pytest.raises(errors.Unreachable) as raised:
        platform.videos.get(VIDEO)
    assert raised.value.sent is True
    assert len(server.received) == 1


def test_a_server_that_drips_its_headers_is_given_up() -> None:
    with serving(drips_its_headers) as (_, platform), within(PATIENCE + SLACK), pytest.raises(errors.Unreachable):
        platform.videos.get(VIDEO)


@pytest.mark.parametrize("script", [hangs, hangs_in_the_body, drips_its_headers, drips_its_body])
def test_a_write_that_hangs_is_sent_once_and_may_have_arrived(script: Script) -> None:
    with serving(script) as (server, platform), within(PATIENCE + SLACK), pytest.raises(errors.Unreachable) as raised:
        platform.lives.start("live")
    assert raised.value.sent is True
    assert len(server.received) == 1


def test_a_body_that_keeps_coming_is_given_up() -> None:
    """Every piece is there at once, so no read ever waits: the time is up all the same."""

    def pieces() -> Iterator[bytes]:
        for _ in range(1_000):
            time.sleep(0.02)
            yield b" "

    config = PlatformConfig("http://a", "http://a", "http://a", "http://a", "http://a", timeout=PATIENCE)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=pieces()))
    with open_http(config, transport) as http, within(PATIENCE + SLACK), pytest.raises(errors.Unreachable):
        Platform(config, http, "token").videos.get(VIDEO)


def closes_at_once(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def closes_in_the_body(connection: socket.socket) -> None:
    connection.sendall(head(1000) + b'{"id": "1"')
    connection.shutdown(socket.SHUT_RDWR)


def speaks_something_else(connection: socket.socket) -> None:
    connection.sendall(b"220 mail.example ESMTP\r\n")
    connection.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("script", [closes_at_once, closes_in_the_body, speaks_something_else])
def test_a_broken_connection_is_tried_again_for_reads_alone(script: Script) -> None:
    with serving(script, patience=5) as (server, platform):
        with pytest.raises(errors.Unreachable) as raised:
            platform.videos.get(VIDEO)
        assert (raised.value.sent, len(server.received)) == (True, 3)
        with pytest.raises(errors.Unreachable) as raised:
            platform.lives.start("live")
        assert (raised.value.sent, len(server.received)) == (True, 4)


def test_a_large_answer_is_not_read_to_its_end() -> None:
    sent = 0

    def endless(connection: socket.socket) -> None:
        nonlocal sent
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
        while sent < 100_000_000:
            sent += connection.send(b"1," * 50_000)

    with serving(endless, patience=10) as (_, platform), pytest.raises(errors.PlatformDown) as raised:
        platform.folders.list()
    assert raised.value.status == 200
    assert sent < 50_000_000


def test_a_small_answer_that_unpacks_to_a_large_one_is_not_unpacked_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = answer(gzip.compress(b"[" + b" " * 60_000_000 + b"]", compresslevel=1), "Content-Encoding: gzip\r\n")
    unpacked: list[int] = []

    class Noted:
        def __init__(self, wbits: int) -> None:
            self.real, self.eof = zlib.decompressobj(wbits), False

        def decompress(self, piece: bytes, most: int) -> bytes:
            found = self.real.decompress(piece, most)
            unpacked.append(len(found))
            return found

    monkeypatch.setattr(sending, "zlib", SimpleNamespace(decompressobj=Noted, error=zlib.error))
    with (
        serving(lambda connection: connection.sendall(bomb), patience=60) as (_, platform),
        pytest.raises(errors.PlatformDown),
    ):
        platform.folders.list()
    assert sum(unpacked) == sending.BODY_LIMIT + 1


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        pytest.param(b"not gzip at all", "gzip", id="not gzip at all"),
        pytest.param(gzip.compress(b'[{"id": "1"}]')[:-9], "gzip", id="gzip cut short"),
        pytest.param(b'[{"id": "1"}]', "br", id="brotli that is not"),
        pytest.param(b'[{"id": "1"}]', "something-else", id="an unknown encoding"),
    ],
)
def test_an_encoding_that_cannot_be_undone_is_platform_down(body: bytes, encoding: str) -> None:
    sent = answer(body, f"Content-Encoding: {encoding}\r\n")
    with (
        serving(lambda connection: connection.sendall(sent), patience=5) as (_, platform),
        pytest.raises(errors.PlatformDown),
    ):
        platform.folders.list()


@pytest.mark.parametrize("encoding", ["gzip", "GZIP"])
def test_a_compressed_answer_is_read(encoding: str) -> None:
    sent = answer(gzip.compress(b'[{"id": "1", "name": "A"}]' + b" " * 300_000), f"Content-Encoding: {encoding}\r\n")
    with serving(lambda connection: connection.sendall(sent), patience=5) as (server, platform):
        assert [folder.name for folder in platform.folders.list()] == ["A"]
        assert b"\r\nAccept-Encoding: gzip\r\n" in server.received[0]


def test_a_redirect_is_an_error_and_takes_the_token_nowhere() -> None:
    redirect = b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
    with serving(lambda connection: connection.sendall(redirect), patience=5) as (server, platform):
        with pytest.raises(errors.PlatformDown) as raised:
            platform.folders.list()
        assert (raised.value.status, len(server.received)) == (302, 1)


def test_a_cookie_of_one_account_never_leaves_with_another_s_call() -> None:
    sent = answer(b"[]", "Set-Cookie: session=of-the-first-account; Path=/\r\n")
    with serving(lambda connection: connection.sendall(sent), patience=5) as (server, platform):
        platform.folders.list()
        platform.folders.list()
        assert not any(b"cookie" in request.lower() for request in server.received)

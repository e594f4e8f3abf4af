"""The embedded platform over HTTP, below Django's views: bytes in, bytes out, connections that a fault breaks."""

import io
import socket
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from dashboard.sandbox import clock, dispatcher, faults
from dashboard.sandbox.faults import Broken
from dashboard.sandbox.http_types import BODY_LIMIT, Answer, SandboxRequest

StartResponse = Callable[[str, list[tuple[str, str]]], Any]
BROKEN = Answer(200, content=b"{", headers={"content-length": "1000000", "connection": "close"})
"""What a server gets whose socket is out of reach: an answer that ends too early, which is a broken connection too."""


def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Answer one request as WSGI, without Django's middleware: for `manage.py sandbox` and for tests of the contract."""
    path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
    answer = answered(environ, path, _body(environ))
    headers = {name.title(): value for name, value in answer.all_headers().items()}
    content = answer.to_bytes()
    headers.setdefault("Content-Length", str(len(content)))
    start_response(f"{answer.status} {_phrase(answer.status)}", list(headers.items()))
    return [content]


def answered(environ: dict[str, Any], path: str, body: bytes) -> Answer:
    """Return the answer to a WSGI request for `path`, `/sandbox/<part>/…`; a broken connection is broken here."""
    request = SandboxRequest(
        method=environ["REQUEST_METHOD"],
        path=path.removeprefix("/sandbox"),
        query_string=environ.get("QUERY_STRING", ""),
        headers={
            name.removeprefix("HTTP_").replace("_", "-").lower(): value
            for name, value in environ.items()
            if name.startswith("HTTP_")
        },
        body=body,
    )
    try:
        return dispatcher.answer(request)
    except faults.Disconnected as trouble:
        return _broken(trouble.how, environ)


def _body(environ: dict[str, Any]) -> bytes:
    """Return the body, one byte more than allowed at most: that byte is what refuses it."""
    text = environ.get("CONTENT_LENGTH") or "0"
    length = int(text) if text.isascii() and text.isdigit() else 0
    content: bytes = environ.get("wsgi.input", io.BytesIO()).read(min(length, BODY_LIMIT + 1)) if length else b""
    return content


def _broken(how: Broken, environ: dict[str, Any]) -> Answer:
    if how in (Broken.HANGS, Broken.STALLS):
        clock.sleep(faults.HANG_SECONDS)
    connection = environ.get("gunicorn.socket")
    if connection is None:
        return BROKEN
    connection.shutdown(socket.SHUT_RDWR)
    return Answer(500, content=b"")


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Error"

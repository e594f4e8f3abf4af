"""From a request to an answer, in process and over HTTP: find the operation, know the caller, carry it out in one transaction.

The order is the same for every operation: 404 and 405 for addresses that do not exist, the fault the operation was told
to have, 401, the operation chosen by the query (`?action=link`), then the operation's own checks [7].
"""

import io
import logging
import re
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import httpx
from django.db import transaction

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox import clock, faults
from dashboard.sandbox.faults import Broken
from dashboard.sandbox.http_types import BODY_LIMIT, Answer, Refusal, SandboxRequest, as_uuid, bad_request, not_found
from dashboard.sandbox.models import User
from dashboard.sandbox.operations import Auth, Operation
from dashboard.sandbox.validators import user_of

AI_FILE = r"[^/]+-ai(?:\.[^/]+)?\.json"
"""Such a name is none of a video's other public file, `{external_id}.json`."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Route:
    """One path with everything that can be done there."""

    pattern: re.Pattern[str]
    methods: dict[str, tuple[Operation, ...]]


def dispatch(request: SandboxRequest) -> Answer:
    """Return the platform's answer. Raises `faults.Disconnected` where a fault says that none arrives."""
    request = replace(request, path=_tidy(request.path))
    try:
        choices, arguments = _route(request)
        operation = _chosen(choices, request)
        if faults.lacks(operation):
            raise not_found(Message.ROUTE_NOT_FOUND)
    except Refusal as refusal:
        return refusal.answer()
    fault = faults.strike(operation.name) if operation else None
    faults.wait(fault)
    faults.before(fault)
    wrong = faults.answer(fault, choices[0].coded)
    result = wrong or _carried_out(operation, choices[0], replace(request, arguments=arguments, now=clock.now()))
    faults.after(fault)
    return result


def _carried_out(operation: Operation | None, any_choice: Operation, request: SandboxRequest) -> Answer:
    try:
        if len(request.body) > BODY_LIMIT:
            raise Refusal(413, "request entity too large")
        request = replace(request, signed_in=_caller(any_choice.auth, request))
        if operation is None:
            raise Refusal(*any_choice.unrouted)
        if not operation.writes:
            return faults.shaped(operation, operation.handle(request))
        with transaction.atomic(using="sandbox"):
            return operation.handle(request)
    except Refusal as refusal:
        return refusal.answer(any_choice.coded)
    except Exception:
        log.exception("The embedded platform failed in %s", any_choice.name)
        return Refusal(500, Message.INTERNAL).answer(any_choice.coded)


def _caller(auth: Auth, request: SandboxRequest) -> User | None:
    """Return whose call it is; None where nobody signs in. Raises a 401."""
    if auth is Auth.PUBLIC:
        return None
    if auth is Auth.REVIEWER:
        if as_uuid(request.query.get("token", "")) is None:
            raise Refusal(401, Message.UNAUTHORIZED)
        return None
    value = request.headers.get("authorization", "")
    if auth is Auth.BEARER:
        value = re.sub(r"^bearer +", "", value, flags=re.IGNORECASE)
    user = user_of(value) if value else None
    if user is None or (user.organization and request.now < user.organization.ready_at):
        raise Refusal(401, Message.UNAUTHORIZED)
    return user


def _route(request: SandboxRequest) -> tuple[tuple[Operation, ...], dict[str, str]]:
    for route in _routes().get(request.path.count("/"), ()):
        match = route.pattern.fullmatch(request.path)
        if match is None:
            continue
        choices = route.methods.get(request.method)
        if choices is None:
            raise Refusal(405, "Method Not Allowed", {"allow": ", ".join(sorted(route.methods))})
        return choices, match.groupdict()
    raise not_found(Message.ROUTE_NOT_FOUND)


def _chosen(choices: tuple[Operation, ...], request: SandboxRequest) -> Operation | None:
    """Return the operation that query or body choose: one that asks for something goes before one that asks for nothing."""
    try:
        _ = request.query
    except ValueError:
        raise bad_request("The query string has too many parameters") from None
    fitting = [operation for operation in choices if operation.when is not None and operation.when.holds(request)]
    fitting += [operation for operation in choices if operation.when is None]
    return fitting[0] if fitting else None


def _tidy(path: str) -> str:
    """Return the path without doubled and trailing slashes, which public clients send (gaps 2, 13.7)."""
    return re.sub(r"/+", "/", path).rstrip("/") or "/"


def _argument(match: re.Match[str]) -> str:
    name = match[1]
    return f"(?P<{name}>{AI_FILE if name == 'ai_file' else '[^/]+'})"


@lru_cache(maxsize=1)
def _routes() -> dict[int, list[_Route]]:
    """All routes by their number of slashes; fixed words go before arguments."""
    from dashboard.sandbox.routes import OPERATIONS  # the table imports the handlers, and they import a lot

    paths: dict[str, dict[str, tuple[Operation, ...]]] = {}
    for operation in OPERATIONS:
        methods = paths.setdefault(operation.path, {})
        methods[operation.method] = (*methods.get(operation.method, ()), operation)
    routes: dict[int, list[_Route]] = {}
    for path in sorted(paths, key=lambda template: template.replace("{", "~")):
        pattern = re.compile(re.sub(r"\\\{(\w+)\\\}", _argument, re.escape(path)))
        routes.setdefault(path.count("/"), []).append(_Route(pattern, paths[path]))
    return routes


StartResponse = Callable[[str, list[tuple[str, str]]], Any]
BROKEN = Answer(200, content=b"{", headers={"content-length": "1000000", "connection": "close"})
"""What a server gets whose socket is out of reach: an answer that ends too early, which is a broken connection too."""


def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Answer one request as WSGI, without Django's middleware: for `manage.py sandbox` and for tests of the contract."""
    path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
    answer = answer_wsgi(environ, path, _body(environ))
    headers = {name.title(): value for name, value in answer.all_headers().items()}
    content = answer.to_bytes()
    headers.setdefault("Content-Length", str(len(content)))
    start_response(f"{answer.status} {_phrase(answer.status)}", list(headers.items()))
    return [content]


def answer_wsgi(environ: dict[str, Any], path: str, body: bytes) -> Answer:
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
        return dispatch(request)
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


MOUNT = "/sandbox/"


class SandboxTransport(httpx.BaseTransport):
    """Answers requests to `…/sandbox/api/…`, `data`, `traffic`, `config` and `media`, whatever the host name."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the platform's answer.

        Raises what a network would: `ConnectError`, `RemoteProtocolError`, `ReadTimeout` (after waiting as long as the caller
        allows) for faults, and `ConnectError` for an address outside the mount.
        """
        _, mount, path = request.url.path.partition(MOUNT)
        if not mount:
            raise httpx.ConnectError("Not an address of the embedded platform", request=request)
        sandbox_request = SandboxRequest(
            method=request.method,
            path=f"/{path}",
            query_string=request.url.query.decode("ascii", "replace"),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=request.read(),
        )
        try:
            answer = dispatch(sandbox_request)
        except faults.Disconnected as trouble:
            raise _exception(trouble.how, request) from None
        return httpx.Response(answer.status, headers=answer.all_headers(), content=answer.to_bytes(), request=request)


def _exception(how: Broken, request: httpx.Request) -> httpx.TransportError:
    if how is Broken.REFUSED:
        return httpx.ConnectError("Connection refused", request=request)
    if how in (Broken.DROPPED, Broken.LOST):
        return httpx.RemoteProtocolError("Server disconnected without sending a response.", request=request)
    patience = request.extensions.get("timeout", {}).get("read")
    clock.sleep(faults.HANG_SECONDS if patience is None else patience)
    return httpx.ReadTimeout("The read operation timed out", request=request)

"""The embedded platform as an httpx transport: same answers as over HTTP, on the calling thread, without a socket."""

import httpx

from dashboard.sandbox import clock, dispatcher, faults
from dashboard.sandbox.faults import Broken
from dashboard.sandbox.http_types import SandboxRequest

MOUNT = "/sandbox/"


class SandboxTransport(httpx.BaseTransport):
    """Answers requests to `…/sandbox/api/…`, `data`, `traffic`, `config` and `media`, whatever the host name."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the platform's answer.

        Raises what a network would: `ConnectError`, `ReadError`, `ReadTimeout` (after waiting as long as the caller
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
            answer = dispatcher.answer(sandbox_request)
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

"""Lives [4.9]; reading, creating and finishing them is only referred to [4.16]."""

from collections.abc import Mapping
from typing import Any

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.lives import Live
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import Unreadable, flag, mapping


class Lives:
    """Live broadcasts of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> tuple[Live, ...]:
        """GET {base_url}/lives (assumed path)."""
        return self._send(
            Request("lives.list", "GET", ("lives",)), lambda answer: identified(answer.json(), Live.from_json, "lives")
        )

    def get(self, live_id: Identifier) -> Live:
        """GET {base_url}/lives/{live_id} (assumed path)."""
        return self._send(
            Request("lives.get", "GET", ("lives", live_id)),
            lambda answer: Live.from_json(record(answer.json(), "live", requested_id=live_id)),
        )

    def start(self, live_id: Identifier) -> bool:
        """POST {base_url}/lives/{live_id}/start, no body [4.9]. True: accepted, which is not yet on air."""
        return self._send(Request("lives.start", "POST", ("lives", live_id, "start")), _accepted)

    def create(self, payload: Mapping[str, Any]) -> Live:
        """POST {base_url}/live (assumed path and body). The secrets for the encoder that come with the answer are dropped."""
        return self._send(
            Request("lives.create", "POST", ("live",), body=payload),
            lambda answer: Live.from_json(record(answer.json(), "live")),
        )

    def finish(self, live_id: Identifier) -> bool:
        """POST {base_url}/lives/{live_id}/finish, no body (assumed path). False: the answer says that it was not accepted.

        Irreversible. `Missing` also where the platform does not have the operation.
        """
        return self._send(Request("lives.finish", "POST", ("lives", live_id, "finish")), _not_denied)


def _not_denied(answer: Answer) -> bool:
    """The body of the answer is not known: any success is one, but for a status that says no."""
    try:
        body = mapping(answer.json())
    except Unreadable:
        return True
    return flag(body.get("status"), default=True)


def _accepted(answer: Answer) -> bool:
    body = mapping(answer.json())
    if "status" not in body:
        raise Unreadable("no status in the answer")
    return flag(body["status"])

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

    def start(self, live_id: Identifier) -> None:
        """POST {base_url}/lives/{live_id}/start, no body [4.9]: accepted, which is not yet on air."""
        self._send(Request("lives.start", "POST", ("lives", live_id, "start")), _read_acceptance)

    def create(self, payload: Mapping[str, Any]) -> Live:
        """POST {base_url}/live (assumed path and body). The secrets for the encoder that come with the answer are dropped."""
        return self._send(
            Request("lives.create", "POST", ("live",), body=payload),
            lambda answer: Live.from_json(record(answer.json(), "live")),
        )

    def finish(self, live_id: Identifier) -> None:
        """POST {base_url}/lives/{live_id}/finish, no body (assumed path), with an answer that is not known.

        Irreversible. `Missing` also where the platform does not have the operation.
        """
        self._send(Request("lives.finish", "POST", ("lives", live_id, "finish")), lambda answer: None)


def _read_acceptance(answer: Answer) -> None:
    if not flag(mapping(answer.json()).get("status")):
        raise Unreadable("the answer does not say that it was accepted")

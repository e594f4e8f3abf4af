"""Lives [4.9]; reading them is only referred to [4.16]."""

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
            lambda answer: Live.from_json(record(answer.json(), "live", asked=live_id)),
        )

    def start(self, live_id: Identifier) -> bool:
        """POST {base_url}/lives/{live_id}/start, no body [4.9]. True: accepted, which is not yet on air."""
        return self._send(Request("lives.start", "POST", ("lives", live_id, "start")), _accepted)


def _accepted(answer: Answer) -> bool:
    found = mapping(answer.json())
    if "status" not in found:
        raise Unreadable("no status in the answer")
    return flag(found["status"])

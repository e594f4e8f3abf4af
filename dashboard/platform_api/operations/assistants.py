"""AI assistants [4.13]."""

from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.assistants import Assistant
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send


class Assistants:
    """Assistants and the visibility of their chat."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> tuple[Assistant, ...]:
        """GET {base_url}/assist-ai (a guess: `Missing` on a platform without it)."""
        return self._send(
            Request("assistants.list", "GET", ("assist-ai",)),
            lambda answer: identified(answer.json(), Assistant.from_json, "assistants"),
        )

    def get(self, assistant_id: Identifier) -> Assistant:
        """GET {base_url}/assist-ai/assistant_by_id/{assistant_id} (assumed path) [gaps 15, A10]."""
        return self._send(
            Request("assistants.get", "GET", ("assist-ai", "assistant_by_id", assistant_id)),
            lambda answer: Assistant.from_json(record(answer.json(), "assistant", requested_id=assistant_id)),
        )

    def update_chat_visibility(self, assistant_id: Identifier, video_id: Identifier, visible: bool) -> None:
        """POST {base_url}/assist-ai/update_chat_visibility [4.13]."""
        self._send(
            Request(
                "assistants.update_chat_visibility",
                "POST",
                ("assist-ai", "update_chat_visibility"),
                body={"assistant_id": str(assistant_id), "video_id": str(video_id), "chat_is_visible": visible},
            ),
            lambda answer: None,
        )

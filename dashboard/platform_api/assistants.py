"""AI assistants: their list is a guess, one is read by its id as a public client does (see `assumptions`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from dashboard.platform_api.lists import identified, inside, record
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, first, mapping, optional_flag, rest, text


@dataclass(frozen=True, slots=True)
class Assistant:
    """`chat` says by video identifier whether the assistant's chat is shown; of a video that is not in it, nobody knows.

    `status` in lower case, "" where it is not told; `processing`: how many of its videos it has not learned yet.
    """

    id: str
    name: str
    chat: Mapping[str, bool] = field(hash=False)
    status: str = ""
    processing: int = 0
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        visibility = {**mapping(source.get("chat"))}
        videos = inside(source.get("videos"), "video").records
        for item in videos:
            visibility[text(item["id"])] = first(item, "chat_is_visible", "title")
        chat = {
            video: is_shown for video, value in visibility.items() if (is_shown := optional_flag(value)) is not None
        }
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            chat=chat,
            status=text(source.get("status")).lower(),
            processing=sum(text(item.get("process_status")).lower() not in ("", *_LEARNED) for item in videos),
            extra=rest(source, "id name title chat videos status"),
        )

    @property
    def is_queued(self) -> bool:
        """Whether nobody can ask it anything yet (gaps 15, A10)."""
        return self.status == "queued"


_LEARNED: Final = ("ready", "completed", "finished", "done", "processed")


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

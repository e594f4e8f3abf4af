"""AI assistants: their list is a guess, one is read by its id as a public client does (see `assumptions`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from dashboard.platform_api.lists import inside
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

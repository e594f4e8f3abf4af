"""AI assistants, whose list is a guess (see `assumptions`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.lists import inside
from dashboard.platform_api.values import JSON, first, mapping, optional_flag, rest, text


@dataclass(frozen=True, slots=True)
class Assistant:
    """`chat` says by video identifier whether the assistant's chat is shown; of a video that is not in it, nobody knows."""

    id: str
    name: str
    chat: Mapping[str, bool] = field(hash=False)
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        visibility = {**mapping(source.get("chat"))}
        for item in inside(source.get("videos"), "video").records:
            visibility[text(item["id"])] = first(item, "chat_is_visible", "title")
        chat = {
            video: is_shown for video, value in visibility.items() if (is_shown := optional_flag(value)) is not None
        }
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            chat=chat,
            extra=rest(source, "id name title chat videos"),
        )

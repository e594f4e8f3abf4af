"""AI assistants, whose list is a guess (see `assumptions`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.values import JSON, first, flag, mapping, rest, sequence, text


@dataclass(frozen=True, slots=True)
class Assistant:
    """`chat` says by video identifier whether the assistant's chat is shown."""

    id: str
    name: str
    chat: Mapping[str, bool] = field(hash=False)
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        chat = {video_id: flag(visible) for video_id, visible in mapping(source.get("chat")).items()}
        for item in map(mapping, sequence(source.get("videos"))):
            video_id = text(first(item, "video_id", "id"))
            if video_id:
                chat[video_id] = flag(item.get("chat_is_visible"))
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            chat=chat,
            extra=rest(source, "id name title chat videos"),
        )

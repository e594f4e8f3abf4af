"""Live broadcasts [2.9], and where an encoder sends them to."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Self

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.values import JSON, Unreadable, address, first, mapping, moment, optional_text, rest, text


@dataclass(frozen=True, slots=True)
class Live:
    """`status` in lower case: the specification writes `offline`, other parts of the platform `ONLINE`.

    `is_schedule_told`: whether the platform said when it is scheduled, or that it is not.
    """

    id: str
    title: str
    status: str
    scheduled_at: datetime | None
    created_at: datetime | None
    updated_at: datetime | None
    folder_id: str | None
    player_url: str | None
    hls_url: str | None
    thumbnail_url: str | None = None
    is_schedule_told: bool = False
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        scheduled_at = moment(first(source, "scheduled_at", "scheduled_time"))
        return cls(
            id=text(source.get("id")),
            title=text(first(source, "title", "name")),
            status=text(source.get("status")).lower(),
            scheduled_at=scheduled_at,
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            folder_id=optional_text(source.get("folder_id")),
            player_url=address(first(source, "live_player", "video_player")),
            hls_url=address(first(source, "live_hls", "video_hls")),
            thumbnail_url=address(first(source, "thumbnail", "thumb")),
            is_schedule_told=scheduled_at is not None or source.get("scheduled_at", "not told") in (None, ""),
            extra={
                key: _without_secrets(value) for key, value in rest(source, _KNOWN).items() if not _SECRET.search(key)
            },
        )


_KNOWN: Final = (
    "id title name status scheduled_at scheduled_time created_at updated_at folder_id live_player video_player "
    "live_hls video_hls thumbnail thumb"
)
_SECRET: Final = re.compile("stream_?key|rtmp", re.IGNORECASE)
"""Whoever has them can broadcast: no record and no kept answer has them, so no page, cache or export can show them."""


@dataclass(frozen=True, slots=True)
class Ingest:
    """Where an encoder sends a live to. Both are secret: they are shown to whoever presses for them, and nowhere else."""

    rtmp: str = field(repr=False)
    stream_key: str = field(repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        """What the platform tells of it; "" for what it does not."""
        return cls(
            rtmp=_first_text(first(source, "rtmp", "rtmp_url")),
            stream_key=_first_text(first(source, "stream_key", "streamKey")),
        )

    def __bool__(self) -> bool:
        return bool(self.rtmp or self.stream_key)


def without_secrets(answer: Answer) -> Answer:
    """The answer to a read of lives as it may be kept: without keys and addresses for encoders, at any depth."""
    if not _SECRET.search(answer.body.decode("latin-1")):
        return answer
    try:
        cleaned = _without_secrets(answer.json())
    except Unreadable:
        cleaned = None
    return replace(answer, body=json.dumps(cleaned).encode())


def _without_secrets(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _without_secrets(inner) for key, inner in value.items() if not _SECRET.search(key)}
    return [_without_secrets(entry) for entry in value] if isinstance(value, list) else value


def _first_text(value: JSON) -> str:
    """A text as it came, or the first one in an object."""
    return text(value) or next((text(inner) for inner in mapping(value).values() if text(inner)), "")

"""Live broadcasts [2.9]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

from dashboard.platform_api.values import JSON, address, first, moment, optional_text, rest, text


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
            is_schedule_told=scheduled_at is not None or source.get("scheduled_at", "not told") in (None, ""),
            extra=rest(source, _KNOWN),
        )


_SECRETS: Final = "stream_key rtmp"
"""Whoever has them can broadcast: they are not kept, so no page, record or cache can show them."""
_KNOWN: Final = (
    "id title name status scheduled_at scheduled_time created_at updated_at folder_id live_player video_player "
    f"live_hls video_hls {_SECRETS}"
)

"""A video and a page of them [4.16; gaps: videos]."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self
from urllib.parse import parse_qs, urlsplit

from dashboard.platform_api.lists import identified
from dashboard.platform_api.records.ai_resources import AiResource, ai_resources
from dashboard.platform_api.records.subtitles import Subtitle, subtitles_in
from dashboard.platform_api.values import (
    JSON,
    address,
    first,
    flag,
    integer,
    mapping,
    moment,
    number,
    optional_flag,
    optional_text,
    rest,
    text,
    word,
)
from dashboard.platform_api.vocabulary import VideoStatus

_PLAYER_HOST = re.compile(r"player-([a-z0-9][a-z0-9-]*)\.")
_ZONE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Video:
    """`id` goes into every call, `external_id` into players and public content files: they are not the same.

    `length` is in seconds, `storage_size` in bytes, `pullzone` is read out of the player's address.
    `are_ai_resources_told`: whether the platform said which AI content there is; a list leaves it out.
    """

    id: str
    external_id: str
    title: str
    description: str
    status: str
    folder_id: str | None
    length: float | None
    width: int | None
    height: int | None
    created_at: datetime | None
    updated_at: datetime | None
    storage_size: int | None
    playable: bool
    thumbnail: str | None
    preview: str | None
    player_url: str | None
    hls_url: str | None
    mp4_url: str | None
    live_id: str | None
    library_id: str | None
    config_subtitles: tuple[Subtitle, ...]
    ai_resources: tuple[AiResource, ...]
    ai_url: str | None
    are_ai_resources_told: bool = True
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)
    is_unplayable: bool = False
    """Whether the platform says that it cannot be played: `playable` is False, too, where it says nothing."""

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        config = mapping(source.get("config"))
        resources = ai_resources(mapping(config.get("ai")).get("resources"))
        length = number(source.get("length"))
        return cls(
            id=text(source.get("id")),
            external_id=text(source.get("video_external_id")),
            title=text(first(source, "title", "name")),
            description=text(source.get("description")),
            status=word(source.get("status"), VideoStatus),
            folder_id=optional_text(source.get("folder_id")),
            length=length if length is not None and length >= 0 else None,
            width=integer(source.get("width")),
            height=integer(source.get("height")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            storage_size=integer(source.get("storage_size")),
            playable=flag(source.get("playable")),
            thumbnail=address(source.get("thumbnail")),
            preview=address(source.get("preview")),
            player_url=address(source.get("video_player")),
            hls_url=address(source.get("video_hls")),
            mp4_url=address(source.get("video_mp4")),
            live_id=optional_text(source.get("live_id")),
            library_id=optional_text(source.get("library_id")),
            config_subtitles=subtitles_in(config.get("subtitles")),
            ai_resources=resources.found,
            ai_url=address(source.get("ai_url")),
            are_ai_resources_told=resources.is_told,
            extra=rest(source, _KNOWN),
            is_unplayable=optional_flag(source.get("playable")) is False,
        )

    @property
    def tells_config(self) -> bool:
        """Whether the answer has `config`, and with it the subtitles: a list leaves it out."""
        return "config" in self.extra

    @property
    def pullzone(self) -> str | None:
        """The CDN zone name, out of the player's address. Read when asked for: lists have thousands of videos."""
        return pullzone_of(self.player_url)


_KNOWN: Final = (
    "id video_external_id title name description status folder_id length width height created_at updated_at storage_size "
    "playable thumbnail preview video_player video_hls video_mp4 live_id library_id ai_url"
)


@dataclass(frozen=True, slots=True)
class VideoPage:
    """One page of the list; without `pages` and `total`, a page with fewer videos than asked for is the last."""

    videos: tuple[Video, ...]
    total: int | None
    pages: int | None

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        """Raises `Unreadable` when there is no list of videos."""
        about = mapping(value)
        return cls(
            videos=identified(value, Video.from_json, "videos"),
            total=integer(about.get("total")),
            pages=integer(about.get("pages")),
        )


def pullzone_of(player_url: str | None) -> str | None:
    """The CDN zone name: in the player's host name (`player-{zone}.`), or its parameter `l`."""
    try:
        parts = urlsplit(player_url or "")
        match = _PLAYER_HOST.match(parts.hostname or "")
        zone = match.group(1) if match else parse_qs(parts.query, max_num_fields=50).get("l", [""])[0]
    except ValueError:
        return None
    return zone if _ZONE.fullmatch(zone) else None

"""Playlists [2.9]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.lists import inside
from dashboard.platform_api.values import JSON, first, rest, text


@dataclass(frozen=True, slots=True)
class PlaylistVideo:
    """A video of a playlist, in the order in which it was sent."""

    id: str
    title: str
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            title=text(first(source, "title", "name")),
            extra=rest(source, "video_id id title name"),
        )


@dataclass(frozen=True, slots=True)
class Playlist:
    """A playlist and its videos. `are_videos_told`: whether the platform said which they are; a list may leave them out."""

    id: str
    name: str
    videos: tuple[PlaylistVideo, ...]
    are_videos_told: bool = True
    raw_videos: JSON = field(default=None, hash=False, repr=False)
    """What the platform said of them, where that is not understood."""
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        contents = first(source, "videos", "video_ids")
        links = source.get("playlist_videos") if contents is None else None
        listed = contents if links is None else links
        videos = inside(listed, "video", are_links=links is not None)
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            videos=tuple(map(PlaylistVideo.from_json, videos.records)),
            are_videos_told=videos.is_told,
            raw_videos=None if videos.is_told else listed,
            extra=rest(source, "id name title videos video_ids playlist_videos"),
        )

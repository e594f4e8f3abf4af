"""Playlists [2.9]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.values import JSON, first, mapping, rest, sequence, text


@dataclass(frozen=True, slots=True)
class PlaylistVideo:
    """A video of a playlist, in the order in which it was sent."""

    id: str
    title: str
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        inside = mapping(source.get("video"))
        shown = inside if text(inside.get("id")) else source
        return cls(
            id=text(first(shown, "video_id", "id")),  # the element may be the link, whose own id is another
            title=text(first(shown, "title", "name")),
            extra=rest(source, "video_id id title name"),
        )


@dataclass(frozen=True, slots=True)
class Playlist:
    """A playlist and its videos. `are_videos_told`: whether the platform said which they are; a list may leave them out."""

    id: str
    name: str
    videos: tuple[PlaylistVideo, ...]
    are_videos_told: bool = True
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        told = first(source, "videos", "playlist_videos")
        videos = tuple(PlaylistVideo.from_json(mapping(item)) for item in sequence(told))
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            videos=tuple(video for video in videos if video.id),
            are_videos_told=isinstance(told, list) and all(video.id for video in videos),
            extra=rest(source, "id name title videos playlist_videos"),
        )

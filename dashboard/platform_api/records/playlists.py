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
        return cls(
            id=text(first(source, "video_id", "id")),  # the element may be the link, whose own id is another
            title=text(first(source, "title", "name")),
            extra=rest(source, "video_id id title name"),
        )


@dataclass(frozen=True, slots=True)
class Playlist:
    """A playlist and its videos, which a list may leave out."""

    id: str
    name: str
    videos: tuple[PlaylistVideo, ...]
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        videos = (
            PlaylistVideo.from_json(mapping(item)) for item in sequence(first(source, "videos", "playlist_videos"))
        )
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            videos=tuple(video for video in videos if video.id),
            extra=rest(source, "id name title videos playlist_videos"),
        )

"""Playlists [2.9, 4.14]; reading them is only referred to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.lists import identified, inside, record
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
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


class Playlists:
    """Playlists of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> tuple[Playlist, ...]:
        """GET {base_url}/playlists (shape assumed)."""
        return self._send(
            Request("playlists.list", "GET", ("playlists",)),
            lambda answer: identified(answer.json(), Playlist.from_json, "playlists"),
        )

    def get(self, playlist_id: Identifier) -> Playlist:
        """GET {base_url}/playlists/{id} (shape assumed)."""
        return self._send(
            Request("playlists.get", "GET", ("playlists", playlist_id)),
            lambda answer: Playlist.from_json(record(answer.json(), "playlist", requested_id=playlist_id)),
        )

    def delete(self, playlist_id: Identifier) -> str:
        """DELETE {base_url}/playlists/{playlist_id} [4.14], irreversible; gives the platform's message.

        `Missing` with status 400: no such playlist. `NotAllowed` with status 500: someone else's [7].
        """
        return self._send(
            Request("playlists.delete", "DELETE", ("playlists", playlist_id)), lambda answer: answer.message()
        )

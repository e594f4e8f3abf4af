"""The snapshot of a link's video, stored with the link so that the page opens without a call."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from dashboard.platform_api.public_files import Bookmark
from dashboard.platform_api.videos import Video

PLAYER_OPTIONS = {
    "saveProgress": "false", "smartAutoplay": "false", "alternativeProgress": "false",
    "disableForward": "false", "disablePause": "false",
}  # fmt: skip
"""What an owner may have switched on for viewers, and what would keep a reviewer from a moment or bend the clock."""


@dataclass(frozen=True, slots=True)
class Caption:
    """Subtitles in one language; `url` is where the platform serves the WebVTT."""

    lang: str
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class LinkVideo:
    """Title, length in seconds (None: unknown) and where the picture comes from. Addresses may be empty."""

    title: str = ""
    length: float | None = None
    poster: str = ""
    player_url: str = ""
    hls_url: str = ""
    mp4_url: str = ""
    captions: tuple[Caption, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()
    """The video's chapters, by time."""

    @classmethod
    def from_record(cls, video: Video) -> Self:
        return cls(
            title=video.title,
            length=video.length,
            poster=video.thumbnail or "",
            player_url=video.player_url or "",
            hls_url=video.hls_url or "",
            mp4_url=video.mp4_url or "",
            captions=tuple(Caption(s.lang, s.label, s.url or "") for s in video.config_subtitles),
        )

    @classmethod
    def from_kept(cls, fields: Mapping[str, Any]) -> Self:
        """From `ReviewLink.video`; an empty object for a link whose video was never read."""
        known = {
            name: fields[name]
            for name in ("title", "length", "poster", "player_url", "hls_url", "mp4_url")
            if name in fields
        }
        return cls(
            **known,
            captions=tuple(Caption(**caption) for caption in fields.get("captions", ())),
            bookmarks=tuple(Bookmark(**bookmark) for bookmark in fields.get("bookmarks", ())),
        )

    def to_kept(self) -> dict[str, Any]:
        """What `ReviewLink.video` stores."""
        captions = [asdict(caption) for caption in self.captions]
        return asdict(self) | {"captions": captions, "bookmarks": [asdict(bookmark) for bookmark in self.bookmarks]}

    @classmethod
    def keep_record(
        cls, video: Video, known: Mapping[str, Any], bookmarks: tuple[Bookmark, ...] | None = None
    ) -> dict[str, Any]:
        """The same from an answer about the video. One of a list tells no captions: those in `known` stay, if there are any.

        So do its bookmarks, which are read apart: None where they were not.
        """
        fields = replace(cls.from_record(video), bookmarks=bookmarks or ()).to_kept()
        if not video.tells_config:
            del fields["captions"]
        if bookmarks is None:
            del fields["bookmarks"]
        return {name: known[name] for name in ("captions", "bookmarks") if name in known} | fields

    @property
    def last_second(self) -> int | None:
        """The latest `time` a comment may have: floored, never rounded [4.7]. None when the length is unknown."""
        return None if self.length is None else int(self.length)

    def player_at(self, start: int) -> str:
        """The platform's player as a review needs it: its clock true, every moment within reach, begun at `start`."""
        if not self.player_url:
            return ""
        parts = urlsplit(self.player_url)
        begin = {"startTime": str(start)} if start else {}
        options = [*parse_qsl(parts.query, keep_blank_values=True), *(PLAYER_OPTIONS | begin).items()]
        return urlunsplit(parts._replace(query=urlencode(options)))

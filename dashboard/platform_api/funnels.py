"""Funnels [2.9, 4.10]; reading them is only referred to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from dashboard.platform_api.lists import identified, inside, record
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, first, flag, mapping, number, optional_text, rest, text


@dataclass(frozen=True, slots=True)
class FunnelVideo:
    """A video on the editor's canvas; `x` and `y` are None where it was never placed, or nobody says where."""

    id: str
    title: str
    x: float | None
    y: float | None
    is_first: bool
    is_place_told: bool = True
    """Whether the platform says where it is, or that it is nowhere."""
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        place = mapping(source.get("front_coordinates"))
        return cls(
            id=text(source.get("id")),
            title=text(first(source, "title", "name")),
            x=number(place.get("x")),
            y=number(place.get("y")),
            is_first=flag(source.get("is_first")),
            is_place_told="front_coordinates" in source,
            extra=rest(source, "id video_id title name front_coordinates is_first"),
        )


@dataclass(frozen=True, slots=True)
class Funnel:
    """A funnel and its videos. `are_videos_told`, `is_folder_told`: whether the platform said which they are."""

    id: str
    name: str
    folder_id: str | None
    videos: tuple[FunnelVideo, ...]
    are_videos_told: bool = True
    is_folder_told: bool = True
    raw_videos: JSON = field(default=None, hash=False, repr=False)
    """What the platform said of them, where that is not understood."""
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @property
    def are_places_told(self) -> bool:
        """Whether the platform says of all its videos where they are."""
        return self.are_videos_told and all(video.is_place_told for video in self.videos)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        videos = inside(source.get("videos"), "video")
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            folder_id=optional_text(source.get("folder_id")),
            videos=tuple(map(FunnelVideo.from_json, videos.records)),
            are_videos_told=videos.is_told,
            is_folder_told="folder_id" in source,
            raw_videos=None if videos.is_told else source.get("videos"),
            extra=rest(source, "id name title folder_id videos"),
        )


class Funnels:
    """Funnels of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> tuple[Funnel, ...]:
        """GET {base_url}/funnels (assumed path)."""
        return self._send(
            Request("funnels.list", "GET", ("funnels",)),
            lambda answer: identified(answer.json(), Funnel.from_json, "funnels"),
        )

    def get(self, funnel_id: Identifier) -> Funnel:
        """GET {base_url}/funnels/{id} (assumed path)."""
        return self._send(
            Request("funnels.get", "GET", ("funnels", funnel_id)),
            lambda answer: Funnel.from_json(record(answer.json(), "funnel", requested_id=funnel_id)),
        )

    def add_videos(self, funnel_id: Identifier, videos: Sequence[Mapping[str, Any]]) -> str:
        """POST {base_url}/funnels/add_videos [4.10]; gives the platform's message. Moves the videos' folder as well."""
        return self._send(
            Request(
                "funnels.add_videos",
                "POST",
                ("funnels", "add_videos"),
                body={"id": str(funnel_id), "videos": list(videos)},
            ),
            lambda answer: answer.message(),
        )

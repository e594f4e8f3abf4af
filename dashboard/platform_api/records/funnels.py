"""Funnels [2.9]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.values import JSON, first, flag, mapping, number, optional_text, rest, sequence, text


@dataclass(frozen=True, slots=True)
class FunnelVideo:
    """A video on the editor's canvas; `x` and `y` are None where it was never placed."""

    id: str
    title: str
    x: float | None
    y: float | None
    is_first: bool
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        place, inside = mapping(source.get("front_coordinates")), mapping(source.get("video"))
        shown = inside if text(inside.get("id")) else source
        return cls(
            id=text(first(shown, "id", "video_id")),
            title=text(shown.get("title")),
            x=number(place.get("x")),
            y=number(place.get("y")),
            is_first=flag(source.get("is_first")),
            extra=rest(source, "id video_id title front_coordinates is_first"),
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
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        told = source.get("videos")
        videos = tuple(FunnelVideo.from_json(mapping(item)) for item in sequence(told))
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            folder_id=optional_text(source.get("folder_id")),
            videos=tuple(video for video in videos if video.id),
            are_videos_told=isinstance(told, list) and all(video.id for video in videos),
            is_folder_told="folder_id" in source,
            extra=rest(source, "id name title folder_id videos"),
        )

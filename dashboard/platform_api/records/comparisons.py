"""A/B tests [2.5], which the specification's paths call comparisons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

from dashboard.platform_api.lists import identified, inside
from dashboard.platform_api.values import JSON, first, mapping, moment, optional_text, rest, text, word
from dashboard.platform_api.vocabulary import TestStatus


@dataclass(frozen=True, slots=True)
class Variant:
    """One attached video; the platform may send a whole object, a link to it, or the identifier alone."""

    video_id: str
    title: str
    raw: JSON = field(default=None, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(video_id=text(source.get("id")), title=text(first(source, "title", "name")), raw=dict(source))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One A/B test. `winner` is the video that was declared, `pullzone` the caller's CDN zone name.

    `are_videos_told`: whether the platform said which videos are in it.
    """

    id: str
    name: str
    description: str
    status: str
    videos: tuple[Variant, ...]
    pullzone: str | None
    winner: str | None
    started_at: datetime | None
    finished_at: datetime | None
    created_at: datetime | None
    updated_at: datetime | None
    are_videos_told: bool = True
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @property
    def size(self) -> int | None:
        """How many videos are in it; None where that is not told."""
        return len(self.videos) if self.are_videos_told else None

    @classmethod
    def from_json(cls, source: Mapping[str, JSON], pullzone: str | None = None) -> Self:
        """`pullzone` is what stood beside the test in the answer, for when the test itself has none."""
        winner = first(source, *_WINNER)
        variants = inside(first(source, "videos", "video_ids"), "video")
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            description=text(source.get("description")),
            status=word(source.get("status"), TestStatus),
            videos=tuple(map(Variant.from_json, variants.records)),
            pullzone=optional_text(source.get("pullzone")) or pullzone,
            winner=text(first(mapping(winner), "video_id", "id")) or optional_text(winner),
            started_at=moment(source.get("started_at")),
            finished_at=moment(first(source, "finished_at", "ended_at")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            are_videos_told=variants.is_told,
            extra=rest(source, _KNOWN),
        )


_WINNER: Final = ("winner", "winner_id", "winner_video_id")
_KNOWN: Final = (
    "id name title description status videos video_ids pullzone winner winner_id winner_video_id started_at finished_at "
    "ended_at created_at updated_at"
)


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The list and the caller's CDN zone name [2.5]."""

    comparisons: tuple[Comparison, ...]
    pullzone: str | None

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        """Raises `Unreadable` when there is no list."""
        pullzone = optional_text(mapping(value).get("pullzone"))
        comparisons = identified(value, lambda source: Comparison.from_json(source, pullzone), "comparisons")
        return cls(comparisons, pullzone)

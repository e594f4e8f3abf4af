"""A/B tests [2.5], which the specification's paths call comparisons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

from dashboard.platform_api.values import (
    JSON,
    first,
    items,
    mapping,
    moment,
    optional_text,
    rest,
    sequence,
    text,
    word,
)
from dashboard.platform_api.vocabulary import TestStatus


@dataclass(frozen=True, slots=True)
class Variant:
    """One attached video; the platform may send a whole object or the identifier alone, so `raw` is kept."""

    video_id: str
    title: str
    raw: JSON = field(default=None, hash=False, repr=False)

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        source = mapping(value)
        return cls(
            video_id=text(first(source, "video_id", "id")) if source else text(value),
            title=text(first(source, "title", "name")),
            raw=value,
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """One A/B test. `winner` is the video that was declared, `pullzone` the caller's CDN zone name."""

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
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON], pullzone: str | None = None) -> Self:
        """`pullzone` is what stood beside the test in the answer, for when the test itself has none."""
        winner = first(source, *_WINNER)
        variants = (Variant.from_json(item) for item in sequence(first(source, "videos", "video_ids")))
        return cls(
            id=text(source.get("id")),
            name=text(source.get("name")),
            description=text(source.get("description")),
            status=word(source.get("status"), TestStatus),
            videos=tuple(variant for variant in variants if variant.video_id),
            pullzone=optional_text(source.get("pullzone")) or pullzone,
            winner=(Variant.from_json(winner).video_id or None) if winner is not None else None,
            started_at=moment(source.get("started_at")),
            finished_at=moment(first(source, "finished_at", "ended_at")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            extra=rest(source, _KNOWN),
        )


_WINNER: Final = ("winner", "winner_id", "winner_video_id")
_KNOWN: Final = (
    "id name description status videos video_ids pullzone winner winner_id winner_video_id started_at finished_at "
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
        found = (mapping(item) for item in items(value, "comparisons"))
        return cls(tuple(Comparison.from_json(item, pullzone) for item in found if text(item.get("id"))), pullzone)

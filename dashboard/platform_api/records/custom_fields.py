"""Custom fields of a video [2.6]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from dashboard.platform_api.values import JSON, moment, rest, text


@dataclass(frozen=True, slots=True)
class CustomField:
    """One key and value. Keys that the specification would refuse exist in real accounts and are read as they are."""

    id: str
    video_id: str
    key: str
    value: str
    created_at: datetime | None
    updated_at: datetime | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            video_id=text(source.get("video_id")),
            key=text(source.get("key")),
            value=text(source.get("value")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            extra=rest(source, "id video_id key value created_at updated_at"),
        )

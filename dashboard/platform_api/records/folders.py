"""Folders [2.7]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from dashboard.platform_api.values import JSON, first, flag, integer, moment, optional_text, rest, text


@dataclass(frozen=True, slots=True)
class Folder:
    """`active` is the specification's boolean `status`; `videos_count` counts direct videos, None when not told."""

    id: str
    name: str
    user_id: str | None
    parent_folder_id: str | None
    active: bool
    videos_count: int | None
    created_at: datetime | None
    updated_at: datetime | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            user_id=optional_text(source.get("user_id")),
            parent_folder_id=optional_text(source.get("parent_folder_id")),
            active=flag(source.get("status"), default=True),
            videos_count=integer(source.get("videos_count")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            extra=rest(source, "id name title user_id parent_folder_id status videos_count created_at updated_at"),
        )

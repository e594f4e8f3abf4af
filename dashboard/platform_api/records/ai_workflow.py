"""AI subtitle jobs [2.1] and the public files of AI content [2.8]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from dashboard.platform_api.values import JSON, mapping, moment, optional_text, rest, text, word
from dashboard.platform_api.vocabulary import JobStatus, JobType


@dataclass(frozen=True, slots=True)
class Job:
    """`to_lang` is None for a transcription. Kinds and states beyond the specification's are kept as they came."""

    id: str
    video_id: str
    type: str
    status: str
    from_lang: str
    to_lang: str | None
    metadata: Mapping[str, JSON] = field(hash=False)
    created_at: datetime | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            video_id=text(source.get("video_id")),
            type=word(source.get("type"), JobType),
            status=word(source.get("status"), JobStatus),
            from_lang=text(source.get("from_lang")),
            to_lang=optional_text(source.get("to_lang")),
            metadata=mapping(source.get("metadata")),
            created_at=moment(source.get("created_at")),
            extra=rest(source, "id video_id type status from_lang to_lang metadata created_at"),
        )


@dataclass(frozen=True, slots=True)
class PackageFile:
    """The content file of one language. `text` is the file as it came; `age` the seconds a cache has held it."""

    data: Mapping[str, JSON] = field(hash=False)
    text: str = field(repr=False)
    etag: str
    age: int | None

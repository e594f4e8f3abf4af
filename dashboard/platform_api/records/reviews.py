"""Review links [2.3] and reviewers' comments [2.4]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

from dashboard.platform_api.values import JSON, address, first, flag, integer, moment, optional_text, rest, text, word
from dashboard.platform_api.vocabulary import CommentStatus, LinkStatus


@dataclass(frozen=True, slots=True)
class ReviewLink:
    """A link for reviewers. `url` only where the answer has one: the address is {review_url}/{id} anyway."""

    id: str
    video_id: str
    name: str
    status: str
    expires_at: datetime | None
    allow_comment: bool
    allow_status_edit: bool
    show_resolved: bool
    created_at: datetime | None
    updated_at: datetime | None
    url: str | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            video_id=text(source.get("video_id")),
            name=text(first(source, "name", "link_name")),
            status=word(source.get("status"), LinkStatus),
            expires_at=moment(source.get("expires_at")),
            allow_comment=flag(source.get("allow_comment"), default=True),
            allow_status_edit=flag(source.get("allow_status_edit"), default=True),
            show_resolved=flag(source.get("show_resolved"), default=True),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            url=address(source.get("url")),
            extra=rest(source, _LINK),
        )


LINK_NEEDS: Final = ("name", "link_name", "status", "expires_at", "url")
"""One of these says at least something of a link: an identifier alone would leave all its switches to guesses."""
_LINK: Final = (
    "id video_id name link_name status expires_at allow_comment allow_status_edit show_resolved created_at updated_at "
    "url"
)


@dataclass(frozen=True, slots=True)
class Comment:
    """`time` is in whole seconds; `reply_to` is None for a top-level comment."""

    id: str
    video_id: str
    user_name: str
    text: str
    status: str
    time: int
    reply_to: str | None
    created_at: datetime | None
    updated_at: datetime | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            video_id=text(source.get("video_id")),
            user_name=text(source.get("user_name")),
            text=text(source.get("text")),
            status=word(source.get("status"), CommentStatus) or CommentStatus.OPEN.value,
            time=max(0, integer(source.get("time")) or 0),
            reply_to=optional_text(source.get("reply_to")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            extra=rest(source, _COMMENT),
        )


_COMMENT: Final = "id video_id user_name text status time reply_to created_at updated_at"

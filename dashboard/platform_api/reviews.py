"""Review links and comments [2.3, 2.4]: the account's side [4.4], and the reviewers' [4.7, 4.8]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.request import Auth, Body, Identifier, Request
from dashboard.platform_api.sending import Send
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


class ReviewLinks:
    """Links of a video."""

    def __init__(self, send: Send, reads: bool) -> None:
        self._send = send
        self._reads = reads

    def create(self, video_id: Identifier, payload: Mapping[str, Any]) -> ReviewLink:
        """POST {base_url}/video-review/{video_id}?action=link [4.4]. The answer has no address: {review_url}/{id}."""
        return self._send(
            Request("review_links.create", "POST", ("video-review", video_id), [("action", "link")], body=payload),
            lambda answer: ReviewLink.from_json(record(answer.json(), "link")),
        )

    def list(self, video_id: Identifier) -> tuple[ReviewLink, ...]:
        """GET {base_url}/video-review/{video_id}?action=link: the operation exists [2.3, 4.16], its path is a guess.

        Raises `Missing` without sending when `PlatformConfig.review_reads` is off.
        """
        if not self._reads:
            raise Missing("review_links.list")
        return self._send(
            Request("review_links.list", "GET", ("video-review", video_id), [("action", "link")]),
            lambda answer: identified(answer.json(), ReviewLink.from_json, "links", "review_links", needs=LINK_NEEDS),
        )


class PublicReview:
    """A link and its comments. With `PlatformConfig.review_reads` off, the reads raise `Missing`: they are guesses."""

    def __init__(self, send: Send, reads: bool) -> None:
        self._send = send
        self._reads = reads

    def read_link(self, link_id: Identifier, token: Identifier) -> ReviewLink:
        """GET {base_url}/public-video-review/{link_id}?token=… (a guess)."""
        return self._send(
            self._read("public_review.read_link", token, link_id),
            lambda answer: ReviewLink.from_json(record(answer.json(), "link", requested_id=link_id, needs=LINK_NEEDS)),
        )

    def comments(self, link_id: Identifier, token: Identifier) -> tuple[Comment, ...]:
        """GET {base_url}/public-video-review/{link_id}/comments?token=… (a guess)."""
        return self._send(
            self._read("public_review.comments", token, link_id, "comments"),
            lambda answer: identified(answer.json(), Comment.from_json, "comments", needs=("text",)),
        )

    def create_comment(self, link_id: Identifier, token: Identifier, payload: Mapping[str, Any]) -> Comment:
        """POST {base_url}/public-video-review/{link_id}/comments?token=… [4.7]."""
        return self._send(
            _request("public_review.create_comment", "POST", token, (link_id, "comments"), payload), _comment
        )

    def update_comment(
        self, link_id: Identifier, comment_id: Identifier, token: Identifier, changes: Mapping[str, Any]
    ) -> Comment:
        """PUT {base_url}/public-video-review/{link_id}/comments/{comment_id}?token=… [4.8]; only what changes.

        `NotAllowed` with status 401: the text belongs to another reviewer's token [7].
        """
        return self._send(
            _request("public_review.update_comment", "PUT", token, (link_id, "comments", comment_id), changes),
            lambda answer: _comment(answer, comment_id),
        )

    def _read(self, operation: str, token: Identifier, *path: Identifier) -> Request:
        if not self._reads:
            raise Missing(operation)
        return _request(operation, "GET", token, path)


def _request(
    operation: str, method: str, token: Identifier, path: tuple[Identifier, ...], body: Body | None = None
) -> Request:
    return Request(
        operation, method, ("public-video-review", *path), body=body, auth=Auth.NONE, reviewer_token=str(token)
    )


def _comment(answer: Answer, requested_id: Identifier | None = None) -> Comment:
    return Comment.from_json(record(answer.json(), "comment", requested_id=requested_id))

"""Review links, the reviewer's side [4.7, 4.8]: no account token, the reviewer's session token in the query [5]."""

from collections.abc import Mapping
from typing import Any

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.reviews import LINK_NEEDS, Comment, ReviewLink
from dashboard.platform_api.request import Auth, Body, Identifier, Request
from dashboard.platform_api.sending import Send


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

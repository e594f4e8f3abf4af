"""Review links, the account's side [4.4]."""

from collections.abc import Mapping
from typing import Any

from dashboard.platform_api.errors import Missing
from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.reviews import LINK_NEEDS, ReviewLink
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send


class ReviewLinks:
    """Links of a video."""

    def __init__(self, send: Send, reads: bool) -> None:
        self._send = send
        self._reads = reads

    def create(self, video_id: Identifier, payload: Mapping[str, Any]) -> ReviewLink:
        """POST {base_url}/video-review/{video_id}?action=link [4.4]. The answer has no address: {review_url}/{id}."""
        return self._send(
            Request("review_links.create", "POST", ("video-review", video_id), [("action", "link")], payload),
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

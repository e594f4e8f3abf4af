"""The context of a request for a link: reviewer, filter and threads, each loaded once and only when needed."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property

from dashboard.shared.text import parse_uuid
from dashboard.writes.models import Write
from review_portal import outbox, reviewers, rules, sync, threads
from review_portal.models import Reviewer, ReviewLink
from review_portal.rules import LinkState, ListFilter, Show, Sort
from review_portal.threads import Thread, ThreadReader
from review_portal.videos import LinkVideo

EVERY = "every"
"""In the place of a thread: every one is written whole."""


@dataclass
class Visit:
    """A reader at a link."""

    request: HttpRequest
    link: ReviewLink
    now: datetime

    @cached_property
    def choice(self) -> ListFilter:
        """What the reader asks to see: in the address, or in the form that is sent."""
        return parse_filter(self.request.POST if self.request.method == "POST" else self.request.GET)

    @cached_property
    def state(self) -> LinkState:
        """Whether the link is open, expired or inactive."""
        return rules.state_of(self.link, self.now)

    @cached_property
    def reviewer(self) -> Reviewer | None:
        return reviewers.get_reviewer(self.request, self.link)

    @cached_property
    def shown(self) -> LinkVideo:
        return LinkVideo.from_kept(self.link.video)

    @cached_property
    def reading(self) -> ThreadReader:
        return ThreadReader(self.link, self.reviewer, outbox.load_unsettled_changes(self.link.video_id))

    @cached_property
    def threads(self) -> list[Thread]:
        """All that this reader may see, by time, with every reply."""
        return threads.select_visible(self.link, threads.build_threads(self.reading.entries()))

    @cached_property
    def threads_at_first(self) -> list[Thread]:
        """The same with the replies that the page writes at first; the others are only counted."""
        if self.whole == EVERY:
            return self.threads
        return threads.load_first_view(self.reading, self.choice, parse_uuid(self.whole))

    def threads_changed(self, after: int) -> list[Thread]:
        """The same; those that changed after a version of the link have all their replies."""
        return threads.load_changed(self.reading, self.choice, after)

    @cached_property
    def main_count(self) -> int:
        return threads.count_main_comments(self.link)

    @cached_property
    def outbox(self) -> list[Write]:
        return outbox.list_unfinished(self.reviewer)

    @property
    def whole(self) -> str:
        """The thread that is shown with every reply, or EVERY; "" where the address asks for none."""
        return self.request.GET.get("thread", "")[:36]

    @property
    def on_its_way(self) -> str | None:
        """Keys of pending writes, by which the browser tells which saved texts were sent. None: the reviewer is unknown."""
        return None if self.reviewer is None else " ".join(str(sent.key) for sent in self.outbox)

    @cached_property
    def platform_away(self) -> bool:
        return sync.get_last_error(self.link) is not None

    @property
    def token(self) -> str:
        """The version that a poll compares."""
        return build_token(self.link, away=self.platform_away)

    def again(self) -> "Visit":
        """The same reader after something was written."""
        self.link.refresh_from_db()
        fresh = Visit(self.request, self.link, timezone.now())
        fresh.reviewer = self.reviewer
        return fresh


def parse_filter(asked: Mapping[str, str]) -> ListFilter:
    """What the address asks to see; unknown values are ignored."""
    show, sort, since = asked.get("show", ""), asked.get("sort", ""), asked.get("since", "")
    return ListFilter(
        show=Show(show) if show in set(Show) else Show.ALL,
        sort=Sort(sort) if sort in set(Sort) else Sort.TIME,
        by=asked.get("by", "")[:255],
        query=asked.get("q", "").strip()[:200],
        since=parse_version(since),
    )


def build_token(link: ReviewLink, *, away: bool) -> str:
    """The link's version, and whether the platform is away."""
    return f"{link.version}{'a' if away else ''}"


def parse_version(token: str) -> int:
    """The version in a poll's token; 0 for anything else."""
    digits = token.rstrip("a")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else 0


def create_key() -> str:
    """A key for an attempt that has not begun."""
    return str(uuid.uuid4())

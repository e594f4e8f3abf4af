"""Which links a list shows: filters, order and page, all in the address."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlencode

from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.review_links import rules
from dashboard.review_links.rules import State
from dashboard.shared.addresses import path_of
from dashboard.shared.text import fold, parse_uuid
from review_portal import cuts, decisions, owner_queries
from review_portal.models import Decision
from review_portal.owner_queries import CountedLink

PER_PAGE: Final = 25


class Sort(StrEnum):
    """Orders of the list."""

    NEWEST = "newest"
    CLOSES = "closes"
    OPEN = "open"


@dataclass(frozen=True)
class LinkFilter:
    """What the address asks for; what cannot be understood counts as not asked for."""

    state: State | None = None
    video: uuid.UUID | None = None
    query: str = ""
    sort: Sort = Sort.NEWEST
    page: int = 1

    @property
    def narrows(self) -> bool:
        return bool(self.state or self.video or self.query)

    def address(self, **changes: Any) -> str:
        """The address of the same list with something changed; any change but of the page leads to its first page."""
        other = replace(self, **({"page": 1} | changes if changes else {}))
        query = {
            "state": other.state.value if other.state else "",
            "video": str(other.video or ""),
            "q": other.query,
            "sort": other.sort.value if other.sort != Sort.NEWEST else "",
            "page": str(other.page) if other.page > 1 else "",
        }
        encoded = urlencode({name: value for name, value in query.items() if value})
        return path_of("review_links:review_links") + (f"?{encoded}" if encoded else "")


@dataclass(frozen=True)
class LinkListing:
    """One page of links, how many there are in each state, and the videos that have any."""

    links: list[CountedLink]
    total: int
    offset: int
    page: int
    pages: int
    counts: dict[State, int]
    videos: list[tuple[uuid.UUID, str]]
    used: dict[uuid.UUID, int]
    cuts: dict[uuid.UUID, tuple[int, int]]
    """By link, its number as a cut, and of how many."""
    decisions: list[Decision]
    """What reviewers decided on the links of the page, newest first."""


def parse_filter(query: Mapping[str, str]) -> LinkFilter:
    """The filter that an address asks for."""
    states = {state.value: state for state in State}
    sorts = {sort.value: sort for sort in Sort}
    page = query.get("page", "")
    return LinkFilter(
        state=states.get(query.get("state", "")),
        video=parse_uuid(query.get("video", "")),
        query=" ".join(query.get("q", "").split())[:200],
        sort=sorts.get(query.get("sort", ""), Sort.NEWEST),
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 5 else 1,
    )


def load_listing(account: Account, criteria: LinkFilter) -> LinkListing:
    """The page that is asked for; one beyond the last shows the last."""
    now = timezone.now()
    every = list(owner_queries.list_links(account))
    matching = [link for link in every if _matches(link, criteria)]
    counts: dict[State, int] = {}
    for link in matching:
        state = rules.state_of(link, now)
        counts[state] = counts.get(state, 0) + 1
    selected = [link for link in matching if criteria.state is None or rules.state_of(link, now) == criteria.state]
    selected.sort(key=lambda link: _get_sort_key(link, criteria.sort, now))
    pages = max(1, -(-len(selected) // PER_PAGE))
    page = min(max(1, criteria.page), pages)
    offset = (page - 1) * PER_PAGE
    titles = {link.video_id: str(link.video.get("title", "")) for link in every}
    on_page = selected[offset : offset + PER_PAGE]
    return LinkListing(
        links=on_page,
        total=len(selected),
        offset=offset,
        page=page,
        pages=pages,
        counts=counts,
        videos=sorted(titles.items(), key=lambda item: item[1].casefold()),
        used=owner_queries.count_comments_by_video(account),
        cuts=cuts.load_numbers(account),
        decisions=decisions.list_decisions_of(on_page),
    )


def _matches(link: CountedLink, criteria: LinkFilter) -> bool:
    if criteria.video and link.video_id != criteria.video:
        return False
    wanted_words = fold(criteria.query).split()
    text = fold(f"{link.name} {link.video.get('title', '')} {link.pk}")
    return all(word in text for word in wanted_words)


def _get_sort_key(link: CountedLink, sort: Sort, now: datetime) -> tuple[float, ...]:
    created = -(link.created_at or link.known_since).timestamp()
    if sort == Sort.CLOSES:
        closed = rules.state_of(link, now) not in rules.USABLE
        return (closed, link.expires_at.timestamp() if link.expires_at else float("inf"), created)
    if sort == Sort.OPEN:
        return (-link.open_count, created)
    return (created,)

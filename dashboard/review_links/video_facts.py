"""What review links know of every video: its comments that are open, and how many links it has."""

from collections import Counter
from datetime import UTC, datetime
from typing import Final

from dashboard.accounts.models import Account
from dashboard.upstream import store
from dashboard.upstream.facts import VideoFacts, VideoSource, register_source
from review_portal import owner_queries, sync

LINKS: Final = "review_links.list"


def _load_comments(account: Account) -> VideoFacts:
    """By video: (open, all, whether there can be no others), of top-level comments.

    Without a link there is no comment; but of a video whose links nobody has looked up, there may be some.
    """
    whole = owner_queries.list_videos_read(account)
    counts = owner_queries.count_open_comments(account)
    linked = set(owner_queries.list_linked_videos(account))
    known = {
        str(video): (*counts.get(video, (0, 0)), video in whole)
        for video in linked
        if video in whole or video in counts
    }
    without = dict.fromkeys(_list_looked_up(account) - {str(video) for video in linked}, (0, 0, True))
    return VideoFacts(without | known)


def _load_links(account: Account) -> VideoFacts:
    """How many links each video has, as far as they were looked up."""
    links = Counter(str(video) for video in owner_queries.list_linked_videos(account))
    return VideoFacts(dict.fromkeys(_list_looked_up(account), 0) | links)


def _list_looked_up(account: Account) -> set[str]:
    """The videos whose links were read from the platform."""
    return set(store.read_moments(account.pk, LINKS)) if sync.is_readable() else set()


def _version(account: Account) -> tuple[object, ...]:
    long_ago = datetime.min.replace(tzinfo=UTC)
    looked_up = store.version_of(account.pk, LINKS, long_ago)
    return (*owner_queries.load_versions(account), sync.is_readable(), *looked_up)


register_source(VideoSource("comments", _version, _load_comments))
register_source(VideoSource("links", _version, _load_links))

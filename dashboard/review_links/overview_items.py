"""What review links say to the owner: those that close soon, comments that are open, and videos almost out of comments."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.overview.registry import Limit, Moving, Owned, Rank, Todo, provides
from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX
from dashboard.review_links import import_links, pages, rules, tasks
from dashboard.review_links.models import LinkReading
from dashboard.review_links.rules import USABLE
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import parallel
from dashboard.writes import library_refresh
from review_portal import decision_pages, owner_queries, sync
from review_portal.decisions import list_unseen
from review_portal.models import Decision
from review_portal.owner_queries import CountedLink

SOON = timedelta(days=3)
MOST = 4
"""Links named in one entry about several."""
GROUPED = 2
"""So many links are one entry."""
MERGED = 4
"""Links whose comments are read anew for the overview, those not read for longest first."""
FULLEST = 2
"""Videos whose comments are counted among the limits, the fullest first."""


@provides("review_links")
def review_links(request: OwnerRequest) -> Iterator[Todo | Limit | Moving | Owned]:
    """Out of the portal's own copy, brought up to date where the platform can be read."""
    now = timezone.now()
    every, reading = _load_links(request), tasks.begin(request.account)
    so_far = pages.format_so_far(reading)
    if reading is not None:
        yield _build_reading(reading)
    if every:
        yield Owned("review_links")
    used = owner_queries.count_comments_by_video(request.account)
    usable = [link for link in every if rules.state_of(link, now) in USABLE]
    closing = [link for link in usable if link.expires_at and link.expires_at <= now + SOON]
    yield from _list_closing(sorted(closing, key=lambda item: item.expires_at or now), now, so_far)
    # Comments belong to the video: two links of one video with the same counts show the same comments.
    commented = {
        (link.video_id, link.open_count, link.resolved_count): link for link in reversed(every) if link.open_count
    }
    yield from _list_decisions(list_unseen(request.account))
    yield from _list_open(sorted(commented.values(), key=lambda item: -item.open_count), so_far)
    titles = {link.video_id: pages.get_video_title(link) for link in usable}
    for video_id, title in titles.items():
        if used.get(video_id, 0) >= rules.METER_FROM:
            yield _build_full(str(video_id), title, used[video_id])
    yield from _list_limits(usable, titles, used, is_partial=reading is not None)


def _load_links(request: OwnerRequest) -> list[CountedLink]:
    """The account's links, rows with counts that only the query knows.

    Where the platform can be read, an account that is new here is looked through once, and a few links are read anew each
    time. What fails there is said on the page of the links: here the copy stands, as old as it is.
    """
    parallel.let_calls_leave()
    every = list(owner_queries.list_links(request.account))
    if not every and sync.is_readable():
        import_links.load_progress(request)
        return list(owner_queries.list_links(request.account))
    if not sync.is_readable():
        return every
    import_links.refresh_comments(request, every, MERGED)
    return list(owner_queries.list_links(request.account))


def _list_limits(
    usable: list[CountedLink], titles: dict[uuid.UUID, str], used: dict[uuid.UUID, int], *, is_partial: bool
) -> Iterator[Limit]:
    """The videos with the most comments, and when the next link closes, once all links are known."""
    fullest = sorted((video for video in titles if used.get(video)), key=lambda video: -used[video])
    for video_id in fullest[:FULLEST]:
        values = {"used": formats.number(used[video_id]), "most": formats.number(MAIN_COMMENTS_MAX)}
        known = owner_queries.are_comments_complete(link for link in usable if link.video_id == video_id)
        yield Limit(
            title=_("Comments on “%(title)s”") % {"title": titles[video_id]},
            address=address("review_links:video", video_id),
            sentence=(
                _("%(used)s of %(most)s, over all its links")
                if known
                else _("At least %(used)s of %(most)s comments used")
            )
            % values,
            used=used[video_id],
            most=MAIN_COMMENTS_MAX,
        )
    ends = [(link.expires_at, link) for link in usable if link.expires_at]
    if ends and not is_partial:
        _moment, nearest = min(ends, key=lambda end: end[0])
        values = {"count": formats.number(len(ends)), "when": pages.format_closing_time(nearest)}
        yield Limit(
            title=_("Review links"),
            address=address("review_links:review_links"),
            sentence=ngettext(
                "%(count)s is open and closes %(when)s. A link lasts at most 30 days.",
                "%(count)s are open, the next one closes %(when)s. A link lasts at most 30 days.",
                len(ends),
            )
            % values,
        )


def _build_reading(reading: LinkReading) -> Moving:
    """How far the library was looked through for links."""
    minutes = library_refresh.estimate_minutes(reading.left)
    rest = ngettext("About %(count)s minute left.", "About %(count)s minutes left.", minutes) if reading.left else ""
    return Moving(
        _("Reading your review links"),
        address("review_links:review_links"),
        pages.format_read(reading),
        reading.read,
        reading.videos,
        counted=True,
        is_reading=True,
        note=refusals.of_pause(library_refresh.trouble_of(reading.reason, reading.next_at))
        or rest % {"count": formats.number(minutes)},
    )


def _add(title: str, so_far: str) -> str:
    """A count, and what it is of where that is not all yet."""
    return f"{title}, {so_far}" if so_far else title


def _list_closing(closing: list[CountedLink], now: datetime, so_far: str) -> Iterator[Todo]:
    """One link that closes soon, or how many do, with the nearest ones."""
    if len(closing) < GROUPED:
        yield from (_build_closing(link, now) for link in closing)
        return
    first = _build_closing(closing[0], now)
    link_address = address("review_links:review_links")
    values = {"count": formats.number(len(closing)), "when": pages.format_closing_time(closing[-1])}
    names = [f"{link.name}, {pages.format_closing_time(link)}" for link in closing]
    title = _add(_("%(count)s review links close by %(when)s") % values, so_far)
    yield replace(first, title=title, address=link_address, why=formats.named(names, MOST), action_address=link_address)


def _list_open(links_with_comments: list[CountedLink], so_far: str) -> Iterator[Todo]:
    """The open comments of one link, or of how many, with the fullest ones."""
    if len(links_with_comments) < GROUPED:
        yield from (_build_open(link) for link in links_with_comments)
        return
    first, inbox_address = _build_open(links_with_comments[0]), address("review_links:inbox", show="open")
    count = sum(link.open_count for link in links_with_comments)
    names = [f"{pages.get_video_title(link)} ({formats.number(link.open_count)})" for link in links_with_comments]
    yield replace(
        first,
        word=ngettext("%(count)s open", "%(count)s open", count) % {"count": formats.number(count)},
        title=_add(
            _("Open comments on %(count)s review links") % {"count": formats.number(len(links_with_comments))}, so_far
        ),
        address=inbox_address,
        why=formats.named(names, MOST),
        action_address=inbox_address,
    )


def _list_decisions(unseen: list[Decision]) -> Iterator[Todo]:
    """What reviewers decided since an owner last looked: one entry for each link."""
    by_link: dict[uuid.UUID, list[Decision]] = {}
    for decision in unseen:
        by_link.setdefault(decision.link_id, []).append(decision)
    for decisions in by_link.values():
        newest, link_address = decisions[0], address("review_links:link", decisions[0].link_id)
        values = {"name": newest.name, "link": newest.link.name, "verdict": decision_pages.describe_verdict(newest)}
        count = len(decisions)
        yield Todo(
            rank=Rank.ASKED,
            shape=newest.verdict,
            word=values["verdict"],
            title=ngettext(
                "%(name)s decided on “%(link)s”: %(verdict)s",
                "%(count)s reviewers decided on “%(link)s”, %(name)s last: %(verdict)s",
                count,
            )
            % {**values, "count": formats.number(count)},
            address=link_address,
            why=newest.note,
            action=_("Read"),
            action_address=link_address,
            at=newest.made_at,
        )


def _build_closing(link: CountedLink, now: datetime) -> Todo:
    seconds_left = (link.expires_at - now).total_seconds() if link.expires_at else 0.0
    link_address = address("review_links:link", link.pk)
    counts = pages.format_counts(link.open_count, link.resolved_count) if pages.has_all_comments(link) else ""
    return Todo(
        rank=Rank.CLOSING,
        shape="expired",
        word=_("%(time)s left") % {"time": formats.duration(seconds_left)},
        title=_("Review link “%(name)s” closes %(when)s")
        % {"name": link.name, "when": pages.format_closing_time(link)},
        address=link_address,
        why=f"{pages.get_video_title(link)}. {counts}".strip().removesuffix(".") + ".",
        action=_("Open link"),
        action_address=link_address,
        at=link.expires_at,
    )


def _build_open(link: CountedLink) -> Todo:
    inbox_address = address("review_links:inbox", show="open", video=link.video_id)
    count = {"count": formats.number(link.open_count)}
    return Todo(
        rank=Rank.ASKED,
        shape="open",
        word=ngettext("%(count)s open", "%(count)s open", link.open_count) % count,
        title=_("Comments on “%(title)s”, %(link)s") % {"title": pages.get_video_title(link), "link": link.name},
        address=inbox_address,
        why=pages.format_counts(link.open_count, link.resolved_count) + ".",
        action=_("Read"),
        action_address=inbox_address,
        at=link.merged_at or link.created_at,
    )


def _build_full(video_id: str, title: str, used: int) -> Todo:
    link_address = address("review_links:video", video_id)
    return Todo(
        rank=Rank.QUOTA,
        shape="warning",
        word=_("%(used)s of %(most)s") % {"used": formats.number(used), "most": formats.number(MAIN_COMMENTS_MAX)},
        title=_("“%(title)s” can take only a few more comments") % {"title": title}
        if used < MAIN_COMMENTS_MAX
        else _("“%(title)s” cannot take more comments") % {"title": title},
        address=link_address,
        why=_("The platform allows 30 comments per video, over all its links. Replies are still possible."),
        action=_("Read"),
        action_address=link_address,
    )

"""What other pages show of review links: the overview, reports, the search, a video's own page, and the demo."""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.feature import video_panel
from dashboard.overview.registry import Limit, Moving, Owned, Rank, Todo, provides
from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX
from dashboard.reports.registry import Done, Next, Span, adds
from dashboard.review_links import pages, rules, tasks
from dashboard.review_links.models import LinkReading
from dashboard.review_links.pages import LinkRow, format_read, format_so_far
from dashboard.review_links.rules import USABLE
from dashboard.search.registry import Found, finds, matches
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import parallel, store
from dashboard.upstream.facts import VideoFacts, VideoSource, register_source
from dashboard.writes import library_refresh
from review_portal import cuts, decisions, imports, owners, sync
from review_portal.decisions import list_unseen
from review_portal.models import Claim, CommentDrawing, Decision, ReviewLink
from review_portal.owners import CountedLink

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
def list_overview_items(request: OwnerRequest) -> Iterator[Todo | Limit | Moving | Owned]:
    """Out of the portal's own copy, brought up to date where the platform can be read."""
    now = timezone.now()
    every, reading = _load_links(request), tasks.begin(request.account)
    so_far = pages.format_so_far(reading)
    if reading is not None:
        yield _build_reading(reading)
    if every:
        yield Owned("review_links")
    used = owners.count_comments_by_video(request.account)
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
    every = list(owners.list_links(request.account))
    if not every and sync.is_readable():
        tasks.load_progress(request)
        return list(owners.list_links(request.account))
    if not sync.is_readable():
        return every
    tasks.refresh_comments(request, every, MERGED)
    return list(owners.list_links(request.account))


def _list_limits(
    usable: list[CountedLink], titles: dict[uuid.UUID, str], used: dict[uuid.UUID, int], *, is_partial: bool
) -> Iterator[Limit]:
    """The videos with the most comments, and when the next link closes, once all links are known."""
    fullest = sorted((video for video in titles if used.get(video)), key=lambda video: -used[video])
    for video_id in fullest[:FULLEST]:
        values = {"used": formats.number(used[video_id]), "most": formats.number(MAIN_COMMENTS_MAX)}
        known = owners.are_comments_complete(link for link in usable if link.video_id == video_id)
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
        sentence=pages.format_read(reading),
        done=reading.read,
        total=reading.videos,
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
    for rows in by_link.values():
        newest, link_address = rows[0], address("review_links:link", rows[0].link_id)
        values = {"name": newest.name, "link": newest.link.name, "verdict": decisions.describe_verdict(newest)}
        count = len(rows)
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


@adds("review_links")
def list_review_lines(span: Span) -> Iterator[Done | Next]:
    """Out of the portal's own copy, and of what that is where not all links are read yet."""
    reading = tasks.begin(span.account)
    so_far = format_so_far(reading)
    if reading is not None:
        text = f"{_('Reading your review links')}: {format_read(reading)}"
        yield Next(text, address("review_links:review_links"))
    week = owners.count_week(span.account, span.start, span.end, span.videos)
    if week.comments:
        values = {"answered": formats.number(week.answered), "count": formats.number(week.comments)}
        text = ngettext(
            "%(answered)s of %(count)s new comment was answered or resolved.",
            "%(answered)s of %(count)s new comments were answered or resolved.",
            week.comments,
        )
        yield Done(_add_to_line(text % values, so_far), address("review_links:inbox"))
    if week.decisions:
        text = ngettext("Reviewers made %(count)s decision.", "Reviewers made %(count)s decisions.", week.decisions)
        yield Done(text % {"count": formats.number(week.decisions)}, address("review_links:review_links"))
    yield from _list_open_line(span, so_far)


def _list_open_line(span: Span, so_far: str) -> Iterator[Next]:
    counts = owners.count_open_comments(span.account)
    opened = [
        count for video, (count, _all) in counts.items() if count and (span.videos is None or str(video) in span.videos)
    ]
    if not opened:
        return
    text = ngettext("Answer %(count)s open comment.", "Answer %(count)s open comments.", sum(opened))
    yield Next(
        _add_to_line(text % {"count": formats.number(sum(opened))}, so_far), address("review_links:inbox", show="open")
    )


def _add_to_line(sentence: str, so_far: str) -> str:
    return f"{sentence.removesuffix('.')}, {so_far}." if so_far else sentence


@finds("review_links", title=gettext_noop("Review links"), order=60)
def find_links(request: OwnerRequest, query: str) -> Iterator[Found]:
    """Out of the portal's own copy: no call of the platform. While that is not whole yet, it says so."""
    now = timezone.now()
    for link in owners.list_links(request.account):
        if matches(f"{link.name} {pages.get_video_title(link)}", query) or str(link.pk) in query.lower():
            note = f"{pages.get_video_title(link)}, {pages.format_state(rules.state_of(link, now))}"
            yield Found(address("review_links:link", link.pk), "talk", link.name or str(link.pk), note)
    for claim in sync.list_claims(request.account):
        title = pages.get_video_title(claim)
        if matches(title, query) or str(claim.link_id) in query.lower():
            note = f"{title}, {gettext('Not confirmed')}"
            yield Found(address("review_links:claim", claim.pk), "talk", str(claim.link_id), note)
    if (reading := tasks.begin(request.account)) is not None:
        here = address("review_links:review_links")
        yield Found(here, "talk", gettext("Reading your review links"), pages.format_read(reading))


LINKS: Final = "review_links.list"


def _load_comments(account: Account) -> VideoFacts:
    """By video: (open, all, whether there can be no others), of top-level comments.

    Without a link there is no comment; but of a video whose links nobody has looked up, there may be some.
    """
    whole = owners.list_videos_read(account)
    counts = owners.count_open_comments(account)
    linked = set(owners.list_linked_videos(account))
    known = {
        str(video): (*counts.get(video, (0, 0)), video in whole)
        for video in linked
        if video in whole or video in counts
    }
    without = dict.fromkeys(_list_looked_up(account) - {str(video) for video in linked}, (0, 0, True))
    return VideoFacts(without | known)


def _count_links(account: Account) -> VideoFacts:
    """How many links each video has, as far as they were looked up."""
    links = Counter(str(video) for video in owners.list_linked_videos(account))
    return VideoFacts(dict.fromkeys(_list_looked_up(account), 0) | links)


def _list_looked_up(account: Account) -> set[str]:
    """The videos whose links were read from the platform."""
    return set(store.read_moments(account.pk, LINKS)) if sync.is_readable() else set()


def _version(account: Account) -> tuple[object, ...]:
    long_ago = datetime.min.replace(tzinfo=UTC)
    looked_up = store.version_of(account.pk, LINKS, long_ago)
    return (*owners.load_versions(account), sync.is_readable(), *looked_up)


register_source(VideoSource("comments", _version, _load_comments))
register_source(VideoSource("links", _version, _count_links))


@dataclass(frozen=True)
class LinksOfVideo:
    """templates/review_links/_video_panel.html. `readable`: the platform can be asked for links that were made elsewhere."""

    video_id: UUID
    rows: list[LinkRow]
    claims: list[Claim]
    readable: bool


@video_panel(
    "review_links",
    title=gettext_noop("Review links"),
    template="review_links/_video_panel.html",
    order=15,
    wide=True,
)
def list_links_of_video(request: OwnerRequest, video_id: UUID) -> LinksOfVideo:
    """Out of the portal's own copy: no call of the platform."""
    parallel.let_calls_leave()
    now = timezone.now()
    used = owners.count_comments_by_video(request.account).get(video_id, 0)
    rows = [LinkRow(link, now, used) for link in owners.list_links(request.account, video_id)]
    return LinksOfVideo(video_id, rows, list(sync.list_claims(request.account, video_id)), sync.is_readable())


CUTS: Final = (("expired", "cut_1"), ("view_only", "cut_2"), ("open", "reviewed"))
"""Links and their videos by role: cut 1, 2 and 3."""
DRAWING: Final = {
    "size": [1280, 720],
    "shapes": [
        {"kind": "ellipse", "colour": "yellow", "points": [7700, 1500, 9550, 4700]},
        {"kind": "arrow", "colour": "yellow", "points": [5200, 1200, 7600, 2500]},
    ],
}
SHORT: Final = "c0ffee0043"


def prepare_demo(account: Account, cast: Mapping[str, Any]) -> None:
    """Declare the cuts as the demo's owner, by what `manage.py cast` prints. Raises the `PlatformError` of a failed read."""
    links = [_import(account, cast["review_links"][link], cast["videos"][video]) for link, video in CUTS]
    for earlier, link in pairwise(links):
        cuts.place_after(account, link, earlier)
    values = {"comment_id": uuid.UUID(cast["comments"]["on_cut_2"]), "sketch": DRAWING, "name": "Helena Vasques"}
    CommentDrawing.objects.get_or_create(link=links[1], short=SHORT, defaults={**values, "time": 43})


def _import(account: Account, link_id: str, video_id: str) -> ReviewLink:
    link = imports.import_link(account, uuid.UUID(link_id), uuid.UUID(video_id))
    if not isinstance(link, ReviewLink):
        raise TypeError("the embedded platform confirms every link of the demo")
    sync.merge(link, at_once=True)  # the room counts what is open on a cut before that somebody has read
    return link

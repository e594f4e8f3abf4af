"""What the templates of the list and of one link's facts get: every decision is already a boolean or a sentence."""

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX
from dashboard.review_links import rules
from dashboard.review_links.import_links import ImportProgress
from dashboard.review_links.import_pages import ClaimRow, build_claim_row
from dashboard.review_links.listing import LinkFilter, LinkListing, Sort
from dashboard.review_links.models import LinkReading
from dashboard.review_links.rules import State
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import path_of
from review_portal import owner_queries, sync
from review_portal.decision_pages import describe_verdict
from review_portal.export_files import format_cut
from review_portal.models import Claim, Decision, ReviewLink
from review_portal.owner_queries import CountedLink


@dataclass(frozen=True)
class Badge:
    """Shape, word and colour of a state."""

    kind: str
    shape: str
    word: str


@dataclass(frozen=True)
class Meter:
    """Used comments of the video, of those the platform takes [8]. Not `known`: there may be more than `used`."""

    used: int
    most: int
    kind: str
    sentence: str
    short: str
    known: bool = True


@dataclass(frozen=True)
class LinkRow:
    """One link in a list."""

    id: uuid.UUID
    name: str
    address: str
    public: str
    recreate: str
    video: str
    video_address: str
    badge: Badge
    closes: str
    left: str
    closes_iso: str
    comments: str
    meter: Meter
    closed: bool
    cut: str = ""
    """Cut 2 of 3; "" for a link that is no cut."""
    decisions: tuple[Badge, ...] = ()
    """What its reviewers decided, each verdict once, with how many where there are several."""


@dataclass(frozen=True)
class FilterChip:
    """A filter as a link."""

    word: str
    address: str
    count: str
    current: bool


@dataclass(frozen=True)
class SortColumn:
    """A column's heading; with `address` it sorts."""

    word: str
    address: str = ""
    sort: str = "none"


@dataclass(frozen=True)
class SelectOption:
    """One entry of a select."""

    value: str
    word: str
    chosen: bool


@dataclass(frozen=True)
class LinkListPage:
    """templates/review_links/review_links.html."""

    rows: tuple[LinkRow, ...]
    chips: tuple[FilterChip, ...]
    columns: tuple[SortColumn, ...]
    videos: tuple[SelectOption, ...]
    query: str
    state: str
    sort: str
    filtered: bool
    range: str
    pages: tuple[FilterChip, ...]
    unreadable: bool
    looked: str
    look_further: str
    trouble: str
    claims: tuple[ClaimRow, ...]


STATE_BADGES = {
    State.OPEN: ("active", "active"),
    State.CLOSING: ("expiring", "expired"),
    State.CLOSED: ("expired", "expired"),
    State.INACTIVE: ("none", "blocked"),
}


def format_state(state: State) -> str:
    """A link's state in one word."""
    return {
        State.OPEN: pgettext("review link", "Open"),
        State.CLOSING: pgettext("review link", "Closing"),
        State.CLOSED: pgettext("review link", "Closed"),
        State.INACTIVE: pgettext("review link", "Inactive"),
    }[state]


def build_list_page(
    listing: LinkListing,
    criteria: LinkFilter,
    progress: ImportProgress,
    claims: Iterable[Claim] = (),
    reading: LinkReading | None = None,
) -> LinkListPage:
    """`looked`: how far the platform was looked through for links made elsewhere. `claims`: imports not confirmed."""
    now = timezone.now()
    return LinkListPage(
        rows=tuple(
            build_link_row(
                link,
                now,
                listing.used.get(link.video_id, 0),
                listing.cuts.get(link.pk),
                [decision for decision in listing.decisions if decision.link_id == link.pk],
            )
            for link in listing.links
        ),
        chips=_build_chips(listing, criteria, is_all=reading is None),
        columns=_build_columns(criteria),
        videos=tuple(SelectOption(str(pk), title, pk == criteria.video) for pk, title in listing.videos),
        query=criteria.query,
        state=criteria.state.value if criteria.state else "",
        sort=criteria.sort.value,
        filtered=criteria.narrows,
        range=", ".join(filter(None, (_format_range(listing), format_so_far(reading)))),
        pages=_build_page_links(listing, criteria),
        unreadable=progress.total is None,
        looked=_format_progress(progress),
        look_further="" if progress.complete else criteria.address(),
        trouble=refusals.explain(progress.error).sentence if progress.error else "",
        claims=tuple(build_claim_row(claim) for claim in claims),
    )


def build_link_row(
    link: CountedLink, now: datetime, used: int, cut: tuple[int, int] | None = None, decided: Sequence[Decision] = ()
) -> LinkRow:
    """A row of the portal's copy as a line; `used` are the main comments of its video. `cut`: its number, of how many.

    `decided`: what its reviewers decided.
    """
    key, video_id, opened, resolved = link.pk, link.video_id, link.open_count, link.resolved_count
    state, known = rules.state_of(link, now), has_all_comments(link)
    return LinkRow(
        id=key,
        name=link.name or _("Link without a name"),
        address=path_of("review_links:link", key),
        public=f"/{key}",
        recreate=f"{path_of('review_links:create')}?video={video_id}&like={key}",
        video=get_video_title(link),
        video_address=path_of("review_links:video", video_id),
        badge=build_badge(link, now),
        closes=format_closing_time(link),
        left=format_time_left(link, now),
        closes_iso=link.expires_at.isoformat() if link.expires_at else "",
        comments=format_counts(opened, resolved) if known else format_partial_counts(opened, resolved),
        meter=build_meter(used, known=known),
        closed=state not in rules.USABLE,
        cut=format_cut(*cut) if cut else "",
        decisions=_build_verdicts(decided),
    )


def _build_verdicts(decided: Sequence[Decision]) -> tuple[Badge, ...]:
    counts = Counter(decision.verdict for decision in reversed(decided))
    labels = {decision.verdict: describe_verdict(decision) for decision in decided}
    return tuple(
        Badge(verdict, verdict, f"{labels[verdict]} ({formats.number(count)})" if count > 1 else labels[verdict])
        for verdict, count in counts.items()
    )


def get_video_title(link: ReviewLink) -> str:
    """The video's title as the portal's copy has it."""
    return str(link.video.get("title") or "") or _("Video without a title")


def build_badge(link: ReviewLink, now: datetime) -> Badge:
    """The state as shape and word; a link that closes within a day says in how long.

    Every link closes [4.4]: of one whose time nobody told, nobody knows whether it is open.
    """
    state = rules.state_of(link, now)
    if state == State.OPEN and link.expires_at is None:
        return Badge("none", "unknown", _("Not known"))
    kind, shape = STATE_BADGES[state]
    if state == State.CLOSING and link.expires_at:
        left = formats.duration((link.expires_at - now).total_seconds())
        return Badge(kind, shape, _("%(time)s left") % {"time": left})
    return Badge(kind, shape, format_state(state))


def format_closing_time(link: ReviewLink) -> str:
    """When it closes or closed."""
    return format_short_moment(link.expires_at) if link.expires_at else _("Not known")


def format_time_left(link: ReviewLink, now: datetime) -> str:
    """“in 3 d 4 h”; nothing for a link that has closed or closes nobody knows when."""
    if link.expires_at is None or link.expires_at <= now:
        return ""
    return _("in %(time)s") % {"time": formats.duration((link.expires_at - now).total_seconds())}


def has_all_comments(link: ReviewLink) -> bool:
    """Whether all its comments are known: the platform can be read, and they were read once."""
    return owner_queries.are_comments_complete([link])


def format_counts(opened: int, resolved: int) -> str:
    """“9 open, 5 resolved”."""
    open_words = ngettext("%(count)s open", "%(count)s open", opened)
    resolved_words = ngettext("%(count)s resolved", "%(count)s resolved", resolved)
    return ", ".join(
        words % {"count": formats.number(count)} for words, count in ((open_words, opened), (resolved_words, resolved))
    )


def format_partial_counts(opened: int, resolved: int) -> str:
    """The same where there may be more than is known here."""
    if opened or resolved:
        return _("%(counts)s here, maybe more on the platform") % {"counts": format_counts(opened, resolved)}
    return _("Not read yet") if sync.is_readable() else _("Not known")


def build_meter(used: int, *, known: bool) -> Meter:
    """The platform counts the comments of a video over all its links. `known`: whether these are all."""
    value, most = min(used, MAIN_COMMENTS_MAX), MAIN_COMMENTS_MAX
    values = {"used": formats.number(used), "most": formats.number(most)}
    short = f"{value}/{most}"
    if used >= most:
        return Meter(value, most, "full", _("%(used)s of %(most)s used, only replies are possible") % values, short)
    kind = "near" if used >= rules.METER_FROM else ""
    if known:
        return Meter(value, most, kind, _("%(used)s of %(most)s comments used") % values, short)
    if used:
        sentence = _("At least %(used)s of %(most)s comments used") % values
        return Meter(value, most, kind, sentence, f"≥ {short}", known=False)
    return Meter(0, most, "", _("Unknown how many of %(most)s comments are used") % values, "?", known=False)


def format_short_moment(at: datetime) -> str:
    """“Nov 27, 2026, 18:00” in the zone of the page."""
    return formats.moment(at)


def format_full_moment(at: datetime) -> str:
    """“Friday, November 27, 2026, 18:00” in the zone of the page."""
    return formats.moment(at, "full")


def _build_chips(listing: LinkListing, criteria: LinkFilter, *, is_all: bool) -> tuple[FilterChip, ...]:
    total = formats.at_least(sum(listing.counts.values()), is_all=is_all)
    chips = [FilterChip(pgettext("review links", "All"), criteria.address(state=None), total, criteria.state is None)]
    for state in State:
        count = listing.counts.get(state, 0)
        if count or state in (State.OPEN, State.CLOSED) or criteria.state == state:
            words = formats.at_least(count, is_all=is_all)
            chips.append(FilterChip(format_state(state), criteria.address(state=state), words, criteria.state == state))
    return tuple(chips)


def _build_columns(criteria: LinkFilter) -> tuple[SortColumn, ...]:
    def sorting(word: str, sort: Sort, direction: str) -> SortColumn:
        return SortColumn(word, criteria.address(sort=sort), direction if criteria.sort == sort else "none")

    return (
        sorting(pgettext("review link", "Link"), Sort.NEWEST, "descending"),
        SortColumn(pgettext("review link", "State")),
        sorting(pgettext("review link", "Closes"), Sort.CLOSES, "ascending"),
        sorting(_("Open comments"), Sort.OPEN, "descending"),
        SortColumn(_("Comments of the video")),
    )


def format_so_far(reading: LinkReading | None) -> str:
    """What counts are of while the library is looked through for the first time: "in the links of 3 of 75 videos read so far"."""
    if reading is None:
        return ""
    if not reading.videos:
        return _("in the review links read so far")
    return ngettext(
        "in the links of %(read)s of %(count)s video read so far",
        "in the links of %(read)s of %(count)s videos read so far",
        reading.videos,
    ) % {"read": formats.number(reading.read), "count": formats.number(reading.videos)}


def format_read(reading: LinkReading) -> str:
    """“3 of 75 videos read.”, or that it has only just begun."""
    values = {"read": formats.number(reading.read), "count": formats.number(reading.videos)}
    words = ngettext("%(read)s of %(count)s video read.", "%(read)s of %(count)s videos read.", reading.videos)
    return words % values if reading.videos else _("Just begun.")


def _format_range(listing: LinkListing) -> str:
    if not listing.links:
        return ""
    first = listing.offset + 1
    values = {
        "first": formats.number(first),
        "last": formats.number(first + len(listing.links) - 1),
        "total": formats.number(listing.total),
    }
    return ngettext("Link %(first)s of %(total)s", "Links %(first)s to %(last)s of %(total)s", listing.total) % values


def _build_page_links(listing: LinkListing, criteria: LinkFilter) -> tuple[FilterChip, ...]:
    if listing.pages < 2:
        return ()
    numbers = range(1, listing.pages + 1)
    chips = [
        FilterChip(formats.number(page), criteria.address(page=page), "", page == listing.page) for page in numbers
    ]
    before = [FilterChip(_("Previous"), criteria.address(page=listing.page - 1), "", False)] if listing.page > 1 else []
    after = (
        [FilterChip(_("Next"), criteria.address(page=listing.page + 1), "", False)]
        if listing.page < listing.pages
        else []
    )
    return (*before, *chips, *after)


def _format_progress(progress: ImportProgress) -> str:
    if progress.total is None or progress.complete:
        return ""
    values = {"through": formats.number(progress.through), "total": formats.number(progress.total)}
    return _("Searched %(through)s of %(total)s videos for links created elsewhere.") % values

"""What the templates of the list and of one link's facts get: every decision is already a boolean or a sentence."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX
from dashboard.review_links import rules
from dashboard.review_links.import_links import Looked
from dashboard.review_links.import_pages import ClaimRow, claim_row
from dashboard.review_links.listing import Filter, Listed, Sort
from dashboard.review_links.rules import State
from dashboard.shared import formats, refusals
from review_portal import owner_queries, sync
from review_portal.models import Claim, ReviewLink
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


@dataclass(frozen=True)
class Chip:
    """A filter as a link."""

    word: str
    address: str
    count: str
    current: bool


@dataclass(frozen=True)
class Column:
    """A column's heading; with `address` it sorts."""

    word: str
    address: str = ""
    sort: str = "none"


@dataclass(frozen=True)
class Choice:
    """One entry of a select."""

    value: str
    word: str
    chosen: bool


@dataclass(frozen=True)
class ListPage:
    """templates/review_links/review_links.html."""

    rows: tuple[LinkRow, ...]
    chips: tuple[Chip, ...]
    columns: tuple[Column, ...]
    videos: tuple[Choice, ...]
    query: str
    state: str
    sort: str
    filtered: bool
    range: str
    pages: tuple[Chip, ...]
    unreadable: bool
    looked: str
    look_further: str
    trouble: str
    claims: tuple[ClaimRow, ...]


STATE_LOOKS = {
    State.OPEN: ("active", "active"),
    State.CLOSING: ("expiring", "expired"),
    State.CLOSED: ("expired", "expired"),
    State.INACTIVE: ("none", "blocked"),
}


def state_word(state: State) -> str:
    """A link's state in one word."""
    return {
        State.OPEN: pgettext("review link", "Open"),
        State.CLOSING: pgettext("review link", "Closing"),
        State.CLOSED: pgettext("review link", "Closed"),
        State.INACTIVE: pgettext("review link", "Inactive"),
    }[state]


def list_page(listed: Listed, wanted: Filter, looked: Looked, claims: Iterable[Claim] = ()) -> ListPage:
    """`looked`: how far the platform was looked through for links made elsewhere. `claims`: imports not confirmed."""
    now = timezone.now()
    return ListPage(
        rows=tuple(link_row(link, now, listed.used.get(link.video_id, 0)) for link in listed.links),
        chips=_chips(listed, wanted),
        columns=_columns(wanted),
        videos=tuple(Choice(str(pk), title, pk == wanted.video) for pk, title in listed.videos),
        query=wanted.query,
        state=wanted.state.value if wanted.state else "",
        sort=wanted.sort.value,
        filtered=wanted.narrows,
        range=_range(listed),
        pages=_pages(listed, wanted),
        unreadable=looked.total is None,
        looked=_looked(looked),
        look_further="" if looked.complete else wanted.address(),
        trouble=refusals.explain(looked.error).sentence if looked.error else "",
        claims=tuple(claim_row(claim) for claim in claims),
    )


def link_row(link: CountedLink, now: datetime, used: int) -> LinkRow:
    """A row of the portal's copy as a line; `used` are the main comments of its video."""
    key, video_id, opened, resolved = link.pk, link.video_id, link.open_count, link.resolved_count
    state, known = rules.state_of(link, now), counted(link)
    return LinkRow(
        id=key,
        name=link.name or _("Link without a name"),
        address=reverse("review_links:link", args=[key]),
        public=f"/{key}",
        recreate=f"{reverse('review_links:create')}?video={video_id}&like={key}",
        video=video_title(link),
        video_address=reverse("review_links:video", args=[video_id]),
        badge=badge(link, now),
        closes=closes(link),
        left=left(link, now),
        closes_iso=link.expires_at.isoformat() if link.expires_at else "",
        comments=counts_sentence(opened, resolved) if known else uncounted_sentence(opened, resolved),
        meter=meter(used, known=known),
        closed=state not in rules.USABLE,
    )


def video_title(link: ReviewLink) -> str:
    """The video's title as the portal's copy has it."""
    return str(link.video.get("title") or "") or _("Video without a title")


def badge(link: ReviewLink, now: datetime) -> Badge:
    """The state as shape and word; a link that closes within a day says in how long.

    Every link closes [4.4]: of one whose time nobody told, nobody knows whether it is open.
    """
    state = rules.state_of(link, now)
    if state == State.OPEN and link.expires_at is None:
        return Badge("none", "unknown", _("Not known"))
    kind, shape = STATE_LOOKS[state]
    if state == State.CLOSING and link.expires_at:
        left = formats.duration((link.expires_at - now).total_seconds())
        return Badge(kind, shape, _("%(time)s left") % {"time": left})
    return Badge(kind, shape, state_word(state))


def closes(link: ReviewLink) -> str:
    """When it closes or closed."""
    return short_moment(link.expires_at) if link.expires_at else _("Not known")


def left(link: ReviewLink, now: datetime) -> str:
    """“in 3 d 4 h”; nothing for a link that has closed or closes nobody knows when."""
    if link.expires_at is None or link.expires_at <= now:
        return ""
    return _("in %(time)s") % {"time": formats.duration((link.expires_at - now).total_seconds())}


def counted(link: ReviewLink) -> bool:
    """Whether all its comments are known: the platform can be read, and they were read once."""
    return owner_queries.are_comments_complete([link])


def counts_sentence(opened: int, resolved: int) -> str:
    """“9 open, 5 resolved”."""
    return _("%(open)s open, %(resolved)s resolved") % {
        "open": formats.number(opened),
        "resolved": formats.number(resolved),
    }


def uncounted_sentence(opened: int, resolved: int) -> str:
    """The same where there may be more than is known here."""
    if opened or resolved:
        return _("%(counts)s, as far as known here") % {"counts": counts_sentence(opened, resolved)}
    return _("Not read yet") if sync.is_readable() else _("Not known")


def meter(used: int, *, known: bool) -> Meter:
    """The platform counts the comments of a video over all its links. `known`: whether these are all."""
    shown, most = min(used, MAIN_COMMENTS_MAX), MAIN_COMMENTS_MAX
    values = {"used": formats.number(used), "most": formats.number(most)}
    short = f"{shown}/{most}"
    if used >= most:
        return Meter(shown, most, "full", _("%(used)s of %(most)s used, only replies are possible") % values, short)
    kind = "near" if used >= rules.METER_FROM else ""
    if known:
        return Meter(shown, most, kind, _("%(used)s of %(most)s comments used") % values, short)
    if used:
        said = _("At least %(used)s of %(most)s comments used") % values
        return Meter(shown, most, kind, said, f"≥ {short}", known=False)
    return Meter(0, most, "", _("How many of %(most)s comments are used is not known") % values, "?", known=False)


def short_moment(at: datetime) -> str:
    """“Nov 27, 2026, 18:00” in the zone of the page."""
    return formats.moment(at)


def full_moment(at: datetime) -> str:
    """“Friday, November 27, 2026, 18:00” in the zone of the page."""
    return formats.moment(at, "full")


def _chips(listed: Listed, wanted: Filter) -> tuple[Chip, ...]:
    total = sum(listed.counts.values())
    chips = [
        Chip(pgettext("review links", "All"), wanted.address(state=None), formats.number(total), wanted.state is None)
    ]
    for state in State:
        count = listed.counts.get(state, 0)
        if count or state in (State.OPEN, State.CLOSED) or wanted.state == state:
            chips.append(
                Chip(state_word(state), wanted.address(state=state), formats.number(count), wanted.state == state)
            )
    return tuple(chips)


def _columns(wanted: Filter) -> tuple[Column, ...]:
    def sorting(word: str, sort: Sort, direction: str) -> Column:
        return Column(word, wanted.address(sort=sort), direction if wanted.sort == sort else "none")

    return (
        sorting(pgettext("review link", "Link"), Sort.NEWEST, "descending"),
        Column(pgettext("review link", "State")),
        sorting(pgettext("review link", "Closes"), Sort.CLOSES, "ascending"),
        sorting(_("Open comments"), Sort.OPEN, "descending"),
        Column(_("Comments of the video")),
    )


def _range(listed: Listed) -> str:
    if not listed.links:
        return ""
    first = listed.offset + 1
    values = {
        "first": formats.number(first),
        "last": formats.number(first + len(listed.links) - 1),
        "total": formats.number(listed.total),
    }
    return ngettext("Link %(first)s of %(total)s", "Links %(first)s to %(last)s of %(total)s", listed.total) % values


def _pages(listed: Listed, wanted: Filter) -> tuple[Chip, ...]:
    if listed.pages < 2:
        return ()
    numbers = range(1, listed.pages + 1)
    chips = [Chip(formats.number(page), wanted.address(page=page), "", page == listed.page) for page in numbers]
    before = [Chip(_("Previous"), wanted.address(page=listed.page - 1), "", False)] if listed.page > 1 else []
    after = [Chip(_("Next"), wanted.address(page=listed.page + 1), "", False)] if listed.page < listed.pages else []
    return (*before, *chips, *after)


def _looked(looked: Looked) -> str:
    if looked.total is None or looked.complete:
        return ""
    values = {"through": formats.number(looked.through), "total": formats.number(looked.total)}
    return _("Looked for links made elsewhere in %(through)s of %(total)s videos.") % values

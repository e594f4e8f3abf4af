"""Which links a list shows, all in the address, and how links and unconfirmed imports stand."""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX
from dashboard.review_links import rules
from dashboard.review_links.models import LinkReading
from dashboard.review_links.rules import State
from dashboard.review_links.tasks import ImportProgress
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import path_of
from dashboard.shared.text import fold, parse_uuid
from dashboard.upstream import clients
from review_portal import cuts, decisions, owners, sync
from review_portal.decisions import describe_verdict
from review_portal.models import Claim, Decision, ReviewLink
from review_portal.owners import CountedLink

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
    every = list(owners.list_links(account))
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
        used=owners.count_comments_by_video(account),
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


@dataclass(frozen=True)
class Permission:
    """One switch of a link, as its reviewers see it."""

    kind: str
    sentence: str


PERMISSIONS = {
    ("allow_comment", True): gettext_noop("Reviewers write comments and replies."),
    ("allow_comment", False): gettext_noop("Reviewers watch and read. There is nothing to write in."),
    ("allow_status_edit", True): gettext_noop("Every reviewer can resolve and reopen comments."),
    ("allow_status_edit", False): gettext_noop("Reviewers see what is resolved but cannot change it."),
    ("show_resolved", True): gettext_noop("Resolved comments stay in the list, folded."),
    ("show_resolved", False): gettext_noop("A comment disappears for reviewers when it is resolved."),
}
UNKNOWN = {
    "allow_comment": gettext_noop("Whether reviewers may comment"),
    "allow_status_edit": gettext_noop("Whether reviewers may resolve and reopen"),
    "show_resolved": gettext_noop("Whether resolved comments stay visible"),
}


def build_permission(name: str, on: bool) -> Permission:
    """What a switch that is known means for reviewers."""
    return Permission("finished" if on else "blocked", _(PERMISSIONS[name, on]))


def build_claim_context(claim: Claim) -> dict[str, Any]:
    """templates/review_links/claim.html. `elsewhere` is the link's page on the platform, where its address is known."""
    review_url = clients.config().review_url
    return {
        "claim": claim,
        "video": get_video_title(claim),
        "elsewhere": f"{review_url}/{claim.link_id}" if review_url else "",
        "permissions": [
            build_permission(name, on) for name in rules.SWITCHES if (on := getattr(claim, name)) is not None
        ],
        "unknown": list(_list_unknown(claim)),
        "reason": describe_claim(),
        "can_check": sync.is_readable(),
    }


def describe_claim() -> str:
    """Why an import is not confirmed."""
    if sync.is_readable():
        return _("Reelroom has not found this link on the platform for your account yet.")
    return _("This platform does not let Reelroom read review links, so Reelroom cannot check whose link this is.")


def _list_unknown(claim: Claim) -> Iterator[str]:
    """Names of what nobody has said about the link."""
    switches = [name for name in rules.SWITCHES if getattr(claim, name) is None]
    if not claim.name and not claim.expires_at:
        yield _("Name and closing time")
    elif not claim.name:
        yield _("Name")
    elif not claim.expires_at:
        yield _("Closing time")
    if len(switches) == len(rules.SWITCHES):
        yield _("What reviewers may do")
    else:
        yield from (_(UNKNOWN[name]) for name in switches)
    yield _("Whether there are comments, and how many")


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
    """One link as it stands `now`. `used`: the main comments of its video; `cut`: its number, of how many; `decided`: what its
    reviewers decided."""

    link: ReviewLink
    now: datetime
    used: int
    cut: tuple[int, int] | None = None
    decided: Sequence[Decision] = ()

    @property
    def video(self) -> str:
        return get_video_title(self.link)

    @property
    def badge(self) -> Badge:
        return build_badge(self.link, self.now)

    @property
    def is_closed(self) -> bool:
        return rules.state_of(self.link, self.now) not in rules.USABLE

    @property
    def closes(self) -> str:
        return format_closing_time(self.link)

    @property
    def left(self) -> str:
        """“in 3 d 4 h”; nothing for a link that has closed or closes nobody knows when."""
        if self.link.expires_at is None or self.link.expires_at <= self.now:
            return ""
        return _("in %(time)s") % {"time": formats.duration((self.link.expires_at - self.now).total_seconds())}

    @property
    def comments(self) -> str:
        """How many are open and resolved, which `owners.list_links` counts."""
        counts = self.link.open_count, self.link.resolved_count  # type: ignore[attr-defined]  # annotated by the query
        return format_counts(*counts) if has_all_comments(self.link) else format_partial_counts(*counts)

    @property
    def meter(self) -> Meter:
        return build_meter(self.used, known=has_all_comments(self.link))

    @property
    def permissions(self) -> list[Permission]:
        return [build_permission(name, getattr(self.link, name)) for name in rules.SWITCHES]

    @property
    def verdicts(self) -> list[Badge]:
        """What its reviewers decided, each verdict once, with how many where there are several."""
        counts = Counter(decision.verdict for decision in reversed(self.decided))
        labels = {decision.verdict: describe_verdict(decision) for decision in self.decided}
        return [
            Badge(verdict, verdict, f"{labels[verdict]} ({formats.number(count)})" if count > 1 else labels[verdict])
            for verdict, count in counts.items()
        ]


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
    claims: tuple[Claim, ...]


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
            LinkRow(
                link,
                now,
                used=listing.used.get(link.video_id, 0),
                cut=listing.cuts.get(link.pk),
                decided=[decision for decision in listing.decisions if decision.link_id == link.pk],
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
        claims=tuple(claims),
    )


def get_video_title(link: ReviewLink | Claim) -> str:
    """The video's title as the portal's copy has it, or as the account named it."""
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
    return formats.moment(link.expires_at) if link.expires_at else _("Not known")


def has_all_comments(link: ReviewLink) -> bool:
    """Whether all its comments are known: the platform can be read, and they were read once."""
    return owners.are_comments_complete([link])


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
        return Meter(
            used=value,
            most=most,
            kind="full",
            sentence=_("%(used)s of %(most)s used, only replies are possible") % values,
            short=short,
        )
    kind = "near" if used >= rules.METER_FROM else ""
    if known:
        return Meter(
            used=value, most=most, kind=kind, sentence=_("%(used)s of %(most)s comments used") % values, short=short
        )
    if used:
        sentence = _("At least %(used)s of %(most)s comments used") % values
        return Meter(used=value, most=most, kind=kind, sentence=sentence, short=f"≥ {short}", known=False)
    return Meter(
        used=0,
        most=most,
        kind="",
        sentence=_("Unknown how many of %(most)s comments are used") % values,
        short="?",
        known=False,
    )


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

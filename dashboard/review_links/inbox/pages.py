"""What the templates of the inbox get."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from dashboard.accounts.models import Account
from dashboard.feature import Count
from dashboard.review_links.import_links import ImportProgress
from dashboard.review_links.inbox import index
from dashboard.review_links.inbox.listing import (
    PER_PAGE,
    Desk,
    InboxFilter,
    InboxShow,
    InboxSort,
    is_unread,
)
from dashboard.review_links.models import InboxItem
from dashboard.review_links.pages import Badge, FilterChip, SelectOption, get_video_title
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import path_of
from review_portal.rules import strip_range
from review_portal.videos import LinkVideo

State = InboxItem.State
TEXT_SHOWN: Final = 280
"""Characters of a row's text: more than two lines of any width show."""
SHOWS: Final = {
    InboxShow.UNANSWERED: gettext_noop("Unanswered"),
    InboxShow.UNREAD: gettext_noop("Unread"),
    InboxShow.DECISIONS: gettext_noop("Decisions"),
}
SORTS: Final = {
    InboxSort.VIDEO: gettext_noop("By video"),
    InboxSort.NEWEST: gettext_noop("Newest first"),
    InboxSort.PERSON: gettext_noop("By person"),
}


@dataclass(frozen=True)
class InboxRow:
    """One row of the list. `unread` and `current` are its marks; `can_change`: it is a comment, which can be resolved."""

    id: str
    address: str
    author: str
    when: str
    iso: str
    text: str
    badge: Badge
    link: str
    video: str
    still: str
    clock: str
    label: str
    state: str
    unread: bool
    current: bool
    can_change: bool


@dataclass(frozen=True)
class InboxUndo:
    """A form that makes an action undone: which one it sends, for which rows."""

    act: str
    picks: tuple[str, ...]


@dataclass(frozen=True)
class InboxNotice:
    """What an action did, as a sentence, with its undo; `sent`: the row whose typed answer has arrived."""

    said: str
    undo: InboxUndo | None = None
    sent: str = ""


@dataclass(frozen=True)
class InboxList:
    """The list with everything that finds and changes its rows."""

    here: str
    query: str
    act: str
    chips: tuple[FilterChip, ...]
    meta: str
    videos: SafeString
    """The options of the select, made at once: there may be hundreds."""
    people: tuple[SelectOption, ...]
    sorts: tuple[SelectOption, ...]
    show: str
    search: str
    narrowed: bool
    rows: tuple[InboxRow, ...]
    range: str
    before: str
    after: str
    unread: int
    read_until: str
    """For the form that marks all as read: until when this page knows what came."""
    title: str
    empty: tuple[str, str]
    keys: tuple[tuple[tuple[str, ...], str], ...]
    everything: str


def build_list(
    desk: Desk,
    criteria: InboxFilter,
    items: Sequence[InboxItem],
    counts: Mapping[InboxShow, int],
    totals: Mapping[InboxShow, int],
    page: int,
    current: InboxItem | None,
    videos: Iterable[tuple[str, str, int]],
    people: Iterable[tuple[str, int]],
    progress: ImportProgress,
    so_far: str = "",
) -> InboxList:
    """`counts` by chip within the rest of the filter, `totals` over everything; `videos`: id, title and number of rows."""
    total = counts[criteria.show]
    return InboxList(
        here=path_of("review_links:inbox"),
        query=criteria.build_query(),
        act=get_act_address(criteria),
        chips=build_chips(criteria, counts, is_partial=bool(so_far)),
        meta=format_totals(totals, so_far),
        videos=_render_videos(videos, str(criteria.video or "")),
        people=tuple(
            SelectOption(name, f"{name} ({formats.number(count)})", name == criteria.by) for name, count in people
        ),
        sorts=tuple(SelectOption(sort.value, _(word), sort == criteria.sort) for sort, word in SORTS.items()),
        show=criteria.show.value,
        search=criteria.query,
        narrowed=criteria.narrows,
        rows=tuple(build_row(item, criteria, desk.now, current) for item in items),
        range=", ".join(filter(None, (_format_range(page, len(items), total), so_far))),
        before=criteria.address(page=page - 1) if page > 1 else "",
        after=criteria.address(page=page + 1) if page * PER_PAGE < total else "",
        unread=totals[InboxShow.UNREAD],
        read_until=desk.now.isoformat(),
        title=format_show(criteria.show),
        empty=_describe_empty(criteria, totals, progress),
        keys=list_keys(),
        everything=criteria.address(show=InboxShow.ALL, video=None, by="", query=""),
    )


def _render_videos(videos: Iterable[tuple[str, str, int]], video_id: str) -> SafeString:
    selected, untitled = SafeString(" selected"), _("Video without a title")
    options = (
        (key, selected if key == video_id else "", title or untitled, formats.number(count))
        for key, title, count in videos
    )
    return format_html_join("", '<option value="{}"{}>{} ({})</option>', options)


def get_act_address(criteria: InboxFilter) -> str:
    """Where actions are sent, with the filter whose counts come back."""
    return path_of("review_links:inbox_act") + criteria.build_query()


def build_row(item: InboxItem, criteria: InboxFilter, now: datetime, current: InboxItem | None) -> InboxRow:
    """A row: who, how long ago, two lines of the words, how it stands, and where."""
    link, video = item.link, LinkVideo.from_kept(item.link.video)
    badge, title = build_state_badge(item, now), get_video_title(link)
    return InboxRow(
        id=str(item.item_id),
        address=criteria.item_address(item.item_id),
        author=item.author,
        when=formats.ago(item.created_at, now),
        iso=item.created_at.isoformat(),
        text=_get_text(item, video)[:TEXT_SHOWN],
        badge=badge,
        link=link.name,
        video=title,
        still="" if item.is_decision else video.poster,
        clock="" if item.is_decision else formats.clock(item.time),
        label=_("%(name)s, %(video)s, %(link)s") % {"name": item.author, "video": title, "link": link.name},
        state=item.state,
        unread=is_unread(item),
        current=current is not None and current.item_id == item.item_id,
        can_change=not item.is_decision,
    )


def _get_text(item: InboxItem, video: LinkVideo) -> str:
    if item.is_decision:
        return item.text or _("Decided without a note.")
    return strip_range(item.text, item.time, video.last_second)


def build_state_badge(item: InboxItem, now: datetime) -> Badge:
    """How a row stands, as shape and word."""
    if item.state == State.UNANSWERED and (item.until is None or item.until <= now):
        return Badge("expired", "expired", pgettext("comment", "Open, link closed"))
    kind, shape, word = {
        State.UNANSWERED: ("open", "open", pgettext("comment", "Unanswered")),
        State.ANSWERED: ("running", "answered", pgettext("comment", "Answered")),
        State.RESOLVED: ("resolved", "resolved", pgettext("comment", "Resolved")),
        State.APPROVED: ("approve", "approve", _("Approved")),
        State.CHANGES: ("changes", "changes", _("Approved with changes")),
        State.ROUND: ("round", "round", _("Another round")),
    }[State(item.state)]
    return Badge(kind, shape, word)


def build_chips(
    criteria: InboxFilter, counts: Mapping[InboxShow, int], *, is_partial: bool = False
) -> tuple[FilterChip, ...]:
    """The chips with how many rows each shows, at least where the library is still looked through."""
    return tuple(
        FilterChip(
            format_show(show),
            criteria.address(show=show),
            f"{formats.number(counts[show])}{'+' * is_partial}",
            show == criteria.show,
        )
        for show in InboxShow
    )


def format_show(show: InboxShow) -> str:
    """What a chip is called."""
    if show in SHOWS:
        return _(SHOWS[show])
    return {
        InboxShow.OPEN: pgettext("comments", "Open"),
        InboxShow.RESOLVED: pgettext("comments", "Resolved"),
        InboxShow.ALL: pgettext("comments", "All"),
    }[show]


def format_totals(totals: Mapping[InboxShow, int], so_far: str = "") -> str:
    """“31 unanswered comments, 4 decisions, 7 unread”, over everything, and `so_far` where that is not all yet."""
    unanswered, decided, unread = (
        totals[show] for show in (InboxShow.UNANSWERED, InboxShow.DECISIONS, InboxShow.UNREAD)
    )
    sentences = (
        ngettext("%(count)s unanswered comment", "%(count)s unanswered comments", unanswered),
        ngettext("%(count)s decision", "%(count)s decisions", decided),
        ngettext("%(count)s unread", "%(count)s unread", unread),
    )
    numbers = (unanswered, decided, unread)
    parts = [
        sentence % {"count": formats.number(count)}
        for sentence, count in zip(sentences, numbers, strict=True)
        if count or sentence == sentences[0]
    ]
    return ", ".join([*parts, *filter(None, [so_far])])


def build_count(unanswered: int, *, is_partial: bool = False) -> Count | None:
    """31 and “31 unanswered”, or nothing: what the navigation says. `is_partial`: the library is being looked through."""
    if not unanswered:
        return None
    number = f"{formats.number(unanswered)}{'+' * is_partial}"
    words = ngettext("%(count)s unanswered", "%(count)s unanswered", unanswered) % {"count": number}
    return Count(number, f"{words}, {_('in the review links read so far')}" if is_partial else words)


def count_waiting(account: Account) -> Count | None:
    """What the navigation says beside the inbox, on every page."""
    waiting, is_partial = index.load_waiting(account)
    return build_count(waiting, is_partial=is_partial)


def _format_range(page: int, count: int, total: int) -> str:
    if not count:
        return ""
    first = (page - 1) * PER_PAGE + 1
    values = {
        "first": formats.number(first), "last": formats.number(first + count - 1), "total": formats.number(total)
    }  # fmt: skip
    return _("%(first)s to %(last)s of %(total)s") % values


def _describe_empty(
    criteria: InboxFilter, totals: Mapping[InboxShow, int], progress: ImportProgress
) -> tuple[str, str]:
    """Why there is no row, and what comes next."""
    if not totals[InboxShow.ALL] and progress.error:
        return _("Comments could not be read"), refusals.explain(progress.error, reading=True).sentence
    if not totals[InboxShow.ALL] and not progress.complete:
        return _("Comments are being read"), _("They appear here automatically.")
    if not totals[InboxShow.ALL]:
        return _("No comments yet"), _("What reviewers write and decide on your review links appears here.")
    if criteria.narrows:
        return _("Nothing matches"), _("Remove a filter to see more.")
    if criteria.show == InboxShow.UNANSWERED:
        return _("Everything is answered"), _("New comments appear here.")
    if criteria.show == InboxShow.UNREAD:
        return _("Everything is read"), _("New comments and decisions appear here.")
    return _("Nothing here yet"), _("Choose another list above.")


def list_keys() -> tuple[tuple[tuple[str, ...], str], ...]:
    """The single keys of the inbox, and what each does."""
    return (
        (("J", "K"), _("next, previous")),
        (("E",), _("resolve")),
        (("R",), _("reply")),
        (("U",), _("unread")),
        (("X",), _("select")),
        (("Z",), _("undo")),
    )

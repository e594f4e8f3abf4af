"""What the templates of the inbox get, and what it sends: statuses, one or many at once, and answers.

Everything that is sent goes through the portal's exactly-once writes.
"""

import time
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.feature import Count
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.review_links import inbox_items, link_pages, rules
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.inbox_items import PER_PAGE, Desk, InboxFilter, InboxShow, InboxSort, is_unread
from dashboard.review_links.link_pages import ListAddresses
from dashboard.review_links.models import InboxItem, SavedAnswer
from dashboard.review_links.pages import Badge, FilterChip, SelectOption, build_badge, get_video_title
from dashboard.review_links.rules import Problem, Reason
from dashboard.review_links.tasks import ImportProgress
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import path_of
from dashboard.shared.http import OwnerRequest
from dashboard.writes.models import State
from review_portal import forms, owners
from review_portal.models import Comment, ReviewLink
from review_portal.rules import parse_clock, strip_range
from review_portal.threads import Entry, Thread
from review_portal.videos import LinkVideo

RowState = InboxItem.State
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
    """One row of the list: who, how long ago, two lines of the words, how it stands, and where. `current`: it is open."""

    item: InboxItem
    criteria: InboxFilter
    now: datetime
    current: bool

    @property
    def address(self) -> str:
        return self.criteria.item_address(self.item.item_id)

    @property
    def film(self) -> LinkVideo:
        return LinkVideo.from_kept(self.item.link.video)

    @property
    def video(self) -> str:
        return get_video_title(self.item.link)

    @property
    def still(self) -> str:
        return "" if self.item.is_decision else self.film.poster

    @property
    def text(self) -> str:
        if self.item.is_decision:
            return (self.item.text or _("Decided without a note."))[:TEXT_SHOWN]
        return strip_range(self.item.text, self.item.time, self.film.last_second)[:TEXT_SHOWN]

    @property
    def badge(self) -> Badge:
        return build_state_badge(self.item, self.now)

    @property
    def unread(self) -> bool:
        return is_unread(self.item)


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
    return InboxRow(item, criteria, now, current=current is not None and current.item_id == item.item_id)


def build_state_badge(item: InboxItem, now: datetime) -> Badge:
    """How a row stands, as shape and word."""
    if item.state == RowState.UNANSWERED and (item.until is None or item.until <= now):
        return Badge("expired", "expired", pgettext("comment", "Open, link closed"))
    kind, shape, word = {
        RowState.UNANSWERED: ("open", "open", pgettext("comment", "Unanswered")),
        RowState.ANSWERED: ("running", "answered", pgettext("comment", "Answered")),
        RowState.RESOLVED: ("resolved", "resolved", pgettext("comment", "Resolved")),
        RowState.APPROVED: ("approve", "approve", _("Approved")),
        RowState.CHANGES: ("changes", "changes", _("Approved with changes")),
        RowState.ROUND: ("round", "round", _("Another round")),
    }[RowState(item.state)]
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
    waiting, is_partial = inbox_items.load_waiting(account)
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


PATIENCE: Final = 6.0
"""Seconds in which several statuses are sent while the page waits; the worker sends the others."""


@dataclass
class StatusResult:
    """What became of several changes of status: rows by item, and why others were not changed, with how many."""

    changed: list[InboxItem] = field(default_factory=list)
    waiting: list[InboxItem] = field(default_factory=list)
    """Kept here, and sent as soon as the platform can be reached."""
    reasons: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def sent(self) -> list[InboxItem]:
        """What can be undone."""
        return [*self.changed, *self.waiting]


def set_statuses(
    account: Account, items: Sequence[InboxItem], status: CommentStatus, data: Mapping[str, str], actor: str
) -> StatusResult:
    """Resolve or reopen these comments, each through whichever link of its video allows it.

    `data` is the form, whose key makes a second press harmless: it says what became of the first. Decisions, and what has
    the status already, stay as they are.
    """
    result, deadline = StatusResult(), time.monotonic() + PATIENCE
    links = _group_links(account, {item.video_id for item in items})
    unsettled = owners.load_unsettled_statuses([link for group in links.values() for link in group])
    for item in items:
        if item.is_decision:
            continue
        key, later = forms.read_key(data, account.pk, item.item_id, status.value), time.monotonic() > deadline
        is_there = _has_status(item, status, unsettled)
        group = links[item.video_id]
        through = owners.find_attempted(group, key) if is_there else select_status_link(item, group)
        if through is None:
            continue
        if isinstance(through, Reason):
            result.reasons[describe_problem(Problem(through))] += 1
            continue
        try:
            write = owners.set_status(account, through, item.item_id, status, key=key, actor=actor, later=later)
        except ObjectDoesNotExist:
            result.reasons[_("The comment is not there any more.")] += 1
        except errors.BadToken:
            result.reasons[_("The platform did not accept the owner's session on this link. Nothing was changed.")] += 1
        except errors.CallError as error:
            explained = refusals.explain(error)
            result.reasons[explained.whole] += 1
        else:
            (result.changed if write.state == State.DONE else result.waiting).append(item)
    return result


def _has_status(item: InboxItem, status: CommentStatus, unsettled: Mapping[uuid.UUID, str]) -> bool:
    """Whether a comment has the status, and no change that is still to be sent takes it away."""
    has_it = (item.state == InboxItem.State.RESOLVED) == (status == CommentStatus.RESOLVED)
    return has_it and unsettled.get(item.item_id, status.value) == status.value


def _group_links(account: Account, videos: Collection[uuid.UUID]) -> dict[uuid.UUID, list[ReviewLink]]:
    links: dict[uuid.UUID, list[ReviewLink]] = defaultdict(list)
    for link in owners.list_links_of_videos(account, videos):
        links[link.video_id].append(link)
    return links


def select_status_link(item: InboxItem, links: Sequence[ReviewLink]) -> ReviewLink | Reason:
    """The link that a change of status goes through: its own where that allows it."""
    own_first = sorted(links, key=lambda link: link.pk != item.link_id)
    return rules.select_usable(own_first, timezone.now())


def find_answer_link(account: Account, item: InboxItem, data: Mapping[str, str] | None = None) -> ReviewLink | None:
    """The link that an answer goes through: its own where that is open and allows comments, else another that shows it.

    With the `data` of a form that was sent before: the link that it went through then, though that has closed meanwhile.
    """
    if item.is_decision:
        return None
    copies = Comment.objects.filter(link__accounts=account, comment_id=item.item_id).select_related("link")
    links = sorted((copy.link for copy in copies), key=lambda link: link.pk != item.link_id)
    if data:
        key = forms.read_key(_build_reply(item, data), account.pk)
        if attempted := owners.find_attempted(links, key):
            return attempted
    now = timezone.now()
    return next((link for link in links if link.allow_comment and rules.state_of(link, now) in rules.USABLE), None)


@dataclass(frozen=True)
class AnswerResult:
    """What became of an answer: problems by field, or none; and of resolving, where that was asked for too."""

    problems: Mapping[str, tuple[str, ...]]
    arrived: bool = False
    status: StatusResult | None = None


def send_answer(
    account: Account, item: InboxItem, link: ReviewLink, data: Mapping[str, str], actor: str
) -> AnswerResult:
    """Answer a comment; with `then` "resolve" in the form, resolve it too. Each is sent once, however often it is pressed."""
    reply = owners.send_reply(account, link, _build_reply(item, data))
    if reply.problems:
        return AnswerResult(reply.problems)
    resolves = data.get("then") == "resolve"
    status = set_statuses(account, [item], CommentStatus.RESOLVED, data, actor) if resolves else None
    return AnswerResult({}, reply.arrived, status)


def _build_reply(item: InboxItem, data: Mapping[str, str]) -> dict[str, str]:
    return {**data, "reply_to": str(item.item_id)}


@dataclass(frozen=True)
class DeskFilm:
    """The video beside a thread. `start`: the second it is at; `key` tells the films of two rows apart."""

    key: str
    title: str
    mp4: str
    hls: str
    player: str
    poster: str
    start: int
    clock: str
    length: str

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where its files come from."""
        return self.poster, self.mp4, self.hls, self.player


@dataclass(frozen=True)
class AnswerBox:
    """The form that answers: what was typed, what is wrong with it, and the answers saved for it."""

    action: str
    key: str
    text: str
    name: str
    names_itself: bool
    """Whether the name has to be typed: the person's own cannot be sent, or was refused."""
    errors: Mapping[str, Sequence[str]]
    general: tuple[str, ...]
    """What is wrong with it as a whole."""
    saved: tuple[SavedAnswer, ...]
    can_resolve: bool


@dataclass(frozen=True)
class ItemDetail:
    """templates/review_links/_inbox_detail.html."""

    id: str
    address: str
    act: str
    video: str
    link: str
    link_address: str
    link_badge: Badge
    room: str
    film: DeskFilm
    badge: Badge
    author: str
    when: str
    iso: str
    text: str
    thread: Thread | None
    place: ListAddresses
    state: str
    status: str
    """The action of its button: resolve or reopen; "" where none is possible."""
    why_no_status: str
    answer: AnswerBox | None
    why_no_answer: str
    typed: str
    """What was written where nothing can be sent any more."""
    create: str
    others: str
    waiting: tuple[owners.WaitingWrite, ...]
    back: str
    position: str
    before: str
    after: str

    @property
    def first(self) -> Entry | None:
        """The comment itself; None for a decision."""
        return self.thread.first if self.thread else None


def build_detail(
    request: OwnerRequest,
    desk: Desk,
    criteria: InboxFilter,
    item: InboxItem,
    problems: Mapping[str, Sequence[str]] | None = None,
    inserted: str = "",
) -> ItemDetail:
    """One row, open. `problems` of an answer that was refused; `inserted`: what the form for an answer begins with."""
    link, video, address = item.link, LinkVideo.from_kept(item.link.video), criteria.item_address(item.item_id)
    links = list(owners.list_links_of_videos(desk.account, [item.video_id]))
    through = select_status_link(item, links)
    answer_link = find_answer_link(desk.account, item)
    previous, following = desk.find_previous(criteria, item), desk.find_next(criteria, item)
    place = desk.count_before(criteria, item)
    why_no_status = "" if item.is_decision or not isinstance(through, Reason) else describe_problem(Problem(through))
    return ItemDetail(
        id=str(item.item_id),
        address=address,
        act=get_act_address(criteria),
        video=get_video_title(link),
        link=link.name,
        link_address=path_of("review_links:link", link.pk),
        link_badge=build_badge(link, desk.now),
        room=f"{link_pages.get_public_address(request, link.pk)}?t={max(0, item.time)}",
        film=_build_film(link, video, _get_start(request, item)),
        badge=build_state_badge(item, desk.now),
        author=item.author,
        when=formats.ago(item.created_at, desk.now),
        iso=item.created_at.isoformat(),
        text=item.text,
        thread=None if item.is_decision else _load_thread(desk, item),
        place=ListAddresses(here=address, watch=address, last_second=video.last_second),
        state=item.state,
        status=_get_status_act(item) if isinstance(through, ReviewLink) else "",
        why_no_status=why_no_status,
        answer=_build_answer(request, criteria, item, problems or {}, inserted, can_resolve=not why_no_status)
        if answer_link
        else None,
        why_no_answer="" if answer_link or item.is_decision else _describe_no_answer(links, desk),
        typed=request.POST.get("text", "") if not answer_link else "",
        create=f"{path_of('review_links:create')}?{urlencode({'video': item.video_id, 'like': link.pk})}",
        others=_get_comments_of_author(criteria, item) if item.is_decision else "",
        waiting=tuple(owners.list_waiting(answer_link)) if answer_link else (),
        back=f"{criteria.address(page=place // PER_PAGE + 1)}#row-{item.item_id}",
        position=_("Inbox, %(place)s of %(total)s")
        % {
            "place": formats.number(place + 1),
            "total": formats.number(max(place + 1, desk.count(criteria)[criteria.show])),
        },
        before=criteria.item_address(previous.item_id) if previous else "",
        after=criteria.item_address(following.item_id) if following else "",
    )


def _get_start(request: OwnerRequest, item: InboxItem) -> int:
    """The second that the address names, else the comment's."""
    typed = request.GET.get("t", "")
    at = parse_clock(typed) if typed else None
    return max(0, item.time if at is None else at)


def _build_film(link: ReviewLink, video: LinkVideo, start: int) -> DeskFilm:
    start = start if video.last_second is None else min(start, video.last_second)
    at = f"#t={start}" if start else ""
    return DeskFilm(
        key=str(link.video_id),
        title=get_video_title(link),
        mp4=video.mp4_url and video.mp4_url + at,
        hls=video.hls_url and video.hls_url + at,
        player=video.player_at(start),
        poster=video.poster,
        start=start,
        clock=formats.clock(start),
        length="" if video.last_second is None else formats.clock(video.last_second),
    )


def _load_thread(desk: Desk, item: InboxItem) -> Thread:
    """The comment with its replies; its times lead to the same page, which plays there."""
    thread = owners.load_thread(desk.account, item.video_id, item.item_id)
    if thread is None:
        raise Http404
    return thread


def _get_status_act(item: InboxItem) -> str:
    if item.is_decision:
        return ""
    return "reopen" if item.state == InboxItem.State.RESOLVED else "resolve"


def _build_answer(
    request: OwnerRequest,
    criteria: InboxFilter,
    item: InboxItem,
    problems: Mapping[str, Sequence[str]],
    inserted: str,
    *,
    can_resolve: bool,
) -> AnswerBox:
    person = str(request.session.get(access.PERSON) or request.account.name)
    name = request.POST.get("user_name", rules.clean_person_name(person))
    return AnswerBox(
        action=path_of("review_links:inbox_answer", item.item_id) + criteria.build_query(),
        key=request.POST.get("key") or str(uuid.uuid4()) if problems or inserted else str(uuid.uuid4()),
        text=inserted or (request.POST.get("text", "") if problems else ""),
        name=name,
        names_itself=not name or "user_name" in problems,
        errors=problems,
        general=tuple(problems.get("", ())),
        saved=tuple(SavedAnswer.objects.filter(account=request.account)),
        can_resolve=can_resolve and item.state != InboxItem.State.RESOLVED,
    )


def _describe_no_answer(links: Sequence[ReviewLink], desk: Desk) -> str:
    if any(rules.state_of(link, desk.now) in rules.USABLE for link in links):
        return _("The open links of this video don't allow comments, so you can't reply here.")
    return _("No link of this video is open, and replies go through an open link. Create one first.")


def _get_comments_of_author(criteria: InboxFilter, item: InboxItem) -> str:
    """The comments of the person who decided."""
    return criteria.address(show=InboxShow.ALL, video=item.video_id, by=item.author, query="")

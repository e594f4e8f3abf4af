"""The open row of the inbox: the video, the thread or the decision, and what can be done about it."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404
from django.utils.translation import gettext as _

from dashboard.accounts import access
from dashboard.review_links import addresses, comment_pages, rules
from dashboard.review_links.comment_pages import ListAddresses, ThreadRow
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.inbox import actions, pages
from dashboard.review_links.inbox.listing import PER_PAGE, Desk, InboxFilter, InboxShow
from dashboard.review_links.models import InboxItem, SavedAnswer
from dashboard.review_links.pages import Badge, build_badge, get_video_title
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.http import OwnerRequest
from review_portal import owner_queries, owner_writes
from review_portal.models import ReviewLink
from review_portal.rules import parse_clock
from review_portal.videos import LinkVideo


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
    thread: ThreadRow | None
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
    waiting: tuple[owner_writes.WaitingWrite, ...]
    back: str
    position: str
    before: str
    after: str


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
    links = list(owner_queries.list_links_of_videos(desk.account, [item.video_id]))
    through = actions.select_status_link(item, links)
    answer_link = actions.find_answer_link(desk.account, item)
    previous, following = desk.find_previous(criteria, item), desk.find_next(criteria, item)
    place = desk.count_before(criteria, item)
    why_no_status = "" if item.is_decision or not isinstance(through, Reason) else describe_problem(Problem(through))
    return ItemDetail(
        id=str(item.item_id),
        address=address,
        act=pages.get_act_address(criteria),
        video=get_video_title(link),
        link=link.name,
        link_address=path_of("review_links:link", link.pk),
        link_badge=build_badge(link, desk.now),
        room=f"{addresses.public(request, link.pk)}?t={max(0, item.time)}",
        film=_build_film(link, video, _get_start(request, item)),
        badge=pages.build_state_badge(item, desk.now),
        author=item.author,
        when=formats.ago(item.created_at, desk.now),
        iso=item.created_at.isoformat(),
        text=item.text,
        thread=None if item.is_decision else _build_thread(desk, item, address, video),
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
        waiting=tuple(owner_writes.list_waiting(answer_link)) if answer_link else (),
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


def _build_thread(desk: Desk, item: InboxItem, address: str, video: LinkVideo) -> ThreadRow:
    """The comment with its replies; its times lead to the same page, which plays there."""
    thread = owner_queries.load_thread(desk.account, item.video_id, item.item_id)
    if thread is None:
        raise Http404
    place = ListAddresses(address, "", "", "", watch=address, answers="", edits="", last_second=video.last_second)
    return comment_pages.build_thread_row(thread, place, desk.now, {}, locked=True, forms={})


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

"""What the templates of the room get: its head, its video, its comments, its meters, what is pending, and its forms."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import Audience
from dashboard.platform_api.public_files import Bookmark
from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX, CommentStatus
from dashboard.shared import formats
from dashboard.shared.formats import clock
from dashboard.shared.refusals import Explained
from dashboard.upstream import clients
from dashboard.writes.models import State, Write
from review_portal import cuts, messages, rules, sync, threads
from review_portal.context import EVERY, Visit
from review_portal.cuts import NumberedCut, count_checkable
from review_portal.models import ReviewLink
from review_portal.rules import LinkState, ListFilter, Show, Sort
from review_portal.threads import Thread, find_own_left_out, select_threads
from review_portal.videos import Caption, LinkVideo
from review_portal.writes import CREATE


@dataclass(frozen=True)
class Preview:
    """The tags in the head of the room. `image` may be empty; both addresses are whole."""

    title: str
    description: str
    image: str
    address: str


def build_preview(visit: Visit) -> Preview | None:
    """None where the owner has not allowed it, and for a link that is not open."""
    link, video, request = visit.link, visit.shown, visit.request
    if not link.allow_preview or visit.state != LinkState.OPEN:
        return None
    asks = _("Watch the video and comment on any moment. You don't need an account.")
    reads = _("Watch the video and read its comments. You don't need an account.")
    sentences = [reads if rules.why_no_comment(link, visit.now) else asks]
    if video.length:
        sentences.append(_("Length: %(length)s.") % {"length": clock(video.length)})
    return Preview(
        title=" · ".join(filter(None, (video.title, link.name))) or _("Video review"),
        description=" ".join(sentences),
        image=request.build_absolute_uri(video.poster) if video.poster else "",
        address=request.build_absolute_uri(f"/{link.pk}"),
    )


GIST = 80
"""Characters of a text that name it."""


@dataclass(frozen=True)
class OutboxItem:
    """One write that is not there yet. `state` is held, late, sending, refused or unconfirmed; `change_of` is the comment
    that it changes, "" for a new one.
    """

    key: str
    attempt: int
    state: str
    address: str
    text: str
    about: str
    time: int
    reply_to: str
    change_of: str
    seconds: int
    explained: Explained | None

    @property
    def is_in_progress(self) -> bool:
        """Whether it arrives without anybody doing anything: it waits for its time, or is being sent."""
        return self.state in {State.HELD, State.SENDING}


def build_item(link: ReviewLink, write: Write, now: datetime) -> OutboxItem:
    """A write of this person's that is not there yet, as its card says it."""
    request = write.request
    changes = request.get("changes", {})
    text = str(request.get("text") or changes.get("text") or "")
    late = write.state == State.HELD and write.reason
    seconds = int((write.due_at - now).total_seconds() + 0.999) if write.due_at else 0
    return OutboxItem(
        key=str(write.key),
        attempt=write.attempt,
        state="late" if late else write.state,
        address=f"/{link.pk}/submissions/{write.key}",
        text=text,
        about=_describe(write, text if len(text) <= GIST else text[: GIST - 1] + "…"),
        time=request.get("time", 0),
        reply_to=str(request.get("reply_to") or ""),
        change_of=str(request.get("comment_id") or ""),
        seconds=max(0, seconds),
        explained=messages.explain_write(write),
    )


def _describe(write: Write, gist: str) -> str:
    """What it is: the words of a comment with their time, or what is to change."""
    if write.operation == CREATE:
        return _("at %(at)s: “%(gist)s”") % {"at": formats.clock(write.request["time"]), "gist": gist}
    changes = write.request["changes"]
    if "text" in changes:
        return _("new text: “%(gist)s”") % {"gist": gist}
    if "time" in changes:
        return _("new time: %(at)s") % {"at": formats.clock(changes["time"])}
    if changes.get("status") == CommentStatus.RESOLVED:
        return _("resolve: “%(text)s”") % {"text": write.label[:GIST]}
    return _("reopen: “%(text)s”") % {"text": write.label[:GIST]}


@dataclass(frozen=True)
class EmailPanel:
    """templates/review_portal/_email.html: the address that was left, how it stands, and one that was refused."""

    address: str
    state: subscriptions.State
    is_open: bool
    typed: str = ""
    error: str = ""
    is_demo: bool = False

    @property
    def takes_address(self) -> bool:
        return self.is_open and self.state != subscriptions.State.ON

    @property
    def can_repeat(self) -> bool:
        """Ask for the confirmation once more."""
        return self.is_open and self.state in (subscriptions.State.ASKED, subscriptions.State.OLD)

    @property
    def can_stop(self) -> bool:
        return self.state not in (subscriptions.State.OFF, subscriptions.State.STOPPED)


def get_audience(visit: Visit) -> Audience:
    """The reader as somebody who hears of answers."""
    return Audience(scope=str(visit.link.pk), person=str(visit.reviewer.pk) if visit.reviewer else "")


def build_email_panel(visit: Visit, typed: str = "", error: str = "") -> EmailPanel | None:
    """None for a reader who has written nothing, and where no e-mail can be sent."""
    if visit.reviewer is None or not subscriptions.is_offered():
        return None
    subscription = subscriptions.find(get_audience(visit))
    state = subscriptions.get_state(subscription)
    is_open = rules.why_no_writing(visit.link, visit.now) is None
    if not is_open and state in (subscriptions.State.OFF, subscriptions.State.STOPPED):
        return None
    return EmailPanel(
        address=subscriptions.get_masked_address(subscription) if subscription else "",
        state=state,
        is_open=is_open,
        typed=typed,
        error=error,
        is_demo=clients.embedded(),
    )


def build_email_offer(visit: Visit) -> EmailPanel | None:
    """The same in the room, for somebody who wrote a comment here and has not left an address."""
    if visit.reviewer is None or not visit.reviewer.comments.exists():
        return None
    panel = build_email_panel(visit)
    return panel if panel and panel.state in (subscriptions.State.OFF, subscriptions.State.ASKED) else None


@dataclass(frozen=True)
class CutSwitcher:
    """templates/review_portal/_cuts.html. `newest`: an open cut that is newer than this one, which is `number`.

    `before`: the cut before this one; `checkable`: how many of its comments can be checked here.
    """

    number: int
    cuts: tuple[NumberedCut, ...]
    closed: frozenset[int]
    """The numbers of those that cannot be opened."""
    before: NumberedCut | None
    checkable: int
    newest: NumberedCut | None


def build_switcher(link: ReviewLink, now: datetime) -> CutSwitcher | None:
    """The cuts of the series that the link is in; None without one, and for a link that was switched off."""
    if rules.state_of(link, now) == LinkState.INACTIVE:
        return None
    numbered = cuts.list_cuts(link)
    number = cuts.find_number(numbered, link)
    if not number:
        return None
    closed = frozenset(cut.number for cut in numbered if not is_open(cut.link, now))
    newest = next((cut for cut in reversed(numbered) if cut.number not in closed), None)
    before = numbered[number - 2] if number > 1 else None
    return CutSwitcher(
        number=number,
        cuts=numbered,
        closed=closed,
        before=before,
        checkable=count_checkable(link, before.link, now) if before else 0,
        newest=newest if newest and newest.number > number else None,
    )


def is_open(link: ReviewLink, now: datetime) -> bool:
    """Whether everybody who has the link can open it."""
    return rules.state_of(link, now) == LinkState.OPEN


POLL_SECONDS = 4
POLL_SECONDS_IDLE = 30
JUST_NOW = timedelta(minutes=2)
"""How long a comment that a filter hides is offered to its writer."""


@dataclass(frozen=True)
class Expiry:
    """When the link closes: what is left, the moment itself in the reader's zone and in UTC.

    `full` is a `time` element: on a first visit the zone is known to the browser alone, and js/zone.js writes it in.
    """

    left: str
    iso: str
    full: SafeString
    soon: bool


@dataclass(frozen=True)
class Head:
    """The bar above everything. `subtitle` is the link's own name."""

    title: str
    subtitle: str
    expiry: Expiry | None
    cuts: CutSwitcher | None = None


@dataclass(frozen=True)
class Stage:
    """The video. `kind`: native (a file the browser may play), embedded (the platform's player), none."""

    kind: str
    mp4: str
    hls: str
    player: str
    poster: str
    captions: tuple[Caption, ...]
    length: int
    ruler: tuple[str, ...]
    start: str
    """Where it begins, in seconds: with a fraction where the address means one frame."""
    chapters: tuple[Bookmark, ...] = ()
    speeds: tuple[str, ...] = ("0.25", "0.5", "0.75", "1", "1.25", "1.5", "1.75", "2")

    @property
    def clock(self) -> str:
        return formats.clock(self.length)


@dataclass(frozen=True)
class Surroundings:
    """What every thread of one page has in common. `carried` is the query that keeps filters, ending in `&` or empty."""

    link: ReviewLink
    last_second: int | None
    now: datetime = field(compare=False)
    may_reply: bool
    may_resolve: bool
    may_edit: bool
    """Edit and withdraw their own."""
    carried: str = ""
    forms: Mapping[uuid.UUID, SafeString] = field(default_factory=dict, compare=False)
    """Forms that stand open without script, by the comment they belong to."""
    _said: dict[int, str] = field(default_factory=dict, compare=False)

    @property
    def room(self) -> str:
        return f"?{self.carried}"

    def format_ago(self, at: datetime) -> str:
        """How long ago that was. Many comments have the same: each minute, hour or quarter of an hour is said once."""
        seconds = int((self.now - at).total_seconds())
        bucket = seconds // 60 if seconds < 3600 else 60 + seconds // 3600
        if seconds >= 86400:
            bucket = -int(at.timestamp() // 900)
        if bucket not in self._said:
            self._said[bucket] = formats.ago(at, self.now)
        return self._said[bucket]


@dataclass(frozen=True)
class Talk:
    """Everything about the comments that changes while people watch: what a poll replaces."""

    version: str
    after: int
    """The version whose readers have what is only named here; 0: all is written."""
    poll: str
    choice: ListFilter
    counts: dict[str, int]
    """How many threads each filter shows: those alone that can bring something on this link, to this reader."""
    threads: list[Thread]
    markers: list[Thread]
    """Their first comments alone, in the video's order."""
    shown: int
    total: int
    used: int
    """Comments of the video, over all its links, as far as they are known here."""
    limit: int
    is_complete: bool
    """Whether there are no others."""
    resolved: int | None
    """Of the threads; None where this link hides what is resolved, and where there is none."""
    mine: str
    notes: tuple[str, ...]
    outbox: tuple[OutboxItem, ...]
    narrowed: bool
    everything: str
    readable: bool
    """Whether the platform can be asked for comments: else there may be others."""
    unread: bool
    """Its comments have never been read, so there may be others than those shown."""
    whole: str
    """Where every reply is written; "" where they are here."""
    drawn: bool
    """Whether any of the threads has a drawing."""
    filtered: str
    """Where the reader's own comment is that came a moment ago and the filter hides; "" where it hides none."""
    email: EmailPanel | None = None
    """Offered to somebody who wrote here and may want to hear of answers."""

    nearly_full = rules.METER_FROM

    @property
    def count(self) -> str:
        """How many threads there are, whatever the filter shows: beside the name of their tab."""
        return formats.number(self.total)


@dataclass(frozen=True)
class Composer:
    """A form that posts: the one at the foot, or a reply's. `why_not` replaces it."""

    action: str
    key: str
    text: str = ""
    time: str = ""
    frame: str = ""
    """The exact frame as script names it (`videos.parse_frame`)."""
    drawing: str = ""
    """The drawing as script sends it (`drawings.parse_sketch`)."""
    suffix: int = 0
    """Characters that the platform's text gets after the words of a comment with a drawing."""
    reply_to: str = ""
    to: str = ""
    """Whom a reply answers."""
    name: str = ""
    named: bool = False
    why_not: str = ""
    replies_only: bool = False
    repeat: bool = False
    """The person was asked whether the same words are meant twice: pressing again posts them."""
    errors: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return rules.count_length(self.text)


def build_head(link: ReviewLink, video: LinkVideo, now: datetime) -> Head:
    subtitle = link.name if video.title else ""
    return Head(video.title or link.name, subtitle, build_expiry(link, now), build_switcher(link, now))


def build_expiry(link: ReviewLink, now: datetime) -> Expiry | None:
    if link.expires_at is None:
        return None
    left = formats.duration((link.expires_at - now).total_seconds()) if link.expires_at > now else ""
    iso, moment = link.expires_at.isoformat(), format_moment_twice(link.expires_at)
    full = format_html('<time datetime="{}" data-moment>{}</time>', iso, moment)
    return Expiry(left, iso, full, rules.is_expiring(link, now))


def format_moment_twice(at: datetime) -> str:
    """In the reader's zone, named, and in UTC."""
    local = formats.moment(at)
    if formats.zone_name() == "UTC":
        return _("%(moment)s UTC") % {"moment": local}
    values = {"moment": local, "zone": formats.zone_name().replace("_", " "), "utc": f"{at.astimezone(UTC):%H:%M}"}
    return _("%(moment)s %(zone)s, %(utc)s UTC") % values


def build_stage(video: LinkVideo, captions: tuple[Caption, ...], start: float) -> Stage:
    native = bool(video.mp4_url or video.hls_url)
    kind = "native" if native else "embedded" if video.player_url else "none"
    length = video.last_second or 0
    marks = tuple(formats.clock(length * step / 6) for step in range(7)) if length >= 6 else ()
    begin = f"{min(start, length) if length else start:.6f}".rstrip("0").rstrip(".")
    at = f"#t={begin}" if float(begin) else ""  # where the browser begins, script or not
    return Stage(
        kind=kind,
        mp4=video.mp4_url and video.mp4_url + at,
        hls=video.hls_url and video.hls_url + at,
        player=video.player_at(int(float(begin))),
        poster=video.poster,
        captions=captions,
        length=length,
        ruler=marks,
        start=begin,
        chapters=tuple(mark for mark in video.bookmarks if not length or mark.time < length),
    )


def build_talk(visit: Visit, *, since: int, polls: bool) -> Talk:
    """The live part. Threads that a reader of version `since` has already are only named.

    All are written for 0, and for a version that is not there yet: the database was brought back from a backup.
    """
    link, choice = visit.link, visit.choice
    after = since if since <= link.version else 0
    threads = _select_written(visit, after, polls=polls)
    address, selected = f"/{link.pk}", select_threads(threads, choice)
    return Talk(
        version=visit.token,
        after=after,
        poll=f"{address}/comments{build_query(choice)}" if polls else "",
        choice=choice,
        counts=count_by_filter(visit, threads),
        threads=selected,
        markers=list_markers(selected),
        shown=len(selected),
        total=len(threads),
        used=visit.main_count,
        limit=MAIN_COMMENTS_MAX,
        is_complete=sync.is_complete(link),
        resolved=sum(not thread.is_open for thread in threads) if link.show_resolved and threads else None,
        mine=describe_own_comments(threads) if visit.reviewer else "",
        notes=list_notes(visit),
        outbox=tuple(build_item(link, write, visit.now) for write in visit.outbox),
        narrowed=choice.narrows,
        everything=address,
        unread=is_unread(link),
        readable=sync.is_readable(),
        whole=f"{address}{build_query(choice, thread=EVERY)}#talk" if _has_more(selected) else "",
        drawn=any(thread.first.drawing for thread in selected),
        filtered=_get_filtered_address(visit, threads, selected),
        email=build_email_offer(visit),
    )


def list_markers(threads: list[Thread]) -> list[Thread]:
    """The threads as the timeline marks them: their first comments alone, in the video's order."""
    in_order = sorted(threads, key=lambda thread: (thread.first.microseconds, thread.first.at))
    return [Thread(thread.first, []) for thread in in_order]


def _get_filtered_address(visit: Visit, threads: list[Thread], selected: list[Thread]) -> str:
    own = find_own_left_out(threads, selected, visit.now - JUST_NOW)
    if own is None:
        return ""
    return f"/{visit.link.pk}?thread={own.reply_to or own.comment_id}#{own.anchor}"


def _select_written(visit: Visit, after: int, *, polls: bool) -> list[Thread]:
    """The threads with the replies that the page writes. Where no script fetches the others, that is every one."""
    if not polls:
        return visit.threads
    return visit.threads_changed(after) if after else visit.threads_at_first


def _has_more(threads: list[Thread]) -> bool:
    return any(thread.count > len(thread.replies) for thread in threads)


def build_surroundings(visit: Visit, forms: Mapping[uuid.UUID, SafeString] | None = None) -> Surroundings:
    """What all threads of the page share: permissions, addresses, open forms."""
    link, now = visit.link, visit.now
    carried = build_query(visit.choice).lstrip("?")
    return Surroundings(
        link=link,
        last_second=visit.shown.last_second,
        now=now,
        may_reply=rules.why_no_comment(link, now) is None,
        may_resolve=rules.why_no_status(link, now) is None,
        may_edit=rules.why_no_writing(link, now) is None,
        carried=f"{carried}&" if carried else "",
        forms=forms or {},
    )


def list_notes(visit: Visit) -> tuple[str, ...]:
    """Notes about the link that nothing else on the page shows."""
    link = visit.link
    open_here = rules.why_no_writing(link, visit.now) is None
    sentences = {
        _(
            "The platform cannot be reached. You see the comments saved here, and what you write will be sent automatically."
        ): (visit.platform_away),
        _("The comments are still being read from the platform. They will appear here automatically."): (
            is_unread(link) and not visit.platform_away
        ),
        _("Resolved comments are hidden on this link."): not link.show_resolved,
        _("Only the owner resolves comments on this link."): open_here and not link.allow_status_edit,
        _("Comments that were written outside Reelroom are not shown."): not sync.is_readable(),
    }
    return tuple(sentence for sentence, holds in sentences.items() if holds)


def is_unread(link: ReviewLink) -> bool:
    """Whether the platform's comments of a link can be read and never were."""
    return sync.is_readable() and link.merged_at is None


def build_query(choice: ListFilter, **changes: str) -> str:
    """The query that names this choice, `?` included; empty for everything by time."""
    values = {"show": choice.show.value, "sort": choice.sort.value, "by": choice.by, "q": choice.query}
    values |= {"since": str(choice.since) if choice.show == Show.NEW else ""}
    values |= changes
    named_values = {
        name: value for name, value in values.items() if value and value not in (Show.ALL.value, Sort.TIME.value)
    }
    return f"?{urlencode(named_values)}" if named_values else ""


def count_by_filter(visit: Visit, threads: list[Thread]) -> dict[str, int]:
    """How many threads each filter shows."""
    choice, offered = visit.choice, [Show.ALL]
    if visit.link.show_resolved:
        offered += [Show.OPEN, Show.RESOLVED]
    if visit.reviewer or choice.show == Show.MINE:
        offered.append(Show.MINE)
    if choice.show == Show.NEW:
        offered.append(Show.NEW)
    return {
        show.value: sum(rules.matches(ListFilter(show, since=choice.since), t.entries, t.is_open) for t in threads)
        for show in offered
    }


def describe_own_comments(threads: list[Thread]) -> str:
    """You wrote 3 comments and 1 reply."""
    comments = sum(thread.first.mine for thread in threads)
    replies = sum(reply.mine for thread in threads for reply in thread.replies)
    first = ngettext("%(count)s comment", "%(count)s comments", comments) % {"count": comments}
    second = ngettext("%(count)s reply", "%(count)s replies", replies) % {"count": replies}
    if not comments and not replies:
        return ""
    return _("You wrote %(comments)s and %(replies)s.") % {"comments": first, "replies": second}


def list_people(visit: Visit) -> list[tuple[str, int]]:
    """Who wrote, with how many comments; whom the address names is among them, with 0."""
    people = threads.list_people(visit.reading, visit.threads_at_first)
    by = visit.choice.by
    return people if not by or by in dict(people) else [*people, (by, 0)]

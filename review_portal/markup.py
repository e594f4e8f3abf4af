"""The HTML of threads and markers, the hot part of the page: a link may hold 930 comments.

The template engine needs about 35 µs per comment for what these few lines do in four. `_fill` escapes every value: what
is markup already comes from `_fill` itself, from `_join`, or from a template, and is a `SafeString`.
"""

import re
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from html import escape

from django.utils.safestring import SafeString

from dashboard.shared.formats import clock
from review_portal import rules, stills
from review_portal.messages import describe_writer
from review_portal.threads import Entry, Thread

NEXT_REPLIES = 40
"""How many replies come at a time when those that a first view left out are near."""
NOTHING = SafeString("")
_UNESCAPED = frozenset({SafeString, int, uuid.UUID})
"""Types of values that are markup, or cannot hold a character that means something in it."""
_ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


@dataclass(frozen=True)
class Words:
    """Every word and address that threads need, in the reader's language, made once per page."""

    open: str
    resolved: str
    reply: str
    resolve: str
    resolve_next: str
    reopen: str
    edit: str
    withdraw: str
    loop: str
    copy: str
    new: str
    you: str
    at: str
    """`%(name)s at %(time)s`."""
    marker: str
    """`%(time)s, %(name)s, %(state)s`."""
    drawn: str
    """`, with a drawing`."""
    resolved_summary: str
    withdrawn: str
    """What stands where somebody took their words back, for this reader."""
    withdrawals: frozenset[str]
    """The same in every language it may have been sent in."""
    waiting: str
    unconfirmed: str
    """A change of the comment that is not there yet, for everybody who reads it."""
    ago: Callable[[datetime], str]
    rest: Callable[[int], str]
    """How many replies are not written yet."""
    icons: str


@dataclass(frozen=True)
class Permissions:
    """What the reader may do, as it shows at each thread."""

    reply: bool
    status: bool
    write: bool
    """Edit and withdraw their own."""


@dataclass(frozen=True)
class Surroundings:
    """What every thread of one page has in common. `carried` is the query that keeps filters, ending in `&` or empty."""

    words: Words
    allowed: Permissions
    comments_address: str
    last_second: int | None
    link_id: uuid.UUID
    carried: str = ""
    forms: Mapping[uuid.UUID, SafeString] = field(default_factory=dict)
    """Forms that stand open without script, by the comment they belong to."""


def _fill(template: str, *values: object) -> SafeString:
    """The template with a value for each `%s`: the one place where a value becomes markup."""
    safe = [value if type(value) in _UNESCAPED else escape(str(value)) for value in values]
    return SafeString(template % tuple(safe))


def _join(pieces: Iterable[SafeString]) -> SafeString:
    return SafeString("".join(pieces))


def render_threads(threads: list[Thread], around: Surroundings, since: int = 0) -> SafeString:
    """The list items of all threads. With `since`, those that a reader of that version has already are only named."""
    return _join(
        _fill('<li data-same="c-%s"></li>', thread.first.comment_id)
        if since and thread.version <= since
        else _render_thread(thread, around)
        for thread in threads
    )


def get_anchor(entry: Entry) -> str:
    """The fragment of a comment's address in the page.

    A reply's is cut to the first group of its id: 900 whole ones, which nothing compresses, would be two thirds of what a
    full page sends.
    """
    return f"c-{entry.comment_id}" if entry.reply_to is None else f"c-{str(entry.comment_id)[:8]}"


def _render_thread(thread: Thread, around: Surroundings) -> SafeString:
    first, words = thread.first, around.words
    span = rules.parse_span(first.text, first.time, around.last_second)
    times = f"{clock(span[0])}–{clock(span[1])}" if span else clock(first.time)
    data = _fill(
        'id="c-%s" data-t="%s"%s%s data-v="%s" data-born="%s"%s',
        first.comment_id,
        first.time,
        stills.render_frame_data(first),
        _fill(' data-to="%s"', span[1]) if span else NOTHING,
        thread.version,
        first.born,
        SafeString(" data-mine") if first.mine else NOTHING,
    )
    body = _fill(
        '%s%s<div class="comment__actions">%s</div>%s%s',
        stills.render_body(first, _render_first_text(first, around), around.carried, around.link_id),
        stills.render_frame_link(first, around.carried),
        _render_actions(first, thread.is_open, around),
        around.forms.get(first.comment_id, NOTHING),
        _render_replies(thread, around),
    )
    you = _fill(' <span class="comment__you">(%s)</span>', words.you) if first.mine else NOTHING
    marks = _join((you, _render_owner(first)))
    render = _render_open_thread if thread.is_open else _render_folded_thread
    return render(thread, around, times, data, marks, body)


def _render_open_thread(
    thread: Thread, around: Surroundings, times: str, data: SafeString, marks: SafeString, body: SafeString
) -> SafeString:
    first, words = thread.first, around.words
    return _fill(
        '<li><article class="thread is-open" %s aria-label="%s">'
        '<header class="comment__head"><a class="timecode" href="?%st=%s">%s%s</a> '
        '<h3 class="comment__author">%s%s</h3> %s'
        '<span class="comment__new" hidden><span class="visually-hidden">%s</span></span>'
        '<span class="comment__state">%s</span>%s</header>%s</article></li>',
        data,
        words.at % {"name": first.user_name, "time": times},
        around.carried,
        stills.get_start(first),
        _render_shape("open", words),
        times,
        first.user_name,
        marks,
        _render_when(first.created_at, words),
        words.new,
        words.open,
        _render_unsettled(first, words),
        body,
    )


def _render_folded_thread(
    thread: Thread, around: Surroundings, times: str, data: SafeString, marks: SafeString, body: SafeString
) -> SafeString:
    first, words = thread.first, around.words
    has_form = around.forms.keys() & {entry.comment_id for entry in thread.entries}
    return _fill(
        '<li><details class="thread thread--folded is-resolved" %s%s>'
        '<summary><span class="timecode">%s%s</span><h3>%s</h3>'
        '<span class="thread__gist">%s</span>'
        '<svg class="icon" aria-hidden="true"><use href="%s#i-down"/></svg>'
        '<span class="visually-hidden">, %s</span></summary>'
        '<div class="comment__head"><a class="timecode" href="?%st=%s">%s</a>%s %s%s</div>'
        "%s</details></li>",
        data,
        SafeString(" open") if has_form else NOTHING,
        _render_shape("resolved", words),
        times,
        first.user_name,
        _get_shown_text(first, around)[:120],
        words.icons,
        words.resolved_summary,
        around.carried,
        first.time,
        times,
        marks,
        _render_when(first.created_at, words),
        _render_unsettled(first, words),
        body,
    )


def _render_shape(state: str, words: Words) -> SafeString:
    return _fill('<svg class="shape" aria-hidden="true"><use href="%s#s-%s"/></svg>', words.icons, state)


def _render_first_text(first: Entry, around: Surroundings) -> SafeString:
    """The words of a thread's first comment. A range that stands beside them as its time is hidden: only an edit needs it."""
    text, visible = get_text(first, around.words), _get_shown_text(first, around)
    hidden = _fill("<span hidden>%s</span>", text[: -len(visible)]) if visible != text else NOTHING
    return _join((hidden, render_text(visible, around)))


def _get_shown_text(first: Entry, around: Surroundings) -> str:
    return rules.strip_range(get_text(first, around.words), first.time, around.last_second)


def get_text(entry: Entry, words: Words) -> str:
    """A comment's words; what was withdrawn in another language says so in the reader's."""
    return words.withdrawn if entry.text in words.withdrawals else entry.text


def render_mark(entry: Entry) -> SafeString:
    """The mark of the link's owner, or that of a second person whose name looks the same."""
    word = describe_writer(by_owner=entry.by_owner, namesake=entry.namesake)
    if entry.by_owner:
        return _fill(' <span class="comment__owner">%s</span>', word)
    return _fill(' <span class="comment__you">(%s)</span>', word) if word else NOTHING


def _render_owner(entry: Entry) -> SafeString:
    """The same for its reader, who knows who they are."""
    return NOTHING if entry.mine and not entry.by_owner else render_mark(entry)


def _render_unsettled(entry: Entry, words: Words) -> SafeString:
    """The mark of a comment that a change was sent for which is not confirmed yet."""
    if not entry.unsettled:
        return NOTHING
    word = words.waiting if entry.unsettled == "waiting" else words.unconfirmed
    return _fill('<span class="comment__unsettled">%s</span>', word)


def _render_when(at: datetime | None, words: Words) -> SafeString:
    if at is None:
        return NOTHING
    return _fill('<time class="comment__when" datetime="%s">%s</time>', f"{at:%Y-%m-%dT%H:%M:%SZ}", words.ago(at))


def _render_actions(entry: Entry, is_open: bool, around: Surroundings) -> SafeString:
    words, allowed, key, carried = around.words, around.allowed, entry.comment_id, around.carried
    parts = []
    if allowed.reply:
        template = '<a class="action action--strong" href="?%sreply=%s#reply" data-reply>%s</a>'
        parts.append(_fill(template, carried, key, words.reply))
    if allowed.status and entry.reply_to is None:
        parts.append(_render_status_buttons(key, is_open, around))
    if allowed.write and entry.mine:
        parts.append(_fill('<a class="action" href="?%sedit=%s#edit" data-edit>%s</a>', carried, key, words.edit))
        if entry.text not in words.withdrawals:
            template = '<a class="action" href="?%swithdraw=%s#withdraw" data-withdraw>%s</a>'
            parts.append(_fill(template, carried, key, words.withdraw))
    if entry.reply_to is None:
        parts.append(_fill('<button class="action needs-script" type="button" data-loop>%s</button>', words.loop))
        parts.append(_fill('<a class="action" href="#c-%s" data-copy>%s</a>', key, words.copy))
    return _join(parts)


def _render_status_buttons(key: uuid.UUID, is_open: bool, around: Surroundings) -> SafeString:
    words = around.words
    target = _fill('form="act" formaction="%s/%s"', around.comments_address, key)
    if not is_open:
        template = '<button class="action action--strong" %s name="status" value="open">%s</button>'
        return _fill(template, target, words.reopen)
    return _fill(
        '<button class="action action--strong" %s name="status" value="resolved">%s</button>'
        '<button class="action action--next" %s name="status" value="resolved-next" title="%s">'
        '<svg class="icon" aria-hidden="true"><use href="%s#i-next"/></svg>'
        '<span class="visually-hidden">%s</span></button>',
        target,
        words.resolve,
        target,
        words.resolve_next,
        words.icons,
        words.resolve_next,
    )


def _render_replies(thread: Thread, around: Surroundings) -> SafeString:
    if not thread.count:
        return SafeString('<ol class="replies" hidden></ol>')
    pieces, begun = [], 0
    for place, reply in thread.numbered:
        pieces += [_render_rest(thread, begun, place, around), _render_reply(reply, around)]
        begun = place + 1
    pieces.append(_render_rest(thread, begun, thread.count, around))
    return _fill('<ol class="replies">%s</ol>', _join(pieces))


def _render_rest(thread: Thread, begun: int, end: int, around: Surroundings) -> SafeString:
    """In the place of replies that are fetched when they are near: which they are, and a link to the whole thread."""
    if begun == end:
        return NOTHING
    key = thread.first.comment_id
    return _fill(
        '<li class="replies__rest" data-from="%s" data-rest="%s" data-born="%s">'
        '<a class="action" href="?%sthread=%s#c-%s">%s</a></li>',
        begun,
        end - begun,
        thread.newest,
        around.carried,
        key,
        key,
        around.words.rest(end - begun),
    )


def render_replies(thread: Thread, begun: int, end: int, around: Surroundings) -> SafeString:
    """What replaces a rest of replies: the next ones, and what is still left."""
    end = min(end, len(thread.replies))
    until = min(begun + NEXT_REPLIES, end)
    pieces = [_render_reply(reply, around) for reply in thread.replies[begun:until]]
    return _join([*pieces, _render_rest(thread, until, end, around)])


def _render_reply(reply: Entry, around: Surroundings) -> SafeString:
    """As short as it can be: 900 of these are most of a full page."""
    words, is_own = around.words, reply.mine
    return _fill(
        '<li id="c-%s" data-born="%s"%s><header><h4>%s%s%s</h4> <small>%s</small>%s</header><p>%s</p>%s%s</li>',
        str(reply.comment_id)[:8],
        reply.born,
        SafeString(" data-mine") if is_own else NOTHING,
        reply.user_name,
        _fill(" (%s)", words.you) if is_own else NOTHING,
        _render_owner(reply),
        words.ago(reply.created_at) if reply.created_at else NOTHING,
        _render_unsettled(reply, words),
        render_text(get_text(reply, words), around),
        _fill('<div class="comment__actions">%s</div>', _render_actions(reply, True, around)) if is_own else NOTHING,
        around.forms.get(reply.comment_id, NOTHING),
    )


def render_text(text: str, around: Surroundings) -> SafeString:
    """A person's words: times become links that seek, addresses become links, everything else is text."""
    return render_linked_text(text, around.last_second, f"?{around.carried}")


def render_linked_text(text: str, last_second: int | None, room: str) -> SafeString:
    """The same for any page: `room` is the address of the room up to and including `?` or `&`."""
    if ":" not in text:
        return _fill("%s", text)
    pieces, position = [], 0
    for start, end, link in sorted(_find_links(text, last_second, room), key=lambda link: (link[0], -link[1])):
        if start < position:
            continue
        pieces += [_fill("%s", text[position:start]), link]
        position = end
    return _join([*pieces, _fill("%s", text[position:])])


def _find_links(text: str, last_second: int | None, room: str) -> list[tuple[int, int, SafeString]]:
    links = []
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(".,;:!?'\u2019\u201d)")
        if len(address) > len("https://"):
            link = _fill('<a href="%s" rel="nofollow ugc noopener" target="_blank">%s</a>', address, address)
            links.append((match.start(), match.start() + len(address), link))
    for moment in rules.find_moments(text, last_second):  # a range is one link, to where it begins
        link = _fill('<a href="%st=%s">%s</a>', room, moment.second, text[moment.start : moment.end])
        links.append((moment.start, moment.end, link))
    return links


def render_markers(threads: list[Thread], around: Surroundings) -> SafeString:
    """The markers of the timeline: links to the threads, placed by percent of the length.

    Without a known length they have no place: script gives them one as soon as the player tells it.
    """
    in_order = sorted(threads, key=lambda thread: (thread.first.microseconds, thread.first.at))
    return _join(_render_marker(thread, around) for thread in in_order)


def _render_marker(thread: Thread, around: Surroundings) -> SafeString:
    first, words, length = thread.first, around.words, around.last_second
    state = "open" if thread.is_open else "resolved"
    at = min(100.0, first.time / length * 100) if length else 0.0
    time, word = clock(first.time), words.open if thread.is_open else words.resolved
    return _fill(
        '<li><a class="marker is-%s" href="#c-%s" data-at="%s%%" data-t="%s" data-time="%s">'
        '%s<span class="visually-hidden">%s</span><span class="marker__gist" hidden>%s</span></a></li>',
        state,
        first.comment_id,
        f"{at:.2f}",
        first.time,
        time,
        _render_shape(state, words),
        words.marker % {"time": time, "name": first.user_name, "state": word + (words.drawn if first.drawing else "")},
        get_text(first, words)[:80],
    )

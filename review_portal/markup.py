"""The HTML of threads and markers, the hot part of the page: a link may hold 930 comments.

The template engine needs about 35 µs per comment for what these few lines do in three. Everything that comes from
people is escaped here, once, in `text_html` and `escape`.
"""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from html import escape

from django.utils.safestring import SafeString, mark_safe

from dashboard.shared.formats import clock
from review_portal import rules
from review_portal.threads import Entry, Thread

NEXT_REPLIES = 40
"""How many replies come at a time when those that a first view left out are near."""
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
    owner: str
    at: str
    """`%(name)s at %(time)s`."""
    marker: str
    """`%(time)s, %(name)s, %(state)s`."""
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
    carried: str = ""
    forms: Mapping[uuid.UUID, str] = field(default_factory=dict)
    """Forms that stand open without script, by the comment they belong to."""


def render_threads(threads: list[Thread], around: Surroundings, since: int = 0) -> SafeString:
    """The list items of all threads. With `since`, those that a reader of that version has already are only named."""
    parts = [
        f'<li data-same="c-{thread.first.comment_id}"></li>'
        if since and thread.version <= since
        else _render_thread(thread, around)
        for thread in threads
    ]
    return mark_safe("".join(parts))  # noqa: S308  (escaped piece by piece below)


def get_anchor(entry: Entry) -> str:
    """Where a comment stands in the page. A reply's is cut to the first group of its id: nine hundred whole ones, which
    nothing can compress, would be two thirds of what a full page sends."""
    return f"c-{entry.comment_id}" if entry.reply_to is None else f"c-{str(entry.comment_id)[:8]}"


def _render_thread(thread: Thread, around: Surroundings) -> str:
    first, words = thread.first, around.words
    state = "open" if thread.is_open else "resolved"
    span = rules.parse_span(first.text, first.time, around.last_second)
    times = f"{clock(span[0])}–{clock(span[1])}" if span else clock(first.time)
    shape = f'<svg class="shape" aria-hidden="true"><use href="{words.icons}#s-{state}"/></svg>'
    name = escape(first.user_name)
    you = f' <span class="comment__you">({words.you})</span>' if first.mine else ""
    you += _render_owner(first, words)
    data = f'id="c-{first.comment_id}" data-t="{first.time}"' + (f' data-to="{span[1]}"' if span else "")
    data += f' data-v="{thread.version}" data-born="{first.born}"' + (" data-mine" if first.mine else "")
    body = (
        f'<p class="comment__text">{_render_first_text(first, around)}</p>'
        f'<div class="comment__actions">{_render_actions(first, thread.is_open, around)}</div>'
        f"{around.forms.get(first.comment_id, '')}{_render_replies(thread, around)}"
    )
    when = _render_when(first.created_at, words)
    if thread.is_open:
        label = escape(words.at % {"name": first.user_name, "time": times})
        return (
            f'<li><article class="thread is-{state}" {data} aria-label="{label}">'
            f'<header class="comment__head"><a class="timecode" href="?{around.carried}t={first.time}">{shape}{times}</a> '
            f'<h3 class="comment__author">{name}{you}</h3> {when}'
            f'<span class="comment__new" hidden><span class="visually-hidden">{words.new}</span></span>'
            f'<span class="comment__state">{words.open}</span>{_render_unsettled(first, words)}</header>{body}</article></li>'
        )
    opened = (
        " open"
        if first.comment_id in around.forms or around.forms.keys() & {r.comment_id for r in thread.replies}
        else ""
    )
    return (
        f'<li><details class="thread thread--folded is-{state}" {data}{opened}>'
        f'<summary><span class="timecode">{shape}{times}</span><h3>{name}</h3>'
        f'<span class="thread__gist">{escape(_get_shown_text(first, around)[:120])}</span>'
        f'<svg class="icon" aria-hidden="true"><use href="{words.icons}#i-down"/></svg>'
        f'<span class="visually-hidden">, {words.resolved_summary}</span></summary>'
        f'<div class="comment__head"><a class="timecode" href="?{around.carried}t={first.time}">{times}</a>{you} {when}'
        f"{_render_unsettled(first, words)}</div>"
        f"{body}</details></li>"
    )


def _render_first_text(first: Entry, around: Surroundings) -> str:
    """The words of a thread's first comment. A range that stands beside them is there for who edits them, not shown twice."""
    text, visible = get_text(first, around.words), _get_shown_text(first, around)
    hidden = f"<span hidden>{escape(text[: -len(visible)])}</span>" if visible != text else ""
    return hidden + render_text(visible, around)


def _get_shown_text(first: Entry, around: Surroundings) -> str:
    return rules.strip_range(get_text(first, around.words), first.time, around.last_second)


def get_text(entry: Entry, words: Words) -> str:
    """A comment's words; what was withdrawn in another language says so in the reader's."""
    return words.withdrawn if entry.text in words.withdrawals else entry.text


def _render_owner(entry: Entry, words: Words) -> str:
    """That the link's owner wrote it: whatever name somebody else gives, only theirs has this mark."""
    return f' <span class="comment__owner">{words.owner}</span>' if entry.by_owner else ""


def _render_unsettled(entry: Entry, words: Words) -> str:
    """That what is shown may be older than what somebody sent."""
    if not entry.unsettled:
        return ""
    word = words.waiting if entry.unsettled == "waiting" else words.unconfirmed
    return f'<span class="comment__unsettled">{word}</span>'


def _render_when(at: datetime | None, words: Words) -> str:
    if at is None:
        return ""
    return f'<time class="comment__when" datetime="{at:%Y-%m-%dT%H:%M:%SZ}">{words.ago(at)}</time>'


def _render_actions(entry: Entry, is_open: bool, around: Surroundings) -> str:
    words, allowed, key = around.words, around.allowed, entry.comment_id
    parts = []
    if allowed.reply:
        parts.append(
            f'<a class="action action--strong" href="?{around.carried}reply={key}#reply" data-reply>{words.reply}</a>'
        )
    if allowed.status and entry.reply_to is None:
        parts.append(_render_status_buttons(key, is_open, around))
    if allowed.write and entry.mine:
        parts.append(f'<a class="action" href="?{around.carried}edit={key}#edit" data-edit>{words.edit}</a>')
        if entry.text not in words.withdrawals:
            parts.append(
                f'<a class="action" href="?{around.carried}withdraw={key}#withdraw" data-withdraw>{words.withdraw}</a>'
            )
    if entry.reply_to is None:
        parts.append(
            f'<button class="action needs-script" type="button" data-loop>{words.loop}</button>'
            f'<a class="action" href="#c-{key}" data-copy>{words.copy}</a>'
        )
    return "".join(parts)


def _render_status_buttons(key: uuid.UUID, is_open: bool, around: Surroundings) -> str:
    words, target = around.words, f'form="act" formaction="{around.comments_address}/{key}"'
    if not is_open:
        return f'<button class="action action--strong" {target} name="status" value="open">{words.reopen}</button>'
    return (
        f'<button class="action action--strong" {target} name="status" value="resolved">{words.resolve}</button>'
        f'<button class="action action--next" {target} name="status" value="resolved-next" title="{words.resolve_next}">'
        f'<svg class="icon" aria-hidden="true"><use href="{words.icons}#i-next"/></svg>'
        f'<span class="visually-hidden">{words.resolve_next}</span></button>'
    )


def _render_replies(thread: Thread, around: Surroundings) -> str:
    if not thread.count:
        return '<ol class="replies" hidden></ol>'
    pieces, begun = [], 0
    for place, reply in thread.numbered:
        pieces += [_render_rest(thread, begun, place, around), _render_reply(reply, around)]
        begun = place + 1
    return f'<ol class="replies">{"".join(pieces)}{_render_rest(thread, begun, thread.count, around)}</ol>'


def _render_rest(thread: Thread, begun: int, end: int, around: Surroundings) -> str:
    """In the place of replies that come when they are near: which they are, and where the whole thread is."""
    if begun == end:
        return ""
    key, newest = thread.first.comment_id, thread.newest
    return (
        f'<li class="replies__rest" data-from="{begun}" data-rest="{end - begun}" data-born="{newest}">'
        f'<a class="action" href="?{around.carried}thread={key}#c-{key}">{around.words.rest(end - begun)}</a></li>'
    )


def render_replies(thread: Thread, begun: int, end: int, around: Surroundings) -> SafeString:
    """What takes the place of a rest of replies: the first of them, and what is still left."""
    end = min(end, len(thread.replies))
    until = min(begun + NEXT_REPLIES, end)
    pieces = [_render_reply(reply, around) for reply in thread.replies[begun:until]]
    left = _render_rest(thread, until, end, around)
    return mark_safe("".join([*pieces, left]))  # noqa: S308  (escaped piece by piece above)


def _render_reply(reply: Entry, around: Surroundings) -> str:
    """As short as it can be: nine hundred of these are most of a full page."""
    words = around.words
    own = (f" ({words.you})" if reply.mine else "") + _render_owner(reply, words)
    actions = f'<div class="comment__actions">{_render_actions(reply, True, around)}</div>' if reply.mine else ""
    when = words.ago(reply.created_at) if reply.created_at else ""
    return (
        f'<li id="c-{str(reply.comment_id)[:8]}" data-born="{reply.born}"{" data-mine" if reply.mine else ""}>'
        f"<header><h4>{escape(reply.user_name)}{own}</h4> <small>{when}</small>{_render_unsettled(reply, words)}</header>"
        f"<p>{render_text(get_text(reply, words), around)}</p>{actions}{around.forms.get(reply.comment_id, '')}</li>"
    )


def render_text(text: str, around: Surroundings) -> str:
    """A person's words: times become links that seek, addresses become links, everything else is text."""
    return render_linked_text(text, around.last_second, f"?{around.carried}")


def render_linked_text(text: str, last_second: int | None, room: str) -> str:
    """The same for any page: `room` is the escaped address of the room up to and including `?` or `&amp;`."""
    if ":" not in text:
        return escape(text)
    pieces, position = [], 0
    for start, end, link in sorted(_find_links(text, last_second, room), key=lambda link: (link[0], -link[1])):
        if start < position:
            continue
        pieces += [escape(text[position:start]), link]
        position = end
    return "".join(pieces) + escape(text[position:])


def _find_links(text: str, last_second: int | None, room: str) -> list[tuple[int, int, str]]:
    links = []
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(".,;:!?'\u2019\u201d)")
        if len(address) > len("https://"):
            link = f'<a href="{escape(address)}" rel="nofollow ugc noopener" target="_blank">{escape(address)}</a>'
            links.append((match.start(), match.start() + len(address), link))
    for moment in rules.find_moments(text, last_second):  # a range is one link, to where it begins
        label = escape(text[moment.start : moment.end])
        links.append((moment.start, moment.end, f'<a href="{room}t={moment.second}">{label}</a>'))
    return links


def render_markers(threads: list[Thread], around: Surroundings) -> SafeString:
    """The markers of the timeline: links to the threads, placed by percent of the length.

    Without a known length they have no place yet: script gives them one as soon as the player tells it.
    """
    words, length = around.words, around.last_second
    parts = []
    for thread in sorted(threads, key=lambda thread: (thread.first.time, thread.first.at)):
        first, state = thread.first, "open" if thread.is_open else "resolved"
        label = words.marker % {
            "time": clock(first.time),
            "name": first.user_name,
            "state": words.open if thread.is_open else words.resolved,
        }
        at = min(100.0, first.time / length * 100) if length else 0.0
        parts.append(
            f'<li><a class="marker is-{state}" href="#c-{first.comment_id}" data-at="{at:.2f}%" data-t="{first.time}"'
            f' data-time="{clock(first.time)}">'
            f'<svg class="shape" aria-hidden="true"><use href="{words.icons}#s-{state}"/></svg>'
            f'<span class="visually-hidden">{escape(label)}</span>'
            f'<span class="marker__gist" hidden>{escape(get_text(first, words)[:80])}</span></a></li>'
        )
    return mark_safe("".join(parts))  # noqa: S308  (escaped piece by piece above)

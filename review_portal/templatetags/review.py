"""What pages say of comments: in the room, on the desk and on paper. `place` has the video's `last_second` and `room`, the
address of the room up to and including `?` or `&`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext

from review_portal import decisions, drawings, export_files, messages, rules
from review_portal.context import parse_filter
from review_portal.drawings import Sketch
from review_portal.models import Decision
from review_portal.pages import Surroundings, build_query
from review_portal.threads import Entry, Place, Thread, Totals

register = template.Library()
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


@register.inclusion_tag("components/_comment_export.html", takes_context=True)
def export_menu(context: dict[str, Any]) -> dict[str, Any]:
    """Every kind of file of the comments that the page of `link` shows, with the filters of its address."""
    request, address = context["request"], f"/{context['link'].pk}"
    query = export_files.build_query(parse_filter(request.GET))
    return {"menu": export_files.build_menu(request, f"{address}/export", query, printed=f"{address}/print")}


@register.simple_tag(takes_context=True)
def drawn(context: dict[str, Any], name: str, thread: Thread) -> str:
    """What the template `name` makes of a thread of the room. Readers who see the same of it share one drawing of it."""
    around = context["around"]
    said = tuple(ago_in(entry.created_at, around) for entry in thread.entries)
    parts = (thread.first, tuple(thread.replies), tuple(thread.places), thread.totals)
    if around.forms or settings.DEBUG:  # forms are the reader's own; a template that is being written shows at once
        return _draw.__wrapped__(name, get_language(), around, said, *parts)
    return _draw(name, get_language(), around, said, *parts)


@lru_cache(maxsize=2_000)
def _draw(
    name: str,
    _language: str | None,
    around: Surroundings,
    _said: tuple[str, ...],
    first: Entry,
    replies: tuple[Entry, ...],
    places: Sequence[int],
    totals: Totals,
) -> str:
    """Kept under all that it is made of: a template takes 0.1 ms for a comment, and a room writes 130 of them."""
    thread = Thread(first, list(replies), places, totals)
    return render_to_string(name, {"around": around, "thread": thread, "first": first})


@register.filter
def times(thread: Thread, place: Place) -> str:
    """“0:12”, or for a span “0:12–0:15”."""
    return thread.format_times(place.last_second)


@register.filter
def end(thread: Thread, place: Place) -> int | None:
    """The last second of the span that it is about; None for a moment."""
    span = thread.get_span(place.last_second)
    return span[1] if span else None


@register.filter
def words(thread: Thread, place: Place) -> str:
    """Its first comment's words, without the range that stands beside them as its time."""
    return thread.get_words(place.last_second)


@register.filter
def range_before(thread: Thread, place: Place) -> str:
    """What `words` leaves out, which only an edit needs."""
    return thread.first.text.removesuffix(thread.get_words(place.last_second))


@register.filter
def position(thread: Thread, place: Place) -> str:
    """Where it stands on the timeline, in percent. Without a known length, script gives it a place as soon as the player tells."""
    length = place.last_second
    return f"{min(100.0, thread.first.time / length * 100) if length else 0.0:.2f}"


@register.filter
def writer(entry: Entry) -> str:
    """What the name alone does not say of who wrote it."""
    return messages.describe_writer(by_owner=entry.by_owner, namesake=entry.namesake)


@register.filter
def mark(entry: Entry) -> str:
    """The mark of the link's owner, or that of a second person whose name looks the same."""
    word = writer(entry)
    if entry.by_owner:
        return format_html('<span class="comment__owner">{}</span>', word)
    return format_html('<span class="comment__you">({})</span>', word) if word else ""


@register.filter
def change_state(unsettled: str) -> str:
    """That a comment may be older than what somebody sent."""
    return messages.describe_unsettled(unsettled)


@register.filter
def query(choice: rules.ListFilter, show: str) -> str:
    """The query of an address with this choice, but with this filter; `?` included."""
    return build_query(choice, show=show)


@register.filter
def verdict(decision: Decision) -> str:
    """The verdict in words: Approved with changes."""
    return decisions.describe_verdict(decision)


@register.filter
def new_since(page: decisions.DecisionPage) -> str:
    """“3 comments, 1 reply”: what others wrote after the reader decided."""
    comments = ngettext("%(count)s comment", "%(count)s comments", page.comments) % {"count": page.comments}
    replies = ngettext("%(count)s reply", "%(count)s replies", page.replies) % {"count": page.replies}
    return ", ".join(part for part, count in ((comments, page.comments), (replies, page.replies)) if count)


@register.filter
def of(values: Mapping[Any, Any], key: object) -> object:
    """What a mapping has under this key; "" without it."""
    return (values or {}).get(key, "")


@register.filter
def own_language(text: str) -> str:
    """A comment's words; what was withdrawn in another language says so in the reader's."""
    return messages.get_withdrawal_text() if text in messages.list_withdrawal_texts() else text


@register.filter
def is_withdrawn(text: str) -> bool:
    """Whether its writer took the words back."""
    return text in messages.list_withdrawal_texts()


@register.filter
def linked(text: str, place: Place) -> str:
    """A person's words: times lead to the moment in the room, addresses are links, everything else is text."""
    if ":" not in text or not place.room:
        return text
    pieces: list[tuple[object]] = []
    position = 0
    for start, end, link in sorted(_find_links(text, place), key=lambda link: (link[0], -link[1])):
        if start >= position:
            pieces += [(text[position:start],), (link,)]
            position = end
    return format_html_join("", "{}", [*pieces, (text[position:],)])


def _find_links(text: str, place: Place) -> Iterator[tuple[int, int, SafeString]]:
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(".,;:!?'\u2019\u201d)")
        if len(address) > len("https://"):
            link = format_html('<a href="{0}" rel="nofollow ugc noopener" target="_blank">{0}</a>', address)
            yield match.start(), match.start() + len(address), link
    for moment in rules.find_moments(text, place.last_second):  # a range is one link, to where it begins
        said = text[moment.start : moment.end]
        yield moment.start, moment.end, format_html('<a href="{}t={}">{}</a>', place.room, moment.second, said)


@register.filter
def ago_in(at: datetime | None, around: Surroundings) -> str:
    """How long ago that was when the page was asked for; "" where the platform did not give it."""
    return around.format_ago(at) if at else ""


@register.filter
def open_form(entry: Entry, around: Surroundings) -> str:
    """The form that stands open under a comment, without script."""
    return around.forms.get(entry.comment_id, "")


@register.filter
def has_open_form(thread: Thread, around: Surroundings) -> bool:
    """Whether a form stands open under any of its comments."""
    return not around.forms.keys().isdisjoint(entry.comment_id for entry in thread.entries)


@register.filter
def picture(sketch: Sketch) -> SafeString:
    """The drawing as an `svg` element without a name: whoever shows it says it in words."""
    return drawings.render_sketch(sketch)


@register.filter
def in_words(sketch: Sketch) -> str:
    """The whole drawing in one line: the name of its still."""
    return drawings.describe_sketch(sketch)


@register.filter
def shapes_in_words(sketch: Sketch) -> list[str]:
    """Each of its shapes in words."""
    return drawings.describe_shapes(sketch)


@register.filter
def shapes(sketch: Sketch) -> str:
    """The drawing as script takes it."""
    return json.dumps(sketch.to_kept(), separators=(",", ":"))

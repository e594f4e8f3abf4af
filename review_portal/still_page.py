"""What templates/review_portal/still.html gets."""

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.shared import formats
from review_portal import markup, stills
from review_portal.context import Visit
from review_portal.drawing_svg import render_sketch
from review_portal.drawing_words import describe_shapes
from review_portal.drawings import Sketch
from review_portal.models import CommentDrawing
from review_portal.threads import Thread


@dataclass(frozen=True)
class StillPage:
    """One drawing. `text` is empty where its comment is not known; `room` leads to its frame, and to the comment."""

    author: str
    mark: SafeString
    when: str
    at: str
    text: SafeString
    room: str
    picture: SafeString
    shapes: tuple[str, ...]
    title: str


def build_still_page(visit: Visit, drawing: CommentDrawing, thread: Thread | None) -> StillPage:
    """The drawing with its comment, or alone where nothing tells which comment it belongs to."""
    sketch, room = Sketch.from_kept(drawing.sketch), f"/{visit.link.pk}"
    first = thread.first if thread else None
    at = stills.format_start(first) if first else formats.clock(drawing.time)
    start = stills.get_start(first) if first else str(drawing.time)
    author = first.user_name if first else drawing.name
    last = visit.shown.last_second
    return StillPage(
        author=author,
        mark=markup.render_mark(first) if first else markup.NOTHING,
        when=formats.moment(first.created_at if first and first.created_at else drawing.made_at),
        at=at,
        text=markup.render_linked_text(first.text, last, f"{room}?") if first else SafeString(""),
        room=f"{room}?t={start}" + (f"#c-{first.comment_id}" if first else ""),
        picture=render_sketch(sketch),
        shapes=tuple(describe_shapes(sketch)),
        title=_("Drawing at %(at)s by %(name)s") % {"at": at, "name": author},
    )

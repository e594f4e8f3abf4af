"""Drawings in forms: the one that comes with a new comment, and what an edit says of that of a comment."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest

from review_portal import outbox
from review_portal.drawings import BadDrawing, Sketch, parse_sketch, strip_address
from review_portal.models import Comment, CommentDrawing, ReviewLink
from review_portal.outbox import DrawingPost
from review_portal.rules import Problem, Reason


def get_stills_address(request: HttpRequest, link: ReviewLink) -> str:
    """Where the stills of the link's drawings are for people elsewhere; "" where the owner does not want them named."""
    return request.build_absolute_uri(f"/{link.pk}/d/") if link.address_drawings else ""


def create_short() -> str:
    """The end of a still's address."""
    return secrets.token_hex(5)


def build_post(sketch: Sketch, stills: str) -> DrawingPost:
    """A drawing under an address of its own, which the platform's text gets where `stills` says where it is."""
    short = create_short()
    return DrawingPost(sketch, short, f"{stills}{short}" if stills else "")


def get_suffix(drawing: DrawingPost | None) -> str:
    """What the platform's text gets after the words."""
    return f"\n{drawing.address}" if drawing and drawing.address else ""


def read_new(typed: str, stills: str) -> tuple[DrawingPost | None, list[Problem]]:
    """The drawing of a new comment, or None without one; and what is wrong with it."""
    if not typed:
        return None, []
    try:
        sketch = parse_sketch(typed)
    except BadDrawing as error:
        return None, [Problem("", Reason.DRAWING_TOO_LARGE if error.too_large else Reason.DRAWING_UNREADABLE)]
    return build_post(sketch, stills), []


@dataclass(frozen=True)
class DrawingChange:
    """What an edit says of a comment's drawing. `words`: the comment's own now, without an address; `suffix`: what follows
    them afterwards; `beside`: what a write keeps with it, empty where the drawing stays as it is.
    """

    words: str
    suffix: str
    problems: list[Problem] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)


def read_change(comment: Comment, data: Mapping[str, str], stills: str) -> DrawingChange:
    """A form without a drawing's field leaves it; an empty field deletes it."""
    stored = CommentDrawing.objects.filter(comment_id=comment.comment_id).first()
    words = strip_address(comment.text, stored.short) if stored else comment.text
    suffix = comment.text[len(words) :]
    if comment.reply_to is not None or "drawing" not in data:
        return DrawingChange(words, suffix)
    post, problems = read_new(data["drawing"], stills)
    if problems or (post is None and stored is None):
        return DrawingChange(words, suffix, problems)
    if post is None or stored is None:
        return DrawingChange(words, get_suffix(post), beside={"drawing": post.to_kept() if post else None})
    if stored.sketch == post.sketch.to_kept():
        return DrawingChange(words, suffix)
    same = DrawingPost(post.sketch, stored.short, suffix.strip())
    return DrawingChange(words, suffix, beside={"drawing": same.to_kept()})


def add_waiting(change: DrawingChange, comment: Comment) -> DrawingChange:
    """Newer words take the place of an own change that waits: what that says of the drawing goes along with them."""
    waiting = outbox.list_waiting_changes(comment, comment.reviewer_id).filter(request__has_key="drawing").last()
    if waiting is None:
        return change
    drawing = waiting.request["drawing"]
    suffix = f"\n{drawing['address']}" if drawing and drawing["address"] else ""
    return replace(change, suffix=suffix, beside={"drawing": drawing})

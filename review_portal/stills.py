"""The HTML of what a comment shows of its frame: the timecode that leads to it, or the still with its drawing."""

import json
import uuid

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.shared.formats import clock
from review_portal import videos
from review_portal.drawings import Sketch, describe_sketch, render_sketch
from review_portal.threads import Entry

NOTHING = SafeString("")


def get_start(entry: Entry) -> str:
    """Where the video shows what the comment is about, in seconds: the middle of its frame, else its second."""
    return videos.format_middle(entry.frame) if entry.frame else str(entry.time)


def format_start(entry: Entry) -> str:
    """The same as people read it: the timecode, else the second."""
    return videos.format_timecode(entry.frame) if entry.frame else clock(entry.time)


def render_frame_link(entry: Entry, carried: str) -> SafeString:
    """The timecode under a comment's words, which leads to the middle of its very frame; empty where that is not known,
    and where a still says it.
    """
    if entry.frame is None or entry.drawing:
        return NOTHING
    address = f"?{carried}t={get_start(entry)}"
    return format_html('<a class="comment__frame" href="{}">{}</a>', address, format_start(entry))


def render_frame_data(entry: Entry) -> SafeString:
    """The same for script, at the comment itself, with the frames a second where they are known."""
    if entry.frame is None:
        return NOTHING
    rate = format_html(' data-rate="{}"', entry.frame.rate) if entry.frame.rate else NOTHING
    return format_html(' data-at="{}"{}', get_start(entry), rate)


def render_still(entry: Entry, address: str) -> SafeString:
    """The drawing as a link to its frame, named by its words; its writer's browser gets the shapes to change them."""
    if entry.drawing is None:
        return NOTHING
    sketch, at = entry.drawing.sketch, format_start(entry)
    own = format_html(' data-sketch="{}"', json.dumps(sketch.to_kept(), separators=(",", ":"))) if entry.mine else ""
    return format_html(
        '<a class="still" href="{}"{}>{}<span class="still__time">{}</span>'
        '<span class="visually-hidden">{} {}</span></a>',
        address,
        own,
        render_picture(sketch),
        at,
        _("Open frame %(at)s.") % {"at": at},
        describe_sketch(sketch),
    )


def render_body(entry: Entry, words: SafeString, carried: str, link_id: uuid.UUID) -> SafeString:
    """A comment's words, and beside them the still of its drawing."""
    text = format_html('<p class="comment__text">{}</p>', words)
    if entry.drawing is None:
        return text
    still = render_still(entry, f"?{carried}t={get_start(entry)}")
    link = format_html('<a class="action" href="/{}/d/{}">{}</a>', link_id, entry.drawing.short, _("Open drawing"))
    template = '<div class="comment__body">{}<div class="comment__still">{}{}</div></div>'
    return format_html(template, text, still, link)


def render_picture(sketch: Sketch) -> SafeString:
    """A drawing on a plain ground: the video's poster behind it would be taken for the frame."""
    return format_html('<span class="still__picture">{}</span>', render_sketch(sketch))

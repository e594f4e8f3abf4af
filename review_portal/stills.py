"""The HTML of what a comment shows of its frame: the timecode that leads to it."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from review_portal import frames
from review_portal.threads import Entry


def render_frame_link(entry: Entry, carried: str) -> SafeString:
    """The timecode under a comment's words, which leads to the middle of its very frame; empty where that is not known."""
    if entry.frame is None:
        return SafeString("")
    middle, timecode = frames.format_middle(entry.frame), frames.format_timecode(entry.frame)
    return format_html('<a class="comment__frame" href="?{}t={}">{}</a>', carried, middle, timecode)


def render_frame_data(entry: Entry) -> SafeString:
    """The same for script, at the comment itself."""
    return format_html(' data-at="{}"', frames.format_middle(entry.frame)) if entry.frame else SafeString("")

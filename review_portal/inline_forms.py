"""Inline forms in a thread, opened by query parameters (no JavaScript).

`?reply=<id>`, `?edit=<id>` and `?withdraw=<id>` each open one form under its comment.
"""

import uuid

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from dashboard.shared.formats import clock
from dashboard.shared.text import parse_uuid
from review_portal import responses, rules
from review_portal.context import Visit, create_key
from review_portal.drawings import strip_address
from review_portal.models import Comment
from review_portal.pages import Composer


def render_open_forms(visit: Visit) -> dict[uuid.UUID, SafeString]:
    """The open forms by the comment they stand under."""
    query = visit.request.GET
    if "reply" in query and rules.why_no_comment(visit.link, visit.now) is None:
        return render_reply(visit, query["reply"])
    comment = _find_comment(visit, query.get("edit", "") or query.get("withdraw", ""))
    may = rules.why_no_writing(visit.link, visit.now) is None
    if comment is None or not may or visit.reviewer is None or comment.reviewer_id != visit.reviewer.pk:
        return {}
    return render_edit(visit, comment) if "edit" in query else render_withdraw(visit, comment)


def render_reply(visit: Visit, comment_id: str) -> dict[uuid.UUID, SafeString]:
    """An empty reply; to a reply it begins with the name, and stands under the parent."""
    parent = _find_comment(visit, comment_id)
    if parent is None:
        return {}
    name = visit.reviewer.name if visit.reviewer else ""
    composer = Composer(
        action=f"/{visit.link.pk}/comments",
        key=create_key(),
        reply_to=str(parent.comment_id),
        to=parent.user_name,
        text=f"@{parent.user_name} " if parent.reply_to else "",
        name=name,
        named=bool(name),
    )
    return {parent.reply_to or parent.comment_id: responses.render_reply_form(visit, composer)}


def find_thread(visit: Visit, comment_id: str) -> uuid.UUID | None:
    """The thread that a refused reply belongs to."""
    parent = _find_comment(visit, comment_id)
    return (parent.reply_to or parent.comment_id) if parent else None


def render_edit(visit: Visit, comment: Comment, message: str = "") -> dict[uuid.UUID, SafeString]:
    """The comment as a form; after a refusal with what was typed."""
    data = visit.request.POST
    drawing = visit.reading.drawings.get(comment.comment_id)
    words = strip_address(comment.text, drawing.short) if drawing else comment.text
    context = {
        "link": visit.link,
        "comment": comment,
        "opened": words,
        "text": data.get("text", words),
        "time": "" if comment.reply_to else data.get("time", clock(comment.time)),
        "timed": comment.reply_to is None,
        "key": create_key(),
        "suffix": responses.count_suffix(visit),
        "said": message,
    }
    return {comment.comment_id: render_to_string("review_portal/_edit.html", context, request=visit.request)}


def render_withdraw(visit: Visit, comment: Comment) -> dict[uuid.UUID, SafeString]:
    """What withdrawing does, and the button."""
    context = {
        "link": visit.link,
        "key": create_key(),
        "action": f"/{visit.link.pk}/comments/{comment.comment_id}",
        "resolves": comment.reply_to is None and visit.link.allow_status_edit,
    }
    return {comment.comment_id: render_to_string("review_portal/_withdraw.html", context, request=visit.request)}


def _find_comment(visit: Visit, comment_id: str) -> Comment | None:
    key = parse_uuid(comment_id)
    return Comment.objects.filter(link=visit.link, comment_id=key).first() if key else None

"""Changing a comment that exists [4.8]: text and time by its writer, status by anybody where the link allows it.

A change sets values, so sending it twice does no harm; but an answer that never came leaves the copy as it was, and the
next read of the platform says how it is.
"""

from typing import Any

from dashboard import clients
from dashboard.platform_api import errors
from review_portal import mirror, outbox
from review_portal.models import Comment, Reviewer


def update(comment: Comment, reviewer: Reviewer, **changes: Any) -> Comment:
    """Send `changes` (text, time, status; only what changes) as `reviewer`, and write the answer through.

    Raises the `PlatformError` of a call that brought no result; the copy then holds what it held, or what a read finds.
    """
    link, before = comment.link, {name: getattr(comment, name) for name in changes}
    try:
        with outbox.recording(
            link, "public_review.update_comment", reviewer, comment.text, before=before, after=changes
        ):
            answer = clients.reviewer_platform().public_review.update_comment(
                link.pk, comment.comment_id, reviewer.token, changes
            )
    except errors.PlatformError as error:
        if isinstance(error, errors.NotAllowed | errors.Missing):
            mirror.forget_link_reading(link)
        if not outbox.certainly_not_received(error):
            mirror.merge(link, at_once=True)
        raise
    changed = mirror.store(link, answer)
    if "time" in changes:
        Comment.objects.filter(link=link, reply_to=comment.comment_id).update(time=changed.time)  # inherited [4.7]
    return changed

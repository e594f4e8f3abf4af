"""Changing a comment that exists [4.8]: text and time by its writer, status by anybody where the link allows it.

A change sets values, so sending it twice does no harm; but an answer that never came leaves the copy as it was, and the
next read of the platform says how it is.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dashboard import clients
from dashboard.platform_api import errors
from review_portal import mirror, outbox
from review_portal.models import Comment, Reviewer

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


def update(
    comment: Comment,
    reviewer: Reviewer,
    changes: Mapping[str, Any],
    *,
    actor: str = "",
    undoes: "Entry | None" = None,
) -> Comment:
    """Send `changes` (text, time, status; only what changes) as `reviewer`, and write the answer through.

    It is recorded under `actor`, else the reviewer's name. Raises the `PlatformError` of a call that brought no result; the
    copy then holds what it held, or what a read finds.
    """
    link = comment.link
    try:
        with outbox.recording(
            link, "public_review.update_comment", reviewer, comment.text, actor=actor, undoes=undoes,
            **_states(comment, reviewer, changes),
        ):  # fmt: skip
            answer = clients.reviewer_platform().public_review.update_comment(
                link.pk, comment.comment_id, reviewer.token, dict(changes)
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


def _states(comment: Comment, reviewer: Reviewer, changes: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Before and after, with what an undo needs to know: which comment, and whose session changed it [4.8]."""
    about = {"comment_id": str(comment.comment_id), "session": "owner" if reviewer.account_id else "reviewer"}
    before = {name: getattr(comment, name) for name in changes}
    return {"before": about | before, "after": about | dict(changes)}

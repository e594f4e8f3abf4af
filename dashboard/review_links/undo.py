"""A comment's status is switched back, and words of the owner's own are put back, where the link still allows it [4.8].

A reviewer's words can be changed only with the session that wrote them. Reelroom keeps that session for the reviewer, not for
the owner: their undo is in the review room.
"""

import uuid
from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard.activity.recorder import NotUndone, actor_of, undoes
from dashboard.platform_api.errors import BadToken, Missing
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.review_links import link_context
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared.http import OwnerRequest
from review_portal import owner_queries, owner_writes
from review_portal.messages import describe_write
from review_portal.models import ReviewLink

if TYPE_CHECKING:
    from dashboard.activity.models import Entry

OPERATION = "public_review.update_comment"
ABOUT = {"comment_id", "session"}


def _get_fields(entry: "Entry") -> dict[str, Any]:
    """What the row says was there before; nothing of a row that names no comment."""
    before = entry.before if isinstance(entry.before, dict) else {}
    return {name: value for name, value in before.items() if name not in ABOUT} if "comment_id" in before else {}


def can_undo(entry: "Entry") -> bool:
    """A status by anybody, text and time only where the owner's own session wrote them."""
    fields = set(_get_fields(entry))
    own = isinstance(entry.before, dict) and entry.before.get("session") == "owner"
    return fields == {"status"} or (own and bool(fields) and fields <= {"text", "time"})


@undoes(OPERATION, only=can_undo)
def undo(request: HttpRequest, entry: "Entry") -> None:
    """Send what was before. Raises `NotUndone`, or the `PlatformError` of a refusal: `Missing` without link or comment."""
    asker, fields = cast(OwnerRequest, request), _get_fields(entry)
    comment_id = uuid.UUID(str(entry.before["comment_id"]))  # type: ignore[index]  # `possible` has looked
    actor, key = actor_of(request, asker.account), uuid.uuid5(entry.pk, "undo")
    try:
        link = owner_queries.get_link(asker.account, uuid.UUID(entry.target))
        if "status" in fields:
            status = CommentStatus(fields["status"])
            through = link_context.select_usable_link(asker, link.video_id, link)
            if isinstance(through, Reason):
                raise NotUndone(describe_problem(Problem(through)))
            write = owner_writes.set_status(
                asker.account, through, comment_id, status, key=key, actor=actor, undoes=entry
            )
        else:
            _check_unchanged(entry, link, comment_id)
            write = owner_writes.restore_comment(
                asker.account, link, comment_id, fields, key=key, actor=actor, undoes=entry
            )
        if still_open := describe_write(write, guest=False):
            raise NotUndone(still_open)
    except ObjectDoesNotExist as error:
        raise Missing("review_links.undo") from error  # ours: the platform was not asked
    except BadToken as error:  # the session of the link is meant, not the account's token
        raise NotUndone(
            _("The platform did not accept the owner's session on this link. Nothing was changed. Try again.")
        ) from error


def _check_unchanged(entry: "Entry", link: ReviewLink, comment_id: uuid.UUID) -> None:
    """What was written after the change is not written over."""
    comment, after = link.comments.get(comment_id=comment_id), entry.after or {}
    if any(getattr(comment, name) != after.get(name) for name in _get_fields(entry)):
        raise NotUndone(_("It was changed again in the meantime. Edit the comment instead."))

"""Writes of the owner on their own links, with one reviewer session per link.

The platform's interface has no other way, so the link's rules hold for owners too [4.7, 4.8].
"""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.shared import refusals
from dashboard.writes import outbox as writes
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.requests import is_current
from review_portal import forms, messages, outbox, reviewers, rules
from review_portal.models import Comment, ReviewLink
from review_portal.writes import UPDATE

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


@dataclass(frozen=True)
class ReplyResult:
    """Result of a reply: problems by form field ("" is the form itself), or none and whether the reply arrived."""

    problems: Mapping[str, tuple[str, ...]]
    arrived: bool = False


def set_status(
    account: Account,
    link: ReviewLink,
    comment_id: uuid.UUID,
    status: CommentStatus,
    *,
    key: uuid.UUID,
    actor: str = "",
    undoes: "Entry | None" = None,
    later: bool = False,
) -> Write:
    """Resolve or reopen a comment through `link`; with `later` the worker sends it.

    The comment may be known only from another of the account's links of the same video: comments are the video's. All
    copies of it then say the same. Raises `Comment.DoesNotExist` for a comment that no link of the account's shows for this
    video, and the `PlatformError` of a refusal. A write that is not done is held or not confirmed.
    """
    comment = get_comment(account, link, comment_id)
    comment.link = link
    return _send(comment, account, key, {"status": status.value}, actor=actor, undoes=undoes, later=later)


def _send(
    comment: Comment,
    account: Account,
    key: uuid.UUID,
    changes: Mapping[str, Any],
    *,
    actor: str,
    undoes: "Entry | None",
    later: bool = False,
) -> Write:
    session = reviewers.get_or_create_owner(comment.link, account)
    first, key = outbox.find_attempt(comment.link, key)
    write = (
        outbox.finish_attempt(first)
        if first
        else outbox.change(comment, session, key, changes, actor=actor, undoes=undoes, hold=later)
    )
    if write.state == State.REFUSED:
        writes.dismiss(write)  # told at once, where it was asked
        raise write.raised or write.error or errors.Refused(write.operation)
    return write


def load_unsettled_statuses(links: Iterable[ReviewLink]) -> dict[uuid.UUID, str]:
    """By comment, the status that a change through one of these links is to give it: the newest that is not settled."""
    scopes = [str(link.pk) for link in links]
    changes = Write.objects.filter(scope__in=scopes, operation=UPDATE, state__in=OPEN).order_by("created_at")
    requests = [request for request in changes.values_list("request", flat=True) if "status" in request["changes"]]
    return {uuid.UUID(request["comment_id"]): request["changes"]["status"] for request in requests}


def find_attempted(links: Iterable[ReviewLink], key: uuid.UUID) -> ReviewLink | None:
    """The one of these links through which the form with `key` was sent already."""
    return next((link for link in links if outbox.find_attempt(link, key)[0]), None)


def get_comment(account: Account, link: ReviewLink, comment_id: uuid.UUID) -> Comment:
    """The comment as this link shows it, else as another of the account's links of the video does."""
    known = Comment.objects.filter(link__accounts=account, link__video_id=link.video_id, comment_id=comment_id)
    return known.filter(link=link).first() or known.latest("written_at")


def send_reply(account: Account, link: ReviewLink, data: Mapping[str, str]) -> ReplyResult:
    """Answer the comment `reply_to` with `text` under the name `user_name`, through the same outbox as reviewers: `key`
    makes a second press harmless, and what cannot be sent now is sent later.
    """
    first, key = outbox.find_attempt(link, forms.read_key(data, account.pk))
    if first is not None:
        return ReplyResult({}, arrived=outbox.finish_attempt(first).state == State.DONE)
    closed = rules.why_no_comment(link, timezone.now())
    post = forms.read_post(link, data, by_owner=True)
    wrong = [rules.Problem("", closed)] if closed else post.problems
    if not data.get("reply_to"):
        wrong = [rules.Problem("", rules.Reason.PARENT_MISSING)]
    if wrong or post.words is None:
        return _find_concurrent(link, key) or _build_result(wrong)
    write = outbox.submit(link, reviewers.get_or_create_owner(link, account), key, post.words, hold=False)
    if write.state == State.REFUSED:
        writes.dismiss(write)
        return ReplyResult({"text": (messages.describe_write(write, guest=False),)})
    return ReplyResult({}, arrived=write.state == State.DONE)


def _find_concurrent(link: ReviewLink, key: uuid.UUID) -> ReplyResult | None:
    """The answer to a form that another press of it sent between the look for its key and the checks."""
    first = outbox.find_attempt(link, key)[0]
    return ReplyResult({}, arrived=outbox.finish_attempt(first).state == State.DONE) if first else None


def _build_result(wrong: list[rules.Problem]) -> ReplyResult:
    problems: dict[str, tuple[str, ...]] = {}
    for problem in wrong:
        problems[problem.field] = (*problems.get(problem.field, ()), messages.describe_problem(problem))
    return ReplyResult(problems)


@dataclass(frozen=True)
class WaitingWrite:
    """A write on the link that is not there yet: its text and writer, how it stands, and whether a person may settle it."""

    key: uuid.UUID
    attempt: int
    text: str
    actor: str
    sentence: str
    unconfirmed: bool


def list_waiting(link: ReviewLink) -> list[WaitingWrite]:
    """Writes on the link that are late or not confirmed, by all reviewers, oldest first."""
    return [
        WaitingWrite(
            write.key,
            write.attempt,
            write.label,
            write.actor,
            messages.describe_write(write),
            write.state == State.UNCONFIRMED,
        )
        for write in outbox.list_open_writes(link)
        if write.reason
    ]


def settle(request: HttpRequest, link: ReviewLink, key: uuid.UUID) -> bool:
    """Settle an unconfirmed write as the owner says: "confirm" (it arrived) or "again" (send it once more).

    A form about an attempt that is over changes nothing. False for a key that is not of this link.
    """
    write = writes.find(str(link.pk), key)
    if write is None:
        return False
    what = request.POST.get("do", "") if is_current(request, write) else ""
    if what == "confirm":
        writes.confirm(write)
    elif what == "again":
        writes.send_again(write)
    return True


def edit_reply(
    account: Account, link: ReviewLink, comment_id: uuid.UUID, data: Mapping[str, str], *, actor: str = ""
) -> ReplyResult:
    """Change the `text` of what the account itself wrote through this link [4.8].

    Raises `Comment.DoesNotExist` for everything that it did not write.
    """
    comment = get_own_comment(account, link, comment_id)
    closed = rules.why_no_writing(link, timezone.now())
    key = forms.read_key(data, account.pk, comment_id)
    first = outbox.find_attempt(link, key)[0]
    if first is not None:
        return ReplyResult({}, arrived=outbox.finish_attempt(first).state == State.DONE)
    edit = forms.read_edit(comment, {name: data[name] for name in ("text", "opened_text") if name in data})
    wrong = [rules.Problem("", closed)] if closed else edit.problems
    if wrong:
        return _find_concurrent(link, key) or _build_result(wrong)
    try:
        write = restore_comment(account, link, comment_id, edit.changes, key=key, actor=actor)
    except errors.CallError as error:
        return ReplyResult({"text": (refusals.explain(error).whole,)})
    return ReplyResult({}, arrived=write.state == State.DONE)


def restore_comment(
    account: Account,
    link: ReviewLink,
    comment_id: uuid.UUID,
    values: Mapping[str, Any],
    *,
    key: uuid.UUID,
    actor: str = "",
    undoes: "Entry | None" = None,
) -> Write:
    """Give the account's own comment `wanted` values of text and time. Raises as `rewrite`, and the `PlatformError` of a
    refusal: the platform forbids an owner's change of a reviewer's text, and Reelroom does not use a reviewer's session.
    """
    return _send(get_own_comment(account, link, comment_id), account, key, values, actor=actor, undoes=undoes)


def get_own_comment(account: Account, link: ReviewLink, comment_id: uuid.UUID) -> Comment:
    """A comment that the account wrote through this link. Raises `Comment.DoesNotExist` for everything else."""
    return Comment.objects.select_related("link").get(link=link, comment_id=comment_id, reviewer__account=account)

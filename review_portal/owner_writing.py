"""What the owner writes on their own links, with one session of their own per link: the platform's interface has no other
way, so the link's rules hold for them too [4.7, 4.8].
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from review_portal import changes, forms, mirror, outbox, reviewers, rules, sentences
from review_portal.models import Comment, ReviewLink, State

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


@dataclass(frozen=True)
class Answered:
    """What became of an answer: sentences at the form's fields ("" is the form itself), or none and whether it is there."""

    problems: Mapping[str, tuple[str, ...]]
    arrived: bool = False


def set_status(
    account: Account,
    link: ReviewLink,
    comment_id: uuid.UUID,
    status: CommentStatus,
    *,
    actor: str = "",
    undoes: "Entry | None" = None,
) -> Comment:
    """Resolve or reopen a comment through `link`.

    The comment may be known only from another of the account's links of the same video: comments are the video's. All
    copies of it then say the same. Raises `Comment.DoesNotExist` for a comment that no link of the account's shows for this
    video, and the `PlatformError` of a refusal.
    """
    known = _copies(account, link, comment_id)
    comment = known.filter(link=link).first() or known.latest("written_at")
    comment.link = link
    session = reviewers.owner(link, account)
    changed = changes.update(comment, session, {"status": status.value}, actor=actor, undoes=undoes)
    _tell(known.exclude(link=link), changed, "status")
    return changed


def _copies(account: Account, link: ReviewLink, comment_id: uuid.UUID) -> QuerySet[Comment]:
    return Comment.objects.filter(link__accounts=account, link__video_id=link.video_id, comment_id=comment_id)


def _tell(others: QuerySet[Comment], changed: Comment, *names: str) -> None:
    """Bring the other links' copies of a comment up to date."""
    newest = {name: getattr(changed, name) for name in (*names, "updated_at", "written_at")}
    for other in others:
        with mirror.new_version(other.link_id) as version:
            Comment.objects.filter(pk=other.pk).update(version=version, **newest)


def answer(account: Account, link: ReviewLink, data: Mapping[str, str]) -> Answered:
    """Answer the comment `reply_to` with `text` under the name `user_name`, through the same outbox as reviewers: `key`
    makes a second press harmless, and what cannot be sent now is sent later.
    """
    closed = rules.why_no_comment(link, timezone.now())
    post = forms.read_post(link, data)
    wrong = [rules.Problem("", closed)] if closed else post.problems
    if not data.get("reply_to"):
        wrong = [rules.Problem("", rules.Reason.PARENT_MISSING)]
    if wrong or post.words is None:
        return _wrong(wrong)
    sent = outbox.submit(link, reviewers.owner(link, account), post.key, post.words, hold=False)
    if sent.state == State.REFUSED:
        return Answered({"text": (sentences.of_submission(sent),)})
    return Answered({}, arrived=sent.state == State.SENT)


def _wrong(wrong: list[rules.Problem]) -> Answered:
    problems: dict[str, tuple[str, ...]] = {}
    for problem in wrong:
        problems[problem.field] = (*problems.get(problem.field, ()), sentences.sentence(problem))
    return Answered(problems)


def waiting(account: Account, link: ReviewLink) -> list[str]:
    """The owner's answers that are held, on their way or not confirmed: what they say and how they stand."""
    mine = outbox.outbox_of(reviewers.known_owner(link, account))
    return [f"“{one.text}” {sentences.of_submission(one)}".strip() for one in mine if one.state != State.REFUSED]


def rewrite(
    account: Account, link: ReviewLink, comment_id: uuid.UUID, data: Mapping[str, str], *, actor: str = ""
) -> Answered:
    """Change the `text` of what the account itself wrote through this link [4.8].

    Raises `Comment.DoesNotExist` for everything that it did not write.
    """
    comment = own(account, link, comment_id)
    closed = rules.why_no_writing(link, timezone.now())
    edit = forms.read_edit(comment, {"text": data.get("text", "")})
    wrong = [rules.Problem("", closed)] if closed else edit.problems
    if wrong:
        return _wrong(wrong)
    try:
        put_back(account, link, comment_id, edit.changes, actor=actor)
    except errors.PlatformError as error:
        return Answered({"text": (sentences.of_error(error),)})
    return Answered({}, arrived=True)


def put_back(
    account: Account,
    link: ReviewLink,
    comment_id: uuid.UUID,
    wanted: Mapping[str, Any],
    *,
    actor: str = "",
    undoes: "Entry | None" = None,
) -> Comment:
    """Give the account's own comment `wanted` values of text and time. Raises as `rewrite`, and the `PlatformError` of a
    refusal: an owner's word in a reviewer's comment is what the platform forbids, and Reelroom does not borrow sessions.
    """
    comment = own(account, link, comment_id)
    session = reviewers.owner(link, account)
    changed = changes.update(comment, session, wanted, actor=actor, undoes=undoes)
    _tell(_copies(account, link, comment_id).exclude(link=link), changed, *wanted)
    return changed


def own(account: Account, link: ReviewLink, comment_id: uuid.UUID) -> Comment:
    """A comment that the account wrote through this link. Raises `Comment.DoesNotExist` for everything else."""
    return Comment.objects.select_related("link").get(link=link, comment_id=comment_id, reviewer__account=account)

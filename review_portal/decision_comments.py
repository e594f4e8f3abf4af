"""Sends a decision to the platform as a comment where the video ends, for links whose owner wishes it.

One reviewer has one such comment: a changed decision changes its text, a withdrawn one withdraws it. It goes through the same
exactly-once writes as every other comment.
"""

import uuid
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from dashboard.platform_api.vocabulary import COMMENT_FORBIDDEN, COMMENT_TEXT_MAX, CommentStatus
from dashboard.writes import outbox as writes
from dashboard.writes.models import State, Write
from review_portal import forms, messages, outbox, rules, threads
from review_portal.decision_pages import describe_verdict
from review_portal.models import Comment, Decision, Reviewer, ReviewLink
from review_portal.outbox import Words
from review_portal.rules import Problem, Reason
from review_portal.videos import LinkVideo
from review_portal.writes import get_comment_id

CUT_OFF = "…"


def why_not_sent(link: ReviewLink, now: datetime) -> Problem | None:
    """Why the next decision on a link cannot become a comment; None where it can."""
    reason: Reason | None = rules.why_no_comment(link, now)
    return Problem("", reason) if reason else rules.check_quota(threads.count_main_comments(link), None)


def send_decision(decision: Decision) -> None:
    """Post the decision, or change the comment of the same reviewer's earlier one. What cannot be sent now is sent later.

    Once, however often it is called; one that a newer decision has replaced is not sent any more.
    """
    while decision.link.send_decisions and not _is_over(decision):
        begun = _list_begun(decision)
        comment = _find_comment(decision)
        if comment is not None:
            changes = _build_changes(decision, comment)
            if changes:
                outbox.change(comment, decision.reviewer, _build_key(decision), changes)
            return
        if decision.verdict == Decision.Verdict.WITHDRAWN or why_not_sent(decision.link, timezone.now()) is not None:
            return
        write = _begin(decision, begun)
        if write is not None:
            writes.deliver(write)
            return


def _begin(decision: Decision, begun: set[uuid.UUID]) -> Write | None:
    """Begin the decision's comment. None where an earlier one was begun after `begun` were listed, or a newer one was made:
    of two decisions at the same time one is the comment, and the other changes it or gives way.
    """
    link = decision.link
    words = Words(build_text(decision), decision.name, LinkVideo.from_kept(link.video).last_second or 0)
    with transaction.atomic():
        Reviewer.objects.select_for_update().get(pk=decision.reviewer_id)
        if _is_over(decision) or _list_begun(decision) - begun:
            return None
        return outbox.submit(link, decision.reviewer, _build_key(decision), words, hold=True)


def _list_begun(decision: Decision) -> set[uuid.UUID]:
    """The keys of the writes that this reviewer's earlier decisions began, however they ended."""
    earlier = Decision.objects.filter(reviewer=decision.reviewer, pk__lt=decision.pk)
    keys = [_build_key(other) for other in earlier]
    return set(Write.objects.filter(scope=str(decision.link_id), key__in=keys).values_list("key", flat=True))


def build_text(decision: Decision) -> str:
    """“Approved with changes: Lower the wordmark.”, as the platform takes it: what it refuses is replaced or left out."""
    label = describe_verdict(decision)
    text = rules.normalize(f"{label}: {decision.note}" if decision.note else label)
    for wrong, right in rules.REPAIRS:
        text = text.replace(wrong, right)
    text = "".join(character for character in text if character not in COMMENT_FORBIDDEN)
    while rules.count_length(text) > COMMENT_TEXT_MAX:
        text = text.removesuffix(CUT_OFF)[:-1].rstrip() + CUT_OFF
    return text


def _is_over(decision: Decision) -> bool:
    is_replaced = Decision.objects.filter(reviewer=decision.reviewer, pk__gt=decision.pk).exists()
    return is_replaced or writes.find(str(decision.link_id), _build_key(decision)) is not None


def _build_changes(decision: Decision, comment: Comment) -> dict[str, str]:
    may_resolve = rules.why_no_status(decision.link, timezone.now()) is None
    if decision.verdict == Decision.Verdict.WITHDRAWN:
        return forms.build_withdrawal(comment, messages.get_withdrawal_text(), may_resolve=may_resolve)
    text = build_text(decision)
    if comment.text == text:
        return {}
    reopens = may_resolve and comment.text in messages.list_withdrawal_texts()
    return {"text": text} | ({"status": CommentStatus.OPEN.value} if reopens else {})


def _find_comment(decision: Decision) -> Comment | None:
    """The comment of this reviewer's earlier decisions. One that has not left yet gives way to the newer decision."""
    earlier = Decision.objects.filter(reviewer=decision.reviewer, pk__lt=decision.pk).order_by("-pk")
    for other in earlier:
        write = writes.find(str(decision.link_id), _build_key(other))
        if write is None or (write.state == State.HELD and writes.cancel(write)):
            continue
        if comment := _get_comment(decision, write):
            return comment
    return None


def _get_comment(decision: Decision, write: Write) -> Comment | None:
    """What became of a write, also of one that is on its way or whose answer was lost: else there would be two."""
    writes.wait_for_answer(write)
    writes.settle_by_reading(write)
    comment_id = get_comment_id(write)
    if comment_id is None:
        return None
    return Comment.objects.select_related("link").filter(link=decision.link, comment_id=comment_id).first()


def _build_key(decision: Decision) -> uuid.UUID:
    return uuid.uuid5(decision.key, "comment")

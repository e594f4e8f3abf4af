"""Reviewers' decisions about the video of a link. They are stored here only: the platform has no such record.

Where the owner wishes it, a decision is also sent as a comment where the video ends. One reviewer has one such comment: a
changed decision changes its text, a withdrawn one withdraws it. It goes through the same exactly-once writes as every other
comment.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import COMMENT_FORBIDDEN, COMMENT_TEXT_MAX, CommentStatus
from dashboard.writes import outbox as writes
from dashboard.writes.models import State, Write
from review_portal import forms, messages, outbox, rules, sync, threads
from review_portal.context import Visit, create_key
from review_portal.models import Comment, Decision, Reviewer, ReviewLink
from review_portal.outbox import Words
from review_portal.rules import Problem, Reason
from review_portal.threads import Thread
from review_portal.videos import LinkVideo
from review_portal.writes import get_comment_id


def save_decision(link: ReviewLink, reviewer: Reviewer, key: uuid.UUID, verdict: str, note: str) -> Decision:
    """Save a decision, once for each form, and raise the link's version so that polls bring it."""
    with sync.new_version(link.pk) as version:
        decision, _is_new = Decision.objects.get_or_create(
            link=link,
            key=key,
            defaults={
                "reviewer": reviewer,
                "verdict": verdict,
                "note": note,
                "name": reviewer.name,
                "version": version,
            },
        )
    return decision


def find_decision(link: ReviewLink, key: uuid.UUID) -> Decision | None:
    """The decision that a form has brought already."""
    return Decision.objects.select_related("reviewer__link").filter(link=link, key=key).first()


def list_decisions(link: ReviewLink) -> list[Decision]:
    """The decisions that count: of each reviewer the newest, unless it was withdrawn; newest first."""
    return _select_valid(Decision.objects.filter(link=link).order_by("pk"))


def list_decisions_of(links: Sequence[ReviewLink]) -> list[Decision]:
    """The decisions that count of several links, newest first, in one query."""
    return _select_valid(Decision.objects.filter(link__in=links).order_by("pk"))


def list_unseen(account: Account) -> list[Decision]:
    """Those that count, of all links of an account, whose page no owner has opened since; newest first."""
    links = Decision.objects.filter(link__accounts=account, seen_at=None).values("link")
    return [
        decision
        for decision in _select_valid(Decision.objects.filter(link__in=links).select_related("link").order_by("pk"))
        if decision.seen_at is None
    ]


def _select_valid(decisions: Iterable[Decision]) -> list[Decision]:
    newest = {decision.reviewer_id: decision for decision in decisions}
    counting = [row for row in newest.values() if row.verdict != Decision.Verdict.WITHDRAWN]
    return sorted(counting, key=lambda row: row.pk, reverse=True)


def list_undecided(link: ReviewLink, decided: Iterable[Decision]) -> list[Reviewer]:
    """Reviewers who wrote through this link and have no decision that counts; each with `written`, how many comments."""
    guests = Reviewer.objects.filter(link=link, account=None).exclude(name="")
    guests = guests.exclude(pk__in=[decision.reviewer_id for decision in decided])
    return list(guests.annotate(written=Count("comments")).filter(written__gt=0).order_by("name"))


def count_since(decision: Decision, threads: Iterable[Thread]) -> tuple[int, int]:
    """Comments and replies of other people that came after a decision, of the threads that its reviewer sees."""
    entries = [(entry, entry is thread.first) for thread in threads for entry in thread.entries]
    new = [is_first for entry, is_first in entries if entry.born > decision.version and not entry.mine]
    return sum(new), len(new) - sum(new)


def mark_seen(link: ReviewLink, reviewer_id: uuid.UUID | None = None) -> None:
    """Mark the link's decisions, or those of one reviewer, as seen by an owner."""
    unseen = Decision.objects.filter(link=link, seen_at=None)
    unseen = unseen.filter(reviewer_id=reviewer_id) if reviewer_id else unseen
    unseen.update(seen_at=timezone.now())


Verdict = Decision.Verdict

LABELS = {
    Verdict.APPROVED: gettext_noop("Approved"),
    Verdict.CHANGES: gettext_noop("Approved with changes"),
    Verdict.ROUND: gettext_noop("Another round"),
}


@dataclass(frozen=True)
class DecisionForm:
    """The form that decides, as it was sent or as the decision stands; `own_open`: the reader's own open comments."""

    key: str
    verdict: str
    note: str
    name: str
    own_open: int
    errors: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class DecisionPage:
    """templates/review_portal/_decision.html: the reader's `own` decision, or its form, and everybody's.

    `comments` and `replies` of others came after the reader's own. `key`: of the form that withdraws it.
    """

    form: DecisionForm | None
    own: Decision | None
    everybody: list[Decision]
    undecided: list[Reviewer]
    is_open: bool
    comments: int = 0
    replies: int = 0
    key: str = ""


def build_decision_page(
    visit: Visit, typed: Mapping[str, str] | None = None, problems: list[Problem] | None = None
) -> DecisionPage:
    """Decisions of a link for one reader; `typed` and `problems` of a form that was refused."""
    every = list_decisions(visit.link)
    own = next((row for row in every if visit.reviewer and row.reviewer_id == visit.reviewer.pk), None)
    is_open = rules.why_no_writing(visit.link, visit.now) is None
    has_form = is_open and (own is None or typed is not None or "change" in visit.request.GET)
    comments, replies = count_since(own, visit.threads) if own and not has_form else (0, 0)
    return DecisionPage(
        form=_build_form(visit, own, typed, problems or []) if has_form else None,
        own=own,
        everybody=every,
        undecided=list_undecided(visit.link, every),
        is_open=is_open,
        comments=comments,
        replies=replies,
        key=create_key(),
    )


def _build_form(
    visit: Visit, own: Decision | None, typed: Mapping[str, str] | None, problems: list[Problem]
) -> DecisionForm:
    errors: dict[str, tuple[str, ...]] = {}
    for problem in problems:
        errors[problem.field] = (*errors.get(problem.field, ()), messages.describe_problem(problem))
    before = {"verdict": own.verdict, "text": own.note} if own else {}
    values = typed if typed is not None else before
    return DecisionForm(
        key=create_key(),
        verdict=values.get("verdict", ""),
        note=values.get("text", ""),
        name=values.get("user_name", visit.reviewer.name if visit.reviewer else ""),
        own_open=sum(thread.is_open and thread.first.mine for thread in visit.threads),
        errors=errors,
    )


def describe_verdict(decision: Decision) -> str:
    """The verdict in words: Approved with changes."""
    return _(LABELS[Verdict(decision.verdict)])


def load_as_owner(link: ReviewLink) -> list[Decision]:
    """The decisions of a link for its owner, newest first; marks them as seen."""
    every = list_decisions(link)
    mark_seen(link)
    return every


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

"""Checks of what was open on the cut before: which comments, what was answered, and answering.

A comment that is not fixed is added to this cut by a write whose key depends on both alone, so whoever answers, and however
often, it is added once. One that is fixed is resolved through the link of the cut before, where that link allows it.
"""

import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.platform_api.vocabulary import COMMENT_FORBIDDEN, COMMENT_TEXT_MAX, USER_NAME_MAX, CommentStatus
from dashboard.shared.formats import clock
from dashboard.writes import outbox as writes
from dashboard.writes.models import State, Write
from review_portal import drawing_forms, outbox, reviewers, rules
from review_portal.cuts import NumberedCut
from review_portal.drawings import strip_address
from review_portal.frames import FrameTime
from review_portal.models import Comment, CutCheck, Reviewer, ReviewLink
from review_portal.outbox import DrawingPost, Words
from review_portal.rules import LinkState
from review_portal.senders import NOBODY, Sender
from review_portal.threads import DrawnStill, load_drawings, load_frames
from review_portal.videos import LinkVideo

READABLE: Final = frozenset({LinkState.OPEN, LinkState.EXPIRED})
PATIENCE: Final = 3.0
"""Seconds that whoever saves waits for the platform."""


class Answer(StrEnum):
    """What was answered about a comment of the cut before."""

    NONE = ""
    FIXED = "fixed"
    NOT_FIXED = "not"


@dataclass(frozen=True)
class CheckItem:
    """A comment of the cut before and how it stands in this one.

    `write` adds it here, while that is known. `opening`: what its text begins with where it came from a cut before that.
    `frame` and `drawing`: what is kept beside it there.
    """

    comment: Comment
    check: CutCheck | None = None
    write: Write | None = None
    opening: str = ""
    frame: FrameTime | None = None
    drawing: DrawnStill | None = None

    @property
    def answer(self) -> Answer:
        """The answer that counts: "not fixed" only while the comment is here, or comes."""
        if self.check is None:
            return Answer.NONE
        if self.check.fixed:
            return Answer.FIXED
        is_here = self.check.added_id is not None or (self.write is not None and self.write.state != State.REFUSED)
        return Answer.NOT_FIXED if is_here else Answer.NONE

    @property
    def words(self) -> str:
        """What its first writer said."""
        text = self.comment.text
        if self.drawing:
            text = strip_address(text, self.drawing.short)
        return text.removeprefix(self.opening).strip() or text if self.opening else text


@dataclass(frozen=True)
class AddedText:
    """A comment as it is added to this cut. `left_out`: characters at its end for which there is no room.

    `drawing` has its shapes, under an address of this cut's.
    """

    text: str
    opening: str
    left_out: int
    replaced: tuple[tuple[str, str], ...]
    """Characters that the platform refuses, and what stands in their places; "" for nothing."""
    drawing: DrawingPost | None


def count_checkable(link: ReviewLink, before: ReviewLink, now: datetime) -> int:
    """How many comments `list_items` has."""
    return _list_comments(link, before, now).count()


def list_items(link: ReviewLink, before: ReviewLink, now: datetime) -> list[CheckItem]:
    """Comments that were open on the cut before, by time, with what was answered about them."""
    answers = Comment.objects.filter(link=before, reply_to=OuterRef("comment_id")).order_by().values("reply_to")
    counted = _list_comments(link, before, now).annotate(replies=Subquery(answers.annotate(n=Count("pk")).values("n")))
    comments = list(counted.order_by("time", "created_at", "pk"))
    checks = {check.comment_id: check for check in CutCheck.objects.filter(link=link, comment__in=comments)}
    keys = [check.key for check in checks.values() if check.key]
    sent = {write.key: write for write in Write.objects.filter(_COUNTS, scope=str(link.pk), key__in=keys)}
    came = CutCheck.objects.filter(link=before, added_id__in=[comment.comment_id for comment in comments])
    openings = dict(came.values_list("added_id", "opening"))
    frames, drawings = load_frames(before.video_id), load_drawings(before.video_id)
    items = []
    for comment in comments:
        check = checks.get(comment.pk)
        write = sent.get(check.key) if check and check.key else None
        key = comment.comment_id
        frame, drawing = frames.find(key, comment.time), drawings.get(key)
        items.append(CheckItem(comment, check, write, openings.get(key, ""), frame, drawing))
    return items


_COUNTS: Final = ~Q(state=State.CANCELLED) & ~Q(state=State.REFUSED, shown=False)
"""Writes that are not over: see `outbox.find_attempt`."""


def _list_comments(link: ReviewLink, before: ReviewLink, now: datetime) -> QuerySet[Comment]:
    """Top-level comments of the cut before that are open, or were when somebody answered; none of a link that shows none."""
    tops = Comment.objects.filter(link=before, reply_to=None)
    if rules.state_of(before, now) not in READABLE or before.video_id == link.video_id:
        return tops.none()
    checked = CutCheck.objects.filter(link=link).values("comment")
    return tops.filter(~Q(status=CommentStatus.RESOLVED) | Q(pk__in=checked))


def build_added(before: NumberedCut, item: CheckItem, stills: str) -> AddedText:
    """The comment as it is added to the next cut, in the language of whoever adds it, within the platform's limits.

    `stills`: where the stills of that cut's drawings are, "" where their addresses are not sent.
    """
    drawing = drawing_forms.build_post(item.drawing.sketch, stills) if item.drawing else None
    values = {"time": clock(item.comment.time), "cut": before.number, "name": item.comment.user_name[:USER_NAME_MAX]}
    opening, _replaced = _repair(_("%(time)s in cut %(cut)s, %(name)s:") % values)
    text, replaced = _repair(rules.normalize(item.words))
    suffix = drawing_forms.get_suffix(drawing)
    short = _shorten(text, COMMENT_TEXT_MAX - rules.count_length(f"{opening} {suffix}"))
    left_out = 0 if short == text else len(text) - len(short) + 1
    return AddedText(f"{opening} {short}", opening, left_out, replaced, drawing)


def _repair(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text without characters that the platform refuses, and what stands in the place of each kind."""
    replaced: dict[str, str] = {}
    for wrong, right in rules.REPAIRS:
        if wrong in text:
            text, replaced[wrong] = text.replace(wrong, right), right
    for character in sorted(set(text) & set(COMMENT_FORBIDDEN)):
        text, replaced[character] = text.replace(character, ""), ""
    return text, tuple(replaced.items())


def _shorten(text: str, room: int) -> str:
    """The text with at most `room` characters as the platform counts them, cut between words, with an ellipsis."""
    if rules.count_length(text) <= room:
        return text
    short = text[: room - 1]
    while rules.count_length(short) > room - 1:
        short = short[:-1]
    words = short.rsplit(maxsplit=1)
    return (words[0] if len(words) > 1 and len(words[0]) > room // 2 else short.rstrip()) + "…"


def find_frame(link: ReviewLink, item: CheckItem, time: int, rate: str) -> FrameTime | None:
    """The frame that the comment keeps in this cut: its own, at the same time in a video of the same rate.

    `rate`: of this cut as the browser measured it. Where nobody did, the moment counts, and no rate is claimed for it.
    """
    if item.frame is None or time != item.comment.time:
        return None
    rate = rate or load_frames(link.video_id).rate
    if not rate:
        return replace(item.frame, rate="")
    return item.frame if item.frame.rate in ("", rate) else None


def get_time(link: ReviewLink, comment: Comment) -> int:
    """Where in this cut a comment of the cut before stands: at the same second, or at the end of a shorter one."""
    last = LinkVideo.from_kept(link.video).last_second
    return comment.time if last is None else min(comment.time, last)


@dataclass(frozen=True)
class CheckAnswer:
    """An answer that a form gives about a comment. `time`: where in this cut one that is not fixed belongs."""

    item: CheckItem
    answer: Answer
    time: int


def save_answers(
    link: ReviewLink,
    before: NumberedCut,
    answers: Iterable[CheckAnswer],
    reviewer: Reviewer,
    form: uuid.UUID,
    sender: Sender = NOBODY,
) -> list[CheckAnswer]:
    """Keep answers and send what follows from them. `form`: the key of the form that brought them.

    A comment that is added brings its drawing, and its exact frame where both videos have the same rate. Returns those
    that were not kept, because somebody else answered meanwhile. What the platform does not take within `PATIENCE` seconds
    is sent later, without anybody waiting for it.
    """
    begun, missed = [], []
    for given in answers:
        attempt = _find_attempt(link, given.item) if given.answer == Answer.NOT_FIXED else None
        added = build_added(before, given.item, sender.stills)
        if not _keep(link, given, reviewer, attempt, added.opening if attempt else ""):
            missed.append(given)
        elif attempt is not None:
            frame = find_frame(link, given.item, given.time, sender.rate)
            words = Words(added.text, reviewer.name, given.time, frame=frame, drawing=added.drawing)
            begun.append(outbox.submit(link, reviewer, attempt, words, hold=True))
        else:
            begun += _resolve_before(before.link, given.item.comment, reviewer, form)
    _deliver(begun)
    return missed


def are_kept(link: ReviewLink, reviewer: Reviewer | None, answers: Mapping[uuid.UUID, str]) -> bool:
    """Whether all these answers, by comment, are kept as this reviewer's, of whichever cut."""
    checks = CutCheck.objects.filter(link=link, reviewer=reviewer, comment__comment_id__in=answers)
    own = {
        comment: Answer.FIXED if fixed else Answer.NOT_FIXED
        for comment, fixed in checks.values_list("comment__comment_id", "fixed")
    }
    return reviewer is not None and bool(answers) and all(own.get(key) == answers[key] for key in answers)


def _deliver(begun: list[Write]) -> None:
    """Send now what can be sent soon; the worker sends the others when their hold is over."""
    until = time.monotonic() + PATIENCE
    for write in begun:
        if time.monotonic() > until or (write.state == State.HELD and writes.deliver(write).state != State.DONE):
            return


def _find_attempt(link: ReviewLink, item: CheckItem) -> uuid.UUID:
    """The key under which the comment is added: always the same, until an attempt is over that added nothing."""
    key = uuid.uuid5(link.pk, f"from cut {item.comment.comment_id}")
    write, key = outbox.find_attempt(link, key)
    if write is not None and write.state == State.REFUSED:
        writes.dismiss(write)
        _write, key = outbox.find_attempt(link, key)
    return key


def _keep(link: ReviewLink, given: CheckAnswer, reviewer: Reviewer, attempt: uuid.UUID | None, opening: str) -> bool:
    """Write the answer down, unless somebody else answered meanwhile. The same answer of the same reviewer is kept already."""
    is_fixed = given.answer == Answer.FIXED
    fields = {
        "fixed": is_fixed,
        "reviewer": reviewer,
        "name": reviewer.name,
        "checked_at": timezone.now(),
        "key": attempt,
        "opening": opening,
    }
    check = given.item.check
    try:
        with transaction.atomic():
            if check is None:
                CutCheck.objects.create(link=link, comment=given.item.comment, **fields)
                return True
            same = CutCheck.objects.filter(pk=check.pk, fixed=check.fixed, key=check.key, added_id=None)
            if same.update(**fields):
                return True
    except IntegrityError:
        pass  # another press came first: perhaps of the same form
    own = CutCheck.objects.filter(link=link, comment=given.item.comment, reviewer=reviewer)
    return own.filter(fixed=is_fixed, key=attempt).exists()


def _resolve_before(before: ReviewLink, comment: Comment, reviewer: Reviewer, form: uuid.UUID) -> list[Write]:
    """Resolve a comment through the link of the cut before, as the same person there; [] where that link does not allow it."""
    if comment.status == CommentStatus.RESOLVED or rules.why_no_status(before, timezone.now()) is not None:
        return []
    first, key = outbox.find_attempt(before, uuid.uuid5(form, f"fixed {comment.comment_id}"))
    if first is not None:
        return []
    person = reviewers.create_reviewer(before, reviewer.name, reviewer.pk)
    return [outbox.change(comment, person, key, {"status": CommentStatus.RESOLVED.value}, hold=True)]

"""Cuts of one film: which links an account put in order, how that order is changed, and what was open on the cut before.

A link counts as a cut while the account that declared the series owns it. A link is in one series at most, and a series has
one link for each video: comments belong to the video, so two links of one video are the same cut.

A comment that is not fixed is added to this cut by a write whose key depends on both alone, so whoever answers, and however
often, it is added once. One that is fixed is resolved through the link of the cut before, where that link allows it.
"""

import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import COMMENT_FORBIDDEN, COMMENT_TEXT_MAX, USER_NAME_MAX, CommentStatus
from dashboard.shared.formats import clock
from dashboard.writes import outbox as writes
from dashboard.writes.models import State, Write
from review_portal import outbox, reviewers, rules, sync
from review_portal.drawings import strip_address
from review_portal.models import Comment, Cut, CutCheck, CutSeries, Reviewer, ReviewLink
from review_portal.outbox import NOBODY, DrawingPost, Sender, Words
from review_portal.rules import LinkState
from review_portal.threads import DrawnStill, load_drawings, load_frames
from review_portal.videos import FrameTime, LinkVideo

CUTS_MAX: Final = 20


class CutRefusal(StrEnum):
    """Why a link does not become the next cut of another."""

    SAME_LINK = "same-link"
    SAME_VIDEO = "same-video"
    IN_SERIES = "in-series"
    """The link is a cut already."""
    OF_OTHERS = "of-others"
    """Another account that owns the earlier link declared its series."""
    TOO_MANY = "too-many"


@dataclass(frozen=True)
class NumberedCut:
    """A cut by its number, counted from 1."""

    number: int
    link: ReviewLink


def list_cuts(link: ReviewLink) -> tuple[NumberedCut, ...]:
    """The cuts of the series that `link` belongs to, in order; () where it is in none, or alone."""
    rows = _list_valid().filter(series__cuts__link=link).select_related("link")
    numbered = tuple(NumberedCut(number, row.link) for number, row in enumerate(rows, 1))
    return numbered if len(numbered) > 1 and any(cut.link.pk == link.pk for cut in numbered) else ()


def load_numbers(account: Account) -> dict[uuid.UUID, tuple[int, int]]:
    """By link, its number and how many cuts there are, of all series that the account may know: those of its own links."""
    own = CutSeries.objects.filter(cuts__link__accounts=account)
    series: dict[int, list[uuid.UUID]] = {}
    for series_id, link_id in _list_valid().filter(series__in=own).values_list("series", "link"):
        series.setdefault(series_id, []).append(link_id)
    return {
        link_id: (number, len(links))
        for links in series.values()
        if len(links) > 1
        for number, link_id in enumerate(links, 1)
    }


def _list_valid() -> QuerySet[Cut]:
    return Cut.objects.filter(link__confirmed=True, link__accounts=F("series__account")).order_by("place", "pk")


def find_number(cuts: Sequence[NumberedCut], link: ReviewLink) -> int:
    """The number of a link among the cuts of its series; 0 where it is none of them."""
    return next((cut.number for cut in cuts if cut.link.pk == link.pk), 0)


def find_before(link: ReviewLink) -> NumberedCut | None:
    """The cut just before `link`."""
    cuts = list_cuts(link)
    number = find_number(cuts, link)
    return cuts[number - 2] if number > 1 else None


def owns_series(account: Account, link: ReviewLink) -> bool:
    """Whether the account declared the series of `link`: it alone changes it."""
    return Cut.objects.filter(link=link, series__account=account).exists()


def list_candidates(account: Account, link: ReviewLink | None, video_id: uuid.UUID) -> QuerySet[ReviewLink]:
    """The account's links that `link`, or a new one of the video, may be the next cut of; newest first."""
    others = ReviewLink.objects.filter(accounts=account, confirmed=True).exclude(video_id=video_id)
    others = others.exclude(cut__in=Cut.objects.exclude(series__account=account))
    if link is not None:
        others = others.exclude(pk=link.pk)
    return others.order_by("-created_at", "-known_since", "pk")


def place_after(account: Account, link: ReviewLink, earlier: ReviewLink) -> CutRefusal | None:
    """Make `link` the cut that follows `earlier`; both are the account's. Returns why not, or None.

    Asked for once more, it changes nothing.
    """
    try:
        with transaction.atomic():
            sync.lock({link.pk, earlier.pk})
            return _place_after(account, link, earlier)
    except IntegrityError:  # one of them became a cut between the look and the row
        return CutRefusal.IN_SERIES


def _place_after(account: Account, link: ReviewLink, earlier: ReviewLink) -> CutRefusal | None:
    before = Cut.objects.select_related("series").filter(link=earlier).first()
    row = Cut.objects.filter(link=link).first()
    if row is not None:
        is_there = before is not None and before.series_id == row.series_id and before.place == row.place - 1
        return None if is_there else CutRefusal.IN_SERIES
    if link.pk == earlier.pk:
        return CutRefusal.SAME_LINK
    if before is not None and before.series.account_id != account.pk:
        return CutRefusal.OF_OTHERS
    if link.video_id in _list_videos(before, earlier):
        return CutRefusal.SAME_VIDEO
    if before is None:
        before = Cut.objects.create(series=CutSeries.objects.create(account=account), link=earlier, place=1)
    rows = _lock_rows(before.series)
    if len(rows) >= CUTS_MAX:
        return CutRefusal.TOO_MANY
    after = next(place for place, cut in enumerate(rows, 1) if cut.pk == before.pk)
    _write_places([*rows[:after], Cut(series=before.series, link=link, place=0), *rows[after:]])
    return None


def _list_videos(before: Cut | None, earlier: ReviewLink) -> set[uuid.UUID]:
    if before is None:
        return {earlier.video_id}
    return set(Cut.objects.filter(series=before.series).values_list("link__video_id", flat=True))


def move(account: Account, link: ReviewLink, steps: int) -> bool:
    """Move a cut of the account's `steps` places back (below nought: forward). False where there is no such place."""
    with transaction.atomic():
        cut = Cut.objects.select_related("series").filter(link=link, series__account=account).first()
        if cut is None:
            return False
        rows = _lock_rows(cut.series)
        place = next(place for place, row in enumerate(rows) if row.pk == cut.pk)
        if not 0 <= place + steps < len(rows):
            return False
        rows.insert(place + steps, rows.pop(place))
        _write_places(rows)
    return True


def remove(account: Account, link: ReviewLink) -> bool:
    """Take a link out of the account's series; one that is left alone is no cut any more. False where it is in none."""
    with transaction.atomic():
        cut = Cut.objects.select_related("series").filter(link=link, series__account=account).first()
        if cut is None:
            return False
        rows = [row for row in _lock_rows(cut.series) if row.pk != cut.pk]
        cut.delete()
        if len(rows) > 1:
            _write_places(rows)
        else:
            cut.series.delete()
    return True


def _lock_rows(series: CutSeries) -> list[Cut]:
    """The cuts of a series, in order; nobody else changes them until the transaction ends."""
    list(CutSeries.objects.select_for_update().filter(pk=series.pk))
    return list(Cut.objects.filter(series=series).order_by("place", "pk"))


def _write_places(rows: Sequence[Cut]) -> None:
    for place, row in enumerate(rows, 1):
        if row.place != place:
            row.place = place
            row.save()


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
        items.append(
            CheckItem(
                comment=comment, check=check, write=write, opening=openings.get(key, ""), frame=frame, drawing=drawing
            )
        )
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
    drawing = outbox.build_post(item.drawing.sketch, stills) if item.drawing else None
    values = {"time": clock(item.comment.time), "cut": before.number, "name": item.comment.user_name[:USER_NAME_MAX]}
    opening, _replaced = _repair(_("%(time)s in cut %(cut)s, %(name)s:") % values)
    text, replaced = _repair(rules.normalize(item.words))
    suffix = outbox.get_suffix(drawing)
    short = _shorten(text, COMMENT_TEXT_MAX - rules.count_length(f"{opening} {suffix}"))
    left_out = 0 if short == text else len(text) - len(short) + 1
    return AddedText(text=f"{opening} {short}", opening=opening, left_out=left_out, replaced=replaced, drawing=drawing)


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

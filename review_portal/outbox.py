"""Posting exactly once, without a worker.

An attempt is a `Submission` row before anything leaves. Whoever moves it from held to sending, in one conditional
update, sends it; nobody else can. A held one leaves with the first request of its link after its time: its writer's
countdown, anybody's poll, the owner's desk, or "Send now".

| what came back | then |
|---|---|
| the comment | sent; it is in the copy in the same transaction |
| no connection was made, 429, 503 | certainly not posted: held again, tried later, a little slower each time |
| 4xx | refused, with the platform's words; the text goes back to its writer |
| nothing, or anything else | unconfirmed: never posted again by itself. Where the platform can be read, reading settles it |
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Min, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard import clients
from dashboard.activity import recorder
from dashboard.platform_api import errors, records
from review_portal import mirror
from review_portal.models import Comment, Reviewer, ReviewLink, State, Submission

HOLD = timedelta(seconds=5)
"""How long a comment can be taken back before it leaves."""
STUCK = timedelta(seconds=150)
"""A call that has not come back after this (longer than any PLATFORM_TIMEOUT) died with its process."""
SETTLE = timedelta(seconds=20)
"""A late answer may still be on its way: an attempt that reading does not find counts as lost only after this."""
LOOK_AGAIN = timedelta(seconds=5)
SLOWER = (5, 10, 20, 40, 60)
"""Seconds between attempts while the platform cannot be reached."""
SAME_WORDS = timedelta(seconds=60)
"""The same words of one person at the same place within this are one comment: two tabs, or a second click."""

SETTLED = (State.SENT, State.REFUSED, State.TAKEN_BACK)
NOT_RECEIVED = "not_received"
"""`Submission.reason` of an attempt that a read did not find: it never arrived."""


@dataclass(frozen=True)
class Words:
    """What is posted: all of it already checked by the forms. `reply_to` is a top-level comment of the link, or None."""

    text: str
    user_name: str
    time: int
    reply_to: uuid.UUID | None = None

    def payload(self) -> dict[str, Any]:
        """The body of the call [4.7]: a reply inherits its parent's time."""
        body: dict[str, Any] = {"text": self.text, "user_name": self.user_name}
        return body | ({"reply_to": str(self.reply_to)} if self.reply_to else {"time": self.time})


def submit(link: ReviewLink, reviewer: Reviewer, key: uuid.UUID, words: Words, *, hold: bool) -> Submission:
    """Begin an attempt, and finish it unless it is held. The same attempt again returns the first one as it stands.

    `key` comes from the form and stays the same through double clicks, reloads and the back button; other words under
    the same key are another attempt.
    """
    own_key = uuid.uuid5(key, f"{reviewer.pk}\n{words.time}\n{words.reply_to}\n{words.text}")
    first = _same_words(reviewer, words) or Submission.objects.filter(key=own_key).first()
    if first is not None:
        return again(first, hold=hold) if first.state in (State.REFUSED, State.TAKEN_BACK) else first
    try:
        with transaction.atomic():
            submission = Submission.objects.create(
                link=link,
                reviewer=reviewer,
                key=own_key,
                due_at=timezone.now() + (HOLD if hold else timedelta()),
                **vars(words),
            )
            _plan(link)  # before anything leaves: a process that dies now leaves work that somebody finds
    except IntegrityError:
        return Submission.objects.get(key=own_key)
    return submission if hold else send(submission)


def again(submission: Submission, *, hold: bool = False) -> Submission:
    """Post an attempt once more because its writer says so: one that was refused, taken back, or never confirmed."""
    ended = Submission.objects.filter(pk=submission.pk, state__in=(State.REFUSED, State.TAKEN_BACK, State.UNCONFIRMED))
    due_at = timezone.now() + (HOLD if hold else timedelta())
    ended.update(state=State.HELD, due_at=due_at, shown=True, attempts=0, reason="", message="")
    submission.refresh_from_db()
    _plan(submission.link)
    return send(submission) if submission.state == State.HELD and not hold else submission


def _same_words(reviewer: Reviewer, words: Words) -> Submission | None:
    since = timezone.now() - SAME_WORDS
    alive = (State.HELD, State.SENDING, State.SENT, State.UNCONFIRMED)
    same = reviewer.submissions.filter(state__in=alive, created_at__gte=since, text=words.text)
    return same.filter(reply_to=words.reply_to, time=words.time).first()


def outbox_of(reviewer: Reviewer | None) -> list[Submission]:
    """What is on its way or came back, oldest first."""
    if reviewer is None:
        return []
    mine = reviewer.submissions.filter(shown=True).exclude(state__in=(State.SENT, State.TAKEN_BACK))
    return list(mine.order_by("pk"))


def deliver_due(link: ReviewLink) -> None:
    """Do what is due on this link: send what was held long enough, look after what got no answer."""
    now = timezone.now()
    if link.next_due_at is None or link.next_due_at > now:
        return
    due = Submission.objects.filter(link=link, due_at__lte=now).select_related("reviewer", "link").order_by("pk")
    for submission in due:
        if submission.state == State.HELD:
            send(submission)
        elif submission.state == State.SENDING:
            _end(submission, State.UNCONFIRMED, due_at=now, reason="stuck")
            check(submission)
        elif submission.state == State.UNCONFIRMED:
            check(submission)
    _plan(link)
    link.refresh_from_db()


def send(submission: Submission) -> Submission:
    """Send a held attempt; one that somebody else took meanwhile is returned as it stands."""
    now = timezone.now()
    mine = Submission.objects.filter(pk=submission.pk, state=State.HELD)
    if not mine.update(state=State.SENDING, sent_at=now, due_at=now + STUCK, attempts=submission.attempts + 1):
        submission.refresh_from_db()
        return submission
    submission.refresh_from_db()
    try:
        answer = _call(submission)
        _arrived(submission, answer)
    except errors.PlatformError as error:
        _came_back(submission, error)
    except ValueError:  # accepted, but the answer does not say as what
        _end(submission, State.UNCONFIRMED, due_at=_next_look(), reason="unreadable")
    _plan(submission.link)
    return submission


def _call(submission: Submission) -> records.Comment:
    link, reviewer = submission.link, submission.reviewer
    words = Words(submission.text, submission.user_name, submission.time, submission.reply_to)
    written = recording(
        link,
        "public_review.create_comment",
        reviewer,
        submission.text,
        actor=submission.user_name,
        after=words.payload(),
    )
    with written:
        return clients.reviewer_platform().public_review.create_comment(link.pk, reviewer.token, words.payload())


@contextmanager
def recording(
    link: ReviewLink, operation: str, reviewer: Reviewer, label: str, *, actor: str = "", **states: Any
) -> Iterator[None]:
    """Write the call into the activity log of the account it concerns; nowhere without one.

    That is the account that acts itself, else the one the link belongs to. Without `actor` it is the reviewer's name.
    """
    account = reviewer.account or link.accounts.first()
    if account is None:
        yield
        return
    actor = actor or reviewer.name or _("A reviewer without a name")
    with recorder.recorded(None, operation, target=str(link.pk), label=label, account=account, actor=actor, **states):
        yield


def _arrived(submission: Submission, answer: records.Comment) -> None:
    """Comment and outcome are written together: a crash in between leaves an attempt that reading settles."""
    with transaction.atomic():
        comment = mirror.store(submission.link, answer, submission.reviewer)
        _end(submission, State.SENT, comment_id=comment.comment_id, shown=False)


def _came_back(submission: Submission, error: errors.PlatformError) -> None:
    wait = error.retry_after or SLOWER[min(submission.attempts, len(SLOWER)) - 1]
    kind = type(error).__name__
    if certainly_not_received(error):
        due_at = timezone.now() + timedelta(seconds=min(wait, 300))
        _end(submission, State.HELD, due_at=due_at, reason=kind, message=error.message)
    elif recorder.ambiguous(error):
        _end(submission, State.UNCONFIRMED, due_at=_next_look(), reason=kind, message=error.message)
    else:
        _end(submission, State.REFUSED, reason=kind, message=error.message)
        if isinstance(error, errors.NotAllowed | errors.Missing):
            mirror.forget_link_reading(submission.link)


def certainly_not_received(error: errors.PlatformError) -> bool:
    """No connection, or a plain "not now": the only cases in which a post may leave again by itself."""
    if isinstance(error, errors.Unreachable):
        return not error.sent
    return isinstance(error, errors.RateLimited) or (isinstance(error, errors.PlatformDown) and error.status == 503)


def _next_look() -> datetime | None:
    """When an unconfirmed attempt is looked after; never by itself where the platform cannot be read."""
    return timezone.now() + LOOK_AGAIN if mirror.readable() else None


def check(submission: Submission) -> Submission:
    """Settle an unconfirmed attempt by reading: it is there, or it certainly is not, or it is still too early to say.

    On a link that hides resolved comments nothing is ever certainly not there: its writer decides.
    """
    if submission.state != State.UNCONFIRMED or not mirror.readable():
        return submission
    link = submission.link
    if mirror.merge(link, at_once=True) is not None:
        _end(submission, State.UNCONFIRMED, due_at=_next_look(), reason=submission.reason)
    elif (comment := _found(submission)) is not None:
        with transaction.atomic(), mirror.new_version(link.pk) as version:
            Comment.objects.filter(pk=comment.pk).update(reviewer=submission.reviewer, version=version)
            _end(submission, State.SENT, comment_id=comment.comment_id, shown=False)
    elif not link.show_resolved and _settled(submission):
        _end(submission, State.UNCONFIRMED, reason=submission.reason)
    elif _settled(submission):
        _end(submission, State.REFUSED, reason=NOT_RECEIVED)
    else:
        _end(submission, State.UNCONFIRMED, due_at=_next_look(), reason=submission.reason)
    _plan(link)
    return submission


def _settled(submission: Submission) -> bool:
    return timezone.now() - (submission.sent_at or submission.created_at) > SETTLE


def _found(submission: Submission) -> Comment | None:
    """A comment of the link with these very words that nobody here is known to have written, made since it was sent."""
    claimed = Submission.objects.filter(link=submission.link, comment_id__isnull=False).values("comment_id")
    same = Comment.objects.filter(
        link=submission.link, reviewer=None, text=submission.text, user_name=submission.user_name
    )
    same = same.filter(reply_to=submission.reply_to).exclude(comment_id__in=claimed)
    if submission.reply_to is None:
        same = same.filter(time=submission.time)
    since = (submission.sent_at or submission.created_at) - timedelta(minutes=2)  # the two clocks may differ
    return same.filter(Q(created_at=None) | Q(created_at__gte=since)).order_by("created_at").first()


def take_back(submission: Submission) -> bool:
    """Undo a held attempt. False when it is too late: it has left."""
    held = Submission.objects.filter(pk=submission.pk, state=State.HELD)
    taken = bool(held.update(state=State.TAKEN_BACK, due_at=None, shown=False))
    submission.refresh_from_db()
    _plan(submission.link)
    return taken


def dismiss(submission: Submission) -> None:
    """Its writer has seen how it ended, or decided that an unconfirmed one is there: it leaves the outbox."""
    ended = (State.REFUSED, State.UNCONFIRMED)
    Submission.objects.filter(pk=submission.pk, state__in=ended).update(shown=False, due_at=None)
    submission.refresh_from_db()


def _end(submission: Submission, state: State, **fields: Any) -> None:
    """Write how it stands now and let watchers know; `due_at` is cleared unless given."""
    fields = {"due_at": None, "message": ""} | fields | {"state": state}
    with mirror.new_version(submission.link_id):
        for name, value in fields.items():
            setattr(submission, name, value)
        submission.save(update_fields=list(fields))


def _plan(link: ReviewLink) -> None:
    """Write on the link when its outbox next has work."""
    due = Submission.objects.filter(link=link, due_at__isnull=False).aggregate(next=Min("due_at"))["next"]
    ReviewLink.objects.filter(pk=link.pk).update(next_due_at=due)
    link.next_due_at = due

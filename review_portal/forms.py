"""Forms of reviewers, checked by the rules of the specification before anything is sent; problems name their field."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX, CommentStatus
from dashboard.shared import formats
from dashboard.shared.text import parse_uuid
from review_portal import outbox, rules, threads, videos
from review_portal.cuts import Answer, CheckAnswer, CheckItem, get_time
from review_portal.models import Comment, Decision, Reviewer, ReviewLink
from review_portal.outbox import NOBODY, DrawingPost, Sender, Words
from review_portal.rules import Problem, Reason
from review_portal.videos import LinkVideo

VERDICTS = frozenset({Decision.Verdict.APPROVED.value, Decision.Verdict.CHANGES.value, Decision.Verdict.ROUND.value})


@dataclass(frozen=True)
class Post:
    """A comment or reply as it was typed, what is wrong with it, and what will be sent when nothing is."""

    typed: Mapping[str, str]
    problems: list[Problem]
    words: Words | None
    hold: bool


def read_post(link: ReviewLink, data: Mapping[str, str], *, by_owner: bool = False, sender: Sender = NOBODY) -> Post:
    """Check a post of the composer [4.7], or of the owner's desk. Nothing typed is changed but line breaks and the space
    around it."""
    text = rules.normalize(data.get("text", ""))
    name = rules.normalize_name(data.get("user_name", ""))
    drawing: DrawingPost | None = None
    problems: list[Problem] = []
    suffix = ""
    if data.get("drawing") and not data.get("reply_to"):
        drawing, problems = outbox.read_new(data["drawing"], sender.stills)
        suffix = outbox.get_suffix(drawing)
    problems += rules.check_text(text, address=suffix)
    problems += rules.check_name(name) if by_owner else _check_guest_name(link, name)
    parent, missing = _find_parent(link, data["reply_to"]) if data.get("reply_to") else (None, [])
    problems += missing
    seconds: int | None = None
    if parent is not None:
        if parent.reply_to is not None:
            text = rules.add_mention(text, parent.user_name)
            problems += [p for p in rules.check_text(text) if p.reason == Reason.TEXT_TOO_LONG and p not in problems]
        seconds = parent.time
    elif not missing:
        seconds, wrong = rules.check_time(data.get("time", ""), LinkVideo.from_kept(link.video).last_second)
        problems += [wrong] if wrong else []
    if not problems:
        problems += _check_limit(link, parent)
    words = None
    if not problems and seconds is not None:
        is_framed = parent is None and data.get("frame")
        frame = videos.parse_frame(data["frame"], seconds, sender.rate) if is_framed else None
        words = Words(
            text=text,
            user_name=name,
            time=seconds,
            reply_to=(parent.reply_to or parent.comment_id) if parent else None,
            frame=frame,
            drawing=drawing,
        )
    return Post(data, problems, words, data.get("hold") == "1")


def read_key(data: Mapping[str, str], *about: object) -> uuid.UUID:
    """What the form in `data` is known by when it is sent again: its key, with what it says and what it is `about`.

    Other words under the same key are another attempt: the back button shows an old form for something new. A form without
    a key is a new attempt each time.
    """
    values = [rules.normalize(data.get("text", ""))]
    values += [data.get(name, "").strip() for name in ("time", "reply_to", "status", "withdraw")]
    if data.get("drawing") or (about and "drawing" in data):  # an edit deletes it; else the key of the version before
        values.append(data["drawing"])
    return uuid.uuid5(parse_uuid(data.get("key", "")) or uuid.uuid4(), "\n".join([*map(str, about), *values]))


@dataclass(frozen=True)
class DecisionPost:
    """A decision as it was sent, and what is wrong with it."""

    verdict: str
    note: str
    name: str
    problems: list[Problem]


def read_decision(link: ReviewLink, data: Mapping[str, str]) -> DecisionPost:
    """Check a decision: one of three, with a note unless it approves the video as it is, and with a name."""
    verdict, note = data.get("verdict", ""), rules.normalize(data.get("text", ""))
    name = rules.normalize_name(data.get("user_name", ""))
    problems = [] if verdict in VERDICTS else [Problem("verdict", Reason.VERDICT_MISSING)]
    if not note and verdict in (Decision.Verdict.CHANGES, Decision.Verdict.ROUND):
        problems.append(Problem("text", Reason.NOTE_MISSING))
    if rules.count_length(note) > rules.NOTE_MAX:
        problems.append(Problem("text", Reason.TEXT_TOO_LONG, place=rules.count_length(note), limit=rules.NOTE_MAX))
    return DecisionPost(verdict, note, name, problems + _check_guest_name(link, name))


def _check_guest_name(link: ReviewLink, name: str) -> list[Problem]:
    """Check a guest's name: not that of an account of the link, nor one under which an owner has replied on this video."""
    problems = rules.check_name(name)
    by_owners = Comment.objects.filter(link__video_id=link.video_id, reviewer__account__isnull=False)
    taken = [*link.accounts.values_list("name", flat=True), *by_owners.values_list("user_name", flat=True).distinct()]
    if rules.is_any_name(name, taken):
        problems.append(Problem("user_name", Reason.NAME_OF_OWNER))
    return problems


def _find_parent(link: ReviewLink, comment_id: str) -> tuple[Comment | None, list[Problem]]:
    """The comment that is answered: of this very link, whatever identifier is sent."""
    missing = [Problem("reply_to", Reason.PARENT_MISSING)]
    key = parse_uuid(comment_id)
    parent = Comment.objects.filter(link=link, comment_id=key).first() if key else None
    return (parent, []) if parent else (None, missing)


def _check_limit(link: ReviewLink, parent: Comment | None) -> list[Problem]:
    if parent is None:
        limit = rules.check_quota(threads.count_main_comments(link), None)
    else:
        top = parent.reply_to or parent.comment_id
        limit = rules.check_quota(0, Comment.objects.filter(link=link, reply_to=top).count())
    return [limit] if limit else []


@dataclass(frozen=True)
class EditPost:
    """What is to change of a comment: the fields to send, what changes here beside them, and what is wrong."""

    typed: Mapping[str, str]
    problems: list[Problem]
    changes: dict[str, Any] = field(default_factory=dict)
    beside: dict[str, Any] = field(default_factory=dict)


def read_status(data: Mapping[str, str]) -> CommentStatus | None:
    """Resolve or reopen; None where the form is about something else."""
    status = data.get("status", "").removesuffix("-next")
    return CommentStatus(status) if status in set(CommentStatus) else None


def read_edit(comment: Comment, data: Mapping[str, str], *, stills: str = "") -> EditPost:
    """Check an edit of one's own comment [4.8]: only what changed is sent; a reply's time is its parent's.

    A drawing that changes goes with the text, changed or not: so it is kept exactly when the platform has answered.
    """
    drawing = outbox.read_change(comment, data, stills)
    text = rules.normalize(data.get("text", ""))
    if text != drawing.words and "drawing" not in data:
        drawing = outbox.add_waiting(drawing, comment)
    problems = [*drawing.problems, *rules.check_text(text, address=drawing.suffix)]
    whole = text + drawing.suffix
    changes: dict[str, Any] = {} if whole == comment.text and not drawing.beside else {"text": whole}
    if comment.reply_to is None and "time" in data:
        seconds, wrong = rules.check_time(data["time"], LinkVideo.from_kept(comment.link.video).last_second)
        problems += [wrong] if wrong else []
        if seconds is not None and seconds != comment.time:
            changes["time"] = seconds
    if not changes and not problems:
        problems.append(Problem("", Reason.NOTHING_TO_CHANGE))
    if not problems:
        problems += _check_unchanged(drawing.words, data, changes)
    return EditPost(data, problems, changes, drawing.beside)


def _check_unchanged(words: str, data: Mapping[str, str], changes: Mapping[str, Any]) -> list[Problem]:
    """The text was changed after this form was opened: the same form is taken once it knows the newer text."""
    opened = data.get("opened_text")
    if "text" not in changes or opened is None or rules.normalize(opened) == rules.normalize(words):
        return []
    return [Problem("", Reason.CHANGED_SINCE, character=words, sets=("opened_text", words))]


def build_withdrawal(comment: Comment, words: str, *, may_resolve: bool) -> dict[str, Any]:
    """What withdrawing sends: there is no delete, so the text says that it was withdrawn, and it is resolved."""
    resolves = may_resolve and comment.reply_to is None
    return {"text": words} | ({"status": CommentStatus.RESOLVED.value} if resolves else {})


def is_by(comment: Comment, reviewer: Reviewer | None) -> bool:
    """Whether the reviewer wrote it."""
    return reviewer is not None and comment.reviewer_id == reviewer.pk


@dataclass(frozen=True)
class CheckPost:
    """Answers about comments of the cut before, as a form gave them.

    `stale`: those about which somebody else answered after the form was opened; `agrees`: that one of them said the same.
    """

    answers: list[CheckAnswer]
    stale: list[CheckItem]
    name: str
    problems: list[Problem]
    agrees: bool = False


def read_answers(data: Mapping[str, str]) -> dict[uuid.UUID, str]:
    """What a form answers anew, by comment, whichever list it is of."""
    given = {}
    for name, answer in data.items():
        comment = parse_uuid(name.removeprefix("answer-")) if name.startswith("answer-") else None
        if comment is not None and answer and answer != data.get(f"was-{comment}", ""):
            given[comment] = answer
    return given


def read_checks(link: ReviewLink, items: Iterable[CheckItem], data: Mapping[str, str]) -> CheckPost:
    """Check the answers of a form: the name, the times, and whether this video has room for what is added."""
    name, last = rules.normalize_name(data.get("user_name", "")), LinkVideo.from_kept(link.video).last_second
    answers, stale, problems, agrees = [], [], [], False
    for item in items:
        key = str(item.comment.comment_id)
        answer, was = data.get(f"answer-{key}", ""), data.get(f"was-{key}", item.answer)
        typed = data.get(f"time-{key}", "").strip()
        if typed and answer != Answer.NOT_FIXED and typed != formats.clock(get_time(link, item.comment)):
            problems.append(Problem(f"time-{key}", Reason.TIME_UNUSED))
        if answer not in (Answer.FIXED, Answer.NOT_FIXED) or answer == item.answer:
            agrees = agrees or was != answer == item.answer
            continue
        if was != item.answer:
            stale.append(item)
            continue
        seconds: int | None = get_time(link, item.comment)
        if answer == Answer.NOT_FIXED and f"time-{key}" in data:
            seconds, wrong = rules.check_time(data[f"time-{key}"], last)
            problems += [replace(wrong, field=f"time-{key}")] if wrong else []
        answers.append(CheckAnswer(item, Answer(answer), seconds or 0))
    added = sum(given.answer == Answer.NOT_FIXED for given in answers)
    used = threads.count_main_comments(link)
    if added and used + added > MAIN_COMMENTS_MAX:
        problems.append(Problem("", Reason.NO_ROOM, place=added, limit=max(0, MAIN_COMMENTS_MAX - used)))
    if answers:
        problems += _check_guest_name(link, name)
    return CheckPost(answers=answers, stale=stale, name=name, problems=problems, agrees=agrees)

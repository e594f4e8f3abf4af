"""Reasons, and the platform's refusals of comments and of their changes [7], as sentences: what to do, then why."""

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api import errors
from dashboard.platform_api.errors import Missing, NotAllowed, Refused
from dashboard.shared import refusals
from dashboard.shared.formats import clock
from dashboard.shared.record_form import describe_unused
from dashboard.shared.refusals import Explained, Refusal, register
from dashboard.writes.failures import NOT_RECEIVED, NOT_SENT
from dashboard.writes.models import State, Write
from review_portal import sync
from review_portal.rules import Problem, Reason
from review_portal.writes import CREATE, UPDATE


def describe_problem(problem: Problem) -> str:
    """What to say at the field."""
    return SENTENCES[problem.reason](problem)


def _describe_forbidden(problem: Problem) -> str:
    values = {"character": problem.character, "place": problem.place, "repair": problem.repair}
    if problem.repair:
        return _("Write “%(repair)s” instead of “%(character)s” (character %(place)s): it cannot be sent.") % values
    return _("Remove “%(character)s” (character %(place)s): it cannot be sent.") % values


def _describe_time_beyond(problem: Problem) -> str:
    return _("Choose a time up to %(last)s, where the video ends.") % {"last": clock(problem.limit)}


SENTENCES: dict[Reason, Callable[[Problem], str]] = {
    Reason.TEXT_EMPTY: lambda p: _("Write your comment."),
    Reason.TEXT_TOO_LONG: lambda p: (
        _("Shorten it to %(limit)s characters. It has %(count)s.") % {"limit": p.limit, "count": p.place}
    ),
    Reason.TEXT_FORBIDDEN: _describe_forbidden,
    Reason.NAME_EMPTY: lambda p: _("Write your name. Others see it beside your comments."),
    Reason.NAME_TOO_LONG: lambda p: _("Shorten your name to %(limit)s characters.") % {"limit": p.limit},
    Reason.NAME_FORBIDDEN: lambda p: (
        _("Remove “%(character)s” from your name (character %(place)s). Use letters, digits, spaces and - _ . @")
        % {"character": p.character, "place": p.place}
    ),
    Reason.NAME_UNSEEN: lambda p: _("This name cannot be seen. Write your name in letters or digits."),
    Reason.NAME_OF_OWNER: lambda p: _(
        "This is the name of the link's owner. Use another name. If you are the owner, reply from the dashboard."
    ),
    Reason.TIME_EMPTY: lambda p: _("Write the time the comment is about, such as 1:15."),
    Reason.TIME_UNREADABLE: lambda p: _("Write the time as minutes and seconds, such as 1:15."),
    Reason.TIME_BEYOND: _describe_time_beyond,
    Reason.TIME_UNUSED: lambda p: describe_unused(_("Not fixed")),
    Reason.MAIN_LIMIT: lambda p: (
        _("This video has %(limit)s comments, the most the platform allows. Reply to one of the comments below.")
        % {"limit": p.limit}
    ),
    Reason.REPLY_LIMIT: lambda p: (
        _("This thread has %(limit)s replies, the most the platform allows. Write a new comment.") % {"limit": p.limit}
    ),
    Reason.NO_ROOM: lambda p: (
        _("This cut can take %(limit)s more comments, and %(count)s are not fixed. Nothing was saved: mark fewer.")
        % {"limit": p.limit, "count": p.place}
    ),
    Reason.PARENT_MISSING: lambda p: _("The comment you are replying to is not on this link."),
    Reason.LINK_EXPIRED: lambda p: _("This review link has closed. What you wrote is kept in this browser."),
    Reason.LINK_INACTIVE: lambda p: _("This review link was switched off. What you wrote is kept in this browser."),
    Reason.VIEW_ONLY: lambda p: _("This link is view-only. Ask the person who sent it for one that allows comments."),
    Reason.STATUS_LOCKED: lambda p: _("On this link only the owner resolves and reopens comments."),
    Reason.NOT_YOURS: lambda p: _("Only the person who wrote this comment can change it, in the same browser."),
    Reason.NOTHING_TO_CHANGE: lambda p: _("Nothing was changed."),
    Reason.SAME_WORDS: lambda p: _(
        "You posted these words a moment ago. To post them a second time, press the button again."
    ),
    Reason.CUTS_MOVED: lambda p: _(
        "The owner changed the order of the cuts after you opened that list. Your answers were about another cut, so "
        "they were not saved."
    ),
    Reason.CHANGED_SINCE: lambda p: (
        _("This comment was changed after you opened it. It now says: “%(text)s”. Save again to replace that text.")
        % {"text": p.character}
    ),
    Reason.DRAWING_UNREADABLE: lambda p: _(
        "The drawing cannot be read. Delete it or draw it again; your words are kept."
    ),
    Reason.DRAWING_TOO_LARGE: lambda p: _("The drawing has too many shapes. Delete some; your words are kept."),
    Reason.VERDICT_MISSING: lambda p: _("Choose one of the three."),
    Reason.NOTE_MISSING: lambda p: _("Write what must change."),
    Reason.TOO_OFTEN: lambda p: (
        _("Wait %(hours)s h, then send it again. It is kept here.") % {"hours": -(-p.limit // 3600)}
        if p.limit > 3600
        else _("Wait %(seconds)s s, then send it again. It is kept here.") % {"seconds": p.limit}
    ),
}


def get_withdrawal_text() -> str:
    """What takes the place of words that somebody takes back, on the platform too: in the writer's own language, like
    everything else under their name, and as the question before it said. Readers here see it in theirs."""
    return _("Withdrawn by its writer.")


@cache
def list_withdrawal_texts() -> frozenset[str]:
    """The same in every language of ours: what a text is known by."""
    texts = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts.add(get_withdrawal_text())
    return frozenset(texts)


def describe_unsettled(change: str) -> str:
    """That a comment may be older than what somebody sent; `change` is "" or as `outbox.load_unsettled_changes` says it."""
    return {"": "", "waiting": _("Change waiting"), "unconfirmed": _("Change not confirmed")}[change]


def describe_writer(*, by_owner: bool, namesake: bool) -> str:
    """What a name alone does not say of who wrote: that it is the owner, which no guest is, or that somebody whose name looks
    the same wrote before; "" for everybody else.
    """
    return _("Owner") if by_owner else _("another person of this name") if namesake else ""


def explain_write(write: Write, *, guest: bool = True) -> Explained | None:
    """How a write stands that is not there; None where there is nothing to say. `guest`: a reviewer reads it."""
    if write.state == State.REFUSED:
        return Explained(lost, "") if (lost := _describe_lost(write)) else _explain_refused(write, guest=guest)
    if write.state == State.UNCONFIRMED:
        if write.due_at is None and sync.is_readable():
            sentence = _("The platform did not confirm it, and we cannot tell any more. Check whether it is there.")
        elif sync.is_readable():
            sentence = _("The platform did not confirm it. We keep checking and will not send it twice automatically.")
        else:
            sentence = _(
                "The platform did not confirm it, and Reelroom cannot ask. Check on the platform whether it is there."
            )
        return Explained(sentence, "")
    if write.reason:
        return Explained(_("The platform didn't answer. It is saved here and will be sent automatically."), "")
    return None


def describe_write(write: Write, *, guest: bool = True) -> str:
    """As `explain_write`, in one line with the platform's own words; "" where there is nothing to say."""
    explained = explain_write(write, guest=guest)
    return explained.whole if explained else ""


def _describe_lost(write: Write) -> str:
    """That nothing of a refused write is on the platform; "" where it was the platform that refused."""
    if write.reason == NOT_SENT:
        return _("It was not sent: the platform could not be reached for 7 days.")
    if write.reason == NOT_RECEIVED and write.operation == UPDATE:
        return _("The change did not arrive: we checked, and the comment is as it was.")
    if write.reason == NOT_RECEIVED:
        return _("It did not arrive: we checked, and the platform does not have it.")
    return ""


def _explain_refused(write: Write, *, guest: bool) -> Explained:
    error = write.error or errors.Refused(write.operation, write.status, write.message)
    return refusals.explain(error, guest=guest)


NEW_LINK = gettext_noop("Create a new review link.")
ASK_FOR_LINK = gettext_noop("Ask the link’s owner for a new one.")

_LIMIT = r"(?=.*(?:\b(?:limit|maximum|at most|too many)\b|\b(?:reached|exceeded)\b))"
_MAIN = r"(?=.*\bmain\W+comments?\b)"
_REPLIES = r"(?=.*\brepl(?:y|ies)\b)"

TIME_BEYOND = Refusal(
    gettext_noop("The time is after the end of the video."),
    gettext_noop("Choose an earlier time, then send it again."),
    "time",
)
TIME_MISSING = Refusal(
    gettext_noop("The platform wants a time for this comment."),
    gettext_noop("Write the time in the video, then send it again."),
    "time",
)
REPLY_TIME = Refusal(gettext_noop("A reply has the time of its comment. It cannot have another."), "", "time")
NAME = Refusal(
    gettext_noop("The platform does not accept this name."),
    gettext_noop("Use up to 100 letters, digits, spaces and - _ . @, then send it again."),
    "user_name",
)
WORDS = Refusal(
    gettext_noop("The platform does not accept these words."),
    gettext_noop("Use at most 500 characters, without < > { } [ ], then send them again."),
    "text",
)
BODY = Refusal(
    gettext_noop("The platform did not accept it as it was written."),
    gettext_noop("Check your words, your name and the time, then send it again."),
)
SESSION = Refusal(
    gettext_noop("The platform no longer knows who you are on this link."),
    gettext_noop("Open the link again, then send it again."),
)
ENDED = Refusal(gettext_noop("This review link has closed or was switched off."), NEW_LINK, "", ASK_FOR_LINK)
EXPIRED = Refusal(gettext_noop("This review link has closed."), NEW_LINK, "", ASK_FOR_LINK)
INACTIVE = Refusal(gettext_noop("This review link was switched off."), NEW_LINK, "", ASK_FOR_LINK)
LINK_MISSING = Refusal(gettext_noop("The platform does not know this link."), NEW_LINK, "", ASK_FOR_LINK)

_INVALID_BODY = r"\b(?:invalid|malformed|bad)\W+(?:request\W+)?(?:body|payload|json)\b|\bvalidation\b"
_INVALID_WORDS = r"\btext\b(?!\s*,)(?=.*\b(?:must|required|empty|invalid|characters?|long|allowed)\b)"
_INVALID_TIME = r"\btime\b(?=.*(?:\bduration\b|\bend of the video\b))"
_SESSION = r"\bunauthori[sz]ed\b|\btoken\b"
_ENDED = (
    (r"(?=.*\bexpired\b)(?=.*\binactive\b)", ENDED),
    (r"\bexpired\b", EXPIRED),
    (r"\b(?:inactive|not active)\b", INACTIVE),
)

CONDITIONS = (
    (CREATE, Refused, _LIMIT + _MAIN + _REPLIES, Refusal(
        gettext_noop("The video has all the comments, or the comment all the replies, that the platform allows."),
        gettext_noop("Reply to another comment, or write a new one."),
    )),
    (CREATE, Refused, _LIMIT + _MAIN, Refusal(
        gettext_noop("This video has as many comments as the platform allows."),
        gettext_noop("Reply to one of its comments instead."),
        "",
        gettext_noop("Reply to one of the comments instead, or ask the link’s owner what to do."),
    )),
    (CREATE, Refused, _LIMIT + _REPLIES, Refusal(
        gettext_noop("This comment has as many replies as the platform allows."),
        gettext_noop("Write a new comment instead."),
    )),
    (CREATE, Refused, r"\breply_?to\b|\bsibling\b", Refusal(
        gettext_noop("The comment that this answers is not on this link any more."),
        gettext_noop("Write it as a new comment instead."),
    )),
    (CREATE, Refused, r"\btime\b(?=.*\b(?:required|missing)\b)|\bmissing\W+time\b", TIME_MISSING),
    (UPDATE, Refused, r"\btime\b(?=.*\binherited\b)", REPLY_TIME),
    (CREATE, Refused, r"\buser_?name\b", NAME),
    *(
        condition
        for operation in (CREATE, UPDATE)
        for condition in (
            (operation, Refused, _INVALID_TIME, TIME_BEYOND),
            (operation, Refused, _INVALID_WORDS, WORDS),
            (operation, Refused, _INVALID_BODY, BODY),
            (operation, Refused, _SESSION, SESSION),
            *((operation, NotAllowed, words, refusal) for words, refusal in _ENDED),
            (operation, Missing, r"\blink\b", LINK_MISSING),
        )
    ),
    (CREATE, NotAllowed, r"allow_?comments?\b|\bnot allow(?:ing)? comments?\b|\bcomments? (?:is|are) not allowed\b", Refusal(
        gettext_noop("Comments are switched off on this link."),
        gettext_noop("Create a review link that allows comments."),
        "",
        gettext_noop("Ask the link’s owner for one that allows comments."),
    )),
    (CREATE, NotAllowed, "", Refusal(
        gettext_noop("The platform does not accept comments on this link any more: it has closed or is view-only."),
        NEW_LINK,
        "",
        ASK_FOR_LINK,
    )),
    (CREATE, Missing, "", LINK_MISSING),
    (CREATE, Refused, "", Refusal(gettext_noop("The platform did not accept it."))),
    (UPDATE, NotAllowed, r"allow_?status|\bstatus\b", Refusal(
        gettext_noop("On this link comments cannot be resolved or reopened."),
        gettext_noop("Change it through a review link that allows it."),
        "",
        gettext_noop("Ask the link’s owner to resolve or reopen it."),
    )),
    (UPDATE, NotAllowed, _SESSION, Refusal(
        gettext_noop("Only the person who wrote this comment can change it, in the same browser."),
        gettext_noop("Reply to it instead."),
    )),
    (UPDATE, NotAllowed, "", Refusal(
        gettext_noop("The platform does not allow this change: the link has closed, or the comment is not yours."),
        gettext_noop("Reload the page to see how it stands."),
    )),
    (UPDATE, Missing, "", Refusal(
        gettext_noop("The platform does not have this comment."),
        gettext_noop("If it is still needed, write it as a new comment."),
    )),
    (UPDATE, Refused, "", Refusal(gettext_noop("The platform did not accept the change."))),
)  # fmt: skip
"""Section 7 names conditions for comments, not sentences. `[7]`'s 401 of a comment is a reviewer's session, kept as Refused."""

register(conditions=CONDITIONS)

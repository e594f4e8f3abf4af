"""The platform's refusals of comments and of their changes as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Missing, NotAllowed, Refused
from dashboard.shared.refusals import Refusal, register
from review_portal.writes import CREATE, UPDATE

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

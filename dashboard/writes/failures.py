"""What an error says about a write: whether it can have arrived, and how long to wait before it is sent again."""

from dashboard.platform_api import errors

SLOWER = (5, 10, 20, 40, 60)
"""Seconds between attempts while the platform cannot be reached."""
LONGEST_PAUSE = 300

SENDER_DIED = "sender_died"
NOT_RECEIVED = "not_received"
"""A read did not find it."""
NOT_SENT = "not_sent"
"""Its process ended before it was sent, and nobody sent its form again; or it could not be sent for a week."""
UNREADABLE = "unreadable"
RESTORED = "restored"
"""It was open in a backup that was restored: it may have been sent after the backup."""
CONFIRMED_BY_PERSON = "confirmed_by_person"
REPLACED = "replaced"
"""Done as far as anybody can tell: it was never confirmed, and a later write of the same thing is done."""
LOST = (NOT_RECEIVED, NOT_SENT)
"""`Write.reason` of a write of which nothing reached the platform."""


class ParentTokenHeld(errors.BadToken):
    """The parent account's token was refused: the write waits for a good one, and the person's own is good."""


_KINDS = {ParentTokenHeld.__name__: ParentTokenHeld} | {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.CallError)
}


def rebuild_error(
    reason: str, operation: str, status: int | None, message: str, *, sent: bool
) -> errors.CallError | None:
    """The error of which `reason` is the class; None for any other word. `sent`: whether one without an answer may have left."""
    kind = _KINDS.get(reason)
    if kind is None:
        return None
    if issubclass(kind, errors.Unreachable):
        return kind(operation, status, message, sent=sent)
    return kind(operation, status, message)


def certainly_not_received(error: errors.CallError) -> bool:
    """No connection was made, or a plain "not now": the only cases in which a write may leave again by itself."""
    if isinstance(error, errors.Unreachable):
        return not error.sent
    return isinstance(error, errors.RateLimited)


def is_ambiguous(error: errors.CallError) -> bool:
    """Whether the platform may have done it all the same: the request left, and no clear answer came back."""
    if isinstance(error, errors.Unreachable):
        return error.sent
    return isinstance(error, errors.PlatformDown)


def pause_after(error: errors.CallError, attempt: int) -> float:
    """Seconds until the next attempt, after `attempt` of them failed with an error that leaves nothing behind."""
    if isinstance(error, errors.BadToken):
        return LONGEST_PAUSE
    return min(error.retry_after or SLOWER[min(attempt, len(SLOWER)) - 1], LONGEST_PAUSE)

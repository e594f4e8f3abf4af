"""What an error says about a write: whether it can have arrived, and how long to wait before it is sent again."""

from dashboard.platform_api import errors

SLOWER = (5, 10, 20, 40, 60)
"""Seconds between attempts while the platform cannot be reached."""
LONGEST_PAUSE = 300


def certainly_not_received(error: errors.PlatformError) -> bool:
    """No connection was made, or a plain "not now": the only cases in which a write may leave again by itself."""
    if isinstance(error, errors.Unreachable):
        return not error.sent
    return isinstance(error, errors.RateLimited)


def is_ambiguous(error: errors.PlatformError) -> bool:
    """Whether the platform may have done it all the same: the request left, and no clear answer came back."""
    if isinstance(error, errors.Unreachable):
        return error.sent
    return isinstance(error, errors.PlatformDown)


def pause_after(error: errors.PlatformError, attempt: int) -> float:
    """Seconds until the next attempt, after `attempt` of them failed with an error that leaves nothing behind."""
    if isinstance(error, errors.BadToken):
        return LONGEST_PAUSE
    return min(error.retry_after or SLOWER[min(attempt, len(SLOWER)) - 1], LONGEST_PAUSE)

"""Which writes came before and after an unconfirmed one: what a read finds may be theirs."""

from collections.abc import Iterable

from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.operations import NotRead


def is_superseded(write: Write, others: Iterable[Write]) -> bool:
    """Whether one of `others`, which change all that `write` does, was sent after it and is done.

    What is there now is then the later one's, whether `write` arrived or not. Raises `NotRead` while such a one is open:
    how it ends decides.
    """
    later = [other for other in others if _came_after(other, write)]
    if any(other.state in OPEN for other in later):
        raise NotRead
    return any(other.state == State.DONE for other in later)


def select_overlapping(write: Write, others: Iterable[Write]) -> list[Write]:
    """Those of `others` that were sent before `write` and whose end was not known when it was begun."""
    return [
        other
        for other in others
        if not _came_after(other, write)
        and other.attempt
        and (other.settled_at is None or (other.state == State.DONE and other.settled_at > write.created_at))
    ]


def _came_after(other: Write, write: Write) -> bool:
    return (other.sent_at or other.created_at) > (write.sent_at or write.created_at)

"""The row of a write in Activity: made when it is first sent, completed with every change of its state."""

from typing import Any
from uuid import UUID

from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import masked
from dashboard.writes.models import State, Write

OUTCOMES = {
    State.HELD: Outcome.WAITING,
    State.SENDING: Outcome.UNCONFIRMED,
    State.UNCONFIRMED: Outcome.UNCONFIRMED,
    State.DONE: Outcome.DONE,
    State.REFUSED: Outcome.REFUSED,
    State.CANCELLED: Outcome.REFUSED,
}
ENDED = (State.DONE, State.REFUSED)

mask_secrets = masked
UNSTORABLE = "\x00"
"""PostgreSQL stores no text with it. What the platform answers is read without it; what people paste may have it."""


def make_storable(value: Any) -> Any:
    """The same JSON value or text, with the sign for an unreadable character in the place of what cannot be stored."""
    if isinstance(value, str):
        return value.replace(UNSTORABLE, "\ufffd")
    if isinstance(value, dict):
        return {make_storable(name): make_storable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [make_storable(inner) for inner in value]
    return value


def open_entry(write: Write) -> None:
    """Make the row where the write is an account's and has none yet; a later attempt goes on with the first one's."""
    if write.entry_id is not None:
        complete_entry(write, None)
    elif write.account_id is not None:
        write.entry = _make_entry(write, write.account_id)
        write.save(update_fields=["entry"])


def _make_entry(write: Write, account_id: UUID) -> Entry:
    return Entry.objects.create(
        account_id=account_id,
        actor=write.actor,
        operation=write.operation,
        target=write.subject,
        label=write.label,
        before=write.before,
        after=write.after,
        undoes=write.undoes,
    )


def remove_entry(write: Write) -> None:
    """Nothing was sent after all: Activity shows nothing."""
    entry, write.entry = write.entry, None
    if entry is not None:
        entry.delete()


def complete_entry(write: Write, milliseconds: int | None) -> None:
    """Bring the row up to date. `milliseconds` is how long the last call took; None leaves what is there.

    A write that an earlier version sent, and that has none, gets its row when it ends.
    """
    if write.entry_id is None and write.account_id is not None and write.attempt and write.state in ENDED:
        write.entry = _make_entry(write, write.account_id)
        write.save(update_fields=["entry"])
        Entry.objects.filter(pk=write.entry.pk).update(at=write.sent_at or write.created_at)
    if write.entry_id is None:
        return
    fields: dict[str, Any] = {
        "target": write.subject,
        "outcome": OUTCOMES[State(write.state)],
        "status": write.status,
        "message": write.message,
        "after": write.after,
    }
    if milliseconds is not None:
        fields["milliseconds"] = milliseconds
    Entry.objects.filter(pk=write.entry_id).update(**fields)

"""Rows of Activity that the previous release left unconfirmed, for the writes that were carried over without them."""

from typing import Any

OUTCOMES = {"held": "waiting", "done": "done", "refused": "refused", "cancelled": "refused"}


def complete_activity(apps: Any, operation: str) -> None:
    """Give each unconfirmed row of `operation` to the write that it tells of: same account, thing and words, nearest in time.

    The row then ends as the write did, or will end with it.
    """
    entries, writes = apps.get_model("activity", "Entry").objects, apps.get_model("writes", "Write").objects
    for entry in entries.filter(operation=operation, outcome="unconfirmed", write=None).order_by("at").iterator():
        same = writes.filter(
            operation=operation,
            subject=entry.target,
            account_id=entry.account_id,
            label=entry.label,
            entry=None,
            attempt__gt=0,
        )
        found = min(same, key=lambda write: abs((write.sent_at or write.created_at) - entry.at), default=None)
        if found is not None:
            writes.filter(pk=found.pk).update(entry=entry)
            entries.filter(pk=entry.pk).update(outcome=OUTCOMES.get(found.state, "unconfirmed"))

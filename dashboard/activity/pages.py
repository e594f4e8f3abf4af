"""What the log says of a recorded write: its outcome, why it has not ended, and what it changed."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.activity import recorder
from dashboard.activity.log import LogFilter
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import name_of
from dashboard.platform_api import errors
from dashboard.shared import refusals
from dashboard.writes.failures import REPLACED
from dashboard.writes.models import OPEN, Write
from dashboard.writes.operations import page_of
from dashboard.writes.pages import open_write


def build_query(log_filter: LogFilter) -> dict[str, str]:
    """What of the filter is set, as its address has it."""
    return {name: str(value) for name, value in asdict(log_filter).items() if value}


def list_outcomes() -> dict[str, tuple[str, str]]:
    """Each outcome as a word and a shape."""
    return {
        Outcome.DONE: (_("Done"), "finished"),
        Outcome.WAITING: (_("Waiting"), "queue"),
        Outcome.UNCONFIRMED: (_("Not confirmed"), "unknown"),
        Outcome.REFUSED: (_("Refused"), "error"),
    }


def get_write(entry: Entry) -> Write | None:
    """The write of the outbox that this row is about; None for rows of before, and for those it has pruned."""
    return getattr(entry, "write", None)


@dataclass(frozen=True)
class LoggedWrite:
    """A row of the log, and what is known of its write."""

    entry: Entry

    @property
    def name(self) -> str:
        """What was done: “A/B test finished”."""
        return name_of(self.entry.operation)

    @property
    def label(self) -> str:
        """What it was done to."""
        return self.entry.label or self.entry.target

    @property
    def outcome(self) -> tuple[str, str]:
        """A word and a shape."""
        if self.entry.outcome == Outcome.DONE and self.entry.undoes_id:
            return _("Undo, done"), "finished"
        return list_outcomes()[self.entry.outcome]

    @property
    def can_undo(self) -> bool:
        """Whether its opposite can be sent."""
        return recorder.can_undo(self.entry)

    @property
    def write(self) -> Write | None:
        """What the outbox has of it."""
        return get_write(self.entry)

    @property
    def is_open(self) -> bool:
        """Whether it may still end otherwise."""
        return self.write is not None and self.write.state in OPEN

    @property
    def version(self) -> str:
        """Changes with what its page shows."""
        write = self.write
        return f"{write.state}-{write.attempt}-{write.reason}" if write else self.entry.outcome

    @property
    def page(self) -> str:
        """Address of the feature's page about this write; "" for none."""
        return page_of(self.write) if self.write else ""

    @property
    def notice(self) -> str:
        """Why it has not ended; "" once it has."""
        if self.write and (notice := open_write(self.write)):
            return notice.sentence
        if self.write and self.write.reason == REPLACED:
            return _("This was never confirmed. A later change has replaced it, so there is nothing to do.")
        if self.entry.outcome in (Outcome.UNCONFIRMED, Outcome.WAITING):
            return _("The platform didn't answer, so it may have been done. Check before you try again.")
        return ""

    @property
    def refusal(self) -> str:
        """Why the platform refused it, and what to do next; "" where it did not."""
        entry = self.entry
        if entry.outcome != Outcome.REFUSED or entry.status is None:
            return ""
        error = (self.write.error if self.write else None) or errors.error_for(
            entry.operation, entry.status, entry.message, frozenset()
        )(entry.operation, entry.status, entry.message)
        explained = refusals.explain(error)
        return f"{explained.sentence} {explained.next_step}" if explained.quoted or not entry.message else ""

    @property
    def differences(self) -> list[tuple[str, str, str, bool]]:
        """Field, before, after, and whether it changed; without a field where these are no objects."""
        before, after = self.entry.before, self.entry.after
        if before is None and after is None:
            return []
        if not isinstance(before, dict | None) or not isinstance(after, dict | None):
            return [("", _format_value(before), _format_value(after), before != after)]
        old, new = before or {}, after or {}
        return [
            (name, _format_value(old.get(name)), _format_value(new.get(name)), old.get(name) != new.get(name))
            for name in sorted(set(old) | set(new))
        ]


def _format_value(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


CSV_HEADS = (
    "at",
    "person",
    "operation",
    "target",
    "name",
    "outcome",
    "status",
    "message",
    "milliseconds",
    "before",
    "after",
    "id",
)


def build_csv_row(entry: Entry) -> list[str | int | None]:
    """An entry for a file: ISO time in the reader's zone, raw numbers, objects as JSON."""
    return [
        timezone.localtime(entry.at).isoformat(timespec="seconds"),
        entry.actor,
        entry.operation,
        entry.target,
        entry.label,
        entry.outcome,
        entry.status,
        entry.message,
        entry.milliseconds,
        _format_value(entry.before),
        _format_value(entry.after),
        str(entry.pk),
    ]

"""What the templates of the activity log get: every decision is already a boolean or a sentence."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.activity.log import Filter
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.operations import list_names, name_of
from dashboard.activity.recorder import can_undo
from dashboard.shared import formats
from dashboard.writes.failures import REPLACED
from dashboard.writes.models import OPEN, Write
from dashboard.writes.operations import page_of
from dashboard.writes.pages import open_write


@dataclass(frozen=True)
class Row:
    """One write, ready to be printed."""

    address: str
    at: str
    at_iso: str
    ago: str
    actor: str
    operation: str
    label: str
    outcome: str
    outcome_shape: str
    undo: str


@dataclass(frozen=True)
class Choice:
    """One entry of a filter."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True)
class ActivityPage:
    """templates/activity/activity.html."""

    rows: tuple[Row, ...]
    operations: tuple[Choice, ...]
    people: tuple[Choice, ...]
    outcomes: tuple[Choice, ...]
    thing: str
    day: str
    filtered: bool
    older: str
    export: str
    days: str
    """How long a row is kept."""


def activity_page(rows: list[Entry], wanted: Filter, people: list[str], *, more: bool) -> ActivityPage:
    """`more`: there are older rows than these."""
    query = _query(wanted)
    older = urlencode({**query, "after": str(rows[-1].pk)}) if more else ""
    return ActivityPage(
        rows=tuple(row(entry) for entry in rows),
        operations=tuple(
            Choice(value, name_of(value), value == wanted.operation) for value in sorted(list_names(), key=name_of)
        ),
        people=tuple(Choice(name, name, name == wanted.person) for name in people),
        outcomes=tuple(Choice(value, name, value == wanted.outcome) for value, (name, _shape) in _outcomes().items()),
        thing=wanted.thing,
        day=wanted.day.isoformat() if wanted.day else "",
        filtered=bool(query),
        older=f"?{older}" if older else "",
        export=f"{reverse('activity:export')}?{urlencode(query)}",
        days=formats.number(settings.RETENTION_DAYS),
    )


def _query(wanted: Filter) -> dict[str, str]:
    whole = {
        "operation": wanted.operation,
        "person": wanted.person,
        "thing": wanted.thing,
        "outcome": wanted.outcome,
        "day": wanted.day.isoformat() if wanted.day else "",
    }
    return {name: value for name, value in whole.items() if value}


def row(entry: Entry) -> Row:
    """An entry as a line of the log."""
    sentence, shape = _outcome(entry)
    return Row(
        address=reverse("activity:entry", args=[entry.pk]),
        at=formats.moment(entry.at),
        at_iso=entry.at.isoformat(),
        ago=formats.ago(entry.at),
        actor=entry.actor,
        operation=name_of(entry.operation),
        label=entry.label or entry.target,
        outcome=sentence,
        outcome_shape=shape,
        undo=reverse("activity:undo", args=[entry.pk]) if can_undo(entry) else "",
    )


def _outcomes() -> dict[str, tuple[str, str]]:
    """Each outcome as a word and a shape."""
    return {
        Outcome.DONE: (_("Done"), "finished"),
        Outcome.WAITING: (_("Waiting"), "queue"),
        Outcome.UNCONFIRMED: (_("Not confirmed"), "unknown"),
        Outcome.REFUSED: (_("Refused"), "error"),
    }


def _outcome(entry: Entry) -> tuple[str, str]:
    if entry.outcome == Outcome.DONE and entry.undoes_id:
        return _("Undo, done"), "finished"
    return _outcomes()[entry.outcome]


@dataclass(frozen=True)
class Difference:
    """One field before and after."""

    field: str
    before: str
    after: str
    changed: bool


@dataclass(frozen=True)
class EntryPage:
    """templates/activity/entry.html."""

    row: Row
    target: str
    message: str
    took: str
    number: str
    request_id: str
    """What the log's lines about it carry; "" where that is not known."""
    differences: tuple[Difference, ...]
    notice: str
    """Why it has not ended; "" once it has."""
    page: str
    """Where a person looks after it."""
    progress: str
    """What an open write is polled at; "" once it has ended."""
    version: str


def entry_page(entry: Entry) -> EntryPage:
    """One write with everything that is known of it."""
    write = write_of(entry)
    is_open = write is not None and write.state in OPEN
    return EntryPage(
        row=row(entry),
        target=entry.target,
        message=entry.message,
        took=_("%(count)s ms") % {"count": formats.number(entry.milliseconds)}
        if entry.milliseconds is not None
        else "",
        number=str(entry.pk),
        request_id=write.request_id if write else "",
        differences=tuple(_differences(entry.before, entry.after)),
        notice=_notice(entry, write),
        page=page_of(write) if write else "",
        progress=reverse("activity:progress", args=[entry.pk]) if is_open else "",
        version=f"{write.state}-{write.attempt}-{write.reason}" if write else entry.outcome,
    )


def write_of(entry: Entry) -> Write | None:
    """The write of the outbox that this row is about; None for rows of before, and for those it has pruned."""
    return getattr(entry, "write", None)


def _notice(entry: Entry, write: Write | None) -> str:
    said = open_write(write) if write else None
    if said:
        return said.sentence
    if write and write.reason == REPLACED:
        return _("This was never confirmed. A later change has replaced it, so there is nothing to do.")
    if entry.outcome in (Outcome.UNCONFIRMED, Outcome.WAITING):
        return _("The platform didn't answer, so it may have been done. Check before you try again.")
    return ""


def _differences(before: Any, after: Any) -> list[Difference]:
    """Field by field where both are objects; else the two as they are."""
    if before is None and after is None:
        return []
    if not isinstance(before, dict | None) or not isinstance(after, dict | None):
        return [Difference("", _text(before), _text(after), before != after)]
    old, new = before or {}, after or {}
    names = sorted(set(old) | set(new))
    return [
        Difference(name, _text(old.get(name)), _text(new.get(name)), old.get(name) != new.get(name)) for name in names
    ]


def _text(value: Any) -> str:
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


def csv_row(entry: Entry) -> list[str | int | None]:
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
        _text(entry.before),
        _text(entry.after),
        str(entry.pk),
    ]

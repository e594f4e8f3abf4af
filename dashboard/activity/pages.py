"""View models of the activity templates."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.activity.log import LogFilter
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.operations import list_names, name_of
from dashboard.activity.recorder import can_undo
from dashboard.platform_api import errors
from dashboard.shared import formats, refusals
from dashboard.writes.failures import REPLACED
from dashboard.writes.models import OPEN, Write
from dashboard.writes.operations import page_of
from dashboard.writes.pages import open_write


@dataclass(frozen=True)
class ActivityRow:
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
class FilterChoice:
    """One entry of a filter."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True)
class ActivityPage:
    """templates/activity/activity.html."""

    rows: tuple[ActivityRow, ...]
    operations: tuple[FilterChoice, ...]
    people: tuple[FilterChoice, ...]
    outcomes: tuple[FilterChoice, ...]
    thing: str
    day: str
    filtered: bool
    older: str
    export: str
    days: str
    """How long a row is kept."""


def build_activity_page(rows: list[Entry], log_filter: LogFilter, people: list[str], *, more: bool) -> ActivityPage:
    """`more`: there are older rows than these."""
    query = _build_query(log_filter)
    older = urlencode({**query, "after": str(rows[-1].pk)}) if more else ""
    return ActivityPage(
        rows=tuple(build_row(entry) for entry in rows),
        operations=tuple(
            FilterChoice(value, name_of(value), value == log_filter.operation)
            for value in sorted(list_names(), key=name_of)
        ),
        people=tuple(FilterChoice(name, name, name == log_filter.person) for name in people),
        outcomes=tuple(
            FilterChoice(value, name, value == log_filter.outcome)
            for value, (name, _shape) in _build_outcome_labels().items()
        ),
        thing=log_filter.thing,
        day=log_filter.day.isoformat() if log_filter.day else "",
        filtered=bool(query),
        older=f"?{older}" if older else "",
        export=f"{reverse('activity:export')}?{urlencode(query)}",
        days=formats.number(settings.RETENTION_DAYS),
    )


def _build_query(log_filter: LogFilter) -> dict[str, str]:
    whole = {
        "operation": log_filter.operation,
        "person": log_filter.person,
        "thing": log_filter.thing,
        "outcome": log_filter.outcome,
        "day": log_filter.day.isoformat() if log_filter.day else "",
    }
    return {name: value for name, value in whole.items() if value}


def build_row(entry: Entry) -> ActivityRow:
    """An entry as a line of the log."""
    sentence, shape = _get_outcome_label(entry)
    return ActivityRow(
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


def _build_outcome_labels() -> dict[str, tuple[str, str]]:
    """Each outcome as a word and a shape."""
    return {
        Outcome.DONE: (_("Done"), "finished"),
        Outcome.WAITING: (_("Waiting"), "queue"),
        Outcome.UNCONFIRMED: (_("Not confirmed"), "unknown"),
        Outcome.REFUSED: (_("Refused"), "error"),
    }


def _get_outcome_label(entry: Entry) -> tuple[str, str]:
    if entry.outcome == Outcome.DONE and entry.undoes_id:
        return _("Undo, done"), "finished"
    return _build_outcome_labels()[entry.outcome]


@dataclass(frozen=True)
class FieldDifference:
    """One field before and after."""

    field: str
    before: str
    after: str
    changed: bool


@dataclass(frozen=True)
class EntryPage:
    """templates/activity/entry.html."""

    row: ActivityRow
    target: str
    message: str
    took: str
    number: str
    request_id: str
    """What the log's lines about it carry; "" where that is not known."""
    differences: tuple[FieldDifference, ...]
    notice: str
    """Why it has not ended; "" once it has."""
    refusal: str
    """Why the platform refused it, and what to do next; "" where it did not."""
    page: str
    """Address of the feature's page about this write; "" for none."""
    progress: str
    """What an open write is polled at; "" once it has ended."""
    version: str


def build_entry_page(entry: Entry) -> EntryPage:
    """One write with everything that is known of it."""
    write = get_write(entry)
    is_open = write is not None and write.state in OPEN
    return EntryPage(
        row=build_row(entry),
        target=entry.target,
        message=entry.message,
        took=_("%(count)s ms") % {"count": formats.number(entry.milliseconds)}
        if entry.milliseconds is not None
        else "",
        number=str(entry.pk),
        request_id=write.request_id if write else "",
        differences=tuple(_build_differences(entry.before, entry.after)),
        notice=_format_notice(entry, write),
        refusal=_format_refusal(entry),
        page=page_of(write) if write else "",
        progress=reverse("activity:progress", args=[entry.pk]) if is_open else "",
        version=f"{write.state}-{write.attempt}-{write.reason}" if write else entry.outcome,
    )


def get_write(entry: Entry) -> Write | None:
    """The write of the outbox that this row is about; None for rows of before, and for those it has pruned."""
    return getattr(entry, "write", None)


def _format_notice(entry: Entry, write: Write | None) -> str:
    notice = open_write(write) if write else None
    if notice:
        return notice.sentence
    if write and write.reason == REPLACED:
        return _("This was never confirmed. A later change has replaced it, so there is nothing to do.")
    if entry.outcome in (Outcome.UNCONFIRMED, Outcome.WAITING):
        return _("The platform didn't answer, so it may have been done. Check before you try again.")
    return ""


def _format_refusal(entry: Entry) -> str:
    if entry.outcome != Outcome.REFUSED or entry.status is None:
        return ""
    write = get_write(entry)
    error = (write.error if write else None) or errors.error_for(
        entry.operation, entry.status, entry.message, frozenset()
    )(entry.operation, entry.status, entry.message)
    explained = refusals.explain(error)
    return f"{explained.sentence} {explained.next_step}" if explained.quoted or not entry.message else ""


def _build_differences(before: Any, after: Any) -> list[FieldDifference]:
    """Field by field where both are objects; else the two as they are."""
    if before is None and after is None:
        return []
    if not isinstance(before, dict | None) or not isinstance(after, dict | None):
        return [FieldDifference("", _format_value(before), _format_value(after), before != after)]
    old, new = before or {}, after or {}
    names = sorted(set(old) | set(new))
    return [
        FieldDifference(
            name, _format_value(old.get(name)), _format_value(new.get(name)), old.get(name) != new.get(name)
        )
        for name in names
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

"""What is sent when a field is changed (section 4.6), alone or as a line of a file; how it is undone, and refused [7]."""

import uuid
from typing import TYPE_CHECKING, Any, Final, cast

from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.accounts.models import Account
from dashboard.activity.recorder import NotUndone, undoes
from dashboard.custom_fields import writes
from dashboard.custom_fields.models import Change, Field, Line, LineState, Stage
from dashboard.custom_fields.rules import FieldProblem
from dashboard.platform_api import Platform
from dashboard.platform_api.errors import Missing, Refused
from dashboard.platform_api.videos import CustomField
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import Refusal, not_accepted
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.failures import REPLACED
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, SUPERSEDED, UNKNOWN, Absence, Found, Operation, is_superseded, register
from dashboard.writes.outbox import Intent
from dashboard.writes.recovery import restored
from dashboard.writes.requests import form_intent, scope_of, submit

if TYPE_CHECKING:
    from dashboard.activity.models import Entry
    from dashboard.writes.models import Write


UPDATE: Final = "custom_fields.update"
LINE_STATES: Final = {
    State.HELD: LineState.CHANGE,
    State.SENDING: LineState.SENDING,
    State.UNCONFIRMED: LineState.UNCONFIRMED,
    State.DONE: LineState.DONE,
    State.REFUSED: LineState.FAILED,
    State.CANCELLED: LineState.REFUSED,
}
"""The state of a line that has left, by that of its write."""


def field_intent(
    request: OwnerRequest, field: CustomField, *, key: str, value: str, label: str, undoes: "Entry | None" = None
) -> Intent:
    """The change of `field` to `key` and `value`. One without a key is not known: what it was cannot be kept."""
    place = {"video_id": field.video_id, "field_id": field.id}
    after = {**place, "key": key, "value": value}
    return form_intent(
        request,
        UPDATE,
        subject=field.video_id,
        sends=after,
        label=label,
        before={**place, "key": field.key, "value": field.value} if field.key else None,
        after=after,
        undoes=undoes,
    )


def line_intent(change: Change, account: Account, line: Line) -> Intent:
    """The change that a line of a file makes. Its key is the line's, so that it leaves once whoever sends it."""
    place = {"video_id": line.video_id, "field_id": line.field_id}
    after = {**place, "key": line.new_key or line.key, "value": line.value}
    return Intent(
        operation=UPDATE,
        scope=scope_of(account),
        key=uuid.uuid5(change.pk, str(line.number)),
        request={**after, "line": line.pk},
        account=account,
        actor=change.actor or account.name,
        subject=line.video_id,
        label=", ".join(part for part in (line.key, _title(account, line.video_id)) if part)[:300],
        before={**place, "key": line.key, "value": line.before},
        after=after,
    )


def _title(account: Account, video_id: str) -> str:
    return Field.objects.filter(account_id=account.pk, video_id=video_id).values_list("title", flat=True).first() or ""


def save(intent: Intent) -> Write:
    """Send one change. An earlier one of the same field that still waits is not sent any more. Raises `BadToken`."""
    if not clients.is_rehearsing() and outbox.find(intent.scope, intent.key) is None:
        same = _select_changes(intent.account, intent.subject, intent.request["field_id"])
        for earlier in same.filter(state=State.HELD).exclude(key=intent.key):
            outbox.cancel(earlier)
    return submit(intent)


def cancel_earlier(write: Write) -> None:
    """Cancel the earlier changes of the same field that still wait."""
    same = _select_changes(write.account, write.subject, write.request["field_id"])
    for earlier in same.filter(state=State.HELD, created_at__lt=write.created_at).exclude(pk=write.pk):
        outbox.cancel(earlier)


def list_changed(account: Account, video_id: str) -> tuple[CustomField, ...]:
    """The fields of a video that were changed from here, as the platform answered the last time."""
    writes = Write.objects.filter(account=account, operation=UPDATE, subject=video_id, state=State.DONE)
    last = {write.after["field_id"]: write.after for write in writes.order_by("created_at") if write.after}
    return tuple(
        CustomField(
            values["field_id"], video_id, key=values["key"], value=values["value"], created_at=None, updated_at=None
        )
        for values in last.values()
    )


def _select_changes(account: Account | None, video_id: str, field_id: str) -> QuerySet[Write]:
    """All writes of one field."""
    same = Write.objects.filter(account=account, operation=UPDATE, subject=video_id)
    return same.filter(request__field_id=field_id)


def _platform(write: Write) -> Platform:
    assert write.account is not None  # noqa: S101  (every field belongs to an account)
    return clients.platform_for(write.account)


def _send(write: Write) -> CustomField:
    """`value` always, `key` only where it changes. An empty one is that of a field of which only the id was known."""
    sent = write.request
    key = None if sent["key"] in ("", (write.before or {}).get("key")) else sent["key"]
    return _platform(write).custom_fields.update(sent["video_id"], sent["field_id"], value=sent["value"], key=key)


def _keep(write: Write, saved: CustomField | None) -> None:
    """What the platform says that it saved; nothing where only a read showed that it arrived."""
    if saved is not None:
        after = write.after or {}
        write.after = {**after, "key": saved.key or after["key"], "value": saved.value or after["value"]}


def _settle(write: Write) -> Found | Absence:
    try:
        fields = _platform(write).custom_fields.list(write.request["video_id"])
    except Missing:
        return UNKNOWN
    now = next(
        ({"key": field.key, "value": field.value} for field in fields if field.id == write.request["field_id"]), None
    )
    if now is None:
        return UNKNOWN
    if _pair(write.request) == now:
        return Found()
    others = _select_changes(write.account, write.subject, write.request["field_id"]).exclude(pk=write.pk)
    if is_superseded(write, others):
        return SUPERSEDED
    return ABSENT if _pair(write.before or {}) == now else UNKNOWN


def _pair(values: dict[str, Any]) -> dict[str, Any]:
    return {name: values.get(name) for name in ("key", "value")}


def _update_copy(write: Write) -> None:
    """Update the searchable copy and the line of the file from the write."""
    if write.state == State.DONE and write.reason != REPLACED and write.account_id is not None:
        after = write.after or write.request
        rows = Field.objects.filter(account_id=write.account_id, field_id=write.request["field_id"])
        rows.update(key=after["key"][:300], value=after["value"])
    waits_for_its_first_sending = write.state == State.HELD and not write.attempt
    if "line" in write.request and not waits_for_its_first_sending:
        reason = FieldProblem.CHANGED_SINCE if write.state == State.CANCELLED else write.reason
        outcome = {"reason": reason[:30], "message": write.message} if write.state != State.HELD else {}
        Line.objects.filter(pk=write.request["line"]).update(state=LINE_STATES[State(write.state)], **outcome)


@receiver(restored)
def compare_restored(**_signal: object) -> None:
    """Lines that have not left are compared anew, and wait for a person to send them: they may have left since."""
    changes = Change.objects.filter(stage__in=(Stage.READY, Stage.SENDING))
    Line.objects.filter(change__in=changes, state=LineState.CHANGE).update(state=LineState.UNCHECKED)
    changes.update(stage=Stage.CHECKING, due_at=timezone.now(), busy_until=None)


register(Operation(UPDATE, _send, keep=_keep, settle=_settle, changed=_update_copy, waits=True))


@undoes(writes.UPDATE)
def undo(request: HttpRequest, entry: "Entry") -> "Write":
    """Send key and value as they were.

    Raises the `PlatformError` of a refusal, `Missing` where the field is gone, `NotUndone` where it was changed again since.
    """
    was: dict[str, Any] = entry.before or {}
    became: dict[str, Any] = entry.after or was
    field = CustomField(
        was["field_id"], was["video_id"], key=became["key"], value=became["value"], created_at=None, updated_at=None
    )
    asker = cast(OwnerRequest, request)
    intent = writes.field_intent(asker, field, key=was["key"], value=was["value"], label=entry.label, undoes=entry)
    if outbox.find(intent.scope, intent.key) is None:
        fields = clients.platform(request).custom_fields.list(was["video_id"])
        now = next((candidate for candidate in fields if candidate.id == was["field_id"]), None)
        if now is None:
            raise Missing(writes.UPDATE)
        if (now.key, now.value) != (became["key"], became["value"]):
            raise NotUndone(_("The field was changed in the meantime. Edit it on the page of its video."))
    return writes.save(intent)


refusals.register(
    conditions=(
        (
            "custom_fields.update",
            Refused,
            r"duplicate|unique|already",
            Refusal(gettext_noop("Another field of this video has this key. Choose a different one."), "", "key"),
        ),
        (
            "custom_fields.update",
            Refused,
            r"\bvalue\b",
            not_accepted("value", gettext_noop("Write a value of up to 500 characters.")),
        ),
        (
            "custom_fields.update",
            Refused,
            r"\bkey\b",
            not_accepted("key", gettext_noop("Write a key of up to 200 characters.")),
        ),
        (
            "custom_fields.update",
            Missing,
            r"custom.?field",
            Refusal(gettext_noop("This custom field was not found in this account."), gettext_noop("Reload the page.")),
        ),
    )
)

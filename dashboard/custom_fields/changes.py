"""Changes of many fields from a file: kept, compared, and sent line by line, by the worker and without a visitor.

The process that runs a change holds it until `busy_until`, and `due_at` is when the next step is due. `recover` finds changes
whose worker died; the outbox settles every line that was sent.
"""

import logging
import time
import uuid
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.custom_fields import rules, tasks
from dashboard.custom_fields.models import MOVING, SENT, Change, Line, LineState, Stage
from dashboard.custom_fields.rules import FieldProblem
from dashboard.custom_fields.writes import line_intent
from dashboard.platform_api.errors import BadToken, CallError, Missing, Unreachable
from dashboard.platform_api.videos import CustomField
from dashboard.shared.http import OwnerRequest
from dashboard.shared.vault import Unreadable
from dashboard.upstream import clients
from dashboard.upstream.parallel import Failed, Ready, gather
from dashboard.writes import outbox
from dashboard.writes.failures import pause_after
from dashboard.writes.models import State

log = logging.getLogger(__name__)

SIDE_BY_SIDE = 8
STEP = 4.0
"""Seconds of one step of the worker; then others have their turn."""
SPARE = 5
"""Seconds that a step may take beyond its own time and one call."""
OVERDUE = timedelta(seconds=3)
"""A change that is due for so long has no task any more."""
AHEAD = timedelta(minutes=10)
"""What is due or busy for longer than this was written by a clock that ran ahead."""
STALE = timedelta(seconds=90)
"""A line that is being sent for longer has no sender: the outbox gives one up much sooner."""


def create_change(request: OwnerRequest, key: uuid.UUID, name: str, lines: Iterable[rules.FileLine]) -> Change:
    """Keep a file's lines; those that are wrong by themselves are refused at once. The same form again is one file."""
    with transaction.atomic():
        change, is_new = Change.objects.get_or_create(
            pk=uuid.uuid5(request.account.pk, str(key)),
            defaults={"account_id": request.account.pk, "name": name[:200], "due_at": timezone.now()},
        )
        if is_new:
            Line.objects.bulk_create((_build_line(read, change) for read in lines), batch_size=1000)
            tasks.run_change.enqueue(str(change.pk))
    return change


def _build_line(read: rules.FileLine, change: Change) -> Line:
    return Line(
        change=change,
        number=read.number,
        video_id=read.video_id,
        key=read.key,
        new_key=read.new_key,
        value=read.value,
        state=LineState.REFUSED if read.problem else LineState.UNCHECKED,
        reason=read.problem or "",
    )


def create_undo(change: Change) -> Change:
    """Create the change that undoes `change`; it is compared first, like any file. A second call returns the first one."""
    with transaction.atomic():
        back, is_new = Change.objects.get_or_create(
            undoes=change,
            defaults={"account_id": change.account_id, "name": change.name, "due_at": timezone.now()},
        )
        if is_new:
            lines = change.lines.filter(state__in=SENT)
            Line.objects.bulk_create((_build_undo_line(line, back) for line in lines), batch_size=1000)
            tasks.run_change.enqueue(str(back.pk))
    return back


def _build_undo_line(line: Line, back: Change) -> Line:
    new_key = line.key if line.new_key else ""
    problem = (rules.key_problem(new_key) if new_key else None) or rules.value_problem(line.before)
    return Line(
        change=back,
        number=line.number,
        video_id=line.video_id,
        key=line.new_key or line.key,
        new_key=new_key,
        value=line.before,
        expected=line.value,
        state=LineState.REFUSED if problem else LineState.UNCHECKED,
        reason=problem or "",
    )


def begin_sending(request: OwnerRequest, change: Change) -> bool:
    """Move a change from ready to sending; only one of concurrent requests does."""
    now = timezone.now()
    moved = Change.objects.filter(pk=change.pk, stage=Stage.READY).update(
        stage=Stage.SENDING, actor=actor_of(request, request.account)[:120], due_at=now, reason="", pauses=0
    )
    change.refresh_from_db()
    if moved:
        tasks.run_change.enqueue(str(change.pk))
    return bool(moved)


def count_lines(change: Change) -> dict[str, int]:
    """How many lines are in each state."""
    rows = change.lines.order_by().values("state").annotate(count=Count("pk"))
    return {row["state"]: row["count"] for row in rows}


def recover() -> int:
    """Enqueue the changes that are due and have no task any more. Returns how many that were."""
    now = timezone.now()
    due = Q(due_at=None) | Q(due_at__lt=now - OVERDUE) | Q(due_at__gt=now + AHEAD)
    free = Q(busy_until=None) | Q(busy_until__lt=now) | Q(busy_until__gt=now + AHEAD)
    change_ids = list(Change.objects.filter(due, free, stage__in=MOVING).values_list("pk", flat=True)[:100])
    for change_id in change_ids:
        Change.objects.filter(pk=change_id).update(due_at=now)
        tasks.run_change.enqueue(str(change_id))
    return len(change_ids)


def is_due(change: Change) -> bool:
    """Whether the next step is to be done now."""
    return change.due_at is not None and change.due_at <= timezone.now()


def run(change: Change, seconds: float = STEP) -> None:
    """Compare or send for about `seconds`, unless somebody else does; what is left is enqueued."""
    now = timezone.now()
    busy_until = now + timedelta(seconds=seconds + settings.PLATFORM_TIMEOUT + SPARE)
    free = Q(busy_until=None) | Q(busy_until__lt=now) | Q(busy_until__gt=now + AHEAD)
    mine = Change.objects.filter(free, pk=change.pk, stage__in=MOVING)
    if not mine.update(busy_until=busy_until, due_at=now):
        change.refresh_from_db()
        return
    change.refresh_from_db()
    fields: dict[str, Any]
    try:
        fields = {"reason": "", "pauses": 0, **_run_step(change, seconds)}
    except Exception as error:
        if not isinstance(error, CallError):  # one that is broken is tried ever more rarely, like one that is refused
            log.exception("change %s cannot go on", change.pk)
            error = Unreachable("custom_fields.update", sent=False)
        pause = pause_after(error, change.pauses + 1)
        due_at = timezone.now() + timedelta(seconds=pause)
        fields = {"reason": type(error).__name__, "pauses": min(change.pauses + 1, 100), "due_at": due_at}
    held = Change.objects.filter(pk=change.pk, busy_until=busy_until)
    if held.update(busy_until=None, **fields) and (due_at := fields["due_at"]) is not None:
        tasks.run_change.using(run_after=due_at).enqueue(str(change.pk))
    change.refresh_from_db()


def _run_step(change: Change, seconds: float) -> dict[str, Any]:
    """One step; returns the fields of the change that are new after it. Raises a `PlatformError` that needs a pause."""
    account = Account.objects.filter(pk=change.account_id).first()
    if account is None:
        return {"stage": Stage.DONE, "due_at": None}
    end = time.monotonic() + seconds
    work = _compare_some if change.stage == Stage.CHECKING else _send_line
    try:
        while work(change, account):
            if time.monotonic() > end:
                return {"due_at": timezone.now()}
    except Unreadable:  # the account was disconnected, or the token's key is gone
        raise BadToken("custom_fields.list") from None
    if change.stage == Stage.CHECKING:
        return {"stage": Stage.READY, "due_at": None}
    sending = change.lines.filter(state=LineState.SENDING)
    sending.filter(sent_at__lt=timezone.now() - STALE).update(state=LineState.UNCONFIRMED)
    if sending.exists():
        return {"due_at": timezone.now() + timedelta(seconds=2)}
    return {"stage": Stage.DONE, "due_at": None}


def _compare_some(change: Change, account: Account) -> bool:
    """Compare the lines of the next few videos with what the platform has; False when none is left."""
    waiting = change.lines.filter(state=LineState.UNCHECKED).order_by("video_id")
    videos = list(waiting.values_list("video_id", flat=True).distinct()[:SIDE_BY_SIDE])
    if not videos:
        return False
    platform = clients.platform_for(account)
    reads = {video: (lambda video=video: platform.custom_fields.list(video)) for video in videos}
    for video, outcome in gather(settings.PLATFORM_TIMEOUT + 1, **reads).items():
        lines = list(waiting.filter(video_id=video))
        match outcome:
            case Ready(fields):
                _compare(lines, fields)
            case Failed(error) if isinstance(error, Missing):
                for line in lines:
                    line.state, line.reason = LineState.REFUSED, FieldProblem.NO_VIDEO
            case Failed(error):
                raise error
            case _:
                raise Unreachable("custom_fields.list")
        Line.objects.bulk_update(lines, ["state", "reason", "field_id", "before"], batch_size=500)
    return True


def _compare(lines: Iterable[Line], fields: tuple[CustomField, ...]) -> None:
    for line in lines:
        verdict = rules.compare_line(line.key, line.new_key, line.value, fields, line.expected)
        if verdict.problem:
            line.state, line.reason = LineState.REFUSED, verdict.problem
        else:
            line.state = LineState.CHANGE if verdict.changes else LineState.SAME
        if verdict.field:
            line.field_id, line.before = verdict.field.id, verdict.field.value


def _send_line(change: Change, account: Account) -> bool:
    """Send the next line; False when none is left. Raises the error of one that could not be sent now: it stays."""
    line = change.lines.filter(state=LineState.CHANGE).first()
    if line is None:
        return False
    with transaction.atomic():  # either the line waits, or its write is there
        waits = Line.objects.filter(pk=line.pk, state=LineState.CHANGE)
        if not waits.update(state=LineState.SENDING, sent_at=timezone.now()):
            return True
        write, _new = outbox.begin(line_intent(change, account, line))
    outbox.deliver(write)
    if write.state == State.HELD and (error := write.raised or write.error) is not None:
        raise error
    return True

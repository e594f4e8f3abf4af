"""Changes of many fields from a file: kept, compared, sent line by line exactly once, resumable at any point."""

import time
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from dashboard import clients
from dashboard.activity.recorder import ambiguous
from dashboard.custom_fields import editing, rules
from dashboard.custom_fields.models import SENT, Change, Line, LineState, Stage
from dashboard.custom_fields.rules import Problem
from dashboard.platform_api.errors import BadToken, Missing, PlatformError, RateLimited, Unreachable
from dashboard.platform_api.records.custom_fields import CustomField
from dashboard.shared import refusals
from dashboard.shared.fan_out import Failed, Ready, gather
from dashboard.shared.http import OwnerRequest

SIDE_BY_SIDE = 8
STALE = timedelta(seconds=90)
"""A line that has been on its way for longer was cut off between call and answer."""


def keep(request: OwnerRequest, name: str, lines: Iterable[rules.Read]) -> Change:
    """Keep a file's lines; those that are wrong by themselves are refused at once."""
    with transaction.atomic():
        change = Change.objects.create(account_id=request.account.pk, name=name[:200])
        Line.objects.bulk_create(
            (
                Line(
                    change=change,
                    number=read.number,
                    video_id=read.video_id,
                    key=read.key,
                    new_key=read.new_key,
                    value=read.value,
                    state=LineState.REFUSED if read.problem else LineState.UNCHECKED,
                    reason=read.problem or "",
                )
                for read in lines
            ),
            batch_size=1000,
        )
    return change


def take_back(change: Change) -> Change:
    """The change back to what was there before, compared first, like any file. A second press finds the first one."""
    with transaction.atomic():
        back, made = Change.objects.get_or_create(
            undoes=change, defaults={"account_id": change.account_id, "name": change.name}
        )
        if made:
            lines = change.lines.filter(state__in=SENT)
            Line.objects.bulk_create((_back(line, back) for line in lines), batch_size=1000)
    return back


def _back(line: Line, back: Change) -> Line:
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


def counts(change: Change) -> dict[str, int]:
    """How many lines are in each state."""
    rows = change.lines.order_by().values("state").annotate(count=Count("pk"))
    return {row["state"]: row["count"] for row in rows}


def step(request: OwnerRequest, change: Change, seconds: float) -> None:
    """Go on for about `seconds`: compare, or send. Raises a `PlatformError` when the platform needs a pause."""
    end = time.monotonic() + seconds
    work = {Stage.CHECKING: _check_some, Stage.SENDING: _send_one}.get(Stage(change.stage))
    while work and change.stage != Stage.DONE:
        if not work(request, change):
            if on_its_way(change):
                return
            after = Stage.READY if change.stage == Stage.CHECKING else Stage.DONE
            Change.objects.filter(pk=change.pk, stage=change.stage).update(stage=after)
            change.refresh_from_db()
            return
        if time.monotonic() > end:
            return


def begin_sending(change: Change) -> bool:
    """From ready to sending, by exactly one of those who press."""
    moved = Change.objects.filter(pk=change.pk, stage=Stage.READY).update(stage=Stage.SENDING)
    change.refresh_from_db()
    return bool(moved)


def _check_some(request: OwnerRequest, change: Change) -> bool:
    """Compare the lines of the next few videos with what the platform has; False when none is left."""
    waiting = change.lines.filter(state=LineState.UNCHECKED).order_by("video_id")
    videos = list(waiting.values_list("video_id", flat=True).distinct()[:SIDE_BY_SIDE])
    if not videos:
        return False
    platform = clients.platform(request)
    reads = {video: (lambda video=video: platform.custom_fields.list(video)) for video in videos}
    found = gather(settings.PLATFORM_TIMEOUT + 1, **reads)
    for video, outcome in found.items():
        lines = list(waiting.filter(video_id=video))
        match outcome:
            case Ready(fields):
                _compare(lines, fields)
            case Failed(error) if isinstance(error, Missing):
                for line in lines:
                    line.state, line.reason = LineState.REFUSED, Problem.NO_VIDEO
            case Failed(error):
                raise error
            case _:
                raise Unreachable("custom_fields.list")
        Line.objects.bulk_update(lines, ["state", "reason", "field_id", "before"], batch_size=500)
    return True


def _compare(lines: Iterable[Line], fields: tuple[CustomField, ...]) -> None:
    for line in lines:
        found = rules.verdict(line.key, line.new_key, line.value, fields, line.expected)
        if found.problem:
            line.state, line.reason = LineState.REFUSED, found.problem
        else:
            line.state = LineState.CHANGE if found.changes else LineState.SAME
        if found.field:
            line.field_id, line.before = found.field.id, found.field.value


def _send_one(request: OwnerRequest, change: Change) -> bool:
    """Send the next line that waits, or settle one that was cut off; False when none is left."""
    line = change.lines.filter(state=LineState.CHANGE).first()
    if line is None:
        return _settle_one(request, change)
    claimed = Line.objects.filter(pk=line.pk, state=LineState.CHANGE)
    if not claimed.update(state=LineState.SENDING, sent_at=timezone.now()):
        return True
    try:
        editing.save(
            request,
            line.video_id,
            _field(line, line.key, line.before),
            value=line.value,
            key=line.new_key or None,
            label=line.key,
        )
    except (BadToken, RateLimited):
        Line.objects.filter(pk=line.pk).update(state=LineState.CHANGE, sent_at=None)
        raise
    except PlatformError as error:
        if isinstance(error, Unreachable) and not error.sent:
            Line.objects.filter(pk=line.pk).update(state=LineState.CHANGE, sent_at=None)
            raise
        _end(line, LineState.UNCONFIRMED if ambiguous(error) else LineState.FAILED, refusals.explain(error).sentence)
    else:
        _end(line, LineState.DONE)
    return True


def _settle_one(request: OwnerRequest, change: Change) -> bool:
    """A line that was cut off is never sent again: reading tells whether it arrived."""
    cut = Q(state=LineState.SENDING, sent_at__lt=timezone.now() - STALE)
    line = change.lines.filter(cut).first()
    if line is not None:
        wanted = _field(line, line.new_key or line.key, line.value)
        there = editing.is_there(request, line.video_id, wanted)
        _end(line, LineState.DONE if there else LineState.UNCONFIRMED)
        return True
    return False


def on_its_way(change: Change) -> bool:
    """Whether a line is being sent by somebody else right now."""
    return change.lines.filter(state=LineState.SENDING).exists()


def _field(line: Line, key: str, value: str) -> CustomField:
    return CustomField(line.field_id, line.video_id, key, value, None, None)


def _end(line: Line, state: LineState, message: str = "") -> None:
    Line.objects.filter(pk=line.pk).update(state=state, message=message)

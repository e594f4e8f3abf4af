"""What a person does to a run: check a choice of videos, start, pause, continue, send again what was refused."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.runs import tasks
from dashboard.runs.models import ALL_REFUSED, CHECKED_KEPT, EVERYTHING, Run, RunEvent, RunItem, RunState
from dashboard.shared.entries import Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import parse_uuid
from dashboard.upstream import library, reads
from dashboard.upstream.library import find_titles, load_selection
from dashboard.writes import outbox
from dashboard.writes.models import LABEL_MAX, State
from dashboard.writes.run_actions import ItemState, RunAction, Target, find_action

STEP: Final = 1000
"""Rows stored in one statement."""


@dataclass(frozen=True)
class Choice:
    """The videos that a person chose: their titles by id. `query`: the search that chose them, "" for single ones, `missing`:
    the languages that it asks to be missing."""

    titles: Mapping[str, str]
    query: str = ""
    missing: Sequence[str] = ()


def check(
    account: Account, actor: str, key: uuid.UUID, action: RunAction, options: dict[str, Any], choice: Choice
) -> Run:
    """Keep a choice of videos with what can be done to each. The same form sent twice is one run."""
    old = timezone.now() - CHECKED_KEPT
    Run.objects.filter(account=account, state=RunState.CHECKED, created_at__lt=old).delete()
    with transaction.atomic():
        run, is_new = Run.objects.get_or_create(
            pk=uuid.uuid5(account.pk, f"run {key}"),
            defaults={
                "account": account,
                "action": action.name,
                "options": options,
                "title": action.format_title(options)[:LABEL_MAX],
                "query": choice.query,
                "actor": actor,
            },
        )
        if is_new:
            _store_items(run, action, [Target(video_id, title) for video_id, title in choice.titles.items()])
    return run


def _store_items(run: Run, action: RunAction, targets: Sequence[Target]) -> None:
    reasons = action.find_reasons(run.order(), targets)
    RunItem.objects.bulk_create(
        (
            RunItem(
                run=run,
                position=position,
                video_id=target.video_id,
                title=target.title[:500],
                state=ItemState.NOT_SENT if target.video_id in reasons else ItemState.PLANNED,
                reason=reasons.get(target.video_id, ""),
            )
            for position, target in enumerate(targets)
        ),
        batch_size=STEP,
    )
    note(run, RunEvent.Kind.CHECKED, total=len(targets), possible=len(targets) - len(reasons))


def start(run: Run, actor: str) -> bool:
    """Start a checked run. Of two presses one does."""
    now = timezone.now()
    with transaction.atomic():
        checked = Run.objects.filter(pk=run.pk, state=RunState.CHECKED)
        if not checked.update(state=RunState.RUNNING, started_at=now, due_at=now, changed_at=now):
            return False
        _prepare(run, run.items.filter(state=ItemState.PLANNED))
        note(run, RunEvent.Kind.STARTED, actor)
        tasks.enqueue(run)
    return True


def pause(run: Run, actor: str) -> bool:
    """Send no further videos. What has left goes on."""
    running = Run.objects.filter(pk=run.pk, state=RunState.RUNNING)
    if not running.update(state=RunState.PAUSED, due_at=None, reason="", changed_at=timezone.now()):
        return False
    note(run, RunEvent.Kind.PAUSED, actor)
    return True


def resume(run: Run, actor: str) -> bool:
    """Go on with a paused run."""
    if not _set_running(run, RunState.PAUSED):
        return False
    held = run.items.filter(state=ItemState.WAITING, write__state=State.HELD, write__due_at=None)
    writes = {item.write_id: item.write for item in held.select_related("write")}  # several videos may share one
    for write in writes.values():  # it waited for a good token
        if write is not None:
            outbox.release(write)
    note(run, RunEvent.Kind.CONTINUED, actor)
    return True


def retry(run: Run, actor: str) -> int:
    """Plan again what was refused, and only that. Returns how many videos that were."""
    refused = [item.video_id for item in run.items.filter(state=ItemState.REFUSED)]
    action = find_action(run.action)
    if action and refused:
        action.read_again(run.order())
    return _plan_again(run, actor, refused)


def dismiss(run: Run, actor: str) -> bool:
    """Take a finished run with refused videos off the overview. Of two presses one does."""
    finished = Run.objects.filter(pk=run.pk, state=RunState.FINISHED, dismissed_at=None)
    return _mark(run, actor, finished, timezone.now(), RunEvent.Kind.DISMISSED)


def restore(run: Run, actor: str) -> bool:
    """Show a dismissed run on the overview again."""
    dismissed = Run.objects.filter(pk=run.pk).exclude(dismissed_at=None)
    return _mark(run, actor, dismissed, None, RunEvent.Kind.RESTORED)


def _mark(run: Run, actor: str, runs: QuerySet[Run], at: datetime | None, kind: RunEvent.Kind) -> bool:
    with transaction.atomic():
        if not runs.update(dismissed_at=at):
            return False
        note(run, kind, actor)
    return True


def check_again(run: Run, actor: str) -> int:
    """Plan what could not be sent and can be now; the rest gets the reason of today. Returns how many videos are planned."""
    action = find_action(run.action)
    waiting = [item.as_target() for item in run.items.filter(state=ItemState.NOT_SENT)]
    if action and waiting:
        action.read_again(run.order())
    reasons = action.find_reasons(run.order(), waiting) if action else {}
    _leave_out(run, reasons)
    return _plan_again(run, actor, [target.video_id for target in waiting if target.video_id not in reasons])


def _plan_again(run: Run, actor: str, video_ids: Sequence[str]) -> int:
    ended = (ItemState.REFUSED, ItemState.NOT_SENT)
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)  # of two presses, the second finds nothing left
        items = run.items.filter(video_id__in=video_ids, state__in=ended)
        video_ids = list(items.values_list("video_id", flat=True))
        if run.state == RunState.CHECKED or not video_ids:
            return 0
        items.update(state=ItemState.PLANNED, attempt=F("attempt") + 1, reason="", write=None, ended_at=None, data={})
        planned = _prepare(run, run.items.filter(video_id__in=video_ids))
        if planned:
            note(run, RunEvent.Kind.RETRIED, actor, count=planned)
            _set_running(run, RunState.FINISHED, RunState.RUNNING)  # a paused one waits, with all of its videos
            Run.objects.filter(pk=run.pk, reason=ALL_REFUSED).update(reason="")
    return planned


def _set_running(run: Run, *states: RunState) -> bool:
    now = timezone.now()
    resumed = Run.objects.filter(pk=run.pk, state__in=states).update(
        state=RunState.RUNNING, due_at=now, reason="", finished_at=None, dismissed_at=None, changed_at=now
    )
    if resumed:
        tasks.enqueue(run)
    return bool(resumed)


def _prepare(run: Run, items: Iterable[RunItem]) -> int:
    """Prepare these planned videos; those that cannot be sent any more are left out. Returns how many are planned."""
    action = find_action(run.action)
    if action is None:
        return 0
    listed = list(items)
    reasons = action.find_reasons(run.order(), [item.as_target() for item in listed])
    planned = [item for item in listed if item.video_id not in reasons]
    data = action.prepare(run.order(), [item.as_target() for item in planned])
    for item in planned:
        item.data = data.get(item.video_id, {})
    RunItem.objects.bulk_update([item for item in planned if item.data], ["data"], batch_size=STEP)
    _leave_out(run, reasons)
    return len(planned)


def _leave_out(run: Run, reasons: Mapping[str, str]) -> None:
    """Keep why videos that are planned, or were not sent, cannot be sent."""
    open_items = run.items.filter(state__in=(ItemState.PLANNED, ItemState.NOT_SENT))
    for reason in set(reasons.values()):
        video_ids = [video_id for video_id in reasons if reasons[video_id] == reason]
        open_items.filter(video_id__in=video_ids).update(state=ItemState.NOT_SENT, reason=reason)


def note(run: Run, kind: RunEvent.Kind, actor: str = "", **data: Any) -> None:
    """Keep what happened."""
    RunEvent.objects.create(run=run, kind=kind, actor=actor, data=data)


ALL = "1"
"""The value of `all` that means every video that `query` finds."""


class NoChoice(Exception):
    """There is nothing to do it to; the message is a sentence for people."""


def read_choice(request: OwnerRequest, data: QueryDict) -> Choice:
    """The chosen videos with their titles, those of other accounts left out. Raises `NoChoice`."""
    choice = _read_search(request, data.get("query", "")) if data.get("all") == ALL else _read_ids(request, data)
    if not choice.titles:
        raise NoChoice(_("Choose at least one video."))
    return choice


def _read_search(request: OwnerRequest, query: str) -> Choice:
    selection = load_selection(request.account, query, actor_of(request, request.account))
    if selection.problem:
        raise NoChoice(selection.problem)
    if not selection.complete:
        raise NoChoice(_("Your library is still being read. Everything that matches can be chosen when that is done."))
    titles = {video_id: selection.titles.get(video_id, "") for video_id in selection.ids}
    return Choice(titles, query or EVERYTHING, selection.missing)


def _read_ids(request: OwnerRequest, data: QueryDict) -> Choice:
    missing = _read_missing(request, data.get("query", ""))
    ids = [video_id for video_id in dict.fromkeys(data.getlist("video")) if parse_uuid(video_id)]
    entries = library.known_entries(reads.of(request), Wanted())
    if entries is None:
        titles = find_titles(request.account, ids)
        return Choice({video_id: titles.get(video_id, "") for video_id in ids}, missing=missing)
    known = {entry.id: entry.title for entry in entries}
    return Choice({video_id: known[video_id] for video_id in ids if video_id in known}, missing=missing)


def _read_missing(request: OwnerRequest, query: str) -> tuple[str, ...]:
    """The languages that the list's search asks to be missing, where single videos of it were chosen."""
    return load_selection(request.account, query, actor_of(request, request.account)).missing if query else ()

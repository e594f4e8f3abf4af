"""Files of changes go on without a visitor: paused, resumed, taken over from a worker that died, every line once."""

import re
import sys
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.activity.models import Entry
from dashboard.custom_fields import changes, tasks
from dashboard.custom_fields.models import Change, Field, Line, LineState, Stage
from dashboard.writes import recovery
from dashboard.writes.models import Write
from tests.conftest import AtPlatform
from tests.custom_fields.conftest import ADDRESS, KEY, changed, compared, give, now, sent, shown, work
from tests.due import run_due

UPDATE = "custom_fields.update"
pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.mark.parametrize("stage", [Stage.CHECKING, Stage.SENDING])
@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 429}, "Too many requests. It continues automatically."),
        ({"broken": "refused"}, "cannot be reached right now. It continues automatically."),
        ({"status": 401}, "no longer accepts this token. Sign in with a new one: it continues from where it stopped."),
    ],
)
def test_a_change_that_pauses_says_why_and_continues_by_itself(
    owner: Client, rows: list[Field], faults: ModuleType, stage: Stage, fault: dict[str, Any], sentence: str
) -> None:
    if stage == Stage.CHECKING:
        give(owner, changed(rows))
        change = Change.objects.get()
    else:
        change = compared(owner, changed(rows))
        owner.post(f"{ADDRESS}changes/{change.pk}/send/")
    faults.set("custom_fields.list" if stage == Stage.CHECKING else UPDATE, **fault)
    before = timezone.now()
    work()
    assert sentence in shown(owner, change)
    change.refresh_from_db()
    assert change.stage == stage and change.busy_until is None
    assert change.due_at is not None and change.due_at > before, "nobody asks again before"
    faults.clear()
    Change.objects.update(due_at=timezone.now())
    work()
    run_due(60)
    change.refresh_from_db()
    assert change.stage == (Stage.READY if stage == Stage.CHECKING else Stage.DONE)
    if stage == Stage.SENDING:
        assert set(change.lines.values_list("state", flat=True)) == {LineState.DONE}
        assert set(Entry.objects.values_list("outcome", flat=True)) == {"done"}


def test_a_file_is_compared_and_sent_without_a_visitor(
    owner: Client, rows: list[Field], calls: Callable[[str], int]
) -> None:
    give(owner, changed(rows))
    work()
    change = Change.objects.get()
    assert change.stage == Stage.READY
    for _press in range(2):
        owner.post(f"{ADDRESS}changes/{change.pk}/send/")
    work()
    change.refresh_from_db()
    assert change.stage == Stage.DONE and change.due_at is None
    assert calls(UPDATE) == change.lines.count() == Write.objects.filter(state="done").count()
    assert Entry.objects.first().actor  # type: ignore[union-attr]  # there are some


def test_the_same_file_form_sent_twice_is_one_file(owner: Client, rows: list[Field]) -> None:
    first, second = (give(owner, changed(rows), write_key=KEY)["Location"] for _press in range(2))
    assert first == second and Change.objects.count() == 1


@pytest.mark.parametrize("arrived", [True, False])
def test_a_worker_killed_in_the_middle_is_replaced_and_every_line_leaves_once(
    owner: Client, rows: list[Field], arrived: bool, at_platform: AtPlatform
) -> None:
    change = compared(owner, changed(rows))
    owner.post(f"{ADDRESS}changes/{change.pk}/send/")
    seen: list[object] = []
    at_platform.arrives(UPDATE, seen.append)
    (at_platform.answers if arrived else at_platform.arrives)(UPDATE, lambda _request: sys.exit(), once=True)
    with pytest.raises(SystemExit):
        work()
    tasks.run_change.func(str(change.pk))
    assert len(seen) == 1, "its successor waits until it is certainly dead"
    past = timezone.now() - timedelta(seconds=30)
    Change.objects.update(busy_until=past, due_at=past)
    assert changes.recover() == 1
    work()
    run_due(30)  # the sender of the line in the middle is given up
    run_due(30)  # and reading tells whether it arrived
    lines = list(change.lines.order_by("number").values_list("state", flat=True))
    assert lines[0] == (LineState.DONE if arrived else LineState.FAILED)
    assert set(lines[1:]) == {LineState.DONE}
    assert len(seen) == len(lines)
    change.refresh_from_db()
    assert change.stage == Stage.SENDING, "until the last line was given up"
    Change.objects.update(due_at=timezone.now())
    work()
    change.refresh_from_db()
    assert change.stage == Stage.DONE
    if not arrived:
        assert "It did not reach the platform. Nothing was changed." in shown(owner, change, "refused")


def test_two_workers_do_not_move_one_change_at_once(
    owner: Client, rows: list[Field], calls: Callable[[str], int], at_platform: AtPlatform
) -> None:
    change = compared(owner, changed(rows))
    owner.post(f"{ADDRESS}changes/{change.pk}/send/")
    at_platform.arrives(UPDATE, lambda _request: changes.run(Change.objects.get(pk=change.pk)))
    work()
    assert calls(UPDATE) == change.lines.count()


@pytest.mark.parametrize("due", [None, timezone.now() - timedelta(minutes=1), timezone.now() + timedelta(days=31)])
def test_a_change_without_a_task_is_found(owner: Client, rows: list[Field], due: Any) -> None:
    give(owner, changed(rows))
    Change.objects.update(due_at=due, busy_until=None if due is None else due)
    assert changes.recover() == 1
    work()
    assert Change.objects.get().stage == Stage.READY
    assert changes.recover() == 0


def test_a_lost_answer_is_settled_by_reading_and_never_sent_again(
    owner: Client, rows: list[Field], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    change = compared(owner, changed(rows[:1] or rows))
    faults.set(UPDATE, broken="lost")
    sent(owner, change)
    assert "Not confirmed. We keep checking automatically." in shown(owner, change, "refused")
    run_due(3)
    assert set(change.lines.values_list("state", flat=True)) == {LineState.DONE}
    assert set(Entry.objects.values_list("outcome", flat=True)) == {"done"}
    assert calls(UPDATE) == change.lines.count()


def test_a_line_of_which_nobody_knows_a_sender_does_not_hold_the_file_for_ever(
    owner: Client, rows: list[Field]
) -> None:
    change = compared(owner, changed(rows[:1] or rows))
    owner.post(f"{ADDRESS}changes/{change.pk}/send/")
    Line.objects.update(state=LineState.SENDING, sent_at=timezone.now() - timedelta(minutes=5))
    work()
    change.refresh_from_db()
    assert change.stage == Stage.DONE
    assert set(change.lines.values_list("state", flat=True)) == {LineState.UNCONFIRMED}


def test_a_field_that_somebody_changes_by_hand_is_not_overwritten_by_a_line_that_waits(
    owner: Client, rows: list[Field], faults: ModuleType
) -> None:
    row = next(row for row in rows if row.key.isalnum())
    change = compared(owner, changed([row]))
    faults.set(UPDATE, status=429)
    sent_address = f"{ADDRESS}changes/{change.pk}/send/"
    owner.post(sent_address)
    work()
    faults.clear()
    owner.post(f"{ADDRESS}videos/{row.video_id}/{row.field_id}/", {"key": row.key, "value": "by hand"})
    Change.objects.update(due_at=timezone.now())
    work()
    run_due(60)
    assert now(row) == "by hand"
    assert "The field was changed in the meantime. It was not changed again." in shown(owner, change, "refused")


def test_a_poll_reads_the_database_and_ends_by_leading_on(
    owner: Client, rows: list[Field], calls: Callable[[str], int]
) -> None:
    give(owner, changed(rows))
    change = Change.objects.get()
    before = calls("custom_fields.list")
    poll = re.search(r'hx-get="([^"]+)"', shown(owner, change).split("<main")[1])
    assert poll is not None
    assert owner.get(poll[1], headers={"HX-Request": "true"}).status_code == 204
    assert calls("custom_fields.list") == before
    work()
    answer = owner.get(poll[1], headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == f"{ADDRESS}changes/{change.pk}/"
    assert 'id="progress"' not in shown(owner, change)


def test_lines_that_may_have_left_after_a_restored_backup_are_compared_anew_and_wait_for_a_person(
    owner: Client, rows: list[Field], calls: Callable[[str], int]
) -> None:
    change = compared(owner, changed(rows))
    owner.post(f"{ADDRESS}changes/{change.pk}/send/")
    recovery.doubt_restored()
    work()
    change.refresh_from_db()
    assert (change.stage, calls(UPDATE)) == (Stage.READY, 0)
    owner.post(f"{ADDRESS}changes/{change.pk}/send/")
    work()
    assert set(change.lines.values_list("state", flat=True)) == {LineState.DONE}


def test_restored_backup_takes_back_no_line_that_was_sent_and_no_change_that_is_over(
    owner: Client, rows: list[Field]
) -> None:
    change = compared(owner, changed(rows))
    Change.objects.update(stage=Stage.SENDING)
    done = change.lines.first()
    assert done is not None
    change.lines.filter(pk=done.pk).update(state=LineState.DONE)
    recovery.doubt_restored()
    done.refresh_from_db()
    assert done.state == LineState.DONE
    change.lines.update(state=LineState.CHANGE)
    Change.objects.update(stage=Stage.DONE, due_at=None)
    recovery.doubt_restored()
    change.refresh_from_db()
    assert change.stage == Stage.DONE and set(change.lines.values_list("state", flat=True)) == {LineState.CHANGE}

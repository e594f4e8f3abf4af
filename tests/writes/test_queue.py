"""A slow queue does not grow by itself, and a lost task is made good."""

import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult, get_date_max

from dashboard.monitoring.context import get_context, get_request_id
from dashboard.writes import outbox, recovery, schedule, task_backend, tasks
from dashboard.writes.models import Recurrence, Write
from dashboard.writes.outbox import Intent
from tests.due import pass_by
from tests.moments import measure_span
from tests.writes.conftest import Platform

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


def followed() -> int:
    return DBTaskResult.objects.filter(task_path=tasks.follow_write.module_path).count()


def tasks_become_due() -> None:
    for waiting in DBTaskResult.objects.exclude(run_after=get_date_max()):  # what may run at once says so by this
        waiting.run_after -= timedelta(hours=1)
        waiting.save()


def test_a_write_of_a_slow_queue_gets_no_second_task(platform: Platform, intent: Intent) -> None:
    outbox.begin(intent, hold=timedelta(seconds=5))
    tasks_become_due()
    for _stall in range(3):
        pass_by(60)
        assert recovery.recover() == 0
    assert followed() == 1


def test_a_write_whose_task_died_gets_one_and_only_one(platform: Platform, intent: Intent) -> None:
    outbox.begin(intent, hold=timedelta(seconds=5))
    DBTaskResult.objects.update(status="RUNNING")  # its worker was killed
    for _stall in range(3):
        pass_by(60)
        recovery.recover()
    assert followed() == 2


def test_a_task_for_later_does_not_stand_for_one_that_is_due(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    DBTaskResult.objects.all().delete()
    tasks.follow_write.using(run_after=timezone.now() + timedelta(hours=1)).enqueue(str(write.pk))
    pass_by(60)
    assert recovery.recover() == 1


def test_a_sender_that_died_is_given_up_also_while_the_queue_is_slow(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    tasks_become_due()
    Write.objects.filter(pk=write.pk).update(state="sending", attempt=1)
    pass_by(60)
    assert recovery.recover() == 1
    assert Write.objects.get().state == "unconfirmed"


def test_a_recurring_task_that_still_waits_is_not_put_in_again() -> None:
    for _turn in range(3):
        schedule.enqueue_due()
        tasks_become_due()
        for turn in Recurrence.objects.all():
            turn.due_at -= timedelta(days=2)
            turn.save()
    paths = list(DBTaskResult.objects.values_list("task_path", flat=True))
    assert paths and len(paths) == len(set(paths))


def test_a_task_names_its_write_and_is_due_with_it_before_others(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(minutes=5))
    task = DBTaskResult.objects.get()
    assert task.args_kwargs["args"] == [str(write.pk)]
    assert (task.run_after, task.priority) == (write.due_at, tasks.follow_write.priority)
    assert (task.queue_name, task.backend_name) == ("default", "default")


def test_of_two_lost_tasks_only_the_lost_one_is_made_good(platform: Platform, intent: Intent) -> None:
    waits, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    tasks_become_due()
    lost, _new = outbox.begin(replace(intent, key=uuid.uuid4()), hold=timedelta(seconds=5))
    DBTaskResult.objects.filter(args_kwargs__args__0=str(lost.pk)).delete()
    assert schedule.list_waiting(tasks.follow_write, [str(waits.pk), str(lost.pk)]) == {str(waits.pk)}
    assert schedule.list_waiting(tasks.follow_write, [str(lost.pk)]) == set()
    assert not schedule.is_waiting(tasks.prune_history)
    schedule.clear()
    assert schedule.list_waiting(tasks.follow_write, [str(waits.pk)]) == set()


def test_a_task_that_recurs_is_enqueued_once_each_turn() -> None:
    schedule.recur(tasks.prune_history, every=timedelta(days=1))
    runs = DBTaskResult.objects.filter(task_path=tasks.prune_history.module_path)
    with measure_span() as span:
        for _worker in range(2):
            schedule.enqueue_due()
    assert runs.count() == 1
    turn = Recurrence.objects.get(name=tasks.prune_history.module_path)
    assert span.holds(turn.due_at, later=timedelta(days=1))
    runs.delete()
    schedule.enqueue_due()
    assert not runs.exists(), "not before its next turn"
    Recurrence.objects.update(due_at=timezone.now() + timedelta(days=31))
    schedule.enqueue_due()
    assert runs.count() == 1, "but at once after a clock that ran ahead"


@pytest.mark.parametrize(("queued_by", "known_as"), [("request-7", "request-7"), (None, None)])
def test_a_task_runs_under_the_id_of_its_request_or_its_own(
    monkeypatch: pytest.MonkeyPatch, queued_by: str | None, known_as: str | None
) -> None:
    tasks.prune_history.enqueue()
    task = DBTaskResult.objects.get()
    task.args_kwargs["request_id"] = queued_by
    seen: list[tuple[str, str]] = []

    def run(worker: object, result: object) -> None:
        seen.append((get_request_id(), get_context().view))

    monkeypatch.setattr(Worker, "run_task", run)
    worker = task_backend.TracedWorker.__new__(task_backend.TracedWorker)
    worker.run_task(task)
    assert seen == [(known_as or task.id.hex, tasks.prune_history.module_path)]

"""A slow queue does not grow by itself, and a lost task is made good."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult, get_date_max

from dashboard.writes import outbox, recovery, schedule, tasks
from dashboard.writes.models import Recurrence, Write
from dashboard.writes.outbox import Intent
from tests.due import pass_by
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

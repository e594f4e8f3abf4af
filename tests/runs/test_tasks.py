"""What the worker does with runs: it follows each of them, whatever the others do, and drops old ones."""

from datetime import timedelta
from types import ModuleType

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from dashboard.runs import sending, tasks
from dashboard.runs.models import Run, RunState
from dashboard.writes.run_actions import ItemState
from tests.due import run_due
from tests.runs.conftest import Steps

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SEND = "assistants.update_chat_visibility"


def test_paused_runs_keep_no_other_run_from_its_end(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    paused, run = steps.start(count=1), steps.start("show_chat", count=1)
    steps.press(paused, "pause")
    monkeypatch.setattr(tasks, "MOST", 1)
    steps.send(run)
    tasks.follow_runs.func()
    run.refresh_from_db()
    assert run.state == RunState.FINISHED


def test_a_video_that_is_settled_after_its_run_has_finished_is_told(steps: Steps, faults: ModuleType) -> None:
    run = steps.start(count=1)
    faults.set(SEND, broken="lost", times=1)
    steps.work(run)
    steps.work(run)
    assert run.state == RunState.FINISHED and sending.count_states(run) == {ItemState.UNCONFIRMED: 1}
    run_due(30)
    tasks.follow_runs.func()
    assert sending.count_states(run) == {ItemState.DONE: 1}


def test_a_run_that_cannot_be_followed_keeps_none_waiting(
    steps: Steps, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, run = steps.start(count=1), steps.start("show_chat", count=1)
    for started in (broken, run):
        steps.send(started)
    follow = sending.follow

    def fail(followed: Run) -> None:
        if followed.pk == broken.pk:
            raise LookupError("on purpose")
        follow(followed)

    monkeypatch.setattr(sending, "follow", fail)
    tasks.follow_runs.func()
    run.refresh_from_db()
    assert run.state == RunState.FINISHED and "on purpose" in caplog.text


@pytest.fixture
def queue(settings: Settings) -> None:
    """The queue in the database, in which tasks wait for a worker."""
    settings.TASKS = {"default": {"BACKEND": "dashboard.writes.task_backend.TracedBackend"}}


def count_tasks(run: Run) -> int:
    waiting = DBTaskResult.objects.filter(task_path=tasks.advance_run.module_path)
    return waiting.filter(args_kwargs__args__0=str(run.pk)).count()


def test_a_run_whose_task_was_lost_gets_one_and_a_slow_queue_no_second(steps: Steps, queue: None) -> None:
    run = steps.start(count=1)
    Run.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    tasks.follow_runs.func()
    assert count_tasks(run) == 1
    DBTaskResult.objects.all().delete()
    for _turn in range(2):
        tasks.follow_runs.func()
    assert count_tasks(run) == 1


def test_a_run_that_a_clock_ran_ahead_with_is_sent_now(steps: Steps, queue: None) -> None:
    run = steps.start(count=1)
    DBTaskResult.objects.all().delete()
    Run.objects.update(due_at=timezone.now() + timedelta(days=31))
    tasks.follow_runs.func()
    assert count_tasks(run) == 1
    tasks.advance_run.func(str(run.pk))
    run.refresh_from_db()
    in_20_minutes = timezone.now() + timedelta(minutes=20)
    assert run.due_at is None or run.due_at < in_20_minutes
    assert run.items.get().state != "planned"


def test_a_run_with_planned_videos_and_no_time_for_them_is_sent_on(steps: Steps, queue: None) -> None:
    run = steps.start(count=1)
    DBTaskResult.objects.all().delete()
    Run.objects.update(due_at=None)  # a worker found nothing planned, while another one planned videos again
    for _turn in range(2):
        tasks.follow_runs.func()
    run.refresh_from_db()
    assert run.due_at is not None and count_tasks(run) == 1
    steps.press(run, "pause")
    tasks.follow_runs.func()
    run.refresh_from_db()
    assert run.due_at is None and count_tasks(run) == 1


def test_old_runs_are_dropped_and_what_is_not_over_is_kept(steps: Steps, settings: Settings) -> None:
    old, new, paused, checked = (steps.check(count=1) for _number in range(4))
    for run in (old, new, paused):
        steps.press(run, "start")
    long_ago = timezone.now() - timedelta(days=settings.RETENTION_DAYS + 1)
    Run.objects.filter(pk__in=(old.pk, new.pk)).update(state=RunState.FINISHED, finished_at=timezone.now())
    Run.objects.filter(pk=paused.pk).update(state=RunState.PAUSED, created_at=long_ago)
    Run.objects.filter(pk=old.pk).update(finished_at=long_ago)
    Run.objects.filter(pk=checked.pk).update(created_at=long_ago)
    tasks.prune_runs.func()
    assert set(Run.objects.values_list("pk", flat=True)) == {new.pk, paused.pk}

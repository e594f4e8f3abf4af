"""A worker that has nothing to do asks a few cheap questions and writes nothing: no row, no task, no line of the log."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from dashboard.accounts.models import Account
from dashboard.analytics.models import RetentionList, TrafficList
from dashboard.analytics.tasks import read_retention, read_traffic
from dashboard.custom_fields.models import Change, Stage
from dashboard.custom_fields.tasks import recover_changes
from dashboard.management.commands import worker
from dashboard.review_links.models import LinkReading
from dashboard.review_links.tasks import read_links
from dashboard.runs.models import Run, RunState
from dashboard.runs.tasks import follow_runs
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.tasks import follow_jobs
from dashboard.videos.models import LibraryReading
from dashboard.videos.tasks import read_library
from dashboard.writes import schedule, tasks
from dashboard.writes.models import Recurrence
from review_portal.models import ReviewLink
from review_portal.tasks import tell_news
from tests.writes.conftest import Platform

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


@pytest.fixture(autouse=True)
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of a test goes with its connection."""
    monkeypatch.setattr(worker, "close_old_connections", lambda: None)


def make_all_due() -> None:
    Recurrence.objects.update(due_at=timezone.now() - timedelta(days=2))


def enqueue() -> set[str]:
    """The tasks that a turn of everything puts into the queue."""
    DBTaskResult.objects.all().delete()
    make_all_due()
    schedule.enqueue_due()
    return set(DBTaskResult.objects.values_list("task_path", flat=True))


def test_nothing_that_recurs_within_the_hour_is_enqueued_while_nothing_happens(platform: Platform) -> None:
    seldom = {name for name, recurring in schedule._recurring.items() if recurring.every >= timedelta(hours=1)}
    assert enqueue() <= seldom


def test_an_idle_look_reads_and_writes_nothing(platform: Platform, caplog: pytest.LogCaptureFixture) -> None:
    worker._look(4, with_turns=True)
    DBTaskResult.objects.all().delete()
    caplog.clear()
    with CaptureQueriesContext(connection) as asked:
        for _look in range(10):
            worker._look(4, with_turns=True)
    statements = [query["sql"] for query in asked]
    assert len(statements) <= 30 and all(statement.startswith("SELECT") for statement in statements)
    assert not caplog.records


WORK: dict[Task[..., Any], Callable[[Account], object]] = {
    recover_changes: lambda account: Change.objects.create(
        pk=uuid4(), account_id=account.pk, name="f", stage=Stage.CHECKING, due_at=timezone.now()
    ),
    follow_runs: lambda account: Run.objects.create(account=account, action="x", title="x", state=RunState.RUNNING),
    tell_news: lambda account: ReviewLink.objects.create(
        pk=uuid4(), video_id=uuid4(), name="n", version=2, noticed_version=1, confirmed=True
    ),
    read_library: lambda account: LibraryReading.objects.create(account=account, wanted_at=timezone.now()),
    read_links: lambda account: LinkReading.objects.create(account=account, wanted_at=timezone.now()),
    read_traffic: lambda account: TrafficList.objects.create(account=account, wanted_at=timezone.now()),
    read_retention: lambda account: RetentionList.objects.create(account=account, wanted_at=timezone.now()),
    follow_jobs: lambda account: PlannedCell.objects.create(
        batch=Batch.objects.create(account=account),
        position=0,
        video_id="v",
        lang="es",
        status="RUNNING",
        sending_at=timezone.now(),
    ),
}


@pytest.mark.parametrize("task", list(WORK), ids=lambda task: task.name)
def test_what_recurs_is_enqueued_as_soon_as_there_is_something_to_do(
    platform: Platform, account: Account, task: Task[..., Any]
) -> None:
    assert task.module_path not in enqueue()
    WORK[task](account)
    assert task.module_path in enqueue()


def test_a_question_that_breaks_keeps_no_other_task_waiting(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    all_others = enqueue()
    broken = schedule.Recurring(follow_runs, timedelta(seconds=5), lambda: bool(1 // 0))
    monkeypatch.setitem(schedule._recurring, follow_runs.module_path, broken)
    assert len(all_others) > 3 and enqueue() == all_others
    assert "ZeroDivisionError" in caplog.text and follow_runs.module_path in caplog.text


def test_every_task_that_recurs_often_is_asked_whether_it_has_something_to_do() -> None:
    often = {name for name, recurring in schedule._recurring.items() if recurring.every < timedelta(minutes=5)}
    assert often == {task.module_path for task in WORK}


def test_a_look_wakes_as_many_threads_as_there_are_tasks(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[int] = []
    monkeypatch.setattr(worker._due, "notify", woken.append)
    worker._look(4, with_turns=False)
    for _task in range(2):
        tasks.prune_history.enqueue()
    tasks.follow_write.using(run_after=timezone.now() + timedelta(seconds=5)).enqueue(str(uuid4()))
    worker._look(4, with_turns=False)
    assert woken == [2], "one that is due later wakes nobody yet"
    assert schedule.count_ready(1) == 1

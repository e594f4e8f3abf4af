"""What the worker does for a batch with no page open: sends, settles, follows; and what was open before it existed."""

import re
import sys
from datetime import timedelta
from html import unescape
from types import ModuleType

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from dashboard.activity.models import Entry
from dashboard.sandbox.clock import Frozen
from dashboard.subtitles import tasks
from dashboard.writes import outbox, recovery
from dashboard.writes.models import State, Write
from tests.conftest import AtPlatform
from tests.due import dies_before_sending, run_due
from tests.pages import page_of
from tests.subtitles.conftest import Library, address, failed_job, later, planned, send, statuses, translation
from tests.subtitles.test_send import NEW, new_jobs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_batch_whose_process_was_killed_before_its_first_call_is_sent_by_the_worker(
    owner: Client, library: Library
) -> None:
    batch = planned(owner, translation(library.source_only, library.second))
    with dies_before_sending():
        send(owner, batch)
    assert new_jobs(library.source_only) == []
    run_due(1)
    run_due()
    assert new_jobs(library.source_only) == new_jobs(library.second) == NEW


def test_a_batch_whose_process_was_killed_during_a_call_is_settled_and_goes_on(
    owner: Client, library: Library, at_platform: AtPlatform
) -> None:
    batch = planned(owner, translation(library.source_only, library.second))
    at_platform.answers("ai_workflow.create", lambda _request: sys.exit(), once=True)
    with pytest.raises(SystemExit):
        send(owner, batch)
    assert set(statuses(batch).values()) == {"SENDING", "PLANNED"}
    for _time in range(4):
        run_due(60)
    assert set(statuses(batch).values()) <= {"QUEUE", "RUNNING"}
    assert new_jobs(library.source_only) == new_jobs(library.second) == NEW
    assert {entry.outcome for entry in Entry.objects.all()} == {"done"}


def test_jobs_are_followed_to_their_end_without_a_visitor(owner: Client, library: Library, clock: Frozen) -> None:
    batch = planned(owner, translation(library.source_only, to=("fr", "sw")))
    send(owner, batch)
    later(clock, 60)
    tasks.follow_jobs.func()
    assert set(statuses(batch).values()) == {"FINISHED", "ERROR"}


def test_the_page_of_a_waiting_batch_learns_by_its_poll_that_it_has_left(
    owner: Client, library: Library, faults: ModuleType
) -> None:
    batch = planned(owner, translation(library.source_only, to=("fr",)))
    faults.set("ai_workflow.create", broken="refused")
    send(owner, batch)
    script = {"HX-Request": "true"}
    (poll,) = re.findall(r'id="live-poll" hx-get="([^"]*)"', owner.get(address(batch)).content.decode())
    poll = unescape(poll)
    assert owner.get(poll, headers=script).status_code == 204
    faults.clear()
    run_due(60)
    answer = page_of(owner.get(poll, headers=script))
    assert "In queue" in answer
    assert "still to send" not in answer
    assert f'<div id="to-send-{batch.pk}" hx-swap-oob="true"></div>' in answer


def test_what_left_after_a_restored_backup_is_found_and_what_did_not_is_not_sent_by_itself(
    owner: Client, library: Library
) -> None:
    batch = planned(owner, translation(library.source_only, library.second))
    with dies_before_sending():
        send(owner, batch)
    with transaction.atomic():  # it leaves, and the database goes back to the time before
        outbox.deliver(Write.objects.get(subject=library.source_only))
        transaction.set_rollback(True)
    assert new_jobs(library.source_only) == NEW and set(statuses(batch).values()) == {"PLANNED"}
    recovery.doubt_restored()
    assert set(statuses(batch).values()) == {"UNCONFIRMED"}
    for _time in range(4):
        Write.objects.filter(ended_at__isnull=False).update(ended_at=timezone.now() - timedelta(hours=1))
        run_due(3600)
    states = dict(Write.objects.values_list("subject", "state"))
    assert states == {library.source_only: State.DONE, library.second: State.REFUSED}
    assert (new_jobs(library.source_only), new_jobs(library.second)) == (NEW, [])


def test_job_from_before_a_restored_write_does_not_prove_that_it_left(owner: Client, library: Library) -> None:
    failed_job(library.source_only, "fr", timezone.now() - timedelta(days=1))
    batch = planned(owner, translation(library.source_only, to=("fr",), again=f"{library.source_only}.fr"))
    with dies_before_sending():
        send(owner, batch)
    recovery.doubt_restored()
    for _time in range(4):
        Write.objects.filter(ended_at__isnull=False).update(ended_at=timezone.now() - timedelta(hours=1))
        run_due(3600)
    assert Write.objects.get().state == State.REFUSED
    assert set(statuses(batch).values()) == {"MISSING"}

"""Videos that a funnel run could not add: when it pauses, and what becomes of the others."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from types import ModuleType

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.funnels import rules
from dashboard.funnels.writes import AddToFunnel
from dashboard.runs import sending
from dashboard.runs.models import Run, RunItem, RunState
from dashboard.runs.sending import AT_MOST, count_refused_in_a_row, list_parts, replan_after
from dashboard.sandbox.models import Funnel, Organization, Video
from dashboard.writes import outbox
from dashboard.writes.models import Write
from dashboard.writes.run_actions import ItemState
from tests.due import run_due
from tests.funnels.test_add_run import main, start, steps, take_away
from tests.funnels.test_add_run import names_refused as names_refused
from tests.funnels.test_funnels import WRITE, now
from tests.runs.conftest import Steps

__all__ = ["main", "steps"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def give_back(video_id: str, funnel_id: str) -> None:
    """The platform has the video again."""
    Video.objects.filter(pk=video_id).update(organization=Funnel.objects.get(pk=funnel_id).organization)


def empty(funnel_id: str) -> None:
    Funnel.objects.get(pk=funnel_id).placed.all().delete()


@pytest.mark.parametrize("state", [ItemState.WAITING, ItemState.UNCONFIRMED, ItemState.DONE])
def test_a_video_that_left_and_was_not_refused_breaks_the_row(steps: Steps, main: str, state: ItemState) -> None:
    run = start(steps, main, 12)
    items = list(run.items.all())
    for place, item in enumerate(items[:11]):
        item.write = Write.objects.create(
            operation=WRITE, scope="s", key=Write().pk, sent_at=timezone.now() + timedelta(seconds=place)
        )
        item.state, item.ended_at = ItemState.REFUSED, item.write.sent_at
        item.save()
    assert count_refused_in_a_row(run, 10) == 10
    run.items.filter(pk=items[5].pk).update(state=state, ended_at=None)
    assert count_refused_in_a_row(run, 10) == 5


@pytest.mark.parametrize("is_empty", [False, True])
def test_retry_adds_the_refused_video_at_a_free_place(
    steps: Steps, main: str, names_refused: None, is_empty: bool
) -> None:
    entry = steps.videos[1] if is_empty else rules.get_entry_id(now(main))
    if is_empty:
        empty(main)
    run = start(steps, main)
    bad = steps.videos[0 if is_empty else 7]
    take_away(bad)
    steps.work(run, times=6)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1}
    give_back(bad, main)
    steps.press(run, "retry")
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 25} and run.state == RunState.FINISHED
    there = now(main)
    assert rules.get_entry_id(there) == entry
    assert len({(video.x, video.y) for video in there.videos}) == len(there.videos), "no card covers another"


def test_a_retry_whose_reading_fails_is_planned_all_the_same(steps: Steps, main: str, faults: ModuleType) -> None:
    run = start(steps, main, 3)
    faults.set(WRITE, status=403)
    steps.work(run)
    faults.clear()
    faults.set("funnels.get", status=500)
    steps.press(run, "retry")
    assert sending.count_states(run) == {ItemState.PLANNED: 3}
    faults.clear()
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 3}


def test_check_again_reads_the_funnel_first(steps: Steps, main: str) -> None:
    other = next(video.id for video in now(main).videos if not video.is_first)
    steps.videos = [other, *steps.videos]
    run = start(steps, main, 3)
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 2, ItemState.NOT_SENT: 1}
    Funnel.objects.get(pk=main).placed.filter(video_id=other).delete()
    steps.press(run, "check-again")
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 3}


def send_alone(run: Run, count: int = 1) -> None:
    """An earlier refusal of all made the first of them, the entry among them, leave alone."""
    for item in run.items.filter(position__lt=count):
        item.data = {**item.data, AT_MOST: 1}
        item.save()


def test_a_video_that_leaves_alone_after_the_refused_entry_is_not_refused_because_of_it(
    steps: Steps, main: str, calls: Callable[[str], int]
) -> None:
    empty(main)
    run = start(steps, main, 3)
    send_alone(run, 3)
    take_away(steps.videos[0])
    steps.work(run)
    assert sending.count_states(run) == {ItemState.REFUSED: 1, ItemState.PLANNED: 2} and calls(WRITE) == 1
    steps.work(run)
    assert sending.count_states(run) == {ItemState.REFUSED: 1, ItemState.DONE: 2} and calls(WRITE) == 3


def test_a_refused_entry_is_replaced_where_the_process_that_sent_it_has_died(
    steps: Steps, main: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty(main)
    run = start(steps, main)
    send_alone(run)
    take_away(steps.videos[0])
    deliver = outbox.deliver

    def die_after(write: Write) -> Write:
        deliver(write)
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(outbox, "deliver", die_after)
        with pytest.raises(KeyboardInterrupt):
            steps.work(run)
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1}
    assert rules.get_entry_id(now(main)) == steps.videos[1]
    assert Write.objects.filter(operation=WRITE).count() == 2


def test_an_entry_that_waited_for_a_token_and_was_refused_then_is_replaced(
    steps: Steps, main: str, faults: ModuleType
) -> None:
    empty(main)
    run = start(steps, main)
    send_alone(run)
    take_away(steps.videos[0])
    faults.set(WRITE, status=401)
    steps.work(run)
    assert run.state == RunState.PAUSED and sending.count_states(run)[ItemState.WAITING] == 1
    faults.clear()
    steps.press(run, "continue")
    run_due(400)
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1}
    assert rules.get_entry_id(now(main)) == steps.videos[1]


def test_an_entry_is_replaced_once_where_two_processes_follow_the_run(steps: Steps, main: str) -> None:
    empty(main)
    run = start(steps, main)
    send_alone(run)
    take_away(steps.videos[0])
    steps.work(run)
    refused = run.items.get(state=ItemState.REFUSED)
    run.items.filter(position=1).update(state=ItemState.DONE)  # the new entry is on the board
    run.items.filter(pk=refused.pk).update(state=ItemState.WAITING)  # as another process knows it
    sending.follow(run)
    entries = {item.data["entry"]["id"] for item in run.items.filter(state=ItemState.PLANNED)}
    assert entries == {steps.videos[1]}


def test_what_a_worker_read_before_the_entry_was_replaced_is_not_sent(
    steps: Steps, main: str, monkeypatch: pytest.MonkeyPatch, calls: Callable[[str], int]
) -> None:
    empty(main)
    run = start(steps, main)
    run.items.filter(position=0).update(state=ItemState.REFUSED)

    def replace_before(items: Sequence[RunItem], size: int) -> list[list[RunItem]]:
        replan_after(run, AddToFunnel(), run.items.get(position=0))
        return list_parts(items, size)

    with monkeypatch.context() as patch:
        patch.setattr(sending, "list_parts", replace_before)
        steps.work(run)
    assert calls(WRITE) == 0
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1}
    assert rules.get_entry_id(now(main)) == steps.videos[1]


def test_videos_that_a_refusal_names_are_sent_alone_with_a_look_at_pause_after_ten(
    steps: Steps, main: str, names_refused: None, calls: Callable[[str], int]
) -> None:
    run = start(steps, main)
    bad = Organization.objects.create(name="Elsewhere")
    home = Funnel.objects.get(pk=main).organization
    Video.objects.filter(pk__in=steps.videos[:15]).update(organization=bad)
    steps.work(run)
    Video.objects.filter(pk__in=steps.videos[:15]).update(organization=home)
    before = calls(WRITE)
    steps.work(run)
    assert calls(WRITE) == before + sending.GROUP
    assert sending.count_states(run) == {ItemState.DONE: 10, ItemState.PLANNED: 15}
    steps.press(run, "pause")
    steps.work(run)
    assert calls(WRITE) == before + sending.GROUP
    steps.press(run, "continue")
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 25}


@pytest.mark.parametrize(("is_empty", "place", "is_loaded"), [(True, 0, True), (True, 1, False), (False, 0, False)])
def test_planned_videos_are_loaded_only_where_they_may_name_the_refused_one(
    steps: Steps, main: str, is_empty: bool, place: int, is_loaded: bool
) -> None:
    if is_empty:
        empty(main)
    run = start(steps, main)
    refused = run.items.get(position=place)
    with CaptureQueriesContext(connection) as queries:
        replan_after(run, AddToFunnel(), refused)
    assert bool(queries) is is_loaded

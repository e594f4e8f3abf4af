"""Videos that a funnel run could not add: when it pauses, and what becomes of the others."""

from datetime import timedelta
from types import ModuleType

import pytest
from django.utils import timezone

from dashboard.funnels import rules
from dashboard.runs import sending
from dashboard.runs.models import RunState
from dashboard.runs.splitting import count_refused_in_a_row
from dashboard.sandbox.handlers import funnels
from dashboard.sandbox.http_types import bad_request
from dashboard.sandbox.models import Funnel, Video
from dashboard.writes.models import Write
from dashboard.writes.run_actions import ItemState
from tests.funnels.test_add_run import WRITE, main, start, steps, take_away
from tests.funnels.test_funnels import now
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
    steps: Steps, main: str, monkeypatch: pytest.MonkeyPatch, is_empty: bool
) -> None:
    entry = steps.videos[1] if is_empty else rules.get_entry_id(now(main))
    if is_empty:
        empty(main)
    run = start(steps, main)
    bad = steps.videos[0 if is_empty else 7]
    take_away(bad)
    with monkeypatch.context() as patch:
        patch.setattr(funnels, "bad_request", lambda _message: bad_request(f"Video {bad} not found"))
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

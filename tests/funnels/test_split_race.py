"""A refused request is split by one worker: what another one did to its videos meanwhile stays."""

from uuid import uuid4

import pytest

from dashboard.runs import sending
from dashboard.writes.models import State, Write
from dashboard.writes.run_actions import ItemState
from tests.funnels.test_add_run import main, start, steps, take_away
from tests.funnels.test_add_run import names_refused as names_refused
from tests.funnels.test_funnels import WRITE
from tests.moments import at_statement
from tests.runs.conftest import Steps

__all__ = ["main", "steps"]


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_videos_that_went_on_meanwhile_are_not_planned_again(steps: Steps, main: str, names_refused: None) -> None:
    run = start(steps, main, 4)
    take_away(steps.videos[3])
    steps.send(run)
    sent_again, ended, *others = run.items.order_by("position")
    assert {item.state for item in run.items.all()} == {ItemState.WAITING}
    smaller = Write.objects.create(operation=WRITE, scope="s", key=uuid4(), state=State.SENDING)

    def go_on() -> None:
        run.items.filter(pk=sent_again.pk).update(write=smaller)
        run.items.filter(pk=ended.pk).update(state=ItemState.REFUSED)

    with at_statement('UPDATE "runs_runitem"', go_on):
        sending.follow(run)
    attempts = {item.attempt + 1 for item in others}
    for item in (sent_again, ended, *others):
        item.refresh_from_db()
    assert (sent_again.state, sent_again.write_id) == (ItemState.WAITING, smaller.pk)
    assert ended.state == ItemState.REFUSED
    assert {item.state for item in others} == {ItemState.PLANNED}
    assert {item.attempt for item in others} == attempts, "what is sent of them has another key"

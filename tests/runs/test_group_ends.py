"""How a group of videos ends: all refused with more to send, all refused with nothing left, nothing sent at all."""

from types import ModuleType

import pytest

from dashboard.runs import sending
from dashboard.runs.models import ALL_REFUSED, RunState
from dashboard.writes.run_actions import ItemState
from tests.runs.conftest import Steps

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SEND = "review_links.create"


@pytest.mark.parametrize(
    ("count", "state", "reason"),
    [
        (sending.GROUP - 1, RunState.FINISHED, ""),
        (sending.GROUP, RunState.FINISHED, ""),
        (sending.GROUP + 1, RunState.PAUSED, ALL_REFUSED),
    ],
)
def test_a_group_that_was_refused_pauses_a_run_that_has_more_to_send(
    steps: Steps, faults: ModuleType, count: int, state: RunState, reason: str
) -> None:
    run = steps.start("review_links", count, name="Round 1", days="7")
    faults.set(SEND, status=403)
    steps.work(run)
    assert (run.state, run.reason) == (state, reason)
    assert sending.count_states(run)[ItemState.REFUSED] == min(count, sending.GROUP)


def test_a_group_that_was_refused_does_not_pause_what_only_waits_for_its_end(steps: Steps, faults: ModuleType) -> None:
    run = steps.start("review_links", sending.GROUP, name="Round 1", days="7")
    faults.set(SEND, status=403)
    steps.send(run)
    assert (run.state, run.reason, run.due_at) == (RunState.RUNNING, "", None)
    sending.follow(run)
    run.refresh_from_db()
    assert run.state == RunState.FINISHED

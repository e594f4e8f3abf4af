"""What is said of a video of a run whose write ended without being done."""

from typing import Any

import pytest

from dashboard.assistants.run_actions import HideChats, ShowChats
from dashboard.platform_api import errors
from dashboard.shared import refusals
from dashboard.writes import failures, run_actions
from dashboard.writes.models import State, Write
from dashboard.writes.run_actions import ItemState, Target

REFUSED = errors.Refused("videos.update", 400, "Too long.")


def target(state: State | None, reason: str = "", **fields: Any) -> Target:
    write = None if state is None else Write(operation="videos.update", state=state, reason=reason, **fields)
    return Target("v1", "One", write=write)


@pytest.mark.parametrize(
    ("ended", "sentence"),
    [
        (target(None), "It had changed since the check."),
        (target(State.CANCELLED, failures.NOT_SENT), "It had changed since the check."),
        (target(State.REFUSED, failures.NOT_SENT), "It never reached the platform."),
        (target(State.REFUSED, failures.NOT_RECEIVED), "It never reached the platform."),
        (target(State.REFUSED, "Refused", status=400, message="Too long."), refusals.explain(REFUSED).whole),
        (target(State.REFUSED), ""),
    ],
)
def test_an_end_is_explained_by_its_write(ended: Target, sentence: str) -> None:
    assert ShowChats().explain_ends([ended]) == {"v1": sentence}


def test_the_state_of_a_video_is_that_of_its_write_where_it_has_one() -> None:
    states = {state: ShowChats().read_states([target(state)]).get("v1") for state in State}
    assert states == {
        State.HELD: ItemState.WAITING,
        State.SENDING: ItemState.WAITING,
        State.UNCONFIRMED: ItemState.UNCONFIRMED,
        State.DONE: ItemState.DONE,
        State.REFUSED: ItemState.REFUSED,
        State.CANCELLED: ItemState.NOT_SENT,
    }
    assert ShowChats().read_states([target(None)]) == {}


def test_an_action_is_offered_under_its_name_in_the_order_of_registration() -> None:
    names = [action.name for action in run_actions.list_actions()]
    place = names.index("show_chat")
    assert names[place : place + 2] == ["show_chat", "hide_chat"] and len(set(names)) == len(names)
    assert isinstance(run_actions.find_action("hide_chat"), HideChats) and run_actions.find_action("none") is None

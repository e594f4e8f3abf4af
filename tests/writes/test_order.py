"""Which writes of the same thing came before and after an unconfirmed one."""

from datetime import UTC, datetime, timedelta

import pytest

from dashboard.writes.models import State, Write
from dashboard.writes.operations import NotRead, is_superseded, select_overlapping

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def sent(minutes: int, state: State, settled: int | None = None) -> Write:
    """A write begun a minute before noon and sent so many minutes after it."""
    return Write(
        created_at=at(-1),
        sent_at=at(minutes),
        state=state,
        attempt=1,
        settled_at=None if settled is None else at(settled),
    )


UNCLEAR = sent(0, State.UNCONFIRMED)


@pytest.mark.parametrize(
    ("other", "superseded"),
    [
        (sent(1, State.DONE, 2), True),
        (sent(1, State.REFUSED, 2), False),
        (sent(1, State.CANCELLED, 2), False),
        (sent(0, State.DONE, 2), False),
        (sent(-1, State.DONE, 2), False),
        (sent(-1, State.SENDING), False),
    ],
)
def test_only_a_later_write_that_is_done_takes_the_place_of_an_unclear_one(other: Write, superseded: bool) -> None:
    assert is_superseded(UNCLEAR, [other]) is superseded


@pytest.mark.parametrize("state", [State.HELD, State.SENDING, State.UNCONFIRMED])
def test_a_later_write_that_is_open_has_to_end_first(state: State) -> None:
    with pytest.raises(NotRead):
        is_superseded(UNCLEAR, [sent(1, State.DONE, 2), sent(2, state)])


def test_a_write_that_was_never_sent_has_the_place_of_its_beginning() -> None:
    waits = Write(created_at=at(1), state=State.HELD)
    with pytest.raises(NotRead):
        is_superseded(UNCLEAR, [waits])
    assert is_superseded(Write(created_at=at(2), state=State.HELD), [sent(1, State.DONE, 3)]) is False


@pytest.mark.parametrize(
    ("other", "overlaps"),
    [
        (sent(-2, State.UNCONFIRMED), True),
        (sent(-2, State.DONE, 1), True),
        (sent(-2, State.DONE, -1), False),
        (sent(-2, State.DONE, -3), False),
        (sent(-2, State.REFUSED, 1), False),
        (sent(1, State.UNCONFIRMED), False),
        (Write(created_at=at(-3), state=State.HELD), False),
    ],
    ids=["open", "done later", "done as it began", "done before", "refused", "sent later", "never sent"],
)
def test_writes_overlap_whose_end_was_unknown_when_the_other_began(other: Write, overlaps: bool) -> None:
    assert select_overlapping(UNCLEAR, [other]) == ([other] if overlaps else [])

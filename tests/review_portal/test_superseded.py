"""Several changes of one comment whose answers were lost: what a read finds may be another one's value."""

from types import ModuleType

import pytest
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.writes import failures
from dashboard.writes.models import Write
from review_portal.models import Comment, ReviewLink
from tests.conftest import signed_in
from tests.review_portal.conftest import Reviewer, World, over, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
CHANGE = "public_review.update_comment"


@pytest.fixture
def reviewer(world: World, reviewer: Reviewer) -> Reviewer:
    reviewer.post("My words.", "0:30")
    return reviewer


def changes() -> list[tuple[str, str]]:
    """State and reason of every change, the first one first."""
    return list(Write.objects.filter(operation=CHANGE).order_by("created_at").values_list("state", "reason"))


def change(reviewer: Reviewer, faults: ModuleType, broken: str = "", **fields: str) -> None:
    """One change whose call ends as `broken` says."""
    if broken:
        faults.set(CHANGE, broken=broken)
    reviewer.change(Comment.objects.filter(link=reviewer.link).get().comment_id, **fields)
    faults.clear()


def test_a_change_that_did_not_arrive_is_told_so_although_an_earlier_one_arrived_meanwhile(
    reviewer: Reviewer, faults: ModuleType
) -> None:
    """When it was pressed, nobody knew that the earlier one had arrived: what is there is not what was there before."""
    change(reviewer, faults, "lost", status="resolved")
    change(reviewer, faults, "dropped", status="open")
    over(30)
    assert changes() == [("done", ""), ("refused", failures.NOT_RECEIVED)]
    assert theirs().get().status == "resolved"


@pytest.mark.parametrize("broken", ["lost", "dropped"])
@pytest.mark.parametrize("through", ["the same link", "another link"])
def test_a_change_that_a_later_one_replaced_is_over_whether_it_arrived_or_not(
    world: World, reviewer: Reviewer, faults: ModuleType, broken: str, through: str
) -> None:
    other = reviewer if through == "the same link" else Reviewer(world.link(name="Second"), "Bruno")
    other.open()
    change(reviewer, faults, broken, status="resolved")
    change(other, faults, status="open")
    over(3)
    assert changes() == [("done", failures.REPLACED), ("done", "")]
    assert not Write.objects.filter(shown=True).exists(), "nobody is asked about what is over"
    assert theirs().get().status == "open"
    page = reviewer.open().content.decode()
    assert "Change not confirmed" not in page
    assert "It arrived" not in page


def test_activity_says_that_a_later_change_replaced_it(world: World, faults: ModuleType) -> None:
    owner = signed_in(Client(), world.token.value)
    reviewer = Reviewer(world.link())
    owner.get("/dashboard/review-links/")  # finds the link
    reviewer.post("My words.", "0:30")
    change(reviewer, faults, "dropped", text="Second words.")
    change(reviewer, faults, text="Third words.")
    over(3)
    first = Entry.objects.filter(operation=CHANGE).order_by("at")[0]
    assert first.outcome == Outcome.DONE
    page = owner.get(f"/dashboard/activity/{first.pk}/").content.decode()
    assert "A later change has replaced it" in page


def test_a_later_change_of_something_else_replaces_nothing(reviewer: Reviewer, faults: ModuleType) -> None:
    change(reviewer, faults, "dropped", status="resolved")
    change(reviewer, faults, text="Other words.", time="0:30")
    over(30)
    assert changes() == [("refused", failures.NOT_RECEIVED), ("done", "")]


def test_a_change_waits_for_the_end_of_a_later_one_before_it_is_settled(reviewer: Reviewer, faults: ModuleType) -> None:
    change(reviewer, faults, "dropped", text="Second words.", time="0:30")
    change(reviewer, faults, "dropped", text="Third words.", time="0:30")
    Write.objects.filter(after__text="Third words.").update(due_at=None)  # its worker is late
    over(30)
    assert [state for state, _reason in changes()] == ["unconfirmed", "unconfirmed"]
    late = Write.objects.get(after__text="Third words.")
    reviewer.act(late, "again")
    over(30)
    assert changes() == [("done", failures.REPLACED), ("done", "")]
    assert theirs().get().text == "Third words."


def test_what_somebody_wrote_past_reelroom_since_leaves_it_to_its_writer(
    reviewer: Reviewer, faults: ModuleType
) -> None:
    change(reviewer, faults, "lost", text="Second words.", time="0:30")
    theirs().update(text="Elsewhere.")
    ReviewLink.objects.update(merged_digest="")
    over(60)
    assert [state for state, _reason in changes()] == ["unconfirmed"]


def test_what_was_never_sent_explains_nothing_that_a_read_finds(reviewer: Reviewer, faults: ModuleType) -> None:
    change(reviewer, faults, "dropped", status="resolved")
    waiting = Write.objects.get(operation=CHANGE)
    waiting.request["changes"], waiting.author = {"text": "Elsewhere."}, "of another person"
    waiting.state, waiting.attempt, waiting.due_at, waiting.ended_at = "held", 0, None, None
    waiting.save()
    change(reviewer, faults, "dropped", text="Second words.", time="0:30")
    theirs().update(text="Elsewhere.")
    over(60)
    assert changes()[1][0] == "unconfirmed", "somebody else wrote it"

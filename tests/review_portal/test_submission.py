"""An attempt on its way: held, sent, taken back, refused, never confirmed; and never posted twice."""

import uuid
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from dashboard.sandbox import models as platform
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from review_portal.models import ReviewLink
from tests.kept_rows import KeptRows
from tests.review_portal.conftest import Reviewer, World, copies, over

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def scripted(new_link: uuid.UUID, kept_rows: KeptRows) -> Reviewer:
    reviewer = Reviewer(new_link, script=True)
    kept_rows.take(reviewer.open, reviewer.client)
    return reviewer


def the_one() -> Write:
    return Write.objects.get()


def test_a_held_comment_is_shown_at_once_and_not_sent(world: World, scripted: Reviewer) -> None:
    response = scripted.post("Wait for it.", hold="1")
    assert response.status_code == 200
    assert "Sends in 5 s" in response.content.decode()
    assert response["Reelroom-Submission"] == str(the_one().key)
    assert world.texts() == []
    scripted.poll()
    assert world.texts() == []


def test_what_was_held_long_enough_leaves_without_any_browser(world: World, scripted: Reviewer) -> None:
    scripted.post("Wait for it.", hold="1")
    over(4.5)
    assert world.texts() == []
    over(1)
    assert world.texts() == ["Wait for it."]
    assert the_one().state == State.DONE


def test_undo_takes_it_back_and_nothing_leaves(world: World, scripted: Reviewer) -> None:
    scripted.post("Oops.", hold="1")
    assert "Oops." not in scripted.act(the_one(), "undo").content.decode().split('id="threads"')[1]
    over()
    assert world.texts() == []
    assert the_one().state == State.CANCELLED


def test_undo_without_script_puts_the_words_back_into_the_box(world: World, scripted: Reviewer) -> None:
    scripted.post("Oops.", hold="1")
    scripted.script = False
    response = scripted.act(the_one(), "undo")
    assert response["Location"].startswith(f"/{scripted.link}?again=")


def test_undo_after_it_left_changes_nothing(world: World, scripted: Reviewer) -> None:
    scripted.post("Gone.", hold="1")
    scripted.act(the_one(), "send")
    scripted.act(the_one(), "undo")
    assert the_one().state == State.DONE
    assert world.texts() == ["Gone."]


def test_send_now_twice_sends_once(world: World, scripted: Reviewer) -> None:
    scripted.post("Now.", hold="1")
    for _ in range(3):
        scripted.act(the_one(), "send")
    assert world.texts() == ["Now."]


def test_only_one_of_two_who_send_at_the_same_time_does(world: World, scripted: Reviewer) -> None:
    scripted.post("Now.", hold="1")
    first, second = the_one(), the_one()  # two requests that both read it while it was held
    outbox.deliver(first)
    outbox.deliver(second)
    assert world.texts() == ["Now."]
    assert second.state == State.DONE


@pytest.mark.parametrize("broken", ["lost", "stalls"])
def test_an_answer_that_never_came_is_settled_by_reading_and_never_posted_again(
    world: World, scripted: Reviewer, faults: ModuleType, broken: str
) -> None:
    faults.set("public_review.create_comment", broken=broken)
    scripted.post("Did it arrive?")
    assert the_one().state == State.UNCONFIRMED
    assert "Not confirmed" in scripted.open().content.decode()
    faults.clear()
    over()
    assert the_one().state == State.DONE
    assert world.texts() == ["Did it arrive?"]
    assert "(you)" in scripted.open().content.decode()


@pytest.mark.parametrize("broken", ["dropped", "hangs"])
def test_one_that_did_not_arrive_says_so_only_after_a_late_answer_cannot_come_any_more(
    world: World, scripted: Reviewer, faults: ModuleType, broken: str
) -> None:
    faults.set("public_review.create_comment", broken=broken)
    scripted.post("Lost on the way.")
    faults.clear()
    over(6)
    assert the_one().state == State.UNCONFIRMED
    over(60)
    assert the_one().state == State.REFUSED
    assert world.texts() == []
    assert "It did not arrive" in scripted.open().content.decode()
    scripted.act(the_one(), "again")
    assert world.texts() == ["Lost on the way."]


def test_send_again_pressed_while_another_press_is_about_to_send_it_sends_it(
    world: World, scripted: Reviewer, faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", broken="dropped")
    scripted.post("Twice pressed.")
    faults.clear()
    Write.objects.update(state=State.HELD, due_at=timezone.now())
    answer = scripted.act(the_one(), "again")
    assert (answer["Reelroom-State"], world.texts()) == ("done", ["Twice pressed."])


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_failing_platform_leaves_it_unconfirmed(scripted: Reviewer, faults: ModuleType, status: int) -> None:
    faults.set("public_review.create_comment", status=status)
    scripted.post("Perhaps.")
    assert the_one().state == State.UNCONFIRMED


@pytest.mark.parametrize("fault", [{"broken": "refused"}, {"status": 429, "retry_after": 40}])
def test_one_that_certainly_did_not_arrive_is_tried_again_by_itself(
    world: World, scripted: Reviewer, faults: ModuleType, fault: dict[str, Any]
) -> None:
    faults.set("public_review.create_comment", **fault)
    sent_at = timezone.now()
    scripted.post("Later.")
    waiting = the_one()
    assert (waiting.state, waiting.attempt) == (State.HELD, 1)
    assert waiting.due_at is not None
    if fault.get("retry_after"):
        assert waiting.due_at > sent_at + timedelta(seconds=30)
    over(60)
    assert the_one().attempt == 2
    faults.clear()
    over(60)
    assert world.texts() == ["Later."]


def test_a_refusal_comes_with_the_platforms_words_and_goes_when_it_was_seen(
    scripted: Reviewer, faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", status=400)
    response = scripted.post("No.")
    assert "Not posted" in response.content.decode()
    scripted.act(the_one(), "dismiss")
    assert "Not posted" not in scripted.open().content.decode()


def test_where_nothing_can_be_read_the_person_decides_with_both_facts(
    world: World, scripted: Reviewer, faults: ModuleType, settings: Settings
) -> None:
    settings.PLATFORM_REVIEW_READS = False
    clients.forget()
    faults.set("public_review.create_comment", broken="lost")
    page = scripted.post("Did it arrive?").content.decode()
    assert "The platform did not confirm it, and Reelroom cannot ask." in page
    assert "It arrived" in page
    assert "It did not arrive, send again" in page
    faults.clear()
    over(600)
    assert the_one().state == State.UNCONFIRMED
    scripted.act(the_one(), "confirm")
    assert the_one().state == State.DONE
    assert "Not confirmed" not in scripted.open().content.decode()
    assert world.texts() == ["Did it arrive?"]


def test_a_process_that_died_while_sending_leaves_an_attempt_that_reading_settles(
    world: World, scripted: Reviewer, faults: ModuleType
) -> None:
    scripted.post("Half way.", hold="1")
    Write.objects.update(state=State.SENDING, sent_at=timezone.now(), attempt=1)
    world.comment("Half way.", user_name="Ana Prado", time=5)
    over(200)
    over(30)
    assert the_one().state == State.DONE
    assert world.texts() == ["Half way."]


def test_another_persons_same_words_are_not_taken_for_mine(
    world: World, scripted: Reviewer, faults: ModuleType
) -> None:
    other = Reviewer(scripted.link, "Ana Prado", script=True)
    other.post("Same words.")
    faults.set("public_review.create_comment", broken="dropped")
    scripted.post("Same words.")
    faults.clear()
    over(60)
    mine = Write.objects.order_by("created_at").last()
    assert mine is not None
    assert mine.state == State.REFUSED


def test_an_attempt_belongs_to_its_writer_alone(world: World, scripted: Reviewer) -> None:
    scripted.post("Mine.", hold="1")
    stranger = Reviewer(scripted.link, "Bruno", script=True)
    assert stranger.act(the_one(), "undo").status_code == 404
    stranger.post("Hello.")
    mine = Write.objects.get(label="Mine.")
    assert stranger.act(mine, "undo").status_code == 404
    assert scripted.client.post(f"/{scripted.link}/submissions/{uuid.uuid4()}", {"do": "send"}).status_code == 404
    mine.refresh_from_db()
    assert mine.state == State.HELD


@pytest.mark.parametrize("do", ["", "explode", "DELETE"])
def test_an_act_that_does_not_exist_does_nothing(scripted: Reviewer, do: str) -> None:
    scripted.post("Mine.", hold="1")
    assert scripted.act(the_one(), do).status_code == 404
    assert the_one().state == State.HELD


def test_a_link_that_closed_while_it_was_held_gives_the_words_back(world: World, scripted: Reviewer) -> None:
    scripted.post("Just too late.", hold="1")
    platform.ReviewLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    over()
    assert the_one().state == State.REFUSED
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    page = scripted.open()
    assert page.status_code == 410
    assert "Just too late." in page.content.decode()
    assert copies(scripted.link) == []


def test_a_visit_finds_ones_own_writes_by_their_author_and_does_not_search_the_link(scripted: Reviewer) -> None:
    scripted.post("Mine.")
    with CaptureQueriesContext(connection) as asked:
        scripted.open()
    (own,) = [query["sql"] for query in asked if '"writes_write"."author" =' in query["sql"]]
    with connection.cursor() as cursor:
        assert "write_author" in str(cursor.execute(f"EXPLAIN QUERY PLAN {own}").fetchall())

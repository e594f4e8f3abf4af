"""A comment whose platform does not answer keeps nobody's request: it is told as being sent, and is there later, once."""

import threading
from collections.abc import Iterator

import pytest
from django.db import connections
from pytest_django import Settings

from dashboard.platform_api import circuits
from dashboard.writes import beside, outbox
from dashboard.writes.models import State, Write
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)


@pytest.fixture
def answers(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The platform answers no comment until this is set. At the end all that was sent is over."""
    event, send = threading.Event(), outbox._send

    def hang(write: Write) -> None:
        try:
            assert event.wait(20)
            send(write)
        finally:
            connections.close_all()

    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(beside, "ANSWER_WAIT", 0.2)
    monkeypatch.setattr(beside, "_circuits", circuits.Circuits())
    monkeypatch.setattr(outbox, "_send", hang)
    yield event
    event.set()
    until_sent()


def until_sent() -> None:
    for _look in range(400):
        if not Write.objects.filter(state=State.SENDING).exists():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it was never sent")


def test_a_comment_without_script_is_told_as_being_sent_and_arrives_once(
    world: World, answers: threading.Event
) -> None:
    reviewer = Reviewer(world.link())
    answer = reviewer.post("Louder here.", key="6a3c2f5e-9a2b-4c55-8a53-0d3a6c8d2b11")
    assert answer.status_code == 302
    page = reviewer.client.get(answer.headers["Location"]).content.decode()
    assert "<b>Sending</b>" in page
    assert "Louder here." in page
    assert reviewer.post("Louder here.", key="6a3c2f5e-9a2b-4c55-8a53-0d3a6c8d2b11").status_code == 302
    answers.set()
    until_sent()
    page = reviewer.open().content.decode()
    assert "<b>Sending</b>" not in page
    assert "Louder here." in page
    assert world.texts() == ["Louder here."]


def test_while_comments_hang_the_next_one_waits_and_says_so(
    world: World, answers: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circuits, "STUCK_SECONDS", 0.1)
    reviewer = Reviewer(world.link())
    for number in range(circuits.MOST_STUCK):
        reviewer.post(f"Number {number}.")
    page = reviewer.client.get(reviewer.post("One more.").headers["Location"]).content.decode()
    assert page.count("<b>Sending</b>") == circuits.MOST_STUCK
    assert "<b>Waiting</b>" in page
    assert "“One more.”" in page

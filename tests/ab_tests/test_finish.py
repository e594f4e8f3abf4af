"""Finishing a test: the winner is unchosen, and one that the read-out does not declare needs a reason that is kept."""

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.ab_tests.models import Decision
from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import Comparison
from dashboard.writes.models import Write
from tests.ab_tests.conftest import KEY, General, Seen, people
from tests.due import run_due
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def videos(running: str, cast: dict[str, Any]) -> list[str]:
    found = Comparison.objects.get(pk=running).variants.order_by("position")
    return [str(one.video_id) for one in found]


def finish(owner: Client, running: str, **data: str) -> Any:
    return owner.post(f"/dashboard/ab-tests/{running}/finish/", data)


def test_nothing_is_chosen_and_the_read_out_stands_beside_the_choice(seen: Seen, running: str) -> None:
    text = seen(running, "finish/")
    question = text[text.index("<dialog") : text.index("</dialog>")]
    assert (
        " checked" not in question
        and "reading__word" not in question
        and "verdict-line" in question
        and re.search(r"3[34]\.\d% played", question)
    )
    assert "It cannot be started again." in question


def test_without_a_winner_nothing_is_sent(owner: Client, running: str) -> None:
    answer = finish(owner, running)
    assert answer.status_code == 422 and "Choose the winner." in answer.content.decode()
    assert finish(owner, running, winner="11111111-1111-4111-8111-111111111111").status_code == 422
    assert not Entry.objects.exists()


def test_an_unsettled_winner_needs_a_reason_and_it_is_kept(
    owner: Client, seen: Seen, running: str, videos: list[str], general: General
) -> None:
    general(people(5000, 1500), people(5000, 1505))
    answer = finish(owner, running, winner=videos[1])
    text = one_line(answer.content.decode())
    assert answer.status_code == 422 and "Give a reason: the numbers don&#x27;t show this winner, or not yet." in text
    assert f'value="{videos[1]}" checked' in text
    assert finish(owner, running, winner=videos[1], reason="The campaign ends.").status_code == 302
    decision = Decision.objects.get()
    assert (decision.winner, decision.verdict, decision.reason) == (videos[1], "no-evidence", "The campaign ends.")
    assert decision.figures[0]["loads"] > 1000
    text = seen(running)
    assert "Winner: B, Serra Alta, launch film, cup cut" in text and "The campaign ends." in text


def test_the_declared_winner_needs_no_reason_and_the_other_one_does(
    owner: Client, running: str, videos: list[str], general: General
) -> None:
    general(people(5000, 1300), people(5000, 1700))
    assert finish(owner, running, winner=videos[0]).status_code == 422
    assert finish(owner, running, winner=videos[1]).status_code == 302
    found = Comparison.objects.get(pk=running)
    assert (found.status, str(found.winner_id)) == ("COMPLETED", videos[1])
    entry = Entry.objects.get()
    assert (entry.outcome, entry.after) == (Outcome.DONE, {"status": "COMPLETED", "winner": videos[1]})


@pytest.mark.parametrize(
    ("role", "sentence"), [("draft", "The test has not been started."), ("completed", "The test is completed.")]
)
def test_what_cannot_be_finished_says_why(
    owner: Client, seen: Seen, cast: dict[str, Any], role: str, sentence: str
) -> None:
    test = cast["ab_tests"][role]
    assert sentence in seen(test, "finish/")
    answer = finish(owner, test, winner="x")
    assert answer.status_code == 409 and "to fix" not in answer.content.decode()


def test_a_refusal_keeps_choice_and_reason(owner: Client, running: str, videos: list[str], faults: ModuleType) -> None:
    faults.set("comparisons.finish", status=403)
    text = one_line(finish(owner, running, winner=videos[1], reason="Because").content.decode())
    assert "This account may not do that." in text and "Because</textarea>" in text and " checked" in text


def test_an_answer_that_never_came_is_settled_by_reading(
    owner: Client, seen: Seen, running: str, videos: list[str], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    faults.set("comparisons.finish", broken="lost")
    for _press in range(2):
        finish(owner, running, winner=videos[1], reason="Because", write_key=KEY)
    assert calls("comparisons.finish") == 1
    faults.clear()
    run_due(3)
    assert "Completed" in seen(running) and "Because" in seen(running)
    assert Entry.objects.get().outcome == Outcome.DONE


def test_a_finish_that_its_owner_says_arrived_keeps_its_reason(
    owner: Client, seen: Seen, running: str, videos: list[str], faults: ModuleType
) -> None:
    faults.set("comparisons.finish", broken="lost")
    finish(owner, running, winner=videos[1], reason="Because")
    faults.clear()
    owner.post(f"/dashboard/activity/writes/{Write.objects.get().pk}/", {"act": "confirm"})
    assert Decision.objects.get().reason == "Because"
    assert "Because" in seen(running)


def test_a_finish_that_lost_against_somebody_else_s_winner_is_not_done(
    owner: Client, running: str, videos: list[str], faults: ModuleType
) -> None:
    faults.set("comparisons.finish", broken="dropped")
    finish(owner, running, winner=videos[1], reason="Because")
    Comparison.objects.filter(pk=running).update(status="COMPLETED", winner_id=videos[0])
    run_due(60)
    assert Entry.objects.get().outcome == Outcome.REFUSED
    assert not Decision.objects.exists()

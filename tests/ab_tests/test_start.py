"""Starting a test: its consequences first, a deliberate act, once."""

from collections.abc import Callable
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import Comparison, Video
from tests.ab_tests.conftest import KEY, Seen
from tests.due import run_due
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_the_consequences_stand_before_the_act(seen: Seen, draft: str) -> None:
    text = seen(draft, "start/")
    assert (
        "Each page load shows one of the videos at random, with equal chance; a visitor who reloads may see another."
        in text
        and "It cannot become a draft again." in text
    )
    assert " checked>" not in text[text.index("<dialog") : text.index("</dialog>")]


def test_it_starts_only_with_the_box_ticked(owner: Client, draft: str) -> None:
    answer = owner.post(f"/dashboard/ab-tests/{draft}/start/")
    assert answer.status_code == 422 and "Tick the box to start the test." in answer.content.decode()
    assert not Entry.objects.exists()
    answer = owner.post(f"/dashboard/ab-tests/{draft}/start/", {"sure": "on"}, follow=True)
    assert "The test is running." in answer.content.decode()
    assert Comparison.objects.get(pk=draft).status == "IN_PROGRESS"
    entry = Entry.objects.get()
    assert (entry.operation, entry.outcome, entry.after) == (
        "comparisons.start",
        Outcome.DONE,
        {"status": "IN_PROGRESS"},
    )


@pytest.mark.parametrize(
    ("role", "sentence"),
    [
        ("in_progress", "The test is running already."),
        ("completed", "The test is completed. It can&#x27;t be started or finished again."),
        ("draft_lonely", "Add variants first: a test needs at least two."),
    ],
)
def test_what_cannot_be_started_says_why_and_sends_nothing(
    owner: Client, seen: Seen, cast: dict[str, Any], role: str, sentence: str
) -> None:
    test = cast["ab_tests"][role]
    assert sentence in seen(test, "start/")
    answer = owner.post(f"/dashboard/ab-tests/{test}/start/", {"sure": "on"})
    assert answer.status_code == 409 and not Entry.objects.exists()


def test_a_refusal_is_said_in_the_question(owner: Client, draft: str, faults: ModuleType) -> None:
    faults.set("comparisons.start", status=400)
    answer = owner.post(f"/dashboard/ab-tests/{draft}/start/", {"sure": "on"})
    assert answer.status_code == 422 and "The platform refused." in answer.content.decode()


@pytest.mark.parametrize("how", ["lost", "dropped"])
def test_a_start_whose_answer_was_lost_ends_in_activity_with_the_truth(
    owner: Client, draft: str, faults: ModuleType, how: str
) -> None:
    faults.set("comparisons.start", broken=how)
    text = owner.post(f"/dashboard/ab-tests/{draft}/start/", {"sure": "on"}, follow=True).content.decode()
    assert "Not confirmed. We keep checking automatically." in text
    run_due(60)
    assert Entry.objects.get().outcome == (Outcome.DONE if how == "lost" else Outcome.REFUSED)
    text = owner.get(f"/dashboard/ab-tests/{draft}/").content.decode()
    assert ("It did not reach the platform." in text) == (how == "dropped")


def test_the_same_form_sent_twice_starts_once_and_says_the_same(
    owner: Client, draft: str, calls: Callable[[str], int]
) -> None:
    for _press in range(2):
        answer = owner.post(f"/dashboard/ab-tests/{draft}/start/", {"sure": "on", "write_key": KEY}, follow=True)
        assert "The test is running." in answer.content.decode()
    assert calls("comparisons.start") == 1


def test_the_request_can_be_seen_first_and_its_type_is_sent(owner: Client, draft: str) -> None:
    text = owner.post(f"/dashboard/ab-tests/{draft}/start/", {"_dry_run": "1"}).content.decode()
    assert "type=start" in text and not Entry.objects.exists()


def test_a_test_whose_variant_cannot_be_played_is_not_started(owner: Client, seen: Seen, draft: str) -> None:
    variant = Comparison.objects.get(pk=draft).variants.order_by("position").last()
    assert variant is not None
    Video.objects.filter(pk=variant.video_id).update(status="FAILED")
    text = unescape(seen(draft, "start/"))
    assert "Its conversion failed: viewers can't play it." in text
    assert 'type="submit"' not in text[text.index("<dialog") : text.index("</dialog>")]
    answer = owner.post(f"/dashboard/ab-tests/{draft}/start/", {"sure": "on"})
    assert answer.status_code == 409 and not Entry.objects.exists()
    Video.objects.filter(pk=variant.video_id).update(status="ARCHIVED")
    forget()
    text = seen(draft, "start/")
    assert "Its state is “ARCHIVED”" in text and "Start test" in text, "an unknown state is a warning"


def test_a_split_over_a_variant_that_cannot_be_played_is_not_called_healthy(
    owner: Client, seen: Seen, cast: dict[str, Any]
) -> None:
    test = cast["ab_tests"]["in_progress"]
    assert "Equal chance" in seen(test)
    variant = Comparison.objects.get(pk=test).variants.order_by("position").first()
    assert variant is not None
    Video.objects.filter(pk=variant.video_id).update(status="DRAFT")
    forget()
    text = unescape(seen(test))
    assert "Not all can be played" in text and "It is only a draft: viewers can't play it." in text

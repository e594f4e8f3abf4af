"""Creating a test: once per form, with nothing typed lost over a search, a dry run or a refusal."""

import re
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import Comparison, Video
from dashboard.writes.models import Write
from tests.due import run_due

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ADDRESS = "/dashboard/ab-tests/create/"
KEY = "0e5cbb12-95f0-4a4a-8f4e-0c4a9e0d7a11"


@pytest.fixture
def form(cast: dict[str, Any]) -> dict[str, Any]:
    videos = [cast["videos"]["plain"], cast["videos"]["with_subtitles"]]
    return {"name": "Valley or cup", "description": "Which?", "video_ids": videos, "write_key": KEY}


def test_a_draft_is_created_and_recorded(owner: Client, form: dict[str, Any]) -> None:
    answer = owner.post(ADDRESS, form)
    assert re.fullmatch(r"/dashboard/ab-tests/636f6d70-[0-9a-f-]+/", answer["Location"])
    found = Comparison.objects.get(name="Valley or cup")
    assert [str(variant.video_id) for variant in found.variants.order_by("position")] == form["video_ids"]
    entry = Entry.objects.get(operation="comparisons.create")
    assert (entry.outcome, entry.target) == (Outcome.DONE, str(found.pk))


def test_the_same_form_sent_twice_creates_one_test(owner: Client, form: dict[str, Any]) -> None:
    first, second = owner.post(ADDRESS, form), owner.post(ADDRESS, form)
    assert first["Location"] == second["Location"]
    assert Comparison.objects.filter(name="Valley or cup").count() == 1


def test_a_form_whose_answer_was_lost_is_not_sent_again_and_is_found_in_the_list(
    owner: Client, form: dict[str, Any], faults: ModuleType
) -> None:
    faults.set("comparisons.create", broken="lost")
    for _press in range(2):
        answer = owner.post(ADDRESS, form, follow=True)
        assert answer.redirect_chain == [("/dashboard/ab-tests/", 302)]
        assert answer.content.decode().count("Not confirmed. We keep checking automatically.") == 2, "said, and shown"
    faults.clear()
    run_due(3)
    created = Comparison.objects.get(name="Valley or cup")
    entry = Entry.objects.get(operation="comparisons.create")
    assert (entry.outcome, entry.target) == (Outcome.DONE, str(created.pk))
    assert "Not confirmed" not in owner.get("/dashboard/ab-tests/").content.decode()
    assert owner.post(ADDRESS, form)["Location"] == f"/dashboard/ab-tests/{created.pk}/"


@pytest.mark.parametrize("arrives", [1, 0])
def test_an_older_test_of_the_same_name_is_not_taken_for_the_new_one(
    owner: Client, form: dict[str, Any], faults: ModuleType, arrives: int
) -> None:
    owner.post(ADDRESS, {**form, "write_key": ""})
    faults.set("comparisons.create", broken="lost" if arrives else "dropped")
    owner.post(ADDRESS, form)
    faults.clear()
    run_due(60)
    outcomes = set(Entry.objects.filter(operation="comparisons.create").values_list("outcome", flat=True))
    assert outcomes == ({Outcome.DONE} if arrives else {Outcome.DONE, Outcome.REFUSED})
    assert Write.objects.exclude(subject="").values("subject").distinct().count() == 1 + arrives


def test_a_form_that_never_arrived_is_sent_again_with_one_press_and_creates_one_test(
    owner: Client, form: dict[str, Any], faults: ModuleType
) -> None:
    faults.set("comparisons.create", broken="dropped")
    owner.post(ADDRESS, form)
    faults.clear()
    run_due(60)
    text = owner.get("/dashboard/ab-tests/").content.decode()
    assert "It did not reach the platform. Nothing was changed." in text
    for _press in range(2):
        lost = Write.objects.earliest("created_at")
        owner.post(f"/dashboard/activity/writes/{lost.pk}/", {"act": "send_again", "attempt": str(lost.attempt)})
    assert Comparison.objects.filter(name="Valley or cup").count() == 1


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 400}, "The platform refused."),
        ({"status": 403}, "This account may not do that."),
        ({"status": 429}, "Too many requests."),
        ({"broken": "refused"}, "cannot be reached"),
    ],
)
def test_a_refusal_keeps_what_was_typed_and_can_be_sent_again(
    owner: Client, form: dict[str, Any], faults: ModuleType, fault: dict[str, Any], sentence: str
) -> None:
    faults.set("comparisons.create", **fault)
    answer = owner.post(ADDRESS, form)
    text = answer.content.decode()
    assert answer.status_code == 422 and sentence in text
    assert 'value="Valley or cup"' in text and text.count(" checked>") == 2
    faults.clear()
    fresh = text.split('name="write_key" value="')[1].split('"')[0]
    assert fresh != KEY, "what was refused may be sent again: the form that comes back is a new one"
    assert owner.post(ADDRESS, {**form, "write_key": fresh}).status_code == 302


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "Give the test a name."),
        ({"name": "x" * 256}, "it can have 255 characters"),
        ({"video_ids": ["nonsense"]}, "Choose videos from the list."),
        ({"video_ids": [f"{n:08x}-0000-4000-8000-000000000000" for n in range(9)]}, "Choose at most 8 videos"),
    ],
)
def test_what_cannot_be_sent_is_said_at_its_field(
    owner: Client, form: dict[str, Any], change: dict[str, Any], sentence: str
) -> None:
    answer = owner.post(ADDRESS, {**form, **change})
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert not Entry.objects.exists()


@pytest.mark.parametrize("length", [1, 255])
def test_names_at_the_edge_are_sent(owner: Client, form: dict[str, Any], length: int) -> None:
    assert owner.post(ADDRESS, {**form, "name": "x" * length}).status_code == 302


def test_a_video_of_another_account_is_refused_by_the_platform(
    owner: Client, form: dict[str, Any], cast: dict[str, Any]
) -> None:
    answer = owner.post(ADDRESS, {**form, "video_ids": [cast["videos"]["other_account"]]})
    assert answer.status_code == 422


def test_a_search_inside_the_form_loses_nothing_and_sends_nothing(owner: Client, form: dict[str, Any]) -> None:
    answer = owner.post(ADDRESS, {**form, "find": "cherry", "_find": "1", "name": "Half a na"})
    text = answer.content.decode()
    assert answer.status_code == 200 and 'value="Half a na"' in text
    assert text.count(" checked>") == 2 and "From cherry to cup" in text
    assert not Entry.objects.exists()


def test_the_request_can_be_seen_before_it_is_sent(owner: Client, form: dict[str, Any]) -> None:
    text = owner.post(ADDRESS, {**form, "_dry_run": "1"}).content.decode()
    assert "This is what would be sent" in text and "POST" in text and 'value="Valley or cup"' in text
    assert not Entry.objects.exists()


def test_a_list_of_videos_that_fails_leaves_the_form(owner: Client, faults: ModuleType) -> None:
    faults.set("videos.list", status=500)
    text = owner.get(ADDRESS).content.decode()
    assert "The list of videos could not be read." in text and "Create test" in text


@pytest.mark.parametrize("status", ["DRAFT", "FAILED", "CONVERTING", "DELETING"])
def test_a_video_that_viewers_cannot_play_is_no_variant_and_the_picker_says_why(
    owner: Client, form: dict[str, Any], status: str
) -> None:
    Video.objects.filter(pk=form["video_ids"][0]).update(status=status)
    text = unescape(owner.get(ADDRESS).content.decode())
    assert "viewers can't play it" in text
    assert re.search(rf'value="{form["video_ids"][0]}"\s+disabled', text)
    answer = owner.post(ADDRESS, form)
    page = unescape(answer.content.decode())
    assert answer.status_code == 422 and "viewers can't play it" in page and 'value="Valley or cup"' in page
    assert not Comparison.objects.filter(name="Valley or cup").exists()


def test_a_state_that_nobody_knows_is_shown_as_it_came_and_not_refused(owner: Client, form: dict[str, Any]) -> None:
    Video.objects.filter(pk=form["video_ids"][0]).update(status="ARCHIVED")
    assert "Its state is “ARCHIVED”" in owner.get(ADDRESS).content.decode()
    assert owner.post(ADDRESS, form).status_code == 302

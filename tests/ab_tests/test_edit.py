"""Editing: everything of a draft, name and description later; what the platform keeps is read again and compared."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import UNDO
from dashboard.sandbox.models import Comparison
from tests.ab_tests.conftest import KEY, Seen
from tests.answering import change_answers
from tests.conftest import undo_shown
from tests.due import run_due

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_draft_changes_its_variants(owner: Client, cast: dict[str, Any]) -> None:
    draft, videos = cast["ab_tests"]["draft"], [cast["videos"]["plain"], cast["videos"]["with_subtitles"]]
    answer = owner.post(f"/dashboard/ab-tests/{draft}/edit/", {"name": "New", "description": "", "video_ids": videos})
    assert answer.status_code == 302
    found = Comparison.objects.get(pk=draft)
    assert found.name == "New"
    assert [str(one.video_id) for one in found.variants.order_by("position")] == videos


@pytest.mark.parametrize("role", ["in_progress", "completed"])
def test_later_only_words_can_change_and_the_page_says_why(
    owner: Client, seen: Seen, cast: dict[str, Any], role: str
) -> None:
    test = cast["ab_tests"][role]
    text = seen(test, "edit/")
    assert "The variants can&#x27;t be changed after the start." in text and 'name="video_ids"' not in text
    before = list(Comparison.objects.get(pk=test).variants.values_list("video_id", flat=True))
    owner.post(
        f"/dashboard/ab-tests/{test}/edit/",
        {"name": "Renamed", "description": "New", "video_ids": [cast["videos"]["plain"]]},
    )
    found = Comparison.objects.get(pk=test)
    assert (found.name, found.description) == ("Renamed", "New")
    assert list(found.variants.values_list("video_id", flat=True)) == before
    assert Entry.objects.get().before is not None and "video_ids" not in (Entry.objects.get().before or {})


def test_a_test_that_was_started_meanwhile_keeps_its_variants_and_the_person_is_told(
    owner: Client, seen: Seen, cast: dict[str, Any]
) -> None:
    draft = cast["ab_tests"]["draft"]
    seen(draft)
    Comparison.objects.filter(pk=draft).update(status="IN_PROGRESS")
    data = {"name": "New", "description": "", "video_ids": [cast["videos"]["plain"]]}
    text = owner.post(f"/dashboard/ab-tests/{draft}/edit/", data, follow=True).content.decode()
    assert "The platform kept the old variants: the test was started meanwhile." in text


def test_an_edit_while_it_runs_is_noted_beside_the_verdict(owner: Client, seen: Seen, cast: dict[str, Any]) -> None:
    test = cast["ab_tests"]["in_progress"]
    owner.post(f"/dashboard/ab-tests/{test}/edit/", {"name": "Renamed", "description": ""})
    assert "Edited while running" in seen(test)


def test_a_refusal_keeps_what_was_typed(owner: Client, cast: dict[str, Any], faults: ModuleType) -> None:
    faults.set("comparisons.update", status=403)
    test = cast["ab_tests"]["in_progress"]
    answer = owner.post(f"/dashboard/ab-tests/{test}/edit/", {"name": "Renamed", "description": ""})
    assert answer.status_code == 422 and 'value="Renamed"' in answer.content.decode()
    assert Entry.objects.get().outcome == Outcome.REFUSED


def test_name_and_description_can_be_taken_back(owner: Client, cast: dict[str, Any], rf: Any) -> None:
    test = cast["ab_tests"]["in_progress"]
    name = Comparison.objects.get(pk=test).name
    owner.post(f"/dashboard/ab-tests/{test}/edit/", {"name": "Renamed", "description": ""})
    entry = Entry.objects.get()
    assert "comparisons.update" in UNDO
    assert "<h1>Renamed</h1>" in owner.get(f"/dashboard/ab-tests/{test}/").content.decode()
    assert f"/dashboard/activity/{entry.pk}/undo/" in owner.get("/dashboard/activity/").content.decode()
    assert f'"name": "{name}"' in undo_shown(owner, entry)
    assert Comparison.objects.get(pk=test).name == "Renamed", "looking sends nothing"
    answer = owner.post(f"/dashboard/activity/{entry.pk}/undo/")
    assert answer.status_code in {200, 302}
    assert Comparison.objects.get(pk=test).name == name
    assert f"<h1>{name}</h1>" in owner.get(f"/dashboard/ab-tests/{test}/").content.decode(), (
        "at once, not after a while"
    )


def test_a_name_that_somebody_changed_again_since_is_not_written_over(owner: Client, cast: dict[str, Any]) -> None:
    test = cast["ab_tests"]["in_progress"]
    owner.post(f"/dashboard/ab-tests/{test}/edit/", {"name": "Renamed", "description": ""})
    Comparison.objects.filter(pk=test).update(name="Newer")
    answer = owner.post(f"/dashboard/activity/{Entry.objects.get().pk}/undo/", follow=True)
    assert "The test was changed again since: change it on its page." in answer.content.decode()
    assert Comparison.objects.get(pk=test).name == "Newer"


def test_changes_that_were_taken_but_could_not_be_read_after_are_not_called_refused(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    test = cast["ab_tests"]["in_progress"]
    owner.get(f"/dashboard/ab-tests/{test}/")  # what is known of the test is fresh
    faults.set("comparisons.get", status=500)
    answer = owner.post(f"/dashboard/ab-tests/{test}/edit/", {"name": "Renamed", "description": ""})
    faults.clear()
    text = owner.get(answer["Location"]).content.decode()
    assert (
        "The platform accepted the changes, but the test couldn&#x27;t be read afterwards." in text
        and "<h1>Renamed</h1>" in text
    )
    assert Entry.objects.get().outcome == Outcome.DONE


@pytest.mark.parametrize("how", ["lost", "dropped"])
def test_an_edit_whose_answer_was_lost_ends_in_activity_with_the_truth(
    owner: Client, cast: dict[str, Any], faults: ModuleType, calls: Callable[[str], int], how: str
) -> None:
    test = cast["ab_tests"]["in_progress"]
    faults.set("comparisons.update", broken=how)
    for _press in range(2):
        form = {"name": "Renamed", "description": "", "write_key": KEY}
        text = owner.post(f"/dashboard/ab-tests/{test}/edit/", form, follow=True).content.decode()
        assert "Not confirmed. We keep checking automatically." in text
    assert calls("comparisons.update") == 1
    run_due(60)
    assert Entry.objects.get().outcome == (Outcome.DONE if how == "lost" else Outcome.REFUSED)


def test_an_undo_pressed_twice_is_sent_once_and_says_the_same(
    owner: Client, cast: dict[str, Any], calls: Callable[[str], int]
) -> None:
    owner.post(f"/dashboard/ab-tests/{cast['ab_tests']['in_progress']}/edit/", {"name": "Renamed", "description": ""})
    entry = Entry.objects.get()
    for _press in range(2):
        answer = owner.post(f"/dashboard/activity/{entry.pk}/undo/", {"write_key": KEY}, follow=True)
        assert "Undone" in answer.content.decode()
    assert calls("comparisons.update") == 2, "the edit and its undo"


def test_a_change_that_was_taken_and_cannot_be_read_is_never_sent_again(
    owner: Client, cast: dict[str, Any], faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, lambda answer: {}, "comparisons.start")
    test = cast["ab_tests"]["draft"]
    owner.get(f"/dashboard/ab-tests/{test}/")
    faults.set("comparisons.get", status=429)
    owner.post(f"/dashboard/ab-tests/{test}/start/", {"sure": "on"})
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED, "a pause that the read was asked for says nothing"
    faults.clear()
    run_due(3)
    assert Entry.objects.get().outcome == Outcome.DONE

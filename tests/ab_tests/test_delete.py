"""Deleting a test: for good, after its name was typed."""

from collections.abc import Callable
from types import ModuleType

import pytest
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import Comparison
from tests.ab_tests.conftest import KEY, Seen
from tests.due import run_due

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_the_name_must_be_typed(owner: Client, seen: Seen, draft: str) -> None:
    assert "gone for good" in seen(draft, "delete/")
    answer = owner.post(f"/dashboard/ab-tests/{draft}/delete/", {"name": "something"})
    assert answer.status_code == 422 and "This is not the name of the test." in answer.content.decode()
    assert Comparison.objects.filter(pk=draft).exists()


def test_it_is_deleted_and_what_it_contained_stays_in_the_log(owner: Client, draft: str) -> None:
    name = Comparison.objects.get(pk=draft).name
    answer = owner.post(f"/dashboard/ab-tests/{draft}/delete/", {"name": f" {name} "}, follow=True)
    assert "Its videos were not deleted." in answer.content.decode()
    assert not Comparison.objects.filter(pk=draft).exists()
    entry = Entry.objects.get()
    assert entry.outcome == Outcome.DONE and len((entry.before or {})["video_ids"]) == 2
    assert owner.get(f"/dashboard/ab-tests/{draft}/").status_code == 404


def test_a_refusal_is_said_and_a_lost_answer_is_not_confirmed(owner: Client, draft: str, faults: ModuleType) -> None:
    name = Comparison.objects.get(pk=draft).name
    faults.set("comparisons.delete", status=403)
    answer = owner.post(f"/dashboard/ab-tests/{draft}/delete/", {"name": name})
    assert answer.status_code == 422 and "This account may not do that." in answer.content.decode()
    faults.set("comparisons.delete", broken="lost")
    text = owner.post(f"/dashboard/ab-tests/{draft}/delete/", {"name": name}, follow=True).content.decode()
    assert "Not confirmed. We keep checking automatically." in text
    run_due(3)
    assert Entry.objects.latest("at").outcome == Outcome.DONE


def test_the_same_form_sent_twice_deletes_once_and_says_the_same(
    owner: Client, draft: str, calls: Callable[[str], int]
) -> None:
    form = {"name": Comparison.objects.get(pk=draft).name, "write_key": KEY}
    for _press in range(2):
        text = owner.post(f"/dashboard/ab-tests/{draft}/delete/", form, follow=True).content.decode()
        assert "Its videos were not deleted." in text
    assert calls("comparisons.delete") == 1

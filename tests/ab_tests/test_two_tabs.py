"""Two tabs, or two people, on one record: a save changes what its person changed, and asks where both changed the same."""

import json
from html import unescape
from typing import Any

import pytest
from django.test import Client

from dashboard.ab_tests.models import Terms
from dashboard.activity.models import Entry
from dashboard.sandbox.models import Comparison
from tests.forms import read_forms

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
MEANWHILE = "Somebody else changed this to “%s” meanwhile. Save again to replace it with yours."


def opened(client: Client, page: str, action: str = "") -> dict[str, Any]:
    """What a tab has loaded, as it would send it unchanged."""
    return values_of(client.get(page).content.decode(), page, action or page)


def values_of(text: str, page: str, action: str) -> dict[str, Any]:
    form = next(one for one in read_forms(text, page) if one.action == action)
    values: dict[str, Any] = {}
    for name, value in form.values:
        values.setdefault(name, []).append(value)
    return {name: found if name == "video_ids" else found[-1] for name, found in values.items()}


def edit_page(test: str) -> str:
    return f"/dashboard/ab-tests/{test}/edit/"


def test_a_save_keeps_what_another_tab_saved_meanwhile(owner: Client, draft: str) -> None:
    first, second = opened(owner, edit_page(draft)), opened(owner, edit_page(draft))
    assert json.loads(second["loaded"])["name"] == second["name"]
    assert owner.post(edit_page(draft), {**first, "name": "Renamed"}).status_code == 302
    assert owner.post(edit_page(draft), {**second, "description": "Why we test"}).status_code == 302
    found = Comparison.objects.get(pk=draft)
    assert (found.name, found.description) == ("Renamed", "Why we test")
    last = Entry.objects.latest("at")
    assert last.after == {"description": "Why we test"}, "only what the person changed is sent"


def test_a_change_of_the_same_field_is_shown_and_asked_about_before_it_is_replaced(owner: Client, draft: str) -> None:
    first, second = opened(owner, edit_page(draft)), opened(owner, edit_page(draft))
    owner.post(edit_page(draft), {**first, "name": "Theirs", "description": "Theirs too"})
    answer = owner.post(edit_page(draft), {**second, "name": "Mine"})
    text = unescape(answer.content.decode())
    assert answer.status_code == 422 and MEANWHILE % "Theirs" in text
    assert Comparison.objects.get(pk=draft).name == "Theirs"
    asked = values_of(answer.content.decode(), edit_page(draft), edit_page(draft))
    assert (asked["name"], asked["description"]) == ("Mine", "Theirs too"), "what only they changed is shown as it is"
    assert owner.post(edit_page(draft), asked).status_code == 302
    found = Comparison.objects.get(pk=draft)
    assert (found.name, found.description) == ("Mine", "Theirs too")


def test_variants_that_both_changed_are_named_by_their_titles(owner: Client, draft: str, cast: dict[str, Any]) -> None:
    first, second = opened(owner, edit_page(draft)), opened(owner, edit_page(draft))
    plain, subtitled = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    owner.post(edit_page(draft), {**first, "video_ids": [plain]})
    answer = owner.post(edit_page(draft), {**second, "video_ids": [*second["video_ids"], subtitled]})
    title = Comparison.objects.get(pk=draft).variants.get().video.title
    assert answer.status_code == 422 and MEANWHILE % title in unescape(answer.content.decode())
    assert [str(one.video_id) for one in Comparison.objects.get(pk=draft).variants.all()] == [plain]


def test_a_form_without_changes_sends_nothing_and_says_so(owner: Client, draft: str) -> None:
    answer = owner.post(edit_page(draft), opened(owner, edit_page(draft)), follow=True)
    assert "No changes. Nothing was sent." in answer.content.decode()
    assert not Entry.objects.exists()


def test_a_search_inside_the_form_keeps_what_was_loaded(owner: Client, draft: str) -> None:
    loaded = opened(owner, edit_page(draft))
    Comparison.objects.filter(pk=draft).update(name="Theirs")
    text = owner.post(edit_page(draft), {**loaded, "name": "Mine", "_find": "1"}).content.decode()
    asked = values_of(text, edit_page(draft), edit_page(draft))
    assert asked["loaded"] == loaded["loaded"] and asked["name"] == "Mine"
    assert owner.post(edit_page(draft), asked).status_code == 422


def test_a_form_sent_twice_is_one_save_although_somebody_changed_the_test_in_between(owner: Client, draft: str) -> None:
    values = {**opened(owner, edit_page(draft)), "name": "Mine"}
    owner.post(edit_page(draft), values)
    Comparison.objects.filter(pk=draft).update(name="Theirs")
    assert owner.post(edit_page(draft), values).status_code == 302
    assert Comparison.objects.get(pk=draft).name == "Theirs" and Entry.objects.count() == 1


def test_how_a_test_is_judged_follows_the_same_rule(owner: Client, cast: dict[str, Any]) -> None:
    page = f"/dashboard/ab-tests/{cast['ab_tests']['in_progress']}/"
    first, second, third = (opened(owner, page, f"{page}terms/") for _tab in range(3))
    owner.post(f"{page}terms/", {**first, "level": "99"})
    owner.post(f"{page}terms/", {**second, "equal_points": "1,5"})
    kept = Terms.objects.get()
    assert (kept.level, float(kept.equal_points)) == (99, 1.5)
    answer = owner.post(f"{page}terms/", {**third, "equal_points": "2"})
    assert answer.status_code == 422 and MEANWHILE % "1.5" in unescape(answer.content.decode())


def test_the_price_of_traffic_follows_the_same_rule(owner: Client) -> None:
    page, action = "/dashboard/analytics/traffic/", "/dashboard/analytics/traffic/price/"

    def price() -> dict[str, Any]:
        text = owner.get(page).content.decode()
        form = next(one for one in read_forms(text, page) if one.action.startswith(action))
        return dict(form.values)

    owner.post(action, {**price(), "per_gigabyte": "0,10", "currency": "BRL"})
    first, second, third = price(), price(), price()
    owner.post(action, {**first, "currency": "EUR"})
    owner.post(action, {**second, "per_gigabyte": "0.25"})
    now = price()
    assert (float(now["per_gigabyte"]), now["currency"]) == (0.25, "EUR")
    answer = owner.post(action, {**third, "per_gigabyte": "0.3"})
    assert answer.status_code == 422 and MEANWHILE % "0.25" in unescape(answer.content.decode())

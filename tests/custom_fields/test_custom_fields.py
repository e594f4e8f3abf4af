"""The table across videos, and one field changed at its video."""

import csv
import io
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.custom_fields.models import Field, Reading
from dashboard.platform_api.videos import CustomField
from dashboard.upstream.clients import platform_for
from dashboard.writes import failures
from dashboard.writes.models import Write
from tests.conftest import signed_in, undo_shown
from tests.due import run_due
from tests.forgetting import forget
from tests.moments import hurry, replace_time
from tests.pages import page_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ADDRESS = "/dashboard/custom-fields/"
KEY = "0e5cbb12-95f0-4a4a-8f4e-0c4a9e0d7a11"
"""The key of a form that is sent more than once."""
LIST, WRITE = "custom_fields.list", "custom_fields.update"


@pytest.fixture
def color(rows: list[Field], cast: dict[str, Any]) -> CustomField:
    """A field of the cast, as the platform has it; the account's fields have been read."""
    platform = platform_for(Account.objects.get())
    row = Field.objects.get(field_id=cast["custom_fields"]["color"])
    return next(one for one in platform.custom_fields.list(row.video_id) if one.id == row.field_id)


def now(field: CustomField) -> tuple[str, str]:
    """Key and value as the platform has them."""
    fields = platform_for(Account.objects.get()).custom_fields.list(field.video_id)
    return next((one.key, one.value) for one in fields if one.id == field.id)


def save(client: Client, field: CustomField, key: str, value: str, **more: Any) -> Any:
    headers = {"HX-Request": "true"} if more.pop("script", False) else {}
    body = {"key": key, "value": value, "loaded": json.dumps({"key": field.key, "value": field.value}), **more}
    return client.post(f"{ADDRESS}videos/{field.video_id}/{field.id}/", body, headers=headers)


def test_the_first_visit_reads_by_itself_and_says_how_far(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_time(
        monkeypatch, "dashboard.custom_fields.queries", monotonic=lambda: 0.0
    )  # one step, also on a slow machine
    first = page_of(owner.get(ADDRESS))
    assert "have not been loaded yet" in first
    assert 'hx-trigger="load' in first
    done = page_of(owner.post(f"{ADDRESS}read/", {"first": "1"}, headers={"HX-Request": "true"}))
    assert 'id="table" hx-swap-oob="true"' in done
    assert "hx-trigger" not in done


def test_a_first_reading_of_several_steps_shows_the_fields_at_its_end(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch, "dashboard.custom_fields.queries")
    answer, steps = page_of(owner.get(ADDRESS)), 0
    while "hx-trigger" in answer:
        form = {"first": "1"} if 'name="first"' in answer else {}
        answer, steps = page_of(owner.post(f"{ADDRESS}read/", form, headers={"HX-Request": "true"})), steps + 1
        assert ('id="table"' in answer) == ("hx-trigger" not in answer), "only the last step brings the table"
    assert steps > 1
    assert '<th scope="row">' in answer


def test_every_field_is_found_by_key_value_and_title(owner: Client, color: CustomField) -> None:
    for words in (color.key, color.value, Field.objects.get(field_id=color.id).title):
        assert f"#field-{color.id}" in page_of(owner.get(ADDRESS, {"find": words}))
    assert "No key, value or video title matches" in page_of(owner.get(ADDRESS, {"find": "zzzz"}))


def test_pages_hold_50_fields(owner: Client, color: CustomField) -> None:
    template = Field.objects.get(field_id=color.id)
    Field.objects.bulk_create(
        Field(
            account_id=template.account_id,
            video_id=color.video_id,
            title="T",
            field_id=str(n),
            key=f"k{n}",
            value="v",
            read_at=template.read_at,
        )
        for n in range(120)
    )
    first = page_of(owner.get(ADDRESS))
    assert first[first.index("<main") : first.index("</main>")].count('<th scope="row">') == 50
    last = page_of(owner.get(ADDRESS, {"page": "3"}))
    assert 'rel="next"' not in last
    assert 'rel="prev"' in last


def test_reading_again_drops_what_is_gone(owner: Client, color: CustomField) -> None:
    kept = Field.objects.get(field_id=color.id)
    kept.pk, kept.field_id, kept.video_id = None, "gone", "gone"
    kept.save()
    owner.post(f"{ADDRESS}read/", {"again": "1"})
    owner.post(f"{ADDRESS}read/")
    assert not Field.objects.filter(field_id="gone").exists()
    assert Field.objects.filter(field_id=color.id).count() == 1


@pytest.mark.parametrize(("status", "answers"), [(403, 403), (404, 404), (429, 503), (500, 502)])
@pytest.mark.parametrize("script", [True, False])
def test_a_walk_that_is_refused_says_so_and_goes_on_later(
    owner: Client, faults: ModuleType, status: int, answers: int, script: bool
) -> None:
    faults.set("videos.list", status=status)
    answer = owner.post(f"{ADDRESS}read/", headers={"HX-Request": "true"} if script else {})
    assert answer.status_code == (200 if script else answers)
    assert "Load more" in page_of(answer)
    faults.clear()
    Reading.objects.update(next_page=5)  # what is left of the walk is enough to see that it goes on
    owner.post(f"{ADDRESS}read/")
    assert Reading.objects.get().finished_at is not None


def test_the_file_can_be_given_back_as_it_is(owner: Client, color: CustomField) -> None:
    answer = owner.get(f"{ADDRESS}export.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {"video_id", "key", "value"} <= set(rows[0])
    assert color.value in {row["value"] for row in rows}


def test_a_changed_value_is_sent_with_exactly_the_documented_request(owner: Client, color: CustomField) -> None:
    shown = page_of(save(owner, color, color.key, "green", _dry_run="1"))
    request = shown.split('id="dry-run"')[1].split("</code>")[0]
    assert f"/videos/{color.video_id}?custom_fields&id={color.id} " in request
    assert json.loads(request[request.index("{") :]) == {"value": "green"}
    assert now(color) == (color.key, color.value)
    assert not Entry.objects.exists()


def test_a_changed_key_takes_its_value_along(owner: Client, color: CustomField) -> None:
    shown = page_of(save(owner, color, "hue", color.value, _dry_run="1"))
    assert '"key": "hue"' in shown
    assert f'"value": "{color.value}"' in shown
    assert save(owner, color, "hue", color.value).status_code == 200
    assert now(color) == ("hue", color.value)
    assert Field.objects.get(field_id=color.id).key == "hue"


def test_saving_answers_the_field_alone_with_an_undo(owner: Client, color: CustomField) -> None:
    answer = page_of(save(owner, color, color.key, "green", script=True))
    assert "<html" not in answer
    assert "Saved." in answer
    undo = {"key": color.key, "value": color.value}
    owner.post(f"{ADDRESS}videos/{color.video_id}/{color.id}/", undo)
    assert now(color) == (color.key, color.value)


def test_activity_takes_a_change_back(owner: Client, color: CustomField) -> None:
    save(owner, color, "hue", "green")
    entry = Entry.objects.get(operation=WRITE)
    assert f"?custom_fields&id={color.id}" in undo_shown(owner, entry)
    assert now(color) == ("hue", "green"), "looking sends nothing"
    owner.post(f"/dashboard/activity/{entry.pk}/undo/")
    assert now(color) == (color.key, color.value)
    assert Entry.objects.filter(undoes=entry, outcome=Outcome.DONE).exists()


def test_activity_does_not_write_over_what_was_changed_again_since(owner: Client, color: CustomField) -> None:
    save(owner, color, color.key, "green")
    entry = Entry.objects.get(operation=WRITE)
    platform_for(Account.objects.get()).custom_fields.update(color.video_id, color.id, value="newer")
    answer = page_of(owner.post(f"/dashboard/activity/{entry.pk}/undo/", follow=True))
    assert "The field was changed in the meantime. Edit it on the page of its video." in answer
    assert now(color) == (color.key, "newer")


def test_nothing_different_is_not_sent(owner: Client, color: CustomField) -> None:
    assert "Nothing was sent." in page_of(save(owner, color, color.key, color.value))
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("", "v", "Enter a key."),
        ("k" * 201, "v", "Remove 1 character. The limit is 200."),
        ("two words", "v", "Remove the space"),
        ("a/b", "v", "Remove “/”"),
        ("color", "", "Enter a value."),
        ("color", "v" * 501, "Remove 1 character. The limit is 500."),
    ],
)
@pytest.mark.parametrize("script", [True, False])
def test_a_wrong_field_is_said_in_its_place_and_stays_typed(
    owner: Client, color: CustomField, key: str, value: str, sentence: str, script: bool
) -> None:
    answer = save(owner, color, key, value, script=script)
    assert answer.status_code == 422
    text = page_of(answer)
    assert sentence in text
    assert value in text
    assert f'aria-describedby="id_{color.id}_' in text
    assert not Entry.objects.exists()


def test_a_key_of_another_field_is_refused_here(owner: Client, color: CustomField) -> None:
    other = next(
        (one for one in platform_for(Account.objects.get()).custom_fields.list(color.video_id) if one.id != color.id),
        None,
    )
    assert other is not None
    assert "Another field of this video has this key" in page_of(save(owner, color, other.key, "x"))


def test_what_somebody_else_wrote_is_not_overwritten_unasked(owner: Client, color: CustomField) -> None:
    save(owner, color, color.key, "theirs")
    answer = save(owner, color, color.key, "mine")
    assert answer.status_code == 422
    assert "theirs" in page_of(answer)
    assert now(color) == (color.key, "theirs")
    save(owner, color, color.key, "mine", loaded=json.dumps({"key": color.key, "value": "theirs"}))
    assert now(color) == (color.key, "mine")


def test_a_key_changed_here_keeps_the_value_that_somebody_else_saved(owner: Client, color: CustomField) -> None:
    save(owner, color, color.key, "theirs")
    assert save(owner, color, "shade", color.value).status_code == 200
    assert now(color) == ("shade", "theirs")


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 400}, "refused"),
        ({"status": 403}, "may not do that"),
        ({"status": 404}, "was not found on the platform"),
    ],
)
def test_a_refusal_of_the_platform_keeps_what_was_typed(
    owner: Client, color: CustomField, faults: ModuleType, fault: dict[str, int], sentence: str
) -> None:
    faults.set(WRITE, **fault)
    answer = save(owner, color, color.key, "green")
    assert answer.status_code == 422
    assert sentence in page_of(answer)
    assert "green" in page_of(answer)


@pytest.mark.parametrize("how", ["lost", "dropped"])
def test_a_lost_answer_is_settled_by_reading(
    owner: Client, color: CustomField, faults: ModuleType, calls: Callable[[str], int], how: str
) -> None:
    faults.set(WRITE, broken=how)
    for script in (True, False):
        answer = page_of(save(owner, color, color.key, "green", script=script, write_key=KEY))
        assert "Not confirmed. We keep checking automatically." in answer and "green</textarea>" in answer
    assert calls(WRITE) == 1
    run_due(60)
    assert Entry.objects.get().outcome == (Outcome.DONE if how == "lost" else Outcome.REFUSED)
    assert Field.objects.get(field_id=color.id).value == ("green" if how == "lost" else color.value)


def test_a_value_that_a_later_one_replaced_is_over_though_nothing_tells_whether_it_arrived(
    owner: Client, color: CustomField, faults: ModuleType
) -> None:
    """Had it arrived before the later form was checked, that one would have been asked about instead."""
    faults.set(WRITE, broken="dropped")
    save(owner, color, color.key, "green")
    faults.clear()
    save(owner, color, color.key, "blue")
    run_due(60)
    assert list(Write.objects.order_by("created_at").values_list("state", "reason")) == [
        ("done", failures.REPLACED),
        ("done", ""),
    ]
    assert Field.objects.get(field_id=color.id).value == "blue"
    assert "It arrived" not in page_of(owner.get(f"{ADDRESS}videos/{color.video_id}/"))


def test_a_value_that_somebody_changed_after_a_lost_answer_is_left_to_its_author(
    owner: Client, color: CustomField, faults: ModuleType
) -> None:
    faults.set(WRITE, broken="lost")
    save(owner, color, color.key, "green")
    faults.clear()
    platform_for(Account.objects.get()).custom_fields.update(color.video_id, color.id, value="newer")
    run_due(60)
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED
    assert "It arrived" in page_of(owner.get(f"{ADDRESS}videos/{color.video_id}/"))


@pytest.mark.parametrize("script", [True, False])
def test_the_same_form_sent_twice_saves_once_and_says_the_same(
    owner: Client, color: CustomField, calls: Callable[[str], int], script: bool
) -> None:
    for _press in range(2):
        assert "Saved." in page_of(save(owner, color, "hue", "green", script=script, write_key=KEY))
    assert calls(WRITE) == 1


@pytest.mark.parametrize("fault", [{"status": 429}, {"broken": "refused"}])
def test_a_value_that_cannot_be_sent_now_is_sent_by_the_worker_unless_a_newer_one_was_saved(
    owner: Client, color: CustomField, faults: ModuleType, fault: dict[str, Any]
) -> None:
    faults.set(WRITE, **fault)
    for value in ("green", "blue"):
        answer = save(owner, color, color.key, value, script=True)
        assert answer.status_code == 200
        assert "Your change is saved here and will be sent automatically" in page_of(answer)
    faults.clear()
    run_due(60)
    assert now(color) == (color.key, "blue")
    assert sorted(Write.objects.values_list("state", flat=True)) == ["cancelled", "done"]


def test_a_part_for_another_page_is_only_the_fields(owner: Client, color: CustomField) -> None:
    part = page_of(owner.get(f"{ADDRESS}videos/{color.video_id}/", headers={"HX-Request": "true"}))
    assert part.lstrip().startswith('<section class="panel" id="fields"')


def test_another_account_sees_no_field(client: Client, cast: dict[str, Any], color: CustomField) -> None:
    signed_in(client, cast["tokens"]["trial"])
    assert client.get(f"{ADDRESS}videos/{color.video_id}/").status_code == 404
    assert save(client, color, color.key, "x").status_code == 404
    assert color.value not in page_of(client.get(ADDRESS))


@pytest.mark.parametrize(("status", "answers"), [(401, 302), (403, 200), (404, 200), (429, 503), (500, 502)])
def test_a_video_whose_fields_cannot_be_read(
    owner: Client, color: CustomField, faults: ModuleType, status: int, answers: int
) -> None:
    forget()
    faults.set(LIST, status=status)
    assert owner.get(f"{ADDRESS}videos/{color.video_id}/").status_code == answers


@pytest.mark.parametrize("path", ["", "changes/", "export.csv"])
def test_signed_out_leads_to_sign_in(client: Client, path: str) -> None:
    assert client.get(f"{ADDRESS}{path}")["Location"].startswith("/sign-in/")

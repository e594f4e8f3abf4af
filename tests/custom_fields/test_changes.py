"""Changes of many fields from a file: compared first, every line sent once, everything reported."""

import csv
import io
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.custom_fields.models import Change, Field, LineState, Stage
from dashboard.sandbox.models import CustomField
from dashboard.upstream.clients import platform_for
from tests.conftest import signed_in
from tests.custom_fields.conftest import ADDRESS, changed, compared, done, give, now, sent, shown, stepped, values

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

NOBODY = "3f2b6c1e-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no lines"),
        ("a,b\n1,2", "name the columns"),
        ("video_id,key,value,Value\n1,2,3,4", "the column value twice"),
        ("video_id,key,value\n", "no lines"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_at_its_field(owner: Client, text: str, sentence: str) -> None:
    answer = give(owner, text)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Change.objects.exists()


def test_comparing_sends_nothing_and_lists_every_difference_and_every_refused_line(
    owner: Client, rows: list[Field]
) -> None:
    same = next(row for row in rows if row.key.isalnum())
    text = (
        changed(rows[1:])
        + f"{same.video_id},{same.key},{same.value}\n{NOBODY},color,x\n{same.video_id},nothere,x\nwrong,k,v\n"
    )
    change = compared(owner, text)
    assert not Entry.objects.exists()
    first = shown(owner, change)
    assert first.count(">Will change<") == change.lines.filter(state=LineState.CHANGE).count() > 0
    refused = shown(owner, change, "refused")
    for sentence in ("No video of this account", "has no field with this key", "Enter the id of the video"):
        assert sentence in refused
    assert "No difference" in shown(owner, change, "same")


def test_the_dry_run_names_videos_and_shows_a_value_that_stays_once(owner: Client, rows: list[Field]) -> None:
    row = next(one for one in rows if one.key.isalnum())
    change = compared(owner, f"video_id,key,new_key,value\n{row.video_id},{row.key},renamed,{row.value}\n")
    address = f"{ADDRESS}changes/{change.pk}/"
    for known in (True, False):
        text = unescape(owner.get(address).content.decode()).split('id="lines-title"')[1]
        assert f">{row.title}</a>" in text and f">{row.video_id}<" not in text
        assert text.count(row.value) == 1 and "Stays the same" in text
        report = owner.get(f"{address}report.csv").content.decode("utf-8-sig")
        assert known is False or row.title in report
        Field.objects.all().delete()  # nobody has read the fields: the videos are known all the same
        owner.get(address)


def test_every_line_leaves_exactly_once_however_often_send_is_pressed(owner: Client, rows: list[Field]) -> None:
    change = compared(owner, changed(rows))
    for _press in range(3):
        sent(owner, change)
    count = change.lines.count()
    assert change.stage == Stage.DONE
    assert Entry.objects.filter(operation="custom_fields.update").count() == count
    assert "new" in values()
    assert f"Changed: {count}." in shown(owner, change)


def test_show_the_request_sends_nothing(owner: Client, rows: list[Field]) -> None:
    change = compared(owner, changed(rows))
    text = unescape(owner.post(f"{ADDRESS}changes/{change.pk}/send/", {"_dry_run": "1"}).content.decode())
    assert "?custom_fields&id=" in text
    assert "would follow." in text
    change.refresh_from_db()
    assert change.stage == Stage.READY


def test_a_refused_line_is_in_the_report_with_the_platform_s_reason(
    owner: Client, rows: list[Field], faults: ModuleType
) -> None:
    change = compared(owner, changed(rows[:2]))
    faults.set("custom_fields.update", status=403)
    sent(owner, change)
    assert change.stage == Stage.DONE
    answer = owner.get(f"{ADDRESS}changes/{change.pk}/report.csv", {"lines": "refused"})
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(lines) == change.lines.count()
    assert all(line["result"] == "Refused" and "may not do that" in line["reason"] for line in lines)


def test_a_key_is_changed_with_its_value(owner: Client, rows: list[Field]) -> None:
    row = next(row for row in rows if row.key.isalnum())
    change = compared(owner, f"video_id;key;value;new_key\n{row.video_id};{row.key};{row.value};fresh\n")
    sent(owner, change)
    fields = platform_for(Account.objects.get()).custom_fields.list(row.video_id)
    assert ("fresh", row.value) in {(one.key, one.value) for one in fields}


@pytest.mark.parametrize("part", ["", "report.csv", "progress/", "step/", "send/"])
def test_another_account_finds_nothing(client: Client, cast: dict[str, Any], rows: list[Field], part: str) -> None:
    other = signed_in(Client(), cast["tokens"]["owner"])
    give(other, changed(rows))
    signed_in(client, cast["tokens"]["trial"])
    address = f"{ADDRESS}changes/{Change.objects.get().pk}/{part}"
    assert (client.get(address) if part in {"", "report.csv", "progress/"} else client.post(address)).status_code == 404


def test_a_whole_file_is_taken_back_but_not_what_somebody_changed_since(owner: Client, rows: list[Field]) -> None:
    kept, later = [row for row in rows if row.key.isalnum()][:2]
    change = done(owner, changed([kept, later]))
    platform_for(Account.objects.get()).custom_fields.update(later.video_id, later.field_id, value="newer")
    calls = Entry.objects.count()
    first, second = (owner.post(f"{ADDRESS}changes/{change.pk}/undo/")["Location"] for _press in range(2))
    assert first == second
    back = Change.objects.get(undoes=change)
    stepped(owner, back)
    text = unescape(owner.get(f"{first}?lines=refused").content.decode())
    assert "The field was changed in the meantime. It was not changed again." in text
    assert "Will change: 1. Without difference: 0. Cannot be sent: 1." in text
    assert Entry.objects.count() == calls, "comparing sends nothing"
    sent(owner, back)
    assert (now(kept), now(later)) == (kept.value, "newer")


def test_a_changed_key_is_taken_back_with_its_value(owner: Client, rows: list[Field]) -> None:
    row = next(row for row in rows if row.key.isalnum())
    change = done(owner, f"video_id,key,new_key,value\n{row.video_id},{row.key},renamed7,new\n")
    owner.post(f"{ADDRESS}changes/{change.pk}/undo/")
    back = Change.objects.get(undoes=change)
    stepped(owner, back)
    sent(owner, back)
    fields = platform_for(Account.objects.get()).custom_fields.list(row.video_id)
    assert next((one.key, one.value) for one in fields if one.id == row.field_id) == (row.key, row.value)


def test_nothing_is_taken_back_before_it_was_sent(owner: Client, rows: list[Field]) -> None:
    change = compared(owner, changed(rows[:1]))
    assert "/undo/" not in owner.get(f"{ADDRESS}changes/{change.pk}/").content.decode()
    assert owner.post(f"{ADDRESS}changes/{change.pk}/undo/")["Location"].endswith(f"/{change.pk}/")
    assert Change.objects.count() == 1


@pytest.mark.parametrize("value", ["＝1+1", "＋5511999", "'=1", "''=1", "-1"])
def test_the_file_of_all_fields_changes_nothing_when_it_comes_back(
    owner: Client, rows: list[Field], value: str
) -> None:
    row = rows[0]
    Field.objects.filter(pk=row.pk).update(value=value)
    CustomField.objects.filter(pk=row.field_id).update(value=value)
    change = compared(owner, owner.get(f"{ADDRESS}export.csv?find={row.key}").content.decode())
    line = change.lines.get(video_id=row.video_id, key=row.key)
    assert (line.value, line.state) == (value, LineState.SAME)

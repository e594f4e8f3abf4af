"""The activity log's pages: filtered by the address, exported as shown, undone where the platform allows."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.http import HttpRequest
from django.test import Client

from dashboard.activity import log
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import UNDO
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def account(owner: Client) -> UUID:
    return UUID(owner.session["account"])


def entry(account: UUID, **changes: Any) -> Entry:
    at = changes.pop("at", None)
    found = Entry.objects.create(
        **{
            "account_id": account,
            "actor": "Ana",
            "operation": "lives.start",
            "target": "live-1",
            "label": "Colheita ao vivo",
            "outcome": Outcome.DONE,
            **changes,
        }
    )
    if at:
        Entry.objects.filter(pk=found.pk).update(at=at)
    return found


@pytest.fixture
def undoable() -> Iterator[list[Entry]]:
    undone: list[Entry] = []

    def undo(request: HttpRequest, found: Entry) -> None:
        undone.append(found)

    UNDO["tests.write"] = undo
    yield undone
    del UNDO["tests.write"]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", {"live", "playlist", "old"}),
        ("?operation=playlists.delete", {"playlist"}),
        ("?person=Jonas", {"playlist"}),
        ("?thing=live-1", {"live", "old"}),
        ("?thing=Colheita", {"live"}),
        ("?thing=colheita", set()),
        ("?day=2026-11-03", {"old"}),
        ("?day=2026-11-04", set()),
        ("?day=not-a-day", {"live", "playlist", "old"}),
        ("?after=not-an-id", {"live", "playlist", "old"}),
        ("?thing=%00", {"live", "playlist", "old"}),
    ],
)
def test_the_address_filters(owner: Client, account: UUID, query: str, shown: set[str]) -> None:
    rows = {
        "live": entry(account),
        "playlist": entry(account, operation="playlists.delete", actor="Jonas", target="p", label="Curso"),
        "old": entry(account, label="antiga", at=datetime(2026, 11, 3, 23, 59, 59, tzinfo=UTC)),
    }
    text = owner.get(f"/dashboard/activity/{query}").content.decode()
    assert {name for name, row in rows.items() if str(row.pk) in text} == shown


def test_a_name_that_many_begin_with_finds_the_same_as_one_that_few_do(
    account: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    for label, target in (
        ("Colheita", "a"),
        ("Colheita ao vivo", "b"),
        ("colheita", "c"),
        ("x", "Colheita"),
        ("Cola", "d"),
    ):
        entry(account, label=label, target=target)
    few = [row.pk for row in log.entries(account, log.Filter(thing="Colheita"))]
    monkeypatch.setattr(log, "FEW", 1)
    assert [row.pk for row in log.entries(account, log.Filter(thing="Colheita"))] == few
    assert len(few) == 3


def test_the_file_holds_what_the_page_shows(owner: Client, account: UUID) -> None:
    entry(account, label="=1+1", before={"value": "red"}, after={"value": "blue"})
    entry(account, operation="playlists.delete")
    answer = owner.get("/dashboard/activity/activity.csv?operation=lives.start")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(rows) == 1
    assert rows[0]["name"] == "'=1+1", "a spreadsheet must not read it as a formula"
    assert '"blue"' in rows[0]["after"]


def test_older_rows_follow_without_a_gap_or_a_repeat(owner: Client, account: UUID) -> None:
    made = [entry(account, target=f"live-{number}").pk for number in range(log.PAGE + 7)]
    same_moment = datetime(2026, 11, 20, 12, tzinfo=UTC)
    Entry.objects.update(at=same_moment)
    seen: list[str] = []
    address = "/dashboard/activity/"
    while address:
        text = owner.get(address).content.decode()
        seen += [str(pk) for pk in made if f"/dashboard/activity/{pk}/" in text]
        older = text.split('<a href="?')[1].split('"')[0] if '<a href="?' in text else ""
        address = f"/dashboard/activity/?{older.replace('&amp;', '&')}" if older else ""
    assert sorted(seen) == sorted(str(pk) for pk in made)


def test_an_entry_shows_field_by_field_what_changed(owner: Client, account: UUID) -> None:
    found = entry(account, before={"value": "red", "key": "color"}, after={"value": "blue", "key": "color"})
    text = owner.get(f"/dashboard/activity/{found.pk}/").content.decode()
    assert text.count("differences__changed") == 1
    assert "red" in text and "blue" in text


def test_what_was_not_confirmed_says_so(owner: Client, account: UUID) -> None:
    found = entry(account, outcome=Outcome.UNCONFIRMED)
    assert b"The answer of the platform never came." in owner.get(f"/dashboard/activity/{found.pk}/").content


def test_a_done_write_with_a_known_before_can_be_undone(owner: Client, account: UUID, undoable: list[Entry]) -> None:
    found = entry(account, operation="tests.write", before={"value": "red"})
    assert b">Undo" in owner.get("/dashboard/activity/").content
    owner.post(f"/dashboard/activity/{found.pk}/undo/")
    assert [one.pk for one in undoable] == [found.pk]


@pytest.mark.parametrize(
    "changes",
    [
        {"operation": "lives.start", "before": {}},
        {"operation": "tests.write", "before": None},
        {"operation": "tests.write", "before": {}, "outcome": Outcome.REFUSED},
        {"operation": "tests.write", "before": {}, "outcome": Outcome.UNCONFIRMED},
    ],
)
def test_what_cannot_be_undone_offers_nothing_and_does_nothing(
    owner: Client, account: UUID, undoable: list[Entry], changes: dict[str, Any]
) -> None:
    found = entry(account, **changes)
    assert f"/{found.pk}/undo/" not in owner.get("/dashboard/activity/").content.decode()
    assert owner.post(f"/dashboard/activity/{found.pk}/undo/").status_code == 404
    assert undoable == []


def test_another_account_s_log_is_not_there(owner: Client, account: UUID, cast: dict[str, Any]) -> None:
    found = entry(account)
    stranger = signed_in(Client(), cast["tokens"]["trial"])
    assert str(found.pk) not in stranger.get("/dashboard/activity/").content.decode()
    assert stranger.get(f"/dashboard/activity/{found.pk}/").status_code == 404
    assert stranger.post(f"/dashboard/activity/{found.pk}/undo/").status_code == 404


def test_everybody_who_acted_is_offered_once(account: UUID) -> None:
    for name in ("Jonas", "Ana", "Jonas", "Priya"):
        entry(account, actor=name)
    entry(uuid4(), actor="Somebody else")
    assert log.people(account) == ["Ana", "Jonas", "Priya"]


def test_ten_thousand_rows_cost_the_page_as_many_queries_as_one(
    owner: Client, account: UUID, django_assert_max_num_queries: Any
) -> None:
    now = datetime.now(UTC)
    rows = [Entry(account_id=account, actor="Ana", operation="lives.start", target=str(n)) for n in range(10_000)]
    Entry.objects.bulk_create(rows)
    Entry.objects.update(at=now - timedelta(days=1))
    with django_assert_max_num_queries(8):
        owner.get("/dashboard/activity/")

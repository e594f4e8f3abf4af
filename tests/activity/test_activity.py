"""The activity log's pages: filtered by the address, exported as shown, undone where the platform allows."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity import log, overview_items
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import UNDO
from dashboard.overview.registry import Todo
from dashboard.writes.models import Write
from tests.conftest import signed_in
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def entry(account: Account, **changes: Any) -> Entry:
    at = changes.pop("at", None)
    found = Entry.objects.create(
        **{
            "account_id": account.pk,
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
        ("", {"live", "playlist", "old", "midnight"}),
        ("?operation=playlists.delete", {"playlist"}),
        ("?person=Jonas", {"playlist"}),
        ("?thing=live-1", {"live", "old", "midnight"}),
        ("?thing=Colheita", {"live"}),
        ("?thing=colheita", set()),
        ("?day=2026-11-03", {"old", "midnight"}),
        ("?day=2026-11-02", set()),
        ("?day=2026-11-04", set()),
        ("?day=not-a-day", {"live", "playlist", "old", "midnight"}),
        ("?after=not-an-id", {"live", "playlist", "old", "midnight"}),
        ("?thing=%00", {"live", "playlist", "old", "midnight"}),
    ],
)
def test_the_address_filters(owner: Client, account: Account, query: str, shown: set[str]) -> None:
    rows = {
        "live": entry(account),
        "playlist": entry(account, operation="playlists.delete", actor="Jonas", target="p", label="Curso"),
        "old": entry(account, label="antiga", at=datetime(2026, 11, 3, 23, 59, 59, tzinfo=UTC)),
        "midnight": entry(account, label="antiga", at=datetime(2026, 11, 3, tzinfo=UTC)),
    }
    text = owner.get(f"/dashboard/activity/{query}").content.decode()
    assert {name for name, row in rows.items() if str(row.pk) in text} == shown


def test_a_name_that_many_begin_with_finds_the_same_as_one_that_few_do(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for label, target in (
        ("Colheita", "a"),
        ("Colheita ao vivo", "b"),
        ("colheita", "c"),
        ("x", "Colheita"),
        ("Cola", "d"),
    ):
        entry(account, label=label, target=target)
    few = [row.pk for row in log.list_entries(account.pk, log.LogFilter(thing="Colheita"))]
    monkeypatch.setattr(log, "FEW", 1)
    assert [row.pk for row in log.list_entries(account.pk, log.LogFilter(thing="Colheita"))] == few
    assert len(few) == 3


def test_the_file_holds_what_the_page_shows(owner: Client, account: Account) -> None:
    entry(account, label="=1+1", before={"value": "red"}, after={"value": "blue"})
    entry(account, operation="playlists.delete")
    answer = owner.get("/dashboard/activity/activity.csv?operation=lives.start")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(rows) == 1
    assert rows[0]["name"] == "'=1+1", "a spreadsheet must not read it as a formula"
    assert '"blue"' in rows[0]["after"]


def test_older_rows_follow_without_a_gap_or_a_repeat(owner: Client, account: Account) -> None:
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


def test_a_page_shows_fifty_rows_and_leads_to_the_older_ones(owner: Client, account: Account) -> None:
    made = [entry(account).pk for _number in range(51)]
    text = owner.get("/dashboard/activity/").content.decode()
    assert sum(f"/dashboard/activity/{pk}/" in text for pk in made) == 50
    assert '<a href="?' in text
    Entry.objects.filter(pk=made[0]).delete()
    assert '<a href="?' not in owner.get("/dashboard/activity/").content.decode()


def test_the_first_thirty_people_by_name_can_be_chosen(owner: Client, account: Account) -> None:
    for number in reversed(range(31)):
        entry(account, actor=f"Person {number:02}")
    text = owner.get("/dashboard/activity/").content.decode()
    offered = [f"Person {number:02}" for number in range(31) if f'<option value="Person {number:02}"' in text]
    assert offered == [f"Person {number:02}" for number in range(30)]


def test_an_entry_shows_field_by_field_what_changed(owner: Client, account: Account) -> None:
    found = entry(account, before={"value": "red", "key": "color"}, after={"value": "blue", "key": "color"})
    text = owner.get(f"/dashboard/activity/{found.pk}/").content.decode()
    assert text.count("differences__changed") == 1
    assert "red" in text and "blue" in text


def test_what_was_not_confirmed_says_so(owner: Client, account: Account) -> None:
    found = entry(account, outcome=Outcome.UNCONFIRMED)
    text = unescape(owner.get(f"/dashboard/activity/{found.pk}/").content.decode())
    assert "The platform didn't answer, so it may have been done." in text


def open_write(account: Account, outcome: Outcome, **changes: Any) -> tuple[Entry, Write]:
    """A row of Activity with the write of the outbox that it is about."""
    found = entry(account, outcome=outcome, label="Harvest")
    write = Write.objects.create(
        account_id=account.pk, scope=str(account.pk), key=uuid4(), operation="lives.start", subject="live-1", entry=found,
        attempt=1, **{"due_at": timezone.now(), **changes},
    )  # fmt: skip
    return found, write


def items_of(account: Account) -> list[Todo]:
    request = RequestFactory().get("/")
    request.account = account  # type: ignore[attr-defined]  # set by the middleware
    return list(overview_items.activity(request))  # type: ignore[arg-type]  # as the middleware leaves it


def test_what_waits_says_why_in_the_list_its_page_the_file_and_the_overview(owner: Client, account: Account) -> None:
    found, _write = open_write(account, Outcome.WAITING, state="held", reason="Unreachable")
    entry(account)
    listed = one_line(owner.get("/dashboard/activity/?outcome=waiting").content.decode())
    assert f"/{found.pk}/" in listed and listed.count('class="table__sub"') == 1
    assert "Waiting</span>" in listed and '<option value="waiting" selected>' in listed
    page = unescape(one_line(owner.get(f"/dashboard/activity/{found.pk}/").content.decode()))
    assert "Your change is saved here and will be sent automatically." in page
    file = owner.get("/dashboard/activity/activity.csv?outcome=waiting").content.decode("utf-8-sig")
    assert [row["outcome"] for row in csv.DictReader(io.StringIO(file))] == ["waiting"]
    assert [(item.word, item.action_address) for item in items_of(account)] == [("Waiting", "/dashboard/lives/live-1/")]


@pytest.mark.parametrize(
    ("minutes", "changes", "sentence"),
    [
        (1, {}, ""),
        (60 * 24 * 30, {}, "We keep checking automatically."),
        (10, {"due_at": None}, "check whether it was done."),
    ],
)
def test_what_is_not_confirmed_is_an_overview_item_until_it_has_ended(
    account: Account, minutes: int, changes: dict[str, Any], sentence: str
) -> None:
    open_write(account, Outcome.UNCONFIRMED, state="unconfirmed", **changes)
    Entry.objects.update(at=timezone.now() - timedelta(minutes=minutes))
    items = items_of(account)
    assert len(items) == bool(sentence)
    assert all(item.why.endswith(sentence) for item in items)
    Entry.objects.update(outcome=Outcome.DONE)
    assert items_of(account) == []


def test_the_page_of_an_open_write_polls_and_is_shown_anew_when_it_has_ended(owner: Client, account: Account) -> None:
    found, write = open_write(account, Outcome.UNCONFIRMED, state="unconfirmed")
    main = owner.get(f"/dashboard/activity/{found.pk}/").content.decode().split("<main")[1]
    polled = main.split('hx-get="')[1].split('"')[0]
    assert owner.get(polled).status_code == 204
    Write.objects.filter(pk=write.pk).update(state="done")
    answer = owner.get(polled, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == f"/dashboard/activity/{found.pk}/"


def test_a_done_write_with_a_known_before_can_be_undone(owner: Client, account: Account, undoable: list[Entry]) -> None:
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
    owner: Client, account: Account, undoable: list[Entry], changes: dict[str, Any]
) -> None:
    found = entry(account, **changes)
    assert f"/{found.pk}/undo/" not in owner.get("/dashboard/activity/").content.decode()
    assert owner.post(f"/dashboard/activity/{found.pk}/undo/").status_code == 404
    assert undoable == []


def test_another_account_s_log_is_not_there(owner: Client, account: Account, cast: dict[str, Any]) -> None:
    found = entry(account)
    stranger = signed_in(Client(), cast["tokens"]["trial"])
    assert str(found.pk) not in stranger.get("/dashboard/activity/").content.decode()
    assert stranger.get(f"/dashboard/activity/{found.pk}/").status_code == 404
    assert stranger.post(f"/dashboard/activity/{found.pk}/undo/").status_code == 404


def test_list_begins_at_the_newest_after_an_entry_of_another_account(owner: Client, account: Account) -> None:
    mine, theirs = entry(account), entry(account, account_id=uuid4(), at=datetime(2026, 1, 1, tzinfo=UTC))
    assert str(mine.pk) in owner.get(f"/dashboard/activity/?after={theirs.pk}").content.decode()


def test_everybody_who_acted_is_offered_once(account: Account) -> None:
    for name in ("Jonas", "Ana", "Jonas", "Priya"):
        entry(account, actor=name)
    Entry.objects.create(account_id=uuid4(), actor="Somebody else", operation="lives.start", outcome=Outcome.DONE)
    assert log.list_people(account.pk) == ["Ana", "Jonas", "Priya"]


def test_ten_thousand_rows_cost_the_page_as_many_queries_as_one(
    owner: Client, account: Account, django_assert_max_num_queries: Any
) -> None:
    now = datetime.now(UTC)
    rows = [Entry(account_id=account.pk, actor="Ana", operation="lives.start", target=str(n)) for n in range(10_000)]
    Entry.objects.bulk_create(rows)
    Entry.objects.update(at=now - timedelta(days=1))
    with django_assert_max_num_queries(12):
        owner.get("/dashboard/activity/")

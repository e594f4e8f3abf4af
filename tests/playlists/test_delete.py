"""Deleting a playlist: its name typed, held, undone or sent once by the worker, and a copy kept."""

import threading
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.playlists.forms import name_matches
from dashboard.playlists.writes import find_finished_deletion
from dashboard.writes.models import State, Write
from dashboard.writes.operations import operation_of
from tests.answering import change_answers
from tests.conftest import signed_in
from tests.due import run_due
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def name_of(client: Client, playlist: str) -> str:
    text = client.get(f"/dashboard/playlists/{playlist}/").content.decode()
    return unescape(text.split("<h1>")[1].split("</h1>")[0])


def held(client: Client, playlist: str) -> Write:
    client.post(f"/dashboard/playlists/{playlist}/delete/", {"name": name_of(client, playlist)})
    return Write.objects.get(state=State.HELD)


def press(client: Client, write: Write, button: str) -> str:
    write.refresh_from_db()
    address = f"/dashboard/playlists/deletions/{write.pk}/{button}/"
    return unescape(client.post(address, {"attempt": write.attempt}, follow=True).content.decode())


def is_there(client: Client, playlist: str) -> bool:
    return client.get(f"/dashboard/playlists/{playlist}/").status_code == 200


def state_of(write: Write) -> str:
    write.refresh_from_db()
    return write.state


@pytest.mark.parametrize(
    ("typed", "fits"), [("Café da manhã", True), ("  café  da manhã ", True), ("Café", False), ("", False)]
)
def test_the_name_fits_as_people_type_it(typed: str, fits: bool) -> None:
    assert name_matches(typed, "Café da manhã") is fits


def test_a_wrong_name_deletes_nothing_and_says_what_to_type(owner: Client, playlist: str) -> None:
    answer = owner.post(f"/dashboard/playlists/{playlist}/delete/", {"name": "something"})
    assert answer.status_code == 422
    assert b"Type the name as shown" in answer.content
    assert b'value="something"' in answer.content
    assert not Write.objects.exists()


def test_a_deletion_is_held_and_nothing_has_been_sent(owner: Client, playlist: str) -> None:
    write = held(owner, playlist)
    assert "You can undo this until then." in read_page(owner, f"/dashboard/playlists/deletions/{write.pk}/")
    run_due(9)
    assert state_of(write) == State.HELD
    assert not Entry.objects.exists()
    assert is_there(owner, playlist)


def test_a_held_deletion_is_sent_after_ten_seconds_with_no_browser_open(owner: Client, playlist: str) -> None:
    write = held(owner, playlist)
    run_due(10.1)
    assert state_of(write) == State.DONE
    assert Entry.objects.get(operation="playlists.delete").outcome == Outcome.DONE
    assert not is_there(owner, playlist)


def test_an_undone_deletion_is_never_sent(owner: Client, playlist: str) -> None:
    write = held(owner, playlist)
    assert "was not deleted" in press(owner, write, "undo")
    press(owner, write, "send")
    run_due(60)
    assert state_of(write) == State.CANCELLED
    assert is_there(owner, playlist)
    assert held(owner, playlist).pk != write.pk, "it can be deleted anew"


def test_undo_says_so_when_it_comes_too_late(owner: Client, playlist: str) -> None:
    write = held(owner, playlist)
    press(owner, write, "send")
    text = press(owner, write, "undo")
    assert "Too late to undo" in text and "was deleted" in text


def test_a_deletion_is_sent_once_and_keeps_a_copy_of_the_videos(owner: Client, playlist: str) -> None:
    write = held(owner, playlist)
    for _press in range(2):
        press(owner, write, "send")
    run_due(60)
    assert state_of(write) == State.DONE
    assert Entry.objects.filter(operation="playlists.delete").count() == 1
    assert not is_there(owner, playlist)
    copy = read_page(owner, f"/dashboard/playlists/deletions/{write.pk}/")
    assert write.before and write.before["videos"]
    assert all(video["title"] in copy for video in write.before["videos"])


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_six_presses_at_once_hold_one_deletion(owner: Client, playlist: str) -> None:
    name, barrier = name_of(owner, playlist), threading.Barrier(6)

    def delete() -> None:
        browser = Client()
        browser.cookies = owner.cookies
        barrier.wait()
        browser.post(f"/dashboard/playlists/{playlist}/delete/", {"name": name})
        connections.close_all()

    presses = [threading.Thread(target=delete) for _press in range(6)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    write = Write.objects.get(operation="playlists.delete")
    press(owner, write, "undo")
    run_due(60)
    assert is_there(owner, playlist)


@pytest.mark.parametrize("arrived", [True, False])
def test_a_deletion_whose_process_was_killed_while_sending_is_settled_by_reading(
    owner: Client, playlist: str, arrived: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = held(owner, playlist)

    def killed(write: Write) -> None:
        if arrived:
            send(write)
        raise KeyboardInterrupt

    operation = operation_of(write)
    send = operation.send
    monkeypatch.setitem(operation.__dict__, "send", killed)
    with pytest.raises(KeyboardInterrupt):
        run_due(11)
    assert "Sending" in read_page(owner, f"/dashboard/playlists/deletions/{write.pk}/")
    monkeypatch.undo()
    for _look in range(2):
        run_due(30)
    assert state_of(write) == (State.DONE if arrived else State.REFUSED)
    assert ("was deleted" if arrived else "did not receive the request") in read_page(
        owner, f"/dashboard/playlists/deletions/{write.pk}/"
    )
    assert Entry.objects.get(operation="playlists.delete").outcome == (Outcome.DONE if arrived else Outcome.REFUSED)
    assert is_there(owner, playlist) is not arrived


@pytest.mark.parametrize(
    ("whose", "sentence"),
    [("missing", "does not have this playlist any more"), ("other_account", "belongs to another account")],
)
def test_a_missing_playlist_and_another_account_s_are_said_rightly(
    owner: Client, playlist: str, cast: dict[str, Any], whose: str, sentence: str
) -> None:
    write = held(owner, playlist)
    gone = cast["playlists"].get(whose, "3f2b6c1e-0000-4000-8000-000000000000")
    Write.objects.update(request={"playlist_id": gone})
    text = press(owner, write, "send")
    assert sentence in text
    assert "Nothing was deleted." in text


def test_a_lost_answer_is_settled_by_the_worker_and_activity_ends_with_the_truth(
    owner: Client, playlist: str, faults: ModuleType
) -> None:
    write = held(owner, playlist)
    faults.set("playlists.delete", broken="lost")
    text = press(owner, write, "send")
    assert "Not confirmed. We keep checking automatically." in text and "It arrived" not in text
    faults.clear()
    run_due(3)
    assert "was deleted" in read_page(owner, f"/dashboard/playlists/deletions/{write.pk}/")
    assert Entry.objects.get(operation="playlists.delete").outcome == Outcome.DONE


def test_a_deletion_waits_while_the_platform_cannot_be_reached(
    owner: Client, playlist: str, faults: ModuleType
) -> None:
    write = held(owner, playlist)
    faults.set("playlists.delete", broken="refused")
    run_due(11)
    assert "Your change is saved here and will be sent automatically." in read_page(
        owner, f"/dashboard/playlists/deletions/{write.pk}/"
    )
    assert Entry.objects.get(operation="playlists.delete").outcome == Outcome.WAITING
    faults.clear()
    run_due(6)
    assert state_of(write) == State.DONE


@pytest.mark.parametrize("arrived", [True, False])
def test_what_reading_cannot_settle_is_sent_again_once_on_purpose(
    owner: Client, playlist: str, faults: ModuleType, arrived: bool
) -> None:
    write = held(owner, playlist)
    faults.set("playlists.delete", broken="lost" if arrived else "dropped")
    press(owner, write, "send")
    faults.clear()
    faults.set("playlists.get", status=500)
    run_due(61)
    assert "Send again" in read_page(owner, f"/dashboard/playlists/deletions/{write.pk}/")
    write.refresh_from_db()
    old = {"attempt": write.attempt}
    for _press in range(2):
        owner.post(f"/dashboard/playlists/deletions/{write.pk}/again/", old)
    assert state_of(write) == State.DONE, "a playlist that is gone by now was deleted by the first attempt"
    assert write.attempt == 2
    faults.clear()
    assert not is_there(owner, playlist)


def test_a_person_may_say_that_it_arrived(owner: Client, playlist: str, faults: ModuleType) -> None:
    write = held(owner, playlist)
    faults.set("playlists.delete", broken="lost")
    press(owner, write, "send")
    owner.post(f"/dashboard/playlists/deletions/{write.pk}/arrived/", {"attempt": "0"})
    assert state_of(write) == State.UNCONFIRMED, "another attempt than the page showed"
    assert "was deleted" in press(owner, write, "arrived")


def test_a_refused_token_leads_to_sign_in_and_the_deletion_waits(
    owner: Client, playlist: str, faults: ModuleType
) -> None:
    write = held(owner, playlist)
    faults.set("playlists.delete", status=401)
    answer = owner.post(f"/dashboard/playlists/deletions/{write.pk}/send/")
    assert answer["Location"].startswith("/sign-in/")
    assert state_of(write) == State.HELD


def test_the_polled_part_answers_204_until_something_changes_and_then_stops(owner: Client, playlist: str) -> None:
    write = held(owner, playlist)
    polled = (
        read_page(owner, f"/dashboard/playlists/deletions/{write.pk}/")
        .split("<main")[1]
        .split('hx-get="')[1]
        .split('"')[0]
    )
    assert owner.get(polled).status_code == 204
    run_due(11)
    text = owner.get(polled).content.decode()
    assert "was deleted" in text and "hx-get" not in text


def test_another_account_sees_neither_playlist_nor_deletion(
    client: Client, cast: dict[str, Any], playlist: str
) -> None:
    write = held(signed_in(Client(), cast["tokens"]["owner"]), playlist)
    signed_in(client, cast["tokens"]["trial"])
    assert client.get(f"/dashboard/playlists/{playlist}/").status_code == 404
    for part in ("", "progress/", "send/", "undo/", "again/", "arrived/"):
        address = f"/dashboard/playlists/deletions/{write.pk}/{part}"
        assert (client.get(address) if part in ("", "progress/") else client.post(address)).status_code == 404


def test_only_the_playlist_whose_deletion_was_sent_is_known_to_be_gone(owner: Client, playlist: str) -> None:
    write = held(owner, playlist)
    assert find_finished_deletion(write.owner, playlist) is None, "it is held"
    press(owner, write, "send")
    assert find_finished_deletion(write.owner, playlist) == write
    assert find_finished_deletion(write.owner, "another") is None
    Write.objects.update(operation="playlists.create")
    assert find_finished_deletion(write.owner, playlist) is None


def test_a_deletion_whose_answer_says_that_it_failed_is_not_told_as_deleted(
    owner: Client, playlist: str, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, lambda _answer: {"error": True, "success": False}, "playlists.delete")
    write = held(owner, playlist)
    faults.set("playlists.get", status=503)
    faults.set("playlists.list", status=503)
    run_due(11)
    assert state_of(write) == State.UNCONFIRMED
    assert "Deleted" not in read_page(
        owner, f"/dashboard/playlists/deletions/{write.pk}/"
    ) and "Not confirmed." in read_page(owner, f"/dashboard/playlists/deletions/{write.pk}/")
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED

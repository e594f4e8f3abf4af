"""Deleting a playlist: its name typed, held, taken back or sent once, and a copy kept."""

from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.playlists.models import Deletion, State
from dashboard.playlists.rules import name_matches
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def playlist(cast: dict[str, Any]) -> str:
    return str(cast["playlists"]["own"])


def name_of(client: Client, playlist: str) -> str:
    text = client.get(f"/dashboard/playlists/{playlist}/").content.decode()
    return unescape(text.split("<h1>")[1].split("</h1>")[0])


def held(client: Client, playlist: str) -> Deletion:
    client.post(f"/dashboard/playlists/{playlist}/delete/", {"name": name_of(client, playlist)})
    return Deletion.objects.get()


@pytest.mark.parametrize(
    ("typed", "fits"), [("Café da manhã", True), ("  café  da manhã ", True), ("Café", False), ("", False)]
)
def test_the_name_fits_as_people_type_it(typed: str, fits: bool) -> None:
    assert name_matches(typed, "Café da manhã") is fits


def test_a_wrong_name_deletes_nothing_and_says_what_to_type(owner: Client, playlist: str) -> None:
    answer = owner.post(f"/dashboard/playlists/{playlist}/delete/", {"name": "something"})
    assert answer.status_code == 422
    assert b"Type it as it stands" in answer.content
    assert b'value="something"' in answer.content
    assert not Deletion.objects.exists()


def test_a_deletion_is_held_and_nothing_has_left(owner: Client, playlist: str) -> None:
    deletion = held(owner, playlist)
    assert deletion.state == State.HELD
    assert not Entry.objects.exists()
    assert owner.get(f"/dashboard/playlists/{playlist}/").status_code == 200


def test_taken_back_it_never_leaves(owner: Client, playlist: str) -> None:
    deletion = held(owner, playlist)
    owner.post(f"/dashboard/playlists/deletions/{deletion.pk}/undo/")
    owner.post(f"/dashboard/playlists/deletions/{deletion.pk}/send/")
    deletion.refresh_from_db()
    assert deletion.state == State.UNDONE
    assert owner.get(f"/dashboard/playlists/{playlist}/").status_code == 200


def test_sent_it_is_gone_once_with_its_copy_kept(owner: Client, playlist: str) -> None:
    deletion = held(owner, playlist)
    for _press in range(2):
        owner.post(f"/dashboard/playlists/deletions/{deletion.pk}/send/")
    deletion.refresh_from_db()
    assert deletion.state == State.DONE
    assert Entry.objects.filter(operation="playlists.delete").count() == 1
    assert owner.get(f"/dashboard/playlists/{playlist}/").status_code == 404
    copy = unescape(owner.get(f"/dashboard/playlists/deletions/{deletion.pk}/").content.decode())
    assert deletion.contents
    assert all(video["title"] in copy for video in deletion.contents)


@pytest.mark.parametrize(
    ("whose", "sentence"),
    [("missing", "does not have this playlist any more"), ("other_account", "belongs to another account")],
)
def test_a_missing_one_and_another_s_are_said_rightly(
    owner: Client, playlist: str, cast: dict[str, Any], whose: str, sentence: str
) -> None:
    deletion = held(owner, playlist)
    deletion.playlist_id = cast["playlists"].get(whose, "3f2b6c1e-0000-4000-8000-000000000000")
    deletion.save()
    text = owner.post(f"/dashboard/playlists/deletions/{deletion.pk}/send/", follow=True).content.decode()
    assert sentence in text
    assert "Nothing was deleted." in text


def test_an_answer_that_never_came_is_settled_by_looking(owner: Client, playlist: str, faults: ModuleType) -> None:
    deletion = held(owner, playlist)
    faults.set("playlists.delete", broken="lost")
    text = owner.post(f"/dashboard/playlists/deletions/{deletion.pk}/send/", follow=True).content.decode()
    assert "It is not known whether it was deleted." in text
    faults.clear()
    text = owner.post(f"/dashboard/playlists/deletions/{deletion.pk}/send/", follow=True).content.decode()
    assert "is deleted. Its videos are still there." in text
    assert Entry.objects.filter(operation="playlists.delete").count() == 1
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED


def test_another_account_sees_neither_playlist_nor_deletion(
    client: Client, cast: dict[str, Any], playlist: str
) -> None:
    deletion = held(signed_in(Client(), cast["tokens"]["owner"]), playlist)
    signed_in(client, cast["tokens"]["trial"])
    assert client.get(f"/dashboard/playlists/{playlist}/").status_code == 404
    for part in ("", "send/", "undo/"):
        address = f"/dashboard/playlists/deletions/{deletion.pk}/{part}"
        assert (client.post(address) if part else client.get(address)).status_code == 404

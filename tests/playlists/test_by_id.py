"""Deleting a playlist on a platform that does not show its playlists: by its id, with what is not known said (4.14)."""

from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.models import Playlist
from dashboard.writes.models import State, Write
from tests.answering import change_answers
from tests.due import run_due
from tests.pages import read_page
from tests.upstream.absent import take_reads

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

HERE = "/dashboard/playlists/"


def held(client: Client, playlist: str, typed: str) -> Write:
    answer = client.post(f"{HERE}{playlist}/delete/", {"name": typed})
    assert answer.status_code == 302, unescape(answer.content.decode())
    return Write.objects.get(state=State.HELD)


def press(client: Client, write: Write, button: str) -> str:
    write.refresh_from_db()
    answer = client.post(f"{HERE}deletions/{write.pk}/{button}/", {"attempt": write.attempt}, follow=True)
    write.refresh_from_db()
    return unescape(answer.content.decode())


@pytest.mark.parametrize("status", [404, 403, 405])
def test_a_playlist_that_cannot_be_read_is_deleted_by_its_id(
    owner: Client, playlist: str, faults: ModuleType, status: int
) -> None:
    take_reads(faults, "playlists", status)
    assert owner.get(HERE, {"id": playlist})["Location"] == f"{HERE}{playlist}/"
    opened = read_page(owner, f"{HERE}{playlist}/")
    assert "its name and its videos are not known" in opened
    assert "0 videos" not in opened and "No videos" not in opened
    form = read_page(owner, f"{HERE}{playlist}/delete/")
    assert "Type the id of the playlist" in form
    assert "0 videos" not in form and "keeps a copy" not in form
    answer = owner.post(f"{HERE}{playlist}/delete/", {"name": "something"})
    assert answer.status_code == 422 and f"“{playlist}”" in unescape(answer.content.decode())
    assert "DELETE http" in unescape(owner.post(f"{HERE}{playlist}/delete/", {"_dry_run": "1"}).content.decode())
    write = held(owner, playlist, playlist.upper())
    waiting = read_page(owner, f"{HERE}deletions/{write.pk}/")
    assert "Kept copy" not in waiting and "There is no copy of its contents" in waiting
    run_due(10.1)
    write.refresh_from_db()
    assert write.state == State.DONE
    assert not Playlist.objects.filter(pk=playlist).exists()
    ended = read_page(owner, f"{HERE}deletions/{write.pk}/")
    assert "was deleted" in ended and "this copy of its contents is kept" not in ended
    assert "was deleted from here" in read_page(owner, f"{HERE}{playlist}/"), "that is known of it"


def test_a_playlist_that_only_the_list_shows_is_as_the_list_says(
    owner: Client, playlist: str, faults: ModuleType
) -> None:
    take_reads(faults, "playlists", reads=("get",))
    name = Playlist.objects.get(pk=playlist).name
    assert name in read_page(owner, f"{HERE}{playlist}/")
    write = held(owner, playlist, name)
    assert write.before and len(write.before["videos"]) > 1
    faults.set("playlists.delete", broken="lost")
    press(owner, write, "send")
    faults.clear("playlists.delete")
    run_due(3)
    write.refresh_from_db()
    assert write.state == State.DONE, "the list does not show it any more"


@pytest.mark.parametrize("broken", ["lost", "dropped"])
def test_a_read_that_is_not_there_settles_no_deletion(
    owner: Client, playlist: str, faults: ModuleType, broken: str
) -> None:
    take_reads(faults, "playlists")
    write = held(owner, playlist, playlist)
    faults.set("playlists.delete", broken=broken)
    press(owner, write, "send")
    faults.clear("playlists.delete")
    run_due(61)
    write.refresh_from_db()
    assert write.state == State.UNCONFIRMED
    press(owner, write, "again")
    assert write.state == State.DONE
    assert not Playlist.objects.filter(pk=playlist).exists()


def test_a_list_without_videos_claims_no_number_of_them(
    owner: Client, playlist: str, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bare(answer: Any) -> Any:
        return {"playlists": [{"id": one["id"], "name": one["name"]} for one in answer["playlists"]]}

    change_answers(monkeypatch, bare, "playlists.list")
    take_reads(faults, "playlists", reads=("get",))
    for address in (HERE, f"{HERE}{playlist}/", f"{HERE}{playlist}/delete/"):
        assert "0 videos" not in read_page(owner, address)
    write = held(owner, playlist, Playlist.objects.get(pk=playlist).name)
    assert "There is no copy of its contents" in read_page(owner, f"{HERE}deletions/{write.pk}/")


def test_another_account_s_playlist_is_told_by_the_platform_alone(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    take_reads(faults, "playlists")
    other = cast["playlists"]["other_account"]
    write = held(owner, other, other)
    text = press(owner, write, "send")
    assert "belongs to another account" in text
    assert Playlist.objects.filter(pk=other).exists()

"""What is kept of a deleted playlist, in whatever shape the platform told its videos: their ids and titles, or no copy."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.models import Playlist
from dashboard.writes.models import State, Write
from tests.answering import change_answers

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

HERE = "/dashboard/playlists/"
LINK = "99999999-9999-4999-8999-9999999999"
SHAPES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "ids": lambda one: {"videos": [video["id"] for video in one["videos"]]},
    "links around videos": lambda one: {
        "videos": [{"id": f"{LINK}{at:02}", "video": video} for at, video in enumerate(one["videos"])]
    },
    "links to ids": lambda one: {
        "playlist_videos": [{"id": f"{LINK}{at:02}", "video_id": video["id"]} for at, video in enumerate(one["videos"])]
    },
    "by id": lambda one: {"videos": {video["id"]: {"title": video["title"]} for video in one["videos"]}},
}
LOST: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "links without videos": lambda one: {"playlist_videos": [{"id": f"{LINK}00", "order": 1}]},
    "titles": lambda one: {"videos": [video["title"] for video in one["videos"]]},
}


def tell(monkeypatch: pytest.MonkeyPatch, shape: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """The platform tells the videos of a playlist in this shape."""

    def told(answer: dict[str, Any]) -> dict[str, Any]:
        return {"id": answer["id"], "name": answer["name"], **shape(answer)}

    change_answers(monkeypatch, told, "playlists.get")


def deleted(client: Client, playlist: str) -> tuple[Any, str]:
    """What is kept of the playlist, and the page of its deletion, which is held."""
    name = Playlist.objects.get(pk=playlist).name
    assert client.post(f"{HERE}{playlist}/delete/", {"name": name}).status_code == 302
    write = Write.objects.get(state=State.HELD)
    return write.before, unescape(client.get(f"{HERE}deletions/{write.pk}/").content.decode())


def contents_of(playlist: str) -> list[dict[str, str]]:
    links = Playlist.objects.get(pk=playlist).links.select_related("video")
    return [{"id": str(link.video_id), "title": link.video.title} for link in links]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_copy_has_the_ids_and_titles_of_the_videos(
    shape: str, owner: Client, playlist: str, monkeypatch: pytest.MonkeyPatch, calls: Callable[[str], int]
) -> None:
    tell(monkeypatch, SHAPES[shape])
    page = unescape(owner.get(f"{HERE}{playlist}/").content.decode())
    assert all(video["title"] in page for video in contents_of(playlist))
    before, kept = deleted(owner, playlist)
    assert before["videos"] == contents_of(playlist)
    assert "Kept copy" in kept and LINK not in kept
    assert calls("videos.get") == 0, "titles come from what is known, and from one list"
    assert calls("videos.list") <= 1


def test_ids_without_known_titles_are_kept_and_not_called_a_copy(
    owner: Client, playlist: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(monkeypatch, SHAPES["ids"])
    change_answers(monkeypatch, lambda answer: {"videos": [], "total": 0, "pages": 1}, "videos.list")
    form = unescape(owner.get(f"{HERE}{playlist}/delete/").content.decode())
    assert "not a full copy" in form and "keeps a copy" not in form
    before, kept = deleted(owner, playlist)
    assert [video["id"] for video in before["videos"]] == [video["id"] for video in contents_of(playlist)]
    assert "Kept copy" not in kept and "This is not a full copy" in kept
    Write.objects.update(state=State.DONE)
    ended = unescape(owner.get(f"{HERE}deletions/{Write.objects.get().pk}/").content.decode())
    assert "this copy of its contents is kept" not in ended


@pytest.mark.parametrize("shape", LOST)
def test_what_cannot_be_read_is_shown_and_kept_as_it_came(
    shape: str, owner: Client, playlist: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(monkeypatch, LOST[shape])
    page = unescape(owner.get(f"{HERE}{playlist}/").content.decode())
    assert "The platform’s answer about its videos cannot be read" in page
    assert "The answer as it came" in page
    before, kept = deleted(owner, playlist)
    told = LOST[shape]({"videos": contents_of(playlist)})
    assert before["answer"] == next(iter(told.values()))
    assert "Kept copy" not in kept and "There is no copy of its contents" in kept and "The answer as it came" in kept

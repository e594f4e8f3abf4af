"""Folders, videos, playlists and assistants: what is listed, filtered, owned and deleted."""

from datetime import timedelta

import pytest

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.models import Assistant, Folder, Playlist, PlaylistVideo, Video
from tests.sandbox.world import NOBODY, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def folder(world: World, name: str, parent: Folder | None = None, active: bool = True) -> Folder:
    user = world.users["owner"]
    return Folder.objects.create(organization=world.owner, user=user, name=name, parent=parent, active=active)


def names(folders: list[dict[str, object]]) -> list[object]:
    return [one["name"] for one in folders]


def test_folders_come_as_an_object_or_as_an_array_of_children(world: World, api: Api) -> None:
    root = folder(world, "Root")
    child = folder(world, "Child", root)
    folder(world, "Grandchild", child)
    folder(world, "Gone", root, active=False)
    assert names(api("GET", "/api/folders")[1]["folders"]) == ["Child", "Grandchild", "Root"]
    assert names(api("GET", f"/api/folders?parent_folder_id={root.id}")[1]) == ["Child"]
    assert names(api("GET", f"/api/folders?parent_folder_id={root.id}&status=false")[1]) == ["Gone"]
    assert names(api("GET", "/api/folders?status=true")[1]["folders"]) == ["Child", "Grandchild", "Root"]
    assert api("GET", f"/api/folders?parent_folder_id={NOBODY}") == (200, [])
    assert api("GET", "/api/folders", token="other") == (200, {"folders": []})


def test_a_folder_has_its_fields_and_counts_its_own_videos_as_text(world: World, api: Api) -> None:
    root = folder(world, "Root")
    child = folder(world, "Child", root)
    world.new_video(folder=root)
    world.new_video(folder=root)
    world.new_video(folder=child)
    shown = {one["name"]: one for one in api("GET", "/api/folders")[1]["folders"]}
    assert shown["Root"]["videos_count"] == "2" and shown["Child"]["videos_count"] == "1"
    assert shown["Child"]["parent_folder_id"] == str(root.id) and shown["Root"]["parent_folder_id"] is None
    assert shown["Root"]["status"] is True
    assert shown["Root"]["user_id"] == str(world.users["owner"].id)


@pytest.mark.parametrize("query", ["status=maybe", "parent_folder_id=42"])
def test_a_wrong_filter_is_refused(world: World, api: Api, query: str) -> None:
    assert api("GET", f"/api/folders?{query}")[0] == 400
    assert api("GET", f"/api/folders?{query}", token="nobody") == UNAUTHORIZED


def test_videos_are_paged_newest_first(world: World, api: Api) -> None:
    for number in range(4):
        world.new_video(title=f"More {number}")
    first = api("GET", "/api/videos?limit=2")[1]
    third = api("GET", "/api/videos?limit=2&page=3")[1]
    assert (first["pages"], first["total"], len(first["videos"]), len(third["videos"])) == (3, 5, 2, 1)
    assert api("GET", "/api/videos?page=9")[1]["videos"] == []
    for wrong in ("page=0", "limit=0", "limit=5001", "page=x", "page=-1", "limit=1.5"):
        assert api("GET", f"/api/videos?{wrong}")[0] == 400


def test_videos_are_found_by_title_status_and_folder(world: World, api: Api) -> None:
    home = folder(world, "Home")
    world.new_video(title="Bom dia 100%", folder=home)
    world.new_video(title="Draft", status="DRAFT")

    def titles(query: str) -> list[str]:
        return sorted(one["title"] for one in api("GET", f"/api/videos?{query}")[1]["videos"])

    assert titles("title=DIA") == ["Bom dia 100%"]
    assert titles("title=%25") == ["Bom dia 100%"]
    assert titles("status=DRAFT") == ["Draft"]
    assert titles(f"folder_id={home.id}") == ["Bom dia 100%"]
    assert titles("root_folder=1") == ["Draft", "Interview"]
    assert api("GET", "/api/videos?folder_id=42")[0] == 400


def test_a_video_is_found_by_either_of_its_ids(world: World, api: Api) -> None:
    shown = api("GET", f"/api/videos/{world.video.id}")[1]
    assert (shown["video_external_id"], shown["length"]) == (str(world.video.external_id), 90)
    assert api("GET", f"/api/videos/{world.video.external_id}")[0] == 404
    assert api("GET", f"/api/videos/{world.video.external_id}?external_id")[1] == shown
    assert api("GET", f"/api/videos/{world.video.id}?external_id")[0] == 404
    for wrong in (NOBODY, "42", str(world.other_video.id)):
        assert api("GET", f"/api/videos/{wrong}") == refused(f"Video with id {wrong} not found", "NotFound", 404)
    assert api("GET", f"/api/subtitles/{world.video.id}/xx")[0] == 404


def test_a_playlist_is_deleted_with_its_links_and_without_its_videos(world: World, api: Api) -> None:
    mine = Playlist.objects.create(user=world.users["owner"], name="Mine")
    PlaylistVideo.objects.create(playlist=mine, video=world.video)
    assert names(api("GET", "/api/playlists")[1]["playlists"]) == ["Mine"]
    assert api("GET", f"/api/playlists/{mine.id}")[1]["videos"][0]["title"] == "Interview"
    status, body = api("DELETE", f"/api/playlists/{mine.id}")
    assert (status, set(body)) == (200, {"message"})
    assert not PlaylistVideo.objects.exists()
    assert Video.objects.filter(pk=world.video.pk).exists()
    assert api("DELETE", f"/api/playlists/{mine.id}") == refused(Message.PLAYLIST_NOT_FOUND)


def test_deleting_has_the_specifications_odd_statuses(world: World, api: Api) -> None:
    foreign = Playlist.objects.create(user=world.users["other"], name="Theirs")
    assert api("DELETE", f"/api/playlists/{foreign.id}") == (500, {"message": Message.PLAYLIST_NOT_OWNED})
    for wrong in (NOBODY, "42"):
        assert api("DELETE", f"/api/playlists/{wrong}") == refused(Message.PLAYLIST_NOT_FOUND)
    assert api("DELETE", f"/api/playlists/{foreign.id}", token=None) == UNAUTHORIZED
    assert api("GET", f"/api/playlists/{foreign.id}")[0] == 404
    assert Playlist.objects.filter(pk=foreign.pk).exists()


def test_the_chat_of_an_assistant_is_shown_and_hidden_per_video(world: World, api: Api) -> None:
    helper = Assistant.objects.create(organization=world.owner, name="Tutor")
    path = "/api/assist-ai/update_chat_visibility"
    body = {"assistant_id": str(helper.id), "video_id": str(world.video.id), "chat_is_visible": True}
    for visible in (True, False):
        assert api("POST", path, {**body, "chat_is_visible": visible})[0] == 200
        (shown,) = api("GET", "/api/assist-ai")[1]["assistants"]
        (chat,) = shown["videos"]
        assert (chat["video_id"], chat["chat_is_visible"]) == (str(world.video.id), visible)
        assert api("GET", f"/api/assist-ai/assistant_by_id/{helper.id}") == (200, shown)
    assert (shown["status"], chat["process_status"]) == ("queued", "queued"), "it is new"
    helper.created_at -= timedelta(days=1000)
    helper.save()
    assert api("GET", f"/api/assist-ai/assistant_by_id/{helper.id}")[1]["status"] == "ready"
    assert api("GET", f"/api/assist-ai/assistant_by_id/{helper.id}", token="other")[0] == 404
    for name in body:
        assert api("POST", path, {key: value for key, value in body.items() if key != name}) == refused(
            f"{name} is required"
        )
    assert api("POST", path, {**body, "chat_is_visible": "yes"})[0] == 400
    assert api("POST", path, {**body, "assistant_id": NOBODY})[0] == 404
    assert api("POST", path, {**body, "video_id": str(world.other_video.id)})[0] == 404
    assert api("POST", path, body, token="other")[0] == 404
    assert api("POST", path, body, token="nobody") == UNAUTHORIZED

"""Funnels: exactly one first video, the order of the refusals, and what else an addition changes."""

from typing import Any

import pytest

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.models import Folder, Funnel, FunnelVideo, Video
from tests.sandbox.world import NOBODY, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PATH = "/api/funnels/add_videos"


@pytest.fixture
def funnel(world: World) -> Funnel:
    """A funnel in a folder, with one video placed as the first."""
    user = world.users["owner"]
    folder = Folder.objects.create(organization=world.owner, user=user, name="Launch")
    made = Funnel.objects.create(organization=world.owner, name="Launch", folder=folder)
    FunnelVideo.objects.create(funnel=made, video=world.video, x=0, y=0, is_first=True)
    return made


def place(video: Video | str, first: Any = False, **changes: Any) -> dict[str, Any]:
    video_id = video if isinstance(video, str) else str(video.id)
    whole = {"id": video_id, "front_coordinates": {"x": 10, "y": 20.5}, "is_first": first, **changes}
    return {key: value for key, value in whole.items() if value is not ...}


def add(api: Api, funnel: Funnel, *places: Any, token: str | None = "owner") -> Any:
    return api("POST", PATH, {"id": str(funnel.id), "videos": list(places)}, token=token)


def test_added_videos_move_into_the_funnels_folder_and_take_the_first_place(
    world: World, api: Api, funnel: Funnel
) -> None:
    one, two = world.new_video(title="One"), world.new_video(title="Two")
    status, body = add(api, funnel, place(one, True), place(two))
    assert (status, set(body)) == (200, {"message"})
    shown = api("GET", f"/api/funnels/{funnel.id}")[1]
    assert [(each["title"], each["is_first"]) for each in shown["videos"]] == [
        ("One", True),
        ("Interview", False),
        ("Two", False),
    ]
    assert shown["videos"][0]["front_coordinates"] == {"x": 10, "y": 20.5}
    for video in (one, two):
        assert api("GET", f"/api/videos/{video.id}")[1]["folder_id"] == shown["folder_id"] == str(funnel.folder_id)


def test_a_video_that_is_there_already_moves(world: World, api: Api, funnel: Funnel) -> None:
    assert add(api, funnel, place(world.video, True, front_coordinates={"x": -3, "y": 4}))[0] == 200
    (shown,) = api("GET", "/api/funnels")[1]["funnels"][0]["videos"]
    assert (shown["front_coordinates"], shown["is_first"]) == ({"x": -3, "y": 4}, True)


def test_exactly_one_is_the_first(world: World, api: Api, funnel: Funnel) -> None:
    one, two = world.new_video(), world.new_video()
    assert add(api, funnel)[0] == 400
    assert add(api, funnel, place(one), place(two)) == refused(Message.FUNNEL_NEEDS_FIRST)
    assert add(api, funnel, place(one, ...)) == refused(Message.FUNNEL_NEEDS_FIRST)
    assert add(api, funnel, place(one, True), place(two, True)) == refused(Message.FUNNEL_ONE_FIRST)
    assert FunnelVideo.objects.get().is_first, "a refusal changes nothing"


def test_every_video_is_one_of_the_organization(world: World, api: Api, funnel: Funnel) -> None:
    for unknown in (NOBODY, str(world.other_video.id)):
        expected = refused(Message.FUNNEL_VIDEO_UNKNOWN)
        assert add(api, funnel, place(world.video, True), place(unknown)) == expected
    assert FunnelVideo.objects.count() == 1


def test_the_order_is_401_404_403_400(world: World, api: Api, funnel: Funnel) -> None:
    assert add(api, funnel, token=None) == UNAUTHORIZED
    assert api("POST", PATH, {"id": NOBODY, "videos": []}) == refused("Funnel not found", "NotFound", 404)
    assert add(api, funnel, token="other")[0] == 403
    assert add(api, funnel, place(NOBODY)) == refused(Message.FUNNEL_NEEDS_FIRST)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "42"},
        {"id": ...},
        {"front_coordinates": ...},
        {"front_coordinates": {"x": 1}},
        {"front_coordinates": {"x": "1", "y": 2}},
        {"front_coordinates": [1, 2]},
        {"is_first": "yes"},
    ],
)
def test_a_wrong_place_is_refused(world: World, api: Api, funnel: Funnel, change: dict[str, Any]) -> None:
    assert add(api, funnel, place(world.video, **{"first": True, **change}))[0] == 400


@pytest.mark.parametrize("body", [{}, {"id": 5}, {"videos": []}, [], b"{"])
def test_a_wrong_body_is_refused(world: World, api: Api, funnel: Funnel, body: Any) -> None:
    assert api("POST", PATH, body)[0] == 400


def test_a_funnel_belongs_to_its_account(world: World, api: Api, funnel: Funnel) -> None:
    assert api("GET", f"/api/funnels/{funnel.id}", token="other")[0] == 404
    assert api("GET", "/api/funnels", token="other") == (200, {"funnels": []})
    assert api("GET", "/api/funnels/42")[0] == 404

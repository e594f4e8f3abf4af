"""Review links: the name's pattern and length, the thirty days, the flags."""

from datetime import timedelta
from typing import Any

import pytest

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.models import ReviewLink
from tests.sandbox.world import NOBODY, NOW, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def at(**ahead: float) -> int:
    return round((NOW + timedelta(**ahead)).timestamp() * 1000)


def body(**changes: Any) -> dict[str, Any]:
    whole = {"link_name": "Cut 1", "expires_at": at(days=7), **changes}
    return {key: value for key, value in whole.items() if value is not ...}


def create(api: Api, world: World, **changes: Any) -> Any:
    return api("POST", f"/api/video-review/{world.video.id}?action=link", body(**changes))


def test_a_link_is_answered_as_the_specification_shows_it(world: World, api: Api) -> None:
    status, link = create(api, world)
    assert status == 200
    assert link == {
        "id": link["id"],
        "video_id": str(world.video.id),
        "name": "Cut 1",
        "status": "active",
        "expires_at": "2026-11-27T12:00:00.000Z",
        "allow_comment": True,
        "allow_status_edit": True,
        "show_resolved": True,
        "created_at": "2026-11-20T12:00:00.000Z",
        "updated_at": "2026-11-20T12:00:00.000Z",
    }


@pytest.mark.parametrize("flag", ["allow_comment", "allow_status_edit", "show_resolved"])
def test_each_flag_can_be_off(world: World, api: Api, flag: str) -> None:
    assert create(api, world, **{flag: False})[1][flag] is False
    assert create(api, world, **{flag: "no"})[0] == 400
    assert create(api, world, **{flag: None})[0] == 400


def test_thirty_days_are_the_limit(world: World, api: Api) -> None:
    assert create(api, world, expires_at=at(days=30) - 1)[0] == 200
    assert create(api, world, expires_at=at(days=30))[0] == 200
    assert create(api, world, expires_at=at(days=30) + 1) == refused(Message.EXPIRY_TOO_FAR)


@pytest.mark.parametrize("wrong", [1e300, 10**400, "tomorrow", True, None, ...])
def test_an_expiry_that_is_no_time_is_refused(world: World, api: Api, wrong: Any) -> None:
    assert create(api, world, expires_at=wrong)[0] == 400


def test_an_expiry_in_the_past_is_refused(world: World, api: Api) -> None:
    assert create(api, world, expires_at=at()) == refused("expires_at must be in the future")
    assert create(api, world, expires_at=-5)[0] == 400
    assert create(api, world, expires_at=at() + 1)[0] == 200


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 200), (255, 200), (256, 400)])
def test_the_name_has_1_to_255_characters(world: World, api: Api, length: int, status: int) -> None:
    assert create(api, world, link_name="a" * length)[0] == status


@pytest.mark.parametrize(
    ("name", "status"),
    [("Corte 2 - final_v1.3", 200), ("Revisão da ação", 200), ("v1/2", 400), ("a@b", 400), ("a\nb", 400), ("é’s", 400)],
)
def test_the_name_has_letters_digits_and_four_signs(world: World, api: Api, name: str, status: int) -> None:
    assert create(api, world, link_name=name)[0] == status


@pytest.mark.parametrize("name", ["link_name", "expires_at"])
def test_two_fields_are_required(world: World, api: Api, name: str) -> None:
    assert create(api, world, **{name: ...}) == refused(f"{name} is required")


@pytest.mark.parametrize("query", ["", "?action=", "?action=links", "?link"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_the_action_there_is_no_route(world: World, api: Api, method: str, query: str) -> None:
    path = f"/api/video-review/{world.video.id}{query}"
    assert api(method, path, body()) == refused(Message.ROUTE_NOT_FOUND, "NotFound", 404)
    assert api(method, path, body(), token=None) == UNAUTHORIZED


def test_the_video_comes_before_the_body(world: World, api: Api) -> None:
    for wrong in (NOBODY, "42", world.other_video.id):
        expected = refused(f"Video with id {wrong} not found", "NotFound", 404)
        assert api("POST", f"/api/video-review/{wrong}?action=link", {}) == expected
    assert not ReviewLink.objects.exists()


def test_the_list_adds_the_address(world: World, api: Api) -> None:
    made = create(api, world)[1]
    status, (listed,) = api("GET", f"/api/video-review/{world.video.id}?action=link")
    assert status == 200
    assert listed == {**made, "url": f"/{made['id']}"}
    assert api("GET", f"/api/video-review/{world.video.id}?action=link", token="other")[0] == 404

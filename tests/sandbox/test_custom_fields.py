"""Custom fields: the flag without a value, lengths, unique keys."""

from typing import Any

import pytest

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.models import CustomField
from tests.sandbox.world import NOBODY, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def color(world: World) -> CustomField:
    """color: red."""
    return CustomField.objects.create(video=world.video, key="color", value="red")


def put(api: Api, field: CustomField, body: Any, token: str | None = "owner", flag: str = "custom_fields") -> Any:
    return api("PUT", f"/api/videos/{field.video_id}?{flag}&id={field.id}", body, token=token)


def test_an_update_answers_the_field(world: World, api: Api, color: CustomField) -> None:
    status, shown = put(api, color, {"value": "green"})
    assert status == 200
    assert set(shown) == {"id", "video_id", "key", "value", "created_at", "updated_at"}
    assert (shown["id"], shown["key"], shown["value"]) == (str(color.id), "color", "green")
    assert shown["updated_at"] == "2026-11-20T12:00:00.000Z"


def test_the_key_can_change_with_the_value(world: World, api: Api, color: CustomField) -> None:
    assert put(api, color, {"key": "colour2", "value": "red"})[1]["key"] == "colour2"
    assert put(api, color, {"key": "colour2", "value": "red"})[0] == 200, "its own key is no duplicate"


@pytest.mark.parametrize("flag", ["custom_fields", "custom_fields=", "custom_fields=true"])
def test_the_flag_may_come_with_or_without_a_value(world: World, api: Api, color: CustomField, flag: str) -> None:
    assert put(api, color, {"value": "x"}, flag=flag)[0] == 200


def test_without_the_flag_there_is_no_route(world: World, api: Api, color: CustomField) -> None:
    expected = refused(Message.ROUTE_NOT_FOUND, "NotFound", 404)
    assert put(api, color, {"value": "x"}, flag="customfields") == expected


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 200), (500, 200), (501, 400)])
def test_the_value_has_1_to_500_characters(
    world: World, api: Api, color: CustomField, length: int, status: int
) -> None:
    assert put(api, color, {"value": "ã" * length})[0] == status


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 200), (200, 200), (201, 400)])
def test_the_key_has_1_to_200_characters(world: World, api: Api, color: CustomField, length: int, status: int) -> None:
    assert put(api, color, {"key": "k" * length, "value": "x"})[0] == status


@pytest.mark.parametrize("key", ["my key", "my-key", "my_key", "a.b", 5, None])
def test_the_key_is_alphanumeric(world: World, api: Api, color: CustomField, key: Any) -> None:
    assert put(api, color, {"key": key, "value": "x"})[0] == 400


@pytest.mark.parametrize("body", [{}, {"key": "size"}, {"value": None}, {"value": 5}, [], b"{"])
def test_the_value_is_needed_every_time(world: World, api: Api, color: CustomField, body: Any) -> None:
    assert put(api, color, body)[0] == 400


def test_a_key_is_unique_per_video(world: World, api: Api, color: CustomField) -> None:
    CustomField.objects.create(video=world.video, key="size", value="L")
    CustomField.objects.create(video=world.new_video(), key="mood", value="calm")
    assert put(api, color, {"key": "size", "value": "x"}) == refused("key already exists for this video")
    assert put(api, color, {"key": "mood", "value": "x"})[0] == 200


def test_video_field_and_account_must_fit(world: World, api: Api, color: CustomField) -> None:
    gone = refused("Custom field not found", "NotFound", 404)
    base = f"/api/videos/{world.video.id}?custom_fields"
    assert api("PUT", f"/api/videos/{NOBODY}?custom_fields&id={color.id}", {})[0] == 404
    assert api("PUT", f"{base}&id={NOBODY}", {}) == gone
    assert api("PUT", f"{base}&id=42", {}) == gone
    assert api("PUT", base, {"value": "x"}) == refused("id is required")
    elsewhere = CustomField.objects.create(video=world.new_video(), key="color", value="x")
    assert api("PUT", f"{base}&id={elsewhere.id}", {"value": "x"}) == gone
    assert put(api, color, {"value": "x"}, token="other")[0] == 404
    assert put(api, color, {"value": "x"}, token="") == UNAUTHORIZED


def test_the_list_is_a_bare_array(world: World, api: Api, color: CustomField) -> None:
    status, fields = api("GET", f"/api/videos/{world.video.id}?custom_fields")
    assert (status, [one["key"] for one in fields]) == (200, ["color"])


def test_a_new_one_is_a_201_up_to_fifty_per_video(world: World, api: Api, color: CustomField) -> None:
    path = f"/api/videos/{world.video.id}?custom_fields"
    for number in range(48):
        CustomField.objects.create(video=world.video, key=f"k{number}", value="x")
    assert api("POST", path, {"key": "color", "value": "x"})[0] == 400
    assert api("POST", path, {"key": "last", "value": "x"})[0] == 201
    assert api("POST", path, {"key": "more", "value": "x"}) == refused("A video can have at most 50 custom fields")

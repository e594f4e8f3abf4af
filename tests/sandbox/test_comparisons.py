"""A/B tests: routing by type, DRAFT to IN_PROGRESS to COMPLETED, what may change when."""

from typing import Any

import pytest

from dashboard.platform_api.vocabulary import COMPARISON_ID_PREFIX, Message
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Comparison
from tests.sandbox.world import NOBODY, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NOT_FOUND = refused("Comparison not found", "NotFound", 404)


@pytest.fixture
def made(world: World, api: Api) -> dict[str, Any]:
    """A DRAFT of two videos."""
    ids = [str(world.video.id), str(world.new_video(title="Shorter").id)]
    status, answer = api("POST", "/api/comparison", {"name": "Openings", "description": "Which?", "video_ids": ids})
    assert status == 200
    return dict(answer)


def put(api: Api, made: dict[str, Any], action: str, body: Any = None, token: str | None = "owner") -> Any:
    return api("PUT", f"/api/comparison/{made['id']}{action}", body, token=token)


def variants(shown: dict[str, Any]) -> list[str]:
    return [one["video_id"] for one in shown["videos"]]


def test_a_new_test_is_a_draft_with_the_prefix_and_the_zone(world: World, made: dict[str, Any]) -> None:
    assert made["id"].startswith(COMPARISON_ID_PREFIX) and len(made["id"]) == 36
    assert (made["status"], made["name"], made["description"]) == ("DRAFT", "Openings", "Which?")
    assert made["pullzone"] == world.owner.pullzone
    assert [one["title"] for one in made["videos"]] == ["Interview", "Shorter"]


def test_every_answer_that_returns_a_test_has_the_zone(world: World, api: Api, made: dict[str, Any]) -> None:
    zone = world.owner.pullzone
    assert api("GET", f"/api/comparison/{made['id']}")[1]["pullzone"] == zone
    assert put(api, made, "?type=update", {"name": "New"})[1]["pullzone"] == zone
    assert put(api, made, "?type=start")[1]["pullzone"] == zone
    assert put(api, made, "?type=finish", {"winner": variants(made)[0]})[1]["pullzone"] == zone
    listed = api("GET", "/api/comparison")[1]
    assert set(listed) == {"comparisons", "pullzone"} and listed["pullzone"] == zone


@pytest.mark.parametrize("action", ["", "?type=", "?type=stop", "?Type=start", "?action=start"])
def test_without_a_type_nothing_happens(world: World, api: Api, made: dict[str, Any], action: str) -> None:
    assert put(api, made, action, {"name": "x"}) == refused(Message.TYPE_NOT_SPECIFIED)
    assert put(api, {"id": NOBODY}, action) == refused(Message.TYPE_NOT_SPECIFIED)
    assert put(api, made, action, token=None) == UNAUTHORIZED


def test_start_splits_traffic_among_two_or_more(world: World, api: Api, clock: Frozen) -> None:
    one = api("POST", "/api/comparison", {"name": "One", "video_ids": [str(world.video.id)]})[1]
    assert put(api, one, "?type=start")[0] == 400
    assert put(api, one, "?type=update", {"video_ids": [*variants(one), str(world.new_video().id)]})[0] == 200
    clock.travel(5)
    started = put(api, one, "?type=start")[1]
    assert (started["status"], started["started_at"]) == ("IN_PROGRESS", "2026-11-20T12:00:05.000Z")
    assert put(api, one, "?type=start")[0] == 400


def test_in_progress_the_videos_are_silently_kept(world: World, api: Api, made: dict[str, Any]) -> None:
    put(api, made, "?type=start")
    other = str(world.new_video().id)
    changed = put(api, made, "?type=update", {"name": "N", "description": "D", "video_ids": [other]})
    assert changed[0] == 200
    assert (changed[1]["name"], changed[1]["description"]) == ("N", "D")
    assert variants(changed[1]) == variants(made)
    assert put(api, made, "?type=update", {"video_ids": [NOBODY]})[0] == 200, "ignored, not even looked up"


def test_in_draft_the_videos_are_replaced_in_order(world: World, api: Api, made: dict[str, Any]) -> None:
    other = str(world.new_video().id)
    assert variants(put(api, made, "?type=update", {"video_ids": [other, variants(made)[0]]})[1]) == [
        other,
        variants(made)[0],
    ]
    assert put(api, made, "?type=update", {"video_ids": [NOBODY]})[0] == 404
    assert put(api, made, "?type=update", {"video_ids": "all"})[0] == 400


@pytest.mark.parametrize("name", ["winner", "winner_id", "winner_video_id", "video_id"])
def test_a_declared_winner_ends_it_for_good(world: World, api: Api, made: dict[str, Any], name: str) -> None:
    put(api, made, "?type=start")
    winner = variants(made)[1]
    ended = put(api, made, "?type=finish", {name: winner})[1]
    assert (ended["status"], ended["winner"], ended["finished_at"]) == ("COMPLETED", winner, "2026-11-20T12:00:00.000Z")
    for action, body in (("start", None), ("finish", {"winner": winner})):
        assert put(api, made, f"?type={action}", body)[0] == 400
    assert put(api, made, "?type=update", {"name": "After", "video_ids": []})[1]["name"] == "After"
    assert variants(api("GET", f"/api/comparison/{made['id']}")[1]) == variants(made)


def test_only_a_running_test_ends_and_only_with_one_of_its_videos(world: World, api: Api, made: dict[str, Any]) -> None:
    assert put(api, made, "?type=finish", {"winner": variants(made)[0]})[0] == 400
    put(api, made, "?type=start")
    assert put(api, made, "?type=finish", {"winner": str(world.new_video().id)})[0] == 400
    assert put(api, made, "?type=finish", {})[0] == 400
    assert put(api, made, "?type=finish")[0] == 400
    assert Comparison.objects.get().status == "IN_PROGRESS"


def test_it_is_deleted_by_the_id_in_the_body_or_the_query(world: World, api: Api, made: dict[str, Any]) -> None:
    assert api("DELETE", "/api/comparison")[0] == 400
    assert api("DELETE", "/api/comparison", {"id": made["id"]}, token="other") == NOT_FOUND
    assert api("DELETE", "/api/comparison", {"id": made["id"]})[0] == 200
    assert api("DELETE", f"/api/comparison?id={made['id']}") == NOT_FOUND
    assert api("GET", f"/api/comparison/{made['id']}") == NOT_FOUND


def test_a_test_belongs_to_its_account(world: World, api: Api, made: dict[str, Any]) -> None:
    assert api("GET", f"/api/comparison/{made['id']}", token="other") == NOT_FOUND
    assert put(api, made, "?type=start", token="other") == NOT_FOUND
    assert api("GET", "/api/comparison", token="other")[1]["comparisons"] == []
    foreign = {"name": "x", "video_ids": [str(world.other_video.id)]}
    assert api("POST", "/api/comparison", foreign)[0] == 404


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "a" * 256}, {"name": "a", "video_ids": ["x"]}, []])
def test_a_wrong_body_is_refused(world: World, api: Api, body: Any) -> None:
    assert api("POST", "/api/comparison", body)[0] == 400

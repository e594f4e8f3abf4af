"""Lives: what a start needs, and that accepted is not yet on air."""

from datetime import timedelta
from typing import Any

import pytest

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Folder, Live
from tests.sandbox.world import NOBODY, NOW, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def live(world: World, role: str = "owner", **values: Any) -> Live:
    values = {"scheduled_at": NOW + timedelta(hours=1), "title": "Class 1", **values}
    organization = world.users[role].organization
    assert organization is not None
    return Live.objects.create(organization=organization, **values)


def start(api: Api, live_id: object, token: str | None = "owner") -> Any:
    return api("POST", f"/api/lives/{live_id}/start", token=token)


def bad(message: str) -> Any:
    return 400, {"errCode": "BadRequest", "errMsg": message}


def test_an_accepted_start_stays_offline_until_the_encoder_publishes(world: World, api: Api, clock: Frozen) -> None:
    made = live(world)
    assert start(api, made.id) == (200, {"status": True})
    shown = api("GET", f"/api/lives/{made.id}")[1]
    assert (shown["status"], shown["scheduled_at"], shown["started_at"]) == ("offline", None, None)
    clock.travel(19.999)
    assert api("GET", "/api/lives")[1]["lives"][0]["status"] == "offline"
    clock.travel(0.001)
    shown = api("GET", f"/api/lives/{made.id}")[1]
    assert (shown["status"], shown["started_at"]) == ("online", "2026-11-20T12:00:20.000Z")


def test_a_live_is_started_once(world: World, api: Api, clock: Frozen) -> None:
    made = live(world)
    start(api, made.id)
    assert start(api, made.id) == bad(Message.LIVE_ALREADY_STARTED)
    clock.travel(60)
    assert start(api, made.id) == bad(Message.LIVE_ALREADY_STARTED)


@pytest.mark.parametrize("values", [{"scheduled_at": None}, {"status": "online"}, {"status": "finished"}])
def test_only_a_scheduled_offline_live_starts(world: World, api: Api, values: dict[str, Any]) -> None:
    assert start(api, live(world, **values).id) == bad(Message.LIVE_ALREADY_STARTED)


def test_a_trial_account_is_refused(world: World, api: Api) -> None:
    assert start(api, live(world, "trial").id, "trial") == bad(Message.LIVE_NOT_FOR_TRIAL)


@pytest.mark.parametrize("live_id", ["42", "not-a-uuid", f"{NOBODY}0"])
def test_an_invalid_id_is_named(world: World, api: Api, live_id: str) -> None:
    assert start(api, live_id) == bad(f"invalid live id: {live_id}")


def test_a_missing_or_foreign_live_is_not_found(world: World, api: Api) -> None:
    for live_id in (NOBODY, live(world, "other").id):
        message = f"Live with id: {live_id} was not found"
        assert start(api, live_id) == (404, {"errCode": "NotFound", "errMsg": message})


def test_the_two_failures_of_the_platform_are_500(world: World, api: Api) -> None:
    for role, values in (("unreadable", {}), ("owner", {"ingest_broken": True})):
        made = live(world, role, **values)
        status, body = start(api, made.id, role)
        assert (status, body["errCode"]) == (500, "InternalServerError")
        assert Live.objects.get(pk=made.pk).scheduled_at is not None, "nothing was cleared"


def test_every_error_of_a_start_has_errcode_and_errmsg(world: World, api: Api) -> None:
    assert start(api, NOBODY, None) == (401, {"errCode": "Unauthorized", "errMsg": "Unauthorized"})


def test_a_body_is_not_looked_at(world: World, api: Api) -> None:
    assert api("POST", f"/api/lives/{live(world).id}/start", b"{")[0] == 200


def test_a_live_is_created_scheduled_and_finished_when_it_was_online(world: World, api: Api, clock: Frozen) -> None:
    made = api("POST", "/api/live", {"title": "Class 2", "scheduled_time": "2026-12-01T20:00:00-03:00"})[1]
    assert (made["status"], made["scheduled_at"]) == ("offline", "2026-12-01T23:00:00.000Z")
    assert api("POST", f"/api/lives/{made['id']}/finish")[0] == 400
    start(api, made["id"])
    clock.travel(30)
    assert api("POST", f"/api/lives/{made['id']}/finish") == (200, {"status": True})
    shown = api("GET", f"/api/lives/{made['id']}")[1]
    assert (shown["status"], shown["finished_at"]) == ("finished", "2026-11-20T12:00:30.000Z")


@pytest.mark.parametrize("at", ["soon", "2026-12-01", "2026-12-01T20:00:00", "2026-13-01T20:00:00Z"])
def test_a_schedule_is_a_time_with_an_offset(world: World, api: Api, at: str) -> None:
    assert api("POST", "/api/live", {"title": "x", "scheduled_at": at})[0] == 400


def test_a_live_is_created_with_its_options_and_says_where_its_encoder_sends_to(world: World, api: Api) -> None:
    folder = Folder.objects.create(organization=world.owner, user=world.users["owner"], name="Lives")
    options = {"active_dvr": True, "bitrate": ["720p"], "latency_type": "low", "folder_id": str(folder.id)}
    made = api("POST", "/api/live", {"title": "x", **options})[1]
    shown = api("GET", f"/api/lives/{made['id']}")[1]
    assert shown == made
    assert {name: made[name] for name in options} == options
    assert made["rtmp"].startswith("rtmp://") and made["stream_key"].startswith("demo-")
    assert made["stream_key"] not in str(api("GET", "/api/lives"))


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"title": ""}, 400),
        ({"title": ...}, 400),
        ({"bitrate": "720p"}, 400),
        ({"bitrate": ["721p"]}, 400),
        ({"latency_type": "none"}, 400),
        ({"active_dvr": "yes"}, 400),
        ({"folder_id": NOBODY}, 404),
    ],
)
def test_what_no_live_can_be_created_with_is_named(world: World, api: Api, change: dict[str, Any], status: int) -> None:
    body = {name: value for name, value in ({"title": "x"} | change).items() if value is not ...}
    answer = api("POST", "/api/live", body)
    assert answer[0] == status
    assert next(iter(change)) in answer[1]["errMsg"]

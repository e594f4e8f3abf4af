"""Being told to go wrong: late, refused, limited, disconnected before or after the call was carried out."""

import time
from types import ModuleType
from typing import Any

import httpx
import pytest

from dashboard.sandbox.clock import Frozen, Wall, set_clock
from dashboard.sandbox.models import Comparison, Fault
from tests.sandbox.world import NOW, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
BODY = {"name": "Openings"}


def create(api: Api) -> Any:
    return api("POST", "/api/comparison", BODY)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"errCode": "BadRequest", "errMsg": "Bad Request"}),
        (401, {"message": "Unauthorized"}),
        (403, {"errCode": "Forbidden", "errMsg": "Forbidden"}),
        (404, {"errCode": "NotFound", "errMsg": "Not Found"}),
        (418, {"errCode": "Error", "errMsg": "I'm a Teapot"}),
        (500, {"message": "Internal server error"}),
        (503, {"message": "Service Unavailable"}),
        (599, {"message": "Error"}),
    ],
)
def test_any_error_status_can_be_asked_for(
    world: World, api: Api, faults: ModuleType, status: int, body: dict[str, str]
) -> None:
    faults.set("comparisons.create", status=status)
    assert create(api) == (status, body)
    assert not Comparison.objects.exists()
    assert api("GET", "/api/comparison")[0] == 200, "other operations work"
    faults.clear("comparisons.create")
    assert create(api)[0] == 200


def test_429_carries_retry_after(world: World, api: Api, faults: ModuleType) -> None:
    faults.set("videos.list", status=429, retry_after=7)
    response = api.send("GET", "/api/videos")
    assert (response.status_code, response.headers["retry-after"]) == (429, "7")
    assert response.json()["errCode"] == "TooManyRequests"


def test_a_live_start_keeps_its_form_of_errors(world: World, api: Api, faults: ModuleType) -> None:
    faults.set("lives.start", status=500)
    body = api("POST", "/api/lives/42/start")[1]
    assert body == {"errCode": "InternalServerError", "errMsg": "Internal server error"}


def test_a_fault_comes_before_the_token_and_the_rules(world: World, api: Api, faults: ModuleType) -> None:
    faults.set("comparisons.create", status=503)
    assert api("POST", "/api/comparison", {}, token=None)[0] == 503


def test_a_fault_can_hit_a_number_of_times(world: World, api: Api, faults: ModuleType) -> None:
    faults.set("comparisons.create", status=502, times=2)
    assert [create(api)[0] for _ in range(3)] == [502, 502, 200]
    assert not Fault.objects.exists()


def test_one_fault_can_hit_everything_and_one_of_its_own_wins(world: World, api: Api, faults: ModuleType) -> None:
    faults.set("*", status=503)
    faults.set("folders.list", status=400)
    assert api("GET", "/api/videos")[0] == 503
    assert api("GET", "/api/folders")[0] == 400
    faults.clear()
    assert api("GET", "/api/videos")[0] == 200


def test_latency_and_jitter_are_waited_for(
    world: World, api: Api, clock: Frozen, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults.set("videos.list", latency_ms=1500)
    assert api("GET", "/api/videos")[0] == 200
    assert (clock.at - NOW).total_seconds() == 1.5
    faults.set("videos.list", latency_ms=1000, jitter_ms=400)
    waits = []
    for _ in range(50):
        before = clock.at
        api("GET", "/api/videos")
        waits.append((clock.at - before).total_seconds())
    assert 0.6 <= min(waits) < max(waits) <= 1.4
    faults.set("videos.list", jitter_ms=400)
    assert api("GET", "/api/videos")[0] == 200, "no wait is negative"
    monkeypatch.setattr(faults, "baseline", faults.Baseline(latency_ms=250))
    before = clock.at
    api("GET", "/api/folders")
    assert (clock.at - before).total_seconds() == 0.25


def test_the_computers_clock_is_really_waited_for(world: World, api: Api, faults: ModuleType) -> None:
    set_clock(Wall())
    faults.set("videos.list", latency_ms=60)
    before = time.monotonic()
    api("GET", "/api/videos")
    assert time.monotonic() - before >= 0.06


@pytest.mark.parametrize(
    ("broken", "error", "written"),
    [
        ("refused", httpx.ConnectError, 0),
        ("dropped", httpx.RemoteProtocolError, 0),
        ("lost", httpx.RemoteProtocolError, 1),
        ("hangs", httpx.ReadTimeout, 0),
        ("stalls", httpx.ReadTimeout, 1),
    ],
)
def test_a_connection_breaks_before_or_after_the_call_was_carried_out(
    world: World, api: Api, faults: ModuleType, broken: str, error: type[Exception], written: int
) -> None:
    faults.set("comparisons.create", broken=broken)
    with pytest.raises(error):
        create(api)
    assert Comparison.objects.count() == written


def test_a_hang_lasts_as_long_as_the_caller_waits(world: World, api: Api, clock: Frozen, faults: ModuleType) -> None:
    faults.set("videos.list", broken="hangs")
    with pytest.raises(httpx.ReadTimeout):
        api.send("GET", "/api/videos", timeout=3.5)
    assert (clock.at - NOW).total_seconds() == 3.5


@pytest.mark.parametrize(
    "wrong",
    [{"status": 200}, {"status": 302}, {"status": 600}, {"broken": "melts"}, {"latency_ms": -1}, {"times": 0}],
)
def test_what_cannot_be_done_cannot_be_set(world: World, faults: ModuleType, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"status|Broken|negative"):
        faults.set("videos.list", **wrong)
    assert not Fault.objects.exists()

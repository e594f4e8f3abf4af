"""AI credits of the embedded platform: jobs use them, failed ones give them back."""

from datetime import timedelta

import pytest

from dashboard.sandbox.clock import Frozen
from tests.sandbox.test_ai_workflow import transcription
from tests.sandbox.world import NOW, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
CREDITS = "/api/credits?type=general"


def test_a_job_uses_a_credit_for_each_minute_that_has_begun(world: World, api: Api) -> None:
    world.video.length = 61
    world.video.save()
    world.owner.credit_entries.create(type="ADD", amount=100, created_at=NOW)
    assert api("POST", "/api/aiworkflow", transcription(world))[0] == 200
    told = api("GET", CREDITS)[1]
    assert told["balance"] == 98
    (used,) = (one for one in told["history"] if one["type"] == "SUB")
    assert (used["amount"], used["status"], used["video"]["id"]) == (2, "COMPLETED", str(world.video.id))
    assert api("GET", CREDITS, token="other")[1] == {"balance": 0, "history": []}


def test_a_job_that_does_not_finish_gives_its_credits_back(world: World, api: Api, clock: Frozen) -> None:
    world.video.audio = "silent"
    world.video.save()
    world.owner.credit_entries.create(type="ADD", amount=100, created_at=NOW)
    api("POST", "/api/aiworkflow", transcription(world))
    assert api("GET", CREDITS)[1]["balance"] < 100
    clock.travel(60)
    told = api("GET", CREDITS)[1]
    assert told["balance"] == 100
    assert [one["status"] for one in told["history"] if one["type"] == "SUB"] == ["REFUNDED"]


def test_the_days_decide_what_is_listed_and_not_the_balance(world: World, api: Api) -> None:
    now = NOW
    for days in (0, 40):
        world.owner.credit_entries.create(type="ADD", amount=10, created_at=now - timedelta(days=days))
    told = api("GET", CREDITS)[1]
    assert (told["balance"], len(told["history"])) == (20, 1)
    start = (now - timedelta(days=50)).date()
    assert len(api("GET", f"{CREDITS}&start_date={start}&end_date={now.date()}")[1]["history"]) == 2
    assert api("GET", f"{CREDITS}&start_date=soon")[0] == 400
    assert api("GET", "/api/credits?type=special")[0] == 400

"""AI content of the embedded platform: made as a job, deleted by kind, and written again."""

from typing import Any

import pytest

from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Job
from tests.sandbox.world import NOBODY, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PATH = "/api/aiworkflow/aipackage"
GENERATE = "/api/aiworkflow"
ALL = ["ebook", "mindmap", "quiz"]


def body(world: World, *kinds: str, lang: str = "en") -> dict[str, Any]:
    return {"video_id": str(world.video.id), "lang": lang, "resources": list(kinds)}


def order(world: World, lang: str = "en") -> dict[str, Any]:
    return {"video_id": str(world.video.id), "from_lang": lang, "type": "ALL_TEXT_ITEMS"}


def has(world: World, api: Api) -> list[tuple[str, str]]:
    resources = api("GET", f"/api/videos/{world.video.id}")[1]["config"]["ai"]["resources"]
    return sorted((one["type"], one["lang"]) for one in resources)


def generated(world: World, api: Api, clock: Frozen) -> None:
    status, job = api("POST", GENERATE, order(world))
    assert status == 200
    clock.at = Job.objects.get(pk=job["id"]).ends_at
    api("GET", f"/api/aiworkflow?video_id={world.video.id}")
    clock.travel(20)


def test_generating_is_a_job_that_ends_with_the_content(world: World, api: Api, clock: Frozen) -> None:
    status, job = api("POST", GENERATE, order(world))
    assert (status, job["type"], job["status"], job["from_lang"]) == (200, "ALL_TEXT_ITEMS", "QUEUE", "en")
    assert job["metadata"] == {"resources": ALL}
    assert has(world, api) == []
    clock.at = Job.objects.get(pk=job["id"]).ends_at
    (listed,) = api("GET", f"/api/aiworkflow?video_id={world.video.id}")[1]
    assert listed["status"] == "FINISHED"
    assert has(world, api) == [("ebook", "en"), ("mindmap", "en"), ("quiz", "en")]
    clock.travel(20)
    file = api("GET", f"/config/{world.owner.pullzone}/{world.video.external_id}-ai.en.json")[1]
    assert (
        file["questions"] and file["abstract"] and file["mindmap"]["theme"] and file["mindmap"]["children"][0]["time"]
    )
    assert world.owner.credit_entries.get().description == "AI content, en"


def test_what_is_there_or_on_its_way_is_refused(world: World, api: Api, clock: Frozen) -> None:
    api("POST", GENERATE, order(world))
    status, answer = api("POST", GENERATE, order(world))
    assert status == 400 and "in progress" in answer["errMsg"]
    assert api("POST", GENERATE, order(world, "pt-BR"))[0] == 200
    clock.travel(100)
    status, answer = api("POST", GENERATE, order(world))
    assert status == 400 and "already exists" in answer["errMsg"]
    assert api("DELETE", PATH, body(world, "ebook", "quiz"))[0] == 200
    assert api("POST", GENERATE, order(world))[0] == 400, "one kind is enough"
    assert api("DELETE", PATH, body(world, "mindmap"))[0] == 200
    assert api("POST", GENERATE, order(world))[0] == 200


@pytest.mark.parametrize(
    "change", [{"resources": []}, {"resources": ["film"]}, {"lang": "xx"}, {"video_id": "1"}, {"resources": "quiz"}]
)
def test_a_deletion_with_a_wrong_body_is_refused(world: World, api: Api, change: dict[str, Any]) -> None:
    wrong = body(world, "quiz") | change
    assert api("DELETE", PATH, wrong)[0] in (400, 404)
    assert api("DELETE", PATH, body(world, "quiz") | {"video_id": NOBODY})[0] == 404


@pytest.mark.parametrize(
    ("change", "status"),
    [({"from_lang": "xx"}, 400), ({"from_lang": "auto"}, 400), ({"video_id": "1"}, 400), ({"video_id": NOBODY}, 404)],
)
def test_an_order_with_a_wrong_body_is_refused(world: World, api: Api, change: dict[str, Any], status: int) -> None:
    assert api("POST", GENERATE, order(world) | change)[0] == status
    assert api("POST", GENERATE, order(world) | {"type": "ALL"})[0] == 400, "no type of subtitles either"


def test_deleting_takes_the_kinds_out_and_the_file_away_with_the_last(world: World, api: Api, clock: Frozen) -> None:
    generated(world, api, clock)
    file = f"/config/{world.owner.pullzone}/{world.video.external_id}-ai.en.json"
    assert api("DELETE", PATH, body(world, "quiz"))[0] == 200
    assert has(world, api) == [("ebook", "en"), ("mindmap", "en")]
    assert "questions" not in api("GET", f"{file}?fresh=1")[1]
    assert "questions" in api("GET", file)[1], "the CDN is late"
    assert api("DELETE", PATH, body(world, "quiz"))[0] == 404
    assert api("DELETE", PATH, body(world, "ebook", "mindmap"))[0] == 200
    assert api("GET", f"{file}?fresh=2")[0] == 404
    assert has(world, api) == []


def test_what_was_deleted_can_be_saved_again(world: World, api: Api, clock: Frozen) -> None:
    generated(world, api, clock)
    api("DELETE", PATH, body(world, *ALL))
    saved = {"video_id": str(world.video.id), "lang": "en", "mindmap": {"topic": "x"}}
    assert api("PUT", PATH, saved)[0] == 200
    assert has(world, api) == [("mindmap", "en")]
    assert api("PUT", PATH, {**saved, "lang": "fr"})[0] == 404, "that never was there"

"""AI content of the embedded platform: made as a job, deleted by kind, and written again."""

from typing import Any

import pytest

from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Job
from tests.sandbox.world import NOBODY, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PATH = "/api/aiworkflow/aipackage"
ALL = ["ebook", "mindmap", "quiz"]


def body(world: World, *kinds: str, lang: str = "en") -> dict[str, Any]:
    return {"video_id": str(world.video.id), "lang": lang, "resources": list(kinds)}


def has(world: World, api: Api) -> list[tuple[str, str]]:
    resources = api("GET", f"/api/videos/{world.video.id}")[1]["config"]["ai"]["resources"]
    return sorted((one["type"], one["lang"]) for one in resources)


def generated(world: World, api: Api, clock: Frozen, *kinds: str) -> None:
    status, job = api("POST", PATH, body(world, *kinds))
    assert status == 200
    clock.at = Job.objects.get(pk=job["id"]).ends_at
    api("GET", f"/api/aiworkflow?video_id={world.video.id}")
    clock.travel(20)


def test_generating_is_a_job_that_ends_with_the_content(world: World, api: Api, clock: Frozen) -> None:
    status, job = api("POST", PATH, body(world, "ebook", "quiz"))
    assert (status, job["type"], job["status"], job["from_lang"]) == (200, "ALL_TEXT_ITEMS", "QUEUE", "en")
    assert job["metadata"] == {"resources": ["ebook", "quiz"]}
    assert has(world, api) == []
    clock.at = Job.objects.get(pk=job["id"]).ends_at
    (listed,) = api("GET", f"/api/aiworkflow?video_id={world.video.id}")[1]
    assert listed["status"] == "FINISHED"
    assert has(world, api) == [("ebook", "en"), ("quiz", "en")]
    assert world.owner.credit_entries.get().description == "AI content, en"


def test_what_is_there_or_on_its_way_is_refused(world: World, api: Api, clock: Frozen) -> None:
    api("POST", PATH, body(world, "quiz"))
    status, answer = api("POST", PATH, body(world, "ebook"))
    assert status == 400 and "in progress" in answer["errMsg"]
    assert api("POST", PATH, body(world, "ebook", lang="pt-BR"))[0] == 200
    clock.travel(100)
    status, answer = api("POST", PATH, body(world, "quiz"))
    assert status == 400 and "already exists" in answer["errMsg"]
    assert api("POST", PATH, body(world, "mindmap"))[0] == 200


@pytest.mark.parametrize(
    "change", [{"resources": []}, {"resources": ["film"]}, {"lang": "xx"}, {"video_id": "1"}, {"resources": "quiz"}]
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_wrong_body_is_refused(world: World, api: Api, method: str, change: dict[str, Any]) -> None:
    wrong = body(world, "quiz") | change
    assert api(method, PATH, wrong)[0] in (400, 404)
    assert api(method, PATH, body(world, "quiz") | {"video_id": NOBODY})[0] == 404


def test_deleting_takes_the_kinds_out_and_the_file_away_with_the_last(world: World, api: Api, clock: Frozen) -> None:
    generated(world, api, clock, *ALL)
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
    generated(world, api, clock, "mindmap")
    api("DELETE", PATH, body(world, "mindmap"))
    saved = {"video_id": str(world.video.id), "lang": "en", "mindmap": {"topic": "x"}}
    assert api("PUT", PATH, saved)[0] == 200
    assert has(world, api) == [("mindmap", "en")]
    assert api("PUT", PATH, {**saved, "abstract": "x"})[0] == 404, "that never was there"

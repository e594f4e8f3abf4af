"""AI resource content: what is replaced, what is kept, and when the public file shows it."""

from datetime import timedelta
from typing import Any

import pytest

from dashboard.sandbox import clock as sandbox_clock
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.handlers.ai import VERSIONS_KEPT
from dashboard.sandbox.models import AiFile
from tests.sandbox.world import NOBODY, NOW, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PATH = "/api/aiworkflow/aipackage"
QUESTION = {"id": "q1", "enunciate": "Why?", "options": [{"text": "A", "correct": True}], "points": 3}
CONTENT = {"questions": [QUESTION], "mindmap": {"root": "x"}, "abstract": "# Old", "abstract_html": "<h1>Old</h1>"}
NO_RESOURCE = refused("AI resource not found in the given language", "NotFound", 404)


@pytest.fixture(autouse=True)
def content(world: World) -> None:
    """English content, published an hour ago."""
    before = NOW - timedelta(hours=1)
    AiFile.objects.create(video=world.video, lang="en", content=CONTENT, written_at=before, published_at=before)


def save(api: Api, world: World, token: str | None = "owner", **parts: Any) -> Any:
    body = {"video_id": str(world.video.id), "lang": "en", **parts}
    return api("PUT", PATH, {key: value for key, value in body.items() if value is not ...}, token=token)


def public(world: World, lang: str = ".en", query: str = "") -> str:
    return f"/config/{world.owner.pullzone}/{world.video.external_id}-ai{lang}.json{query}"


def published(api: Api, world: World, lang: str = ".en") -> Any:
    return api("GET", public(world, lang), token=None)[1]


def test_what_is_sent_replaces_its_part_and_the_rest_stays(world: World, api: Api, clock: Frozen) -> None:
    questions = [{"enunciate": "New?", "options": [{"text": "B", "correct": False}]}]
    assert save(api, world, questions=questions, abstract="# New")[0] == 200
    clock.travel(sandbox_clock.CDN_DELAY_SECONDS)
    shown = published(api, world)
    assert [one["enunciate"] for one in shown["questions"]] == ["New?"]
    assert (shown["abstract"], shown["abstract_html"]) == ("# New", "<h1>Old</h1>")
    assert shown["mindmap"] == {"root": "x"}


def test_a_known_question_keeps_its_id_and_any_other_gets_a_new_one(world: World, api: Api, clock: Frozen) -> None:
    known = {**QUESTION, "enunciate": "Better?"}
    unknown = {**QUESTION, "id": "mine"}
    again = {**QUESTION, "enunciate": "Twice?"}
    assert save(api, world, questions=[known, unknown, again])[0] == 200
    clock.travel(60)
    ids = [one["id"] for one in published(api, world)["questions"]]
    assert ids[0] == "q1" and len(set(ids)) == 3 and "mine" not in ids
    assert published(api, world)["questions"][0]["points"] == 3, "keys that nobody described stay"


def test_the_public_file_changes_when_the_delay_is_over(world: World, api: Api, clock: Frozen) -> None:
    before = api.send("GET", public(world), token=None)
    save(api, world, abstract="# New")
    clock.travel(sandbox_clock.CDN_DELAY_SECONDS - 0.001)
    late = api.send("GET", public(world), token=None)
    assert (late.json()["abstract"], late.headers["etag"]) == ("# Old", before.headers["etag"])
    assert late.headers["age"] == str(3600 + int(sandbox_clock.CDN_DELAY_SECONDS - 0.001))
    clock.travel(0.001)
    after = api.send("GET", public(world), token=None)
    assert (after.json()["abstract"], after.headers["age"]) == ("# New", "0")
    assert after.headers["etag"] != before.headers["etag"]
    assert after.headers["content-type"] == "application/json"


def test_the_delay_can_be_set(world: World, api: Api, clock: Frozen) -> None:
    sandbox_clock.set_option(sandbox_clock.CDN_DELAY, 0)
    save(api, world, abstract="# New")
    assert published(api, world)["abstract"] == "# New"


def test_a_query_leads_past_the_cache_unless_it_is_told_not_to(world: World, api: Api) -> None:
    save(api, world, abstract="# New")
    assert api("GET", public(world, query="?fresh=1"), token=None)[1]["abstract"] == "# New"
    sandbox_clock.set_option(sandbox_clock.CDN_IGNORES_QUERY, 1)
    assert api("GET", public(world, query="?fresh=1"), token=None)[1]["abstract"] == "# Old"


@pytest.mark.parametrize("lang", [".fr", "", ".en-"])
def test_a_file_that_was_never_written_is_not_found(world: World, api: Api, lang: str) -> None:
    assert api("GET", public(world, lang), token=None)[0] == 404


def test_the_zone_of_another_account_has_no_file_of_ours(world: World, api: Api) -> None:
    other = world.users["other"].organization
    assert other is not None
    assert api("GET", f"/config/{other.pullzone}/{world.video.external_id}-ai.en.json", token=None)[0] == 404
    assert api("GET", f"/config/{other.pullzone}/{world.video.external_id}.json", token=None)[0] == 404
    assert api("GET", f"/subtitles/{other.pullzone}/{world.video.external_id}/en.vtt", token=None)[0] == 404


def test_without_a_language_the_legacy_file_is_written(world: World, api: Api, clock: Frozen) -> None:
    assert save(api, world, lang=..., abstract="# Legacy")[0] == 200
    clock.travel(60)
    assert published(api, world, "") == {"abstract": "# Legacy"}
    assert published(api, world)["abstract"] == "# Old"
    details = api("GET", f"/api/videos/{world.video.id}")[1]
    assert details["ai_url"].endswith(f"{world.video.external_id}-ai.json")


def test_the_video_lists_what_exists(world: World, api: Api) -> None:
    resources = api("GET", f"/api/videos/{world.video.id}")[1]["config"]["ai"]["resources"]
    assert {(one["type"], one["lang"]) for one in resources} == {("quiz", "en"), ("mindmap", "en"), ("ebook", "en")}


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"questions": {}},
        {"questions": [{}]},
        {"questions": [{"enunciate": "", "options": [{"text": "A", "correct": True}]}]},
        {"questions": [{"options": [{"text": "A", "correct": True}]}]},
        {"questions": [{"enunciate": "Why?"}]},
        {"questions": [{"enunciate": "Why?", "options": []}]},
        {"questions": [{"enunciate": "Why?", "options": "A"}]},
        {"questions": [{"enunciate": "Why?", "options": [{"text": "A"}]}]},
        {"questions": [{"enunciate": "Why?", "options": [{"text": "A", "correct": "yes"}]}]},
        {"mindmap": []},
        {"abstract": 5},
        {"abstract_cover": {"title": 5}},
        {"questions_config": True},
        {"abstract": "# New", "lang": ""},
        {"abstract": "# New", "video_id": ...},
    ],
)
def test_a_malformed_package_is_refused_and_changes_nothing(world: World, api: Api, parts: dict[str, Any]) -> None:
    assert save(api, world, **parts)[0] == 400
    assert AiFile.objects.count() == 1


def test_a_language_or_resource_that_is_not_there_is_not_found(world: World, api: Api) -> None:
    assert save(api, world, lang="fr", abstract="# Neuf") == NO_RESOURCE
    AiFile.objects.update(content={"abstract": "# Only text"})
    assert save(api, world, mindmap={"root": "y"}) == NO_RESOURCE
    bare = world.new_video()
    assert save(api, world, video_id=str(bare.id), lang=..., abstract="# x") == NO_RESOURCE


def test_the_video_must_be_the_callers(world: World, api: Api) -> None:
    expected = refused(f"Video with id {NOBODY} not found", "NotFound", 404)
    assert save(api, world, video_id=NOBODY, abstract="# x") == expected
    assert save(api, world, token="other", abstract="# x")[0] == 404
    assert save(api, world, token=None, abstract="# x") == UNAUTHORIZED


def test_only_the_newest_versions_are_kept(world: World, api: Api) -> None:
    for number in range(VERSIONS_KEPT + 5):
        save(api, world, abstract=f"# {number}")
    assert AiFile.objects.count() == VERSIONS_KEPT

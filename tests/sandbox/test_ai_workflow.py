"""AI subtitles: the rows of section 7, the rules of 4.1, the states of section 3."""

from typing import Any

import pytest

from dashboard.platform_api.vocabulary import ESSENTIAL_LANGUAGES, LANGUAGES, Message
from dashboard.sandbox import clock as sandbox_clock
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Job, Subtitle
from tests.sandbox.world import NOBODY, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PATH = "/api/aiworkflow"
VIDEO_GONE = refused(f"Video with id {NOBODY} not found", "NotFound", 404)


def transcription(world: World, **changes: Any) -> dict[str, Any]:
    body = {"type": "TRANSCRIPTION", "video_id": str(world.video.id), "from_lang": "pt-BR", "tier": "pro"}
    return {key: value for key, value in {**body, **changes}.items() if value is not ...}


def translation(world: World, **changes: Any) -> dict[str, Any]:
    return transcription(world, **{"type": "TRANSLATION", "to_lang": "de", **changes})


def end_of(clock: Frozen, job_id: str) -> None:
    clock.at = Job.objects.get(pk=job_id).ends_at


def test_a_transcription_is_answered_as_the_specification_shows_it(world: World, api: Api) -> None:
    status, item = api("POST", PATH, transcription(world))
    assert status == 200
    assert set(item) == {"id", "video_id", "type", "status", "from_lang", "to_lang", "metadata", "created_at"}
    assert item["video_id"] == str(world.video.id)
    assert (item["type"], item["status"], item["from_lang"]) == ("TRANSCRIPTION", "QUEUE", "pt-BR")
    assert (item["to_lang"], item["metadata"], item["created_at"]) == (None, {}, "2026-11-20T12:00:00.000Z")


@pytest.mark.parametrize("missing", ["", None, ...])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("from_lang", Message.FROM_LANG_REQUIRED),
        ("to_lang", Message.TO_LANG_REQUIRED),
        ("tier", Message.TIER_REQUIRED),
    ],
)
def test_the_three_required_fields_have_their_own_sentences(
    world: World, api: Api, name: str, message: str, missing: Any
) -> None:
    assert api("POST", PATH, translation(world, **{name: missing})) == refused(message)


def test_the_required_fields_are_checked_in_the_order_of_the_table(world: World, api: Api) -> None:
    none = {"from_lang": ..., "to_lang": ..., "tier": ...}
    assert api("POST", PATH, translation(world, **none)) == refused(Message.FROM_LANG_REQUIRED)
    assert api("POST", PATH, translation(world, **{**none, "from_lang": "es"})) == refused(Message.TO_LANG_REQUIRED)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "DUBBING"},
        {"type": ...},
        {"video_id": ...},
        {"video_id": "42"},
        {"tier": "gold"},
        {"from_lang": "tlh"},
        {"from_lang": "PT-br"},
        {"from_lang": 7},
        {"additional_langs": ["en"]},
        {"additional_langs": [{"language": "en"}]},
        {"additional_langs": [{"lang": "tlh"}]},
        {"additional_langs": {"lang": "en"}},
    ],
)
def test_what_is_not_in_the_tables_is_refused(world: World, api: Api, change: dict[str, Any]) -> None:
    status, body = api("POST", PATH, transcription(world, **change))
    assert (status, body["errCode"]) == (400, "BadRequest")
    assert not Job.objects.exists()


def test_every_language_of_the_list_can_be_spoken(world: World, api: Api) -> None:
    for lang in LANGUAGES:
        video = world.new_video()
        assert api("POST", PATH, transcription(world, video_id=str(video.id), from_lang=lang))[0] == 200, lang


@pytest.mark.parametrize("lang", ESSENTIAL_LANGUAGES)
def test_tier_essential_takes_its_three_languages(world: World, api: Api, lang: str) -> None:
    assert api("POST", PATH, transcription(world, tier="essential", from_lang=lang))[0] == 200


@pytest.mark.parametrize("lang", ["pt", "es-MX", "en-US", "de"])
def test_tier_essential_takes_no_other_language(world: World, api: Api, lang: str) -> None:
    expected = refused(f"Language '{lang}' is not available for the Essential tier")
    assert api("POST", PATH, transcription(world, tier="essential", from_lang=lang)) == expected


def test_auto_is_forbidden_on_essential_and_found_out_on_the_others(world: World, api: Api) -> None:
    forbidden = refused(Message.AUTO_NOT_ON_ESSENTIAL, "Forbidden", 403)
    assert api("POST", PATH, transcription(world, tier="essential", from_lang="auto")) == forbidden
    assert api("POST", PATH, transcription(world, tier="pro", from_lang="auto"))[0] == 200
    other = world.new_video()
    assert api("POST", PATH, transcription(world, tier="advanced", from_lang="auto", video_id=str(other.id)))[0] == 200


def test_auto_writes_the_subtitle_in_the_spoken_language(world: World, api: Api, clock: Frozen) -> None:
    world.video.spoken_lang = "es"
    world.video.save()
    end_of(clock, api("POST", PATH, transcription(world, from_lang="auto"))[1]["id"])
    assert api("GET", f"/api/subtitles/{world.video.id}")[1]["subtitles"][0]["srclang"] == "es"


def test_auto_is_for_transcriptions(world: World, api: Api) -> None:
    assert api("POST", PATH, translation(world, from_lang="auto"))[0] == 400


def test_a_translation_needs_its_source(world: World, api: Api) -> None:
    assert api("POST", PATH, translation(world)) == refused(Message.SOURCE_SUBTITLE_MISSING)


@pytest.mark.parametrize("existing", ["de", "DE"])
def test_a_translation_needs_its_target_free(world: World, api: Api, existing: str) -> None:
    world.subtitle("pt-BR")
    world.subtitle(existing)
    assert api("POST", PATH, translation(world)) == refused(Message.TARGET_SUBTITLE_EXISTS)


@pytest.mark.parametrize("existing", ["pt-BR", "pt-br"])
def test_a_language_is_transcribed_once(world: World, api: Api, existing: str) -> None:
    world.subtitle(existing)
    assert api("POST", PATH, transcription(world)) == refused(Message.SUBTITLE_EXISTS)


def test_one_transcription_runs_per_video(world: World, api: Api, clock: Frozen) -> None:
    first = api("POST", PATH, transcription(world))[1]
    sentence = f"There is already a transcription work in progress for video {world.video.id}"
    assert api("POST", PATH, transcription(world, from_lang="en")) == refused(sentence)
    end_of(clock, first["id"])
    assert api("POST", PATH, transcription(world, from_lang="en"))[0] == 200


def test_one_translation_runs_per_video_and_language(world: World, api: Api, clock: Frozen) -> None:
    world.subtitle("pt-BR")
    first = api("POST", PATH, translation(world))[1]
    assert api("POST", PATH, translation(world)) == refused(Message.TRANSLATION_RUNNING)
    assert api("POST", PATH, translation(world, to_lang="fr"))[0] == 200
    end_of(clock, first["id"])
    assert api("POST", PATH, translation(world)) == refused(Message.TARGET_SUBTITLE_EXISTS)


def test_a_user_without_organization_is_told_so(world: World, api: Api) -> None:
    assert api("POST", PATH, transcription(world), token="orphan") == refused(Message.NO_ORGANIZATION)


@pytest.mark.parametrize("role", ["owner", "other"])
def test_a_video_that_is_not_there_is_not_found(world: World, api: Api, role: str) -> None:
    assert api("POST", PATH, transcription(world, video_id=NOBODY), token=role) == VIDEO_GONE
    foreign = world.other_video if role == "owner" else world.video
    sentence = f"Video with id {foreign.id} not found"
    expected = refused(sentence, "NotFound", 404)
    assert api("POST", PATH, transcription(world, video_id=str(foreign.id)), token=role) == expected
    assert api("GET", f"{PATH}?video_id={foreign.id}", token=role) == expected


def test_the_order_is_401_then_400_then_403_then_404_then_state(world: World, api: Api) -> None:
    body = transcription(world, video_id=NOBODY, tier="essential", from_lang="auto")
    assert api("POST", PATH, {**body, "tier": ""}, token=None) == UNAUTHORIZED
    assert api("POST", PATH, {**body, "tier": ""})[0] == 400
    assert api("POST", PATH, body)[0] == 403
    assert api("POST", PATH, {**body, "from_lang": "es"})[0] == 404


def test_a_batch_is_an_array_of_items(world: World, api: Api) -> None:
    world.subtitle("pt-BR")
    status, items = api("POST", PATH, [translation(world, to_lang=lang) for lang in ("de", "fr", "ja")])
    assert status == 200
    assert [item["to_lang"] for item in items] == ["de", "fr", "ja"]


def test_a_batch_is_accepted_or_refused_as_a_whole(world: World, api: Api) -> None:
    world.subtitle("pt-BR")
    batch = [translation(world, to_lang="de"), translation(world, to_lang="fr"), translation(world, to_lang="de")]
    assert api("POST", PATH, batch) == refused(Message.TRANSLATION_RUNNING)
    assert not Job.objects.exists()


@pytest.mark.parametrize("body", [[], "text", 3, None, [[]], [3]])
def test_a_body_of_another_form_is_refused(world: World, api: Api, body: Any) -> None:
    assert api("POST", PATH, body if body is not None else b"null")[0] == 400


def test_a_transcription_does_not_travel_in_an_array(world: World, api: Api) -> None:
    assert api("POST", PATH, [transcription(world)])[0] == 400


def test_extra_languages_are_for_transcriptions(world: World, api: Api) -> None:
    world.subtitle("pt-BR")
    assert api("POST", PATH, translation(world, additional_langs=[{"lang": "en"}]))[0] == 400
    assert api("POST", PATH, translation(world, additional_langs=[]))[0] == 200


def test_a_job_moves_from_queue_to_running_to_finished_when_it_is_read(world: World, api: Api, clock: Frozen) -> None:
    item = api("POST", PATH, transcription(world))[1]
    job = Job.objects.get(pk=item["id"])
    seen = []
    for at in (job.starts_at, job.ends_at):
        clock.at = at
        clock.travel(-0.001)
        seen.append(api("GET", f"{PATH}?video_id={world.video.id}")[1][0]["status"])
        clock.travel(0.001)
        seen.append(api("GET", f"{PATH}?video_id={world.video.id}")[1][0]["status"])
    assert seen == ["QUEUE", "RUNNING", "RUNNING", "FINISHED"]


def test_a_finished_transcription_leaves_a_subtitle_that_can_be_read(world: World, api: Api, clock: Frozen) -> None:
    item = api("POST", PATH, transcription(world))[1]
    assert api("GET", f"/api/subtitles/{world.video.id}")[1] == {"subtitles": []}
    end_of(clock, item["id"])
    (subtitle,) = api("GET", f"/api/subtitles/{world.video.id}")[1]["subtitles"]
    assert subtitle["srclang"] == "pt-BR"
    read = api.send("GET", f"/api/subtitles/{world.video.id}/pt-br")
    assert read.headers["content-type"].startswith("text/vtt")
    assert read.text.startswith("WEBVTT\n\n1\n00:00:00.000 --> 00:00:04.000\n")
    assert api.send("GET", subtitle["url"].removeprefix("/sandbox")).text == read.text
    details = api("GET", f"/api/videos/{world.video.id}")[1]
    assert [one["srclang"] for one in details["config"]["subtitles"]] == ["pt-BR"]


def test_a_finished_translation_keeps_the_times_of_its_source(world: World, api: Api, clock: Frozen) -> None:
    world.subtitle("pt-BR")
    end_of(clock, api("POST", PATH, translation(world))[1]["id"])
    text = api.send("GET", f"/api/subtitles/{world.video.id}/de").text
    assert text == "WEBVTT\n\n00:00.000 --> 00:04.000\n[de] Olá\n"


def test_extra_languages_follow_as_translations(world: World, api: Api, clock: Frozen) -> None:
    extra = [{"lang": "en"}, {"lang": "fr"}, {"lang": "en"}, {"lang": "pt-BR"}]
    item = api("POST", PATH, transcription(world, additional_langs=extra))[1]
    end_of(clock, item["id"])
    followers = api("GET", f"{PATH}?video_id={world.video.id}")[1][:-1]
    assert [(one["type"], one["from_lang"], one["to_lang"]) for one in followers] == [
        ("TRANSLATION", "pt-BR", "en"),
        ("TRANSLATION", "pt-BR", "fr"),
    ]
    clock.travel(60)
    assert {one["srclang"] for one in api("GET", f"/api/subtitles/{world.video.id}")[1]["subtitles"]} == {
        "pt-BR",
        "en",
        "fr",
    }


@pytest.mark.parametrize(("audio", "outcome"), [("silent", "SKIPPED"), ("broken", "ERROR")])
def test_a_transcription_without_speech_does_not_finish(
    world: World, api: Api, clock: Frozen, audio: str, outcome: str
) -> None:
    world.video.audio = audio
    world.video.save()
    item = api("POST", PATH, transcription(world))[1]
    assert item["metadata"] == {}
    end_of(clock, item["id"])
    (seen,) = api("GET", f"{PATH}?video_id={world.video.id}")[1]
    assert seen["status"] == outcome
    assert seen["metadata"]["reason"]
    assert not Subtitle.objects.exists()
    assert api("POST", PATH, transcription(world))[0] == 200, "what did not finish can be tried again"


@pytest.mark.parametrize(
    ("lang", "outcome"),
    [(sandbox_clock.FAILING_LANGUAGE, "ERROR"), (sandbox_clock.SKIPPED_LANGUAGE, "SKIPPED"), ("de", "FINISHED")],
)
def test_two_languages_show_how_translations_end_badly(
    world: World, api: Api, clock: Frozen, lang: str, outcome: str
) -> None:
    world.subtitle("pt-BR")
    end_of(clock, api("POST", PATH, translation(world, to_lang=lang))[1]["id"])
    assert api("GET", f"{PATH}?video_id={world.video.id}")[1][0]["status"] == outcome


def test_a_job_whose_subtitle_appeared_meanwhile_is_skipped(world: World, api: Api, clock: Frozen) -> None:
    item = api("POST", PATH, transcription(world))[1]
    world.subtitle("pt-BR")
    end_of(clock, item["id"])
    assert api("GET", f"{PATH}?video_id={world.video.id}")[1][0]["status"] == "SKIPPED"


def test_a_job_takes_between_eight_and_forty_seconds_and_always_the_same(world: World) -> None:
    for _ in range(200):
        job = Job(type="TRANSCRIPTION", from_lang="en", video=world.video)
        waits, runs = sandbox_clock.job_seconds(job.id)
        assert 2 <= waits <= 5
        assert 6 <= runs <= 35
        assert (waits, runs) == sandbox_clock.job_seconds(job.id)


def test_reading_jobs_needs_a_video(world: World, api: Api) -> None:
    assert api("GET", PATH) == refused("video_id is required")
    assert api("GET", f"{PATH}?video_id={NOBODY}") == VIDEO_GONE
    assert api("GET", f"{PATH}?video_id={world.video.id}") == (200, [])
    assert api("GET", f"{PATH}?video_id={world.video.id}", token="nobody") == UNAUTHORIZED


def test_a_parents_token_makes_and_lists_the_jobs_of_its_sub_accounts_videos_and_of_no_others(
    world: World, api: Api
) -> None:
    childs = world.new_video("sub")
    status, item = api("POST", PATH, transcription(world, video_id=str(childs.id)), token="owner")
    assert status == 200
    assert [one["id"] for one in api("GET", f"{PATH}?video_id={childs.id}", token="owner")[1]] == [item["id"]]
    stranger = api("POST", PATH, transcription(world, video_id=str(childs.id)), token="other")
    assert stranger == refused(f"Video with id {childs.id} not found", "NotFound", 404)
    upwards = api("POST", PATH, transcription(world), token="sub")
    assert upwards == refused(f"Video with id {world.video.id} not found", "NotFound", 404)

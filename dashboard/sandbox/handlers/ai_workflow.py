"""AI subtitles [2.1, 3, 4.1]."""

from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from django.db.models import Q

from dashboard.platform_api.vocabulary import (
    AUTO_LANGUAGE,
    ESSENTIAL_LANGUAGES,
    LANGUAGES,
    JobType,
    Message,
    Tier,
)
from dashboard.sandbox import credits, progress, serializers, timing
from dashboard.sandbox.http_types import Answer, Json, JsonObject, SandboxRequest, bad_request, forbidden, ok
from dashboard.sandbox.lookup import workflow_video
from dashboard.sandbox.models import Job, Video
from dashboard.sandbox.validators import Choice, Field, ListOf, Nullable, OneOrMany, Shape, Uuid

LANGUAGE: Final = Choice(LANGUAGES)
FROM_LANGUAGE: Final = Choice((AUTO_LANGUAGE, *LANGUAGES))
EXTRA_LANGUAGE: Final = Shape((Field("lang", LANGUAGE, required=True),))
_TYPE: Final = Field("type", Choice(tuple(JobType)), required=True)
_VIDEO: Final = Field("video_id", Uuid(), required=True)
_TIER: Final = Field("tier", Choice(tuple(Tier)), required=True, missing=Message.TIER_REQUIRED)
_EXTRA: Final = Field("additional_langs", Nullable(ListOf(EXTRA_LANGUAGE)), note="TRANSCRIPTION only")

TRANSCRIPTION: Final = Shape(
    (_TYPE, _VIDEO, Field("from_lang", FROM_LANGUAGE, required=True, missing=Message.FROM_LANG_REQUIRED), _TIER, _EXTRA)
)
TRANSLATION: Final = Shape(
    (
        _TYPE,
        _VIDEO,
        Field("from_lang", FROM_LANGUAGE, required=True, missing=Message.FROM_LANG_REQUIRED),
        Field("to_lang", LANGUAGE, required=True, missing=Message.TO_LANG_REQUIRED),
        _TIER,
        _EXTRA,
    )
)
_ANY: Final = Shape((_TYPE,))
BODY: Final = OneOrMany(TRANSCRIPTION, TRANSLATION)


def create(request: SandboxRequest) -> Answer:
    """POST /aiworkflow: one object, or an array of translations, accepted or refused as a whole."""
    organization = request.organization
    body = request.json()
    if isinstance(body, list) and not body:
        raise bad_request("Body must not be empty")
    wishes = [_wish(element) for element in body] if isinstance(body, list) else [_wish(body)]
    if isinstance(body, list) and any(wish["type"] == JobType.TRANSCRIPTION for wish in wishes):
        raise bad_request("TRANSCRIPTION must be sent as a single object")
    for wish in wishes:
        _check_tier(wish)
    progress.settle(request.now)
    created = []
    for wish in wishes:
        video = workflow_video(organization, wish["video_id"])
        _check_subtitles(video, wish)
        _check_running(video, wish)
        job = _accept(video, wish, request.now)
        credits.use(organization, job)
        created.append(job)
    items = [serializers.job(job, request.now) for job in created]
    return ok(items if isinstance(body, list) else items[0])


def jobs(request: SandboxRequest) -> Answer:
    """GET /aiworkflow?video_id=…: the jobs of a video, newest first."""
    text = request.query.get("video_id")
    if text is None:
        raise bad_request("video_id is required")
    video = workflow_video(request.organization, text)
    progress.settle(request.now)
    return ok([serializers.job(job, request.now) for job in video.jobs.order_by("-created_at", "to_lang", "id")])


def _wish(body: Json) -> JsonObject:
    """Return one element of the body, checked in the order of section 7."""
    kind = _ANY.check(body)["type"]
    wish = (TRANSCRIPTION if kind == JobType.TRANSCRIPTION else TRANSLATION).check(body)
    wish["additional_langs"] = [additional["lang"] for additional in wish.get("additional_langs") or []]
    if kind == JobType.TRANSLATION and wish["additional_langs"]:
        raise bad_request("additional_langs is only available for TRANSCRIPTION")
    if kind == JobType.TRANSLATION and wish["from_lang"] == AUTO_LANGUAGE:
        raise bad_request("Language 'auto' is only available for TRANSCRIPTION")
    return wish


def _check_tier(wish: JsonObject) -> None:
    """Tier essential: no auto (403), and three source languages only (400, see `assumptions`)."""
    if wish["tier"] != Tier.ESSENTIAL:
        return
    if wish["from_lang"] == AUTO_LANGUAGE:
        raise forbidden(Message.AUTO_NOT_ON_ESSENTIAL)
    if wish["from_lang"] not in ESSENTIAL_LANGUAGES:
        raise bad_request(f"Language '{wish['from_lang']}' is not available for the Essential tier")


def _check_subtitles(video: Video, wish: JsonObject) -> None:
    existing = {lang.lower() for lang in video.subtitles.values_list("lang", flat=True)}
    has_source = wish["from_lang"].lower() in existing
    if wish["type"] == JobType.TRANSCRIPTION:
        if has_source:
            raise bad_request(Message.SUBTITLE_EXISTS)
        return
    if not has_source:
        raise bad_request(Message.SOURCE_SUBTITLE_MISSING)
    if wish["to_lang"].lower() in existing:
        raise bad_request(Message.TARGET_SUBTITLE_EXISTS)


def _check_running(video: Video, wish: JsonObject) -> None:
    """One transcription per video, one translation per video and language [4.1 rule 4, 8]."""
    running = video.jobs.filter(settled=False, type=wish["type"])
    if wish["type"] == JobType.TRANSCRIPTION:
        if running.exists():
            raise bad_request(Message.TRANSCRIPTION_RUNNING.format(video_id=video.id))
    elif running.filter(Q(to_lang__iexact=wish["to_lang"])).exists():
        raise bad_request(Message.TRANSLATION_RUNNING)


def _accept(video: Video, wish: JsonObject, now: datetime) -> Job:
    to_lang = wish["to_lang"] if wish["type"] == JobType.TRANSLATION else ""
    identifier = uuid4()
    waits, runs = timing.job_seconds(identifier)
    outcome, reason = timing.job_outcome(video, wish["type"], to_lang)
    return Job.objects.create(
        id=identifier,
        video=video,
        type=wish["type"],
        from_lang=wish["from_lang"],
        to_lang=to_lang,
        additional_langs=list(dict.fromkeys(wish["additional_langs"])),
        created_at=now,
        starts_at=now + timedelta(seconds=waits),
        ends_at=now + timedelta(seconds=waits + runs),
        outcome=outcome,
        reason=reason,
    )

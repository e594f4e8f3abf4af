"""AI resource content [2.8, 4.3, 9]: saved per language, answered by a public file after the CDN's delay."""

import hashlib
import json
import re
from datetime import timedelta
from typing import Final
from uuid import uuid4

from dashboard.platform_api.vocabulary import ALL_TEXT_ITEMS, LANGUAGES, AiKind, JobType
from dashboard.sandbox import ai_packages, credits, progress, serializers, timing
from dashboard.sandbox.ai_packages import KEY_OF, RESOURCE_OF
from dashboard.sandbox.http_types import Answer, JsonObject, SandboxRequest, as_uuid, bad_request, not_found, ok
from dashboard.sandbox.lookup import video_of
from dashboard.sandbox.models import AiFile, Job, Video
from dashboard.sandbox.validators import Anything, Boolean, Choice, Field, ListOf, Nullable, Shape, Text, Uuid

VERSIONS_KEPT: Final = 20
NO_RESOURCE: Final = "AI resource not found in the given language"
RESOURCE_EXISTS: Final = "AI resource already exists for this lang, please delete it first"
GENERATION_RUNNING: Final = "There is already an AI resource generation in progress for this lang"
OPTION: Final = Shape((Field("text", Text(), required=True), Field("correct", Boolean(), required=True)))
QUESTION: Final = Shape(
    (
        Field("id", Nullable(Text())),
        Field("enunciate", Text(1), required=True),
        Field("options", ListOf(OPTION, least=1), required=True),
    )
)
COVER: Final = Shape(tuple(Field(name, Nullable(Text())) for name in ("kicker", "title", "subtitle", "edition_label")))
PACKAGE: Final = Shape(
    (
        Field("video_id", Uuid(), required=True),
        Field("lang", Nullable(Text(1)), note="Without it the legacy single file is written"),
        Field("questions", ListOf(QUESTION)),
        Field("questions_config", Anything()),
        Field("mindmap", Anything()),
        Field("abstract", Text()),
        Field("abstract_html", Text()),
        Field("abstract_summary", Text()),
        Field("abstract_cover", COVER),
    )
)
KINDS: Final = ListOf(Choice(tuple(AiKind)), least=1)
GENERATION: Final = Shape(
    (
        Field("video_id", Uuid(), required=True),
        Field("from_lang", Choice(LANGUAGES), required=True),
        Field("type", Choice((ALL_TEXT_ITEMS,)), required=True),
    )
)
DELETION: Final = Shape(
    (
        Field("video_id", Uuid(), required=True),
        Field("lang", Nullable(Text(1)), note="Without it the legacy single file is meant"),
        Field("resources", KINDS, required=True),
    )
)
_FILE: Final = re.compile(r"([0-9a-fA-F-]{36})-ai(?:\.([A-Za-z-]+))?\.json")


def save_package(request: SandboxRequest) -> Answer:
    """PUT /aiworkflow/aipackage. Checks: 400, then 404 for the video, the language, the resource [7]."""
    organization, sent = request.organization, request.json()
    body = PACKAGE.check(sent)
    parts = {key: sent[key] for key in RESOURCE_OF if key in body}  # as sent: unknown keys stay
    if not parts:
        raise bad_request("Nothing to save: send questions, mindmap or abstract")
    video = video_of(organization, body["video_id"])
    lang = body.get("lang") or ""
    content = _content(video, lang, parts)
    if "questions" in parts:
        parts["questions"] = _identified(parts["questions"], content.get("questions") or [])
    progress.write_file(video, lang, {**content, **parts}, request.now)
    _forget_old(video, lang)
    return ok({"message": "AI package saved"})


def generate(request: SandboxRequest) -> Answer:
    """POST /aiworkflow of type ALL_TEXT_ITEMS (gaps 15): a job, refused where one runs in this language or a kind is there."""
    organization, body = request.organization, GENERATION.check(request.json())
    video, lang = video_of(organization, body["video_id"]), body["from_lang"]
    progress.settle(request.now)
    content = _newest(video, lang)
    if any(content.get(key) for key in KEY_OF.values()):
        raise bad_request(RESOURCE_EXISTS)
    if video.jobs.filter(settled=False, type=ALL_TEXT_ITEMS, from_lang=lang).exists():
        raise bad_request(GENERATION_RUNNING)
    identifier = uuid4()
    waits, runs = timing.job_seconds(identifier)
    outcome, reason = timing.job_outcome(video, JobType.TRANSLATION, lang)
    job = Job.objects.create(
        id=identifier,
        video=video,
        type=ALL_TEXT_ITEMS,
        from_lang=lang,
        resources=list(map(str, AiKind)),
        created_at=request.now,
        starts_at=request.now + timedelta(seconds=waits),
        ends_at=request.now + timedelta(seconds=waits + runs),
        outcome=outcome,
        reason=reason,
    )
    credits.use(organization, job)
    return ok(serializers.job(job, request.now))


def delete(request: SandboxRequest) -> Answer:
    """DELETE /aiworkflow/aipackage (a guess): the kinds leave the file; one that has none left is not there any more."""
    organization, body = request.organization, DELETION.check(request.json())
    video, lang = video_of(organization, body["video_id"]), body.get("lang") or ""
    progress.settle(request.now)
    content = _newest(video, lang)
    if not all(content.get(KEY_OF[AiKind(kind)]) for kind in body["resources"]):
        raise not_found(NO_RESOURCE)
    progress.write_file(video, lang, ai_packages.without(content, body["resources"]), request.now)
    _forget_old(video, lang)
    return ok({"message": "AI resources deleted"})


def read_package(request: SandboxRequest) -> Answer:
    """GET {config_url}/{pullzone}/{video_external_id}-ai.{lang}.json: public.

    The CDN holds the version before until the delay is over; a query string leads past it, unless the demo's option
    `cdn_ignores_query` is on.
    """
    match = _FILE.fullmatch(request.arguments["ai_file"])
    external_id = as_uuid(match.group(1)) if match else None
    if match is None or external_id is None:
        raise not_found("Not found")
    files = AiFile.objects.filter(
        video__external_id=external_id,
        video__organization__pullzone=request.arguments["pullzone"],
        lang__iexact=match.group(2) or "",
    ).order_by("-id")
    past_cache = bool(request.query_string) and not timing.cdn_ignores_query()
    newest = files.first() if past_cache else files.filter(published_at__lte=request.now).first()
    if newest is None or not newest.content:
        raise not_found("Not found")
    age = 0 if past_cache else max(0, int((request.now - newest.published_at).total_seconds()))
    text = json.dumps(newest.content, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "content-type": "application/json",
        "etag": f'"{hashlib.sha256(text).hexdigest()[:16]}"',
        "age": str(age),
        "cache-control": "public, max-age=60",
    }
    return Answer(200, content=text, headers=headers)


def _content(video: Video, lang: str, parts: JsonObject) -> JsonObject:
    """Return what the file of this language holds now. Raises a 404 where the resource never was there.

    One that was deleted can be written again: an older file of the language has it.
    """
    files = list(video.ai_files.filter(lang__iexact=lang).order_by("-id"))
    if not files:
        if lang or not video.ai_files.exists():
            raise not_found(NO_RESOURCE)
        return {}  # the first write of the legacy file of a video that has AI content
    if any(not any(file.content.get(RESOURCE_OF[key]) for file in files) for key in parts):
        raise not_found(NO_RESOURCE)
    content: JsonObject = files[0].content
    return content


def _newest(video: Video, lang: str) -> JsonObject:
    """Return what the file of this language holds now; nothing where there is none."""
    newest = video.ai_files.filter(lang__iexact=lang).order_by("-id").first()
    content: JsonObject = newest.content if newest else {}
    return content


def _identified(questions: list[JsonObject], before: list[JsonObject]) -> list[JsonObject]:
    """Return the questions with ids: one that matches an existing question keeps it, any other gets a new one [4.3]."""
    free = {question.get("id") for question in before}
    result = []
    for question in questions:
        identifier = question.get("id") if question.get("id") in free else None
        free.discard(identifier)
        result.append({**question, "id": identifier or str(uuid4())})
    return result


def _forget_old(video: Video, lang: str) -> None:
    old = video.ai_files.filter(lang=lang).order_by("-id").values_list("pk", flat=True)[VERSIONS_KEPT:]
    AiFile.objects.filter(pk__in=list(old)).delete()

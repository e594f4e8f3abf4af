"""AI subtitles [2.1, 3, 4.1], AI content [2.8, 4.3, 9], and assistants with the visibility of their chat [4.13].

AI content is saved per language and answered by a public file after the CDN's delay. The list of assistants is a guess.
"""

import hashlib
import json
import re
from typing import Final
from uuid import uuid4

from django.db.models import Prefetch, Q

from dashboard.platform_api.vocabulary import (
    ALL_TEXT_ITEMS,
    AUTO_LANGUAGE,
    ESSENTIAL_LANGUAGES,
    LANGUAGES,
    AiKind,
    JobType,
    Message,
    Tier,
)
from dashboard.sandbox import clock, jobs, serializers
from dashboard.sandbox.http_types import (
    Answer,
    Json,
    JsonObject,
    SandboxRequest,
    as_uuid,
    bad_request,
    forbidden,
    not_found,
    ok,
)
from dashboard.sandbox.jobs import KEY_OF, RESOURCE_OF
from dashboard.sandbox.models import AiFile, ChatVisibility, Video
from dashboard.sandbox.validators import (
    Anything,
    Boolean,
    Choice,
    Field,
    ListOf,
    Nullable,
    OneOrMany,
    Shape,
    Text,
    Uuid,
    video_of,
    workflow_video,
)

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
JOB_BODY: Final = OneOrMany(TRANSCRIPTION, TRANSLATION)


def create_jobs(request: SandboxRequest) -> Answer:
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
    jobs.settle(request.now)
    created = []
    for wish in wishes:
        video = workflow_video(organization, wish["video_id"])
        _check_subtitles(video, wish)
        _check_running(video, wish)
        job = jobs.begin(
            video,
            request.now,
            identifier=uuid4(),
            type=wish["type"],
            from_lang=wish["from_lang"],
            to_lang=wish.get("to_lang", ""),
            additional_langs=list(dict.fromkeys(wish["additional_langs"])),
        )
        jobs.charge(organization, job)
        created.append(job)
    items = [serializers.job(job, request.now) for job in created]
    return ok(items if isinstance(body, list) else items[0])


def list_jobs(request: SandboxRequest) -> Answer:
    """GET /aiworkflow?video_id=…: the jobs of a video, newest first."""
    text = request.query.get("video_id")
    if text is None:
        raise bad_request("video_id is required")
    video = workflow_video(request.organization, text)
    jobs.settle(request.now)
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
    jobs.write_file(video, lang, {**content, **parts}, request.now)
    _forget_old(video, lang)
    return ok({"message": "AI package saved"})


def generate_package(request: SandboxRequest) -> Answer:
    """POST /aiworkflow of type ALL_TEXT_ITEMS (gaps 15): a job, refused where one runs in this language or a kind is there."""
    organization, body = request.organization, GENERATION.check(request.json())
    video, lang = video_of(organization, body["video_id"]), body["from_lang"]
    jobs.settle(request.now)
    content = _newest(video, lang)
    if any(content.get(key) for key in KEY_OF.values()):
        raise bad_request(RESOURCE_EXISTS)
    if video.jobs.filter(settled=False, type=ALL_TEXT_ITEMS, from_lang=lang).exists():
        raise bad_request(GENERATION_RUNNING)
    job = jobs.begin(
        video,
        request.now,
        identifier=uuid4(),
        type=ALL_TEXT_ITEMS,
        from_lang=lang,
        resources=list(map(str, AiKind)),
    )
    jobs.charge(organization, job)
    return ok(serializers.job(job, request.now))


def delete_package(request: SandboxRequest) -> Answer:
    """DELETE /aiworkflow/aipackage (a guess): the kinds leave the file; one that has none left is not there any more."""
    organization, body = request.organization, DELETION.check(request.json())
    video, lang = video_of(organization, body["video_id"]), body.get("lang") or ""
    jobs.settle(request.now)
    content = _newest(video, lang)
    if not all(content.get(KEY_OF[AiKind(kind)]) for kind in body["resources"]):
        raise not_found(NO_RESOURCE)
    jobs.write_file(video, lang, jobs.without_kinds(content, body["resources"]), request.now)
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
    past_cache = bool(request.query_string) and not clock.cdn_ignores_query()
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


VISIBILITY: Final = Shape(
    (
        Field("assistant_id", Text(1), required=True),
        Field("video_id", Text(1), required=True),
        Field("chat_is_visible", Boolean(), required=True),
    )
)
_CHATS: Final = Prefetch("chats", ChatVisibility.objects.order_by("id"))


def list_assistants(request: SandboxRequest) -> Answer:
    """GET /assist-ai."""
    assistants = request.organization.assistants.prefetch_related(_CHATS).order_by("name", "id")
    return ok({"assistants": [serializers.assistant(assistant, request.now) for assistant in assistants]})


def get_assistant(request: SandboxRequest) -> Answer:
    """GET /assist-ai/assistant_by_id/{assistant_id} (gaps 15, A10)."""
    identifier = as_uuid(request.arguments["assistant_id"])
    found = (
        request.organization.assistants.prefetch_related(_CHATS).filter(pk=identifier).first() if identifier else None
    )
    if found is None:
        raise not_found("Assistant not found")
    return ok(serializers.assistant(found, request.now))


def update_chat_visibility(request: SandboxRequest) -> Answer:
    """POST /assist-ai/update_chat_visibility."""
    organization = request.organization
    body = VISIBILITY.check(request.json())
    identifier = as_uuid(body["assistant_id"])
    assistant = organization.assistants.filter(pk=identifier).first() if identifier else None
    if assistant is None:
        raise not_found("Assistant not found")
    video = video_of(organization, body["video_id"])
    ChatVisibility.objects.update_or_create(
        assistant=assistant, video=video, defaults={"visible": body["chat_is_visible"]}
    )
    return ok({"status": True})

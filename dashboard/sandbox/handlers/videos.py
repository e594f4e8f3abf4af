"""Videos and their subtitles, in the public shapes (gaps 1); the specification only refers to them [4.16]."""

from math import ceil
from typing import Final

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox import progress, serializers
from dashboard.sandbox.http_types import Answer, JsonObject, SandboxRequest, as_uuid, bad_request, not_found, ok
from dashboard.sandbox.lookup import addressed_video
from dashboard.sandbox.models import AiFile, Video
from dashboard.sandbox.validators import Choice, Text, Uuid, query_value

LIMIT_DEFAULT: Final = 50
LIMIT_MAX: Final = 5000
ROOT_FOLDER: Final = Choice(("0", "1", "false", "true"))


def list_videos(request: SandboxRequest) -> Answer:
    """GET /videos: a page, newest first."""
    query = request.query
    page = _whole(query.get("page", "1"), "page", 1_000_000)
    limit = _whole(query.get("limit", str(LIMIT_DEFAULT)), "limit", LIMIT_MAX)
    organization = request.organization
    matching = organization.videos.order_by("-created_at", "id")
    if query.get("title"):
        matching = matching.filter(title__icontains=query_value(query, "title", Text()))
    if query.get("status"):
        matching = matching.filter(status=query_value(query, "status", Text()))
    if query.get("folder_id"):
        matching = matching.filter(folder_id=query_value(query, "folder_id", Uuid()))
    if query_value(query, "root_folder", ROOT_FOLDER) in ("1", "true"):
        matching = matching.filter(folder=None)
    total = matching.count()
    listed_page = matching[(page - 1) * limit : page * limit]
    videos = [serializers.video(video, organization) for video in listed_page]
    return ok({"pages": ceil(total / limit), "total": total, "videos": videos})


def get(request: SandboxRequest) -> Answer:
    """GET /videos/{video_id}."""
    return _details(request, addressed_video(request))


def get_by_external_id(request: SandboxRequest) -> Answer:
    """GET /videos/{external_id}?external_id."""
    text = request.arguments["video_id"]
    identifier = as_uuid(text)
    video = request.organization.videos.filter(external_id=identifier).first() if identifier else None
    if video is None:
        raise not_found(Message.VIDEO_NOT_FOUND.format(video_id=text))
    return _details(request, video)


def subtitles(request: SandboxRequest) -> Answer:
    """GET /subtitles/{video_id}."""
    video = addressed_video(request)
    progress.settle(request.now)
    return ok(
        {
            "subtitles": [
                serializers.subtitle(subtitle, video) for subtitle in video.subtitles.order_by("created_at", "lang")
            ]
        }
    )


def read_subtitle(request: SandboxRequest) -> Answer:
    """GET /subtitles/{video_id}/{lang}: WebVTT."""
    video = addressed_video(request)
    progress.settle(request.now)
    return subtitle_file(video, request.arguments["lang"])


def subtitle_file(video: Video, lang: str) -> Answer:
    """Return the WebVTT file of a language, compared without case. Raises a 404."""
    subtitle = video.subtitles.filter(lang__iexact=lang).first()
    if subtitle is None:
        raise not_found("Subtitle not found")
    return Answer(200, content=subtitle.vtt.encode(), headers={"content-type": "text/vtt; charset=utf-8"})


def newest_ai_files(video: Video) -> dict[str, JsonObject]:
    """Return the newest AI content of a video by language ("" for the legacy file), published or not."""
    return {file.lang: file.content for file in AiFile.objects.filter(video=video).order_by("id")}


def _details(request: SandboxRequest, video: Video) -> Answer:
    progress.settle(request.now)
    return ok(serializers.video_details(video, request.organization, newest_ai_files(video)))


def _whole(text: str, name: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10) or not 1 <= int(text) <= most:
        raise bad_request(f"{name} must be an integer from 1 to {most}")
    return int(text)

"""Videos with their subtitles and custom fields, in folders and playlists [2.6, 2.7, 2.9, 4.6, 4.11, 4.14].

The specification only refers to videos [4.16]: their shapes are public (gaps 1). What a folder contains is assumed (gaps 7, 8),
and so is reading playlists.
"""

from math import ceil
from typing import Final

from django.db.models import Count, Prefetch

from dashboard.platform_api.vocabulary import FIELD_KEY, FIELD_KEY_MAX, FIELD_VALUE_MAX, Message
from dashboard.sandbox import jobs, serializers
from dashboard.sandbox.http_types import (
    Answer,
    JsonObject,
    Refusal,
    SandboxRequest,
    as_uuid,
    bad_request,
    not_found,
    ok,
)
from dashboard.sandbox.models import AiFile, CustomField, FunnelVideo, Playlist, PlaylistVideo, Video
from dashboard.sandbox.validators import Choice, Field, Shape, Text, Uuid, addressed_video, query_value

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
    jobs.settle(request.now)
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
    jobs.settle(request.now)
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
    jobs.settle(request.now)
    return ok(serializers.video_details(video, request.organization, newest_ai_files(video)))


def _whole(text: str, name: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10) or not 1 <= int(text) <= most:
        raise bad_request(f"{name} must be an integer from 1 to {most}")
    return int(text)


FIELDS_MAX: Final = 50
_KEY: Final = Text(1, FIELD_KEY_MAX, FIELD_KEY, r"^[A-Za-z0-9]+$")
_VALUE: Final = Field("value", Text(1, FIELD_VALUE_MAX), required=True)
NEW_FIELD: Final = Shape((Field("key", _KEY, required=True), _VALUE))
FIELD_CHANGES: Final = Shape((Field("key", _KEY), _VALUE))


def list_custom_fields(request: SandboxRequest) -> Answer:
    """GET /videos/{video_id}?custom_fields: a bare array."""
    return ok(
        [
            serializers.custom_field(field)
            for field in addressed_video(request).custom_fields.order_by("created_at", "id")
        ]
    )


def create_custom_field(request: SandboxRequest) -> Answer:
    """POST /videos/{video_id}?custom_fields: 201, at most 50 per video."""
    video = addressed_video(request)
    body = NEW_FIELD.check(request.json())
    _check_free(video, body["key"])
    if video.custom_fields.count() >= FIELDS_MAX:
        raise bad_request(f"A video can have at most {FIELDS_MAX} custom fields")
    field = CustomField.objects.create(
        video=video, key=body["key"], value=body["value"], created_at=request.now, updated_at=request.now
    )
    return Answer(201, serializers.custom_field(field))


def update_custom_field(request: SandboxRequest) -> Answer:
    """PUT /videos/{video_id}?custom_fields&id={custom_field_id}. `value` is validated on every call."""
    video = addressed_video(request)
    if "id" not in request.query:
        raise bad_request("id is required")
    identifier = as_uuid(request.query["id"])
    field = video.custom_fields.filter(pk=identifier).first() if identifier else None
    if field is None:
        raise not_found("Custom field not found")
    body = FIELD_CHANGES.check(request.json())
    key = body.get("key", field.key)
    if key != field.key:
        _check_free(video, key)
    field.key, field.value, field.updated_at = key, body["value"], request.now
    field.save()
    return ok(serializers.custom_field(field))


def _check_free(video: Video, key: str) -> None:
    if video.custom_fields.filter(key=key).exists():
        raise bad_request("key already exists for this video")


FOLDER_STATUS = Choice(("true", "false"))


def list_folders(request: SandboxRequest) -> Answer:
    """GET /folders: the whole tree as an object, or the direct children of a folder as an array.

    The specification allows both forms [4.11]; answering with both keeps readers honest.
    """
    query = request.query
    active = query_value(query, "status", FOLDER_STATUS) != "false"
    parent = query_value(query, "parent_folder_id", Uuid())
    folders = request.organization.folders.filter(active=active).annotate(held=Count("videos")).order_by("name", "id")
    if parent is None:
        return ok({"folders": [serializers.folder(folder, folder.held) for folder in folders]})
    return ok([serializers.folder(folder, folder.held) for folder in folders.filter(parent_id=parent)])


def folder_contents(request: SandboxRequest) -> Answer:
    """GET /folders/{folder_id}: the folder with its funnels."""
    identifier = as_uuid(request.arguments["folder_id"])
    every = request.organization.folders.annotate(held=Count("videos"))
    folder = every.filter(pk=identifier).first() if identifier else None
    if folder is None:
        raise not_found("Folder not found")
    placed = Prefetch("placed", FunnelVideo.objects.select_related("video").order_by("-is_first", "id"))
    funnels = request.organization.funnels.filter(folder=folder).prefetch_related(placed).order_by("-created_at", "id")
    return ok(serializers.folder(folder, folder.held) | {"funnels": [serializers.funnel(funnel) for funnel in funnels]})


_LINKS = Prefetch("links", PlaylistVideo.objects.select_related("video"))


def list_playlists(request: SandboxRequest) -> Answer:
    """GET /playlists: the caller's own."""
    playlists = request.user.playlists.prefetch_related(_LINKS).order_by("-created_at", "id")
    return ok({"playlists": [serializers.playlist(playlist) for playlist in playlists]})


def get_playlist(request: SandboxRequest) -> Answer:
    """GET /playlists/{playlist_id}."""
    identifier = as_uuid(request.arguments["playlist_id"])
    playlist = request.user.playlists.prefetch_related(_LINKS).filter(pk=identifier).first() if identifier else None
    if playlist is None:
        raise not_found(Message.PLAYLIST_NOT_FOUND)
    return ok(serializers.playlist(playlist))


def delete_playlist(request: SandboxRequest) -> Answer:
    """DELETE /playlists/{playlist_id}: a missing one is a 400, someone else's a 500 [7]. Videos stay."""
    identifier = as_uuid(request.arguments["playlist_id"])
    playlist = Playlist.objects.filter(pk=identifier).first() if identifier else None
    if playlist is None:
        raise bad_request(Message.PLAYLIST_NOT_FOUND)
    if playlist.user_id != request.user.id:
        raise Refusal(500, Message.PLAYLIST_NOT_OWNED)
    playlist.delete()
    return ok({"message": "Playlist deleted"})

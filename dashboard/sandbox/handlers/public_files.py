"""Public files of the player (gaps 15, A6 to A9): what a video, an A/B test and a live are to anybody's browser."""

from typing import Any

from dashboard.sandbox import addresses, progress
from dashboard.sandbox.handlers.videos import newest_ai_files, subtitle_file
from dashboard.sandbox.http_types import Answer, SandboxRequest, as_uuid, not_found, ok
from dashboard.sandbox.models import Comparison, Live, Video
from dashboard.sandbox.serializers import RESOURCE_KEYS


def video(request: SandboxRequest) -> Answer:
    """GET {config_url}/{pullzone}/{external_id}.json (A6)."""
    found = _video(request)
    progress.settle(request.now)
    ai = {key: any(content.get(key) for content in newest_ai_files(found).values()) for key in RESOURCE_KEYS.values()}
    subtitles = found.subtitles.order_by("created_at", "lang")
    return ok(
        {
            "title": found.title,
            "ai": {**ai, "pdf_generated": False},
            "subtitles": [{"srclang": subtitle.lang, "label": subtitle.label} for subtitle in subtitles],
            "bookMarks": found.bookmarks,
            "ctas": [],
            "assistant_id": next((str(chat.assistant_id) for chat in found.chats.filter(visible=True)), None),
        }
    )


def comparison(request: SandboxRequest) -> Answer:
    """GET {config_url}/{pullzone}/comparison/{comparison_id}.json (A7)."""
    found = Comparison.objects.filter(
        pk=request.arguments["comparison_id"].lower(), organization__pullzone=request.arguments["pullzone"]
    ).first()
    if found is None:
        raise not_found("Not found")
    variants = found.variants.select_related("video")
    body: dict[str, Any] = {
        "id": found.id,
        "status": found.status,
        "videos": [str(variant.video.external_id) for variant in variants],
    }
    return ok({**body, "winner_video_id": str(found.winner.external_id) if found.winner else None})


def live(request: SandboxRequest) -> Answer:
    """GET {live_config_url}/{pullzone}/{live_id}-live.json (A8): a live is known by its id everywhere."""
    identifier = as_uuid(request.arguments["live_id"])
    zone = request.arguments["pullzone"]
    found = Live.objects.filter(pk=identifier, organization__pullzone=zone).first() if identifier else None
    if found is None:
        raise not_found("Not found")
    options, still = found.options or {}, found.videos.first() or found.organization.videos.first()
    return ok(
        {
            "title": found.title,
            "status": str(found.status_at(request.now)),
            "thumb": addresses.thumbnail(still) if still else None,
            "active_dvr": options.get("active_dvr", False),
            "bitrate": options.get("bitrate", []),
            "chat_status": "disabled",
            "chat_id": None,
        }
    )


def subtitle(request: SandboxRequest) -> Answer:
    """GET {subtitles_url}/{pullzone}/{external_id}/{lang}.vtt (A9)."""
    progress.settle(request.now)
    return subtitle_file(_video(request), request.arguments["lang"])


def _video(request: SandboxRequest) -> Video:
    identifier = as_uuid(request.arguments["external_id"])
    zone = request.arguments["pullzone"]
    found = Video.objects.filter(external_id=identifier, organization__pullzone=zone).first() if identifier else None
    if found is None:
        raise not_found("Not found")
    return found

"""Records as the platform writes them in JSON [2], with their public addresses; in shapes of `gaps.md` where it shows none."""

import hashlib
from datetime import datetime
from typing import Any, Final

from django.conf import settings

from dashboard.platform_api.vocabulary import LiveStatus, VideoStatus
from dashboard.sandbox import clock
from dashboard.sandbox.http_types import JsonObject, moment
from dashboard.sandbox.models import (
    Assistant,
    Comparison,
    CreditEntry,
    CustomField,
    Folder,
    Funnel,
    Job,
    Live,
    Organization,
    Playlist,
    ReviewComment,
    ReviewLink,
    Subtitle,
    Video,
)

MEDIA: Final = "/sandbox/media"


def media_url(path: str) -> str:
    """Return the address of something below `/sandbox/media/`."""
    return f"{settings.SANDBOX_PUBLIC_URL}{MEDIA}/{path}"


def clip_url(video: Video) -> str:
    """Return the address of the video's MP4 file."""
    return media_url(f"{video.external_id}/film.mp4")


def playlist_url(video: Video) -> str:
    """Return the address of the video's HLS master playlist."""
    return media_url(f"{video.external_id}/playlist.m3u8")


def thumbnail_url(video: Video) -> str:
    """Return the address of the video's still picture, a JPEG."""
    return media_url(f"{video.external_id}/thumbnail.jpg")


def preview_url(video: Video) -> str:
    """Return the address of the same picture as WebP."""
    return media_url(f"{video.external_id}/preview.webp")


def player_url(video: Video, pullzone: str) -> str:
    """Return the address of the embedded player: external id in `v`, CDN zone in `l` (gaps 12)."""
    return media_url(f"player/embed/?v={video.external_id}&l={pullzone}")


def subtitle_url(video: Video, record: Subtitle) -> str:
    """Return the address of a subtitle file."""
    return media_url(f"{video.external_id}/subtitles/{record.lang}.vtt")


def legacy_ai_file_url(video: Video, pullzone: str) -> str:
    """Return the address of the single AI content file of the older model [9]."""
    return f"{settings.SANDBOX_PUBLIC_URL}/sandbox/config/{pullzone}/{video.external_id}-ai.json"


def review_page_url(link: ReviewLink) -> str:
    """Return the public address of a review link: {review_url}/{id} [2.3]."""
    return f"{settings.PLATFORM_REVIEW_URL or settings.SANDBOX_PUBLIC_URL}/{link.id}"


RESOURCE_KEYS = {"quiz": "questions", "mindmap": "mindmap", "ebook": "abstract"}
"""Kinds of AI content and the key of a file that says that the kind is there [2.8]."""


def as_integer(number: float) -> float | int:
    """Return 90 for 90.0: JSON readers see the difference."""
    return int(number) if number == int(number) else number


def job(record: Job, now: datetime) -> JsonObject:
    """Workflow item [2.1]. `metadata` is empty on creation of a subtitle; the reason of an ERROR or SKIPPED is in it later."""
    resources: JsonObject = {"resources": record.resources} if record.resources else {}
    if now >= record.ends_at and record.reason:
        resources["reason"] = record.reason
    return {
        "id": str(record.id),
        "video_id": str(record.video_id),
        "type": record.type,
        "status": str(record.status_at(now)),
        "from_lang": record.from_lang,
        "to_lang": record.to_lang or None,
        "metadata": resources,
        "created_at": moment(record.created_at),
    }


def sub_account(record: Organization, now: datetime) -> JsonObject:
    """Sub-account creation result [2.2]; `active` once provisioning has ended."""
    return {
        "status": "creating" if now < record.ready_at else "active",
        "organization_id": str(record.id),
        "name": record.name,
    }


def review_link(record: ReviewLink) -> JsonObject:
    """Review link as create answers it: without its address [2.3]."""
    return {
        "id": str(record.id),
        "video_id": str(record.video_id),
        "name": record.name,
        "status": record.status,
        "expires_at": moment(record.expires_at),
        "allow_comment": record.allow_comment,
        "allow_status_edit": record.allow_status_edit,
        "show_resolved": record.show_resolved,
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def comment(record: ReviewComment) -> JsonObject:
    """Review comment [2.4]. Never its token."""
    return {
        "id": str(record.id),
        "video_id": str(record.video_id),
        "user_name": record.user_name,
        "text": record.text,
        "status": record.status,
        "time": record.time,
        "reply_to": str(record.reply_to_id) if record.reply_to_id else None,
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def comparison(record: Comparison, pullzone: str | None) -> JsonObject:
    """A/B test [2.5], with `pullzone` where the specification adds it."""
    body: JsonObject = {
        "id": record.id,
        "name": record.name,
        "description": record.description,
        "status": record.status,
        "videos": [
            {
                "id": str(variant.video_id),
                "video_id": str(variant.video_id),
                "video_external_id": str(variant.video.external_id),
                "title": variant.video.title,
                "thumbnail": thumbnail_url(variant.video),
                "length": as_integer(variant.video.length),
            }
            for variant in record.variants.all()
        ],
        "winner": str(record.winner_id) if record.winner_id else None,
        "started_at": moment(record.started_at),
        "finished_at": moment(record.finished_at),
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }
    return body if pullzone is None else {**body, "pullzone": pullzone}


def custom_field(record: CustomField) -> JsonObject:
    """Video custom field [2.6]."""
    return {
        "id": str(record.id),
        "video_id": str(record.video_id),
        "key": record.key,
        "value": record.value,
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def folder(record: Folder, videos_count: int) -> JsonObject:
    """Folder [2.7]: the count is a string."""
    return {
        "id": str(record.id),
        "name": record.name,
        "user_id": str(record.user_id),
        "parent_folder_id": str(record.parent_id) if record.parent_id else None,
        "status": record.active,
        "videos_count": str(videos_count),
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def subtitle(record: Subtitle, video: Video) -> JsonObject:
    """A subtitle of a video (gaps 1)."""
    return {
        "srclang": record.lang,
        "label": record.label,
        "url": subtitle_url(video, record),
        "source": record.source,
        "created_at": moment(record.created_at),
    }


def video(record: Video, organization: Organization) -> JsonObject:
    """A video as the list shows it (gaps 1)."""
    ready = record.status == VideoStatus.CONVERTED
    return {
        "id": str(record.id),
        "title": record.title,
        "description": record.description or None,
        "status": record.status,
        "user_id": str(record.user_id),
        "folder_id": str(record.folder_id) if record.folder_id else None,
        "library_id": str(organization.library_id),
        "live_id": str(record.live_id) if record.live_id else None,
        "video_external_id": str(record.external_id),
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
        "converted_at": moment(record.converted_at),
        "storage_size": record.storage_size,
        "length": as_integer(record.length),
        "width": record.width,
        "height": record.height,
        "playable": record.playable,
        "backup": False,
        "playback": ["360p"] if ready else [],
        "thumbnail": thumbnail_url(record),
        "preview": preview_url(record),
        "video_player": player_url(record, organization.pullzone),
        "video_hls": playlist_url(record) if ready else "",
        "video_mp4": clip_url(record) if ready else "",
    }


def video_details(record: Video, organization: Organization, ai_files: dict[str, Any]) -> JsonObject:
    """A video with its subtitles and the AI resources that exist (`ai_files`: language → newest content) [4.3, 4.16]."""
    resources = [
        {"type": kind, "lang": lang}
        for lang, content in sorted(ai_files.items())
        if lang
        for kind, key in RESOURCE_KEYS.items()
        if content.get(key)
    ]
    return {
        **video(record, organization),
        "ai_url": legacy_ai_file_url(record, organization.pullzone) if "" in ai_files else None,
        "config": {
            "subtitles": [subtitle(each, record) for each in record.subtitles.order_by("created_at", "lang")],
            "audios": [],
            "ai": {"resources": resources},
        },
    }


def live(record: Live, now: datetime) -> JsonObject:
    """A live broadcast (gaps 6)."""
    return {
        "id": str(record.id),
        "title": record.title,
        "status": str(record.status_at(now)),
        "scheduled_at": moment(record.scheduled_at),
        "started_at": moment(record.online_at) if record.status_at(now) != LiveStatus.OFFLINE else None,
        "finished_at": moment(record.finished_at),
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def live_with_key(record: Live, now: datetime) -> JsonObject:
    """A live with where its encoder sends to, and with what it was created with (gaps 6)."""
    secret = hashlib.sha256(f"stream key of {record.id}".encode()).hexdigest()
    return {
        **live(record, now),
        "active_dvr": False,
        "bitrate": [],
        "latency_type": None,
        "folder_id": None,
        **(record.options or {}),
        "rtmp": "rtmp://ingest.demo.example/live",
        "stream_key": f"demo-{secret[:24]}",
    }


def funnel(record: Funnel) -> JsonObject:
    """A funnel with the places of its videos [2.9]."""
    return {
        "id": str(record.id),
        "name": record.name,
        "folder_id": str(record.folder_id) if record.folder_id else None,
        "videos": [
            {
                "id": str(place.video_id),
                "title": place.video.title,
                "thumbnail": thumbnail_url(place.video),
                "front_coordinates": {"x": as_integer(place.x), "y": as_integer(place.y)},
                "is_first": place.is_first,
            }
            for place in record.placed.all()
        ],
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def playlist(record: Playlist) -> JsonObject:
    """A playlist with its links to videos [2.9]."""
    return {
        "id": str(record.id),
        "name": record.name,
        "description": record.description,
        "access_type": record.access_type,
        "user_id": str(record.user_id),
        "videos": [
            {
                "id": str(link.video_id),
                "title": link.video.title,
                "thumbnail": thumbnail_url(link.video),
                "length": as_integer(link.video.length),
                "order": link.position,
            }
            for link in record.links.all()
        ],
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def credit_entry(record: CreditEntry) -> JsonObject:
    """What used or added AI credits (gaps 2)."""
    return {
        "id": str(record.id),
        "type": record.type,
        "status": record.status,
        "amount": record.amount,
        "created_at": moment(record.created_at),
        "video": {"id": str(record.video_id), "title": record.video.title} if record.video else None,
        "description": record.description,
        "external_transaction_id": None,
    }


def assistant(record: Assistant, now: datetime) -> JsonObject:
    """An assistant, whether it has learned its videos, and where its chat is shown (gaps 15, A10; the latter is a guess)."""
    status = "ready" if now - record.created_at >= clock.ASSISTANT_READY_AFTER else "queued"
    return {
        "id": str(record.id),
        "name": record.name,
        "status": status,
        "videos": [
            {"video_id": str(chat.video_id), "chat_is_visible": chat.visible, "process_status": status}
            for chat in record.chats.all()
        ],
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }

"""Records as the platform writes them in JSON [2], and in the shapes of `gaps.md` where the specification shows none."""

import hashlib
from datetime import datetime
from typing import Any

from dashboard.platform_api.vocabulary import LiveStatus, VideoStatus
from dashboard.sandbox import addresses
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

RESOURCE_KEYS = {"quiz": "questions", "mindmap": "mindmap", "ebook": "abstract"}
"""Kinds of AI content and the key of a file that says that the kind is there [2.8]."""


def whole(number: float) -> float | int:
    """Return 90 for 90.0: JSON readers see the difference."""
    return int(number) if number == int(number) else number


def job(one: Job, now: datetime) -> JsonObject:
    """Workflow item [2.1]. `metadata` is empty on creation of a subtitle; the reason of an ERROR or SKIPPED is in it later."""
    told: JsonObject = {"resources": one.resources} if one.resources else {}
    if now >= one.ends_at and one.reason:
        told["reason"] = one.reason
    return {
        "id": str(one.id),
        "video_id": str(one.video_id),
        "type": one.type,
        "status": str(one.status_at(now)),
        "from_lang": one.from_lang,
        "to_lang": one.to_lang or None,
        "metadata": told,
        "created_at": moment(one.created_at),
    }


def sub_account(one: Organization, now: datetime) -> JsonObject:
    """Sub-account creation result [2.2]; `active` once provisioning has ended."""
    return {"status": "creating" if now < one.ready_at else "active", "organization_id": str(one.id), "name": one.name}


def review_link(one: ReviewLink) -> JsonObject:
    """Review link as create answers it: without its address [2.3]."""
    return {
        "id": str(one.id),
        "video_id": str(one.video_id),
        "name": one.name,
        "status": one.status,
        "expires_at": moment(one.expires_at),
        "allow_comment": one.allow_comment,
        "allow_status_edit": one.allow_status_edit,
        "show_resolved": one.show_resolved,
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }


def comment(one: ReviewComment) -> JsonObject:
    """Review comment [2.4]. Never its token."""
    return {
        "id": str(one.id),
        "video_id": str(one.video_id),
        "user_name": one.user_name,
        "text": one.text,
        "status": one.status,
        "time": one.time,
        "reply_to": str(one.reply_to_id) if one.reply_to_id else None,
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }


def comparison(one: Comparison, pullzone: str | None) -> JsonObject:
    """A/B test [2.5], with `pullzone` where the specification adds it."""
    shown: JsonObject = {
        "id": one.id,
        "name": one.name,
        "description": one.description,
        "status": one.status,
        "videos": [
            {
                "id": str(variant.video_id),
                "video_id": str(variant.video_id),
                "video_external_id": str(variant.video.external_id),
                "title": variant.video.title,
                "thumbnail": addresses.thumbnail(variant.video),
                "length": whole(variant.video.length),
            }
            for variant in one.variants.all()
        ],
        "winner": str(one.winner_id) if one.winner_id else None,
        "started_at": moment(one.started_at),
        "finished_at": moment(one.finished_at),
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }
    return shown if pullzone is None else {**shown, "pullzone": pullzone}


def custom_field(one: CustomField) -> JsonObject:
    """Video custom field [2.6]."""
    return {
        "id": str(one.id),
        "video_id": str(one.video_id),
        "key": one.key,
        "value": one.value,
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }


def folder(one: Folder, videos_count: int) -> JsonObject:
    """Folder [2.7]: the count is a string."""
    return {
        "id": str(one.id),
        "name": one.name,
        "user_id": str(one.user_id),
        "parent_folder_id": str(one.parent_id) if one.parent_id else None,
        "status": one.active,
        "videos_count": str(videos_count),
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }


def subtitle(one: Subtitle, video: Video) -> JsonObject:
    """A subtitle of a video (gaps 1)."""
    return {
        "srclang": one.lang,
        "label": one.label,
        "url": addresses.subtitle(video, one),
        "source": one.source,
        "created_at": moment(one.created_at),
    }


def video(one: Video, organization: Organization) -> JsonObject:
    """A video as the list shows it (gaps 1)."""
    ready = one.status == VideoStatus.CONVERTED
    return {
        "id": str(one.id),
        "title": one.title,
        "description": one.description or None,
        "status": one.status,
        "user_id": str(one.user_id),
        "folder_id": str(one.folder_id) if one.folder_id else None,
        "library_id": str(organization.library_id),
        "live_id": str(one.live_id) if one.live_id else None,
        "video_external_id": str(one.external_id),
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
        "converted_at": moment(one.converted_at),
        "storage_size": one.storage_size,
        "length": whole(one.length),
        "width": one.width,
        "height": one.height,
        "playable": one.playable,
        "backup": False,
        "playback": ["360p"] if ready else [],
        "thumbnail": addresses.thumbnail(one),
        "preview": addresses.preview(one),
        "video_player": addresses.player(one, organization.pullzone),
        "video_hls": addresses.playlist(one) if ready else "",
        "video_mp4": addresses.clip(one) if ready else "",
    }


def video_details(one: Video, organization: Organization, ai_files: dict[str, Any]) -> JsonObject:
    """A video with its subtitles and the AI resources that exist (`ai_files`: language → newest content) [4.3, 4.16]."""
    resources = [
        {"type": kind, "lang": lang}
        for lang, content in sorted(ai_files.items())
        if lang
        for kind, key in RESOURCE_KEYS.items()
        if content.get(key)
    ]
    return {
        **video(one, organization),
        "ai_url": addresses.legacy_ai_file(one, organization.pullzone) if "" in ai_files else None,
        "config": {
            "subtitles": [subtitle(each, one) for each in one.subtitles.order_by("created_at", "lang")],
            "audios": [],
            "ai": {"resources": resources},
        },
    }


def live(one: Live, now: datetime) -> JsonObject:
    """A live broadcast (gaps 6)."""
    return {
        "id": str(one.id),
        "title": one.title,
        "status": str(one.status_at(now)),
        "scheduled_at": moment(one.scheduled_at),
        "started_at": moment(one.online_at) if one.status_at(now) != LiveStatus.OFFLINE else None,
        "finished_at": moment(one.finished_at),
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }


def live_with_key(one: Live, now: datetime) -> JsonObject:
    """A live with where its encoder sends to, and with what it was created with (gaps 6)."""
    secret = hashlib.sha256(f"stream key of {one.id}".encode()).hexdigest()
    return {
        **live(one, now),
        "active_dvr": False,
        "bitrate": [],
        "latency_type": None,
        "folder_id": None,
        **(one.options or {}),
        "rtmp": "rtmp://ingest.demo.example/live",
        "stream_key": f"demo-{secret[:24]}",
    }


def funnel(one: Funnel) -> JsonObject:
    """A funnel with the places of its videos [2.9]."""
    return {
        "id": str(one.id),
        "name": one.name,
        "folder_id": str(one.folder_id) if one.folder_id else None,
        "videos": [
            {
                "id": str(place.video_id),
                "title": place.video.title,
                "thumbnail": addresses.thumbnail(place.video),
                "front_coordinates": {"x": whole(place.x), "y": whole(place.y)},
                "is_first": place.is_first,
            }
            for place in one.placed.all()
        ],
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }


def playlist(one: Playlist) -> JsonObject:
    """A playlist with its links to videos [2.9]."""
    return {
        "id": str(one.id),
        "name": one.name,
        "description": one.description,
        "access_type": one.access_type,
        "user_id": str(one.user_id),
        "videos": [
            {
                "id": str(link.video_id),
                "title": link.video.title,
                "thumbnail": addresses.thumbnail(link.video),
                "length": whole(link.video.length),
                "order": link.position,
            }
            for link in one.links.all()
        ],
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }


def credit_entry(one: CreditEntry) -> JsonObject:
    """What used or added AI credits (gaps 2)."""
    return {
        "id": str(one.id),
        "type": one.type,
        "status": one.status,
        "amount": one.amount,
        "created_at": moment(one.created_at),
        "video": {"id": str(one.video_id), "title": one.video.title} if one.video else None,
        "description": one.description,
        "external_transaction_id": None,
    }


def assistant(one: Assistant) -> JsonObject:
    """An assistant and where its chat is shown (a guess: nothing public says it)."""
    return {
        "id": str(one.id),
        "name": one.name,
        "videos": [{"video_id": str(chat.video_id), "chat_is_visible": chat.visible} for chat in one.chats.all()],
        "created_at": moment(one.created_at),
        "updated_at": moment(one.updated_at),
    }

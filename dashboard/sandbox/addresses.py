"""The public addresses that answers carry. The same in-process and over HTTP."""

from typing import Final

from django.conf import settings

from dashboard.sandbox.models import ReviewLink, Subtitle, Video

MEDIA: Final = "/sandbox/media"


def media(path: str) -> str:
    """Return the address of something below `/sandbox/media/`."""
    return f"{settings.SANDBOX_PUBLIC_URL}{MEDIA}/{path}"


def clip(video: Video) -> str:
    """Return the address of the video's MP4 file."""
    return media(f"{video.external_id}/film.mp4")


def playlist(video: Video) -> str:
    """Return the address of the video's HLS master playlist."""
    return media(f"{video.external_id}/playlist.m3u8")


def thumbnail(video: Video) -> str:
    """Return the address of the video's still picture, a JPEG."""
    return media(f"{video.external_id}/thumbnail.jpg")


def preview(video: Video) -> str:
    """Return the address of the same picture as WebP."""
    return media(f"{video.external_id}/preview.webp")


def player(video: Video, pullzone: str) -> str:
    """Return the address of the embedded player: external id in `v`, CDN zone in `l` (gaps 12)."""
    return media(f"player/embed/?v={video.external_id}&l={pullzone}")


def subtitle(video: Video, record: Subtitle) -> str:
    """Return the address of a subtitle file."""
    return media(f"{video.external_id}/subtitles/{record.lang}.vtt")


def legacy_ai_file(video: Video, pullzone: str) -> str:
    """Return the address of the single AI content file of the older model [9]."""
    return f"{settings.SANDBOX_PUBLIC_URL}/sandbox/config/{pullzone}/{video.external_id}-ai.json"


def review_page(link: ReviewLink) -> str:
    """Return the public address of a review link: {review_url}/{id} [2.3]."""
    return f"{settings.PLATFORM_REVIEW_URL or settings.SANDBOX_PUBLIC_URL}/{link.id}"

"""Subtitles for the player. Browsers load text tracks from the page's own origin only, so others are proxied here."""

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.upstream.single_flight import shared_read
from review_portal.models import ReviewLink
from review_portal.videos import Caption, LinkVideo

KEEP_SECONDS = 600


def list_captions(link: ReviewLink, video: LinkVideo) -> tuple[Caption, ...]:
    """The captions with addresses that a track can load; those that no connected account can read are left out."""
    return tuple(
        caption
        if _is_ours(caption.url)
        else Caption(caption.lang, caption.label, f"/{link.pk}/captions/{caption.lang}.vtt")
        for caption in video.captions
        if _is_ours(caption.url) or link.accounts.connected().exists()
    )


def _is_ours(url: str) -> bool:
    return url.startswith("/") and not url.startswith("//")


def read_captions(link: ReviewLink, lang: str) -> str:
    """The WebVTT text in one of the video's languages, with the owner's token.

    Raises `KeyError` for a language that the video does not have, and the `PlatformError` of a read that failed.
    """
    account: Account | None = link.accounts.connected().first()
    known = {caption.lang for caption in LinkVideo.from_kept(link.video).captions}
    if account is None or lang not in known:
        raise KeyError(lang)
    videos = clients.platform_for(account).videos
    try:
        return shared_read(
            f"captions:{link.video_id}:{lang}", KEEP_SECONDS, lambda: videos.read_subtitle(link.video_id, lang)
        )
    except errors.Missing as error:
        raise KeyError(lang) from error

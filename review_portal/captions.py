"""Subtitles for the player. Browsers load text tracks from the page's own origin only, so others are proxied here."""

from functools import partial

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.upstream import clients
from dashboard.upstream.languages import read_subtitle
from dashboard.upstream.single_flight import shared_read
from review_portal.models import ReviewLink
from review_portal.videos import Caption, LinkVideo

KEEP_SECONDS = 600


def list_captions(link: ReviewLink, video: LinkVideo) -> tuple[Caption, ...]:
    """The captions with addresses that a track can load; those that no connected account can read are left out."""
    if not all(_is_ours(caption.url) for caption in video.captions) and not link.accounts.connected().exists():
        return tuple(caption for caption in video.captions if _is_ours(caption.url))
    return tuple(
        caption
        if _is_ours(caption.url)
        else Caption(caption.lang, caption.label, f"/{link.pk}/captions/{caption.lang}.vtt")
        for caption in video.captions
    )


def _is_ours(url: str) -> bool:
    return url.startswith("/") and not url.startswith("//")


def read_captions(link: ReviewLink, lang: str) -> str:
    """The WebVTT text in one of the video's languages, with the owner's token; what is public here needs none.

    Raises `KeyError` for a language that the video does not have, and the `PlatformError` of a read that failed.
    """
    known = {caption.lang: caption for caption in LinkVideo.from_kept(link.video).captions}
    if lang not in known:
        raise KeyError(lang)
    account: Account | None = link.accounts.connected().first()
    if account is None and not _is_ours(known[lang].url):
        raise KeyError(lang)
    try:
        return shared_read(build_key(link, lang), KEEP_SECONDS, partial(_read, link, known[lang], account))
    except errors.Missing as error:
        raise KeyError(lang) from error


def _read(link: ReviewLink, caption: Caption, account: Account | None) -> str:
    if account is None:
        return clients.read_embedded_file(caption.url)
    return read_subtitle(clients.platform_for(account), str(link.video_id), caption.lang)


def build_key(link: ReviewLink, lang: str) -> str:
    """The name under which the text is kept for everybody who may see the link."""
    return f"captions:{link.video_id}:{lang}"

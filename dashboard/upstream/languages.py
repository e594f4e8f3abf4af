"""Which languages videos have subtitles in: of the rows of a page, and of a whole library as the worker has read it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from django.core.cache import cache
from django.utils.translation import ngettext

from dashboard.platform_api import Operations, errors
from dashboard.platform_api.public_files import VideoConfig
from dashboard.platform_api.videos import Subtitle, Video
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import capabilities, clients, facts, reads
from dashboard.upstream.facts import Fact
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.reads import Reads

if TYPE_CHECKING:
    from dashboard.accounts.models import Account

SUBTITLES: Final = "videos.subtitles"
LANGUAGES_SECONDS: Final = 60.0
"""How long the languages of a row count as new."""
UNTOLD_SECONDS: Final = 24 * 3600
"""How long a video is left alone of which the platform tells no subtitles."""


def look_up(request: OwnerRequest, ids: Sequence[str], *, patience: float) -> dict[str, frozenset[str]]:
    """Languages (lower case) of these videos, read side by side; those that fail or are late are left out.

    Raises `BadToken`.
    """
    outcomes = Reads(request.account).gather(patience, **{video: languages_of(video) for video in ids})
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
            raise outcome.error
    return {video: reading.value for video, reading in outcomes.items() if isinstance(reading, Ready)}


def all_languages(reader: Reads) -> Mapping[str, frozenset[str]]:
    """Languages (lower case) of every video that was looked at in the last day. Reads nothing.

    Where the platform's API lists no subtitles, those that it says the player has (gaps 15, A6).
    """
    path = capabilities.path_of(SUBTITLES, clients.config())
    if clients.capabilities_of(reader.account).error(SUBTITLES, path) is None:
        return facts.known(reader, LANGUAGES)
    in_player = facts.known(reader, PLAYER_LANGUAGES)
    return {video: codes for video, codes in in_player.items() if codes is not None}


def looked_at(reader: Reads) -> dict[str, datetime]:
    """The videos whose subtitles were read in the last day, and since when those have been the same."""
    return facts.looked_at(reader, LANGUAGES)


def looked_up_sentence(known: int, count: int) -> str:
    """How far a search for gaps has looked."""
    return ngettext(
        "The subtitles of %(known)s of %(count)s video have been looked up.",
        "The subtitles of %(known)s of %(count)s videos have been looked up.",
        count,
    ) % {"known": formats.number(known), "count": formats.number(count)}


def untold(account: "Account", ids: Sequence[str], operation: str = SUBTITLES) -> set[str]:
    """Of these videos those of which the platform told nothing when the worker asked for it with this operation."""
    keys = {_untold_key(account, video, operation): video for video in ids}
    return {keys[key] for key in cache.get_many(keys)}


def note_untold(account: "Account", video: str, operation: str = SUBTITLES) -> None:
    """The platform tells no subtitles (or what `operation` reads) of this video: it counts as looked at for a day."""
    cache.set(_untold_key(account, video, operation), 1, UNTOLD_SECONDS)


def _untold_key(account: "Account", video: str, operation: str) -> str:
    return f"videos:{account.pk}:untold:{operation}:{video}"


def languages_of(video: str) -> reads.Query[frozenset[str]]:
    """The read of the languages (lower case) of a video's subtitles [4.4]."""
    return reads.Query(
        lambda platform: _codes_of(platform.videos.subtitles(video)),
        LANGUAGES_SECONDS,
        shape="languages",
    )


LANGUAGES: Final = Fact("languages", SUBTITLES, languages_of)


def _player_languages_of(video: str) -> reads.Query[frozenset[str] | None]:
    def call(platform: Operations) -> frozenset[str] | None:
        found = platform.videos.get(video)
        return _codes_of(found.config_subtitles) if found.tells_config else None

    return reads.Query(call, shape="player languages")


PLAYER_LANGUAGES: Final = Fact("player_languages", "videos.get", _player_languages_of)
"""None where the record of a video does not tell what its player has."""


def load_player_subtitles(reader: Reads, ids: Sequence[str]) -> dict[str, frozenset[str]]:
    """Languages (lower case) that the player has of these videos, as far as that is known. What is not is read beside the page."""
    records = reader.spare(
        **{video: reads.Query(partial(_read_video, video=video), LANGUAGES_SECONDS) for video in ids}
    )
    videos = {video: record.value for video, record in records.items() if isinstance(record, Ready)}
    files = reader.spare(
        **{video: partial(_read_config, video=found) for video, found in videos.items() if not found.tells_config}
    )
    told = {video: found.config_subtitles for video, found in videos.items() if found.tells_config}
    told |= {video: file.value.subtitles for video, file in files.items() if isinstance(file, Ready)}
    return {video: _codes_of(subtitles) for video, subtitles in told.items()}


def _codes_of(subtitles: Iterable[Subtitle]) -> frozenset[str]:
    return frozenset(subtitle.lang.lower() for subtitle in subtitles)


def list_subtitles(platform: Operations, video_id: str) -> tuple[Subtitle, ...]:
    """A video's subtitles; where the platform's API does not list them, those that the player knows (gaps 15, A6)."""
    try:
        return platform.videos.subtitles(video_id)
    except (errors.Missing, errors.NotAllowed):
        video = platform.videos.get(video_id)
        return video.config_subtitles if video.tells_config else _read_config(platform, video).subtitles


def read_subtitle(platform: Operations, video_id: str, lang: str) -> str:
    """A video's WebVTT text in a language; where the platform's API does not give it, out of its public file (gaps 15, A9)."""
    try:
        return platform.videos.read_subtitle(video_id, lang)
    except (errors.Missing, errors.NotAllowed):
        return _read_file(platform, platform.videos.get(video_id), lang)


def load_subtitles(reader: Reads, video_id: str) -> tuple[Subtitle, ...]:
    """The same as `list_subtitles` for a page, out of what is known. Raises the `PlatformError` of a read that failed."""
    try:
        return reader.get(lambda platform: platform.videos.subtitles(video_id))
    except (errors.Missing, errors.NotAllowed):
        video = reader.get(lambda platform: platform.videos.get(video_id))
        if video.tells_config:
            return video.config_subtitles
        return reader.get(lambda platform: _read_config(platform, video)).subtitles


def load_subtitle_text(reader: Reads, video: Video, lang: str, outcome: Outcome) -> Outcome:
    """`outcome` of the text as the platform's API gives it; else that of its public file, where there is one."""
    if not isinstance(outcome, Failed) or not isinstance(outcome.error, errors.Missing | errors.NotAllowed):
        return outcome
    public = reader.gather(text=lambda platform: _read_file(platform, video, lang))["text"]
    return outcome if isinstance(public, Failed) and isinstance(public.error, errors.Missing) else public


def _read_video(platform: Operations, video: str) -> Video:
    return platform.videos.get(video)


def _read_config(platform: Operations, video: Video) -> VideoConfig:
    return platform.public_files.video(video.pullzone or "", video.external_id)


def _read_file(platform: Operations, video: Video, lang: str) -> str:
    """Raises `Missing` for a video whose zone or external id is not known, and where the host of such files is not set."""
    spelled = next((one.lang for one in video.config_subtitles if one.lang.lower() == lang.lower()), lang)
    return platform.public_files.subtitle(video.pullzone or "", video.external_id, spelled)

"""Titles of videos that an answer names by their ids alone, from what is known of the account: no video is asked for."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from dashboard.platform_api import Operations
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.questions import question_of
from dashboard.platform_api.records.videos import Video, pullzone_of
from dashboard.platform_api.values import Unreadable
from dashboard.upstream import background, decoding, library, store
from dashboard.upstream.decoding import Reader
from dashboard.upstream.reads import Reads

if TYPE_CHECKING:
    from dashboard.accounts.models import Account

LISTS: Final = 20
"""Known lists of videos that are looked through, the newest first."""
ANY: Final = "any"
"""Stands for the id of a video whose answer is known: nothing is asked with it."""
LIST_AGE: Final = timedelta(minutes=15)
"""How old the list may be: a title that it does not have is hardly in one of the next minute."""


def find_titles(account: "Account", video_ids: Iterable[str], patience: float = 0.0) -> dict[str, str]:
    """The titles that are known, by id. For the rest, one list of videos is read beside the page, which follows it.

    `patience`: seconds to wait for it.
    """
    missing = set(video_ids)
    known = known_titles(account.pk, missing)
    if missing <= set(known) or library.is_listed(Reads(account), LIST_AGE):
        return known
    background.begin(account.pk, partial(_list_beside, account, missing - set(known)), patience)
    return known_titles(account.pk, missing)


def _list_beside(account: "Account", video_ids: set[str]) -> bool:
    """Read the list; whether it has one of these titles."""
    library.all_entries(Reads(account), LIST_AGE.total_seconds())
    return bool(known_titles(account.pk, video_ids))


def known_titles(account_id: UUID, video_ids: Iterable[str]) -> dict[str, str]:
    """The titles of these videos that are known here, by id, or by the external id that they were asked for with."""
    return {video_id: title for video_id, (_own, title) in known_videos(account_id, video_ids).items()}


def known_videos(account_id: UUID, video_ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Id and title of those of these videos that are known here. Public files and players name them by their external ids.

    Nothing is read.
    """
    missing = set(video_ids)
    found: dict[str, tuple[str, str]] = {}
    for videos in _all_known(account_id, missing):
        found |= {key: video for key, video in videos.items() if video[1] and key in missing and key not in found}
        if len(found) == len(missing):
            break
    return found


def _all_known(account_id: UUID, video_ids: set[str]) -> Iterator[dict[str, Any]]:
    """Id and title by id: of the videos that were read themselves, then of one known list or video after the other."""
    readers: dict[str, Reader] = {}
    for video in video_ids:
        call = partial(_of_one, video)
        with suppress(CallError):  # an id that no address can hold
            readers[question_of(call).digest] = Reader(call, "title")
    yield _read(account_id, readers)
    for operation, read in (("videos.list", _of_list), ("videos.get", _of_any)):
        for digest in store.digests_of(account_id, operation, LISTS) if video_ids else ():
            yield _read(account_id, {digest: Reader(read, "titles")})


def _read(account_id: UUID, readers: dict[str, Reader]) -> dict[str, Any]:
    """What known answers say, by the digests of their questions."""
    said: dict[str, Any] = {}
    for digest, known in store.load(account_id, readers).items():
        with suppress(Unreadable, CallError):
            said |= decoding.get(account_id, digest, readers[digest], known)
    return said


def find_player(account_id: UUID) -> str:
    """The player's address of a video that is known of the account; "" where none is. Nothing is read."""
    for digest in store.digests_of(account_id, "videos.list", LISTS):
        if player := str(_read(account_id, {digest: Reader(_player_of_list, "player")}).get("player") or ""):
            return player
    return ""


def find_pullzone(account: "Account") -> str:
    """The account's CDN zone name: as it was told with its A/B tests, or out of a known video; "" for neither."""
    return account.pullzone or pullzone_of(find_player(account.pk)) or ""


def _player_of_list(platform: Operations) -> dict[str, str]:
    return {"player": next((video.player_url for video in platform.videos.list().videos if video.player_url), "")}


def _of_list(platform: Operations) -> dict[str, tuple[str, str]]:
    return _name(platform.videos.list().videos)


def _of_any(platform: Operations) -> dict[str, tuple[str, str]]:
    """What the answer about one video says, whichever it is about."""
    return _name([platform.videos.get(ANY)])


def _name(videos: Iterable[Video]) -> dict[str, tuple[str, str]]:
    return {key: (video.id, video.title) for video in videos for key in (video.external_id, video.id) if key}


def _of_one(video_id: str, platform: Operations) -> dict[str, tuple[str, str]]:
    return {video_id: (video_id, platform.videos.get(video_id).title)}

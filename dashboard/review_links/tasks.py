"""What is read of review links beside the pages: links that were made elsewhere, and their comments.

The platform lists links per video only, so a page has a few videos looked at each time, those not looked at for longest
first; the worker looks through the library.
"""

import time
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import count as count_from
from typing import Any, Final, NamedTuple, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.reviews import ReviewLink
from dashboard.platform_api.videos import Video, VideoPage
from dashboard.platform_api.vocabulary import LinkStatus
from dashboard.review_links.models import LinkReading
from dashboard.shared.http import OwnerRequest
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, clients, languages, page_sources, reads, store
from dashboard.upstream.parallel import Failed, Ready, gather
from dashboard.upstream.reads import Query
from dashboard.writes import library_refresh, schedule
from review_portal import imports, models, owners, sync

Thing = TypeVar("Thing")
SECONDS: Final = 60
"""How long what was found of a video counts as new."""
VIDEOS_PER_PAGE: Final = 12
"""Videos looked at per page, of a platform that is a network away."""
FIRST_VIDEOS: Final = 24
"""Videos looked at for an account that is new here."""
PAGE: Final = 100
VIDEOS_MAX: Final = 500
OPERATION: Final = "review_links.list"
PASSING: Final = errors.Missing | errors.Refused
"""Errors that are about one video or link: the next one may be read all the same."""
LIST_SECONDS: Final = 15 * 60.0
"""How old the list of videos may be that the worker looks through."""
ROUND: Final = timedelta(hours=20)
"""After so long the worker looks again for links that were made elsewhere."""
TROUBLE_SECONDS: Final = 15
"""How long pages say that the platform could not be read."""


@dataclass(frozen=True)
class ImportProgress:
    """How far the account's videos have been looked through: `total` None where links cannot be read."""

    through: int = 0
    total: int | None = None
    error: errors.CallError | None = None

    @property
    def complete(self) -> bool:
        return self.total is None or self.through >= self.total


NOTHING_LEFT: Final = ImportProgress()


def refresh_links(request: OwnerRequest, most: int | None = None) -> ImportProgress:
    """Have links of videos that were not looked at for a while taken in; with `most`, of no more than so many."""
    if not sync.is_readable():
        return ImportProgress()
    try:
        videos = _list_videos(request)
    except errors.PlatformError as error:
        return ImportProgress(0, 0, error)
    account = request.account
    waiting = _select_due(account, videos)
    batch = waiting[:most] if most else waiting if clients.embedded() else waiting[:VIDEOS_PER_PAGE]
    if batch:
        page_sources.begin_work(account.pk, partial(_import_links, account, batch))
        waiting = _select_due(account, videos)
    return ImportProgress(len(videos) - len(waiting), len(videos), _get_last_error(account))


def load_progress(request: OwnerRequest) -> ImportProgress:
    """How far the comments of the account's links are known, after a first look where no link is known yet: at its newest
    videos and their comments.

    `error` is why no link could be read; links that are switched off are left out, as nobody reads them.
    """
    progress = NOTHING_LEFT
    if not request.account.review_links.exists():
        progress = refresh_links(request, FIRST_VIDEOS)
        refresh_comments(request, list(owners.list_links(request.account)), FIRST_VIDEOS)
    if not progress.complete or not sync.is_readable():
        return progress
    unread = list(request.account.review_links.filter(status=LinkStatus.ACTIVE, merged_at=None)[:FIRST_VIDEOS])
    failures = [error for link in unread if (error := sync.get_last_error(link))]
    return ImportProgress(0, len(unread), failures[0] if len(failures) == len(unread) else None) if unread else progress


def _list_videos(request: OwnerRequest) -> list[Video]:
    """The account's newest videos: the first page is waited for, the others are there when somebody looks again."""
    first = reads.of(request).get(_build_page_query(1))
    pages = first.pages or (VIDEOS_MAX // PAGE if len(first.videos) >= PAGE else 1)
    rest = reads.of(request).spare(
        **{f"page{n}": _build_page_query(n) for n in range(2, min(pages, VIDEOS_MAX // PAGE) + 1)}
    )
    pages_of_videos = [outcome.value.videos for outcome in rest.values() if isinstance(outcome, Ready)]
    return [*first.videos, *(video for videos in pages_of_videos for video in videos)]


def _build_page_query(number: int, seconds: float = SECONDS) -> Query[VideoPage]:
    return Query(lambda platform: platform.videos.list(page=number, limit=PAGE), seconds)


def _select_due(account: Account, videos: Sequence[Video]) -> list[Video]:
    marks = cache.get_many([_cache_key(account, video.id) for video in videos])
    return [video for video in videos if _cache_key(account, video.id) not in marks]


def _import_links(account: Account, videos: Sequence[Video]) -> bool:
    """Take in the links of these videos; whether that changed anything."""
    before = owners.load_versions(account)
    _save_last_error(account, next(iter(_read_links(account, videos).values()), None))
    return owners.load_versions(account) != before


def _read_links(account: Account, videos: Sequence[Video]) -> dict[str, errors.CallError]:
    """Take in the links of these videos. Returns the error of each that could not be read."""
    queries, failures = {video.id: _build_links_query(video.id) for video in videos}, {}
    outcomes = reads.Reads(account).gather(settings.PLATFORM_TIMEOUT, **queries)
    for video in videos:
        match outcomes[video.id]:
            case Ready(listed, error=None):
                _save_links(account, video, listed)
                cache.set(_cache_key(account, video.id), 1, SECONDS)
            case Ready(error=errors.CallError() as failed) | Failed(failed):
                failures[video.id] = failed
    return failures


def read_on(row: LinkReading, until: float) -> int:
    """Read the next videos' links and then comments, and note when the next ones follow. Returns how many were read.

    Begins no read after `until`, a moment of `time.monotonic`.
    """
    count, error = 0, None
    try:
        count, error = _read_slice(row, until)
    except Unreadable:  # the key of its token is gone: a person has to sign in again
        error = errors.BadToken(OPERATION)
    except errors.CallError as failed:
        if library_refresh.wait_for_budget(failed, until):  # there was no room for the list
            return read_on(row, until)
        error = failed
    library_refresh.put_off(row, error, is_done=not row.left and not isinstance(error, errors.OverBudget))
    return count


def _read_slice(row: LinkReading, until: float) -> tuple[int, errors.CallError | None]:
    """How many videos and links were read, and what ended it early. A video that the platform refuses is passed over."""
    account, most, count, error = row.account, budget.background_calls(), 0, None
    videos = _list_all_videos(account)
    known = store.read_moments(account.pk, OPERATION)
    untold = languages.untold(account, [video.id for video in videos if video.id not in known], OPERATION)
    waiting = [video for video in videos if video.id not in known and video.id not in untold]
    unread = {video.id for video in waiting}
    _note_progress(row, videos, unread)
    old = timezone.now() - ROUND
    waiting += [video for video in videos if video.id in known and known[video.id] < old]

    def read_videos(group: list[Video]) -> tuple[list[Video], Iterable[errors.CallError]]:
        failures = _read_links(account, group)
        for video in group:
            if isinstance(failures.get(video.id), PASSING):
                languages.note_untold(account, video.id, OPERATION)
        unread.difference_update(video.id for video in group if isinstance(failures.get(video.id), PASSING | None))
        return [video for video in group if isinstance(failures.get(video.id), errors.OverBudget)], failures.values()

    def read_comments(group: list[models.ReviewLink]) -> tuple[list[models.ReviewLink], Iterable[errors.CallError]]:
        gather(settings.PLATFORM_TIMEOUT, **{str(link.pk): partial(sync.merge, link) for link in group})
        return [], filter(None, map(sync.get_last_error, group))

    def read_all(
        read: Callable[[list[Thing]], tuple[list[Thing], Iterable[errors.CallError]]], left: list[Thing]
    ) -> None:
        nonlocal count, error
        while left and error is None and count < most and time.monotonic() <= until:
            group = left[: library_refresh.AT_ONCE]
            with library_refresh.take_turn(account.pk):
                again, troubles = read(group)
            left[: len(group)] = again
            count += len(group) - len(again)
            error = library_refresh.first_ending(troubles, PASSING)
            error = None if library_refresh.wait_for_budget(error, until) else error
            _note_progress(row, videos, unread)

    read_all(read_videos, waiting)
    read_all(read_comments, list(_list_unread_links(account)))
    return count, error


def _list_all_videos(account: Account) -> list[Video]:
    """Every video of the account, newest first, as listed at most a quarter of an hour ago."""
    videos: list[Video] = []
    for number in count_from(1):
        with library_refresh.take_turn(account.pk):
            page = reads.Reads(account).get(_build_page_query(number, LIST_SECONDS)).videos
        videos += page
        if len(page) < PAGE:
            break
    return videos


def _list_unread_links(account: Account) -> QuerySet[models.ReviewLink]:
    """Links that people can open whose comments were never read here."""
    return account.review_links.filter(status=LinkStatus.ACTIVE, merged_at=None)


def _note_progress(row: LinkReading, videos: Sequence[Video], unread: Collection[str]) -> None:
    """Keep how far the reading is, for the pages that say so."""
    links = [str(video) for video in _list_unread_links(row.account).values_list("video_id", flat=True)]
    left, read = len(unread) + len(links), len(videos) - len({*unread, *links})
    if (row.videos, row.read, row.left) != (len(videos), read, left):
        row.videos, row.read, row.left = len(videos), read, left
        LinkReading.objects.filter(pk=row.pk).update(videos=row.videos, read=row.read, left=row.left)


def _build_links_query(video_id: str) -> Query[Sequence[ReviewLink]]:
    return Query(lambda platform: platform.review_links.list(video_id), SECONDS)


def _save_links(account: Account, video: Video, records: Sequence[ReviewLink]) -> bool:
    """Take in what was listed of a video; whether anything of it is new."""
    links, is_new = imports.save_links(account, imports.select_links_of_video(records, video), video)
    for link in links:
        imports.complete_video(account, link)
    return is_new


class RefreshedVideo(NamedTuple):
    """One video, where it could be read. `error`: what the platform could not answer."""

    video: Video | None
    error: errors.CallError | None
    has_new_links: bool = False
    """Whether its links, or what they show, are not what was known of them."""


def refresh_video(request: OwnerRequest, video_id: uuid.UUID) -> RefreshedVideo:
    """One video, with its links taken in where they can be read.

    A video of which nothing is known here is waited for: raises its error, `Missing` for another account's.
    """
    is_known = owners.list_links(request.account, video_id).exists()
    calls: dict[str, Any] = {"video": lambda platform: platform.videos.get(video_id)}
    if sync.is_readable():
        calls["links"] = _build_links_query(str(video_id))
    elif is_known:
        return RefreshedVideo(None, None)
    outcomes = reads.of(request).gather(None if is_known else settings.PLATFORM_TIMEOUT, **calls)
    failed = [outcome.error for outcome in outcomes.values() if isinstance(outcome, Failed)]
    video, records = outcomes["video"], outcomes.get("links")
    if not isinstance(video, Ready):
        if is_known:
            return RefreshedVideo(None, next(iter(failed), None))
        raise video.error if isinstance(video, Failed) else errors.Unreachable("videos.get")
    has_new_links = isinstance(records, Ready) and _save_links_once(request.account, video.value, records)
    return RefreshedVideo(video.value, next(iter(failed), getattr(records, "error", None)), has_new_links)


def _save_links_once(account: Account, video: Video, records: "Ready[Sequence[ReviewLink]]") -> bool:
    """Take in what was listed, unless this very answer was taken in before; whether anything of it is new."""
    key = f"review-links:{account.pk}:taken:{video.id}"
    if cache.get(key) == records.at:
        return False
    is_new = _save_links(account, video, records.value)
    cache.set(key, records.at, SECONDS)
    return is_new


def refresh_comments(
    request: OwnerRequest, rows: Sequence[models.ReviewLink], most: int | None = None
) -> errors.CallError | None:
    """Have new comments of the links that a page shows brought in, those not read for longest first.

    Returns what the platform could not answer a moment ago.
    """
    if not sync.is_readable():
        return None
    waiting = sorted(rows, key=_get_read_time)
    batch = waiting[:most] if most else waiting if clients.embedded() else waiting[:VIDEOS_PER_PAGE]
    if batch:
        page_sources.begin_work(request.account.pk, partial(_merge_links, request.account, batch))
    return _get_last_error(request.account)


def refresh_some(rows: Iterable[models.ReviewLink], most: int) -> None:
    """Have new comments of a few links brought in, those not read for longest first, for a page that asks later itself."""
    for link in sorted(rows, key=_get_read_time)[:most]:
        sync.merge_in_background(link)


def refresh_comments_of_link(request: OwnerRequest, link: models.ReviewLink) -> errors.CallError | None:
    """Have new comments of one link brought in, with what its video lacks: waited for where none was ever read, else beside
    its page.

    Returns why they could not be read when that was last tried.
    """
    if sync.is_readable() and sync.get_read_at(link) is None:
        sync.merge(link)
    elif sync.is_readable() or not imports.is_video_complete(link):
        page_sources.begin_work(request.account.pk, partial(_merge_link, request.account, link.pk))
        link.refresh_from_db()
    return sync.get_last_error(link)


def _merge_link(account: Account, link_id: uuid.UUID) -> bool:
    """Bring in what its video lacks and new comments of the link; whether its page shows anything else now."""
    link = owners.get_link(account, link_id)
    before = link.version, type(sync.get_last_error(link))
    imports.complete_video(account, link)
    sync.merge(link)
    link.refresh_from_db()
    return (link.version, type(sync.get_last_error(link))) != before


def _merge_links(account: Account, rows: Sequence[models.ReviewLink]) -> bool:
    """Bring in new comments of these links; whether that changed anything."""
    before = owners.load_versions(account)
    gather(settings.PLATFORM_TIMEOUT, **{str(link.pk): partial(sync.merge, link) for link in rows})
    _save_last_error(account, next(filter(None, map(sync.get_last_error, rows)), None))
    return owners.load_versions(account) != before


def _get_read_time(link: models.ReviewLink) -> float:
    """When the link was last read, whether or not that brought anything new: else quiet links would always be first."""
    at = sync.get_read_at(link)
    return at.timestamp() if at else 0.0


def _cache_key(account: Account, video_id: str) -> str:
    return f"review-links:{account.pk}:looked:{video_id}"


def _error_key(account: Account) -> str:
    return f"review-links:{account.pk}:trouble"


def _get_last_error(account: Account) -> errors.CallError | None:
    error: errors.CallError | None = cache.get(_error_key(account))
    return error


def _save_last_error(account: Account, error: errors.CallError | None) -> None:
    if error is None:
        cache.delete(_error_key(account))
    else:
        cache.set(_error_key(account), error, TROUBLE_SECONDS)


def begin(account: Account) -> LinkReading | None:
    """Let the worker look through the library: somebody looks. The first time it begins now.

    None where there is nothing left to read, or nothing can be read: then what is known here is all that there is to count.
    """
    if not sync.is_readable():
        return None
    row = library_refresh.want(LinkReading, account)
    if row.is_done:
        return None
    if cache.add(f"review-links:{account.pk}:begun", 1, library_refresh.EVERY.total_seconds()):
        read_links.enqueue()
    return row


@task()
def read_links() -> int:
    """Read on for accounts that somebody was signed in to lately. Returns how many videos and links were read."""
    if not sync.is_readable():
        return 0
    library_refresh.want_for_all_seen(LinkReading)
    return library_refresh.read_due(LinkReading, read_on)


def is_wanted() -> bool:
    """Whether somebody was signed in lately of whose links there is something to read now."""
    if not sync.is_readable():
        return False
    library_refresh.want_for_all_seen(LinkReading)
    return library_refresh.is_due(LinkReading)


schedule.recur(read_links, every=library_refresh.EVERY, when=is_wanted)

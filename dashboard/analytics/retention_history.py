"""Stored retention of all videos. The platform reports one video at a time [4.5], so the worker reads it in slices.

A slice lists the videos once a day, with their folders and plays, then reads the curves that are needed, the most played
first and at most four at a time, and compares them when all are there. It stops where the platform asks for a pause. All
that was read is kept at once: a worker that is killed loses nothing of it.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.analytics import losses, spoken_lines
from dashboard.analytics.losses import PLAYS_LEAST, PlayedVideo, Verdict
from dashboard.analytics.models import RetentionList, VideoRetention
from dashboard.analytics.traffic_history import get_yesterday
from dashboard.analytics.video_facts import build_rankings, get_recent_days, load_plays
from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.errors import BadToken, CallError, Missing, OverBudget, RateLimited, Refused, Unreachable
from dashboard.shared import metrics, retention
from dashboard.shared.days import Days
from dashboard.shared.entries import Entry, Shelf
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, clients, library
from dashboard.upstream.parallel import Failed, Outcome, Ready, gather
from dashboard.upstream.reads import Reads
from dashboard.writes import library_refresh

LIST_SECONDS: Final = 15 * 60.0
"""How old the list of videos may be."""
PASSING: Final = Missing | Refused
"""Errors that are about one video: the next one may be read all the same."""
PAUSES: Final = BadToken | RateLimited
"""Errors that are about no video: the next slice reads it again."""
DEEPEST: Final = 50
"""Folders above a video that are looked for: a ring of them ends there."""
LISTED: Final = ("title", "folders", "folder_path", "length", "created_on", "plays", "obstacle", "listed_at")
JUDGED: Final = ("verdict", "minutes", "alike", "typical", "moment", "later", "share", "usual")


@dataclass
class Slice:
    """One slice: the calls it made, how many it may make, until when (of `time.monotonic`), and what ended it early."""

    most: int
    until: float
    calls: int = 0
    error: CallError | None = None

    @property
    def goes_on(self) -> bool:
        """Whether another call may begin."""
        return self.error is None and self.calls < self.most and time.monotonic() <= self.until

    def note(self, calls: int, troubles: Iterable[CallError]) -> None:
        """Count calls and keep what ends the slice: a pause first. Waits where the budget soon has room again."""
        self.calls += calls
        error = library_refresh.first_ending(troubles, PASSING)
        self.error = None if library_refresh.wait_for_budget(error, self.until) else error


def read_next_slice(listing: RetentionList, until: float) -> int:
    """Read the next slice of an account and schedule the one after it. Returns how many calls it made."""
    part, left = Slice(budget.background_calls(), until), True
    try:
        left = _read_slice(listing, part)
    except Unreadable:  # the key of its token is gone: a person has to sign in again
        part.error = BadToken("videos.list")
    except CallError as error:  # of the list: it comes whole or not at all
        if library_refresh.wait_for_budget(error, until):  # there was no room for it
            return read_next_slice(listing, until)
        part.error = error
    is_done = not left and not isinstance(part.error, OverBudget)
    library_refresh.put_off(listing, part.error, is_done=is_done)
    return part.calls


def _read_slice(listing: RetentionList, part: Slice) -> bool:
    """Do what comes next, as far as it may go. Returns whether something is left. Raises the `CallError` of the list."""
    account, yesterday = listing.account, get_yesterday()
    if listing.last_day != yesterday:
        list_videos(account)
        listing.last_day = yesterday
    waiting = VideoRetention.objects.filter(account=account, obstacle="").exclude(last_day=yesterday)
    queue = list(waiting.order_by(F("last_day").asc(nulls_first=True), "-plays", "video_id"))
    queue.sort(key=lambda video: video.failed_day == yesterday)  # what failed today waits until all others are read
    _note_progress(listing)
    while queue and part.goes_on:
        queue = queue[library_refresh.AT_ONCE :] + read_curves(account, queue[: library_refresh.AT_ONCE], part)
        _note_progress(listing)
    if queue:
        return True
    if _is_news(listing):
        judge(listing)
    return spoken_lines.read_lines(account, part)


def list_videos(account: Account) -> None:
    """Keep every video as the list, the folders and the ranking have it, and forget those that are gone.

    Raises the `CallError` of the list or the ranking.
    """
    reads, now = Reads(account), timezone.now()
    entries = library_refresh.read_entries(reads, LIST_SECONDS)
    with library_refresh.take_turn(account.pk):
        outcomes = reads.gather(library.waiting(), folders=library.FOLDERS, now=build_rankings()["now"])
    # A list without plays would judge nothing for a day, and one without folders would find nothing in them.
    _get_value(outcomes["now"], "analytics.ranking")
    shelves = {shelf.id: shelf for shelf in _get_value(outcomes["folders"], "folders.list")}
    plays = _load_plays(account, entries)
    rows = [_build_row(account, entry, shelves, plays[entry.id], now) for entry in entries]
    mine = VideoRetention.objects.filter(account=account)
    with transaction.atomic():
        lengths = dict(mine.exclude(verdict="").values_list("video_id", "length"))
        VideoRetention.objects.bulk_create(
            {row.video_id: row for row in rows}.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["account", "video_id"],
            update_fields=LISTED,
        )
        mine.filter(listed_at__lt=now).delete()
        changed = [row.video_id for row in rows if row.length != lengths.get(row.video_id, row.length)]
        _forget_loss(mine.filter(video_id__in=changed, obstacle=""), "")
        _forget_loss(mine.exclude(verdict="").exclude(obstacle=""), F("obstacle"))
        RetentionList.objects.filter(pk=account.pk).update(listed_at=now, last_day=get_yesterday())


def _get_value(outcome: Outcome, operation: str) -> Any:
    """What was read. Raises the `CallError` of what was not."""
    if isinstance(outcome, Ready):
        return outcome.value
    raise outcome.error if isinstance(outcome, Failed) else Unreachable(operation)


def _forget_loss(videos: QuerySet[VideoRetention], verdict: Verdict | F | str) -> None:
    """Take videos out of the last comparison: what it drew does not fit what is known of them now."""
    videos.update(verdict=verdict, minutes=0.0, alike=0, typical=None, moment=None, later=None, share=None, usual=None)


def _load_plays(account: Account, entries: Sequence[Entry]) -> dict[str, float | None]:
    """The plays of every video. One that a cut ranking leaves out has at most as many as the last that it names."""
    facts = load_plays(account)
    counts = {video: float(now) for video, (now, _before) in facts.values.items()}
    rest = 0.0 if facts.rest is not None else min(counts.values(), default=float("inf"))
    unnamed = rest if rest < PLAYS_LEAST else None
    return {entry.id: counts.get(entry.id, unnamed) for entry in entries}


def _build_row(
    account: Account, entry: Entry, shelves: Mapping[str, Shelf], plays: float | None, now: datetime
) -> VideoRetention:
    folders = _list_folders(entry.folder_id, shelves)
    created = datetime.fromtimestamp(entry.created, UTC).date() if entry.created is not None else None
    days = (get_yesterday() - created).days if created is not None else None
    return VideoRetention(
        account=account,
        video_id=entry.id,
        title=entry.title[:255],
        folders=folders,
        folder_path="".join(f"/{folder}" for folder, _name in folders) + "/",
        length=entry.length,
        created_on=created,
        plays=None if plays is None else round(plays),
        obstacle=losses.find_obstacle(plays, entry.length, days) or "",
        listed_at=now,
    )


def _list_folders(folder: str, shelves: Mapping[str, Shelf]) -> list[tuple[str, str]]:
    """A folder and those above it, from the root down."""
    path: list[tuple[str, str]] = []
    while folder in shelves and len(path) < DEEPEST:
        path.append((folder, shelves[folder].name))
        folder = shelves[folder].parent
    return path[::-1]


def read_curves(account: Account, videos: Sequence[VideoRetention], part: Slice) -> list[VideoRetention]:
    """Read the curves of these videos side by side and keep them. Returns those that were not told, for another time."""
    platform, days = clients.platform_at(account, clients.capabilities_of(account).places()), get_recent_days()
    reads = {
        video.video_id: partial(platform.analytics.retention, video.video_id, days.start, days.end) for video in videos
    }
    with library_refresh.take_turn(account.pk):
        outcomes = gather(float(settings.PLATFORM_TIMEOUT), **reads)
    rest = []
    for video in videos:
        outcome = outcomes[video.video_id]
        if isinstance(outcome, Ready):
            _save_curve(video, days.end, _parse_curve(outcome.value, video.length or 0.0))
        elif isinstance(outcome, Failed) and isinstance(outcome.error, PASSING):
            _save_curve(video, days.end, None)
        elif not _give_up(video, outcome, days.end):
            rest.append(video)
    part.note(len(videos), (outcome.error for outcome in outcomes.values() if isinstance(outcome, Failed)))
    return rest


def _give_up(video: VideoRetention, outcome: Outcome, last_day: date) -> bool:
    """Note that a video's read failed. Returns whether it is left as it was until tomorrow: one failure does not stop all.

    That is at its second failure, when every other video has been read or has failed too, and at least one was read.
    """
    if isinstance(outcome, Failed) and isinstance(outcome.error, PAUSES):
        return False
    if video.failed_day != last_day:
        video.failed_day = last_day
        video.save(update_fields=["failed_day"])
        return False
    needed = VideoRetention.objects.filter(account=video.account_id, obstacle="")
    if needed.exclude(last_day=last_day).exclude(failed_day=last_day).exists():
        return False
    if not needed.filter(last_day=last_day).exists():
        return False
    return bool(VideoRetention.objects.filter(pk=video.pk).update(last_day=last_day))


def _parse_curve(answer: Analytics, length: float) -> tuple[int, ...] | None:
    """The curve of an answer; None where it is empty, or of a shape that is not known."""
    points = metrics.parse_retention(answer.table) if answer.table else None
    return losses.sample_curve(retention.build_curve(points), length) if points else None


def _save_curve(video: VideoRetention, last_day: date, curve: tuple[int, ...] | None) -> None:
    row = VideoRetention.objects.filter(pk=video.pk)
    row.update(curve=curve, last_day=last_day)
    if curve is None:
        _forget_loss(row.exclude(verdict=""), Verdict.NO_CURVE)


def _note_progress(listing: RetentionList) -> None:
    """Keep how far the reading is, for the page that says so."""
    needed = VideoRetention.objects.filter(account=listing.account, obstacle="")
    videos, read = needed.count(), needed.exclude(last_day=None).count()
    if (listing.videos, listing.read) != (videos, read):
        listing.videos, listing.read = videos, read
        RetentionList.objects.filter(pk=listing.pk).update(videos=videos, read=read)


def _is_news(listing: RetentionList) -> bool:
    """Whether the last comparison was not of the days that are read now."""
    judged_day = RetentionList.objects.filter(pk=listing.pk).values_list("judged_day", flat=True).first()
    return judged_day != listing.last_day


def judge(listing: RetentionList) -> None:
    """Compare every video with those of like length, and keep what each loses."""
    rows = {
        row.video_id: row
        for row in VideoRetention.objects.filter(account=listing.account, obstacle="").select_related("account")
    }
    comparable = [
        PlayedVideo(row.video_id, row.length, row.plays, tuple(row.curve))
        for row in rows.values()
        if row.curve and row.length and row.plays
    ]
    for row in rows.values():
        row.verdict, row.minutes, row.alike, row.typical = Verdict.NO_CURVE, 0.0, 0, None
        row.moment = row.later = row.share = row.usual = None
    for video, alike, loss in losses.list_losses(comparable):
        _set_loss(rows[video.id], alike, loss)
    with transaction.atomic():
        VideoRetention.objects.filter(account=listing.account).exclude(obstacle="").update(verdict=F("obstacle"))
        VideoRetention.objects.bulk_create(
            rows.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["account", "video_id"],
            update_fields=JUDGED,
        )
        RetentionList.objects.filter(pk=listing.pk).update(judged_at=timezone.now(), judged_day=listing.last_day)


def _set_loss(row: VideoRetention, alike: int, loss: losses.Loss | None) -> None:
    row.alike = alike
    if loss is None:
        row.verdict = Verdict.FEW_ALIKE
        return
    row.verdict = Verdict.USUAL
    row.minutes, row.typical = loss.minutes, [round(share) for share in loss.typical]
    if loss.moment is not None:
        row.verdict = Verdict.LOSES
        row.moment, row.later = loss.moment.at, loss.moment.later
        row.share, row.usual = loss.moment.share, loss.moment.usual


def get_compared_days(listing: RetentionList) -> Days | None:
    """The days of the last comparison; None before the first."""
    if listing.judged_day is None:
        return None
    return Days(listing.judged_day - timedelta(days=len(get_recent_days()) - 1), listing.judged_day)

"""Stored retention of all videos. The platform reports one video at a time [4.5], so the worker reads it in slices.

A slice lists the videos once a day, with their folders and plays, then reads the curves that are needed, the most played
first and at most four at a time, compares them when all are there, and reads what is said where a video loses its viewers.
It stops where the platform asks for a pause. All that was read is kept at once: a worker that is killed loses nothing of it.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any, Final, Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.analytics import rules
from dashboard.analytics.models import RetentionList, VideoRetention
from dashboard.analytics.rules import PLAYS_LEAST, PlayedVideo, Verdict
from dashboard.analytics.traffic_history import build_rankings, get_recent_days, get_yesterday, load_plays
from dashboard.platform_api import Operations
from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.errors import BadToken, CallError, Missing, OverBudget, RateLimited, Refused, Unreachable
from dashboard.shared import cues, metrics, retention
from dashboard.shared.cues import Cue
from dashboard.shared.entries import Entry, Shelf
from dashboard.shared.ranges import Days
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, clients, languages, library
from dashboard.upstream.parallel import Failed, Outcome, Ready, gather
from dashboard.upstream.reads import Reads
from dashboard.writes import library_refresh

TEXTS_MOST: Final = 4
"""Languages of a video that are looked through until one says something at the moment."""
NEAR: Final = 10.0
"""Seconds between a moment at which nothing is said and a line that stands for it."""
FIRST_PAUSE: Final = timedelta(minutes=10)
LONGEST_PAUSE: Final = timedelta(days=1)
CHAPTER_CALLS: Final = 2
"""Reads that it takes to know the bookmarks of a video."""
LINE_MOST: Final = 400
"""Characters of a line that are kept."""


class CallCount(Protocol):
    """The slice in which lines are read: whether it goes on, and what it notes."""

    @property
    def goes_on(self) -> bool: ...

    def note(self, calls: int, troubles: Sequence[CallError]) -> None: ...


@dataclass(frozen=True)
class SpokenLine:
    """A line with its language; without `text` nothing is said there, without `lang` there are no subtitles.

    `calls`: how many it took to know that.
    """

    text: str = ""
    lang: str = ""
    at: float | None = None
    calls: int = 1
    chapter: str = ""
    """The video's bookmark in which the moment is."""


def read_lines(account: Account, part: CallCount) -> bool:
    """Read the lines of the videos that lose and whose moment is new, the most lost first. Returns whether some are left.

    A video whose subtitles cannot be read waits, twice as long each time, and keeps no other waiting.
    """
    losing = VideoRetention.objects.filter(account=account, verdict=Verdict.LOSES, moment__isnull=False)
    unread = losing.filter(Q(line_for=None) | ~Q(line_for=F("moment")))
    now = timezone.now()
    waiting = Q(line_next_at__gt=now, line_next_at__lte=now + LONGEST_PAUSE)  # later: of a clock that ran ahead
    due = unread.filter(Q(line_next_at=None) | ~waiting)
    queue = list(due.only("video_id", "moment", "line_failures").order_by("-minutes", "video_id"))
    own = rank_languages(account) if queue else ()
    while queue and part.goes_on:
        _read_group(account, queue[: library_refresh.AT_ONCE], own, part)  # of each video one call is in flight
        queue = queue[library_refresh.AT_ONCE :]
    return unread.exists()


def get_pause(failures: int) -> timedelta:
    """How long a video waits after so many failures in a row."""
    doubled: int = 2 ** min(failures - 1, 10)
    return min(FIRST_PAUSE * doubled, LONGEST_PAUSE)


def rank_languages(account: Account) -> tuple[str, ...]:
    """The languages (lower case) in which most videos have subtitles, as far as is known: the account's own come first."""
    known = languages.all_languages(Reads(account)).values()
    return tuple(lang for lang, _count in Counter(lang for langs in known for lang in sorted(langs)).most_common())


def _read_group(account: Account, videos: Sequence[VideoRetention], own: Sequence[str], part: CallCount) -> None:
    """Read and keep the lines of these videos, and when those that were not told are tried again."""
    platform = clients.platform_at(account, clients.capabilities_of(account).places())
    reads = {video.video_id: partial(read_line, platform, video.video_id, video.moment or 0.0, own) for video in videos}
    patience = float(settings.PLATFORM_TIMEOUT) * (1 + TEXTS_MOST)
    with library_refresh.take_turn(account.pk, patience):
        outcomes = gather(patience, **reads)
    calls = 0
    for video in videos:
        outcome = outcomes[video.video_id]
        if not isinstance(outcome, Ready):
            calls += 1
            if not isinstance(outcome, Failed) or not isinstance(outcome.error, OverBudget | RateLimited):
                _put_off(video)
            continue
        line: SpokenLine = outcome.value
        calls += line.calls
        VideoRetention.objects.filter(pk=video.pk).update(
            chapter=line.chapter[:LINE_MOST], line=line.text[:LINE_MOST], line_lang=line.lang[:40], line_at=line.at,
            line_for=video.moment,
            line_failures=0, line_next_at=None,
        )  # fmt: skip
    part.note(calls, [outcome.error for outcome in outcomes.values() if isinstance(outcome, Failed)])


def _put_off(video: VideoRetention) -> None:
    failures = video.line_failures + 1
    next_at = timezone.now() + get_pause(failures)
    VideoRetention.objects.filter(pk=video.pk).update(line_failures=failures, line_next_at=next_at)


def read_line(platform: Operations, video_id: str, moment: float, own: Sequence[str] = ()) -> SpokenLine:
    """The line at a moment: in the first of the account's `own` languages that says something there, then in any other.

    Subtitles that the platform does not have, or that cannot be read, count as none. So do bookmarks.
    """
    line = _find_line(platform, video_id, moment, own)
    return replace(line, chapter=_find_chapter(platform, video_id, moment), calls=line.calls + CHAPTER_CALLS)


def _find_chapter(platform: Operations, video_id: str, moment: float) -> str:
    try:
        video = platform.videos.get(video_id)
        bookmarks = platform.public_files.video(video.pullzone or "", video.external_id).bookmarks
    except (OverBudget, RateLimited):
        raise
    except CallError:
        return ""
    return next((mark.title for mark in reversed(bookmarks) if mark.time <= moment), "")


def _find_line(platform: Operations, video_id: str, moment: float, own: Sequence[str]) -> SpokenLine:
    try:
        langs = [subtitle.lang for subtitle in languages.list_subtitles(platform, video_id)]
    except (Missing, Refused):
        return SpokenLine()
    places = {lang: place for place, lang in enumerate(own)}
    langs.sort(key=lambda lang: places.get(lang.lower(), len(places)))
    for calls, lang in enumerate(langs[:TEXTS_MOST], start=2):
        try:
            lines = cues.unroll(cues.parse_vtt(languages.read_subtitle(platform, video_id, lang)))
        except (Missing, Refused, cues.TooLong):
            continue
        if (cue := find_cue(lines, moment)) is not None:
            voices = [line.text for line in lines if (line.start, line.end) == (cue.start, cue.end)]
            return SpokenLine(" ".join(" ".join(voices).split()), lang, cue.start, calls)
    return SpokenLine("", langs[0] if langs else "", None, 1 + len(langs[:TEXTS_MOST]))


def find_cue(lines: Sequence[Cue], moment: float) -> Cue | None:
    """What is said at a moment: the line of then that began last, else the nearest within `NEAR` seconds."""
    now = [cue for cue in lines if cue.start <= moment < cue.end]
    if now:
        return max(now, key=lambda cue: cue.start)
    near = min(lines, key=lambda cue: _get_distance(cue, moment), default=None)
    return near if near is not None and _get_distance(near, moment) <= NEAR else None


def _get_distance(cue: Cue, moment: float) -> float:
    return max(cue.start - moment, moment - cue.end, 0.0)


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
    return read_lines(account, part)


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
        obstacle=rules.find_obstacle(plays, entry.length, days) or "",
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
    return rules.sample_curve(retention.build_curve(points), length) if points else None


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
    for video, alike, loss in rules.list_losses(comparable):
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


def _set_loss(row: VideoRetention, alike: int, loss: rules.Loss | None) -> None:
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

"""What is said where a video loses its viewers: the subtitle line of that moment, read by the worker and kept."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final, Protocol

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.analytics.losses import Verdict
from dashboard.analytics.models import VideoRetention
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import CallError, Missing, OverBudget, RateLimited, Refused
from dashboard.shared import cues
from dashboard.shared.cues import Cue
from dashboard.upstream import clients, languages
from dashboard.upstream.parallel import Failed, Ready, gather
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

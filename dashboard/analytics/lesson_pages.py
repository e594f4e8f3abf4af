"""Where viewers leave: the videos by the minutes they lose, each with its moment and what is said there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account
from dashboard.analytics import lesson_messages, lesson_queries, losses
from dashboard.analytics.charts import format_days
from dashboard.analytics.lesson_curves import LessonCurve, build_lesson_curve
from dashboard.analytics.lesson_queries import LessonCounts, LessonFilter, LessonLists
from dashboard.analytics.losses import LONGEST, SHORTEST, Verdict
from dashboard.analytics.models import RetentionList, VideoRetention
from dashboard.analytics.pages import Tab, build_tabs
from dashboard.analytics.retention_history import get_compared_days
from dashboard.analytics.tables import Paging
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address, video_address
from dashboard.shared.charts import figures
from dashboard.shared.csv import Cell
from dashboard.writes import library_refresh

LEAD: Final = 5
"""Seconds before the moment at which the video is played from."""


@dataclass(frozen=True)
class Lesson:
    """templates/analytics/_lesson.html: a video that loses more than usual.

    `note` stands for a line where there is none, and `make_subtitles` is the address of what helps.
    """

    rank: str
    title: str
    address: str
    facts: str
    loss: str
    compared: str
    finding: str
    chapter: str
    line: str
    line_lang: str
    line_at: str
    note: str
    make_subtitles: str
    play: str
    play_address: str
    curve: LessonCurve
    typical: str


@dataclass(frozen=True)
class UnjudgedRow:
    """A video of which it cannot be told what it loses, and why."""

    title: str
    address: str
    reason: str


@dataclass(frozen=True)
class LessonProgress:
    """templates/analytics/_lesson_progress.html: the first reading, by the worker. `version` changes with what is said."""

    sentence: str
    trouble: str
    read: int
    videos: int
    version: str
    polls: bool


@dataclass(frozen=True)
class LessonsPage:
    """templates/analytics/lessons.html. With `progress`, nothing was compared yet, and there are no lists.

    There is no `bar` of dates: it is always about the last 28 days. `address`: this page, to be copied.
    """

    title: str
    meta: str
    tabs: tuple[Tab, ...]
    progress: LessonProgress | None
    address: str = ""
    bar: None = None
    folders: tuple[tuple[str, str, bool], ...] = ()
    video: str = ""
    all_address: str = ""
    summary: str = ""
    trouble: str = ""
    lessons: tuple[Lesson, ...] = ()
    nothing: str = ""
    paging: Paging | None = None
    unjudged: tuple[UnjudgedRow, ...] = ()
    unjudged_title: str = ""
    unjudged_address: str = ""
    is_unjudged_list: bool = False
    csv: str = ""


def build_progress(listing: RetentionList) -> LessonProgress:
    """How far the first reading is; the page that polls it is loaded anew when it is over."""
    values = {"read": figures.count(listing.read), "count": figures.count(listing.videos)}
    if not listing.listed_at:
        sentence = _("The platform reports retention one video at a time. Reelroom reads it in the background.")
    else:
        sentence = " ".join(
            (
                _("%(read)s of %(count)s videos read.") % values,
                _("The ranking is shown once all of them are."),
                _format_time_left(listing.videos - listing.read),
            )
        )
    return LessonProgress(
        sentence.strip(),
        refusals.of_pause(library_refresh.trouble_of(listing.reason, listing.next_at)),
        listing.read,
        listing.videos,
        f"{listing.read}-{listing.videos}-{listing.reason}-{int(listing.judged_at is not None)}",
        polls=listing.judged_at is None,
    )


def _format_time_left(left: int) -> str:
    minutes = library_refresh.estimate_minutes(left)
    if not minutes:
        return ""
    values = {"count": figures.count(minutes)}
    return ngettext("About %(count)s minute left.", "About %(count)s minutes left.", minutes) % values


def build_lessons_page(
    account: Account, listing: RetentionList, lesson_filter: LessonFilter, folders: Mapping[str, str]
) -> LessonsPage:
    """The page of an address."""
    tabs, days = build_tabs("lessons"), get_compared_days(listing)
    meta = _("Minutes lost beyond what is usual in your own videos of like length.")
    if days is None:
        return LessonsPage(_("Where viewers leave"), meta, tabs, build_progress(listing))
    lists = lesson_queries.load_lists(account, lesson_filter)
    return LessonsPage(
        title=_("Where viewers leave"),
        meta=f"{meta} {_('%(days)s, whole days in UTC.') % {'days': format_days(days)}}",
        tabs=tabs,
        progress=None,
        folders=tuple(
            (folder, path, folder == lesson_filter.folder)
            for folder, path in lesson_queries.list_offered(folders, lesson_filter.folder)
        ),
        video=_get_title(account, lesson_filter),
        all_address=address("analytics:lessons"),
        summary=lesson_messages.format_summary(lists.counts, listing),
        trouble=refusals.of_pause(library_refresh.trouble_of(listing.reason, listing.next_at)),
        lessons=tuple(build_lesson(video, rank) for rank, video in enumerate(lists.losing, start=lists.first_rank)),
        nothing=lesson_messages.format_nothing(lists.counts, lesson_filter),
        paging=build_paging(lesson_filter, lists),
        unjudged=tuple(map(build_unjudged_row, lists.unjudged)),
        unjudged_title=_("Can't tell yet: %(count)s") % {"count": figures.count(lists.counts.unjudged)},
        unjudged_address=_get_unjudged_address(lesson_filter, lists.counts),
        is_unjudged_list=lesson_filter.unjudged,
        csv=address("analytics:lessons_file", **lesson_filter.query(page="", list="")),
    )


def _get_title(account: Account, lesson_filter: LessonFilter) -> str:
    """The title of the one video that the address is about; "" where it is about more."""
    if not lesson_filter.video:
        return ""
    return next((str(video) for video in lesson_queries.list_videos(account, lesson_filter)), _("One video"))


def _get_unjudged_address(lesson_filter: LessonFilter, counts: LessonCounts) -> str:
    """Where all of them are listed; "" where they are on the page already."""
    if lesson_filter.unjudged or counts.unjudged <= lesson_queries.UNJUDGED_FIRST:
        return ""
    return address("analytics:lessons", **lesson_filter.query(list="unjudged", page=""))


def build_paging(lesson_filter: LessonFilter, lists: LessonLists) -> Paging | None:
    """Where one is in the list; None where it is on one page."""
    if lists.count <= lists.rows:
        return None
    first = (lists.page - 1) * lists.rows + 1
    last = min(lists.page * lists.rows, lists.count)
    values = {"first": figures.count(first), "last": figures.count(last), "count": figures.count(lists.count)}
    return Paging(
        _("%(first)s to %(last)s of %(count)s") % values,
        _get_page_address(lesson_filter, lists.page - 1) if lists.page > 1 else "",
        _get_page_address(lesson_filter, lists.page + 1) if last < lists.count else "",
    )


def _get_page_address(lesson_filter: LessonFilter, page: int) -> str:
    return address("analytics:lessons", **lesson_filter.query(page=page if page > 1 else ""))


def build_lesson(video: VideoRetention, rank: int) -> Lesson:
    """A video that loses more than usual. It has a moment, a length and both curves."""
    length, moment = video.length or 0.0, video.moment or 0.0
    low, high = formats.clock(length * SHORTEST), formats.clock(length * LONGEST)
    begin = max(0, int(moment) - LEAD)
    own = video_address(video.video_id)
    is_read = video.line_for == video.moment
    return Lesson(
        rank=figures.count(rank),
        title=str(video),
        address=own,
        facts=_format_facts(video, length),
        loss=lesson_messages.format_minutes(video.minutes),
        compared=ngettext(
            "compared with %(count)s of your videos of %(low)s to %(high)s",
            "compared with %(count)s of your videos of %(low)s to %(high)s",
            video.alike,
        )
        % {"count": figures.count(video.alike), "low": low, "high": high},
        finding=lesson_messages.format_finding(video),
        chapter=video.chapter if is_read else "",
        line=video.line if is_read else "",
        line_lang=video.line_lang,
        line_at=formats.clock(video.line_at or 0.0),
        note=lesson_messages.format_line_note(video, is_read=is_read),
        make_subtitles=address("subtitles:subtitles", video=video.video_id) if is_read and not video.line_lang else "",
        play=_("Play from %(time)s") % {"time": formats.clock(begin)},
        play_address=address("videos:video", video.video_id, t=begin) if own else "",
        curve=build_lesson_curve(video.curve or (), video.typical or (), length, moment),
        typical=_("Your typical %(low)s to %(high)s") % {"low": low, "high": high},
    )


def _format_facts(video: VideoRetention, length: float) -> str:
    """Where it is, how long it is and how often it was played."""
    parts = (lesson_messages.format_folders(video), formats.clock(length), lesson_messages.format_plays(video))
    return ", ".join(filter(None, parts))


def build_unjudged_row(video: VideoRetention) -> UnjudgedRow:
    """A video that is listed below the ranking."""
    return UnjudgedRow(str(video), video_address(video.video_id), lesson_messages.format_reason(video))


def build_table(videos: Sequence[VideoRetention]) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file: those that lose, then those that do not, then those that cannot be judged."""
    heads = [
        _("Rank"),
        _("Video"),
        _("Folder"),
        _("Length in seconds"),
        _("Plays"),
        _("Minutes lost"),
        _("Videos compared with"),
        _("Moment in seconds"),
        _("Second at which both are told"),
        _("Still watching"),
        _("Usually still watching"),
        _("What is said"),
        _("Language"),
        _("Why it can't be judged"),
        _("Id"),
    ]
    rank, rows = 0, []
    for video in videos:
        is_losing = video.verdict == Verdict.LOSES
        rank += is_losing
        is_judged = video.verdict in losses.JUDGED
        is_read = is_losing and video.line_for == video.moment
        row: list[Cell] = [
            rank if is_losing else None,
            str(video),
            lesson_messages.format_folders(video),
            video.length,
            video.plays,
            round(video.minutes, 1) if is_judged else None,
            video.alike if is_judged else None,
            video.moment,
            video.later,
            video.share,
            video.usual,
            video.line if is_read else "",
            video.line_lang if is_read else "",
            lesson_messages.format_reason(video),
            video.video_id,
        ]
        rows.append(row)
    return heads, rows

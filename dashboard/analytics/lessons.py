"""Where viewers leave: the videos by the minutes they lose, each with its moment and what is said there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Final

from django.db.models import Count, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from dashboard.accounts.models import Account
from dashboard.analytics import rules, traffic_history
from dashboard.analytics.changes import build_bytes_change
from dashboard.analytics.charts import format_days
from dashboard.analytics.date_bar import AnalyticsPage, build_tabs
from dashboard.analytics.models import RetentionList, TrafficList, VideoRetention
from dashboard.analytics.retention_history import get_compared_days
from dashboard.analytics.rules import (
    ALIKE_LEAST,
    DAYS_LEAST,
    JUDGED,
    LONGEST,
    PLAYS_LEAST,
    SHARES,
    SHORTEST,
    STEPS,
    Verdict,
)
from dashboard.analytics.state import VIDEO_ID
from dashboard.analytics.tables import Paging, build_paging
from dashboard.analytics.tasks import want_retention
from dashboard.analytics.traffic_history import DAYS, get_recent_days, get_yesterday
from dashboard.overview.registry import NextStep, provides
from dashboard.shared import csv, formats, refusals
from dashboard.shared.addresses import address, path_of
from dashboard.shared.charts import drawing, figures
from dashboard.shared.charts.figures import percent
from dashboard.shared.charts.plot import percent_of
from dashboard.shared.csv import Cell
from dashboard.shared.formats import clock
from dashboard.shared.http import OwnerRequest, page_number, unchanged
from dashboard.writes import library_refresh

ROWS: Final = 10
UNJUDGED_ROWS: Final = 40
UNJUDGED_FIRST: Final = 5
"""Videos that cannot be judged which the page of the ranking shows."""
FOLDERS_MOST: Final = 400
"""Folders that a list offers; of more, those nearest to the root."""


@dataclass(frozen=True)
class LessonFilter:
    """What an address asks for: videos in a folder and those below it, or one video; a page, and which of the two lists."""

    folder: str = ""
    video: str = ""
    page: int = 1
    unjudged: bool = False

    def address(self, view: str = "analytics:lessons", **changes: object) -> str:
        """The address of this, with some words changed."""
        words: dict[str, object] = {
            "folder": self.folder,
            "video": self.video,
            "list": "unjudged" if self.unjudged else "",
            "page": self.page if self.page > 1 else "",
        }
        return address(view, **words | changes)


@dataclass(frozen=True)
class LessonCounts:
    """How many videos lose more than usual, how many do not, and of how many that cannot be told."""

    losing: int
    usual: int
    unjudged: int

    @property
    def together(self) -> int:
        return self.losing + self.usual + self.unjudged


@dataclass(frozen=True)
class LessonLists:
    """One page of an address: the videos that lose, the first at `first_rank`, and those that cannot be judged."""

    counts: LessonCounts
    losing: list[VideoRetention]
    unjudged: list[VideoRetention]
    first_rank: int
    paging: Paging | None


def load_lists(account: Account, lesson_filter: LessonFilter) -> LessonLists:
    """The videos that a page shows. A page beyond the last is the last one."""
    counts = count_verdicts(account, lesson_filter)
    rows, count = (UNJUDGED_ROWS, counts.unjudged) if lesson_filter.unjudged else (ROWS, counts.losing)
    page = min(lesson_filter.page, max(1, -(-count // rows)))
    start = (page - 1) * rows
    paging = build_paging(page, rows, count, lambda number: lesson_filter.address(page=number if number > 1 else ""))
    unjudged = list_unjudged(account, lesson_filter)
    if lesson_filter.unjudged:
        return LessonLists(counts, [], list(unjudged[start : start + rows]), first_rank=0, paging=paging)
    losing = list(list_losing(account, lesson_filter)[start : start + rows])
    is_alone = bool(lesson_filter.video and losing)
    first_rank = (count_before(account, losing[0]) if is_alone else start) + 1
    return LessonLists(counts, losing, list(unjudged[:UNJUDGED_FIRST]), first_rank=first_rank, paging=paging)


def list_videos(account: Account, lesson_filter: LessonFilter) -> QuerySet[VideoRetention]:
    """The videos of an address that were compared, or could not be."""
    videos = VideoRetention.objects.filter(account=account).exclude(verdict="")
    if lesson_filter.video:
        videos = videos.filter(video_id=lesson_filter.video)
    if lesson_filter.folder:
        videos = videos.filter(folder_path__contains=f"/{lesson_filter.folder}/")
    return videos


def list_losing(account: Account, lesson_filter: LessonFilter) -> QuerySet[VideoRetention]:
    """Those that lose more than usual, the most minutes first."""
    return list_videos(account, lesson_filter).filter(verdict=Verdict.LOSES).order_by("-minutes", "video_id")


def list_unjudged(account: Account, lesson_filter: LessonFilter) -> QuerySet[VideoRetention]:
    """Those that cannot be judged, the most played first."""
    videos = list_videos(account, lesson_filter).exclude(verdict__in=JUDGED)
    return videos.order_by("-plays", "title", "video_id")


def count_verdicts(account: Account, lesson_filter: LessonFilter) -> LessonCounts:
    """How many videos of an address there are of each verdict."""
    counted = list_videos(account, lesson_filter).order_by().values_list("verdict").annotate(count=Count("pk"))
    counts = dict(counted)
    losing, usual = (counts.get(verdict.value, 0) for verdict in JUDGED)
    return LessonCounts(losing, usual, sum(counts.values()) - losing - usual)


def count_before(account: Account, video: VideoRetention) -> int:
    """How many videos of the account lose more than this one."""
    losing = VideoRetention.objects.filter(account=account, verdict=Verdict.LOSES)
    more = losing.filter(minutes__gt=video.minutes).count()
    return more + losing.filter(minutes=video.minutes, video_id__lt=video.video_id).count()


def load_folders(account: Account) -> Mapping[str, str]:
    """The folders with compared videos in them or below, by id: their paths, in the order of these."""
    paths: dict[str, tuple[str, ...]] = {}
    rows = VideoRetention.objects.filter(account=account).exclude(verdict="")
    for folders in rows.order_by().values_list("folders", flat=True).distinct():
        names: tuple[str, ...] = ()
        for folder, name in folders:
            names = (*names, name)
            paths[folder] = names
    sorted_paths = sorted(paths.items(), key=lambda item: [name.casefold() for name in item[1]])
    return {folder: " / ".join(names) for folder, names in sorted_paths}


def list_offered(folders: Mapping[str, str], folder: str) -> list[tuple[str, str]]:
    """The folders of a list to choose from: all of them, or as many levels as fit, and always `folder`."""
    offered = list(folders.items())
    while len(offered) > FOLDERS_MOST and (deepest := max(path.count(" / ") for _folder, path in offered)):
        offered = [(key, path) for key, path in offered if path.count(" / ") < deepest]
    if folder in folders and folder not in dict(offered):
        offered.insert(0, (folder, folders[folder]))
    return offered


def format_minutes(minutes: float) -> str:
    """5,870 minutes lost; of few minutes also the tenths."""
    digits = 0 if minutes >= 10 else 1
    number = 1 if figures.count(minutes, digits) == figures.count(1, digits) else 2
    values = {"count": figures.count(minutes, digits)}
    return ngettext("%(count)s minute lost", "%(count)s minutes lost", number) % values


def format_reason(video: VideoRetention) -> str:
    """Why a video cannot be judged; "" where it was."""
    plays, least = video.plays, {"least": figures.count(PLAYS_LEAST)}
    match video.verdict:
        case Verdict.FEW_PLAYS if plays is None:
            return _("Fewer than %(least)s plays") % least
        case Verdict.FEW_PLAYS:
            words = ngettext("%(count)s play", "%(count)s plays", plays or 0) % {"count": figures.count(plays or 0)}
            return f"{words}; {_('%(least)s are needed') % least}"
        case Verdict.PLAYS_UNKNOWN:
            return _("The platform's ranking doesn't say how often it was played.")
        case Verdict.NEW:
            return _format_age(video)
        case Verdict.NO_LENGTH:
            return _("The platform doesn't say how long it is.")
        case Verdict.NO_CURVE:
            return _("The platform has no retention of it.")
        case Verdict.FEW_ALIKE:
            return _format_alike(video)
    return ""


def _format_age(video: VideoRetention) -> str:
    days = max(0, (get_yesterday() - video.created_on).days) if video.created_on else 0
    values = {"count": figures.count(days), "least": figures.count(DAYS_LEAST)}
    return (
        ngettext(
            "%(count)s whole day since it was created; %(least)s are needed",
            "%(count)s whole days since it was created; %(least)s are needed",
            days,
        )
        % values
    )


def _format_alike(video: VideoRetention) -> str:
    values = {
        "length": formats.clock(video.length or 0.0),
        "count": figures.count(video.alike),
        "least": figures.count(ALIKE_LEAST),
    }
    return (
        ngettext(
            "%(length)s long; %(count)s other video of like length can be compared, %(least)s are needed",
            "%(length)s long; %(count)s other videos of like length can be compared, %(least)s are needed",
            video.alike,
        )
        % values
    )


TABLE_STEP: Final = STEPS // 10
BEFORE: Final = 0.75
"""From this part of the width on, the time of the moment is written before its line."""


@dataclass(frozen=True)
class LessonCurve:
    """templates/analytics/_lesson_curve.html: path data in a drawing of 10,000 by 2,000, and the words around it."""

    own: str
    usual: str
    gap: str
    mark: str
    flag: str
    flag_at: str
    is_flag_before: bool
    y: tuple[str, ...]
    x: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, str, str], ...]
    """Of the table: a time, and how many are still watching, of this video and usually."""


def build_lesson_curve(curve: Sequence[int], typical: Sequence[float], length: float, moment: float) -> LessonCurve:
    """Draw both curves of a video that is `length` seconds long, with a line at its moment."""
    own, usual = ([share / SHARES for share in shares] for shares in (curve, typical))
    top = max(1.0, *own, *usual)
    xs = drawing.places(STEPS + 1)
    lower = [min(pair) for pair in zip(own, usual, strict=True)]
    own_line, usual_line, lower_line = (drawing.runs(values, top, xs) for values in (own, usual, lower))
    at = round(moment / length * drawing.WIDTH)
    steps = range(0, STEPS + 1, TABLE_STEP)
    return LessonCurve(
        own=drawing.line(own_line),
        usual=drawing.line(usual_line),
        gap=drawing.band(usual_line[0], lower_line[0]),
        mark=f"M{at} 0V{drawing.HEIGHT}",
        flag=clock(moment),
        flag_at=percent_of(at),
        is_flag_before=moment > length * BEFORE,
        y=(percent(top, 0), percent(top / 2, 0), "0"),
        x=tuple((clock(length * part), percent_of(round(part * drawing.WIDTH))) for part in (0.0, 0.5, 1.0)),
        rows=tuple((clock(length * step / STEPS), percent(own[step], 0), percent(usual[step], 0)) for step in steps),
    )


LEAD: Final = 5
"""Seconds before the moment at which the video is played from."""


@dataclass(frozen=True)
class Lesson:
    """templates/analytics/_lesson.html: a video that loses more than usual. It has a moment, a length and both curves."""

    video: VideoRetention
    rank: int

    @property
    def loss(self) -> str:
        return format_minutes(self.video.minutes)

    @property
    def low(self) -> float:
        """The length of the shortest video that it is compared with."""
        return (self.video.length or 0.0) * SHORTEST

    @property
    def high(self) -> float:
        return (self.video.length or 0.0) * LONGEST

    @property
    def begin(self) -> int:
        """The second from which it is played: a little before the moment."""
        return max(0, int(self.video.moment or 0.0) - LEAD)

    @property
    def shares(self) -> tuple[str, str]:
        """How many still watch later, of this video and usually, with as many digits as tell them apart."""
        share, usual = self.video.share or 0.0, self.video.usual or 0.0
        digits = 0 if percent(share, 0) != percent(usual, 0) else 1
        return percent(share, digits), percent(usual, digits)

    @cached_property
    def curve(self) -> LessonCurve:
        video = self.video
        return build_lesson_curve(video.curve or (), video.typical or (), video.length or 0.0, video.moment or 0.0)


def describe_progress(listing: RetentionList) -> dict[str, object]:
    """What templates/analytics/_lesson_progress.html needs: how far the first reading is. `version` changes with that.

    The page that polls it is loaded anew when it is over.
    """
    return {
        "listing": listing,
        "minutes": library_refresh.estimate_minutes(listing.videos - listing.read),
        "trouble": refusals.of_pause(library_refresh.trouble_of(listing.reason, listing.next_at)),
        "version": f"{listing.read}-{listing.videos}-{listing.reason}-{int(listing.judged_at is not None)}",
    }


def describe_lists(
    account: Account, listing: RetentionList, lesson_filter: LessonFilter, folders: Mapping[str, str]
) -> dict[str, object]:
    """What templates/analytics/lessons.html needs of the videos of an address."""
    lists, is_short = load_lists(account, lesson_filter), not lesson_filter.unjudged
    return {
        "filter": lesson_filter,
        "folders": list_offered(folders, lesson_filter.folder),
        "video": list_videos(account, lesson_filter).first() if lesson_filter.video else None,
        "counts": lists.counts,
        "listing": listing,
        "trouble": refusals.of_pause(library_refresh.trouble_of(listing.reason, listing.next_at)),
        "lessons": [Lesson(video, rank) for rank, video in enumerate(lists.losing, start=lists.first_rank)],
        "paging": lists.paging,
        "unjudged": [(video, format_reason(video)) for video in lists.unjudged],
        "all_unjudged": lesson_filter.address(list="unjudged", page="")
        if is_short and lists.counts.unjudged > UNJUDGED_FIRST
        else "",
        "csv": lesson_filter.address("analytics:lessons_file", page="", list=""),
    }


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
        is_judged = video.verdict in rules.JUDGED
        is_read = is_losing and video.is_line_read
        row: list[Cell] = [
            rank if is_losing else None,
            str(video),
            video.folder_names,
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
            format_reason(video),
            video.video_id,
        ]
        rows.append(row)
    return heads, rows


@require_safe
def lessons(request: OwnerRequest) -> HttpResponse:
    """The videos that lose most minutes, with what is said where people leave."""
    listing = want_retention(request.account)
    folders = load_folders(request.account)
    lesson_filter = _parse_filter(request, folders) if listing.judged_at is not None else LessonFilter()
    days, meta = get_compared_days(listing), _("Minutes lost beyond what is usual in your own videos of like length.")
    if days is not None:
        meta = f"{meta} {_('%(days)s, whole days in UTC.') % {'days': format_days(days)}}"
        context = describe_lists(request.account, listing, lesson_filter, folders)
    else:
        context = {"progress": describe_progress(listing)}
    page = AnalyticsPage(
        _("Where viewers leave"),
        meta,
        build_tabs("lessons"),
        bar=None,
        address=request.build_absolute_uri(),
        zip_address="",
    )
    return render(request, "analytics/lessons.html", {"page": page, **context})


@require_safe
def lessons_progress(request: OwnerRequest) -> HttpResponse:
    """The progress of the first reading; unchanged if it equals the version `?v=`."""
    listing = RetentionList.objects.filter(account=request.account).first() or want_retention(request.account)
    progress = describe_progress(listing)
    if progress["version"] == request.GET.get("v"):
        return unchanged()
    return render(request, "analytics/_lesson_progress.html", {"progress": progress})


@require_safe
def lessons_file(request: OwnerRequest) -> HttpResponse:
    """Every video of the address as CSV, those that lose most minutes first; their page until all are read."""
    if want_retention(request.account).judged_at is None:
        return redirect("analytics:lessons")
    folders = load_folders(request.account)
    videos = list_videos(request.account, _parse_filter(request, folders)).defer("curve", "typical")
    heads, rows = build_table(sorted(videos, key=_get_rank))
    return csv.download(csv.written(heads, rows), csv.file_name("where-viewers-leave"))


def _get_rank(video: VideoRetention) -> tuple[int, float, int, str]:
    order = (Verdict.LOSES, Verdict.USUAL)
    place = order.index(Verdict(video.verdict)) if video.verdict in order else len(order)
    return place, -video.minutes, -(video.plays or 0), video.video_id


def _parse_filter(request: OwnerRequest, folders: Mapping[str, str]) -> LessonFilter:
    """What the address asks for. Raises Http404 for a folder without compared videos and an impossible id."""
    lesson_filter = LessonFilter(
        request.GET.get("folder", ""),
        request.GET.get("video", "").lower(),
        page_number(request.GET.get("page", "")),
        request.GET.get("list") == "unjudged",
    )
    if lesson_filter.folder and lesson_filter.folder not in folders:
        raise Http404
    if lesson_filter.video and not VIDEO_ID.fullmatch(lesson_filter.video):
        raise Http404
    return lesson_filter


MOVED: Final = 0.05
"""Traffic that changed by less is not worth a line."""
RECENT: Final = timedelta(days=7)
"""What was compared over days that ended longer before today is not worth a line either."""


@provides("analytics", asks_platform=False)
def list_next_steps(request: OwnerRequest) -> Iterator[NextStep]:
    """What is kept of lessons and of traffic."""
    yield from _list_lessons(request)
    yield from _list_traffic(request)


def _list_lessons(request: OwnerRequest) -> Iterator[NextStep]:
    """The video that loses the most minutes beyond what is usual, over the days of the last comparison."""
    listing = RetentionList.objects.filter(account=request.account).first()
    days = get_compared_days(listing) if listing is not None else None
    if days is None or days.end < timezone.now().astimezone(UTC).date() - RECENT:
        return
    video = list_losing(request.account, LessonFilter()).defer("curve", "typical").first()
    if video is not None and video.moment is not None:
        page = path_of("analytics:lessons")
        title = _("“%(title)s” loses the most minutes") % {"title": video}
        sentence = f"{format_minutes(video.minutes)}, {format_days(days)}"
        yield NextStep(title, page, why=sentence, action=pgettext("button", "Open"), action_address=page)


def _list_traffic(request: OwnerRequest) -> Iterator[NextStep]:
    """The traffic of the last 28 whole days against the 28 before, where all of both is known."""
    listing = TrafficList.objects.filter(account=request.account).first()
    if listing is None:
        return
    progress, now = traffic_history.get_progress(request.account, listing), get_recent_days()
    past = now.moved(-DAYS)
    if (
        not progress.complete
        or progress.days is None
        or past.start not in progress.days
        or now.end not in progress.days
    ):
        return
    total, before = (sum(traffic_history.get_bytes_by_video(request.account, days).values()) for days in (now, past))
    if not before or abs(total / before - 1) < MOVED:
        return
    values = {"size": build_bytes_change(total, before).words, "share": figures.change(total, before)}
    rose, fell = _("Traffic rose by %(size)s (%(share)s)"), _("Traffic fell by %(size)s (%(share)s)")
    query = {"start": now.start.isoformat(), "end": now.end.isoformat(), "zone": "UTC"}
    why = address("analytics:traffic_why", "causes", **query)
    traffic = address("analytics:traffic", **query)
    sentence = _("The last 28 days against the 28 before")
    yield NextStep(
        (rose if total > before else fell) % values, traffic, why=sentence, action=_("Why?"), action_address=why
    )

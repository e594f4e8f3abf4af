"""Why traffic changed: its difference split by cause, by video or by folder, and the videos behind it."""

import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

from django.db.models import Count, Max
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history, traffic_pages
from dashboard.analytics.changes import (
    Cause,
    VideoChange,
    WhyContent,
    build_byte_scale,
    build_bytes_change,
    build_steps_content,
    sum_causes,
)
from dashboard.analytics.date_bar import AnalyticsPage, Tab, build_date_bar, get_titles
from dashboard.analytics.models import TrafficList, TrafficVideo
from dashboard.analytics.panels import AnalyticsPanel, format_file_name, get_panel_name
from dashboard.analytics.rules import count_ranked, parse_ranking, tell_apart
from dashboard.analytics.state import VIDEO_ID, AnalyticsState, group_by_day
from dashboard.analytics.tables import Paging, TableRow, paginate
from dashboard.analytics.traffic_history import TrafficProgress
from dashboard.analytics.views import with_state
from dashboard.analytics.why import Scope, format_folder, load_beside, select_folder
from dashboard.platform_api import Operations
from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.errors import BadToken
from dashboard.shared import csv, formats
from dashboard.shared.addresses import path_of
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts import figures
from dashboard.shared.csv import Cell
from dashboard.shared.entries import ROOT, Shelf
from dashboard.shared.http import OwnerRequest
from dashboard.shared.ranges import Days, Selection, get_day_start
from dashboard.upstream import library, reads
from dashboard.upstream.figures import (
    FigureAnswer,
    FigureQuery,
    build_query,
    build_video_query,
    get_full_timeout,
    read_figures,
    trouble,
)
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Condensed, Query
from dashboard.writes import library_refresh


@dataclass(frozen=True)
class ComparedDays:
    """The days whose traffic is known in both periods, or why there are none (`unknown`). `caution`: which are left out."""

    now: Days | None = None
    past: Days | None = None
    unknown: str = ""
    caution: str = ""
    progress: TrafficProgress | None = None
    """How much is read, where that is why there are none."""


def find_days(account: Account, state: AnalyticsState) -> ComparedDays:
    """Find the days to compare; from now on the worker reads the account's traffic."""
    windows = state.selection.windows
    listing = library_refresh.want(TrafficList, account)
    if windows.compared is None:
        return ComparedDays(unknown=_("Choose a period to compare with in the date bar."))
    progress = traffic_history.get_progress(account, listing, state.videos)
    known = progress.days
    if not progress.complete or known is None:
        return ComparedDays(
            unknown=_("The change can be split once the traffic of every video is read."), progress=progress
        )
    counted, shift = windows.counted, windows.shift
    start = max(counted.start, known.start, known.moved(shift).start)
    end = min(counted.end, known.end, known.moved(shift).end)
    if start > end:
        return ComparedDays(unknown=_("No data on both sides: not one of these days is known in both periods."))
    now = Days(start, end)
    caution = ""
    if len(now) < len(counted):
        values = {"known": figures.count(len(now)), "count": figures.count(len(counted))}
        caution = _("%(known)s of %(count)s days compared. The other days have no data on both sides and are left out.")
        caution %= values
    return ComparedDays(now, now.moved(-shift), caution=caution)


@dataclass(frozen=True)
class Plays:
    """Plays by video; `rest` is that of every other video, None where it is not known."""

    by_video: Mapping[str, float]
    rest: float | None

    @classmethod
    def read(cls, answer: Analytics) -> Self:
        """The plays that a ranking tells."""
        if answer.table is None:
            return cls({}, None)
        counts, is_whole = count_ranked(parse_ranking(answer.table, None), lambda video: video.plays)
        return cls(counts, 0.0 if is_whole else None)

    def dumped(self) -> bytes:
        """The same as bytes, for `loaded`."""
        return zlib.compress(json.dumps([self.by_video, self.rest], separators=(",", ":")).encode())

    @classmethod
    def loaded(cls, data: bytes) -> Self:
        """Raises `ValueError` for what another release wrote."""
        try:
            by_video, rest = json.loads(zlib.decompress(data))
        except (zlib.error, TypeError) as error:
            raise ValueError("no plays") from error
        return cls(by_video, rest)


PLATFORM_ZONE: Final = ZoneInfo("UTC")
"""In which the days of traffic are cut; what is new is told by the same days."""
BYTES_KEPT: Final = 20
"""Deflated bytes that the change of one video is worth."""
UNKNOWN_PLAYS: Final = Plays({}, None)


@dataclass(frozen=True)
class PlaysQuery(FigureQuery):
    """A ranking of which only the plays are kept: of 5,000 videos everything else takes 200 ms to read again."""

    def put(self, platform: Operations) -> Any:
        return Plays.read(super().put(platform))

    def query(self) -> Query[Any]:
        return Query(self.put, self.seconds, shape="plays", condensed=Condensed(Plays.dumped, Plays.loaded))


def build_queries(days: ComparedDays, selection: Selection) -> dict[str, FigureQuery]:
    """The rankings of both periods: one call each tells the plays of all videos."""
    queries: dict[str, FigureQuery] = {}
    for name, some in (("now", days.now), ("past", days.past)):
        if some is not None:
            ranking = build_query("ranking", some, selection.settled)
            queries[name] = PlaysQuery(ranking.operation, ranking.arguments, ranking.seconds)
    return queries


def load_changes(
    account: Account, days: ComparedDays, state: AnalyticsState, answers: Mapping[str, FigureAnswer]
) -> tuple[VideoChange, ...]:
    """The change of each video with traffic in either period; of those of the address, if it names some."""
    if days.now is None or days.past is None:
        return ()
    periods = (days.now, _get_plays(answers.get("now"))), (days.past, _get_plays(answers.get("past")))
    first = get_day_start(days.past.end + timedelta(days=1), PLATFORM_ZONE)
    if state.videos:
        return _make_changes(account, periods, first, state.videos)
    known = TrafficVideo.objects.filter(account=account).aggregate(
        Count("pk"), Count("gone_at"), Max("gone_at"), Max("read_at"), Max("listed_at")
    )
    read = tuple((plays.rest, hash(frozenset(plays.by_video.items()))) for _days, plays in periods)
    key = ("traffic changes", account.pk, days.now, days.past, first, tuple(known.values()), read)
    return reads.memoize(key, partial(_make_changes, account, periods, first), lambda videos: len(videos) * BYTES_KEPT)


def _make_changes(
    account: Account,
    periods: tuple[tuple[Days, Plays], tuple[Days, Plays]],
    first: datetime,
    videos: Collection[str] = (),
) -> tuple[VideoChange, ...]:
    """The changes of these videos, or of all. `first`: from then on, a video that was created is new."""
    (days, plays), (past_days, past_plays) = periods
    now, past = (traffic_history.get_bytes_by_video(account, some) for some in (days, past_days))
    mine = TrafficVideo.objects.filter(account=account)
    rows = list(mine.values_list("video_id", "title", "folder_id"))
    titles = tell_apart({video: title for video, title, _folder in rows})
    folders = {video: folder for video, _title, folder in rows}
    new = set(mine.filter(created_at__gte=first).values_list("video_id", flat=True))
    gone = set(mine.exclude(gone_at=None).values_list("video_id", flat=True))
    video_ids = videos or dict.fromkeys((*now, *past))
    return tuple(
        VideoChange(
            video_id=video,
            title=titles.get(video) or video,
            now=now.get(video, 0.0),
            past=past.get(video, 0.0),
            plays=plays.by_video.get(video, plays.rest),
            past_plays=past_plays.by_video.get(video, past_plays.rest),
            folder_id=folders.get(video, ""),
            is_new=video in new,
            is_gone=video in gone,
        )
        for video in video_ids
    )


def _get_plays(answer: FigureAnswer | None) -> Plays:
    return answer.value if answer is not None and answer.value is not None else UNKNOWN_PLAYS


@dataclass(frozen=True)
class FolderChange:
    """The change of all videos below a folder. `videos`: how many; `is_direct`: only those directly in it."""

    folder_id: str
    name: str
    now: float
    past: float
    videos: int
    has_folders: bool = False
    is_direct: bool = False


def sum_folders(videos: Iterable[VideoChange], parent: str, shelves: Iterable[Shelf]) -> list[FolderChange]:
    """The changes of the folders directly in `parent` ("": the root), and of the videos that are in none of them."""
    by_id = {shelf.id: shelf for shelf in shelves}
    nested = {shelf.parent for shelf in by_id.values()}
    sums: dict[str, list[float]] = {}
    children: dict[str, str] = {}
    for video in videos:
        if (child := children.get(video.folder_id)) is None:
            child = children[video.folder_id] = _find_child(video.folder_id, parent, by_id)
        total = sums.setdefault(child, [0.0, 0.0, 0])
        total[0] += video.now
        total[1] += video.past
        total[2] += 1
    return [
        FolderChange(
            folder_id=child or parent or ROOT,
            name=by_id[child].name if child else "",
            now=now,
            past=past,
            videos=int(count),
            has_folders=child in nested,
            is_direct=not child,
        )
        for child, (now, past, count) in sums.items()
    ]


def _find_child(folder: str, parent: str, by_id: Mapping[str, Shelf]) -> str:
    """The folder directly in `parent` that `folder` is, or is below; "" where it is `parent` itself, or not known."""
    visited: set[str] = set()
    while folder != parent and folder in by_id and folder not in visited:
        visited.add(folder)
        if by_id[folder].parent == parent or (not parent and by_id[folder].parent not in by_id):
            return folder
        folder = by_id[folder].parent
    return ""


SPLITS: Final = ("causes", "videos", "folders")
LARGEST: Final = 5
"""Videos that are listed beside a split; by video and by cause all are, in pages."""
ROWS: Final = 40


@dataclass(frozen=True)
class VideoList:
    """templates/analytics/_why_videos.html: a page of the `count` videos that changed, or that `cause` changed by `total`."""

    rows: tuple[TableRow, ...]
    count: int
    total: str
    cause: str = ""
    more: str = ""
    paging: Paging | None = None


@dataclass(frozen=True)
class TrafficWhy:
    """The parts and the list of videos; `videos` None where nothing can be told. `cause`: only its videos are listed."""

    content: WhyContent
    videos: VideoList | None = None
    cause: Cause | None = None


def build_traffic_address(split: str, state: AnalyticsState, **changes: object) -> str:
    """The page of a split, of the same days."""
    return f"{path_of('analytics:traffic_why', split)}?{state.query(page=None, **changes)}"


def build_traffic_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change. One video has causes alone."""
    names = {"causes": _("By cause"), "videos": _("By video"), "folders": _("By folder")}
    if state.videos:
        names = {"causes": names["causes"]}
    return tuple(
        Tab(text, build_traffic_address(name, state, cause=None), name == current) for name, text in names.items()
    )


def format_cause(cause: Cause) -> str:
    """A cause as people say it."""
    return {
        Cause.NEW: _("New videos"),
        Cause.MORE_PLAYS: _("More plays"),
        Cause.FEWER_PLAYS: _("Fewer plays"),
        Cause.LONGER: _("Watched longer"),
        Cause.SHORTER: _("Watched shorter"),
        Cause.GONE: _("Deleted videos"),
        Cause.UNKNOWN: _("Plays not known"),
    }[cause]


def find_cause(state: AnalyticsState) -> Cause | None:
    """The cause that the address names."""
    return Cause(state.cause) if state.cause in set(Cause) else None


def build_content(
    videos: Sequence[VideoChange], days: ComparedDays, split: str, state: AnalyticsState, shelves: Sequence[Shelf]
) -> TrafficWhy:
    """The parts of the change, or why it cannot be split, with the videos behind them."""
    if days.now is None or days.past is None:
        return TrafficWhy(WhyContent(unknown=days.unknown))
    cause = find_cause(state) if split == "videos" else None
    total = sum(video.change for video in videos)
    largest = max(sum(video.past for video in videos), sum(video.now for video in videos))
    scale = build_byte_scale(total or max((abs(video.change) for video in videos), default=0.0), largest)
    difference = split_change(
        _list_sides(videos, split, state, shelves, days, scale.step),
        base=sum(video.past for video in videos) / scale.step if split == "causes" else 0.0,
    )
    has_changed = bool(difference.change or difference.parts)
    content = build_steps_content(
        difference,
        {"causes": _("Cause"), "videos": _("Video"), "folders": _("Folder")}[split],
        (days.now, days.past),
        scale,
        _("Videos") if split == "causes" else "",
        note=_format_note(split, days, difference) if has_changed else days.caution,
        csv=f"{path_of('analytics:traffic_why_file', split)}?{state.query(page=None)}",
    )
    if not has_changed:
        return TrafficWhy(content)
    return TrafficWhy(content, _build_videos(videos, split, state, cause), cause)


def _list_sides(
    videos: Sequence[VideoChange],
    split: str,
    state: AnalyticsState,
    shelves: Sequence[Shelf],
    days: ComparedDays,
    step: float = 1.0,
) -> Iterable[Side]:
    """The parts of a split, in `step` bytes. Of a cause, all that it changed is in `now`: it has no traffic of its own."""
    match split:
        case "causes":
            for row in sum_causes(videos):
                address, note = _build_cause_address(row.cause, state), _format_cause_note(row.cause, row.videos, days)
                yield Side(format_cause(row.cause), row.change / step, past=0.0, address=address, note=note)
        case "videos":
            prefix = _build_video_prefix(state)
            for video in videos:
                yield Side(video.title, video.now / step, video.past / step, _add_video(prefix, video.video_id))
        case _:
            for folder in sum_folders(videos, "" if state.folder == ROOT else state.folder, shelves):
                address = _build_folder_address(folder, state)
                yield Side(_format_folder(folder), folder.now / step, folder.past / step, address)


def _build_cause_address(cause: Cause, state: AnalyticsState) -> str:
    """The videos of a cause; of one video, the page that shows what it did."""
    if len(state.videos) != 1:
        return "" if state.videos else build_traffic_address("videos", state, cause=cause.value)
    if cause in (Cause.LONGER, Cause.SHORTER):
        return f"{path_of('analytics:retention')}?{state.query(page=None)}"
    return f"{path_of('analytics:browsers')}?{state.query(page=None, metric='plays')}"


def _build_video_prefix(state: AnalyticsState) -> str:
    """The address of a video's causes up to its id: written once, it costs 5,000 videos nothing."""
    return f"{build_traffic_address('causes', state, video=None, cause=None, folder=None, directly=None)}&video="


def _add_video(prefix: str, video_id: str) -> str:
    return f"{prefix}{video_id}" if VIDEO_ID.fullmatch(video_id) else ""


def _build_folder_address(folder: FolderChange, state: AnalyticsState) -> str:
    """The folders in a folder; of one that has none, its videos."""
    split = "folders" if folder.has_folders else "videos"
    directly = "yes" if folder.is_direct and folder.folder_id != ROOT else None
    return build_traffic_address(split, state, folder=folder.folder_id, directly=directly)


def _format_folder(folder: FolderChange) -> str:
    if not folder.is_direct:
        return folder.name
    return _("In no active folder") if folder.folder_id == ROOT else _("Directly in this folder")


def _format_cause_note(cause: Cause, count: int, days: ComparedDays) -> str:
    videos = formats.videos(count)
    match cause:
        case Cause.NEW if days.past is not None:
            return _("%(videos)s, created after %(day)s (UTC)") % {"videos": videos, "day": figures.day(days.past.end)}
        case Cause.LONGER:
            return _("%(videos)s, more bytes per play") % {"videos": videos}
        case Cause.SHORTER:
            return _("%(videos)s, fewer bytes per play") % {"videos": videos}
        case _:
            return videos


def _format_note(split: str, days: ComparedDays, difference: SplitChange) -> str:
    notes = [days.caution, _("The parts add up exactly to the difference.")]
    if split == "causes":
        notes.append(
            _(
                "The change of videos played in both periods is split into plays and bytes per play. "
                "People who watch longer or in higher quality use more bytes per play."
            )
        )
        if any(part.label == format_cause(Cause.UNKNOWN) for part in difference.all_parts):
            notes.append(_("Plays not known: the rankings of the two periods do not both list these videos."))
    notes.append(_("The platform counts traffic by video, so it can't be split by country or browser."))
    return " ".join(note for note in notes if note)


def _build_videos(
    videos: Sequence[VideoChange], split: str, state: AnalyticsState, cause: Cause | None
) -> VideoList | None:
    """The videos that changed most; of a `cause`, what it changed of each."""
    if state.videos:
        return None
    rows = list_videos(videos, cause)
    brief = split != "videos"
    page_rows, paging = paginate(rows, state, LARGEST if brief else ROWS, brief=brief)
    total, prefix = sum(size for _video, size in rows), _build_video_prefix(state)
    scale = build_byte_scale(total)
    return VideoList(
        rows=tuple(_build_row(video, size, prefix) for video, size in page_rows),
        count=len(rows),
        total=scale.format_signed(total / scale.step),
        cause=format_cause(cause) if cause else "",
        more=build_traffic_address("videos", state, cause=None) if brief else "",
        paging=paging,
    )


def list_videos(videos: Iterable[VideoChange], cause: Cause | None) -> list[tuple[VideoChange, float]]:
    """The videos that changed, or that `cause` changed, with by how many bytes; the largest changes first."""
    rows = [(video, video.split().get(cause, 0.0) if cause else video.change) for video in videos]
    return sorted((row for row in rows if row[1]), key=lambda row: (-abs(row[1]), row[0].title, row[0].video_id))


def _build_row(video: VideoChange, size: float, prefix: str) -> TableRow:
    return TableRow(
        video.title,
        (_format_largest_cause(video), _format_bytes(video.past), _format_bytes(video.now)),
        build_bytes_change(video.past + size, video.past),
        address=_add_video(prefix, video.video_id),
    )


def _format_bytes(size: float) -> str:
    return figures.format_value(size, figures.Unit.BYTES)


def _format_largest_cause(video: VideoChange) -> str:
    causes: Mapping[Cause, float] = video.split()
    return format_cause(max(causes, key=lambda cause: abs(causes[cause]))) if causes else ""


def build_table(
    videos: Sequence[VideoChange], days: ComparedDays, split: str, state: AnalyticsState, shelves: Sequence[Shelf]
) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file, in bytes: every part, and of videos also what is known of their plays."""
    total: list[Cell] = [sum(round(video.past) for video in videos), sum(round(video.now) for video in videos)]
    change = round(sum(video.change for video in videos))
    if split == "causes":
        parts = split_change(_list_sides(videos, split, state, shelves, days), len(Cause)).parts
        rows: list[list[Cell]] = [[part.label, part.note, part.change] for part in parts]
        return [_("Cause"), _("Videos"), _("Change, bytes")], [*rows, [_("Together"), "", change]]
    heads = [_("Before, bytes"), _("Now, bytes"), _("Change, bytes")]
    if split == "folders":
        sides = split_change(_list_sides(videos, split, state, shelves, days), len(videos) + 1).parts
        rows = [[part.label, part.past, part.now, part.change] for part in sides]
        return [_("Folder"), *heads], [*rows, [_("Together"), *total, change]]
    rows = []
    for video, size in list_videos(videos, cause := find_cause(state)):
        sides_of_video: list[Cell] = [round(video.past), round(video.now), round(size)]
        rows.append(
            [video.title, *sides_of_video, video.past_plays, video.plays, _format_largest_cause(video), video.video_id]
        )
    if cause:
        heads[-1] = _("Change by this cause, bytes")
    return [_("Video"), *heads, _("Plays before"), _("Plays now"), _("Largest cause"), _("Id")], rows


@dataclass(frozen=True)
class WhyData:
    """Everything a page of a split is made of. `search`: the videos that a search of the address selects; None without one."""

    days: ComparedDays
    videos: tuple[VideoChange, ...]
    shelves: tuple[Shelf, ...]
    titles: Mapping[str, str]
    answers: Mapping[str, FigureAnswer]
    search: Scope | None = None


@require_safe
def traffic_why_first(request: OwnerRequest) -> HttpResponse:
    """Lead to the causes of the same days."""
    query = request.META["QUERY_STRING"]
    return redirect(f"{reverse('analytics:traffic_why', args=[SPLITS[0]])}{'?' if query else ''}{query}")


@with_state
def traffic_why(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The parts of the change of traffic, by one split."""
    state = _clean_state(state, split)
    data = _load(request, state, split)
    needed = _list_needed(data, state, split)
    why = TrafficWhy(WhyContent())
    if all(answer.value is not None for answer in needed):
        why = build_content(data.videos, data.days, split, state, data.shelves)
    panel = _build_panel(needed, state, split)
    context = {"panel": panel, "content": why.content, "traffic_why": why}
    if get_panel_name(request):
        return render(request, "analytics/_why_traffic_panels.html", context)
    page = AnalyticsPage(
        title=_("Why did traffic change?"),
        meta=_format_subject(request, data, state),
        tabs=build_traffic_tabs(state, split),
        bar=build_date_bar(state, metrics=(), grains=False),
        address=request.build_absolute_uri(build_traffic_address(split, state)),
        zip_address="",
    )
    if data.days.progress is not None:
        context["progress"] = traffic_pages.describe_progress(data.days.progress)
    whole = build_traffic_address(split, state, cause=None, folder=None, directly=None, search=None, video=None)
    context |= {"page": page, "traffic": f"{path_of('analytics:traffic')}?{_query_of_days(state)}"}
    context["whole"] = whole if state.folder or state.search or state.cause or state.videos else ""
    return render(request, "analytics/why_traffic.html", context)


@with_state
def traffic_why_file(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The same parts as CSV; where nothing can be compared, the page, which says why."""
    state = _clean_state(state, split)
    data = _load(request, state, split, patience=get_full_timeout())
    if data.days.now is None or any(answer.value is None for answer in _list_needed(data, state, split)):
        return redirect(build_traffic_address(split, state))
    heads, rows = build_table(data.videos, data.days, split, state, data.shelves)
    return csv.download(csv.written(heads, rows), format_file_name(f"why-traffic-{split}", state, "csv"))


def _clean_state(state: AnalyticsState, split: str) -> AnalyticsState:
    """What of the address counts here. Raises Http404 for an unknown split."""
    if split not in SPLITS:
        raise Http404
    if state.videos:
        state = replace(state, folder="", directly=False, search="", cause="")
    return replace(group_by_day(state), country="", region="", find="")


def _query_of_days(state: AnalyticsState) -> str:
    return state.query(cause=None, folder=None, directly=None, search=None, page=None)


def _load(request: OwnerRequest, state: AnalyticsState, split: str, patience: float | None = None) -> WhyData:
    """Raises `Missing` for a video or folder of another account, `BadToken` for a token that was refused."""
    patience = get_full_timeout() if get_panel_name(request) else patience
    account = request.account
    stored = dict(
        TrafficVideo.objects.filter(account=account, video_id__in=state.videos).values_list("video_id", "title")
    )
    unknown = {f"video {video}": build_video_query(video) for video in state.videos if video not in stored}
    days = find_days(account, state)
    queries = {**build_queries(days, state.selection), **unknown}
    read = partial(read_figures, request, queries, patience=patience)
    answers, search = load_beside(request, replace(state, folder=""), patience, read)
    titles = get_titles(state.videos, answers, stored)
    shelves: tuple[Shelf, ...] = ()
    if split == "folders" or state.folder:
        reader = reads.of(request) if patience is None else reads.Reads(account)
        outcome = reader.gather(patience, folders=library.FOLDERS)["folders"]
        shelves, is_unread = library.folders_of(outcome)
        if isinstance(outcome, Failed | Ready) and isinstance(outcome.error, BadToken):
            raise outcome.error
        error = outcome.error if isinstance(outcome, Failed) else None
        answers["folders"] = FigureAnswer(None if is_unread else shelves, error=error)
        if state.folder not in ("", ROOT) and not is_unread and state.folder not in {shelf.id for shelf in shelves}:
            raise Http404
    videos = select_folder(load_changes(account, days, state, answers), state, shelves)
    if search is not None:
        answers["search"] = search.answer
        videos = tuple(video for video in videos if video.video_id in search.videos)
        days = _add_search(days, search)
    return WhyData(days, videos, shelves, titles=titles, answers=answers, search=search)


def _add_search(days: ComparedDays, search: Scope) -> ComparedDays:
    """The days, with what is to be said of the videos that a search selects."""
    if search.unknown:
        return ComparedDays(unknown=search.unknown)
    return replace(days, caution=" ".join(filter(None, (days.caution, search.caution))))


def _list_needed(data: WhyData, state: AnalyticsState, split: str) -> list[FigureAnswer]:
    """The answers without which the page tells nothing: rankings for causes, folders where folders are told apart, the videos
    of a search.
    """
    names = ["search", *(["now", "past"] if split == "causes" or state.cause else [])]
    names += ["folders"] if split == "folders" or state.folder else []
    return [data.answers[name] for name in names if name in data.answers]


def _build_panel(needed: Sequence[FigureAnswer], state: AnalyticsState, split: str) -> AnalyticsPanel:
    """The state of what was read: late, or in trouble."""
    address = build_traffic_address(split, state)
    panel = AnalyticsPanel("why", "", retry=address, fragment=f"{address}&panel=why")
    failed = next((answer for answer in needed if answer.value is None and answer.error), None)
    if failed is None and any(answer.late for answer in needed):
        return replace(panel, late=True)
    cause = failed or next((answer for answer in needed if answer.old), None)
    return replace(panel, trouble=trouble(cause)) if cause else panel


def _format_subject(request: OwnerRequest, data: WhyData, state: AnalyticsState) -> str:
    """Whose traffic the page splits."""
    if data.titles:
        return f"{', '.join(data.titles.values())}."
    name = next((shelf.name for shelf in data.shelves if shelf.id == state.folder), state.folder)
    names = (format_folder(state, name) if state.folder else "", data.search.name if data.search else "")
    return " ".join(filter(None, names)) or _("All videos of %(account)s.") % {"account": request.account.name}

"""Why traffic changed: its difference split by cause, by video or by folder, and the videos behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from dashboard.analytics.change_steps import WhyContent, build_byte_scale, build_bytes_change, build_steps_content
from dashboard.analytics.pages import Tab
from dashboard.analytics.state import VIDEO_ID, AnalyticsState
from dashboard.analytics.tables import Paging, paginate
from dashboard.analytics.traffic_causes import Cause, VideoChange, sum_causes
from dashboard.analytics.traffic_changes import ComparedDays, FolderChange, sum_folders
from dashboard.analytics.why_pages import build_equal_content
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import Change
from dashboard.shared.csv import Cell
from dashboard.shared.entries import ROOT, Shelf

SPLITS: Final = ("causes", "videos", "folders")
LARGEST: Final = 5
"""Videos that are listed beside a split; by video and by cause all are, in pages."""
ROWS: Final = 40


@dataclass(frozen=True)
class VideoRow:
    """One video of the list. `cause`: its largest one."""

    title: str
    address: str
    cause: str
    before: str
    now: str
    change: Change


@dataclass(frozen=True)
class VideoList:
    """templates/analytics/_why_videos.html. `change_title` says what the last column adds up to."""

    title: str
    note: str
    change_title: str
    rows: tuple[VideoRow, ...]
    more: str = ""
    paging: Paging | None = None


@dataclass(frozen=True)
class TrafficWhy:
    """The parts and the list of videos; `videos` None where nothing can be told. `cause`: only its videos are listed."""

    content: WhyContent
    videos: VideoList | None = None
    cause: Cause | None = None


def build_address(split: str, state: AnalyticsState, **changes: object) -> str:
    """The page of a split, of the same days."""
    return f"{path_of('analytics:traffic_why', split)}?{state.query(page=None, **changes)}"


def build_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change. One video has causes alone."""
    names = {"causes": _("By cause"), "videos": _("By video"), "folders": _("By folder")}
    if state.videos:
        names = {"causes": names["causes"]}
    return tuple(Tab(text, build_address(name, state, cause=None), name == current) for name, text in names.items())


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
    if not difference.change and not difference.parts:
        return TrafficWhy(build_equal_content(days.caution))
    note_title = _("Videos") if split == "causes" else ""
    title = {"causes": _("Cause"), "videos": _("Video"), "folders": _("Folder")}[split]
    content = build_steps_content(difference, title, (days.now, days.past), scale, note_title)
    content = replace(
        content,
        note=_format_note(split, days, difference),
        csv=f"{path_of('analytics:traffic_why_file', split)}?{state.query(page=None)}",
    )
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
                yield Side(format_cause(row.cause), row.change / step, 0.0, address, note)
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
        return "" if state.videos else build_address("videos", state, cause=cause.value)
    if cause in (Cause.LONGER, Cause.SHORTER):
        return f"{path_of('analytics:retention')}?{state.query(page=None)}"
    return f"{path_of('analytics:browsers')}?{state.query(page=None, metric='plays')}"


def _build_video_prefix(state: AnalyticsState) -> str:
    """The address of a video's causes up to its id: written once, it costs 5,000 videos nothing."""
    return f"{build_address('causes', state, video=None, cause=None, folder=None, directly=None)}&video="


def _add_video(prefix: str, video_id: str) -> str:
    return f"{prefix}{video_id}" if VIDEO_ID.fullmatch(video_id) else ""


def _build_folder_address(folder: FolderChange, state: AnalyticsState) -> str:
    """The folders in a folder; of one that has none, its videos."""
    split = "folders" if folder.has_folders else "videos"
    directly = "yes" if folder.is_direct and folder.folder_id != ROOT else None
    return build_address(split, state, folder=folder.folder_id, directly=directly)


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
    values = {"shown": figures.count(len(page_rows)), "count": figures.count(len(rows))}
    total = sum(size for _video, size in rows)
    scale = build_byte_scale(total)
    values["total"] = scale.format_signed(total / scale.step)
    note = _("%(shown)s of %(count)s videos that changed") % values
    if cause:
        note = f"{note}. {_('Together %(total)s.') % values}"
    return VideoList(
        title=_("%(cause)s: its videos") % {"cause": format_cause(cause)} if cause else _("Largest changes by video"),
        note=note,
        change_title=_("By this cause") if cause else _("Change"),
        rows=tuple(_build_row(video, size, _build_video_prefix(state)) for video, size in page_rows),
        more=build_address("videos", state, cause=None) if brief else "",
        paging=paging,
    )


def list_videos(videos: Iterable[VideoChange], cause: Cause | None) -> list[tuple[VideoChange, float]]:
    """The videos that changed, or that `cause` changed, with by how many bytes; the largest changes first."""
    rows = [(video, video.split().get(cause, 0.0) if cause else video.change) for video in videos]
    return sorted((row for row in rows if row[1]), key=lambda row: (-abs(row[1]), row[0].title, row[0].video_id))


def _build_row(video: VideoChange, size: float, prefix: str) -> VideoRow:
    return VideoRow(
        video.title,
        _add_video(prefix, video.video_id),
        _format_largest_cause(video),
        _format_bytes(video.past),
        _format_bytes(video.now),
        build_bytes_change(video.past + size, video.past),
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

"""View models of the page of one video."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from html import escape
from uuid import UUID

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api.videos import Video
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.errors import Missing, NotAllowed
from dashboard.platform_api.records import Analytics, Comparison, Video
from dashboard.platform_api.vocabulary import TestStatus, VideoStatus
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.charts.spark import build_sparkline
from dashboard.shared.entries import Shelf
from dashboard.shared.http import OwnerRequest
from dashboard.shared.video_panels import video_panel
from dashboard.upstream import languages, reads
from dashboard.upstream.library import load_ai_resources
from dashboard.videos.labels import SPELLED
from dashboard.videos.rows import status_label, status_shape

Absolute = Callable[[str], str]
ALLOW = "accelerometer; gyroscope; autoplay; encrypted-media; picture-in-picture"
"""What the platform's embedded player asks of the page around it."""


@dataclass(frozen=True)
class Track:
    """Subtitles for the native player."""

    lang: str
    label: str
    address: str


@dataclass(frozen=True)
class Player:
    """`film`: file for the browser's player, else `frame`: the platform's player; both empty: `why` explains it."""

    film: str
    kind: str
    frame: str
    allow: str
    poster: str
    ratio: str
    tracks: tuple[Track, ...]
    why: str


@dataclass(frozen=True)
class VideoFact:
    """One line about the video."""

    name: str
    value: str
    address: str = ""
    mono: bool = False


@dataclass(frozen=True)
class PanelView:
    """_panel.html: its content with its template, or that it is late, or what went wrong."""

    name: str
    title: str
    template: str
    content: object | None
    late: bool = False
    trouble: str = ""
    fetch: str = ""
    wide: bool = False


@dataclass(frozen=True)
class VideoCrumb:
    """One folder above the video."""

    name: str
    address: str


@dataclass(frozen=True)
class VideoDetailPage:
    """templates/videos/video.html."""

    video: Video
    title: str
    description: str
    status: str
    shape: str
    length: str
    crumbs: tuple[VideoCrumb, ...]
    player: Player
    facts: tuple[VideoFact, ...]
    embed: str
    wide: tuple[PanelView, ...]
    narrow: tuple[PanelView, ...]
    make_subtitles: str
    make_link: str
    analytics: str


def build_video_page(
    video: Video, folders: tuple[Shelf, ...], panels: tuple[PanelView, ...], absolute: Absolute, start: int = 0
) -> VideoDetailPage:
    """One video; `folders` may be empty when they could not be read. `absolute` puts our host before an address of ours.

    `start`: the second at which its player begins.
    """
    return VideoDetailPage(
        video=video,
        title=video.title or video.id,
        description=video.description,
        status=status_label(video.status),
        shape=status_shape(video.status),
        length=formats.clock(video.length) if video.length else "",
        crumbs=_build_crumbs(video, {folder.id: folder for folder in folders}),
        player=_build_player(video, start),
        facts=tuple(_list_facts(video)),
        embed=embed_code(video, absolute),
        wide=tuple(panel for panel in panels if panel.wide),
        narrow=tuple(panel for panel in panels if not panel.wide),
        make_subtitles=address("subtitles:subtitles", video=video.id),
        make_link=address("review_links:create", video=video.id),
        analytics=address("analytics:analytics", video=video.id),
    )


def _build_crumbs(video: Video, folders: dict[str, Shelf]) -> tuple[VideoCrumb, ...]:
    """The folders from the root down; a loop in the platform's data ends it."""
    path: list[VideoCrumb] = []
    folder_id, visited = video.folder_id, set()
    while folder_id and folder_id not in visited:
        visited.add(folder_id)
        folder = folders.get(folder_id)
        path.append(VideoCrumb(folder.name if folder else folder_id, address("videos:videos", folder=folder_id)))
        folder_id = folder.parent if folder else None
    return tuple(reversed(path))


def _build_player(video: Video, start: int) -> Player:
    """The player, which begins at `start` seconds: a browser's by the fragment of the file, the platform's by its query."""
    film, kind = _find_file(video)
    frame = "" if film else (video.player_url or "")
    if start:
        film = f"{film}#t={start}" if film else ""
        frame = f"{frame}{'&' if '?' in frame else '?'}startTime={start}" if frame else ""
    playable = video.playable or video.status == VideoStatus.CONVERTED
    sized = video.width and video.height
    why = "" if playable and (film or frame) else _explain_no_player(video)
    return Player(
        film="" if why else film,
        kind=kind,
        frame="" if why else frame,
        allow=ALLOW,
        poster=video.thumbnail or "",
        ratio="portrait" if sized and (video.height or 0) > (video.width or 0) else "landscape",
        tracks=tuple(_build_track(lang.lang, lang.label, lang.url or "", video) for lang in video.config_subtitles),
        why=why,
    )


def _find_file(video: Video) -> tuple[str, str]:
    """A file that every browser plays. A stream (.m3u8) is left to the platform's player: most browsers cannot."""
    return (video.mp4_url, "video/mp4") if video.mp4_url else ("", "")


def _explain_no_player(video: Video) -> str:
    if video.status == VideoStatus.CONVERTING:
        return _("The platform is still converting this video. It can be played when that is done.")
    if video.status == VideoStatus.FAILED:
        return _("The platform could not convert this video.")
    if video.status == VideoStatus.DRAFT:
        return _("This video is a draft. It has no file to play yet.")
    return _("This video has no file to play.")


def _build_track(lang: str, label: str, theirs: str, video: Video) -> Track:
    """From our own address where there is one: a browser takes subtitles of other hosts only when they allow it."""
    spelled = SPELLED.get(lang.lower(), lang)
    ours = address("subtitles:download", video.id, spelled, "vtt")
    return Track(spelled, label or formats.language_name(spelled), ours or theirs)


def _list_facts(video: Video) -> list[VideoFact]:
    size = f"{video.width} x {video.height}" if video.width and video.height else ""
    facts = [
        VideoFact(_("Length"), formats.clock(video.length) if video.length else ""),
        VideoFact(_("Dimensions"), size),
        VideoFact(_("Size"), formats.file_size(video.storage_size) if video.storage_size else ""),
        VideoFact(_("Created"), formats.moment(video.created_at) if video.created_at else ""),
        VideoFact(_("Changed"), formats.moment(video.updated_at) if video.updated_at else ""),
        VideoFact(_("Live it was recorded from"), video.live_id or "", address("lives:live", video.live_id or "-")),
        VideoFact(_("Id"), video.id, mono=True),
        VideoFact(_("External id"), video.external_id, mono=True),
        VideoFact(_("CDN zone"), video.pullzone or "", mono=True),
    ]
    return [fact for fact in facts if fact.value]


def embed_code(video: Video, absolute: Absolute) -> str:
    """The HTML that shows the platform's player on a page; "" where the platform gives no address for it."""
    if not video.player_url:
        return ""
    facts = {
        "id": f"player-{video.external_id}",
        "src": absolute(video.player_url),
        "title": video.title,
        "width": str(video.width or 640),
        "height": str(video.height or 360),
        "allow": ALLOW,
    }
    attributes = " ".join(f'{name}="{escape(value)}"' for name, value in facts.items())
    return f"<iframe {attributes} allowfullscreen></iframe>"


DAYS = 28


@dataclass(frozen=True)
class SubtitleRow:
    """One language: to read, and to take as a file."""

    lang: str
    name: str
    read: str
    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SubtitlesPanel:
    """videos/_subtitles.html."""

    rows: tuple[SubtitleRow, ...]
    plan: str
    jobs: str


@video_panel("subtitles", title=gettext_noop("Subtitles"), template="videos/_subtitles.html", order=10, wide=True)
def subtitles(request: OwnerRequest, video_id: UUID) -> SubtitlesPanel:
    """The subtitles that exist, by language."""
    listed = languages.load_subtitles(reads.of(request), str(video_id))
    return SubtitlesPanel(
        rows=tuple(
            _build_subtitle_row(video_id, subtitle.lang, subtitle.label, subtitle.url or "") for subtitle in listed
        ),
        plan=address("subtitles:subtitles", video=video_id),
        jobs=address("subtitles:video_jobs", video_id),
    )


def _build_subtitle_row(video_id: UUID, lang: str, label: str, url: str) -> SubtitleRow:
    code = SPELLED.get(lang.lower(), lang)
    ours = tuple((kind.upper(), address("subtitles:download", video_id, code, kind)) for kind in ("vtt", "srt", "txt"))
    files = tuple(pair for pair in ours if pair[1]) or ((("VTT", url),) if url else ())
    name = formats.language_name(code)
    return SubtitleRow(
        code, name if name != code else label or code, address("subtitles:subtitle", video_id, code), files
    )


@dataclass(frozen=True)
class AiRow:
    """What AI made in one language."""

    lang: str
    name: str
    kinds: str
    address: str


@dataclass(frozen=True)
class AiPanel:
    """videos/_ai_content.html."""

    rows: tuple[AiRow, ...]
    is_listed: bool
    """Whether the platform says which AI content there is."""
    legacy: bool
    legacy_address: str
    everything: str


@video_panel("ai_content", title=gettext_noop("AI content"), template="videos/_ai_content.html", order=20)
def ai_content(request: OwnerRequest, video_id: UUID) -> AiPanel:
    """eBook, mind map and quiz by language, as the video itself names them [4.3]."""
    read: Video = reads.of(request).get(lambda platform: platform.videos.get(video_id))
    video = load_ai_resources(reads.of(request), request.account.pullzone, [read])[read.id]
    kinds: dict[str, list[str]] = {}
    for resource in video.ai_resources:
        kinds.setdefault(resource.lang, []).append(_kind_label(resource.kind))
    return AiPanel(
        rows=tuple(
            AiRow(
                lang,
                formats.language_name(lang) if lang else _("No language"),
                ", ".join(dict.fromkeys(kinds[lang])),
                address("ai_content:language", video_id, lang) if lang else address("ai_content:video", video_id),
            )
            for lang in sorted(kinds)
        ),
        is_listed=video.are_ai_resources_told,
        legacy=bool(video.ai_url),
        legacy_address=address("ai_content:language", video_id, "legacy"),
        everything=address("ai_content:video", video_id),
    )


def _kind_label(kind: str) -> str:
    """The kind as a word; one that nobody knows as it came, and one that is not told as that."""
    return {"quiz": _("Quiz"), "mindmap": _("Mind map"), "ebook": _("eBook"), "": _("Contents unknown")}.get(kind, kind)


@dataclass(frozen=True)
class FieldsPanel:
    """videos/_custom_fields.html."""

    rows: tuple[tuple[str, str], ...]
    edit: str
    is_told: bool = True


@video_panel("custom_fields", title=gettext_noop("Custom fields"), template="videos/_custom_fields.html", order=60)
def custom_fields(request: OwnerRequest, video_id: UUID) -> FieldsPanel:
    """Keys and values of the video. Where the platform does not list them, each can be changed by its id all the same."""
    try:
        fields = reads.of(request).get(lambda platform: platform.custom_fields.list(video_id))
    except (Missing, NotAllowed):
        return FieldsPanel((), address("custom_fields:video", video_id), is_told=False)
    return FieldsPanel(
        tuple((field.key, field.value) for field in fields),
        address("custom_fields:video", video_id),
    )


@dataclass(frozen=True)
class ChatRow:
    """One assistant: whether its chat shows beside this video. `visible` is None where the platform does not say."""

    name: str
    visible: bool | None


@dataclass(frozen=True)
class ChatPanel:
    """videos/_chat.html."""

    rows: tuple[ChatRow, ...]
    switch: str


@video_panel("chat", title=gettext_noop("Chat"), template="videos/_chat.html", order=70)
def chat(request: OwnerRequest, video_id: UUID) -> ChatPanel | None:
    """Where assistants show their chat. Left out on a platform that does not list its assistants."""
    try:
        listed = reads.of(request).get(lambda platform: platform.assistants.list())
    except Missing:
        return None
    rows = tuple(ChatRow(assistant.name or assistant.id, assistant.chat.get(str(video_id))) for assistant in listed)
    return ChatPanel(rows, address("assistants:assistants", video=video_id))


@dataclass(frozen=True)
class PlaysPanel:
    """videos/_analytics.html."""

    figures: tuple[tuple[str, str], ...]
    line: SafeString
    period: str
    more: str
    retention: str
    lessons: str
    raw: str
    """The answer as it came, where no figure can be read in it."""


@video_panel("analytics", title=gettext_noop("Analytics"), template="videos/_analytics.html", order=20, wide=True)
def analytics(request: OwnerRequest, video_id: UUID) -> PlaysPanel:
    """Views and plays of the last 28 whole days, with the course of the first known figure."""
    end = datetime.now(UTC).date() - timedelta(days=1)
    start = end - timedelta(days=DAYS - 1)
    figures = reads.of(request).get(lambda platform: platform.analytics.general(video_id, start, end))
    names = metric_names()
    columns = [name for name in names if figures.table and name in figures.table.columns]
    columns = columns or list(figures.table.columns if figures.table else ())[:2]
    return PlaysPanel(
        figures=tuple((names.get(name, name), formats.number(sum_figure(figures, name))) for name in columns),
        line=build_sparkline(daily_figures(figures, columns[-1], start, end) if columns else ()),
        period=_("%(start)s to %(end)s, whole days in UTC") % {"start": formats.day(start), "end": formats.day(end)},
        more=address("analytics:analytics", video=video_id),
        retention=address("analytics:retention", video=video_id),
        lessons=address("analytics:lessons", video=video_id),
        raw="" if figures.table else as_it_came(figures.raw),
    )


def metric_names() -> dict[str, str]:
    """The figures whose names are public, in the order of the page; others keep the platform's own names."""
    return {"view": _("Views"), "play": _("Plays")}  # unique viewers of days do not add up to those of a month


def sum_figure(figures: Analytics, metric: str) -> float:
    """The sum of a figure over the buckets, which are days or hours depending on the range."""
    return sum(row.metrics.get(metric, 0.0) for row in figures.table.rows) if figures.table else 0.0


def daily_figures(figures: Analytics, metric: str, start: date, end: date) -> list[float]:
    """The figure day by day; a day without a bucket is a day without plays."""
    days = {(start + timedelta(days=n)).isoformat(): 0.0 for n in range((end - start).days + 1)}
    for row in figures.table.rows if figures.table else ():
        if (day := (row.at or row.label)[:10]) in days:
            days[day] += row.metrics.get(metric, 0.0)
    return list(days.values())


@dataclass(frozen=True)
class TestRow:
    """One A/B test that the video stands in."""

    __test__ = False  # the name starts with Test: keep pytest from collecting it

    name: str
    address: str
    state: str
    shape: str
    note: str


@dataclass(frozen=True)
class TestsPanel:
    """videos/_ab_tests.html."""

    __test__ = False

    rows: tuple[TestRow, ...]
    create: str


@video_panel("ab_tests", title=gettext_noop("A/B tests"), template="videos/_ab_tests.html", order=40)
def ab_tests(request: OwnerRequest, video_id: UUID) -> TestsPanel:
    """The tests in which the video is a variant."""
    listed = reads.of(request).get(lambda platform: platform.comparisons.list())
    rows = tuple(
        _build_test_row(test, str(video_id))
        for test in listed.comparisons
        if any(variant.video_id == str(video_id) for variant in test.videos)
    )
    return TestsPanel(rows, address("ab_tests:create", video=video_id))


def _build_test_row(test: Comparison, video_id: str) -> TestRow:
    state, shape = {
        TestStatus.DRAFT: (_("Draft"), "draft"),
        TestStatus.IN_PROGRESS: (_("Running"), "running"),
        TestStatus.COMPLETED: (_("Finished"), "finished"),
    }.get(test.status, (test.status or _("Unknown"), "unknown"))  # type: ignore[call-overload]  # any text may come
    letter = next(chr(65 + n) for n, variant in enumerate(test.videos) if variant.video_id == video_id)
    note = _("Variant %(letter)s") % {"letter": letter}
    if test.winner:
        note = f"{note}. " + (_("This video won.") if test.winner == video_id else _("Another variant won."))
    return TestRow(test.name or test.id, address("ab_tests:ab_test", test.id), state, shape, note)

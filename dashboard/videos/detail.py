"""The page of one video: its player and facts, and the panels that need nothing but the platform."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from html import escape
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.feature import VideoPanel, video_panel
from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import Missing, NotAllowed
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import TestStatus, VideoStatus
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.charts.drawing import build_sparkline
from dashboard.shared.entries import Shelf
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import languages, reads
from dashboard.upstream.library import load_ai_resources
from dashboard.videos.labels import SPELLED

Absolute = Callable[[str], str]
ALLOW = "accelerometer; gyroscope; autoplay; encrypted-media; picture-in-picture"
"""What the platform's embedded player asks of the page around it."""


@dataclass(frozen=True)
class Player:
    """`film`: file for the browser's player, else `frame`: the platform's player; both empty: `why` explains it.

    `tracks`: language, label and address of the subtitles for the browser's player.
    """

    film: str
    frame: str
    why: str
    tracks: Sequence[tuple[str, str, str]]
    is_portrait: bool
    allow: str = ALLOW


@dataclass(frozen=True)
class PanelView:
    """_panel.html: a panel with its content, or that it is late, or what went wrong."""

    panel: VideoPanel
    content: object | None = None
    is_late: bool = False
    trouble: str = ""


def list_crumbs(video: Video, shelves: Iterable[Shelf]) -> list[tuple[str, str]]:
    """Name and address of the folders from the root down; a loop in the platform's data ends it."""
    folders = {folder.id: folder for folder in shelves}
    path: list[tuple[str, str]] = []
    folder_id, visited = video.folder_id, set()
    while folder_id and folder_id not in visited:
        visited.add(folder_id)
        folder = folders.get(folder_id)
        path.append((folder.name if folder else folder_id, address("videos:videos", folder=folder_id)))
        folder_id = folder.parent if folder else None
    return path[::-1]


def build_player(video: Video, start: int) -> Player:
    """The player, which begins at `start` seconds: a browser's by the fragment of the file, the platform's by its query.

    A stream (.m3u8) is left to the platform's player: most browsers cannot play it.
    """
    film = video.mp4_url or ""
    frame = "" if film else (video.player_url or "")
    if start:
        film = f"{film}#t={start}" if film else ""
        frame = f"{frame}{'&' if '?' in frame else '?'}startTime={start}" if frame else ""
    playable = video.playable or video.status == VideoStatus.CONVERTED
    why = "" if playable and (film or frame) else _explain_no_player(video)
    return Player(
        film="" if why else film,
        frame="" if why else frame,
        why=why,
        tracks=[_build_track(lang.lang, lang.label, lang.url or "", video) for lang in video.config_subtitles],
        is_portrait=bool(video.width and video.height and video.height > video.width),
    )


def _explain_no_player(video: Video) -> str:
    if video.status == VideoStatus.CONVERTING:
        return _("The platform is still converting this video. It can be played when that is done.")
    if video.status == VideoStatus.FAILED:
        return _("The platform could not convert this video.")
    if video.status == VideoStatus.DRAFT:
        return _("This video is a draft. It has no file to play yet.")
    return _("This video has no file to play.")


def _build_track(lang: str, label: str, theirs: str, video: Video) -> tuple[str, str, str]:
    """From our own address where there is one: a browser takes subtitles of other hosts only when they allow it."""
    spelled = SPELLED.get(lang.lower(), lang)
    ours = address("subtitles:download", video.id, spelled, "vtt")
    return spelled, label or formats.language_name(spelled), ours or theirs


def list_facts(video: Video) -> list[tuple[str, str]]:
    """Names and values of what is known of a video, in the order of the page."""
    facts = (
        (_("Length"), formats.clock(video.length) if video.length else ""),
        (_("Dimensions"), f"{video.width} x {video.height}" if video.width and video.height else ""),
        (_("Size"), formats.file_size(video.storage_size) if video.storage_size else ""),
        (_("Created"), formats.moment(video.created_at) if video.created_at else ""),
        (_("Changed"), formats.moment(video.updated_at) if video.updated_at else ""),
    )
    return [fact for fact in facts if fact[1]]


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


@video_panel("subtitles", title=gettext_noop("Subtitles"), template="videos/_subtitles.html", order=10, wide=True)
def subtitles(request: OwnerRequest, video_id: UUID) -> list[tuple[str, str, str, Sequence[tuple[str, str]]]]:
    """The subtitles that exist: code, name, where they are read, and the kinds of files with their addresses."""
    listed = languages.load_subtitles(reads.of(request), str(video_id))
    return [_build_subtitle_row(video_id, subtitle.lang, subtitle.label, subtitle.url or "") for subtitle in listed]


def _build_subtitle_row(
    video_id: UUID, lang: str, label: str, url: str
) -> tuple[str, str, str, Sequence[tuple[str, str]]]:
    code = SPELLED.get(lang.lower(), lang)
    ours = [(kind.upper(), address("subtitles:download", video_id, code, kind)) for kind in ("vtt", "srt", "txt")]
    files = [pair for pair in ours if pair[1]] or ([("VTT", url)] if url else [])
    name = formats.language_name(code)
    return code, name if name != code else label or code, address("subtitles:subtitle", video_id, code), files


@video_panel("ai_content", title=gettext_noop("AI content"), template="videos/_ai_content.html", order=20)
def ai_content(request: OwnerRequest, video_id: UUID) -> dict[str, object]:
    """eBook, mind map and quiz as the video itself names them [4.3]: `rows` of language, name, kinds and address."""
    read: Video = reads.of(request).get(lambda platform: platform.videos.get(video_id))
    video = load_ai_resources(reads.of(request), request.account.pullzone, [read])[read.id]
    kinds: dict[str, list[str]] = {}
    for resource in video.ai_resources:
        kinds.setdefault(resource.lang, []).append(_kind_label(resource.kind))
    rows = [
        (
            lang,
            formats.language_name(lang) if lang else _("No language"),
            ", ".join(dict.fromkeys(kinds[lang])),
            address("ai_content:language", video_id, lang) if lang else address("ai_content:video", video_id),
        )
        for lang in sorted(kinds)
    ]
    return {"video": video, "rows": rows}


def _kind_label(kind: str) -> str:
    """The kind as a word; one that nobody knows as it came, and one that is not told as that."""
    return {"quiz": _("Quiz"), "mindmap": _("Mind map"), "ebook": _("eBook"), "": _("Contents unknown")}.get(kind, kind)


@video_panel("custom_fields", title=gettext_noop("Custom fields"), template="videos/_custom_fields.html", order=60)
def custom_fields(request: OwnerRequest, video_id: UUID) -> dict[str, object]:
    """Keys and values of the video. Where the platform does not list them, each can be changed by its id all the same."""
    try:
        fields = reads.of(request).get(lambda platform: platform.custom_fields.list(video_id))
    except (Missing, NotAllowed):
        return {"fields": (), "is_told": False}
    return {"fields": fields, "is_told": True}


@video_panel("chat", title=gettext_noop("Chat"), template="videos/_chat.html", order=70)
def chat(request: OwnerRequest, video_id: UUID) -> list[tuple[str, bool | None]] | None:
    """The assistants, and whether their chat shows beside this video (None: the platform does not say).

    Left out on a platform that does not list its assistants.
    """
    try:
        listed = reads.of(request).get(lambda platform: platform.assistants.list())
    except Missing:
        return None
    return [(assistant.name or assistant.id, assistant.chat.get(str(video_id))) for assistant in listed]


@video_panel("analytics", title=gettext_noop("Analytics"), template="videos/_analytics.html", order=20, wide=True)
def analytics(request: OwnerRequest, video_id: UUID) -> dict[str, object]:
    """Views and plays of the last 28 whole days, with the course of the first known figure.

    `raw`: the answer as it came, where no figure can be read in it.
    """
    end = datetime.now(UTC).date() - timedelta(days=1)
    start = end - timedelta(days=DAYS - 1)
    figures = reads.of(request).get(lambda platform: platform.analytics.general(video_id, start, end))
    names = metric_names()
    columns = [name for name in names if figures.table and name in figures.table.columns]
    columns = columns or list(figures.table.columns if figures.table else ())[:2]
    return {
        "start": start,
        "end": end,
        "figures": [(names.get(name, name), sum_figure(figures, name)) for name in columns],
        "line": build_sparkline(daily_figures(figures, columns[-1], start, end) if columns else ()),
        "raw": "" if figures.table else as_it_came(figures.raw),
    }


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


@video_panel("ab_tests", title=gettext_noop("A/B tests"), template="videos/_ab_tests.html", order=40)
def ab_tests(request: OwnerRequest, video_id: UUID) -> list[tuple[Comparison, str, str, str, str]]:
    """The tests in which the video is a variant, each with its page, its state and shape, and the variant with its fate."""
    listed = reads.of(request).get(lambda platform: platform.comparisons.list())
    return [
        (test, address("ab_tests:ab_test", test.id), *_name_state(test), _describe_variant(test, str(video_id)))
        for test in listed.comparisons
        if any(variant.video_id == str(video_id) for variant in test.videos)
    ]


def _name_state(test: Comparison) -> tuple[str, str]:
    states: dict[str, tuple[str, str]] = {
        TestStatus.DRAFT: (_("Draft"), "draft"),
        TestStatus.IN_PROGRESS: (_("Running"), "running"),
        TestStatus.COMPLETED: (_("Finished"), "finished"),
    }
    return states.get(test.status, (test.status or _("Unknown"), "unknown"))


def _describe_variant(test: Comparison, video_id: str) -> str:
    letter = next(chr(65 + n) for n, variant in enumerate(test.videos) if variant.video_id == video_id)
    note = _("Variant %(letter)s") % {"letter": letter}
    if test.winner:
        note = f"{note}. " + (_("This video won.") if test.winner == video_id else _("Another variant won."))
    return note

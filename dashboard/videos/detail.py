"""View models of the page of one video."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from django.utils.translation import gettext as _

from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.entries import Shelf
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

"""One video in one language: templates/subtitles/subtitle.html."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import ESSENTIAL_LANGUAGES, LANGUAGES, JobType, Tier
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.cues import Cue
from dashboard.shared.refusals import Explained
from dashboard.subtitles import messages, rules
from dashboard.subtitles.forms import LibraryFilter, PlanRequest
from dashboard.subtitles.pages.jobs import JobView, upstream_row
from dashboard.subtitles.pages.tabs import Tabs
from dashboard.subtitles.rules import CellChoice, CellState, Order, VideoState


@dataclass(frozen=True, slots=True)
class CueView:
    """One line of the text: where it starts, in seconds and on the clock."""

    at: str
    clock: str
    text: str


@dataclass(frozen=True, slots=True)
class NextStep:
    """What can be done when the subtitles are not there; the first is the primary one."""

    words: str
    href: str


@dataclass(frozen=True, slots=True)
class SubtitlePage:
    """templates/subtitles/subtitle.html."""

    tabs: Tabs
    video_id: str
    title: str
    lang: str
    language: str
    exists: bool
    state: str
    cues: tuple[CueView, ...]
    mp4: str
    hls: str
    poster: str
    player: str
    track: str
    downloads: tuple[NextStep, ...]
    job: JobView | None
    steps: tuple[NextStep, ...]
    trouble: Explained | None


def cue_views(cues: tuple[Cue, ...]) -> tuple[CueView, ...]:
    """The lines of the text."""
    return tuple(CueView(f"{cue.start:.3f}", formats.clock(cue.start), cue.text) for cue in cues)


def download_of(video_id: str, lang: str, kind: str) -> str:
    """The address of the file; "" for a language that no address can hold."""
    return address("subtitles:download", video_id, lang, kind)


def subtitle_page(
    video: Video,
    lang: str,
    video_state: VideoState,
    cues: tuple[Cue, ...] | None,
    now: datetime,
    *,
    tabs: Tabs,
    trouble: Explained | None,
) -> SubtitlePage:
    """The page; `cues` is None where the text could not be read or does not exist."""
    standing = rules.cell_state(video_state, lang, now)
    exists = cues is not None
    files = (("WebVTT", "vtt"), ("SubRip", "srt"), (_("Text"), "txt"))
    return SubtitlePage(
        tabs=tabs,
        video_id=video.id,
        title=video.title,
        lang=lang,
        language=messages.language(lang),
        exists=exists,
        state="" if exists else _state(standing.state, video_state),
        cues=cue_views(cues or ()),
        mp4=video.mp4_url or "",
        hls=video.hls_url or "",
        poster=video.thumbnail or "",
        player=video.player_url or "",
        track=download_of(video.id, lang, "vtt") if exists else "",
        downloads=tuple(NextStep(name, download_of(video.id, lang, kind)) for name, kind in files) if exists else (),
        job=upstream_row(standing.job, video.title, here=True) if standing.job else None,
        steps=() if exists or standing.state in rules.UNDER_WAY else _steps(video.id, lang, video_state),
        trouble=trouble,
    )


def _state(state: CellState, video_state: VideoState) -> str:
    """Why there is nothing to read."""
    if state in rules.UNDER_WAY:
        return _("These subtitles are being made. They appear here when the job has finished.")
    if state == CellState.ERROR:
        return _("The last attempt ended in an error, so there are no subtitles in this language.")
    if state == CellState.SKIPPED:
        return _("The platform skipped the last attempt, so there are no subtitles in this language.")
    if video_state.untold and state == CellState.UNKNOWN:
        return _("This platform does not show which subtitles a video has.")
    if state == CellState.UNKNOWN:
        return _("The subtitles of this video couldn't be loaded.")
    return _("The video has no subtitles in this language yet.")


def _steps(video_id: str, lang: str, video_state: VideoState) -> tuple[NextStep, ...]:
    """Translate out of what exists, or transcribe: with everything chosen already."""
    have = {rules.spelled(code) for code in video_state.subtitles or ()}
    sources = [code for code in (*ESSENTIAL_LANGUAGES, *LANGUAGES) if code in have]
    sources = list(dict.fromkeys(sources))
    planner = reverse("subtitles:subtitles")
    steps = [
        NextStep(
            _("Plan a translation from %(language)s") % {"language": messages.language(source)},
            f"{planner}?{_build_plan_request(JobType.TRANSLATION, source, video_id, lang).query()}",
        )
        for source in sources[:3]
        if lang in LANGUAGES
    ]
    transcribes = not steps and lang in LANGUAGES
    if transcribes:
        plan_request = _build_plan_request(JobType.TRANSCRIPTION, lang, video_id, lang)
        steps.append(NextStep(_("Plan a transcription"), f"{planner}?{plan_request.query()}"))
    return tuple(steps)


def _build_plan_request(kind: JobType, source: str, video_id: str, lang: str) -> PlanRequest:
    order = Order(kind, Tier.PRO, source, (lang,) if kind == JobType.TRANSLATION else ())
    return PlanRequest(LibraryFilter(), order, CellChoice(videos=(video_id,), also=frozenset({(video_id, lang)})))

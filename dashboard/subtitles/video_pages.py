"""One video: its jobs, and its subtitles in one language to read and to download."""

from collections.abc import Callable
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, ESSENTIAL_LANGUAGES, LANGUAGES, JobType, Tier
from dashboard.shared import csv, cues
from dashboard.shared.cues import Cue
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import Explained
from dashboard.subtitles import live, messages, models, rules
from dashboard.subtitles.forms import PlanRequest
from dashboard.subtitles.jobs import upstream_row
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.subtitles.rules import CellChoice, CellState, Order, VideoState
from dashboard.upstream.languages import load_subtitle_text
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.reads import Query

KINDS: Final[dict[str, tuple[str, Callable[[str], str]]]] = {
    "vtt": ("text/vtt", lambda text: text),
    "srt": ("application/x-subrip", lambda text: cues.as_srt(cues.parse_vtt(text))),
    "txt": ("text/plain", lambda text: cues.as_text(cues.parse_vtt(text))),
}


def load_jobs(request: OwnerRequest, video_id: str) -> dict[str, object]:
    """templates/subtitles/video_jobs.html: all jobs of a video, newest first. Raises `Missing` for another account's video."""
    reader = SubtitleReader.of(request)
    outcomes = reader.gather({"video": reader.video(video_id), f"jobs {video_id}": reader.jobs(video_id)})
    video = _video(outcomes["video"])
    video_state, late, trouble = video_state_of(outcomes, video_id)
    models.update_open_cells(models.list_open_cells(request, [video_id]), {video_id: video_state}, timezone.now())
    jobs = sorted(video_state.jobs or (), key=lambda job: job.created_at or rules.LONG_AGO, reverse=True)
    if late:
        trouble = errors.Unreachable("ai_workflow.jobs")
    watched = live.watch_jobs({video_id: video_state})
    return {
        "video": video,
        "video_id": video_id,
        "jobs": [upstream_row(job, video.title) for job in jobs],
        "trouble": messages.explain(trouble, request.account) if trouble else None,
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(live.get_video_jobs_path(video_id), watched, jobs=str(len(jobs))),
    }


def load_subtitle(request: OwnerRequest, video_id: str, lang: str) -> dict[str, object]:
    """templates/subtitles/subtitle.html: one video in one language, `cues` None where there is no text to show.

    `poll`: asked while its job is under way. Raises `Missing` for another account's video, `Http404` for what is no language.
    """
    lang = rules.spelled(lang)
    reader = SubtitleReader.of(request)
    needed: dict[str, Query[Any]] = {"video": reader.video(video_id), "text": reader.text(video_id, lang)}
    outcomes = reader.gather(needed | reader.state_queries([video_id]))
    video = _video(outcomes["video"])
    video_state, _late, trouble = video_state_of(outcomes, video_id)
    text = load_subtitle_text(reader.reads, video, lang, outcomes["text"])
    text_cues, too_long = _cues(text)
    if lang not in (*LANGUAGES, AUTO_LANGUAGE) and not video_state.has(lang) and text_cues is None:
        raise Http404
    failed = _text_trouble(text, video_state, lang) or trouble
    cell = rules.cell_state(video_state, lang, timezone.now())
    watched = [watched for watched in live.watch_jobs({video_id: video_state}) if watched.lang.lower() == lang.lower()]
    is_plannable = text_cues is None and cell.state not in rules.UNDER_WAY
    return {
        "video": video,
        "lang": lang,
        "language": messages.language(lang),
        "cues": text_cues,
        "downloads": (("WebVTT", "vtt"), ("SubRip", "srt"), (_("Text"), "txt")),
        "state": _explain_state(cell.state, video_state),
        "job": upstream_row(cell.job, video.title, here=True) if cell.job else None,
        "steps": _list_steps(video.id, lang, video_state) if is_plannable else (),
        "trouble": messages.explain(failed, request.account) if failed else too_long,
        "poll": live.build_poll_address(live.get_video_jobs_path(video_id), watched),
    }


def _explain_state(state: CellState, video_state: VideoState) -> str:
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


def _list_steps(video_id: str, lang: str, video_state: VideoState) -> list[tuple[str, str]]:
    """Words and addresses of what can be done where the subtitles are not there: translate out of what exists, or transcribe."""
    if lang not in LANGUAGES:
        return []
    have = {rules.spelled(code) for code in video_state.subtitles or ()}
    sources = dict.fromkeys(code for code in (*ESSENTIAL_LANGUAGES, *LANGUAGES) if code in have)
    choice = CellChoice(videos=(video_id,), also=frozenset({(video_id, lang)}))
    steps = [
        (
            _("Plan a translation from %(language)s") % {"language": messages.language(source)},
            PlanRequest(Order(JobType.TRANSLATION, Tier.PRO, source, (lang,)), choice).address,
        )
        for source in list(sources)[:3]
    ]
    transcription = PlanRequest(Order(JobType.TRANSCRIPTION, Tier.PRO, lang), choice)
    return steps or [(_("Plan a transcription"), transcription.address)]


def load_file(request: OwnerRequest, video_id: str, lang: str, kind: str) -> HttpResponse:
    """The subtitles as a file. Raises the `PlatformError` of a read that failed."""
    reader = SubtitleReader.of(request)
    outcomes = reader.gather({"video": reader.video(video_id), "text": reader.text(video_id, rules.spelled(lang))})
    video = _video(outcomes["video"])
    text = load_subtitle_text(reader.reads, video, rules.spelled(lang), outcomes["text"])
    if not isinstance(text, Ready):
        raise text.error if isinstance(text, Failed) else errors.Unreachable("videos.read_subtitle")
    content_type, convert = KINDS[kind]
    name = csv.file_name(f"{video.title} {lang}", extension=kind)
    try:
        return csv.download(convert(text.value), name, content_type)
    except cues.TooLong:
        return redirect("subtitles:subtitle", video_id, lang)  # the page says why, and offers the file as it is


def _video(outcome: Outcome) -> Video:
    if isinstance(outcome, Ready):
        video: Video = outcome.value
        return video
    raise outcome.error if isinstance(outcome, Failed) else errors.Unreachable("videos.get")


def _cues(outcome: Outcome) -> tuple[tuple[Cue, ...] | None, Explained | None]:
    """The cues, None where there is no text; and why they are none although there is one."""
    if not isinstance(outcome, Ready):
        return None, None
    try:
        return cues.unroll(cues.parse_vtt(outcome.value)), None
    except cues.TooLong:
        return (), messages.too_long()


def _text_trouble(outcome: Outcome, video_state: VideoState, lang: str) -> errors.CallError | None:
    """What went wrong with the text; that there is none is no trouble."""
    if isinstance(outcome, Failed):
        return None if isinstance(outcome.error, errors.Missing) and not video_state.has(lang) else outcome.error
    return None if isinstance(outcome, Ready) else errors.Unreachable("videos.read_subtitle")

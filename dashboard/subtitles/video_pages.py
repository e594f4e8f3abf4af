"""One video: its jobs, and its subtitles in one language to read and to download."""

from collections.abc import Callable
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, LANGUAGES
from dashboard.shared import csv, cues
from dashboard.shared.cues import Cue
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import Explained
from dashboard.subtitles import live, messages, page_data, rules, stored_cells
from dashboard.subtitles.pages import reading as pages
from dashboard.subtitles.pages.job_lists import VideoJobsPage
from dashboard.subtitles.pages.jobs import upstream_row
from dashboard.subtitles.pages.reading import SubtitlePage
from dashboard.subtitles.pages.tabs import parent_sentence, tabs
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.subtitles.rules import VideoState
from dashboard.upstream.languages import load_subtitle_text
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.reads import Query

KINDS: Final[dict[str, tuple[str, Callable[[str], str]]]] = {
    "vtt": ("text/vtt", lambda text: text),
    "srt": ("application/x-subrip", lambda text: cues.as_srt(cues.parse_vtt(text))),
    "txt": ("text/plain", lambda text: cues.as_text(cues.parse_vtt(text))),
}


def jobs_page(request: OwnerRequest, video_id: str) -> tuple[VideoJobsPage, str]:
    """All jobs of a video, newest first, and the address of their poll. Raises `Missing` for another account's video."""
    reader = SubtitleReader.of(request)
    outcomes = reader.gather({"video": reader.video(video_id), f"jobs {video_id}": reader.jobs(video_id)})
    video = _video(outcomes["video"])
    video_state, late, trouble = video_state_of(outcomes, video_id)
    stored_cells.update_open_cells(
        stored_cells.list_open_cells(request, [video_id]), {video_id: video_state}, timezone.now()
    )
    jobs = sorted(video_state.jobs or (), key=lambda job: job.created_at or rules.LONG_AGO, reverse=True)
    if late:
        trouble = errors.Unreachable("ai_workflow.jobs")
    page = VideoJobsPage(
        tabs=tabs("jobs", stored_cells.list_open_cells(request).count()),
        video_id=video_id,
        title=video.title,
        jobs=tuple(upstream_row(job, video.title) for job in jobs),
        trouble=messages.explain(trouble, page_data.parent_name(request)) if trouble else None,
        plan=f"{reverse('subtitles:subtitles')}?video={video_id}",
        parent=parent_sentence(page_data.parent_name(request)),
    )
    watched = live.watch_jobs({video_id: video_state})
    return page, live.build_poll_address(live.get_video_jobs_path(video_id), watched, jobs=str(len(jobs)))


def subtitle_page(request: OwnerRequest, video_id: str, lang: str) -> tuple[SubtitlePage, str]:
    """The page of one video in one language, and the address of its poll while its job is under way.

    Raises `Missing` for another account's video, and `Http404` for what is no language.
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
    page = pages.subtitle_page(
        video,
        lang,
        video_state,
        text_cues,
        timezone.now(),
        tabs=tabs("plan", stored_cells.list_open_cells(request).count()),
        trouble=messages.explain(failed, page_data.parent_name(request)) if failed else too_long,
    )
    watched = [cell for cell in live.watch_jobs({video_id: video_state}) if cell.lang.lower() == lang.lower()]
    return page, live.build_poll_address(live.get_video_jobs_path(video_id), watched)


def file(request: OwnerRequest, video_id: str, lang: str, kind: str) -> HttpResponse:
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

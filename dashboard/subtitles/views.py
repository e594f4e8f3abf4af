"""The pages of subtitles: plan, check, send, watch, read."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import replace_url

from dashboard.activity import recorder
from dashboard.platform_api import Operations, errors
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, ESSENTIAL_LANGUAGES, LANGUAGES, JobType, Tier
from dashboard.shared import csv, cues, http
from dashboard.shared.addresses import address
from dashboard.shared.cues import Cue
from dashboard.shared.http import LONGEST_ADDRESS, OwnerRequest, go
from dashboard.shared.refusals import Explained
from dashboard.subtitles import live, messages, models, planner, rules
from dashboard.subtitles.forms import PlanForm, PlanRequest
from dashboard.subtitles.gaps import load_gaps
from dashboard.subtitles.jobs import (
    JOB_FILTERS,
    BatchGroup,
    again,
    build_group,
    build_head,
    cell_row,
    explain_reason,
    upstream_row,
)
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.queries import Library, SubtitleReader, ids_of, load_library, video_state_of
from dashboard.subtitles.rules import CellChoice, CellKey, CellKind, CellState, Order, Status, VideoState
from dashboard.subtitles.writes import UNSENT_KEPT, open_writes, order_of, send_batch
from dashboard.upstream import clients
from dashboard.upstream.credits import balance_part
from dashboard.upstream.languages import load_subtitle_text
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.reads import Query

KINDS: Final[dict[str, tuple[str, Callable[[str], str]]]] = {
    "vtt": ("text/vtt", lambda text: text),
    "srt": ("application/x-subrip", lambda text: cues.as_srt(cues.parse_vtt(text))),
    "txt": ("text/plain", lambda text: cues.as_text(cues.parse_vtt(text))),
}
GROUPS: Final = 3
"""Batches under way that the planner shows."""
JOBS_PAGE: Final = 25
HISTORY_PAGE: Final = 20


@require_safe
def subtitles(request: OwnerRequest) -> HttpResponse:
    """The planner and the coverage of the library, all of it out of the address."""
    form = PlanForm(request.GET)
    form.judge(finished=False)
    return _planner(request, form)


@require_POST
def plan(request: OwnerRequest) -> HttpResponse:
    """The form of the planner: show it again with what was chosen, or check the plan and keep it for sending.

    A choice that is too long for an address is shown without one.
    """
    form = PlanForm(request.POST, person_sent=True)
    if "check" in request.POST:
        return _check(request, form)
    if request.POST.get("choose") == "all":
        choice = form.plan_request.choice
        ids = dict.fromkeys((*choice.videos, *ids_of(SubtitleReader.of(request), form.plan_request)))
        form.plan_request = replace(form.plan_request, choice=replace(choice, videos=tuple(ids)))
    here = form.plan_request.address
    has_address = len(here) <= LONGEST_ADDRESS
    if has_address and not request.htmx:
        return go(request, f"{here}#coverage")
    form.judge(finished=False)
    if request.POST.get("part") == "count":
        response = render(request, "subtitles/_plan_count.html", {"planned": form.ticked})
    else:
        response = _planner(request, form)
    return replace_url(response, here) if has_address else response


def _check(request: OwnerRequest, form: PlanForm) -> HttpResponse:
    """Keep the plan and lead to its dry run; with a rule broken, or nothing to make, back to the form with the reason."""
    if not form.judge(finished=True):
        return _planner(request, form, status=422)
    plan_request, library = _read_library(request, form.plan_request)
    cells = rules.plan(plan_request.order, plan_request.choice, library.video_states, timezone.now())
    if not cells:
        form.add_error("video", _("None of these subtitles can be created now. The table shows why in each cell."))
        return _planner(request, form, status=422)
    return go(request, "subtitles:batch", _create_batch(request, plan_request, library, cells).pk)


def _read_library(request: OwnerRequest, plan_request: PlanRequest) -> tuple[PlanRequest, Library]:
    """Load the rows of the planner with what Reelroom has sent; the plan request gets a source language."""
    videos = dict.fromkeys((*plan_request.choice.videos, *sorted({video for video, _lang in plan_request.choice.also})))
    library = load_library(SubtitleReader.of(request), plan_request, tuple(videos)[: rules.MOST_VIDEOS])
    cells = list(models.list_open_cells(request, library.video_states))
    models.update_open_cells(cells, library.video_states, timezone.now())
    return plan_request.with_source(planner.likely_source(library)), library.with_states(
        models.add_sent_cells(library.video_states, cells)
    )


def _planner(request: OwnerRequest, form: PlanForm, *, status: int = 200) -> HttpResponse:
    """The planner with the batches that are under way (else the last one), and what its poll watches."""
    plan_request, library = _read_library(request, form.plan_request)
    now = timezone.now()
    planned = rules.plan(plan_request.order, plan_request.choice, library.video_states, now)
    coverage = planner.Coverage(plan_request, library, planned, now)
    groups, cells = _load_recent_groups(request)
    sent = {(cell.video_id, cell.lang): cell for cell in models.list_open_cells(request, library.video_states)}
    watched = live.merge_watched(
        live.watch_table(coverage.matrix.under_way(), library.video_states, sent),
        live.watch_cells(cells, in_table=False),
    )
    context = {
        "form": form,
        "refused": status == 422,
        "order": plan_request.order,
        "fields": planner.list_fields(plan_request.order, library),
        "coverage": coverage,
        "trouble": messages.explain(coverage.error, request.account) if coverage.error else None,
        "planned": len(planned),
        "cleared": replace(plan_request, choice=rules.CellChoice()).address,
        "groups": groups,
        "gaps": () if request.htmx else load_gaps(request),
        "balance": balance_part(request, request.account.parent or request.account),
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(
            reverse("subtitles:live"), watched, on="planner", batch=[str(group.head.batch.pk) for group in groups]
        ),
    }
    template = "subtitles/_plan_part.html" if request.htmx else "subtitles/subtitles.html"
    return render(request, template, context, status=status)


def _load_recent_groups(request: OwnerRequest) -> tuple[list[BatchGroup], list[PlannedCell]]:
    """The batches that are under way, else the one that was sent last, and the cells of all of them."""
    under_way = set(models.list_open_cells(request).values_list("batch_id", flat=True))
    sent = models.list_sent_batches(request)
    actor = recorder.actor_of(request, request.account)
    groups, cells = [], []
    for batch in list(sent.filter(pk__in=under_way)[:GROUPS]) or list(sent[:1]):
        batch_cells = list(batch.cells.all())
        cells += batch_cells
        groups.append(build_group(batch, batch_cells, actor))
    return groups, cells


@require_safe
def coverage(request: OwnerRequest) -> HttpResponse:
    """The table as a file: the rows and columns that the page shows."""
    plan_request, library = _read_library(request, PlanForm(request.GET).plan_request)
    heads, rows = planner.table(library, plan_request.order, timezone.now())
    return csv.download(csv.written(heads, rows), csv.file_name("subtitles-coverage", timezone.localdate().isoformat()))


@require_safe
def batch(request: OwnerRequest, batch_id: str) -> HttpResponse:
    """A batch: the dry run before it is sent, its progress after."""
    stored = _get_batch(request, batch_id)
    return _show_dry_run(request, stored) if stored.sent_at is None else _show_progress(request, stored)


@require_POST
def send(request: OwnerRequest, batch_id: str) -> HttpResponse:
    """Send the planned cells of the batch. Its id is the key: nothing is sent twice."""
    stored = _get_batch(request, batch_id)
    send_batch(request, stored)
    return go(request, "subtitles:batch", stored.pk)


def _get_batch(request: OwnerRequest, batch_id: str) -> Batch:
    return get_object_or_404(Batch, pk=batch_id, account=request.account)


def _show_dry_run(request: OwnerRequest, batch: Batch) -> HttpResponse:
    """What would be sent of the batch now, with every video read again."""
    cells = list(batch.cells.all())
    reader = SubtitleReader.of(request)
    videos = list(dict.fromkeys(cell.video_id for cell in cells))
    outcomes = reader.gather(reader.state_queries(videos))
    readings = {video: video_state_of(outcomes, video) for video in videos}
    error = next((error for _state, _late, error in readings.values() if error), None)
    video_states = models.add_sent_cells(
        {video: video_state for video, (video_state, _late, _error) in readings.items()},
        models.list_open_cells(request, videos),
    )
    order = order_of(batch, cells)
    reasons = [(cell, rules.rejection_reason(order, video_states[cell.video_id], cell.lang)) for cell in cells]
    sendable = [cell for cell, reason in reasons if reason is None]
    if order.transcribes:  # no extra language leaves without its transcription
        transcribed = {cell.video_id for cell in sendable if cell.kind == CellKind.TRANSCRIPTION}
        sendable = [cell for cell in sendable if cell.video_id in transcribed]
    context = {
        "batch": batch,
        "count": len(sendable),
        "videos": _preview_requests(request, order, sendable),
        "dropped": [(cell, messages.reason(reason)) for cell, reason in reasons if reason is not None],
        "balance": balance_part(request, request.account.parent or request.account),
        "trouble": messages.explain(error, request.account) if error else None,
    }
    return render(request, "subtitles/check.html", context)


def _preview_requests(
    request: OwnerRequest, order: rules.Order, cells: Sequence[PlannedCell]
) -> list[tuple[list[PlannedCell], http.DryRun]]:
    """The cells of each video with their request."""
    platform = clients.platform(request)  # a preview shows no token, so whose it is makes no difference
    previews = []
    for video, body in rules.bodies(order, [(cell.video_id, cell.lang) for cell in cells]).items():

        def call(operations: Operations, body: object = body) -> object:
            return operations.ai_workflow.create(body)  # type: ignore[arg-type]  # a body of `bodies`

        video_cells = [cell for cell in cells if cell.video_id == video]
        previews.append((video_cells, http.show_request(platform.preview(call))))
    return previews


def _show_progress(request: OwnerRequest, batch: Batch) -> HttpResponse:
    """A batch that was sent, with its open cells read again."""
    cells = list(batch.cells.all())
    _update_cells(request, [cell for cell in cells if rules.is_open(cell.status)])
    languages = list(dict.fromkeys(cell.lang for cell in cells))
    by_video: dict[str, dict[str, PlannedCell]] = {}
    for cell in cells:
        by_video.setdefault(cell.video_id, {})[cell.lang] = cell
    retry = [cell for cell in cells if cell.status in rules.AGAIN]
    reason = next((cell.reason for cell in cells if cell.status == Status.PLANNED and cell.reason), "")
    context = {
        "head": build_head(batch, cells, recorder.actor_of(request, request.account)),
        "languages": [(lang, messages.language(lang)) for lang in languages],
        "rows": [(next(iter(row.values())).title, list(map(row.get, languages))) for row in by_video.values()],
        "jobs": [cell_row(cell, batch) for cell in cells],
        "waits": open_writes(batch).exists(),
        "send_trouble": explain_reason(reason),
        "again": again(retry, batch) if retry else "",
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(
            reverse("subtitles:live"), live.watch_cells(cells, in_table=True), on="batch", batch=str(batch.pk)
        ),
    }
    return render(request, "subtitles/batch.html", context)


@require_safe
def jobs(request: OwnerRequest) -> HttpResponse:
    """Everything this account sent through Reelroom, newest first, by batch."""
    _update_open_cells(request)
    cells = PlannedCell.objects.select_related("batch").filter(
        batch__account=request.account, batch__sent_at__isnull=False
    )
    counts = dict(cells.order_by().values_list("status").annotate(count=Count("pk")))
    filters = [("", pgettext("subtitles", "All"), sum(counts.values()))]
    for word, (label, statuses) in JOB_FILTERS.items():
        filters.append((word, label, sum(counts.get(status, 0) for status in statuses)))
    status_filter = request.GET.get("job", "") if request.GET.get("job", "") in JOB_FILTERS else ""
    if status_filter:
        cells = cells.filter(status__in=JOB_FILTERS[status_filter][1])
    page = Paginator(cells.order_by("-batch__sent_at", "batch_id", "position"), JOBS_PAGE).get_page(
        request.GET.get("page", "")
    )
    page_cells = list(page.object_list)
    actor = recorder.actor_of(request, request.account)
    groups = [
        BatchGroup(
            build_head(batch, batch.cells.all(), actor),
            [cell_row(cell, batch) for cell in page_cells if cell.batch_id == batch.pk],
        )
        for batch in dict.fromkeys(cell.batch for cell in page_cells)
    ]
    context = {
        "page": page,
        "groups": groups,
        "filters": filters,
        "status_filter": status_filter,
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(
            reverse("subtitles:live"),
            live.watch_cells(page_cells, in_table=False),
            on="jobs",
            batch=[str(group.head.batch.pk) for group in groups],
        ),
    }
    return render(request, "subtitles/jobs.html", context)


@require_safe
def history(request: OwnerRequest) -> HttpResponse:
    """The batches of this account, newest first, with how each ended."""
    _update_open_cells(request)
    sent = models.list_sent_batches(request).prefetch_related("cells")
    page = Paginator(sent, HISTORY_PAGE).get_page(request.GET.get("page", ""))
    actor = recorder.actor_of(request, request.account)
    context = {
        "page": page,
        "heads": [build_head(batch, batch.cells.all(), actor) for batch in page.object_list],
        "open_jobs": models.list_open_cells(request).count(),
    }
    return render(request, "subtitles/history.html", context)


def _update_open_cells(request: OwnerRequest) -> None:
    """Read the jobs of the account's open cells; of as many videos as a plan has, the last sent first."""
    cells = list(models.list_open_cells(request).order_by("-sending_at"))
    videos = list(dict.fromkeys(cell.video_id for cell in cells))[: rules.MOST_VIDEOS]
    _update_cells(request, [cell for cell in cells if cell.video_id in videos])


def _update_cells(request: OwnerRequest, cells: Sequence[PlannedCell]) -> None:
    if cells:
        reading = live.read_watched(SubtitleReader.of(request), live.watch_cells(cells, in_table=False))
        models.update_open_cells(cells, reading.video_states, timezone.now())


def _create_batch(
    request: OwnerRequest, plan_request: PlanRequest, library: Library, planned: Sequence[CellKey]
) -> Batch:
    """Save a plan, to be checked and sent. Deletes older plans that were never sent."""
    old = timezone.now() - UNSENT_KEPT
    Batch.objects.filter(account=request.account, sent_at=None, created_at__lt=old).delete()
    titles = {row.video_id: row.title for row in library.rows}
    order = plan_request.order
    batch = Batch(
        account=request.account,
        actor=recorder.actor_of(request, request.account)[:120],
        label=planner.find_label(plan_request, library, [video for video, _lang in planned])[:300],
        type=order.type,
        tier=order.tier,
        from_lang=order.from_lang,
        plan=plan_request.query(),
    )
    batch.save_with_cells([(video, titles[video], lang) for video, lang in planned])
    return batch


@require_safe
def live_update(request: OwnerRequest) -> HttpResponse:
    """The poll of a page that watches several videos. Without htmx: redirect to the planner."""
    if not request.htmx:
        return go(request, "subtitles:subtitles")
    return live.parse_poll(request, request.path).answer()


@require_safe
def video_jobs(request: OwnerRequest, video_id: str) -> HttpResponse:
    """The jobs of one video, whoever sent them, newest first; for htmx, the poll of that list.

    Raises `Missing` for another account's video.
    """
    if request.htmx:
        return live.parse_poll(request, request.path, on="video").answer()
    reader = SubtitleReader.of(request)
    outcomes = reader.gather({"video": reader.video(video_id), f"jobs {video_id}": reader.jobs(video_id)})
    video = _video(outcomes["video"])
    video_state, late, trouble = video_state_of(outcomes, video_id)
    models.update_open_cells(models.list_open_cells(request, [video_id]), {video_id: video_state}, timezone.now())
    jobs = sorted(video_state.jobs or (), key=lambda job: job.created_at or rules.LONG_AGO, reverse=True)
    if late:
        trouble = errors.Unreachable("ai_workflow.jobs")
    watched = live.watch_jobs({video_id: video_state})
    context = {
        "video": video,
        "video_id": video_id,
        "jobs": [upstream_row(job, video.title) for job in jobs],
        "trouble": messages.explain(trouble, request.account) if trouble else None,
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(address("subtitles:video_jobs", video_id), watched, jobs=str(len(jobs))),
    }
    return render(request, "subtitles/video_jobs.html", context)


@require_safe
def subtitle(request: OwnerRequest, video_id: str, lang: str) -> HttpResponse:
    """One video in one language: the player with the text, or why there is none.

    Raises `Missing` for another account's video, `Http404` for what is no language.
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
    context = {
        "video": video,
        "lang": lang,
        "language": messages.language(lang),
        "cues": text_cues,
        "downloads": (("WebVTT", "vtt"), ("SubRip", "srt"), (_("Text"), "txt")),
        "state": _explain_state(cell.state, video_state),
        "job": upstream_row(cell.job, video.title, here=True) if cell.job else None,
        "steps": _list_steps(video.id, lang, video_state) if is_plannable else (),
        "trouble": messages.explain(failed, request.account) if failed else too_long,
        "poll": live.build_poll_address(address("subtitles:video_jobs", video_id), watched),
    }
    return render(request, "subtitles/subtitle.html", context)


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


@require_safe
def download(request: OwnerRequest, video_id: str, lang: str, kind: str) -> HttpResponse:
    """The subtitles as a file: vtt as the platform keeps it, srt and txt made of it.

    Raises the `PlatformError` of a read that failed.
    """
    if kind not in KINDS:
        raise Http404
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

"""Generating AI content of a video, with its jobs, and deleting resources of a language."""

import math
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.ai_content import sync
from dashboard.ai_content.decorators import with_fresh_document
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.pages import render_page
from dashboard.ai_content.resources import inventory, pages, writes
from dashboard.ai_content.resources.forms import DeleteResourcesForm, GenerateForm
from dashboard.ai_content.resources.writes import DELETE, GENERATE
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken, Missing, PlatformError
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import AiKind
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.upstream import clients, parallel, reads
from dashboard.upstream.credits import balance_part
from dashboard.upstream.parallel import Failed, Ready
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.pages import load_notices, not_offered
from dashboard.writes.requests import form_key


@require_http_methods(["GET", "POST"])
def generate(request: OwnerRequest, video_id: UUID) -> HttpResponse:
    """What to generate in which language, what that costs as far as is known, and the jobs of before."""
    video, part = _load_video(request, video_id)
    lang = request.GET.get("lang", "")
    has_kinds = clients.config().is_elsewhere(GENERATE)
    initial = {"lang": lang, "kinds": _list_missing(video, lang)}
    form = GenerateForm(request.POST or None, has_kinds=has_kinds, initial=initial)
    if not form.is_bound or not form.is_valid():
        return _render_page(request, video, part, form)
    order = form.cleaned_data["lang"], form.cleaned_data.get("kinds", list(map(str, AiKind)))
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda p: p.ai_workflow.generate_package(video.id, *order))
        return _render_page(
            request,
            video,
            part,
            GenerateForm(has_kinds=has_kinds, initial=form.cleaned_data),
            dry_run=dry_run.show(preview),
        )
    try:
        write = writes.generate(request, video, *order)
    except PlatformError as error:
        form.add_error(None, refusals.explain(error).whole)
        return _render_page(request, video, part, form)
    if write.state == State.DONE:
        messages.success(request, _("Requested. The job is on this page."))
    return redirect("ai_content:generate", video_id)


def _load_video(request: OwnerRequest, video_id: UUID) -> tuple[Video, pages.JobsPart]:
    """The video, and side by side with it its jobs, which the page can do without. Raises the `PlatformError` of the video."""
    read = partial(_load_jobs_part, request, str(video_id))
    video, outcomes = parallel.beside(partial(sync.get_video, request, video_id), jobs=read)
    outcome = outcomes["jobs"]
    if isinstance(outcome, Ready):
        return video, outcome.value
    error = outcome.error if isinstance(outcome, Failed) else None
    return video, pages.build_jobs_part(video.id, None, error, is_open=False)


def _list_missing(video: Video, lang: str) -> list[str]:
    """The kinds that a video does not have in a language."""
    there = {resource.kind for resource in video.ai_resources if resource.lang == lang}
    return [str(kind) for kind in AiKind if str(kind) not in there]


def _render_page(
    request: OwnerRequest, video: Video, part: pages.JobsPart, form: GenerateForm, **more: object
) -> HttpResponse:
    context = {
        "title": video.title or video.id,
        "video_id": video.id,
        "form": form,
        "credits": balance_part(request, request.account),
        "price": math.ceil(video.length / 60) if video.length else None,
        "payer": request.account.name,
        "not_offered": not_offered(request.account, GENERATE),
        "part": part,
        "writes": load_notices(request.account, GENERATE, back=request.path, subject=video.id),
    }
    wrong = form.is_bound and bool(form.errors)
    return render(request, "ai_content/generate.html", {**context, **more}, status=422 if wrong else 200)


def _load_jobs_part(request: OwnerRequest, video_id: str) -> pages.JobsPart:
    """The jobs as they are known. Raises `BadToken`, and `Missing` for a video that this account does not have."""
    outcome = reads.of(request).gather(jobs=lambda platform: platform.ai_workflow.jobs(video_id))["jobs"]
    error = outcome.error if isinstance(outcome, Failed) else None
    if isinstance(error, BadToken | Missing):
        raise error
    jobs = outcome.value if isinstance(outcome, Ready) else None
    is_open = writes.list_generations(request.account, video_id).filter(state__in=OPEN).exists()
    return pages.build_jobs_part(video_id, jobs, error, is_open=is_open)


@require_safe
def generation(request: OwnerRequest, video_id: UUID) -> HttpResponse:
    """The polled part: 204 while nothing changed; without a trigger once no job is under way."""
    part = _load_jobs_part(request, str(video_id))
    if request.GET.get("v") == part.version:
        return unchanged()
    return render(request, "ai_content/_generation.html", {"part": part})


@require_http_methods(["GET", "POST"])
@with_fresh_document
def delete(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Which kinds are deleted; refused where no version of what is there could be kept."""
    if request.method == "POST" and not dry_run.asked(request):
        mine = writes.find_by_form(request.account, DELETE, form_key(request))
        if mine is not None and mine.state != State.REFUSED:
            return _redirect_deleted(request, editor, mine)
    there = inventory.list_kinds(editor.package)
    selected = [kind for kind in request.GET.getlist("kind") if kind in there]
    form = DeleteResourcesForm(request.POST or None, there=there, initial={"kinds": selected or there})
    if not form.is_bound:
        return _render_deletion(request, editor, form)
    if form.is_valid() and (reason := pages.format_not_kept(editor.opened.state)):
        form.add_error(None, reason)
    if not form.is_valid():
        return _render_deletion(request, editor, form)
    kinds = form.cleaned_data["kinds"]
    if dry_run.asked(request):
        call = partial(_call_deletion, editor, kinds)
        preview = dry_run.show(clients.platform(request).preview(call))
        form = DeleteResourcesForm(there=there, initial={"kinds": kinds})
        return _render_deletion(request, editor, form, dry_run=preview)
    try:
        write = writes.delete(request, editor, kinds)
    except PlatformError as error:
        form.add_error(None, refusals.explain(error).whole)
        return _render_deletion(request, editor, form)
    return _redirect_deleted(request, editor, write)


def _call_deletion(editor: Editor, kinds: list[str], platform: Operations) -> None:
    platform.ai_workflow.delete_package(str(editor.document.video_id), editor.document.lang, kinds)


def _redirect_deleted(request: OwnerRequest, editor: Editor, write: Write) -> HttpResponse:
    if write.state == State.DONE:
        messages.success(request, _("Deleted. The previous version is in Versions."))
    return redirect(editor.address())


def _render_deletion(request: OwnerRequest, editor: Editor, form: DeleteResourcesForm, **more: object) -> HttpResponse:
    more |= {"form": form, "not_offered": not_offered(request.account, DELETE)}
    status = 422 if form.is_bound and form.errors else 200
    return render_page(editor, "language", "ai_content/delete_resources.html", status, **more)

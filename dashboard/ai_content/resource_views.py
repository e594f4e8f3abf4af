"""Generating AI content of a video, with its jobs, and deleting resources of a language."""

import math
from collections.abc import Iterable
from functools import partial
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.ai_content import versions, writes
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.pages import get_block_name, render_page, with_fresh_document
from dashboard.ai_content.versions import FileState
from dashboard.ai_content.writes import DELETE, GENERATE
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.errors import BadToken, CallError, Missing, PlatformError
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import ALL_TEXT_ITEMS, JOB_ACTIVE, LANGUAGES, AiKind, JobStatus
from dashboard.shared import formats, http, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.upstream import clients, parallel, reads
from dashboard.upstream.credits import balance_part
from dashboard.upstream.parallel import Failed, Ready
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.pages import load_notices, not_offered
from dashboard.writes.requests import form_key


class CheckboxGroup(forms.CheckboxSelectMultiple):
    """Several to choose from, with an identifier of the whole to which an error leads."""

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        return id_ if index is None else super().id_for_label(id_, index)


class GenerateForm(forms.Form):
    """A language, and the kinds to make in it where the platform's call says them."""

    lang = forms.ChoiceField(
        label=gettext_lazy("Language"),
        error_messages={
            "required": gettext_lazy("Choose a language."),
            "invalid_choice": gettext_lazy("Choose a language."),
        },
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("What to generate"),
        widget=CheckboxGroup,
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )

    def __init__(self, *args: Any, has_kinds: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = sorted(
            ((code, f"{formats.language_name(code)}, {code}") for code in LANGUAGES), key=lambda choice: choice[1]
        )
        self._choose("lang", [("", gettext_lazy("Choose a language")), *named])
        if has_kinds:
            self._choose("kinds", [(str(kind), get_block_name(str(kind))) for kind in AiKind])
        else:
            del self.fields["kinds"]

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = choices


class DeleteResourcesForm(forms.Form):
    """Which of the kinds that are there are deleted."""

    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("What to delete"),
        widget=CheckboxGroup,
        error_messages={
            "required": gettext_lazy("Choose at least one."),
            "invalid_choice": gettext_lazy("This language no longer has it."),
        },
    )

    def __init__(self, *args: Any, there: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(kind, get_block_name(kind)) for kind in there]


STATES: Final[dict[str, tuple[Any, str, tuple[str, str, str]]]] = {
    JobStatus.QUEUE: (pgettext_lazy("ai job", "In queue"), "queue", ("now", "", "")),
    JobStatus.RUNNING: (pgettext_lazy("ai job", "Running"), "running", ("done", "now", "")),
    JobStatus.FINISHED: (pgettext_lazy("ai job", "Finished"), "finished", ("done", "done", "done")),
    JobStatus.ERROR: (pgettext_lazy("ai job", "Error"), "error", ("done", "done", "done")),
    JobStatus.SKIPPED: (pgettext_lazy("ai job", "Skipped"), "skipped", ("done", "done", "done")),
}
"""The name of each state, its shape, and how far it is."""


def format_not_kept(state: FileState) -> str:
    """Why nothing may be deleted now, because no version of it could be kept; "" where one is."""
    if state is FileState.UNREAD:
        return _(
            "Nothing was deleted: the content could not be read, so it could not be kept as a version. "
            "Try again in a minute."
        )
    if state is FileState.UNCONFIRMED:
        return _(
            "Nothing was deleted: an earlier save of this language is not confirmed yet. "
            "Try again when it is confirmed."
        )
    return ""


def build_jobs(video_id: str, jobs: Iterable[Job] | None, error: CallError | None, *, is_open: bool) -> dict[str, Any]:
    """What templates/ai_content/_generation.html shows, polled while a job is under way.

    The jobs of AI content of a video, newest first; None: they were not read. `is_open`: an order is not confirmed.
    """
    listed = [job for job in jobs or () if writes.is_content_job(job)]
    listed.sort(key=lambda job: job.created_at.timestamp() if job.created_at else 0.0, reverse=True)
    trouble = ""
    if jobs is None:
        trouble = refusals.explain(error, reading=True).sentence if error else _("The platform is still answering.")
    return {
        "video_id": video_id,
        "rows": [_build_row(job) for job in listed],
        "trouble": trouble,
        "version": "-".join([*(f"{job.id}.{job.status}" for job in listed), str(is_open), trouble[:8]]),
        # a state that is not known counts as ended, so that nobody waits for it for ever
        "polls": is_open or jobs is None or any(job.status in JOB_ACTIVE for job in listed),
    }


def _build_row(job: Job) -> dict[str, Any]:
    """One job. `open`: where the content is, once it has finished."""
    lang = job.from_lang or job.to_lang or ""
    state, shape, steps = STATES.get(job.status, (job.status, "unknown", ("done", "done", "done")))
    is_finished = job.status == JobStatus.FINISHED
    return {
        "id": job.id,
        "title": _format_title(job),
        "state": state,
        "shape": shape,
        "steps": steps,
        "lang": lang,
        "note": _format_note(job),
        "open": address("ai_content:language", job.video_id, lang) if is_finished and lang else "",
    }


def _format_title(job: Job) -> str:
    """The kinds that it makes, where it tells them."""
    resources = job.metadata.get("resources")
    kinds = [str(kind) for kind in AiKind if isinstance(resources, list) and str(kind) in resources]
    if kinds:
        return ", ".join(map(get_block_name, kinds))
    return _("AI content") if job.type == ALL_TEXT_ITEMS else job.type


def _format_note(job: Job) -> str:
    reason = job.metadata.get("reason")
    sent = _("Requested %(when)s.") % {"when": formats.ago(job.created_at)} if job.created_at else ""
    why = _("The platform says: “%(words)s”.") % {"words": reason} if isinstance(reason, str) and reason else ""
    return f"{sent} {why}".strip()


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
    if http.is_dry_run(request):
        preview = clients.platform(request).preview(lambda p: p.ai_workflow.generate_package(video.id, *order))
        return _render_page(
            request,
            video,
            part,
            GenerateForm(has_kinds=has_kinds, initial=form.cleaned_data),
            dry_run=http.show_request(preview),
        )
    try:
        write = writes.generate(request, video, *order)
    except PlatformError as error:
        form.add_error(None, refusals.explain(error).whole)
        return _render_page(request, video, part, form)
    if write.state == State.DONE:
        messages.success(request, _("Requested. The job is on this page."))
    return redirect("ai_content:generate", video_id)


def _load_video(request: OwnerRequest, video_id: UUID) -> tuple[Video, dict[str, Any]]:
    """The video, and side by side with it its jobs, which the page can do without. Raises the `PlatformError` of the video."""
    read = partial(_load_jobs, request, str(video_id))
    video, outcomes = parallel.beside(partial(versions.get_video, request, video_id), jobs=read)
    outcome = outcomes["jobs"]
    if isinstance(outcome, Ready):
        return video, outcome.value
    error = outcome.error if isinstance(outcome, Failed) else None
    return video, build_jobs(video.id, None, error, is_open=False)


def _list_missing(video: Video, lang: str) -> list[str]:
    """The kinds that a video does not have in a language."""
    there = {resource.kind for resource in video.ai_resources if resource.lang == lang}
    return [str(kind) for kind in AiKind if str(kind) not in there]


def _render_page(
    request: OwnerRequest, video: Video, part: dict[str, Any], form: GenerateForm, **more: object
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


def _load_jobs(request: OwnerRequest, video_id: str) -> dict[str, Any]:
    """The jobs as they are known. Raises `BadToken`, and `Missing` for a video that this account does not have."""
    outcome = reads.of(request).gather(jobs=lambda platform: platform.ai_workflow.jobs(video_id))["jobs"]
    error = outcome.error if isinstance(outcome, Failed) else None
    if isinstance(error, BadToken | Missing):
        raise error
    jobs = outcome.value if isinstance(outcome, Ready) else None
    is_open = writes.list_generations(request.account, video_id).filter(state__in=OPEN).exists()
    return build_jobs(video_id, jobs, error, is_open=is_open)


@require_safe
def generation(request: OwnerRequest, video_id: UUID) -> HttpResponse:
    """The polled part: 204 while nothing changed; without a trigger once no job is under way."""
    part = _load_jobs(request, str(video_id))
    if request.GET.get("v") == part["version"]:
        return unchanged()
    return render(request, "ai_content/_generation.html", {"part": part})


@require_http_methods(["GET", "POST"])
@with_fresh_document
def delete(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Which kinds are deleted; refused where no version of what is there could be kept."""
    if request.method == "POST" and not http.is_dry_run(request):
        mine = writes.find_by_form(request.account, DELETE, form_key(request))
        if mine is not None and mine.state != State.REFUSED:
            return _redirect_deleted(request, editor, mine)
    there = writes.list_kinds(editor.package)
    selected = [kind for kind in request.GET.getlist("kind") if kind in there]
    form = DeleteResourcesForm(request.POST or None, there=there, initial={"kinds": selected or there})
    if not form.is_bound:
        return _render_deletion(request, editor, form)
    if form.is_valid() and (reason := format_not_kept(editor.opened.state)):
        form.add_error(None, reason)
    if not form.is_valid():
        return _render_deletion(request, editor, form)
    kinds = form.cleaned_data["kinds"]
    if http.is_dry_run(request):
        video, lang = str(editor.document.video_id), editor.document.lang
        call = clients.platform(request).preview(lambda p: p.ai_workflow.delete_package(video, lang, kinds))
        form = DeleteResourcesForm(there=there, initial={"kinds": kinds})
        return _render_deletion(request, editor, form, dry_run=http.show_request(call))
    try:
        write = writes.delete(request, editor, kinds)
    except PlatformError as error:
        form.add_error(None, refusals.explain(error).whole)
        return _render_deletion(request, editor, form)
    return _redirect_deleted(request, editor, write)


def _redirect_deleted(request: OwnerRequest, editor: Editor, write: Write) -> HttpResponse:
    if write.state == State.DONE:
        messages.success(request, _("Deleted. The previous version is in Versions."))
    return redirect(editor.address())


def _render_deletion(request: OwnerRequest, editor: Editor, form: DeleteResourcesForm, **more: object) -> HttpResponse:
    more |= {"form": form, "not_offered": not_offered(request.account, DELETE)}
    status = 422 if form.is_bound and form.errors else 200
    return render_page(editor, "language", "ai_content/delete_resources.html", status, **more)

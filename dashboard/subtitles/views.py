"""The pages of subtitles: plan, check, send, watch, read."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import replace_url

from dashboard.shared import csv
from dashboard.shared.http import LONGEST_ADDRESS, OwnerRequest, go
from dashboard.subtitles import page_data, rules, video_pages
from dashboard.subtitles.forms import PlanForm
from dashboard.subtitles.live import parse_poll
from dashboard.subtitles.models import Batch
from dashboard.subtitles.pages import coverage as coverage_pages
from dashboard.subtitles.pages import planner as planner_pages
from dashboard.subtitles.send import send_batch


@require_safe
def subtitles(request: OwnerRequest) -> HttpResponse:
    """The planner and the coverage of the library, all of it out of the address."""
    form = PlanForm(request.GET)
    form.judge(finished=False)
    return _planner(request, form)


def _planner(request: OwnerRequest, form: PlanForm, *, status: int = 200) -> HttpResponse:
    page, poll = page_data.load_planner(request, form.plan_request)
    context = {"page": page, "form": form, "poll": poll, "refused": status == 422}
    template = "subtitles/_plan_part.html" if request.htmx else "subtitles/subtitles.html"
    return render(request, template, context, status=status)


@require_POST
def plan(request: OwnerRequest) -> HttpResponse:
    """The form of the planner: show it again with what was chosen, or check the plan and keep it for sending.

    A choice that is too long for an address is shown without one.
    """
    form = PlanForm(request.POST, person_sent=True)
    if "check" in request.POST:
        return _check(request, form)
    if request.POST.get("choose") == "all":
        form.plan_request = page_data.choose_all(request, form.plan_request)
    address = f"{reverse('subtitles:subtitles')}?{form.plan_request.query()}"
    has_address = len(address) <= LONGEST_ADDRESS
    if has_address and not request.htmx:
        return go(request, f"{address}#coverage")
    form.judge(finished=False)
    if request.POST.get("part") == "count":
        words = planner_pages.check_words(form.ticked)
        response = render(request, "subtitles/_plan_count.html", {"check_words": words})
    else:
        response = _planner(request, form)
    return replace_url(response, address) if has_address else response


def _check(request: OwnerRequest, form: PlanForm) -> HttpResponse:
    """Keep the plan and lead to its dry run; with a rule broken, or nothing to make, back to the form with the reason."""
    if not form.judge(finished=True):
        return _planner(request, form, status=422)
    plan_request, library = page_data.read_library(request, form.plan_request)
    cells = rules.plan(plan_request.order, plan_request.choice, library.video_states, timezone.now())
    if not cells:
        form.add_error("video", _("None of these subtitles can be created now. The table shows why in each cell."))
        return _planner(request, form, status=422)
    return go(request, "subtitles:batch", page_data.create_batch(request, plan_request, library, cells).pk)


@require_safe
def coverage(request: OwnerRequest) -> HttpResponse:
    """The table as a file: the rows and columns that the page shows."""
    plan_request, library = page_data.read_library(request, PlanForm(request.GET).plan_request)
    heads, rows = coverage_pages.table(library, plan_request.order, timezone.now())
    return csv.download(csv.written(heads, rows), csv.file_name("subtitles-coverage", timezone.localdate().isoformat()))


@require_safe
def batch(request: OwnerRequest, batch_id: str) -> HttpResponse:
    """A batch: the dry run before it is sent, its progress after."""
    stored = _batch(request, batch_id)
    if stored.sent_at is None:
        return render(request, "subtitles/check.html", {"page": page_data.load_dry_run(request, stored)})
    page, poll = page_data.load_batch(request, stored)
    return render(request, "subtitles/batch.html", {"page": page, "poll": poll})


@require_POST
def send(request: OwnerRequest, batch_id: str) -> HttpResponse:
    """Send the planned cells of the batch. Its id is the key: nothing is sent twice."""
    stored = _batch(request, batch_id)
    send_batch(request, stored)
    return go(request, "subtitles:batch", stored.pk)


def _batch(request: OwnerRequest, batch_id: str) -> Batch:
    return get_object_or_404(Batch, pk=batch_id, account=request.account)


@require_safe
def jobs(request: OwnerRequest) -> HttpResponse:
    """Everything this account sent through Reelroom, by batch."""
    page, poll = page_data.load_jobs(request, request.GET.get("job", ""), request.GET.get("page", ""))
    return render(request, "subtitles/jobs.html", {"page": page, "poll": poll})


@require_safe
def history(request: OwnerRequest) -> HttpResponse:
    """The batches of this account."""
    return render(
        request, "subtitles/history.html", {"page": page_data.load_history(request, request.GET.get("page", ""))}
    )


@require_safe
def live(request: OwnerRequest) -> HttpResponse:
    """The poll of a page that watches several videos. Without htmx: redirect to the planner."""
    if not request.htmx:
        return go(request, "subtitles:subtitles")
    return parse_poll(request, request.path).answer()


@require_safe
def video_jobs(request: OwnerRequest, video_id: str) -> HttpResponse:
    """The jobs of one video, whoever sent them; for htmx, the poll of that list."""
    if request.htmx:
        return parse_poll(request, request.path, on="video").answer()
    page, poll = video_pages.jobs_page(request, video_id)
    return render(request, "subtitles/video_jobs.html", {"page": page, "poll": poll})


@require_safe
def subtitle(request: OwnerRequest, video_id: str, lang: str) -> HttpResponse:
    """One video in one language: the player with the text, or why there is none."""
    page, poll = video_pages.subtitle_page(request, video_id, lang)
    return render(request, "subtitles/subtitle.html", {"page": page, "poll": poll})


@require_safe
def download(request: OwnerRequest, video_id: str, lang: str, kind: str) -> HttpResponse:
    """The subtitles as a file: vtt as the platform keeps it, srt and txt made of it."""
    if kind not in video_pages.KINDS:
        raise Http404
    return video_pages.file(request, video_id, lang, kind)

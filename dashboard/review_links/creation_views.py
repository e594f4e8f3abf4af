"""Creating a link, what became of an attempt without an answer, and taking in a link made elsewhere."""

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video
from dashboard.review_links import create as creating
from dashboard.review_links import creation_pages, cut_pages, rules
from dashboard.review_links.forms import CUSTOM, ImportForm, LinkForm, NextCutForm
from dashboard.review_links.writes import CREATE, get_link_id
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.upstream import clients, reads
from dashboard.upstream.reads import Query
from dashboard.upstream.single_records import is_untold
from dashboard.upstream.video_options import RECENT_SECONDS, find_playing_problem, load_picker
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.requests import is_current, scope_of
from review_portal import imports, owner_queries, sync
from review_portal.cuts import CutRefusal
from review_portal.models import Claim, ReviewLink


@require_http_methods(["GET", "POST"])
def create(request: OwnerRequest) -> HttpResponse:
    """First which video, then the form; a refusal comes back to it with everything typed."""
    begun = creating.find_attempt(request) if request.method == "POST" and not dry_run.asked(request) else None
    if begun is not None:
        return _redirect_to_result(request, begun)
    video = _load_video(request)
    if video is None:
        return _render_choose(request, importing=False)
    form = LinkForm(request.POST) if request.method == "POST" else LinkForm(initial=_get_initial(request, video))
    if request.method == "GET":
        return _render_form(request, form, video)
    is_valid = form.is_valid() & _build_cut_form(request, video).is_valid()
    if problem := find_playing_problem(video):
        form.add_error(None, problem)
    if problem or not is_valid:
        return _render_form(request, form, video, status=422)
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda p: p.review_links.create(video.id, form.to_payload()))
        return _render_form(request, form, video, preview=dry_run.show(preview))
    return _create(request, form, video)


def _create(request: OwnerRequest, form: LinkForm, video: Video) -> HttpResponse:
    same = creating.find_recent(request, video, form.to_payload())
    if same is not None and creating.TWICE not in request.POST:
        return _render_form(request, form, video, status=409, same=reverse("review_links:attempt", args=[same.key]))
    try:
        choices = {name: bool(form.cleaned_data[name]) for name in creation_pages.CHOICES}
        write = creating.create(request, video, form.to_payload(), request.POST.get("next_of", ""), choices)
    except errors.PlatformError as error:
        creation_pages.add_refusal(form, error)
        status = 422 if isinstance(error, errors.Refused | errors.Missing | errors.NotAllowed) else 503
        return _render_form(request, form, video, status=status)
    return _redirect_to_result(request, write)


def _redirect_to_result(request: OwnerRequest, write: Write) -> HttpResponse:
    """Lead to the link, or to the page that says why there is none."""
    link_id = get_link_id(write)
    if link_id is not None:
        messages.success(request, _("Created “%(name)s”. Copy its address below.") % {"name": write.label})
        if refusal := (write.result or {}).get("cut_refusal"):
            messages.warning(request, cut_pages.describe_refusal(CutRefusal(refusal)))
        return go(request, "review_links:link", link_id)
    if write.state == State.DONE:  # its owner says that it arrived
        return go(request, "review_links:video", write.subject)
    return go(request, "review_links:attempt", write.key)


@require_http_methods(["GET", "POST"])
def attempt(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """What is known of a link without an answer. It polls itself; its owner may say that it arrived or send it again."""
    write = outbox.find(scope_of(request.account), key)
    if write is None or write.operation != CREATE:
        raise Http404
    if request.method == "POST":
        return _settle(request, write)
    if write.state == State.DONE:
        return _redirect_to_result(request, write)
    page = creation_pages.build_attempt_page(write)
    if request.htmx and request.GET.get("v") == page.version:
        return unchanged()
    template = "review_links/_attempt.html" if request.htmx else "review_links/attempt.html"
    return render(request, template, {"page": page})


def _settle(request: OwnerRequest, write: Write) -> HttpResponse:
    """A form about an attempt that is over leads to what became of it, and changes nothing."""
    if not is_current(request, write):
        return _redirect_to_result(request, write)
    if request.POST.get("do") == "confirm":
        outbox.confirm(write)
        messages.success(request, _("Saved as created. Paste the address of the link to see it here."))
        return redirect(f"{reverse('review_links:import')}?{urlencode({'video': write.subject})}")
    try:
        return _redirect_to_result(request, creating.send_again(write))
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        messages.error(request, explained.whole)
        return redirect("review_links:attempt", write.key)


@require_http_methods(["GET", "POST"])
def import_link(request: OwnerRequest) -> HttpResponse:
    """Take in a link made elsewhere, by its id and its video. One that the platform does not confirm is a claim."""
    video = _load_video(request)
    if video is None:
        return _render_choose(request, importing=True)
    form = ImportForm(request.POST if request.method == "POST" else None, initial={"link": request.GET.get("link", "")})
    status = 200
    if form.is_bound:
        result, status = _import_from_form(request, form, uuid.UUID(video.id))
        if isinstance(result, Claim):
            messages.warning(request, _("The link was imported, but the platform did not confirm that it is yours."))
            return redirect("review_links:claim", result.pk)
        if result is not None:
            messages.success(request, _("Link imported. What reviewers write through Reelroom appears here."))
            return redirect("review_links:link", result.pk)
    page = creation_pages.build_import_page(video, readable=sync.is_readable())
    return render(request, "review_links/import.html", {"form": form, "page": page}, status=status)


def _import_from_form(
    request: OwnerRequest, form: ImportForm, video_id: uuid.UUID
) -> tuple[ReviewLink | Claim | None, int]:
    """The link that was taken in or claimed; or None, with what is wrong at the form, and the status of the answer."""
    if not form.is_valid():
        return None, 422
    try:
        return imports.import_link(request.account, form.cleaned_data["link"], video_id), 302
    except imports.ImportRefused as refused:
        form.add_error("link", creation_pages.describe_import_problem(refused.reason))
        return None, 422
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        form.add_error(None, explained.whole)
        return None, 503


def _build_cut_form(request: OwnerRequest, video: Video) -> NextCutForm:
    data = request.POST if request.method == "POST" else None
    return cut_pages.build_form(request.account, None, uuid.UUID(video.id), data)


def _load_video(request: OwnerRequest) -> Video | None:
    """The video that the address or the form names. Raises `Missing` for one that is not the account's."""
    text = (request.POST.get("video") or request.GET.get("video", "")).strip()
    try:
        video_id = uuid.UUID(text) if text else None
    except ValueError as error:
        raise Http404 from error
    if video_id is None:
        return None
    seconds = RECENT_SECONDS if request.method == "POST" else None
    return reads.of(request).get(Query(lambda platform: platform.videos.get(video_id), seconds))


def _render_choose(request: OwnerRequest, *, importing: bool) -> HttpResponse:
    picker = load_picker(request, field="q")
    if picker.list_error is not None and not is_untold(picker.list_error):
        raise picker.list_error
    context = {"picker": picker, "importing": importing, "link": request.GET.get("link", "")}
    return render(request, "review_links/choose.html", context)


def _get_initial(request: OwnerRequest, video: Video) -> dict[str, Any]:
    """What the form starts with: the title as a name, a week, everything allowed; or another link's settings."""
    now = timezone.now()
    fixed = {"form_at": int(now.timestamp()), "zone": timezone.get_current_timezone_name()}
    usual: dict[str, Any] = dict.fromkeys(rules.SWITCHES, True)
    usual |= {"name": rules.suggest_name(video.title), "closes": str(rules.PRESET_FIRST)}
    return fixed | usual | creation_pages.load_settings_of(request.account, request.GET.get("like", ""))


def _render_form(
    request: OwnerRequest,
    form: LinkForm,
    video: Video,
    status: int = 200,
    preview: dry_run.DryRun | None = None,
    same: str = "",
) -> HttpResponse:
    """`same`: the address of the same link, asked for a moment ago."""
    rows = list(owner_queries.list_links(request.account, uuid.UUID(video.id)))
    used = owner_queries.count_comments_by_video(request.account).get(uuid.UUID(video.id), 0)
    page = creation_pages.build_create_page(form, video, rows, used, like=request.GET.get("like", ""))
    cut_form = _build_cut_form(request, video)
    context = {"form": form, "page": page, "dry_run": preview, "custom": CUSTOM, "same": same, "cut_form": cut_form}
    return render(request, "review_links/create.html", context, status=status)

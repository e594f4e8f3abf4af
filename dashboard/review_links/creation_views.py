"""Creating a link, what became of an attempt without an answer, and taking in a link made elsewhere."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard import clients
from dashboard.platform_api import errors
from dashboard.platform_api.records import Video
from dashboard.review_links import creating, creation_pages, rules
from dashboard.review_links.forms import CUSTOM, ImportForm, LinkForm
from dashboard.review_links.models import Attempt, Progress
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest
from review_portal import links


@require_http_methods(["GET", "POST"])
def create(request: OwnerRequest) -> HttpResponse:
    """First which video, then the form; a refusal comes back to it with everything typed."""
    video = _video(request)
    if video is None:
        return _choose(request, "create")
    form = LinkForm(request.POST) if request.method == "POST" else LinkForm(initial=_initial(request, video))
    if request.method == "GET":
        return _form_page(request, form, video)
    if not form.is_valid():
        return _form_page(request, form, video, status=422)
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda p: p.review_links.create(video.id, form.to_payload()))
        return _form_page(request, form, video, preview=dry_run.show(preview))
    return _create(request, form, video)


def _create(request: OwnerRequest, form: LinkForm, video: Video) -> HttpResponse:
    try:
        attempt = creating.create(request, form.cleaned_data["key"], video, form.to_payload())
    except errors.BadToken:
        raise
    except errors.PlatformError as error:
        creation_pages.add_refusal(form, error)
        status = 422 if isinstance(error, errors.Refused | errors.Missing | errors.NotAllowed) else 503
        return _form_page(request, form, video, status=status)
    return _onward(request, attempt)


def _onward(request: OwnerRequest, attempt: Attempt) -> HttpResponse:
    if attempt.progress == Progress.CREATED:
        messages.success(
            request, _("Created “%(name)s”. Copy its address below.") % {"name": attempt.payload["link_name"]}
        )
        return redirect("review_links:link", attempt.link_id)
    return redirect("review_links:attempt", attempt.pk)


@require_http_methods(["GET", "POST"])
def attempt(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """What is known of an attempt that got no answer: look again, or send it once more on purpose."""
    try:
        found = creating.of(request, key)
    except Attempt.DoesNotExist as error:
        raise Http404 from error
    trouble = ""
    if request.method == "POST":
        try:
            found = creating.again(request, found) if "again" in request.POST else creating.look(request, found)
        except errors.BadToken:
            raise
        except errors.PlatformError as error:
            trouble = refusals.explain(error).sentence
    if found.progress == Progress.CREATED:
        return _onward(request, found)
    page = creation_pages.attempt_page(found, trouble)
    return render(request, "review_links/attempt.html", {"page": page}, status=503 if trouble else 200)


@require_http_methods(["GET", "POST"])
def import_link(request: OwnerRequest) -> HttpResponse:
    """Take in a link made elsewhere, by its id and its video. One that the platform does not confirm is a claim."""
    video = _video(request)
    if video is None:
        return _choose(request, "import")
    form = ImportForm(request.POST if request.method == "POST" else None, initial={"link": request.GET.get("link", "")})
    status = 200
    if form.is_bound:
        taken, status = _taken(request, form, uuid.UUID(video.id))
        if isinstance(taken, links.Claim):
            messages.warning(request, _("The link was imported, but the platform did not confirm that it is yours."))
            return redirect("review_links:claim", taken.pk)
        if taken is not None:
            messages.success(request, _("Took in the link. What its reviewers write through Reelroom appears here."))
            return redirect("review_links:link", taken.pk)
    page = creation_pages.import_page(video, readable=links.can_be_read())
    return render(request, "review_links/import.html", {"form": form, "page": page}, status=status)


def _taken(request: OwnerRequest, form: ImportForm, video_id: uuid.UUID) -> tuple[Any, int]:
    """The link that was taken in or claimed; or None, with what is wrong at the form, and the status of the answer."""
    if not form.is_valid():
        return None, 422
    try:
        return links.import_link(request.account, form.cleaned_data["link"], video_id), 302
    except links.NotImported as refused:
        form.add_error("link", creation_pages.import_sentence(refused.reason))
        return None, 422
    except errors.BadToken:
        raise
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        form.add_error(None, f"{explained.sentence} {explained.next_step}".strip())
        return None, 503


def _video(request: OwnerRequest) -> Video | None:
    """The video that the address or the form names. Raises `Missing` for one that is not the account's."""
    sent = (request.POST.get("video") or request.GET.get("video", "")).strip()
    try:
        return clients.platform(request).videos.get(uuid.UUID(sent)) if sent else None
    except ValueError as error:
        raise Http404 from error


def _choose(request: OwnerRequest, purpose: str) -> HttpResponse:
    query = " ".join(request.GET.get("q", "").split())[:200]
    page = request.GET.get("page", "")
    number = int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 5 else 1
    found = clients.platform(request).videos.list(
        page=max(1, number), limit=creation_pages.VIDEOS_PER_PAGE, title=query or None
    )
    context = {"page": creation_pages.choose_page(found, query, max(1, number), purpose, request.GET.get("link", ""))}
    return render(request, "review_links/choose.html", context)


def _initial(request: OwnerRequest, video: Video) -> dict[str, Any]:
    """What the form starts with: the title as a name, a week, everything allowed; or another link's settings."""
    now = timezone.now()
    fixed = {"key": uuid.uuid4(), "form_at": int(now.timestamp()), "zone": timezone.get_current_timezone_name()}
    usual: dict[str, Any] = dict.fromkeys(rules.SWITCHES, True)
    usual |= {"name": rules.suggested_name(video.title), "closes": str(rules.PRESET_FIRST)}
    return fixed | usual | creation_pages.settings_like(request.account, request.GET.get("like", ""))


def _form_page(
    request: OwnerRequest, form: LinkForm, video: Video, status: int = 200, preview: dry_run.DryRun | None = None
) -> HttpResponse:
    rows = list(links.links_of(request.account, uuid.UUID(video.id)))
    used = links.used_comments(request.account).get(uuid.UUID(video.id), 0)
    page = creation_pages.create_page(form, video, rows, used, like=request.GET.get("like", ""))
    context = {"form": form, "page": page, "dry_run": preview, "custom": CUSTOM}
    return render(request, "review_links/create.html", context, status=status)

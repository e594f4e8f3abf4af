"""What the embedded platform's own page shows."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db.models import Count, Value
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.sandbox import clock, faults, routes, serializers, transport
from dashboard.sandbox.forms import FaultForm, OptionsForm, describe_fault
from dashboard.sandbox.http_types import BODY_LIMIT, as_uuid
from dashboard.sandbox.models import Fault, Token, Video

View = Callable[[HttpRequest], HttpResponse]
PLAYER_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors *"
)


def changes_the_platform(view: View) -> View:
    """Only on a machine of one's own (demo, DEBUG): in production the page is a stranger's, and the platform everybody's."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and not settings.LOCAL:
            raise PermissionDenied
        return view(request)

    return guarded


@csrf_exempt
def platform(request: HttpRequest, path: str) -> HttpResponse:
    """Anything below `/sandbox/api/`, `data/`, `traffic/`, `config/`, `live-config/`, `subtitles/` and `media/`."""
    try:
        body = request.body
    except RequestDataTooBig:
        body = bytes(BODY_LIMIT + 1)  # refused for its length, whatever it says
    answer = transport.answer_wsgi(request.META, request.path_info, body)
    response = HttpResponse(answer.to_bytes(), status=answer.status, headers=answer.all_headers())
    if not answer.all_headers()["content-type"].startswith(("application/json", "text/")):
        response.headers["Content-Encoding"] = "identity"  # a compressed part of a film fits no range
    return response


@require_safe
def document(request: HttpRequest) -> JsonResponse:
    """The OpenAPI document."""
    return JsonResponse(routes.openapi_document())


@require_safe
@xframe_options_exempt
def player(request: HttpRequest) -> HttpResponse:
    """The embedded player (gaps 12): `?v=` is the external id; startTime, muted and autoplay are understood."""
    identifier = as_uuid(request.GET.get("v", ""))
    video = Video.objects.filter(external_id=identifier).first() if identifier else None
    if video is None:
        raise Http404("No such video")
    context = {
        "video": video,
        "clip": serializers.clip_url(video),
        "poster": serializers.thumbnail_url(video),
        "subtitles": [
            (subtitle, serializers.subtitle_url(video, subtitle)) for subtitle in video.subtitles.order_by("lang")
        ],
        "start": request.GET.get("startTime", ""),
        "muted": request.GET.get("muted") == "true",
        "autoplay": request.GET.get("autoplay") == "true",
    }
    response = render(request, "sandbox/player.html", context)
    response.headers["Content-Security-Policy"] = PLAYER_POLICY
    return response


@require_http_methods(["GET", "POST"])
@changes_the_platform
def sandbox(request: HttpRequest) -> HttpResponse:
    """The embedded platform's page; posted to, it sets a fault."""
    form = FaultForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, _("Set. It counts from the next call on."))
        return redirect("sandbox:sandbox")
    return _page(request, form, OptionsForm.current())


@require_POST
@changes_the_platform
def clear(request: HttpRequest) -> HttpResponse:
    """Let one operation work again, or all."""
    faults.clear(request.POST.get("operation") or None)
    messages.success(request, _("Cleared."))
    return redirect("sandbox:sandbox")


@require_POST
@changes_the_platform
def options(request: HttpRequest) -> HttpResponse:
    """Set how the CDN behaves."""
    form = OptionsForm(request.POST)
    if not form.is_valid():
        return _page(request, FaultForm(), form)
    form.save()
    messages.success(request, _("Set. It counts from the next save on."))
    return redirect("sandbox:sandbox")


@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Show one demo token, because somebody pressed its button."""
    return _page(request, FaultForm(), OptionsForm.current(), request.POST.get("account", ""))


def _page(request: HttpRequest, fault: FaultForm, options: OptionsForm, revealed: str = "") -> HttpResponse:
    """The page; `revealed`: the key of the account whose token is shown."""
    root = request.build_absolute_uri("/sandbox/")
    hosts = {"base_url": "api", "data_url": "data", "traffic_url": "traffic", "config_url": "config"}
    files = {"subtitles_url": "subtitles", "live_config_url": "live-config"}
    wrong = fault if fault.errors else options
    context = {
        "form": wrong,
        "fault_form": fault,
        "options_form": options,
        "changeable": settings.LOCAL,
        "addresses": [(name, f"{root}{part}") for name, part in {**hosts, **files}.items()],
        "faults": [(row, *describe_fault(row)) for row in Fault.objects.order_by("operation")],
        "accounts": Token.objects.select_related("user__organization__parent")
        .annotate(
            videos=Count("user__organization__videos"),
            account=Coalesce("user__organization__name", Value(_("No account"))),
        )
        .order_by("-videos", "user__created_at", "value"),
        "revealed": revealed,
        "now": clock.now(),
    }
    return render(request, "sandbox/sandbox.html", context, status=422 if wrong.errors else 200)

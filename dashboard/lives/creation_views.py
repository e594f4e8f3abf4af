"""Create a live (section 4.16; path and body are assumed)."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.lives import rules, writes
from dashboard.lives.forms import LiveForm, find_field
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.shared import http, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients, reads
from dashboard.writes.models import State
from dashboard.writes.pages import not_offered


@require_http_methods(["GET", "POST"])
def create(request: OwnerRequest) -> HttpResponse:
    """The form; posted, creates the live."""
    folders = _load_folders(request)
    if request.method == "GET":
        form = LiveForm(folders=folders, initial={"zone": timezone.get_current_timezone_name()})
        return _render_form(request, form)
    form = LiveForm(request.POST, folders=folders)
    if not form.is_valid():
        return _render_form(request, form, status=422)
    payload = form.to_payload()
    if http.is_dry_run(request):
        preview = clients.platform(request).preview(lambda platform: platform.lives.create(payload))
        return _render_form(request, form, dry_run=http.show_request(preview))
    try:
        write = writes.create_live(request, payload)
    except PlatformError as error:
        _add_refusal(form, error)
        return _render_form(request, form, status=422)
    if write.state != State.DONE or not write.subject:
        return redirect("lives:lives")  # the list shows a notice about this write
    messages.success(request, _("Live “%(title)s” was created.") % {"title": write.label})
    return redirect("lives:live", write.subject)


def _render_form(request: OwnerRequest, form: LiveForm, status: int = 200, **more: Any) -> HttpResponse:
    context = {"form": form, "not_offered": not_offered(request.account, writes.CREATE), **more}
    return render(request, "lives/create.html", context, status=status)


def _add_refusal(form: LiveForm, error: CallError) -> None:
    """Add the refusal to the field that the platform's message names, else to the form."""
    explained, field = refusals.explain(error), find_field(error.message)
    form.add_error(field, explained.cause if field else explained.whole)


def _load_folders(request: OwnerRequest) -> dict[str, str]:
    """Paths of the account's folders by id; the posted id alone if they cannot be read. Raises only `BadToken`."""
    try:
        return rules.build_folder_paths(reads.of(request).get(lambda platform: platform.folders.list()))
    except PlatformError:
        posted = request.POST.get("folder_id", "")
        return {posted: posted} if posted else {}

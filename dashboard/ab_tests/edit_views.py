"""Views that edit a test. Only the fields that the person changed are compared with the current test and sent."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.ab_tests import pages, rules, writes
from dashboard.ab_tests.forms import TestForm, TextForm
from dashboard.ab_tests.queries import load_comparison
from dashboard.ab_tests.rules import Act
from dashboard.ab_tests.views import add_video_problems, format_error, get_typed
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import PlatformDown, PlatformError, RateLimited, Unreachable
from dashboard.shared import http
from dashboard.shared.http import OwnerRequest
from dashboard.shared.record_form import LOADED
from dashboard.upstream import clients, reads
from dashboard.upstream.video_options import FIND, load_picker
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.pages import unconfirmed_sentence


@require_http_methods(["GET", "POST"])
def edit(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """Edit all fields of a draft; once started only name and description, and the page says why."""
    comparison = _load_comparison(request, comparison_id)
    if request.method == "GET" or FIND in request.POST:
        return _render_edit_page(request, comparison, _build_form(comparison, initial=_get_initial(request)))
    form = _build_form(comparison, request.POST)
    is_valid = form.is_valid()
    if is_valid and isinstance(form, TestForm) and "video_ids" in form.changed:
        is_valid = not add_video_problems(request, form)
    intent = writes.update_intent(request, comparison, form.changed)
    if not is_valid and (http.is_dry_run(request) or outbox.find(intent.scope, intent.key) is None):
        return _render_edit_page(request, comparison, form, status=422)
    if http.is_dry_run(request):
        preview = clients.platform(request).preview(lambda p: p.comparisons.update(comparison_id, form.changed))
        return _render_edit_page(
            request,
            comparison,
            _build_form(comparison, initial=_get_initial(request)),
            dry_run=http.show_request(preview),
        )
    try:
        write = outbox.perform(intent) if form.changed else None
    except PlatformError as error:
        form.add_error(None, format_error(error))
        return _render_edit_page(request, comparison, form, status=422)
    _add_update_messages(request, form, write)
    return redirect("ab_tests:ab_test", comparison_id)


def _load_comparison(request: OwnerRequest, comparison_id: str) -> Comparison:
    """Load the test. A posted form is compared with a fresh read; if the platform fails, with the cached test."""
    if request.method == "POST":
        try:
            return reads.anew(request).get(lambda platform: platform.comparisons.get(comparison_id))
        except (PlatformDown, RateLimited, Unreachable):
            pass
    return load_comparison(request, comparison_id).comparison


def _build_form(comparison: Comparison, data: Any = None, **kwargs: Any) -> TextForm:
    now = writes.get_values(comparison)
    if rules.get_refusal(Act.EDIT_VARIANTS, comparison.status, comparison.size) is None:
        titles = {variant.video_id: variant.title for variant in comparison.videos}
        return TestForm(data, now=now, titles=titles, **kwargs)
    return TextForm(data, now=now, **kwargs)


def _get_initial(request: OwnerRequest) -> dict[str, Any]:
    """The form's values after a dry run or a search: the typed ones and the originally loaded ones."""
    if request.method == "GET":
        return {}
    loaded = TextForm(request.POST).fields[LOADED].clean(request.POST.get(LOADED))
    return get_typed(request) | ({LOADED: loaded} if loaded else {})


def _render_edit_page(
    request: OwnerRequest, comparison: Comparison, form: TextForm, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"form": form, "test": comparison, **more}
    if isinstance(form, TestForm):
        context["picker"] = load_picker(request, form.list_video_ids())
    else:
        context["fixed"] = pages.format_refusal(rules.RefusalReason.VARIANTS_FIXED)
    return render(request, "ab_tests/edit.html", context, status=status)


def _add_update_messages(request: OwnerRequest, form: TextForm, write: Write | None) -> None:
    if write is not None:
        _add_saved_message(request, form.changed, write)
    if _has_dropped_variants(request, form):
        messages.warning(request, _("The platform kept the old variants: the test was started meanwhile."))
    elif write is None:
        messages.info(request, _("No changes. Nothing was sent."))


def _has_dropped_variants(request: OwnerRequest, form: TextForm) -> bool:
    """Whether the form has variants for a test that was started meanwhile."""
    loaded = form.cleaned_data.get(LOADED) or {}
    video_ids = request.POST.getlist("video_ids")
    return (
        not isinstance(form, TestForm) and bool(video_ids) and sorted(video_ids) != sorted(loaded.get("video_ids", ()))
    )


def _add_saved_message(request: OwnerRequest, sent: dict[str, Any], write: Write) -> None:
    platform_values = (write.result or {}).get("kept")
    if write.state != State.DONE:
        messages.warning(request, unconfirmed_sentence(write))
    elif platform_values is None:
        messages.warning(
            request,
            _(
                "The platform accepted the changes, but the test couldn't be read afterwards. Check it again in a minute."
            ),
        )
    elif sorted(sent.get("video_ids", ())) != sorted(platform_values.get("video_ids", ())):
        messages.warning(request, _("The platform kept the old variants: the test was started meanwhile."))
    elif any(sent[name] != platform_values[name] for name in sent if name != "video_ids"):
        messages.warning(
            request, _("The platform saved something different from what was sent. Check the values below.")
        )
    else:
        messages.success(request, _("Saved the test “%(name)s”.") % {"name": platform_values.get("name", write.label)})

"""The pages of A/B tests."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.ab_tests import listing, pages, rules, writes
from dashboard.ab_tests.detail import build_context, build_page, build_terms_form
from dashboard.ab_tests.forms import DeleteForm, FinishForm, PlanForm, StartForm, TestForm
from dashboard.ab_tests.models import Terms
from dashboard.ab_tests.queries import Study, load_comparison, load_study
from dashboard.ab_tests.rules import Act
from dashboard.ab_tests.standings import forget_standing, load_standings
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.platform_api.platform import Operations
from dashboard.shared import http, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients, reads
from dashboard.upstream.figures import get_full_timeout
from dashboard.upstream.video_options import FIND, load_picker, load_problems
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from dashboard.writes.pages import load_notices, unconfirmed_sentence

DIALOGS = {
    "start": "ab_tests/_start.html",
    "finish": "ab_tests/_finish.html",
    "delete": "ab_tests/_delete.html",
}
PARTS = {"readout": "ab_tests/_readout.html", "retention": "ab_tests/_chart.html", "state": "ab_tests/_state.html"}
"""Parts of the page that can be retried alone."""


@require_safe
def ab_tests(request: OwnerRequest) -> HttpResponse:
    """Every test by state, searched by the address."""
    state, find = request.GET.get("state", ""), request.GET.get("find", "").strip()[:100]
    context = {"writes": load_notices(request.account, *writes.OPERATIONS, back=request.get_full_path())}
    try:
        tests = reads.of(request).get(lambda platform: platform.comparisons.list()).comparisons
    except PlatformError as error:
        page = listing.build_list_page((), state, find, error=error)
        return render(request, "ab_tests/ab_tests.html", {"page": page, **context}, status=refusals.status_of(error))
    page = listing.build_list_page(tests, state, find, load_standings(request, tests))
    return render(request, "ab_tests/ab_tests.html", {"page": page, **context})


@require_safe
def ab_test(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """One test: its state, its verdict, its variants; for a draft the planner. A part of it can be tried again alone."""
    snapshot = load_comparison(request, comparison_id)
    part = request.GET.get("part", "") if request.htmx else ""
    study = load_study(request, snapshot, patience=get_full_timeout() if part in PARTS else None)
    if part in PARTS:
        page = build_page(request, study)
        panel = next((panel for panel in page.panels if panel.name == part), None)
        return render(request, PARTS[part], {"page": page, "panel": panel})
    return _render_test(request, study)


@require_safe
def result(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """The read-out without controls, for print and for people without an account."""
    study = load_study(request, load_comparison(request, comparison_id), patience=get_full_timeout())
    return render(request, "ab_tests/result.html", {"page": build_page(request, study)})


@require_http_methods(["GET", "POST"])
def create(request: OwnerRequest) -> HttpResponse:
    """Create a draft. The same form, sent twice, creates one test."""
    if request.method == "GET" or FIND in request.POST:
        return _render_create_page(request, TestForm(initial=get_typed(request)))
    form = TestForm(request.POST)
    if not form.is_valid() or add_video_problems(request, form):
        return _render_create_page(request, form, status=422)
    if http.is_dry_run(request):
        preview = clients.platform(request).preview(lambda p: p.comparisons.create(form.payload()))
        return _render_create_page(request, TestForm(initial=get_typed(request)), dry_run=http.show_request(preview))
    try:
        write = outbox.perform(writes.create_intent(request, form.payload()))
    except PlatformError as error:
        form.add_error("video_ids" if refusals.explain(error).field == "video_id" else None, format_error(error))
        return _render_create_page(request, form, status=422)
    test_id = write.subject if write.state == State.DONE else ""
    to = reverse("ab_tests:ab_test", args=[test_id]) if test_id else reverse("ab_tests:ab_tests")
    return _redirect_with_notice(request, write, _("Created “%(name)s” as a draft.") % {"name": write.label}, to)


@require_http_methods(["GET", "POST"])
def start(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """Start a test: its variants are drawn from then on, and fixed for good."""
    intent, notice = writes.start_intent(request, comparison_id), _("The test is running.")
    if (write := _find_earlier_write(request, intent)) is not None:
        return _redirect_with_notice(request, write, notice, reverse("ab_tests:ab_test", args=[comparison_id]))
    study = load_study(request, load_comparison(request, comparison_id))
    intent = writes.add_description(intent, study.comparison)
    confirmation = Confirmation("start", Act.START, lambda groups: groups.comparisons.start(comparison_id), notice)
    return _confirm_and_send(
        request, study, StartForm(_get_posted(request)), confirmation, lambda: writes.add_scale(request, intent, study)
    )


@require_http_methods(["GET", "POST"])
def finish(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """Declare the winner. If the read-out disagrees, a reason is required and stored."""
    winner = request.POST.get("winner", "")
    intent, notice = (
        writes.finish_intent(request, comparison_id, winner),
        _("The test is completed and its winner declared."),
    )
    if (write := _find_earlier_write(request, intent)) is not None:
        return _redirect_with_notice(request, write, notice, reverse("ab_tests:ab_test", args=[comparison_id]))
    study = load_study(request, load_comparison(request, comparison_id))
    winners = [(variant.video_id, variant.name) for variant in study.variants]
    disagreeing = {winner for at, (winner, _name) in enumerate(winners) if rules.needs_reason(study.readout, at)}
    form = FinishForm(_get_posted(request), initial=request.POST.dict(), winners=winners, disagreeing=disagreeing)
    intent = writes.add_description(intent, study.comparison)
    confirmation = Confirmation(
        "finish",
        Act.FINISH,
        lambda groups: groups.comparisons.finish(comparison_id, {writes.WINNER_NAMES[0]: winner}),
        notice,
    )
    return _confirm_and_send(
        request,
        study,
        form,
        confirmation,
        lambda: writes.add_decision(request, intent, study, form.cleaned_data["reason"]),
    )


@require_http_methods(["GET", "POST"])
def delete(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """Delete a test after its name was typed; its videos stay."""
    intent = writes.delete_intent(request, comparison_id)
    if (write := _find_earlier_write(request, intent)) is not None:
        return _redirect_after_delete(request, write)
    snapshot = load_comparison(request, comparison_id)
    form = DeleteForm(_get_posted(request), initial=request.POST.dict(), test_name=snapshot.comparison.name)
    if form.is_bound and form.is_valid():
        try:
            return _redirect_after_delete(request, outbox.perform(writes.add_description(intent, snapshot.comparison)))
        except PlatformError as error:
            form.add_error(None, format_error(error))
            return _render_dialog(request, load_study(request, snapshot), "delete", form, status=422)
    more: dict[str, Any] = {}
    if http.is_dry_run(request):
        more["dry_run"] = http.show_request(
            clients.platform(request).preview(lambda p: p.comparisons.delete(comparison_id))
        )
    status = 422 if form.is_bound else 200
    return _render_dialog(request, load_study(request, snapshot), "delete", form, status, **more)


@require_POST
def terms(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """Save how the test is judged. Stored here; the platform does not know it."""
    study = load_study(request, load_comparison(request, comparison_id))
    form = build_terms_form(study, request.POST)
    if not form.is_valid():
        return _render_test(request, study, status=422, terms=form)
    values: dict[str, Any] = form.changed
    Terms.objects.update_or_create(account_id=request.account.pk, comparison_id=comparison_id, defaults=values)
    forget_standing(request.account.pk, comparison_id)
    messages.success(request, _("Saved. The result uses these settings from now on."))
    return redirect("ab_tests:ab_test", comparison_id)


@require_POST
def plan(request: OwnerRequest, comparison_id: str) -> HttpResponse:
    """Save a plan, so that the running test can show its progress."""
    study = load_study(request, load_comparison(request, comparison_id))
    form = PlanForm(request.POST)
    days = writes.save_plan(request, study, form.cleaned_data) if study.draft and form.is_valid() else None
    if days is None:
        messages.warning(request, _("Choose a lift from the plan that can be found within ten years."))
    else:
        messages.success(request, _("Planned: %(days)s days, in whole weeks.") % {"days": days})
    return redirect("ab_tests:ab_test", comparison_id)


def _render_test(request: OwnerRequest, study: Study, status: int = 200, **more: Any) -> HttpResponse:
    test = study.comparison.id
    here = reverse("ab_tests:ab_test", args=[test])
    more["writes"] = load_notices(request.account, *writes.OPERATIONS, back=here, subject=test)
    return render(request, "ab_tests/ab_test.html", build_context(request, study, **more), status=status)


def _render_dialog(
    request: OwnerRequest,
    study: Study,
    name: str,
    form: StartForm | FinishForm | DeleteForm,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Render the test's page with a dialog, which has a form unless it says why there is nothing to confirm."""
    more |= {"dialog": DIALOGS[name], "form": None if more.get("refused") else form}
    return _render_test(request, study, status, **more)


@dataclass(frozen=True)
class Confirmation:
    """Confirmation of an action that cannot be undone: its dialog, rule, request, and the message after it."""

    name: str
    act: Act
    preview: Callable[[Operations], object]
    notice: str


def _confirm_and_send(
    request: OwnerRequest,
    study: Study,
    form: StartForm | FinishForm,
    confirmation: Confirmation,
    intent: Callable[[], Intent],
) -> HttpResponse:
    """Ask for confirmation of an action that cannot be undone, then send it once. `intent` is called when the form is valid."""
    refused = rules.get_refusal(confirmation.act, study.status, study.size)
    more: dict[str, Any] = {"refused": [pages.format_refusal(refused)] if refused else []}
    if confirmation.act is Act.START and not refused:
        more["refused"], more["warnings"] = load_problems(request, [variant.video_id for variant in study.variants])
    if http.is_dry_run(request):
        more["dry_run"] = http.show_request(clients.platform(request).preview(confirmation.preview))
    if more["refused"] or not form.is_bound or not form.is_valid():
        status = 200 if not form.is_bound else 409 if more["refused"] else 422
        return _render_dialog(request, study, confirmation.name, form, status, **more)
    try:
        write = outbox.perform(intent())
    except PlatformError as error:
        form.add_error(None, format_error(error))
        return _render_dialog(request, study, confirmation.name, form, 422, **more)
    return _redirect_with_notice(
        request, write, confirmation.notice, reverse("ab_tests:ab_test", args=[study.comparison.id])
    )


def _find_earlier_write(request: OwnerRequest, intent: Intent) -> Write | None:
    """The earlier write of a form that is sent again, unless it was refused. Nothing is validated again for it."""
    if _get_posted(request) is None or (write := outbox.find(intent.scope, intent.key)) is None:
        return None
    outbox.wait_for_answer(write)
    return write if write.state in (State.DONE, State.SENDING, State.UNCONFIRMED) else None


def _redirect_with_notice(request: OwnerRequest, write: Write, notice: str, to: str) -> HttpResponse:
    """Redirect to `to`, which shows a notice if the write is not confirmed."""
    if write.state == State.DONE:
        messages.success(request, notice)
    else:
        messages.warning(request, unconfirmed_sentence(write))
    return redirect(to)


def _redirect_after_delete(request: OwnerRequest, write: Write) -> HttpResponse:
    notice = _("Deleted “%(name)s”. Its videos were not deleted.") % {"name": write.label}
    return _redirect_with_notice(request, write, notice, reverse("ab_tests:ab_tests"))


def _get_posted(request: OwnerRequest) -> Any:
    """The posted form; None for a GET and for a dry run."""
    return request.POST if request.method == "POST" and not http.is_dry_run(request) else None


def add_video_problems(request: OwnerRequest, form: TestForm) -> bool:
    """Add an error for each chosen video that viewers cannot play; whether there is one."""
    problems, _warnings = load_problems(request, form.cleaned_data["video_ids"])
    if problems:
        form.add_error("video_ids", problems)
    return bool(problems)


def format_error(error: CallError) -> str:
    return refusals.explain(error).whole


def get_typed(request: OwnerRequest) -> dict[str, Any]:
    """The form's values, kept over a search and a dry run."""
    if request.method == "GET":
        return {"video_ids": request.GET.getlist("video")}
    posted = request.POST
    return {
        "name": posted.get("name", ""),
        "description": posted.get("description", ""),
        "video_ids": posted.getlist("video_ids"),
    }


def _render_create_page(request: OwnerRequest, form: TestForm, status: int = 200, **more: Any) -> HttpResponse:
    context = {"form": form, "picker": load_picker(request, form.list_video_ids()), **more}
    return render(request, "ab_tests/create.html", context, status=status)

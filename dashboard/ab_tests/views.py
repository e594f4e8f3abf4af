"""The pages of A/B tests, and their figures and charts as files."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.ab_tests import charts, pages, rules, writes
from dashboard.ab_tests.forms import DeleteForm, FinishForm, PlanForm, StartForm, TestForm, TextForm
from dashboard.ab_tests.models import Terms
from dashboard.ab_tests.pages import build_context, build_page, build_terms_form, list_events
from dashboard.ab_tests.queries import Study, load_comparison, load_study
from dashboard.ab_tests.rules import Act
from dashboard.ab_tests.standings import KeptStanding, forget_standing, kept_standings, load_standings
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import CallError, PlatformDown, PlatformError, RateLimited, Unreachable
from dashboard.platform_api.platform import Operations
from dashboard.shared import csv, http, refusals
from dashboard.shared.charts.prepared import Chart
from dashboard.shared.http import OwnerRequest
from dashboard.shared.record_form import LOADED
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
        page = pages.build_list_page((), state, find, error=error)
        return render(request, "ab_tests/ab_tests.html", {"page": page, **context}, status=refusals.status_of(error))
    page = pages.build_list_page(tests, state, find, load_standings(request, tests))
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


@require_safe
def file(request: OwnerRequest, comparison_id: str, name: str, extension: str) -> HttpResponse:
    """Download a chart of a test as CSV or SVG, with the same numbers as its page."""
    if extension not in {"csv", "svg"}:
        raise Http404
    study = load_study(request, load_comparison(request, comparison_id), patience=get_full_timeout())
    chart: Chart | None = None
    if not study.draft and name == "variants":
        chart = pages.build_variants_chart(study)
    elif not study.draft:
        chart = (
            charts.build_rates_chart(study, list_events(request, study))
            if name == "rates"
            else charts.build_retention_chart(study)
        )
    if chart is None:
        sentence = _("This test has no numbers for a chart yet.")
        return HttpResponse(sentence, content_type="text/plain; charset=utf-8", status=404)
    target = pages.format_file_name(study, name, extension)
    if extension == "csv":
        return csv.download(chart.csv(), target)
    response = HttpResponse(chart.svg(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{target}"'
    return response


@require_safe
def tests(request: OwnerRequest) -> HttpResponse:
    """Download all tests of the account as CSV."""
    comparisons = clients.platform(request).comparisons.list().comparisons
    heads = [
        _("Name"),
        _("Identifier"),
        _("State"),
        _("Variants"),
        _("Created on"),
        _("Started on"),
        _("Ended on"),
        _("Winner"),
        _("Evidence"),
        _("Range"),
        _("Days left"),
        _("Evidence read on"),
    ]
    standings = kept_standings(request.account.pk, comparisons)
    rows = [
        (
            test.name,
            test.id,
            test.status,
            "; ".join(variant.title or variant.video_id for variant in test.videos) if test.are_videos_told else None,
            test.created_at.isoformat() if test.created_at else None,
            test.started_at.isoformat() if test.started_at else None,
            test.finished_at.isoformat() if test.finished_at else None,
            test.winner or None,
            *_build_evidence_cells(standings.get(test.id)),
        )
        for test in comparisons
    ]
    return csv.download(csv.written(heads, rows), csv.file_name("ab-tests"))


def _build_evidence_cells(latest: KeptStanding | None) -> tuple[str | None, ...]:
    """The evidence as the list shows it; empty where none is known."""
    if latest is None:
        return (None,) * 4
    standing = latest.standing
    left = ", ".join(part for part in (standing.left, standing.left_sub) if part)
    return standing.word, standing.difference or None, left or None, latest.at.isoformat(timespec="seconds")

"""A reviewer decides: approves the video, approves it with changes, or asks for another round."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from review_portal import decisions, forms, responses, reviewers, rules, summary
from review_portal.access import KNOWN, READABLE, load_visit, render_refusal
from review_portal.comment_views import check_rate
from review_portal.context import Visit
from review_portal.models import Decision, Reviewer
from review_portal.rules import Problem, Reason


@require_http_methods(["GET", "POST"])
def decision(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """POST decides; everything else leads to the page that has the form."""
    if request.method == "POST":
        return _decide(request, link_id)
    here = load_visit(request, link_id, READABLE)
    return here if isinstance(here, HttpResponse) else _redirect_to_form(here)


def _decide(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Keep the decision. A form that was sent before is answered with what it brought, before anything is checked."""
    here = load_visit(request, link_id, KNOWN)
    if isinstance(here, HttpResponse):
        return here
    verdict = request.POST.get("verdict", "")
    key = forms.read_key(request.POST, "decision", verdict)
    first = decisions.find_decision(here.link, key)
    if here.state not in READABLE:
        return render_refusal(here, here.state)
    if first is not None:
        return _render_with_cookie(here, first.reviewer)
    stopped = rules.why_no_writing(here.link, here.now)
    if stopped is not None:
        return responses.render_closed(here, here.state, kept=request.POST.get("text", ""))
    if verdict == Decision.Verdict.WITHDRAWN:
        return _withdraw(here, key)
    sent = forms.read_decision(here.link, request.POST)
    problems = sent.problems or check_rate(here)
    if problems:
        return _render_problems(here, problems)
    reviewer = here.reviewer or reviewers.create_reviewer(here.link, sent.name, key)
    reviewers.rename(reviewer, sent.name)
    decisions.save_decision(here.link, reviewer, key, sent.verdict, sent.note)
    return _render_with_cookie(here, reviewer)


def _withdraw(here: Visit, key: uuid.UUID) -> HttpResponse:
    """Take the decision back; somebody who made none has nothing to take back."""
    if here.reviewer is None or not here.reviewer.decisions.exists():
        return _redirect_to_form(here)
    decisions.save_decision(here.link, here.reviewer, key, Decision.Verdict.WITHDRAWN, "")
    return _render_with_cookie(here, here.reviewer)


def _render_with_cookie(here: Visit, reviewer: Reviewer) -> HttpResponse:
    response = _redirect_to_form(here)
    reviewers.set_cookie(response, reviewer)
    return response


def _redirect_to_form(here: Visit) -> HttpResponse:
    return redirect(f"/{here.link.pk}/finish#decision-title")  # it takes the focus


def _render_problems(here: Visit, problems: list[Problem]) -> HttpResponse:
    """The page with everything typed, and what is wrong at each field."""
    page = summary.build_page(here, typed=here.request.POST.dict(), problems=problems)
    context = {"link": here.link, "page": page, "on_its_way": here.on_its_way}
    response = render(
        here.request, "review_portal/finish.html", context, status=responses.STATUS_OF.get(problems[0].reason, 422)
    )
    if problems[0].reason == Reason.TOO_OFTEN:
        response.headers["Retry-After"] = str(problems[0].limit)
    return response

"""Views of a reviewer's decision: approve the video, approve it with changes, or ask for another round."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from review_portal import decision_comments, decisions, forms, responses, reviewers, rules, summary
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
    visit = load_visit(request, link_id, READABLE)
    return visit if isinstance(visit, HttpResponse) else _redirect_to_form(visit)


def _decide(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Save the decision. A form that was sent before gets its result, before anything is checked."""
    visit = load_visit(request, link_id, KNOWN)
    if isinstance(visit, HttpResponse):
        return visit
    verdict = request.POST.get("verdict", "")
    key = forms.read_key(request.POST, "decision", verdict)
    first = decisions.find_decision(visit.link, key)
    if visit.state not in READABLE:
        return render_refusal(visit, visit.state)
    reason = rules.why_no_writing(visit.link, visit.now)
    if first is not None:
        if reason is None:
            decision_comments.send_decision(first)  # the first press may have ended between the two
        return _render_with_cookie(visit, first.reviewer)
    if reason is not None:
        return responses.render_closed(visit, visit.state, text=request.POST.get("text", ""))
    if verdict == Decision.Verdict.WITHDRAWN:
        return _withdraw(visit, key)
    post = forms.read_decision(visit.link, request.POST)
    problems = post.problems or check_rate(visit, is_decision=True)
    if problems:
        return _render_problems(visit, problems)
    reviewer = visit.reviewer or reviewers.create_reviewer(visit.link, post.name, key)
    reviewers.rename(reviewer, post.name)
    decision_comments.send_decision(decisions.save_decision(visit.link, reviewer, key, post.verdict, post.note))
    return _render_with_cookie(visit, reviewer)


def _withdraw(visit: Visit, key: uuid.UUID) -> HttpResponse:
    """Withdraw the decision; without one, nothing changes."""
    latest = visit.reviewer.decisions.order_by("pk").last() if visit.reviewer else None
    if visit.reviewer is None or latest is None or latest.verdict == Decision.Verdict.WITHDRAWN:
        return _redirect_to_form(visit)
    withdrawn = decisions.save_decision(visit.link, visit.reviewer, key, Decision.Verdict.WITHDRAWN, "")
    decision_comments.send_decision(withdrawn)
    return _render_with_cookie(visit, visit.reviewer)


def _render_with_cookie(visit: Visit, reviewer: Reviewer) -> HttpResponse:
    response = _redirect_to_form(visit)
    reviewers.set_cookie(response, reviewer)
    return response


def _redirect_to_form(visit: Visit) -> HttpResponse:
    return redirect(f"/{visit.link.pk}/finish#decision-title")  # it takes the focus


def _render_problems(visit: Visit, problems: list[Problem]) -> HttpResponse:
    """The page with everything typed, and what is wrong at each field."""
    page = summary.build_page(visit, typed=visit.request.POST.dict(), problems=problems)
    context = {"link": visit.link, "page": page, "on_its_way": visit.on_its_way}
    response = render(
        visit.request, "review_portal/finish.html", context, status=responses.STATUS_OF.get(problems[0].reason, 422)
    )
    if problems[0].reason == Reason.TOO_OFTEN:
        response.headers["Retry-After"] = str(problems[0].limit)
    return response

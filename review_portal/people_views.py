"""Views of who else is here, and of what a reviewer lets others know."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.shared.http import unchanged
from dashboard.shared.rate_limit import wait_for
from review_portal import people_pages, responses, rules, spans, viewings
from review_portal.access import load_visit
from review_portal.rules import Problem, Reason


@require_http_methods(["GET", "POST"])
def people(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Who is here and what the reader chose; POST chooses. Without script there is nothing to choose: it leads to the room."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    if request.method == "POST" and visit.reviewer is not None and visit.reviewer.name:
        limit, seconds = rules.CHOICES_PER_REVIEWER
        if wait := wait_for(f"review-people:{visit.reviewer.pk}", limit=limit, seconds=seconds):
            return responses.render_problems(request, [Problem("", Reason.TOO_OFTEN, limit=wait)])
        choices = {name: request.POST[name] == "on" for name in ("is_seen", "shares") if name in request.POST}
        viewings.choose(visit.reviewer, **choices)
    if not responses.wants_part(request):
        return redirect(f"/{visit.link.pk}")
    return render(
        request, "review_portal/_people.html", {"link": visit.link, "page": people_pages.build_people_page(visit)}
    )


@require_POST
def watched(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Take what a browser played since it said so last: with every half minute, at a pause, and when the page is left."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    reviewer = visit.reviewer
    if reviewer is None or not reviewer.name:
        return unchanged()  # nobody is known here who could have watched anything
    limit, seconds = rules.WATCHED_PER_REVIEWER
    if not wait_for(f"review-watched:{reviewer.pk}", limit=limit, seconds=seconds):
        viewings.add_watched(reviewer, spans.parse_spans(request.POST.get("spans", ""), visit.shown.last_second))
    if "left" in request.POST:
        viewings.leave(reviewer)
    return unchanged()

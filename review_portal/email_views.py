"""A reviewer's address for answers on this link: ask for e-mails, ask again, stop."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import Asked
from dashboard.shared.vault import Unreadable
from review_portal import rules, summary
from review_portal.access import READABLE, load_visit
from review_portal.context import Visit
from review_portal.email_pages import get_audience


@require_http_methods(["GET", "POST"])
def email(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """POST asks or stops; everything else leads to the page that has the form."""
    visit = load_visit(request, link_id, READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    if request.method == "GET" or visit.reviewer is None or not subscriptions.is_offered():
        return _redirect(visit)
    if request.POST.get("do") == "stop":
        subscription = subscriptions.find(get_audience(visit))
        if subscription is not None:
            subscriptions.stop(subscription)
        return _redirect(visit)
    if rules.why_no_writing(visit.link, visit.now) is not None:
        return _redirect(visit)
    return _ask(visit)


def _ask(visit: Visit) -> HttpResponse:
    typed = request_address(visit)
    asked = subscriptions.ask(visit.request, get_audience(visit), typed)
    if asked == Asked.WRONG:
        return _render_error(visit, typed, _("This is no e-mail address. Write one such as ana@example.com."), 422)
    if asked == Asked.TOO_OFTEN:
        error = _("Too many confirmations were asked for. Nothing was sent; try again in an hour.")
        return _render_error(visit, typed, error, 429)
    return _redirect(visit)


def request_address(visit: Visit) -> str:
    """The address of the form; of "send again", the one that was left."""
    if visit.request.POST.get("do") != "again":
        return visit.request.POST.get("address", "")
    subscription = subscriptions.find(get_audience(visit))
    try:
        return subscription.address if subscription else ""
    except Unreadable:
        return ""


def _render_error(visit: Visit, typed: str, error: str, status: int) -> HttpResponse:
    page = summary.build_page(visit, email=(typed, error))
    context = {"link": visit.link, "page": page, "on_its_way": visit.on_its_way}
    return render(visit.request, "review_portal/finish.html", context, status=status)


def _redirect(visit: Visit) -> HttpResponse:
    return redirect(f"/{visit.link.pk}/finish#email")

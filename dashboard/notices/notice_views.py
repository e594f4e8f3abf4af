"""The notices of an account: the page, the list behind the bell, its count, and marking all as read."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.accounts import access
from dashboard.notices import history, notice_pages
from dashboard.overview import registry
from dashboard.shared.http import OwnerRequest, unchanged, way_back


@require_safe
def notices(request: OwnerRequest) -> HttpResponse:
    """What needs somebody, what runs, what happened."""
    lines = history.list_lines(request.account, _get_person(request))
    page = notice_pages.build_notices_page(registry.collect(request), lines)
    return render(request, "notices/notices.html", {"page": page})


@require_safe
def latest(request: OwnerRequest) -> HttpResponse:
    """The newest lines, for the list behind the bell; opened by hand it leads to the page."""
    if not request.htmx:
        return redirect("notices:notices")
    lines = history.list_lines(request.account, _get_person(request), notice_pages.IN_BELL)
    context = {"lines": [notice_pages.build_line(line) for line in lines], "new": any(line.is_new for line in lines)}
    return render(request, "notices/_latest.html", context)


@require_safe
def count(request: OwnerRequest) -> HttpResponse:
    """How many lines are new: 204 while that is what the page says."""
    new = history.count_new(request.account, _get_person(request))
    if request.GET.get("n") == str(new):
        return unchanged()
    return render(request, "notices/_bell_count.html", {"new": new})


@require_POST
def seen(request: OwnerRequest) -> HttpResponse:
    """Mark everything as read, for this person and account."""
    history.mark_seen(request.account, _get_person(request))
    return redirect(way_back(request, "/dashboard/notices/"))


def _get_person(request: OwnerRequest) -> str:
    return str(request.session.get(access.PERSON) or "")

"""The notices of an account: the page, the list behind the bell, its count, and marking all as read."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.accounts import access
from dashboard.notices import history
from dashboard.overview import registry
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest, unchanged, way_back

IN_BELL = 6
"""Lines of the list behind the bell."""


@require_safe
def notices(request: OwnerRequest) -> HttpResponse:
    """What needs somebody, what runs, what happened."""
    lines = history.list_lines(request.account, _get_person(request))
    collected = registry.collect(request)
    sentences = dict.fromkeys(refusals.explain(error).sentence for error in collected.failed.values())
    context = {"collected": collected, "lines": lines, "trouble": " ".join(sentences), "new": _has_new(lines)}
    return render(request, "notices/notices.html", context)


@require_safe
def latest(request: OwnerRequest) -> HttpResponse:
    """The newest lines, for the list behind the bell; opened by hand it leads to the page."""
    if not request.htmx:
        return redirect("notices:notices")
    lines = history.list_lines(request.account, _get_person(request), IN_BELL)
    return render(request, "notices/_latest.html", {"lines": lines, "new": _has_new(lines)})


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


def _has_new(lines: list[history.Line]) -> bool:
    return any(line.is_new for line in lines)


def _get_person(request: OwnerRequest) -> str:
    return str(request.session.get(access.PERSON) or "")

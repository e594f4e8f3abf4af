"""The first page of the dashboard, and its parts for when they come late."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.activity import recorder
from dashboard.overview import pages, queries, registry
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import parallel
from dashboard.upstream.figures import get_full_timeout

LATEST_WRITES = pages.NEWCOMER_CHANGES
PART = "overview/part.html"
FIRST_STEPS = {"subtitles": "ai_workflow.create", "review_links": "review_links.create"}
"""What somebody new does first, by what the account then has."""


@require_safe
def overview(request: OwnerRequest) -> HttpResponse:
    """What needs the owner, how it goes, what happened."""
    latest_writes = parallel.meanwhile(partial(recorder.happened, request.account.pk, LATEST_WRITES))
    owned_from_here = parallel.meanwhile(partial(_list_owned_from_here, request.account))
    page = pages.build_overview_page(
        queries.load_overview(request),
        latest_writes(),
        person=str(request.session.get(access.PERSON) or ""),
        now=timezone.now(),
        owned_from_here=owned_from_here(),
    )
    return render(request, "overview/overview.html", page)


def _list_owned_from_here(account: Account) -> frozenset[str]:
    return frozenset(name for name, operation in FIRST_STEPS.items() if recorder.has_done(account.pk, operation))


@require_safe
def waiting(request: OwnerRequest) -> HttpResponse:
    """What needs the owner, waited for."""
    collected = registry.collect(request, get_full_timeout())
    part = pages.build_waiting_part(collected, queries.get_known_credits(request))
    return _render_part(request, "overview/_waiting.html", _("Waiting for you"), part, "overview/waiting.html")


@require_safe
def figures(request: OwnerRequest) -> HttpResponse:
    """How it goes, waited for."""
    part = pages.build_figures_part(queries.load_figures(request))
    return _render_part(request, "overview/_figures.html", _("How it goes"), part)


@require_safe
def most_watched(request: OwnerRequest) -> HttpResponse:
    """The most watched videos with their traffic, waited for."""
    part = pages.build_watched_part(queries.load_most_watched(request), whole=True)
    return _render_part(request, "overview/_most_watched.html", _("Most watched"), part)


def _render_part(request: OwnerRequest, template: str, title: str, part: object, page: str = PART) -> HttpResponse:
    """The part for htmx; a page of its own for those who followed its link."""
    context = {"part": part, "title": title, "template": template, "alone": request.htmx}
    return render(request, template if request.htmx else page, context)

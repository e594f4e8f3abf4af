"""Which links are cuts of one video, in which order: declared on the page of a link."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from dashboard.review_links import cut_pages, link_context
from dashboard.shared.http import OwnerRequest
from review_portal import cuts as series
from review_portal.cuts import CutRefusal
from review_portal.models import ReviewLink

STEPS = {"earlier": -1, "later": 1}


@require_POST
def cuts(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Make the link the next cut of another, move it among the cuts, or take it out. Asked for twice, it is done once."""
    link = link_context.get_link_or_404(request, link_id)
    what = request.POST.get("do", "")
    if what == "add":
        return _add(request, link)
    if what == "remove" and series.remove(request.account, link):
        messages.success(request, _("“%(name)s” is no cut of a series any more.") % {"name": link.name})
    elif what in STEPS and series.move(request.account, link, STEPS[what]):
        number = series.find_number(series.list_cuts(link), link)
        messages.success(request, _("“%(name)s” is cut %(cut)s now.") % {"name": link.name, "cut": number})
    return _redirect_to_panel(link)


def _add(request: OwnerRequest, link: ReviewLink) -> HttpResponse:
    form = cut_pages.build_form(request.account, link, link.video_id, request.POST)
    if not form.is_valid() or not form.cleaned_data["next_of"]:
        return link_context.render_link_page(request, link, {}, status=422, cut_form=form)
    refusal = series.place_after(request.account, link, form.get_earlier())
    if refusal == CutRefusal.IN_SERIES:  # its page has no such form any more
        messages.warning(request, cut_pages.describe_refusal(refusal))
        return _redirect_to_panel(link)
    if refusal is not None:
        form.add_error("next_of", cut_pages.describe_refusal(refusal))
        return link_context.render_link_page(request, link, {}, status=422, cut_form=form)
    number = series.find_number(series.list_cuts(link), link)
    messages.success(request, _("“%(name)s” is cut %(cut)s now.") % {"name": link.name, "cut": number})
    return _redirect_to_panel(link)


def _redirect_to_panel(link: ReviewLink) -> HttpResponse:
    return redirect(f"{link_context.link_address(link.pk, {})}#cuts-title")

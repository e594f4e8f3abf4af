"""Resolving and reopening as the owner."""

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from dashboard.activity.recorder import actor_of
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.review_links import comment_pages, link_context
from dashboard.review_links.forms import sentence
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import formats, refusals
from dashboard.shared.http import OwnerRequest
from review_portal import export_files, forms, owner_queries, owner_writes
from review_portal.context import parse_filter
from review_portal.messages import describe_write
from review_portal.models import Comment, ReviewLink


@require_POST
def comment(request: OwnerRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve or reopen a comment of one link; with `text`, change one's own answer."""
    found = link_context.link_or_404(request, link_id)
    if "text" in request.POST:
        return _rewritten(request, found, comment_id)
    back = link_context.address(found.pk, export_files.build_query(parse_filter(request.GET)))
    return _changed(request, found.video_id, comment_id, found, back)


@require_POST
def video_comment(request: OwnerRequest, video_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve or reopen a comment of a video, through whichever of its links allows it."""
    if not owner_queries.list_links(request.account, video_id).exists():
        raise Http404
    back = link_context.video_address(video_id, export_files.build_query(parse_filter(request.GET)))
    return _changed(request, video_id, comment_id, None, back)


@require_POST
def answer(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Answer a comment of one link as the owner; what is wrong comes back to the form with everything typed."""
    found = link_context.link_or_404(request, link_id)
    parent = request.POST.get("reply_to", "")
    answered = owner_writes.send_reply(request.account, found, request.POST.dict())
    if answered.problems:
        messages.error(request, " ".join(answered.problems.get("", ())) or _("The answer was not sent yet."))
        return link_context.link_page(
            request, found, {parent: link_context.answer_form(request, found, answered.problems)}, status=422
        )
    said = (
        _("Answer posted.") if answered.arrived else _("Your answer is kept. How it stands is said above the comments.")
    )
    messages.success(request, said)
    back = link_context.address(found.pk, export_files.build_query(parse_filter(request.GET)))
    return redirect(f"{back}#c-{parent}")


@require_POST
def settle(request: OwnerRequest, link_id: uuid.UUID, key: uuid.UUID) -> HttpResponse:
    """Say of a write that nobody could confirm that it arrived, or send it once more."""
    found = link_context.link_or_404(request, link_id)
    if not owner_writes.settle(request, found, key):
        raise Http404
    return redirect(link_context.address(found.pk, {}))


def _rewritten(request: OwnerRequest, found: ReviewLink, comment_id: uuid.UUID) -> HttpResponse:
    actor = actor_of(request, request.account)
    try:
        answered = owner_writes.edit_reply(request.account, found, comment_id, request.POST.dict(), actor=actor)
    except ObjectDoesNotExist as error:
        raise Http404 from error
    if answered.problems:
        form = link_context.edit_form(request, found, comment_id, answered.problems)
        return link_context.link_page(request, found, {str(comment_id): form}, status=422)
    said = (
        _("Your answer was changed.")
        if answered.arrived
        else _("Your change is kept. How it stands is said above the comments.")
    )
    messages.success(request, said)
    back = link_context.address(found.pk, export_files.build_query(parse_filter(request.GET)))
    return redirect(f"{back}#c-{comment_id}")


def _changed(
    request: OwnerRequest, video_id: uuid.UUID, comment_id: uuid.UUID, first: ReviewLink | None, back: str
) -> HttpResponse:
    sent = request.POST.get("status", "")
    if sent not in set(CommentStatus):
        return HttpResponseBadRequest()
    through = link_context.through(request, video_id, first)
    if isinstance(through, Reason):
        return _refused(request, sentence(Problem(through)), back)
    try:
        write = owner_writes.set_status(
            request.account,
            through,
            comment_id,
            CommentStatus(sent),
            key=forms.read_key(request.POST, request.account.pk, comment_id),
            actor=actor_of(request, request.account),
        )
    except ObjectDoesNotExist as error:
        raise Http404 from error
    except errors.BadToken:
        return _refused(request, _("The platform did not take the owner's session on this link. Try again."), back)
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        return _refused(request, explained.whole, back)
    kept = owner_writes.get_comment(request.account, through, comment_id)
    said = describe_write(write) or _said(kept)
    return _done(request, kept, through, first, back, said)


def _done(
    request: OwnerRequest, kept: Comment, through: ReviewLink, first: ReviewLink | None, back: str, said: str
) -> HttpResponse:
    if not request.htmx:
        messages.success(request, said)
        return redirect(f"{back}#c-{kept.comment_id}")
    context = _card(request, kept, through.video_id, first) | {"said": said}
    if first:
        first.refresh_from_db()
        query = export_files.build_query(parse_filter(request.GET), v=str(first.version))
        context["poll"] = f"{link_context.address(first.pk, {})}news/?{urlencode(query)}"
    return render(request, "review_links/_changed.html", context)


def _card(request: OwnerRequest, kept: Comment, video_id: uuid.UUID, first: ReviewLink | None) -> dict[str, Any]:
    """The changed card, whatever the page's filter says now, and the counts beside it."""
    now = timezone.now()
    if first:
        threads, place = (
            owner_queries.load_threads_of_link(request.account, first),
            link_context.place_of_link(request, first),
        )
        talk, named = link_context.talk_of_link(request, first), {}
    else:
        rows = list(owner_queries.list_links(request.account, video_id))
        threads, place = (
            owner_queries.load_threads_of_video(request.account, video_id),
            link_context.place_of_video(request, video_id, rows),
        )
        talk, named = link_context.talk_of_video(request, video_id, rows), link_context.names(request, video_id, rows)
    thread = next(thread for thread in threads if thread.first.comment_id == kept.comment_id)
    return {"thread": comment_pages.thread_row(thread, place, now, named, locked=False, forms={}), "talk": talk}


def _said(kept: Comment) -> str:
    values = {"name": kept.user_name, "time": formats.clock(kept.time)}
    if kept.status == CommentStatus.RESOLVED:
        return _("Resolved the comment of %(name)s at %(time)s.") % values
    return _("Reopened the comment of %(name)s at %(time)s.") % values


def _refused(request: OwnerRequest, said: str, back: str) -> HttpResponse:
    if not request.htmx:
        messages.error(request, said)
        return redirect(back)
    response = render(request, "review_links/_refused.html", {"said": said})
    response.headers["HX-Retarget"] = "#refused"
    response.headers["HX-Reswap"] = "innerHTML"
    return response

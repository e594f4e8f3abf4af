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
from dashboard.review_links.forms import describe_problem
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
    link = link_context.get_link_or_404(request, link_id)
    if "text" in request.POST:
        return _edit_reply(request, link, comment_id)
    back = link_context.link_address(link.pk, export_files.build_query(parse_filter(request.GET)))
    return _change_status(request, link.video_id, comment_id, link, back)


@require_POST
def video_comment(request: OwnerRequest, video_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve or reopen a comment of a video, through whichever of its links allows it."""
    if not owner_queries.list_links(request.account, video_id).exists():
        raise Http404
    back = link_context.video_address(video_id, export_files.build_query(parse_filter(request.GET)))
    return _change_status(request, video_id, comment_id, None, back)


@require_POST
def answer(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Answer a comment of one link as the owner; what is wrong comes back to the form with everything typed."""
    link = link_context.get_link_or_404(request, link_id)
    parent = request.POST.get("reply_to", "")
    answered = owner_writes.send_reply(request.account, link, request.POST.dict())
    if answered.problems:
        messages.error(request, " ".join(answered.problems.get("", ())) or _("The reply was not sent yet."))
        return link_context.render_link_page(
            request, link, {parent: link_context.build_reply_form(request, link, answered.problems)}, status=422
        )
    message = (
        _("Reply posted.") if answered.arrived else _("Your reply is saved. Its status is shown above the comments.")
    )
    messages.success(request, message)
    back = link_context.link_address(link.pk, export_files.build_query(parse_filter(request.GET)))
    return redirect(f"{back}#c-{parent}")


@require_POST
def settle(request: OwnerRequest, link_id: uuid.UUID, key: uuid.UUID) -> HttpResponse:
    """Say of a write that nobody could confirm that it arrived, or send it once more."""
    link = link_context.get_link_or_404(request, link_id)
    if not owner_writes.settle(request, link, key):
        raise Http404
    return redirect(link_context.link_address(link.pk, {}))


def _edit_reply(request: OwnerRequest, link: ReviewLink, comment_id: uuid.UUID) -> HttpResponse:
    actor = actor_of(request, request.account)
    try:
        answered = owner_writes.edit_reply(request.account, link, comment_id, request.POST.dict(), actor=actor)
    except ObjectDoesNotExist as error:
        raise Http404 from error
    if answered.problems:
        form = link_context.build_edit_form(request, link, comment_id, answered.problems)
        return link_context.render_link_page(request, link, {str(comment_id): form}, status=422)
    message = (
        _("Your reply was changed.")
        if answered.arrived
        else _("Your change is saved. Its status is shown above the comments.")
    )
    messages.success(request, message)
    back = link_context.link_address(link.pk, export_files.build_query(parse_filter(request.GET)))
    return redirect(f"{back}#c-{comment_id}")


def _change_status(
    request: OwnerRequest, video_id: uuid.UUID, comment_id: uuid.UUID, first: ReviewLink | None, back: str
) -> HttpResponse:
    status = request.POST.get("status", "")
    if status not in set(CommentStatus):
        return HttpResponseBadRequest()
    through = link_context.select_usable_link(request, video_id, first)
    if isinstance(through, Reason):
        return _render_refused(request, describe_problem(Problem(through)), back)
    try:
        write = owner_writes.set_status(
            request.account,
            through,
            comment_id,
            CommentStatus(status),
            key=forms.read_key(request.POST, request.account.pk, comment_id),
            actor=actor_of(request, request.account),
        )
    except ObjectDoesNotExist as error:
        raise Http404 from error
    except errors.BadToken:
        return _render_refused(
            request,
            _("The platform did not accept the owner's session on this link. Nothing was changed. Try again."),
            back,
        )
    except errors.CallError as error:
        explained = refusals.explain(error)
        return _render_refused(request, explained.whole, back)
    comment = owner_writes.get_comment(request.account, through, comment_id)
    message = describe_write(write, guest=False) or _describe_status(comment)
    return _render_changed(request, comment, through, first, back, message)


def _render_changed(
    request: OwnerRequest, comment: Comment, through: ReviewLink, first: ReviewLink | None, back: str, message: str
) -> HttpResponse:
    if not request.htmx:
        messages.success(request, message)
        return redirect(f"{back}#c-{comment.comment_id}")
    context = _build_card_context(request, comment, through.video_id, first) | {"said": message}
    if first:
        first.refresh_from_db()
        query = export_files.build_query(parse_filter(request.GET), v=str(first.version))
        context["poll"] = f"{link_context.link_address(first.pk, {})}news/?{urlencode(query)}"
    return render(request, "review_links/_changed.html", context)


def _build_card_context(
    request: OwnerRequest, comment: Comment, video_id: uuid.UUID, first: ReviewLink | None
) -> dict[str, Any]:
    """The changed card, whatever the page's filter says now, and the counts beside it."""
    now = timezone.now()
    if first:
        threads, place = (
            owner_queries.load_threads_of_link(request.account, first),
            link_context.build_link_addresses(request, first),
        )
        talk, link_names = link_context.load_comments_of_link(request, first), {}
    else:
        rows = list(owner_queries.list_links(request.account, video_id))
        threads, place = (
            owner_queries.load_threads_of_video(request.account, video_id),
            link_context.build_video_addresses(request, video_id, rows),
        )
        talk, link_names = (
            link_context.build_comments_of_video(request, video_id, rows, threads),
            link_context.load_link_names(request, video_id, rows),
        )
    thread = next(thread for thread in threads if thread.first.comment_id == comment.comment_id)
    return {
        "thread": comment_pages.build_thread_row(thread, place, now, link_names, locked=False, forms={}),
        "talk": talk,
    }


def _describe_status(comment: Comment) -> str:
    values = {"name": comment.user_name, "time": formats.clock(comment.time)}
    if comment.status == CommentStatus.RESOLVED:
        return _("Resolved the comment of %(name)s at %(time)s.") % values
    return _("Reopened the comment of %(name)s at %(time)s.") % values


def _render_refused(request: OwnerRequest, message: str, back: str) -> HttpResponse:
    if not request.htmx:
        messages.error(request, message)
        return redirect(back)
    response = render(request, "review_links/_refused.html", {"said": message})
    response.headers["HX-Retarget"] = "#refused"
    response.headers["HX-Reswap"] = "innerHTML"
    return response

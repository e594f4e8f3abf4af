"""The list of links, one link, one video over all its links, and what is changed there: statuses, answers, cuts."""

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of, record_choice
from dashboard.platform_api import errors
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.review_links import creation, link_pages, pages, rules, tasks
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import formats, refusals
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.upstream import parallel
from dashboard.upstream.parallel import page_patience
from review_portal import cuts, export_files, forms, owners, sync
from review_portal import cuts as series
from review_portal.context import parse_filter
from review_portal.cuts import CutRefusal
from review_portal.messages import describe_write
from review_portal.models import Claim, Comment, ReviewLink
from review_portal.owners import CountedLink
from review_portal.threads import Thread

QR_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@require_safe
def review_links(request: OwnerRequest) -> HttpResponse:
    """All links of the account, by video and state."""
    progress = tasks.refresh_links(request)
    criteria = pages.parse_filter(request.GET)
    tasks.refresh_comments(request, pages.load_listing(request.account, criteria).links)
    page_of_links = pages.load_listing(request.account, criteria)
    claims = () if criteria.narrows or criteria.page > 1 else sync.list_claims(request.account)
    page = pages.build_list_page(page_of_links, criteria, progress, claims, tasks.begin(request.account))
    context = {"page": page, "creations": creation.list_open_creations(request.account)}
    return render(request, "review_links/review_links.html", context)


@require_safe
def link(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """One link: its address, what it allows, its comments; `?answer=` and `?edit=` open a form at one of them."""
    review_link = link_pages.get_link_or_404(request, link_id)
    return link_pages.render_link_page(request, review_link, link_pages.build_open_forms(request, review_link))


@require_safe
def news(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """204 while the reader's version of the link is the newest; else a line that leads to what is new."""
    review_link = link_pages.get_link_or_404(request, link_id)
    sync.merge_in_background(review_link)
    if request.GET.get("v") == str(review_link.version):
        return unchanged()
    query = export_files.build_query(parse_filter(request.GET))
    return render(
        request, "review_links/_news.html", {"address": link_pages.link_address(review_link.pk, query), "poll": ""}
    )


@require_POST
def set_preview(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Whether chats and mails may show the title and a still of the video: kept here, the platform does not know it."""
    review_link, is_on = link_pages.get_link_or_404(request, link_id), request.POST.get("preview") == "on"
    _save_choice(request, review_link, "review_links.set_preview", "allow_preview", is_on)
    messages.success(request, _("Preview is on.") if is_on else _("Preview is off."))
    return redirect(f"{link_pages.link_address(review_link.pk, {})}#share-title")


@require_POST
def set_drawings(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Whether the platform's text of a comment with a drawing ends with the address of its still."""
    review_link, is_on = link_pages.get_link_or_404(request, link_id), request.POST.get("drawings") == "on"
    _save_choice(request, review_link, "review_links.set_drawings", "address_drawings", is_on)
    messages.success(request, _("Addresses of drawings are on.") if is_on else _("Addresses of drawings are off."))
    return redirect(f"{link_pages.link_address(review_link.pk, {})}#share-title")


@require_POST
def set_decisions(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Whether decisions are posted as comments where the video ends, so that the platform has them too."""
    review_link, is_on = link_pages.get_link_or_404(request, link_id), request.POST.get("decisions") == "on"
    _save_choice(request, review_link, "review_links.set_decisions", "send_decisions", is_on)
    on, off = _("Decisions are posted as comments."), _("Decisions are not posted as comments.")
    messages.success(request, on if is_on else off)
    return redirect(f"{link_pages.link_address(review_link.pk, {})}#decisions-title")


def _save_choice(request: OwnerRequest, link: ReviewLink, operation: str, name: str, is_on: bool) -> None:
    """Keep a choice that the platform does not know, and note in Activity what it was before."""
    before = {name: getattr(link, name)}
    if before != {name: is_on}:
        setattr(link, name, is_on)
        link.save(update_fields=[name])
        record_choice(request, operation, str(link.pk), link.name, before=before, after={name: is_on})


@require_safe
def qr(request: OwnerRequest, link_id: uuid.UUID, kind: str) -> HttpResponse:
    """The public address as a QR code to save: `svg` or `png`."""
    review_link = link_pages.get_link_or_404(request, link_id)
    if kind not in QR_TYPES:
        raise Http404
    content = link_pages.draw_code(link_pages.get_public_address(request, review_link.pk), kind)
    name = f'attachment; filename="review-link-{str(review_link.pk)[:8]}.{kind}"'
    return HttpResponse(content, content_type=QR_TYPES[kind], headers={"Content-Disposition": name})


@require_safe
def export(request: OwnerRequest, link_id: uuid.UUID, extension: str) -> HttpResponse:
    """The comments that the page shows, as a file."""
    review_link = link_pages.get_link_or_404(request, link_id)
    sync.merge_in_background(review_link, page_patience())
    threads = owners.load_threads_of_link(request.account, review_link)
    return link_pages.render_file(request, extension, threads, owners.build_subject(review_link, with_decisions=True))


@require_safe
def print_link(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """The comments that the page shows, for paper."""
    review_link = link_pages.get_link_or_404(request, link_id)
    sync.merge_in_background(review_link, page_patience())
    threads = owners.load_threads_of_link(request.account, review_link)
    return link_pages.render_print(
        request,
        threads,
        owners.build_subject(review_link, with_decisions=True),
        link_pages.link_address(review_link.pk, {}),
    )


@require_safe
def video(request: OwnerRequest, video_id: uuid.UUID) -> HttpResponse:
    """One video: its links, and its comments over all of them."""
    now, load = timezone.now(), partial(_load_facts, request.account, video_id)
    load_meanwhile = parallel.meanwhile(load)
    loaded = _load_video(request, video_id)
    facts = load() if loaded.has_new_links else load_meanwhile()
    read_at = max((row.read_at for row in loaded.rows if row.read_at), default=None)
    reading = link_pages.build_freshness(read_at, loaded.error, now)
    talk = link_pages.build_comments_of_video(request, video_id, loaded.rows, facts.threads)
    page = link_pages.build_video_page(
        video_id, loaded.about, loaded.rows, talk, reading, facts.used, now, facts.claims, facts.numbers
    )
    return render(request, "review_links/video.html", {"page": page})


class _VideoFacts(NamedTuple):
    """What is kept here of a video's links. `used`: its main comments. `numbers`: those of cuts, by link."""

    threads: Sequence[Thread]
    used: int
    claims: Sequence[Claim]
    numbers: Mapping[uuid.UUID, tuple[int, int]]


def _load_facts(account: Account, video_id: uuid.UUID) -> _VideoFacts:
    return _VideoFacts(
        owners.load_threads_of_video(account, video_id),
        owners.count_comments_by_video(account).get(video_id, 0),
        list(sync.list_claims(account, video_id)),
        cuts.load_numbers(account),
    )


@require_safe
def video_export(request: OwnerRequest, video_id: uuid.UUID, extension: str) -> HttpResponse:
    """The comments that the video's page shows, as a file that names their link where it is known."""
    loaded = _load_video(request, video_id)
    threads = owners.load_threads_of_video(request.account, video_id)
    link_names = link_pages.load_link_names(request, video_id, loaded.rows)
    return link_pages.render_file(request, extension, threads, loaded.about, link_names)


@require_safe
def video_print(request: OwnerRequest, video_id: uuid.UUID) -> HttpResponse:
    """The comments that the video's page shows, for paper."""
    loaded = _load_video(request, video_id)
    threads = owners.load_threads_of_video(request.account, video_id)
    link_names = link_pages.load_link_names(request, video_id, loaded.rows)
    back = link_pages.video_address(video_id, {})
    return link_pages.render_print(request, threads, loaded.about, back, link_names)


class _LoadedVideo(NamedTuple):
    about: export_files.ExportSubject
    rows: Sequence[CountedLink]
    error: CallError | None
    has_new_links: bool


def _load_video(request: OwnerRequest, video_id: uuid.UUID) -> _LoadedVideo:
    """The video's links with what is new in them. A video that is not the account's raises `Missing`."""
    known = owners.list_links(request.account, video_id)
    refreshed = tasks.refresh_video(request, video_id)
    rows, now = list(known.all()), timezone.now()
    usable = [row for row in rows if rules.state_of(row, now) in rules.USABLE]
    error = tasks.refresh_comments(request, usable) or refreshed.error
    whole = owners.are_comments_complete(rows)
    if rows:
        subject = owners.build_subject(rows[0])
        about = export_files.ExportSubject(subject.title, "", subject.length, whole=whole)
    else:
        title = refreshed.video.title if refreshed.video else ""
        about = export_files.ExportSubject(title, "", None, whole=whole)
    return _LoadedVideo(about, rows, error, refreshed.has_new_links)


@require_POST
def comment(request: OwnerRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve or reopen a comment of one link; with `text`, change one's own answer."""
    link = link_pages.get_link_or_404(request, link_id)
    if "text" in request.POST:
        return _edit_reply(request, link, comment_id)
    back = link_pages.link_address(link.pk, export_files.build_query(parse_filter(request.GET)))
    return _change_status(request, link.video_id, comment_id, link, back)


@require_POST
def video_comment(request: OwnerRequest, video_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve or reopen a comment of a video, through whichever of its links allows it."""
    if not owners.list_links(request.account, video_id).exists():
        raise Http404
    back = link_pages.video_address(video_id, export_files.build_query(parse_filter(request.GET)))
    return _change_status(request, video_id, comment_id, None, back)


@require_POST
def answer(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Answer a comment of one link as the owner; what is wrong comes back to the form with everything typed."""
    link = link_pages.get_link_or_404(request, link_id)
    parent = request.POST.get("reply_to", "")
    answered = owners.send_reply(request.account, link, request.POST.dict())
    if answered.problems:
        messages.error(request, " ".join(answered.problems.get("", ())) or _("The reply was not sent yet."))
        return link_pages.render_link_page(
            request, link, {parent: link_pages.build_reply_form(request, link, answered.problems)}, status=422
        )
    message = (
        _("Reply posted.") if answered.arrived else _("Your reply is saved. Its status is shown above the comments.")
    )
    messages.success(request, message)
    back = link_pages.link_address(link.pk, export_files.build_query(parse_filter(request.GET)))
    return redirect(f"{back}#c-{parent}")


@require_POST
def settle(request: OwnerRequest, link_id: uuid.UUID, key: uuid.UUID) -> HttpResponse:
    """Say of a write that nobody could confirm that it arrived, or send it once more."""
    link = link_pages.get_link_or_404(request, link_id)
    if not owners.settle(request, link, key):
        raise Http404
    return redirect(link_pages.link_address(link.pk, {}))


def _edit_reply(request: OwnerRequest, link: ReviewLink, comment_id: uuid.UUID) -> HttpResponse:
    actor = actor_of(request, request.account)
    try:
        answered = owners.edit_reply(request.account, link, comment_id, request.POST.dict(), actor=actor)
    except ObjectDoesNotExist as error:
        raise Http404 from error
    if answered.problems:
        form = link_pages.build_edit_form(request, link, comment_id, answered.problems)
        return link_pages.render_link_page(request, link, {str(comment_id): form}, status=422)
    message = (
        _("Your reply was changed.")
        if answered.arrived
        else _("Your change is saved. Its status is shown above the comments.")
    )
    messages.success(request, message)
    back = link_pages.link_address(link.pk, export_files.build_query(parse_filter(request.GET)))
    return redirect(f"{back}#c-{comment_id}")


def _change_status(
    request: OwnerRequest, video_id: uuid.UUID, comment_id: uuid.UUID, first: ReviewLink | None, back: str
) -> HttpResponse:
    status = request.POST.get("status", "")
    if status not in set(CommentStatus):
        return HttpResponseBadRequest()
    through = link_pages.select_usable_link(request, video_id, first)
    if isinstance(through, Reason):
        return _render_refused(request, describe_problem(Problem(through)), back)
    try:
        write = owners.set_status(
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
    comment = owners.get_comment(request.account, through, comment_id)
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
        context["poll"] = f"{link_pages.link_address(first.pk, {})}news/?{urlencode(query)}"
    return render(request, "review_links/_changed.html", context)


def _build_card_context(
    request: OwnerRequest, comment: Comment, video_id: uuid.UUID, first: ReviewLink | None
) -> dict[str, Any]:
    """The changed card, whatever the page's filter says now, and the counts beside it."""
    if first:
        threads, place = (
            owners.load_threads_of_link(request.account, first),
            link_pages.build_link_addresses(request, first),
        )
        talk, link_names = link_pages.load_comments_of_link(request, first), {}
    else:
        rows = list(owners.list_links(request.account, video_id))
        threads, place = (
            owners.load_threads_of_video(request.account, video_id),
            link_pages.build_video_addresses(request, video_id, rows),
        )
        talk, link_names = (
            link_pages.build_comments_of_video(request, video_id, rows, threads),
            link_pages.load_link_names(request, video_id, rows),
        )
    thread = next(thread for thread in threads if thread.first.comment_id == comment.comment_id)
    return {
        "thread": thread,
        "place": place,
        "links": link_names,
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


STEPS = {"earlier": -1, "later": 1}


@require_POST
def edit_cuts(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Make the link the next cut of another, move it among the cuts, or take it out. Asked for twice, it is done once."""
    link = link_pages.get_link_or_404(request, link_id)
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
    form = link_pages.build_form(request.account, link, link.video_id, request.POST)
    if not form.is_valid() or not form.cleaned_data["next_of"]:
        return link_pages.render_link_page(request, link, {}, status=422, cut_form=form)
    refusal = series.place_after(request.account, link, form.get_earlier())
    if refusal == CutRefusal.IN_SERIES:  # its page has no such form any more
        messages.warning(request, link_pages.describe_refusal(refusal))
        return _redirect_to_panel(link)
    if refusal is not None:
        form.add_error("next_of", link_pages.describe_refusal(refusal))
        return link_pages.render_link_page(request, link, {}, status=422, cut_form=form)
    number = series.find_number(series.list_cuts(link), link)
    messages.success(request, _("“%(name)s” is cut %(cut)s now.") % {"name": link.name, "cut": number})
    return _redirect_to_panel(link)


def _redirect_to_panel(link: ReviewLink) -> HttpResponse:
    return redirect(f"{link_pages.link_address(link.pk, {})}#cuts-title")

"""The list of links, one link, and one video over all its links."""

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.accounts.models import Account
from dashboard.activity.recorder import record_choice
from dashboard.platform_api.errors import CallError
from dashboard.review_links import (
    addresses,
    creation_pages,
    import_links,
    link_context,
    link_pages,
    listing,
    pages,
    rules,
    tasks,
)
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.upstream import parallel
from dashboard.upstream.parallel import page_patience
from review_portal import cuts, export_files, owner_queries, ownership, sync
from review_portal.context import parse_filter
from review_portal.models import Claim, ReviewLink
from review_portal.owner_queries import CountedLink
from review_portal.threads import Thread

QR_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@require_safe
def review_links(request: OwnerRequest) -> HttpResponse:
    """All links of the account, by video and state."""
    progress = import_links.refresh_links(request)
    criteria = listing.parse_filter(request.GET)
    import_links.refresh_comments(request, listing.load_listing(request.account, criteria).links)
    page_of_links = listing.load_listing(request.account, criteria)
    claims = () if criteria.narrows or criteria.page > 1 else ownership.list_claims(request.account)
    page = pages.build_list_page(page_of_links, criteria, progress, claims, tasks.begin(request.account))
    context = {"page": page, "creations": creation_pages.list_open_creations(request.account)}
    return render(request, "review_links/review_links.html", context)


@require_safe
def link(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """One link: its address, what it allows, its comments; `?answer=` and `?edit=` open a form at one of them."""
    review_link = link_context.get_link_or_404(request, link_id)
    return link_context.render_link_page(request, review_link, link_context.build_open_forms(request, review_link))


@require_safe
def news(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """204 while the reader's version of the link is the newest; else a line that leads to what is new."""
    review_link = link_context.get_link_or_404(request, link_id)
    sync.merge_in_background(review_link)
    if request.GET.get("v") == str(review_link.version):
        return unchanged()
    query = export_files.build_query(parse_filter(request.GET))
    return render(
        request, "review_links/_news.html", {"address": link_context.link_address(review_link.pk, query), "poll": ""}
    )


@require_POST
def set_preview(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Whether chats and mails may show the title and a still of the video: kept here, the platform does not know it."""
    review_link, is_on = link_context.get_link_or_404(request, link_id), request.POST.get("preview") == "on"
    _save_choice(request, review_link, "review_links.set_preview", "allow_preview", is_on)
    messages.success(request, _("Preview is on.") if is_on else _("Preview is off."))
    return redirect(f"{link_context.link_address(review_link.pk, {})}#share-title")


@require_POST
def set_drawings(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Whether the platform's text of a comment with a drawing ends with the address of its still."""
    review_link, is_on = link_context.get_link_or_404(request, link_id), request.POST.get("drawings") == "on"
    _save_choice(request, review_link, "review_links.set_drawings", "address_drawings", is_on)
    messages.success(request, _("Addresses of drawings are on.") if is_on else _("Addresses of drawings are off."))
    return redirect(f"{link_context.link_address(review_link.pk, {})}#share-title")


@require_POST
def set_decisions(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """Whether decisions are posted as comments where the video ends, so that the platform has them too."""
    review_link, is_on = link_context.get_link_or_404(request, link_id), request.POST.get("decisions") == "on"
    _save_choice(request, review_link, "review_links.set_decisions", "send_decisions", is_on)
    on, off = _("Decisions are posted as comments."), _("Decisions are not posted as comments.")
    messages.success(request, on if is_on else off)
    return redirect(f"{link_context.link_address(review_link.pk, {})}#decisions-title")


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
    review_link = link_context.get_link_or_404(request, link_id)
    if kind not in QR_TYPES:
        raise Http404
    content = addresses.code_file(addresses.public(request, review_link.pk), kind)
    name = f'attachment; filename="review-link-{str(review_link.pk)[:8]}.{kind}"'
    return HttpResponse(content, content_type=QR_TYPES[kind], headers={"Content-Disposition": name})


@require_safe
def export(request: OwnerRequest, link_id: uuid.UUID, extension: str) -> HttpResponse:
    """The comments that the page shows, as a file."""
    review_link = link_context.get_link_or_404(request, link_id)
    sync.merge_in_background(review_link, page_patience())
    threads = owner_queries.load_threads_of_link(request.account, review_link)
    return link_context.render_file(
        request, extension, threads, owner_queries.build_subject(review_link, with_decisions=True)
    )


@require_safe
def print_link(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """The comments that the page shows, for paper."""
    review_link = link_context.get_link_or_404(request, link_id)
    sync.merge_in_background(review_link, page_patience())
    threads = owner_queries.load_threads_of_link(request.account, review_link)
    return link_context.render_print(
        request,
        threads,
        owner_queries.build_subject(review_link, with_decisions=True),
        link_context.link_address(review_link.pk, {}),
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
    talk = link_context.build_comments_of_video(request, video_id, loaded.rows, facts.threads)
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
        owner_queries.load_threads_of_video(account, video_id),
        owner_queries.count_comments_by_video(account).get(video_id, 0),
        list(ownership.list_claims(account, video_id)),
        cuts.load_numbers(account),
    )


@require_safe
def video_export(request: OwnerRequest, video_id: uuid.UUID, extension: str) -> HttpResponse:
    """The comments that the video's page shows, as a file that names their link where it is known."""
    loaded = _load_video(request, video_id)
    threads = owner_queries.load_threads_of_video(request.account, video_id)
    link_names = link_context.load_link_names(request, video_id, loaded.rows)
    return link_context.render_file(request, extension, threads, loaded.about, link_names)


@require_safe
def video_print(request: OwnerRequest, video_id: uuid.UUID) -> HttpResponse:
    """The comments that the video's page shows, for paper."""
    loaded = _load_video(request, video_id)
    threads = owner_queries.load_threads_of_video(request.account, video_id)
    link_names = link_context.load_link_names(request, video_id, loaded.rows)
    back = link_context.video_address(video_id, {})
    return link_context.render_print(request, threads, loaded.about, back, link_names)


class _LoadedVideo(NamedTuple):
    about: export_files.ExportSubject
    rows: Sequence[CountedLink]
    error: CallError | None
    has_new_links: bool


def _load_video(request: OwnerRequest, video_id: uuid.UUID) -> _LoadedVideo:
    """The video's links with what is new in them. A video that is not the account's raises `Missing`."""
    known = owner_queries.list_links(request.account, video_id)
    refreshed = import_links.refresh_video(request, video_id)
    rows, now = list(known.all()), timezone.now()
    usable = [row for row in rows if rules.state_of(row, now) in rules.USABLE]
    error = import_links.refresh_comments(request, usable) or refreshed.error
    whole = owner_queries.are_comments_complete(rows)
    if rows:
        subject = owner_queries.build_subject(rows[0])
        about = export_files.ExportSubject(subject.title, "", subject.length, whole=whole)
    else:
        title = refreshed.video.title if refreshed.video else ""
        about = export_files.ExportSubject(title, "", None, whole=whole)
    return _LoadedVideo(about, rows, error, refreshed.has_new_links)

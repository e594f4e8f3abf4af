"""Videos: the library, and one video with its panels."""

import uuid

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest, allow_media, unchanged, whole_number
from dashboard.shared.video_panels import PANELS
from dashboard.upstream import reads
from dashboard.upstream.languages import look_up
from dashboard.upstream.library import waiting
from dashboard.videos import detail_queries, gap_pages, library, library_queries, pages, rules, tasks

ASKED_MAX = 100
"""Rows whose languages one part may ask for."""
ASKED_MOST = 10**9
"""The largest number of videos that an address is read as."""


@require_safe
def videos(request: OwnerRequest) -> HttpResponse:
    """The library as the address says. With htmx, or `wait`, it waits for a slow platform; else it fetches itself.

    A part that shows a failure is a part all the same: an error would leave the old list beside the new filter.
    """
    query = rules.parse_query(request.GET)
    waits = bool(request.htmx) or request.GET.get("wait") == "1"
    view = library.load_library(request, query, patience=waiting() if waits else None)
    pause = None
    if view.known < view.matching and query.missing:
        tasks.begin(request.account)
        pause = library_queries.trouble(request.account)
    page = pages.build_videos_page(query, view, pause)
    if not request.htmx:
        status = refusals.status_of(view.error) if view.error else 200
        return render(request, "videos/videos.html", {"page": page}, status=status)
    response = render(request, "videos/_library.html", {"page": page})
    if request.GET.get("wait") != "1":  # a filter was changed: the address says it, without what is empty
        response["HX-Push-Url"] = page.here
    return response


@require_safe
def looked(request: OwnerRequest) -> HttpResponse:
    """How far the worker has looked for gaps; nothing where that is what `v` says. The platform is not asked."""
    query = rules.parse_query(request.GET)
    progress = library.count_looked_up(reads.of(request), query)
    trouble = library_queries.trouble(request.account)
    if progress is None or gap_pages.version(progress[0], trouble) == request.GET.get("v"):
        return unchanged()
    drawn = whole_number(request.GET.get("known", ""), ASKED_MOST)
    return render(
        request,
        "videos/_looked.html",
        {"progress": gap_pages.build_gap_progress(query, *progress, trouble, drawn or 0)},
    )


@require_safe
def languages(request: OwnerRequest) -> HttpResponse:
    """The languages of the rows that a page could not show yet, each for its own place."""
    videos = [video for video in map(_uuid, request.GET.getlist("video")[:ASKED_MAX]) if video]
    known = look_up(request, videos, patience=waiting())
    return render(request, "videos/_languages.html", {"cells": pages.build_language_cells(known, videos)})


@require_safe
def video(request: OwnerRequest, video_id: uuid.UUID) -> HttpResponse:
    """One video: player and facts, and what every feature knows about it."""
    page = detail_queries.load_page(request, video_id)
    response = render(request, "videos/video.html", {"page": page})
    return allow_media(response, page.video.player_url, page.video.mp4_url, page.video.thumbnail)


@require_safe
def panel(request: OwnerRequest, video_id: uuid.UUID, name: str) -> HttpResponse:
    """One panel that was late: fetched by the page itself, or opened as a page without script."""
    if name not in PANELS:
        raise Http404
    content = detail_queries.load_panel(request, video_id, PANELS[name])
    template = "videos/_panel.html" if request.htmx else "videos/panel.html"
    return render(request, template, {"panel": content, "video_id": video_id})


def _uuid(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return ""

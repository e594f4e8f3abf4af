"""One video with its panels. The list of videos is in `list_views`."""

import uuid

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.shared.http import OwnerRequest, allow_media
from dashboard.shared.video_panels import PANELS
from dashboard.videos import detail_queries


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

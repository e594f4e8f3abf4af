"""Where viewers leave: the page, its progress while retention is read for the first time, and its file."""

from collections.abc import Mapping
from dataclasses import replace

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from dashboard.analytics import lesson_pages, lesson_queries
from dashboard.analytics.lesson_queries import LessonFilter
from dashboard.analytics.losses import Verdict
from dashboard.analytics.models import RetentionList, VideoRetention
from dashboard.analytics.state import VIDEO_ID
from dashboard.analytics.tasks import want_retention
from dashboard.shared import csv
from dashboard.shared.http import OwnerRequest, page_number, unchanged


@require_safe
def lessons(request: OwnerRequest) -> HttpResponse:
    """The videos that lose most minutes, with what is said where people leave."""
    listing = want_retention(request.account)
    folders = lesson_queries.load_folders(request.account)
    lesson_filter = _parse_filter(request, folders) if listing.judged_at is not None else LessonFilter()
    page = lesson_pages.build_lessons_page(request.account, listing, lesson_filter, folders)
    page = replace(page, address=request.build_absolute_uri())
    return render(request, "analytics/lessons.html", {"page": page})


@require_safe
def lessons_progress(request: OwnerRequest) -> HttpResponse:
    """The progress of the first reading; unchanged if it equals the version `?v=`."""
    listing = RetentionList.objects.filter(account=request.account).first() or want_retention(request.account)
    progress = lesson_pages.build_progress(listing)
    if progress.version == request.GET.get("v"):
        return unchanged()
    return render(request, "analytics/_lesson_progress.html", {"progress": progress})


@require_safe
def lessons_file(request: OwnerRequest) -> HttpResponse:
    """Every video of the address as CSV, those that lose most minutes first; their page until all are read."""
    if want_retention(request.account).judged_at is None:
        return redirect("analytics:lessons")
    folders = lesson_queries.load_folders(request.account)
    videos = lesson_queries.list_videos(request.account, _parse_filter(request, folders)).defer("curve", "typical")
    heads, rows = lesson_pages.build_table(sorted(videos, key=_get_rank))
    return csv.download(csv.written(heads, rows), csv.file_name("where-viewers-leave"))


def _get_rank(video: VideoRetention) -> tuple[int, float, int, str]:
    order = (Verdict.LOSES, Verdict.USUAL)
    place = order.index(Verdict(video.verdict)) if video.verdict in order else len(order)
    return place, -video.minutes, -(video.plays or 0), video.video_id


def _parse_filter(request: OwnerRequest, folders: Mapping[str, str]) -> LessonFilter:
    """What the address asks for. Raises Http404 for a folder without compared videos and an impossible id."""
    lesson_filter = LessonFilter(
        request.GET.get("folder", ""),
        request.GET.get("video", "").lower(),
        page_number(request.GET.get("page", "")),
        request.GET.get("list") == "unjudged",
    )
    if lesson_filter.folder and lesson_filter.folder not in folders:
        raise Http404
    if lesson_filter.video and not VIDEO_ID.fullmatch(lesson_filter.video):
        raise Http404
    return lesson_filter

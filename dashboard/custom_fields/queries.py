"""Reads the fields of all videos, page by page, by one process at a time; can be resumed. What is kept of them is searched."""

import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.custom_fields import queries
from dashboard.custom_fields.models import Field, Reading
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import Missing, PlatformError
from dashboard.platform_api.videos import CustomField, Video
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import parse_uuid
from dashboard.upstream import clients, reads
from dashboard.upstream.facts import VideoFacts, VideoSource, register_source
from dashboard.upstream.parallel import Failed, Ready, gather

VIDEOS = 16
"""Videos read side by side: one call each."""
TITLES = 25
"""Titles that a page reads beside it."""
BUSY = timedelta(seconds=45)


def get_reading(account_id: UUID) -> Reading | None:
    """How far the fields were read; None before the first time."""
    return Reading.objects.filter(account_id=account_id).first()


def begin_reading(account_id: UUID) -> Reading:
    """Start from the first video. Fields read before stay until they are read again."""
    reading, _made = Reading.objects.update_or_create(
        account_id=account_id,
        defaults={
            "started_at": timezone.now(),
            "finished_at": None,
            "next_page": 1,
            "videos": 0,
            "total": None,
            "busy_until": None,
        },
    )
    return reading


def read_on(request: OwnerRequest, seconds: float) -> Reading:
    """Read for at most about `seconds`, unless somebody else does already. Raises a `PlatformError`: read on later."""
    reading = get_reading(request.account.pk) or begin_reading(request.account.pk)
    now = timezone.now()
    free = Q(busy_until=None) | Q(busy_until__lt=now) | Q(busy_until__gt=now + 2 * BUSY)  # a clock ran ahead
    is_claimed = Reading.objects.filter(free, pk=reading.pk, finished_at=None).update(busy_until=now + BUSY)
    if not is_claimed:
        reading.refresh_from_db()
        return reading
    end = time.monotonic() + seconds
    try:
        while reading.finished_at is None:
            _read_page(request, reading)
            if time.monotonic() > end:
                break
    finally:
        reading.busy_until = None
        reading.save()
    return reading


def _read_page(request: OwnerRequest, reading: Reading) -> None:
    platform = clients.platform(request)
    page = platform.videos.list(page=reading.next_page, limit=VIDEOS)
    reads = {video.id: partial(platform.custom_fields.list, video.id) for video in page.videos}
    outcomes = gather(settings.PLATFORM_TIMEOUT + 1, **reads)
    now = timezone.now()
    for video in page.videos:
        match outcomes[video.id]:
            case Ready(fields):
                _save_fields(request.account.pk, video, fields, now)
            case Failed(error) if isinstance(error, Missing):
                _save_fields(request.account.pk, video, (), now)
            case Failed(error):
                raise error
            case _:
                raise PlatformError("custom_fields.list")
    reading.videos += len(page.videos)
    reading.total = page.total if page.total is not None else reading.total
    last = reading.next_page >= page.pages if page.pages is not None else len(page.videos) < VIDEOS
    reading.next_page += 1
    if last or not page.videos:
        reading.finished_at = now
        Field.objects.filter(account_id=reading.account_id, read_at__lt=reading.started_at).delete()


def _save_fields(account_id: UUID, video: Video, fields: tuple[CustomField, ...], now: datetime) -> None:
    """Replace what is kept of one video."""
    with transaction.atomic():
        Field.objects.filter(account_id=account_id, video_id=video.id).delete()
        Field.objects.bulk_create(
            Field(
                account_id=account_id,
                video_id=video.id,
                title=(video.title or video.id)[:300],
                field_id=field.id,
                key=field.key[:300],
                value=field.value,
                read_at=now,
            )
            for field in fields
        )


def save_video_fields(account_id: UUID, video: Video, fields: tuple[CustomField, ...]) -> None:
    """Update the copy from the fields that a video's page has read, once there is a copy."""
    if Reading.objects.filter(account_id=account_id).exists():
        _save_fields(account_id, video, fields, timezone.now())


def list_fields(account_id: UUID, find: str) -> "QuerySet[Field]":
    """Kept fields in order; `find` is in the title, the key or the value."""
    rows = Field.objects.filter(account_id=account_id).order_by("title", "video_id", "key", "pk")
    if find:
        rows = rows.filter(Q(title__icontains=find) | Q(key__icontains=find) | Q(value__icontains=find))
    return rows


def load_titles(request: OwnerRequest, videos: Iterable[str]) -> dict[str, str]:
    """The titles of these videos, as far as they are known; a few that are not are read beside the page."""
    ids = list(dict.fromkeys(videos))
    titles = list_titles(request.account.pk, ids)
    missing = [video for video in ids if video not in titles and parse_uuid(video)][:TITLES]
    read = reads.of(request).spare(**{video: partial(_video, video) for video in missing})
    return titles | {
        video: outcome.value.title
        for video, outcome in read.items()
        if isinstance(outcome, Ready) and outcome.value.title
    }


def list_titles(account_id: UUID, videos: Sequence[str]) -> dict[str, str]:
    """The titles of these videos in the copy."""
    rows = Field.objects.filter(account_id=account_id, video_id__in=videos).exclude(title="")
    return dict(rows.values_list("video_id", "title"))


def _video(video: str, platform: Operations) -> Video:
    return platform.videos.get(video)


def _load_fields(account: Account) -> VideoFacts:
    """By video, its fields as (key, value). Once all were read, a video without any has none."""
    fields: dict[str, tuple[tuple[str, str], ...]] = {}
    rows = Field.objects.filter(account_id=account.pk).order_by("video_id", "key", "pk")
    for video, key, value in rows.values_list("video_id", "key", "value"):
        fields[video] = (*fields.get(video, ()), (key, value))
    reading = queries.get_reading(account.pk)
    return VideoFacts(fields, () if reading is not None and reading.finished_at is not None else None)


def _version(account: Account) -> tuple[object, ...]:
    totals = Field.objects.filter(account_id=account.pk).aggregate(count=Count("pk"), newest=Max("read_at"))
    reading = queries.get_reading(account.pk)
    return (*totals.values(), reading.finished_at if reading else None)


register_source(VideoSource("fields", _version, _load_fields))

"""The worker's task of subtitles: follows jobs to their end without a page open."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task

from dashboard.platform_api import errors
from dashboard.subtitles import models, rules
from dashboard.subtitles.models import PlannedCell
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.upstream import budget
from dashboard.upstream.reads import Query, Reads
from dashboard.writes import schedule

EVERY = timedelta(seconds=15)
GIVEN_UP = timedelta(days=7)
"""A job that has not ended after this is read only where a page shows it."""
MOST = 40
"""Videos that are read in one run."""
SLOWEST = 600
"""Seconds between two reads of a job that has been under way for hours."""


@task()
def follow_jobs() -> None:
    """Read the jobs of videos with open cells, recent ones more often, and update the cells."""
    for account_id, video_id, cells in _due():
        cells = [cell for cell in cells if cell.batch.account_id == account_id]
        account = cells[0].batch.account
        reader = SubtitleReader(account, Reads(account))
        try:
            with budget.background():
                outcomes = reader.gather(_queries(reader, video_id), settings.PLATFORM_TIMEOUT)
        except errors.CallError:
            continue  # the account's token is away
        video_state, _late, _trouble = video_state_of(outcomes, video_id)
        if video_state.complete:  # else the next run asks again
            models.update_open_cells(cells, {video_id: video_state}, timezone.now())


def _queries(reader: SubtitleReader, video_id: str) -> dict[str, Query[Any]]:
    return {f"subtitles {video_id}": reader.subtitles(video_id), f"jobs {video_id}": reader.jobs(video_id)}


def _select_open() -> "QuerySet[PlannedCell]":
    settled = [status.value for status in rules.NOT_SENT | rules.ENDED]
    return PlannedCell.objects.exclude(status__in=settled).filter(sending_at__gte=timezone.now() - GIVEN_UP)


def _due() -> Iterator[tuple[object, str, list[PlannedCell]]]:
    now = timezone.now()
    by_video: dict[tuple[object, str], list[PlannedCell]] = {}
    for cell in _select_open().select_related("batch__account__parent").order_by("-sending_at"):
        by_video.setdefault((cell.batch.account_id, cell.video_id), []).append(cell)
    read = 0
    for (account_id, video_id), cells in by_video.items():
        age = max((now - cell.sending_at).total_seconds() for cell in cells if cell.sending_at)
        pause = min(max(EVERY.total_seconds() - 1, age / 10), SLOWEST)
        if read < MOST and cache.add(f"subtitles:followed:{account_id}:{video_id}", 1, pause):
            read += 1
            yield account_id, video_id, cells


schedule.recur(follow_jobs, every=EVERY, when=lambda: _select_open().exists())

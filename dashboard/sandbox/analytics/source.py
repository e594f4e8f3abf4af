"""From the records of the embedded platform to an account with an audience."""

from datetime import date, datetime
from typing import Final
from uuid import UUID

from dashboard.platform_api.vocabulary import TestStatus
from dashboard.sandbox.analytics.account import Account, AudienceVideo, chance
from dashboard.sandbox.models import ComparisonVideo, Organization, Video

_COLUMNS: Final = ("id", "external_id", "title", "created_at", "length", "playable")


def read_account(organization: Organization, now: datetime) -> Account:
    """The organization's account as it is now. Costs two queries."""
    tests: dict[str, list[tuple[date, date]]] = {}
    truths: dict[str, tuple[str, float]] = {}
    variants = ComparisonVideo.objects.filter(comparison__organization=organization).select_related("comparison")
    for variant in variants.exclude(comparison__status=TestStatus.DRAFT):
        key, started = str(variant.video_id), variant.comparison.started_at
        truths[key] = (variant.comparison_id, variant.play_rate)
        if started:
            tests.setdefault(key, []).append((started.date(), (variant.comparison.finished_at or now).date()))
    videos = Video.objects.filter(organization=organization).order_by("created_at", "id").values_list(*_COLUMNS)
    return Account(
        id=str(organization.id),
        first_day=organization.created_at.date(),
        now=now,
        videos=tuple(_video(row, truths, tests) for row in videos),
    )


def _video(
    row: tuple[UUID, UUID, str, datetime, float, bool],
    truths: dict[str, tuple[str, float]],
    tests: dict[str, list[tuple[date, date]]],
) -> AudienceVideo:
    identifier, external_id, title, created_at, length, playable = row
    key = str(identifier)
    shape, play_rate = truths.get(key, (key, 0.34 + 0.26 * chance(key, "plays")))
    return AudienceVideo(
        id=key,
        external_id=str(external_id),
        title=title,
        first_day=created_at.date(),
        length=length,
        pull=0.12 / (0.12 + chance(key, "pull")) if playable else 0.0,
        play_rate=play_rate,
        shape=shape,
        tests=tuple(tests.get(key, ())),
    )

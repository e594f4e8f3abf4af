"""From the records of the embedded platform to an account with an audience."""

from datetime import date, datetime

from dashboard.platform_api.vocabulary import TestStatus
from dashboard.sandbox.analytics.account import Account, AudienceVideo, chance
from dashboard.sandbox.models import ComparisonVideo, Organization, Video


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
    videos = Video.objects.filter(organization=organization).order_by("created_at", "id")
    return Account(
        id=str(organization.id),
        first_day=organization.created_at.date(),
        now=now,
        videos=tuple(_video(one, truths, tests) for one in videos),
    )


def _video(
    one: Video, truths: dict[str, tuple[str, float]], tests: dict[str, list[tuple[date, date]]]
) -> AudienceVideo:
    key = str(one.id)
    shape, play_rate = truths.get(key, (key, 0.34 + 0.26 * chance(key, "plays")))
    return AudienceVideo(
        id=key,
        external_id=str(one.external_id),
        title=one.title,
        first_day=one.created_at.date(),
        length=one.length,
        pull=0.12 / (0.12 + chance(key, "pull")) if one.playable else 0.0,
        play_rate=play_rate,
        shape=shape,
        tests=tuple(tests.get(key, ())),
    )

"""How long the embedded platform takes for what it promises: the numbers, and what decides how a job ends.

The specification gives no durations and no conditions for ERROR or SKIPPED [3]: see `assumptions`.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from dashboard.platform_api.vocabulary import JobStatus, JobType
from dashboard.sandbox.models import Option, Video

ASSISTANT_READY_AFTER: Final = timedelta(minutes=2)
LIVE_ONLINE_AFTER: Final = timedelta(seconds=20)
SUB_ACCOUNT_READY_AFTER: Final = timedelta(seconds=30)
CDN_DELAY: Final = "cdn_delay_seconds"
CDN_DELAY_SECONDS: Final = 8.0
CDN_IGNORES_QUERY: Final = "cdn_ignores_query"

FAILING_LANGUAGE: Final = "sw"
SKIPPED_LANGUAGE: Final = "ta"


def job_seconds(job_id: UUID) -> tuple[int, int]:
    """Return how many seconds a job waits and then runs: 2 to 5, then 6 to 35, always the same for one id."""
    return 2 + job_id.int % 4, 6 + (job_id.int >> 8) % 30


def job_outcome(video: Video, job_type: str, to_lang: str) -> tuple[str, str]:
    """Return how a job will end, and the reason where it does not finish."""
    if job_type == JobType.TRANSCRIPTION:
        if video.audio == Video.Audio.SILENT:
            return JobStatus.SKIPPED, "No speech was found in the audio"
        if video.audio == Video.Audio.BROKEN:
            return JobStatus.ERROR, "The audio could not be read"
    elif to_lang == FAILING_LANGUAGE:
        return JobStatus.ERROR, "The translation could not be completed"
    elif to_lang == SKIPPED_LANGUAGE:
        return JobStatus.SKIPPED, "The source subtitle has too little text"
    return JobStatus.FINISHED, ""


def cdn_delay() -> timedelta:
    """Return how long the public AI files answer with the old version after a write."""
    return timedelta(seconds=option(CDN_DELAY, CDN_DELAY_SECONDS))


def cdn_ignores_query() -> bool:
    """Say whether a query string, which usually leads past a CDN's cache, leads nowhere."""
    return bool(option(CDN_IGNORES_QUERY, 0))


def option(name: str, default: float) -> float:
    """Return a number of the fault panel."""
    row = Option.objects.filter(pk=name).first()
    return row.value if row else default


def set_option(name: str, value: float) -> None:
    """Set a number of the fault panel."""
    Option.objects.update_or_create(pk=name, defaults={"value": value})

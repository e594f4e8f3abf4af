"""Which kinds of AI content there are, and which jobs make them. Pure."""

from collections.abc import Iterable
from datetime import datetime

from dashboard.ai_content.rules.package import KEYS, Block, Package, list_blocks
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.vocabulary import JOB_ACTIVE, AiKind, JobType


def list_kinds(package: Package) -> tuple[str, ...]:
    """The kinds that a file has."""
    return tuple(str(kind) for kind in AiKind if Block(str(kind)) in list_blocks(package))


def remove_kinds(package: Package, kinds: Iterable[str]) -> Package:
    """The file without these kinds."""
    gone = {key for kind in kinds for key in KEYS[Block(kind)]}
    return {key: value for key, value in package.items() if key not in gone}


def is_content_job(job: Job) -> bool:
    """Whether a job is one of AI content, as far as can be told: none of subtitles."""
    return job.type not in set(JobType)


def is_active(job: Job) -> bool:
    """Whether a job has not ended; a state that is not known counts as ended, so that nobody waits for it for ever."""
    return job.status in JOB_ACTIVE


def is_made_since(job: Job, lang: str, since: datetime) -> bool:
    """Whether a job of AI content in this language was made at or after a moment."""
    spoken = {job.from_lang.lower(), (job.to_lang or "").lower()}
    return is_content_job(job) and lang.lower() in spoken and job.created_at is not None and job.created_at >= since

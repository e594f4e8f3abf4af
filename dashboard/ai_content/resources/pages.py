"""Pages of generating and deleting AI content."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from dashboard.ai_content import messages
from dashboard.ai_content.resources import inventory
from dashboard.ai_content.versions.store import FileState
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import ALL_TEXT_ITEMS, AiKind, JobStatus
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address

WORDS: Final[dict[str, Any]] = {
    JobStatus.QUEUE: pgettext_lazy("ai job", "In queue"),
    JobStatus.RUNNING: pgettext_lazy("ai job", "Running"),
    JobStatus.FINISHED: pgettext_lazy("ai job", "Finished"),
    JobStatus.ERROR: pgettext_lazy("ai job", "Error"),
    JobStatus.SKIPPED: pgettext_lazy("ai job", "Skipped"),
}
SHAPES: Final[dict[str, str]] = {
    JobStatus.QUEUE: "queue",
    JobStatus.RUNNING: "running",
    JobStatus.FINISHED: "finished",
    JobStatus.ERROR: "error",
    JobStatus.SKIPPED: "skipped",
}
STEPS: Final[dict[str, tuple[str, str, str]]] = {
    JobStatus.QUEUE: ("now", "", ""),
    JobStatus.RUNNING: ("done", "now", ""),
}


def format_not_kept(state: FileState) -> str:
    """Why nothing may be deleted now, because no version of it could be kept; "" where one is."""
    if state is FileState.UNREAD:
        return _(
            "Nothing was deleted: the content could not be read, so it could not be kept as a version. "
            "Try again in a minute."
        )
    if state is FileState.UNCONFIRMED:
        return _(
            "Nothing was deleted: an earlier save of this language is not confirmed yet. "
            "Try again when it is confirmed."
        )
    return ""


@dataclass(frozen=True)
class JobRow:
    """One job of AI content."""

    id: str
    title: str
    word: str
    shape: str
    steps: tuple[str, str, str]
    language: str
    note: str
    open: str
    """Where the content is, once the job has finished."""


@dataclass(frozen=True)
class JobsPart:
    """templates/ai_content/_generation.html, polled while a job is under way."""

    rows: tuple[JobRow, ...]
    trouble: str
    address: str
    version: str
    polls: bool
    page: str


def build_jobs_part(video_id: str, jobs: Iterable[Job] | None, error: CallError | None, *, is_open: bool) -> JobsPart:
    """The jobs of AI content of a video, newest first; None: they were not read. `is_open`: an order is not confirmed."""
    listed = [job for job in jobs or () if inventory.is_content_job(job)]
    listed.sort(key=lambda job: job.created_at.timestamp() if job.created_at else 0.0, reverse=True)
    trouble = ""
    if jobs is None:
        trouble = refusals.explain(error, reading=True).sentence if error else _("The platform is still answering.")
    return JobsPart(
        rows=tuple(map(_build_row, listed)),
        trouble=trouble,
        address=address("ai_content:generation", video_id),
        version="-".join([*(f"{job.id}.{job.status}" for job in listed), str(is_open), trouble[:8]]),
        polls=is_open or jobs is None or any(map(inventory.is_active, listed)),
        page=address("ai_content:generate", video_id),
    )


def _build_row(job: Job) -> JobRow:
    lang = job.from_lang or job.to_lang or ""
    is_finished = job.status == JobStatus.FINISHED
    return JobRow(
        id=f"ai-job-{job.id}",
        title=_format_title(job),
        word=str(WORDS.get(job.status, job.status)),
        shape=SHAPES.get(job.status, "unknown"),
        steps=STEPS.get(job.status, ("done", "done", "done")),
        language=formats.language_name(lang) if lang else "",
        note=_format_note(job),
        open=address("ai_content:language", job.video_id, lang) if is_finished and lang else "",
    )


def _format_title(job: Job) -> str:
    """The kinds that it makes, where it tells them."""
    resources = job.metadata.get("resources")
    kinds = [str(kind) for kind in AiKind if isinstance(resources, list) and str(kind) in resources]
    if kinds:
        return ", ".join(map(messages.get_block_name, kinds))
    return _("AI content") if job.type == ALL_TEXT_ITEMS else job.type


def _format_note(job: Job) -> str:
    reason = job.metadata.get("reason")
    sent = _("Requested %(when)s.") % {"when": formats.ago(job.created_at)} if job.created_at else ""
    why = _("The platform says: “%(words)s”.") % {"words": reason} if isinstance(reason, str) and reason else ""
    return f"{sent} {why}".strip()

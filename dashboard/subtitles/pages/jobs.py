"""Rows of lists of jobs: what is known about each, and what can be done about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, JOB_FINAL, JobStatus, JobType, Tier
from dashboard.subtitles import messages, rules, tracking
from dashboard.subtitles.forms import LibraryFilter, PlanRequest
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages.coverage import page_of
from dashboard.subtitles.rules import Order
from dashboard.subtitles.tracking import Status

STEPS: Final[dict[str, tuple[str, str, str]]] = {
    Status.WAITING: ("now", "", ""),
    Status.SENDING: ("now", "", ""),
    Status.UNCONFIRMED: ("now", "", ""),
    Status.QUEUE: ("now", "", ""),
    Status.RUNNING: ("done", "now", ""),
    Status.FINISHED: ("done", "done", "done"),
    Status.ERROR: ("done", "done", "done"),
    Status.SKIPPED: ("done", "done", "done"),
}
"""The three steps of the track: waiting, running, ended."""


@dataclass(frozen=True, slots=True)
class Action:
    """What can be done about a job. `about` completes its name for readers who do not see the row."""

    words: str
    href: str
    about: str


@dataclass(frozen=True, slots=True)
class JobView:
    """templates/subtitles/_job.html: one row of a list of jobs."""

    id: str
    look: str
    shape: str
    word: str
    title: str
    source: str
    target: str
    steps: tuple[str, str, str]
    note: str
    actions: tuple[Action, ...] = ()


def cell_row(cell: PlannedCell, batch: Batch) -> JobView:
    """A cell of a batch as a row."""
    look, shape = messages.find_look(cell.status)
    return JobView(
        id=f"w-{cell.pk}",
        look=look,
        shape=shape,
        word=messages.status_word(cell.status),
        title=cell.title,
        source="" if cell.kind == tracking.CellKind.TRANSCRIPTION else batch.from_lang,
        target=messages.language(cell.lang),
        steps=STEPS.get(cell.status, ("done", "now", "") if tracking.is_open(cell.status) else ("", "", "")),
        note=format_note(cell),
        actions=actions(cell, batch),
    )


def format_note(cell: PlannedCell) -> str:
    """The progress of a cell in words, with the times and reasons that are known."""
    at = {
        "sent": messages.when(cell.sending_at) if cell.sending_at else "",
        "started": messages.when(cell.started_at) if cell.started_at else "",
        "ended": messages.when(cell.ended_at) if cell.ended_at else "",
    }
    match cell.status:
        case Status.QUEUE:
            return _("Waiting since %(sent)s") % at
        case Status.WAITING:
            return _("Waiting for the transcription")
        case Status.RUNNING:
            return _("Running since about %(started)s") % at if cell.started_at else _("Running, sent: %(sent)s") % at
        case Status.FINISHED:
            return _("Sent: %(sent)s, finished by %(ended)s") % at if cell.ended_at else _("Finished")
        case Status.ERROR | Status.SKIPPED:
            ended = _("Ended by %(ended)s.") % at if cell.ended_at else ""
            return f"{ended} {why_ended(cell.reason)}".strip()
        case Status.UNCONFIRMED:
            return _("The platform didn't answer. We keep checking automatically.")
        case Status.MISSING:
            return _("The platform didn't answer and has no such job. You can plan it again.")
        case Status.SENDING:
            return _("Sending")
        case Status.PLANNED:
            return explain_reason(cell.reason)
        case Status.HELD:
            return _("Not sent: someone else was sending the same job.")
        case Status.DROPPED:
            return messages.reason(cell.reason)
        case Status.REFUSED:
            return explain_reason(cell.reason)
    return _("The platform says: “%(words)s”.") % {"words": cell.status}


def why_ended(reason: str) -> str:
    """The platform's reason as it came, or that it gave none."""
    if reason == Status.WAITING:
        return _("The transcription it needs did not finish.")
    return _("The platform says: “%(words)s”.") % {"words": reason} if reason else _("No reason was given.")


def explain_reason(reason: str) -> str:
    """A kept error as a sentence: `Refused|the platform's words`."""
    if not reason:
        return ""
    kind, _bar, words_of_platform = reason.partition("|")
    return messages.explain(messages.kept_error(kind, words_of_platform), "").whole


def actions(cell: PlannedCell, batch: Batch) -> tuple[Action, ...]:
    """What can be done about a cell that has ended or has not left."""
    about = f"{cell.title}, {messages.language(cell.lang)}"
    page = page_of(cell.video_id, cell.lang)
    match cell.status:
        case Status.FINISHED:
            return (Action(pgettext("subtitles", "Read"), page, about),)
        case Status.SKIPPED | Status.DROPPED:
            return (Action(_("Open subtitles"), page, about), Action(_("Plan again"), again([cell], batch), about))
        case Status.ERROR | Status.REFUSED | Status.MISSING | Status.HELD:
            return (Action(_("Plan again"), again([cell], batch), about),)
    return ()


def again(cells: Iterable[PlannedCell], batch: Batch) -> str:
    """The planner with exactly these cells planned; extra languages of a transcription become translations of it."""
    planned = list(cells)
    cell_keys = frozenset((cell.video_id, cell.lang) for cell in planned)
    kind, source = batch.type, batch.from_lang
    if planned and all(cell.kind == tracking.CellKind.EXTRA for cell in planned):
        kind = JobType.TRANSLATION
        source = "" if source == AUTO_LANGUAGE else source
    plan_request = PlanRequest(LibraryFilter(), Order(kind, batch.tier, source), rules.CellChoice(also=cell_keys))
    return f"{reverse('subtitles:subtitles')}?{plan_request.query()}"


def upstream_row(job: Job, title: str, *, here: bool = False) -> JobView:
    """A job as the platform lists it, whoever sent it. `here`: on the page of its subtitles, which needs no way there."""
    look, shape = messages.find_look(job.status)
    lang = rules.language_of(job)
    subtitles = job.type in set(JobType)
    ended = job.status in JOB_FINAL
    sent = _("Sent: %(sent)s.") % {"sent": messages.when(job.created_at)} if job.created_at else ""
    kinds = {JobType.TRANSCRIPTION.value: _("Transcription"), JobType.TRANSLATION.value: _("Translation")}
    return JobView(
        id=f"j-{job.id}",
        look=look,
        shape=shape,
        word=messages.status_word(job.status),
        title=kinds.get(job.type, job.type),
        source="" if job.type == JobType.TRANSCRIPTION else job.from_lang,
        target=messages.language(lang) if lang else "",
        steps=STEPS.get(job.status, ("done", "done", "done") if ended else ("done", "now", "")),
        note=f"{sent} {_upstream_reason(job)}".strip(),
        actions=_upstream_actions(job, lang, title) if subtitles and not here else (),
    )


def _upstream_reason(job: Job) -> str:
    if job.status in (JobStatus.ERROR, JobStatus.SKIPPED):
        platform_reason = job.metadata.get("reason")
        return why_ended(platform_reason if isinstance(platform_reason, str) else "")
    return "" if job.status in set(JobStatus) else _("The platform says: “%(words)s”.") % {"words": job.status}


def _upstream_actions(job: Job, lang: str, title: str) -> tuple[Action, ...]:
    about = f"{title}, {messages.language(lang)}"
    if job.status == JobStatus.FINISHED and lang != AUTO_LANGUAGE:
        return (Action(pgettext("subtitles", "Read"), page_of(job.video_id, lang), about),)
    if job.status not in (JobStatus.ERROR, JobStatus.SKIPPED):
        return ()
    plan_request = PlanRequest(
        LibraryFilter(),
        Order(job.type, Tier.PRO, job.from_lang),
        rules.CellChoice(also=frozenset({(job.video_id, lang)})),
    )
    return (Action(_("Plan again"), f"{reverse('subtitles:subtitles')}?{plan_request.query()}", about),)

"""Rows of lists of jobs, and the batches that they were sent in: what is known about each, and what can be done about it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, JOB_FINAL, JobStatus, JobType, Tier
from dashboard.shared import formats
from dashboard.subtitles import messages, rules
from dashboard.subtitles.forms import PlanRequest
from dashboard.subtitles.messages import StateView
from dashboard.subtitles.models import Batch, PlannedCell, page_of
from dashboard.subtitles.rules import BatchTally, CellChoice, CellKind, Order, Status

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
JOB_FILTERS: Final[dict[str, tuple[Any, frozenset[str]]]] = {
    "queue": (
        pgettext_lazy("subtitles", "In queue"),
        frozenset({Status.QUEUE, Status.WAITING, Status.SENDING, Status.UNCONFIRMED}),
    ),
    "running": (pgettext_lazy("subtitles", "Running"), frozenset({Status.RUNNING})),
    "finished": (pgettext_lazy("subtitles", "Finished"), frozenset({Status.FINISHED})),
    "error": (pgettext_lazy("subtitles", "Error"), frozenset({Status.ERROR, Status.REFUSED, Status.MISSING})),
    "skipped": (pgettext_lazy("subtitles", "Skipped"), frozenset({Status.SKIPPED, Status.DROPPED, Status.HELD})),
}
"""The filters of the list of jobs by their word in the address: label and statuses."""
GROUP_ROWS: Final = 8
"""Rows of a batch in a list of batches; open cells are always shown."""


@dataclass(frozen=True, slots=True)
class JobView:
    """templates/subtitles/_job.html: one row of a list of jobs, of a cell that was sent from here or as the platform lists it.

    `actions`: words and address of what can be done; `about` completes their names for readers who do not see the row.
    """

    id: str
    state: StateView
    title: str
    source: str
    target: str
    steps: tuple[str, str, str]
    note: str
    about: str
    actions: Sequence[tuple[str, str]] = ()


def cell_row(cell: PlannedCell, batch: Batch) -> JobView:
    """A cell of a batch as a row."""
    return JobView(
        id=f"w-{cell.pk}",
        state=cell.state,
        title=cell.title,
        source="" if cell.kind == CellKind.TRANSCRIPTION else batch.from_lang,
        target=cell.language,
        steps=STEPS.get(cell.status, ("done", "now", "") if rules.is_open(cell.status) else ("", "", "")),
        note=format_note(cell),
        about=f"{cell.title}, {cell.language}",
        actions=_list_actions(cell, batch),
    )


def format_note(cell: PlannedCell) -> str:
    """The progress of a cell in words, with the times and reasons that are known."""
    at = {
        "sent": formats.moment_or_time(cell.sending_at) if cell.sending_at else "",
        "started": formats.moment_or_time(cell.started_at) if cell.started_at else "",
        "ended": formats.moment_or_time(cell.ended_at) if cell.ended_at else "",
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
            return f"{ended} {_explain_end(cell.reason)}".strip()
        case Status.UNCONFIRMED:
            return _("The platform didn't answer. We keep checking automatically.")
        case Status.MISSING:
            return _("The platform didn't answer and has no such job. You can plan it again.")
        case Status.SENDING:
            return _("Sending")
        case Status.PLANNED | Status.REFUSED:
            return explain_reason(cell.reason)
        case Status.HELD:
            return _("Not sent: someone else was sending the same job.")
        case Status.DROPPED:
            return messages.reason(cell.reason)
    return _("The platform says: “%(words)s”.") % {"words": cell.status}


def _explain_end(reason: str) -> str:
    """The platform's reason as it came, or that it gave none."""
    if reason == Status.WAITING:
        return _("The transcription it needs did not finish.")
    return _("The platform says: “%(words)s”.") % {"words": reason} if reason else _("No reason was given.")


def explain_reason(reason: str) -> str:
    """A kept error as a sentence: `Refused|the platform's words`."""
    if not reason:
        return ""
    kind, _bar, words_of_platform = reason.partition("|")
    return messages.explain(messages.kept_error(kind, words_of_platform)).whole


def _list_actions(cell: PlannedCell, batch: Batch) -> Sequence[tuple[str, str]]:
    """What can be done about a cell that has ended or has not left."""
    match cell.status:
        case Status.FINISHED:
            return ((pgettext("subtitles", "Read"), cell.page),)
        case Status.SKIPPED | Status.DROPPED:
            return ((_("Open subtitles"), cell.page), (_("Plan again"), again([cell], batch)))
        case Status.ERROR | Status.REFUSED | Status.MISSING | Status.HELD:
            return ((_("Plan again"), again([cell], batch)),)
    return ()


def again(cells: Sequence[PlannedCell], batch: Batch) -> str:
    """The planner with exactly these cells planned; extra languages of a transcription become translations of it."""
    kind, source = batch.type, batch.from_lang
    if cells and all(cell.kind == CellKind.EXTRA for cell in cells):
        kind = JobType.TRANSLATION
        source = "" if source == AUTO_LANGUAGE else source
    cell_keys = frozenset((cell.video_id, cell.lang) for cell in cells)
    return PlanRequest(Order(kind, batch.tier, source), CellChoice(also=cell_keys)).address


def upstream_row(job: Job, title: str, *, here: bool = False) -> JobView:
    """A job as the platform lists it, whoever sent it. `here`: on the page of its subtitles, which needs no way there."""
    lang = rules.language_of(job)
    ended = job.status in JOB_FINAL
    sent = _("Sent: %(sent)s.") % {"sent": formats.moment_or_time(job.created_at)} if job.created_at else ""
    kinds = {JobType.TRANSCRIPTION.value: _("Transcription"), JobType.TRANSLATION.value: _("Translation")}
    return JobView(
        id=f"j-{job.id}",
        state=messages.view_state(job.status),
        title=kinds.get(job.type, job.type),
        source="" if job.type == JobType.TRANSCRIPTION else job.from_lang,
        target=messages.language(lang) if lang else "",
        steps=STEPS.get(job.status, ("done", "done", "done") if ended else ("done", "now", "")),
        note=f"{sent} {_explain_upstream(job)}".strip(),
        about=f"{title}, {messages.language(lang)}",
        actions=_list_upstream_actions(job, lang) if job.type in kinds and not here else (),
    )


def _explain_upstream(job: Job) -> str:
    if job.status in (JobStatus.ERROR, JobStatus.SKIPPED):
        platform_reason = job.metadata.get("reason")
        return _explain_end(platform_reason if isinstance(platform_reason, str) else "")
    return "" if job.status in set(JobStatus) else _("The platform says: “%(words)s”.") % {"words": job.status}


def _list_upstream_actions(job: Job, lang: str) -> Sequence[tuple[str, str]]:
    if job.status == JobStatus.FINISHED and lang != AUTO_LANGUAGE:
        return ((pgettext("subtitles", "Read"), page_of(job.video_id, lang)),)
    if job.status not in (JobStatus.ERROR, JobStatus.SKIPPED):
        return ()
    choice = CellChoice(also=frozenset({(job.video_id, lang)}))
    return ((_("Plan again"), PlanRequest(Order(job.type, Tier.PRO, job.from_lang), choice).address),)


@dataclass(frozen=True, slots=True)
class BatchHead:
    """A batch that was sent, with what its cells say together: what it makes, when and by whom it was sent, its counts."""

    batch: Batch
    title: str
    summary: str
    tally: BatchTally

    @property
    def rest(self) -> str:
        """How many cells are not confirmed, not sent, and still to send."""
        doubtful, unsent, planned = self.tally.doubtful, self.tally.unsent, self.tally.planned
        parts = (
            (doubtful, ngettext("%(count)s not confirmed", "%(count)s not confirmed", doubtful)),
            (unsent, ngettext("%(count)s not sent", "%(count)s not sent", unsent)),
            (planned, ngettext("%(count)s still to send", "%(count)s still to send", planned)),
        )
        return ", ".join(words % {"count": count} for count, words in parts if count)


@dataclass(frozen=True, slots=True)
class BatchGroup:
    """A batch with rows of a list. `more`: how many there are, where these are not all."""

    head: BatchHead
    jobs: Sequence[JobView]
    more: int = 0


def build_head(batch: Batch, cells: Iterable[PlannedCell], actor: str) -> BatchHead:
    """What a batch is, in one line, and its progress, as `actor` reads it."""
    planned = list(cells)
    titles = list(dict.fromkeys(cell.title for cell in planned))
    label = batch.label or "".join(titles[:1])
    if not batch.label and (more := len(titles) - 1) > 0:
        words = ngettext("%(title)s and %(count)s more", "%(title)s and %(count)s more", more)
        label = words % {"title": titles[0], "count": more}
    codes = dict.fromkeys(cell.lang for cell in planned)
    languages = ", ".join(_("detected") if code == AUTO_LANGUAGE else code for code in codes)
    return BatchHead(
        batch,
        title=_("%(label)s to %(languages)s") % {"label": label, "languages": languages},
        summary=messages.sent_when(
            batch.sent_at or batch.created_at, batch.actor, batch.tier_name, is_mine=batch.actor == actor
        ),
        tally=rules.tally(cell.status for cell in planned),
    )


def build_group(batch: Batch, cells: Sequence[PlannedCell], actor: str) -> BatchGroup:
    """A batch with its open cells first, and as many others as `GROUP_ROWS` leaves room for."""
    rows = sorted(cells, key=lambda cell: (not rules.is_open(cell.status), cell.position))
    most = max(GROUP_ROWS, sum(rules.is_open(cell.status) for cell in cells))
    jobs = tuple(cell_row(cell, batch) for cell in rows[:most])
    return BatchGroup(build_head(batch, cells, actor), jobs, len(rows) if len(rows) > most else 0)

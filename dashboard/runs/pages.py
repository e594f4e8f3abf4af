"""What the pages of runs show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.overview.registry import Moving
from dashboard.runs import messages
from dashboard.runs.models import EVERYTHING, Run, RunEvent, RunItem, RunState
from dashboard.shared import formats
from dashboard.shared.addresses import address, video_address
from dashboard.shared.dry_run import DryRun
from dashboard.writes.run_actions import ItemState, RunAction, find_action

BAR: Final = 1000.0
"""Units of the bar's width."""
ROWS_MOST: Final = 50
"""Refused videos that the page lists; the export has all."""


@dataclass(frozen=True)
class RunCounts:
    """How many videos of a run are in each state. All of them add up to `total`."""

    done: int = 0
    refused: int = 0
    waiting: int = 0
    unconfirmed: int = 0
    planned: int = 0
    not_sent: int = 0

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "RunCounts":
        """The counts by `ItemState`."""
        return cls(**{state.value: counts.get(state, 0) for state in ItemState})

    @property
    def total(self) -> int:
        return self.done + self.refused + self.waiting + self.unconfirmed + self.planned + self.not_sent


@dataclass(frozen=True)
class Bar:
    """A drawn bar: widths of its parts, and the same in words."""

    done: str
    refused: str
    refused_at: str
    words: str


@dataclass(frozen=True)
class Sum:
    """One number under the bar. `look` and `shape` as in `css/components/job.css`."""

    look: str
    shape: str
    count: str
    word: str


@dataclass(frozen=True)
class RunLine:
    """One run in a list."""

    title: str
    address: str
    sentence: str
    done: str
    rest: str
    bar: Bar
    action: str
    """What the button says that leads to `address`."""


@dataclass(frozen=True)
class EndedRow:
    """A video that was refused or not sent. `step` is a verb that leads to `step_address`."""

    title: str
    address: str
    why: str
    step: str
    step_address: str


@dataclass(frozen=True)
class EndedVideos:
    """templates/runs/_ended.html. `named`: what its identifiers begin with; `count`: all, also those that are no row."""

    named: str
    heading: str
    count: str
    rows: tuple[EndedRow, ...]


@dataclass(frozen=True)
class EventRow:
    """What happened, and when."""

    time: str
    moment: str
    sentence: str


@dataclass(frozen=True)
class RunPart:
    """templates/runs/_run.html: what changes while a run goes on. `version` names this state of it."""

    id: str
    title: str
    document_title: str
    figure: str
    figure_word: str
    bar: Bar
    sums: tuple[Sum, ...]
    note: str
    warning: str
    can_pause: bool
    can_resume: bool
    retry_words: str
    can_dismiss: bool
    """Whether the overview names it, because videos were refused."""
    is_dismissed: bool
    again_words: str
    refused: EndedVideos | None
    not_sent: EndedVideos | None
    more: str
    events: tuple[EventRow, ...]
    layout: str
    version: str
    is_moving: bool


@dataclass(frozen=True)
class RunPage:
    """templates/runs/run.html."""

    meta: str
    search: str
    part: RunPart
    others: tuple[RunLine, ...]


@dataclass(frozen=True)
class CheckPage:
    """templates/runs/check.html: a run that was not started."""

    id: str
    title: str
    meta: str
    back: str
    sentence: str
    start_words: str
    uses_credits: bool
    warning: str
    dry_run: DryRun | None
    others_words: str
    rejected: EndedVideos | None
    more: str


@dataclass(frozen=True)
class RunsPage:
    """templates/runs/runs.html."""

    reading: RunLine | None
    lines: tuple[RunLine, ...]
    previous: str
    next: str


def format_title(run: Run) -> str:
    """What the run is called, in the reader's language."""
    action = find_action(run.action)
    return action.format_title(run.options) if action else run.title


def build_line(run: Run, counts: RunCounts) -> RunLine:
    """A run in a list."""
    done = _("%(done)s of %(total)s finished") % _numbers(counts)
    return RunLine(
        title=format_title(run),
        address=address("runs:run", run.pk),
        sentence=messages.format_state(run),
        done=done,
        rest=", ".join(_rest(counts)),
        bar=_build_bar(counts),
        action=_("Open run"),
    )


def build_reading_line(reading: Moving) -> RunLine:
    """The first reading of the library, as a row above the runs."""
    done = f"{BAR * reading.done / max(reading.total, 1):.1f}"
    bar = Bar(done=done, refused="0", refused_at=done, words=reading.sentence)
    sentence = reading.sentence.rstrip(".")
    return RunLine(reading.title, reading.address, reading.note, sentence, "", bar, _("Open videos"))


def _numbers(counts: RunCounts) -> dict[str, str]:
    return {"done": formats.number(counts.done), "total": formats.number(counts.total)}


def _rest(counts: RunCounts) -> list[str]:
    return [
        sentence % {"count": formats.number(count)}
        for count, sentence in (
            (counts.refused, ngettext("%(count)s refused", "%(count)s refused", counts.refused)),
            (counts.unconfirmed, ngettext("%(count)s not confirmed", "%(count)s not confirmed", counts.unconfirmed)),
            (counts.not_sent, ngettext("%(count)s not sent", "%(count)s not sent", counts.not_sent)),
        )
        if count
    ]


def _build_bar(counts: RunCounts) -> Bar:
    unit = BAR / max(counts.total, 1)
    waiting = counts.waiting + counts.planned
    words = [
        _("%(done)s of %(total)s finished") % _numbers(counts),
        *_rest(counts),
        *([_("%(count)s waiting") % {"count": formats.number(waiting)}] if waiting else []),
    ]
    return Bar(
        done=f"{counts.done * unit:.1f}",
        refused=f"{counts.refused * unit:.1f}",
        refused_at=f"{counts.done * unit:.1f}",
        words=", ".join(words),
    )


def _build_sums(counts: RunCounts) -> tuple[Sum, ...]:
    sums = (
        ("is-finished", "finished", counts.done, ngettext("finished", "finished", counts.done)),
        ("is-error", "error", counts.refused, ngettext("refused", "refused", counts.refused)),
        ("is-running", "running", counts.waiting, _("waiting on the platform")),
        ("is-error", "warning", counts.unconfirmed, ngettext("not confirmed", "not confirmed", counts.unconfirmed)),
        ("is-queue", "queue", counts.planned, _("waiting to be sent")),
        ("is-skipped", "skipped", counts.not_sent, pgettext("videos", "not sent")),
    )
    return tuple(Sum(look, shape, formats.number(count), word) for look, shape, count, word in sums if count)


def build_run_page(
    run: Run, action: RunAction, counts: RunCounts, items: Sequence[RunItem], others: Iterable[RunLine]
) -> RunPage:
    """The page of a run that was started."""
    return RunPage(
        meta=messages.format_origin(run, counts.total),
        search=_build_search(run),
        part=build_part(run, action, counts, items),
        others=tuple(others),
    )


def build_part(run: Run, action: RunAction, counts: RunCounts, items: Sequence[RunItem]) -> RunPart:
    """What changes while a run goes on. `items` are those that were refused or not sent."""
    rows = list(zip(items, _build_rows(run, action, items), strict=True))
    refused = [row for item, row in rows if item.state == ItemState.REFUSED]
    not_sent = [row for item, row in rows if item.state == ItemState.NOT_SENT]
    hidden = counts.refused + counts.not_sent - len(items)
    figure = _("%(done)s of %(total)s") % _numbers(counts)
    events = list(run.events.all()[: messages.EVENTS_MOST])
    return RunPart(
        id=str(run.pk),
        title=action.format_title(run.options),
        document_title=f"{figure}, {action.format_title(run.options)}",
        figure=figure,
        figure_word=ngettext("finished", "finished", counts.total),
        bar=_build_bar(counts),
        sums=_build_sums(counts),
        note=messages.format_note(run),
        warning=messages.format_warning(run),
        can_pause=run.state == RunState.RUNNING and bool(counts.planned),
        can_resume=run.state == RunState.PAUSED,
        retry_words=messages.format_retry(counts.refused),
        can_dismiss=run.state == RunState.FINISHED and bool(counts.refused) and run.dismissed_at is None,
        is_dismissed=run.dismissed_at is not None,
        again_words=messages.format_check_again(counts.not_sent),
        refused=_build_ended("refused", _("Refused"), counts.refused, refused),
        not_sent=_build_ended("not-sent", _("Not sent"), counts.not_sent, not_sent),
        more=messages.format_more(hidden),
        events=tuple(_build_event(event) for event in events),
        layout="columns columns--wide-start" if items else "stack",
        version=build_version(run, counts),
        is_moving=run.state == RunState.RUNNING or bool(counts.waiting + counts.unconfirmed),
    )


def build_version(run: Run, counts: RunCounts) -> str:
    """What is another word whenever the part shows something else."""
    numbers = (counts.done, counts.refused, counts.waiting, counts.unconfirmed, counts.planned, counts.not_sent)
    last_event = run.events.values_list("pk", flat=True).first()
    return ".".join(str(part) for part in (run.state, *numbers, last_event or 0))


def _build_ended(named: str, heading: str, count: int, rows: Sequence[EndedRow]) -> EndedVideos | None:
    return EndedVideos(named, heading, formats.number(count), tuple(rows)) if rows else None


def _build_rows(run: Run, action: RunAction, items: Sequence[RunItem]) -> list[EndedRow]:
    steps = action.list_next_steps(run.order(), [(item.as_target(), item.reason) for item in items])
    sentences = _explain(items, action)
    return [
        EndedRow(
            title=item.title or item.video_id,
            address=video_address(item.video_id),
            why=sentences[item.video_id],
            step=step,
            step_address=step_address,
        )
        for item in items
        for step, step_address in [steps.get(item.video_id, ("", ""))]
    ]


def _explain(items: Iterable[RunItem], action: RunAction) -> dict[str, str]:
    """Why videos were refused or not sent, by id."""
    listed = [item for item in items if item.state in (ItemState.REFUSED, ItemState.NOT_SENT)]
    ends = action.explain_ends([item.as_target() for item in listed if not item.reason])
    return ends | {item.video_id: action.explain(item.reason) for item in listed if item.reason}


def _build_event(event: RunEvent) -> EventRow:
    return EventRow(
        time=formats.moment_or_time(event.at), moment=event.at.isoformat(), sentence=messages.format_event(event)
    )


def build_check_page(
    run: Run, action: RunAction, counts: RunCounts, items: Sequence[RunItem], request: DryRun | None
) -> CheckPage:
    """The check of a run before it starts."""
    possible = {"count": formats.number(counts.planned), "total": formats.number(counts.total)}
    return CheckPage(
        id=str(run.pk),
        title=action.format_title(run.options),
        meta=messages.format_origin(run, counts.total),
        back=_build_search(run) or address("videos:videos"),
        sentence=ngettext(
            "%(count)s of %(total)s video can be sent.", "%(count)s of %(total)s videos can be sent.", counts.total
        )
        % possible,
        start_words=ngettext("Start run with %(count)s video", "Start run with %(count)s videos", counts.planned)
        % possible
        if counts.planned
        else "",
        uses_credits=action.uses_credits and bool(counts.planned),
        warning=action.format_warning(run.options) if counts.planned else "",
        dry_run=request,
        others_words=messages.format_others(-(-counts.planned // action.size) - 1),
        rejected=_build_ended("rejected", _("Not included"), counts.not_sent, _build_rows(run, action, items)),
        more=messages.format_more(counts.not_sent - len(items)),
    )


def _build_search(run: Run) -> str:
    """The address of the list that the videos were chosen from; "" where they were chosen one by one."""
    return address("videos:videos", q="" if run.query == EVERYTHING else run.query) if run.query else ""


def build_results(items: Sequence[RunItem], action: RunAction) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the exported result."""
    heads = [_("Video"), _("Id"), _("Result"), _("Why"), _("Ended")]
    sentences = _explain(items, action)
    rows = [
        [
            item.title,
            item.video_id,
            messages.format_item_state(ItemState(item.state)),
            sentences.get(item.video_id, ""),
            (item.ended_at.isoformat(timespec="seconds") if item.ended_at else ""),
        ]
        for item in items
    ]
    return heads, rows

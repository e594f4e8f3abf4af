"""What the pages of runs show: sentences about them, their numbers, and what a running one changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.overview.registry import Moving
from dashboard.platform_api import errors
from dashboard.runs.models import ALL_REFUSED, EVERYTHING, Run, RunEvent, RunItem, RunState
from dashboard.runs.sending import GROUP
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.writes.failures import RESTORED, ParentTokenHeld
from dashboard.writes.run_actions import ItemState, RunAction, find_action

EVENTS_MOST: Final = 30
"""Events that the page of a run lists."""
PAUSES: Final = (errors.RateLimited.__name__, errors.OverBudget.__name__)


def format_state(run: Run) -> str:
    """Where a run stands."""
    match run.state:
        case RunState.CHECKED:
            return _("Checked, not started")
        case RunState.PAUSED:
            return _("Paused %(when)s") % {"when": formats.ago(run.changed_at)}
        case RunState.FINISHED if run.finished_at:
            return _("Finished %(when)s") % {"when": formats.ago(run.finished_at)}
        case _:
            return format_wait(run) or _("In progress")


def format_wait(run: Run) -> str:
    """Why and until when a run waits; "" where it does not."""
    if run.state != RunState.RUNNING or not run.reason or run.due_at is None:
        return ""
    time = formats.time_of_day(run.due_at)
    if run.reason in PAUSES:
        return _("Too many requests. Continues at %(time)s.") % {"time": time}
    return _("The platform didn't answer. Continues at %(time)s.") % {"time": time}


def format_origin(run: Run, total: int) -> str:
    """Which videos, when, and who."""
    values = {"count": formats.number(total), "when": formats.moment(run.created_at), "actor": run.actor}
    if run.query:
        return (
            ngettext(
                "%(count)s video from a search, as it was on %(when)s. Created by %(actor)s.",
                "%(count)s videos from a search, as they were on %(when)s. Created by %(actor)s.",
                total,
            )
            % values
        )
    return (
        ngettext(
            "%(count)s selected video. Created on %(when)s by %(actor)s.",
            "%(count)s selected videos. Created on %(when)s by %(actor)s.",
            total,
        )
        % values
    )


def format_note(run: Run) -> str:
    """How it goes on."""
    action = find_action(run.action)
    if run.state == RunState.RUNNING and action is not None and action.size > 1:
        sentence = _("You can close this page: the run continues. Up to %(count)s videos are sent in one request.")
        return sentence % {"count": formats.number(action.size)}
    if run.state == RunState.RUNNING:
        return _(
            "You can close this page: the run continues. Videos are sent one after the other, in groups of %(count)s."
        ) % {"count": formats.number(GROUP)}
    if run.state == RunState.PAUSED:
        return _("Nothing is sent while the run is paused. What was sent before goes on.")
    return ""


def format_warning(run: Run) -> str:
    """What a person has to know or do; "" where there is nothing."""
    if run.state == RunState.RUNNING:
        return format_wait(run)
    if run.state != RunState.PAUSED or not run.reason:
        return ""
    if run.reason == ALL_REFUSED:
        stopped = run.events.filter(kind=RunEvent.Kind.PAUSED).first()
        return _("Paused: the platform refused %(count)s videos in a row. See why below before you continue.") % {
            "count": formats.number(stopped.data.get("count", GROUP) if stopped else GROUP)
        }
    if run.reason == RESTORED:
        return _(
            "Paused: Reelroom was restored from a backup. Some of these videos may have been sent after the backup. Check "
            "on the platform before you continue, or they are sent twice."
        )
    if run.reason == ParentTokenHeld.__name__:
        return _(
            "Paused: the platform refused the parent account's token. Connect the parent account again, then continue."
        )
    return _("Paused: the platform refused the account's token. Sign in again with a valid token, then continue.")


def format_item_state(state: ItemState) -> str:
    """The state of one video in a word."""
    return {
        ItemState.PLANNED: _("Waiting to be sent"),
        ItemState.WAITING: _("Waiting on the platform"),
        ItemState.UNCONFIRMED: _("Not confirmed"),
        ItemState.NOT_SENT: _("Not sent"),
        ItemState.DONE: _("Finished"),
        ItemState.REFUSED: _("Refused"),
    }[state]


def format_event(event: RunEvent) -> str:
    """What happened."""
    values = {name: formats.number(value) for name, value in event.data.items() if isinstance(value, int)}
    values["actor"] = event.actor
    match event.kind:
        case RunEvent.Kind.CHECKED:
            total = event.data["total"]
            words = ngettext(
                "Checked %(total)s video: %(possible)s can be sent",
                "Checked %(total)s videos: %(possible)s can be sent",
                total,
            )
            return words % values
        case RunEvent.Kind.STARTED:
            return _("Started by %(actor)s") % values
        case RunEvent.Kind.SENT:
            return _format_sent(event, values)
        case RunEvent.Kind.WAITED:
            return _format_waited(event)
        case RunEvent.Kind.PAUSED:
            return _("Paused by %(actor)s") % values if event.actor else _("Paused automatically")
        case RunEvent.Kind.CONTINUED:
            return _("Continued by %(actor)s") % values
        case RunEvent.Kind.DISMISSED:
            return _("Removed from the overview by %(actor)s") % values
        case RunEvent.Kind.RESTORED:
            return _("Put back on the overview by %(actor)s") % values
        case RunEvent.Kind.RETRIED:
            words = ngettext(
                "Planned %(count)s video again, by %(actor)s",
                "Planned %(count)s videos again, by %(actor)s",
                event.data["count"],
            )
            return words % values
        case _:
            return _("Finished")


def _format_sent(event: RunEvent, values: dict[str, str]) -> str:
    if event.data.get("split"):
        return _format_split(event, values)
    words = ngettext("Sent %(count)s video", "Sent %(count)s videos", event.data["count"]) % values
    if not event.data.get("refused"):
        return words
    refused = ngettext("%(refused)s was refused", "%(refused)s were refused", event.data["refused"]) % values
    quoted = f": “{event.data['message']}”" if event.data.get("message") else ""
    return f"{words}; {refused}{quoted}"


def _format_split(event: RunEvent, values: dict[str, str]) -> str:
    """Of a request that was refused because of one of its videos."""
    refused = _("A request for %(count)s videos was refused") % values
    quoted = f": “{event.data['message']}”" if event.data["message"] else ""
    return f"{refused}{quoted}. " + _("They are sent again in smaller requests.")


def _format_waited(event: RunEvent) -> str:
    time = {"time": formats.time_of_day(datetime.fromisoformat(event.data["until"]))}
    if event.data["reason"] in PAUSES:
        return _("Waited until %(time)s: too many requests") % time
    return _("Waited until %(time)s: the platform didn't answer") % time


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
class RunLine:
    """One run in a list. `action`: what the button says that leads to `address`."""

    title: str
    address: str
    sentence: str
    done: str
    rest: str
    bar: Bar
    action: str


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
        sentence=format_state(run),
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
    return RunLine(
        reading.title, reading.address, sentence=reading.note, done=sentence, rest="", bar=bar, action=_("Open videos")
    )


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


def _list_sums(counts: RunCounts) -> list[tuple[str, str, int, str]]:
    """The numbers under the bar: the look and the shape as in `css/components/job.css`, the count, and its word."""
    sums = (
        ("is-finished", "finished", counts.done, ngettext("finished", "finished", counts.done)),
        ("is-error", "error", counts.refused, ngettext("refused", "refused", counts.refused)),
        ("is-running", "running", counts.waiting, _("waiting on the platform")),
        ("is-error", "warning", counts.unconfirmed, ngettext("not confirmed", "not confirmed", counts.unconfirmed)),
        ("is-queue", "queue", counts.planned, _("waiting to be sent")),
        ("is-skipped", "skipped", counts.not_sent, pgettext("videos", "not sent")),
    )
    return [row for row in sums if row[2]]


def build_part(run: Run, action: RunAction, counts: RunCounts) -> dict[str, object]:
    """templates/runs/_run.html: what changes while a run goes on. `version` names this state of it."""
    ended = run.items.filter(state__in=(ItemState.REFUSED, ItemState.NOT_SENT)).select_related("write")
    items = list(ended.order_by("-state", "position")[:ROWS_MOST])
    rows = list_ended(run, action, items)
    return {
        "run": run,
        "title": action.format_title(run.options),
        "counts": counts,
        "bar": _build_bar(counts),
        "sums": _list_sums(counts),
        "note": format_note(run),
        "warning": format_warning(run),
        "can_pause": run.state == RunState.RUNNING and bool(counts.planned),
        "can_resume": run.state == RunState.PAUSED,
        "can_dismiss": run.state == RunState.FINISHED and bool(counts.refused) and run.dismissed_at is None,
        "refused": [row for row in rows if row[0].state == ItemState.REFUSED],
        "not_sent": [row for row in rows if row[0].state == ItemState.NOT_SENT],
        "hidden": counts.refused + counts.not_sent - len(items),
        "events": [(event, format_event(event)) for event in run.events.all()[:EVENTS_MOST]],
        "version": build_version(run, counts),
        "is_moving": run.state == RunState.RUNNING or bool(counts.waiting + counts.unconfirmed),
    }


def build_version(run: Run, counts: RunCounts) -> str:
    """What is another word whenever the part shows something else."""
    numbers = (counts.done, counts.refused, counts.waiting, counts.unconfirmed, counts.planned, counts.not_sent)
    last_event = run.events.values_list("pk", flat=True).first()
    return ".".join(str(part) for part in (run.state, *numbers, last_event or 0))


def list_ended(
    run: Run, action: RunAction, items: Sequence[RunItem]
) -> list[tuple[RunItem, str, tuple[str, str] | None]]:
    """Videos that were refused or not sent, each with why, and the verb and the address of the next step."""
    steps = action.list_next_steps(run.order(), [(item.as_target(), item.reason) for item in items])
    sentences = _explain(items, action)
    return [(item, sentences[item.video_id], steps.get(item.video_id)) for item in items]


def _explain(items: Iterable[RunItem], action: RunAction) -> dict[str, str]:
    """Why videos were refused or not sent, by id."""
    listed = [item for item in items if item.state in (ItemState.REFUSED, ItemState.NOT_SENT)]
    ends = action.explain_ends([item.as_target() for item in listed if not item.reason])
    return ends | {item.video_id: action.explain(item.reason) for item in listed if item.reason}


def build_search(run: Run) -> str:
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
            format_item_state(ItemState(item.state)),
            sentences.get(item.video_id, ""),
            (item.ended_at.isoformat(timespec="seconds") if item.ended_at else ""),
        ]
        for item in items
    ]
    return heads, rows

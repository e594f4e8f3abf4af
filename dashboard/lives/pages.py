"""What the templates of lives get: every decision is already a boolean or a sentence."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from dashboard.lives import rules, writes
from dashboard.lives.rules import Fact, Stage
from dashboard.lives.writes import Presses
from dashboard.platform_api.records.lives import Ingest, Live
from dashboard.shared import formats
from dashboard.shared.listing import Listing
from dashboard.upstream.single_records import Opened
from dashboard.writes.models import Write
from dashboard.writes.pages import OpenWrite, open_write

SHAPES = {
    Stage.SCHEDULED: "queue",
    Stage.UNSCHEDULED: "none",
    Stage.UNDATED: "none",
    Stage.WAITING: "running",
    Stage.LATE: "warning",
    Stage.UNCONFIRMED: "unknown",
    Stage.ACCEPTED: "unknown",
    Stage.ON_AIR: "active",
    Stage.FINISHING: "running",
    Stage.LINGERING: "warning",
    Stage.FINISH_UNCONFIRMED: "unknown",
    Stage.FINISH_ACCEPTED: "unknown",
    Stage.FINISHED: "finished",
    Stage.OTHER: "unknown",
}


def stage_words(stage: Stage, live: Live) -> str:
    """The stage as a word; a status nobody knows as it came."""
    return {
        Stage.SCHEDULED: _("Scheduled"),
        Stage.UNSCHEDULED: _("Not scheduled"),
        Stage.UNDATED: pgettext("live", "Offline"),
        Stage.WAITING: _("Waiting for the encoder"),
        Stage.LATE: _("Still waiting"),
        Stage.UNCONFIRMED: _("Not confirmed"),
        Stage.ACCEPTED: _("Start accepted"),
        Stage.ON_AIR: _("On air"),
        Stage.FINISHING: pgettext("live", "Finishing"),
        Stage.LINGERING: _("Still on air"),
        Stage.FINISH_UNCONFIRMED: _("Finish not confirmed"),
        Stage.FINISH_ACCEPTED: _("Finish accepted"),
        Stage.FINISHED: pgettext("live", "Finished"),
        Stage.OTHER: live.status or pgettext("live", "Unknown"),
    }[stage]


@dataclass(frozen=True)
class Row:
    """One live of the list."""

    address: str
    title: str
    stage: str
    shape: str
    when: str
    when_iso: str
    start: str


@dataclass(frozen=True)
class Chip:
    """One state of the filter."""

    words: str
    count: int
    address: str
    current: bool


@dataclass(frozen=True)
class LivesPage:
    """templates/lives/lives.html."""

    rows: tuple[Row, ...]
    chips: tuple[Chip, ...]
    trouble: str
    answer: str
    unlisted: bool


def lives_page(lives: list[tuple[Live, Stage]], chosen: str, listed: Listing[Live]) -> LivesPage:
    """`chosen` is the stage the address asks for, "" for all."""
    shown = [pair for pair in lives if not chosen or pair[1] == chosen]
    return LivesPage(
        rows=tuple(_row(live, stage) for live, stage in sorted(shown, key=_order)),
        chips=() if listed.trouble else _chips(lives, chosen),
        trouble=listed.trouble,
        answer=listed.answer,
        unlisted=listed.unlisted,
    )


def _order(pair: tuple[Live, Stage]) -> tuple[int, float]:
    """On air first, then what moves, then the nearest schedule, then the past."""
    live, stage = pair
    rank = _FIRST.index(stage) if stage in _FIRST else len(_FIRST)
    at = live.scheduled_at or live.created_at
    return rank, (at.timestamp() if at else 0.0) * (1 if rank < len(_FIRST) else -1)


_FIRST = (
    Stage.ON_AIR,
    Stage.LINGERING,
    Stage.FINISH_UNCONFIRMED,
    Stage.FINISHING,
    Stage.LATE,
    Stage.WAITING,
    Stage.UNCONFIRMED,
    Stage.SCHEDULED,
)


def _chips(lives: list[tuple[Live, Stage]], chosen: str) -> tuple[Chip, ...]:
    counts: dict[Stage, int] = {}
    for _live, stage in lives:
        counts[stage] = counts.get(stage, 0) + 1
    base = reverse("lives:lives")
    chips = [Chip(_("All"), len(lives), base, not chosen)]
    for stage in Stage:
        if stage in counts and stage is not Stage.OTHER:
            example = next(live for live, found in lives if found is stage)
            chips.append(Chip(stage_words(stage, example), counts[stage], f"{base}?state={stage}", chosen == stage))
    return tuple(chips)


def _row(live: Live, stage: Stage) -> Row:
    return Row(
        address=reverse("lives:live", args=[live.id]),
        title=live.title or live.id,
        stage=stage_words(stage, live),
        shape=SHAPES[stage],
        when=formats.moment(live.scheduled_at, "medium") if live.scheduled_at else "",
        when_iso=live.scheduled_at.isoformat() if live.scheduled_at else "",
        start=reverse("lives:start", args=[live.id])
        if rules.may_start(live) and stage not in rules.AFTER_FINISH
        else "",
    )


@dataclass(frozen=True)
class Check:
    """What is known before something is sent, and its look."""

    words: str
    look: str


@dataclass(frozen=True)
class StartPage:
    """templates/lives/start.html."""

    title: str
    back: str
    action: str
    checks: tuple[Check, ...]
    allowed: bool
    advice: str
    scheduled: str
    seen: str
    """The last start that was sent, as far as this page knows: a form that comes again knows an older one."""


def start_page(live: Live, stage: Stage, last: Write | None = None) -> StartPage:
    """The preflight: what is known to be right, and what only the platform can tell. `last`: the last start that was sent."""
    offline, scheduled = rules.is_offline(live), rules.is_scheduled(live)
    trial = _("The account is not in trial: the platform tells when it is asked.")
    checks = (
        _check(offline, _("The live is offline."), _("The live is not offline."), _offline_words(live)),
        _check(
            scheduled,
            _("The live is scheduled."),
            _("The live is not scheduled."),
            _("Whether the live is scheduled is not known."),
        ),
        Check(trial, "unknown"),
    )
    allowed = rules.may_start(live, stage)
    return StartPage(
        title=_title(live, last),
        back=reverse("lives:live", args=[live.id]),
        action=reverse("lives:start", args=[live.id]),
        checks=checks,
        allowed=allowed,
        advice=_("The platform decides: it refuses a live that is not offline or was never scheduled.")
        if allowed and Fact.UNKNOWN in (offline, scheduled)
        else "",
        scheduled=formats.moment(live.scheduled_at, "medium") if live.scheduled_at else "",
        seen=str(last.pk) if last else "",
    )


def _offline_words(live: Live) -> str:
    if live.status:
        return _("Whether the live is offline is not known: the platform calls its state “%(state)s”.") % {
            "state": live.status
        }
    return _("Whether the live is offline is not known.")


def _check(fact: Fact, yes: str, no: str, unknown: str) -> Check:
    said = {Fact.YES: (yes, "finished"), Fact.NO: (no, "error"), Fact.UNKNOWN: (unknown, "unknown")}
    return Check(*said[fact])


def _title(live: Live, start: Write | None) -> str:
    """What it is called, or was when it was last started from here; its id where nobody says."""
    return live.title or (start.label if start else "") or live.id


@dataclass(frozen=True)
class Step:
    """One of the three steps to the air."""

    words: str
    state: str
    """done, now or later."""


@dataclass(frozen=True)
class LivePage:
    """templates/lives/live.html and its polled part."""

    title: str
    address: str
    progress: str
    stage: str
    shape: str
    when: str
    steps: tuple[Step, ...]
    clock: str
    advice: tuple[str, ...]
    start: str
    start_words: str
    finish: str
    """Where it is finished; "" where there is nothing to finish."""
    key: str
    """Where its stream key is shown to whoever presses for it."""
    unknown: bool
    """Whether the platform shows nothing of it."""
    polls: bool
    version: str
    seconds: int
    player: str
    open: OpenWrite | None
    arrived: str
    again: str


def live_page(opened: Opened[Live], presses: Presses, now: datetime) -> LivePage:
    """One live and its way to the air, and to its end. `presses`: the last start and the last finish that were sent."""
    live = opened.record
    pressed, finish = writes.pressed(live, presses.start), writes.finished(presses)
    stage = writes.get_stage(live, presses, now)
    begun = finish if stage in rules.AFTER_FINISH else pressed
    waited = int((now - begun.at).total_seconds()) if begun else 0
    moving = stage in rules.MOVING
    last = {Stage.UNCONFIRMED: presses.start, Stage.FINISH_UNCONFIRMED: presses.finish}.get(stage)
    said = open_write(last) if last else None
    ending = "finish_" if stage is Stage.FINISH_UNCONFIRMED else ""
    return LivePage(
        title=_title(live, presses.start),
        address=reverse("lives:live", args=[live.id]),
        progress=reverse("lives:progress", args=[live.id]),
        stage=stage_words(stage, live),
        shape=SHAPES[stage],
        when=formats.moment(live.scheduled_at, "medium") if live.scheduled_at else "",
        steps=_steps(stage) if (pressed or stage is Stage.ON_AIR) and stage not in rules.AFTER_FINISH else (),
        clock=_("Waiting for %(time)s") % {"time": formats.duration(waited)} if moving else "",
        advice=_advice(stage, presses),
        start=reverse("lives:start", args=[live.id]) if rules.may_start(live, stage) else "",
        start_words=_("Start again") if stage in (Stage.ACCEPTED, Stage.LATE) else _("Start early"),
        finish=reverse("lives:finish", args=[live.id]) if rules.offers_finish(live, stage) else "",
        key="" if stage is Stage.FINISHED else reverse("lives:key", args=[live.id]),
        unknown=opened.is_unknown,
        polls=moving,
        version=f"{stage}-{waited // 15}-{bool(said and said.decide):d}" if moving else str(stage),
        seconds=3 if waited < 60 else 10,
        player=live.player_url or "" if stage in (Stage.ON_AIR, Stage.LINGERING) else "",
        open=said,
        arrived=reverse(f"lives:{ending}arrived", args=[live.id]),
        again=reverse(f"lives:{ending}again", args=[live.id]),
    )


def _steps(stage: Stage) -> tuple[Step, ...]:
    at = {Stage.UNCONFIRMED: 0, Stage.WAITING: 1, Stage.LATE: 1, Stage.ACCEPTED: 1}.get(stage, 3)
    names = (_("Start accepted"), _("Waiting for the encoder"), _("On air"))
    return tuple(Step(name, "done" if i < at else "now" if i == at else "later") for i, name in enumerate(names))


def _advice(stage: Stage, presses: Presses) -> tuple[str, ...]:
    if stage is Stage.LATE:
        return (
            _("No signal from the encoder yet. Check that it is running and sends to the address of this live."),
            _("Check the stream key: a live that was created again has a new one."),
            _("The live goes on air automatically as soon as the encoder sends. You don't need to start it again."),
        )
    if stage in (Stage.SCHEDULED, Stage.UNDATED, Stage.OTHER) and writes.is_lost(presses.start):
        return (_("The platform did not receive the start. Nothing changed; you can start the live again."),)
    if stage in (Stage.ON_AIR, Stage.OTHER) and writes.is_lost(presses.finish):
        return (_("The platform did not receive the finish. Nothing changed; you can finish the live again."),)
    return _ADVICE[stage]() if stage in _ADVICE else ()


_ADVICE: dict[Stage, Callable[[], tuple[str, ...]]] = {
    Stage.ACCEPTED: lambda: (
        _("The live goes on air when the encoder sends. This platform does not tell when: check on its own pages."),
    ),
    Stage.UNSCHEDULED: lambda: (_("Only a scheduled live can be started early. Schedule it on the platform first."),),
    Stage.FINISHING: lambda: (_("The platform accepted the finish. It has not said yet that the live is over."),),
    Stage.LINGERING: lambda: (
        _("The platform accepted the finish, but the live is still on air."),
        _("Stop the encoder, and check on the platform's own pages. You can also finish the live again."),
    ),
    Stage.FINISH_ACCEPTED: lambda: (
        _("The platform accepted the finish. It does not say whether the live is over: check on its own pages."),
    ),
}


@dataclass(frozen=True)
class FinishPage:
    """templates/lives/finish.html."""

    title: str
    back: str
    action: str
    check: Check
    allowed: bool
    advice: str
    seen: str
    """The last finish that was sent, as far as this page knows: a form that comes again knows an older one."""


def finish_page(live: Live, stage: Stage, presses: Presses) -> FinishPage:
    """What finishing means, and what is known of the live."""
    on_air, finish = rules.is_on_air(live), presses.finish
    unknown = _("Whether the live is on air is not known.")
    if live.status:
        unknown = _("Whether the live is on air is not known: the platform calls its state “%(state)s”.") % {
            "state": live.status
        }
    allowed = rules.may_finish(live, stage)
    return FinishPage(
        title=_title(live, presses.start),
        back=reverse("lives:live", args=[live.id]),
        action=reverse("lives:finish", args=[live.id]),
        check=_check(on_air, _("The live is on air."), _("The live is not on air."), unknown),
        allowed=allowed,
        advice=_("The platform decides: it may refuse to finish a live that is not on air.")
        if allowed and on_air is not Fact.YES
        else "",
        seen=str(finish.pk) if finish else "",
    )


@dataclass(frozen=True)
class KeyPage:
    """templates/lives/key.html. Empty: the platform does not tell it. No address has it, and nobody keeps the page."""

    title: str
    back: str
    rtmp: str = field(repr=False)
    stream_key: str = field(repr=False)
    trouble: str
    """Why the platform could not be asked; "" where it could."""


def key_page(title: str, live_id: str, ingest: Ingest | None, trouble: str = "") -> KeyPage:
    """Where the encoder sends to. `ingest`: None where the platform could not be asked."""
    return KeyPage(
        title=title,
        back=reverse("lives:live", args=[live_id]),
        rtmp=ingest.rtmp if ingest else "",
        stream_key=ingest.stream_key if ingest else "",
        trouble=trouble,
    )

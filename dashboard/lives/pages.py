"""View models of the lives templates."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from dashboard.lives import rules, writes
from dashboard.lives.rules import Fact, Stage
from dashboard.lives.writes import SentWrites
from dashboard.platform_api.records.lives import Ingest, Live
from dashboard.platform_api.vocabulary import LiveStatus
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


def format_stage(stage: Stage, live: Live | None = None) -> str:
    """Name of the stage, as that of `live` if there is one; an unknown status unchanged."""
    if live is not None and live.status == LiveStatus.FINISHED_IMPORTED:
        return pgettext("live", "Finished, saved as a video")
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
        Stage.OTHER: (live.status if live else "") or pgettext("live", "Unknown"),
    }[stage]


@dataclass(frozen=True)
class LiveRow:
    """A row of the list."""

    address: str
    title: str
    stage: str
    shape: str
    when: str
    when_iso: str
    start: str


@dataclass(frozen=True)
class StageFilter:
    """A link that filters the list by stage."""

    words: str
    count: int
    address: str
    current: bool


@dataclass(frozen=True)
class LivesPage:
    """templates/lives/lives.html."""

    rows: tuple[LiveRow, ...]
    chips: tuple[StageFilter, ...]
    trouble: str
    answer: str
    unlisted: bool


def build_lives_page(lives: list[tuple[Live, Stage]], stage_filter: str, listing: Listing[Live]) -> LivesPage:
    """The list, filtered by the stage `stage_filter` ("": all)."""
    matches = [pair for pair in lives if not stage_filter or pair[1] == stage_filter]
    return LivesPage(
        rows=tuple(_build_row(live, stage) for live, stage in sorted(matches, key=_get_sort_key)),
        chips=() if listing.trouble else _build_stage_filters(lives, stage_filter),
        trouble=listing.trouble,
        answer=listing.answer,
        unlisted=listing.unlisted,
    )


def _get_sort_key(pair: tuple[Live, Stage]) -> tuple[int, float]:
    """On air first, then by `STAGE_ORDER`, scheduled ones by time, the others newest first."""
    live, stage = pair
    rank = STAGE_ORDER.index(stage) if stage in STAGE_ORDER else len(STAGE_ORDER)
    at = live.scheduled_at or live.created_at
    return rank, (at.timestamp() if at else 0.0) * (1 if rank < len(STAGE_ORDER) else -1)


STAGE_ORDER = (
    Stage.ON_AIR,
    Stage.LINGERING,
    Stage.FINISH_UNCONFIRMED,
    Stage.FINISHING,
    Stage.LATE,
    Stage.WAITING,
    Stage.UNCONFIRMED,
    Stage.SCHEDULED,
)


def _build_stage_filters(lives: list[tuple[Live, Stage]], stage_filter: str) -> tuple[StageFilter, ...]:
    counts: dict[Stage, int] = {}
    for _live, stage in lives:
        counts[stage] = counts.get(stage, 0) + 1
    base = reverse("lives:lives")
    chips = [StageFilter(_("All"), len(lives), base, not stage_filter)]
    chips += [
        StageFilter(format_stage(stage), counts[stage], f"{base}?state={stage}", stage_filter == stage)
        for stage in Stage
        if stage in counts and stage is not Stage.OTHER
    ]
    return tuple(chips)


def _build_row(live: Live, stage: Stage) -> LiveRow:
    return LiveRow(
        address=reverse("lives:live", args=[live.id]),
        title=live.title or live.id,
        stage=format_stage(stage, live),
        shape=SHAPES[stage],
        when=formats.moment(live.scheduled_at, "medium") if live.scheduled_at else "",
        when_iso=live.scheduled_at.isoformat() if live.scheduled_at else "",
        start=reverse("lives:start", args=[live.id])
        if rules.can_start(live) and stage not in rules.AFTER_FINISH
        else "",
    )


@dataclass(frozen=True)
class Condition:
    """A condition of a start or a finish as a sentence, with the name of its badge."""

    words: str
    look: str


@dataclass(frozen=True)
class StartPage:
    """templates/lives/start.html."""

    title: str
    back: str
    action: str
    checks: tuple[Condition, ...]
    allowed: bool
    advice: str
    scheduled: str
    seen: str
    """Id of the last start that was sent. A form that is posted a second time has an older one."""


def build_start_page(live: Live, stage: Stage, sent_writes: SentWrites) -> StartPage:
    """The conditions of an early start: those that are met, those that are not, and those only the platform knows."""
    last_start = sent_writes.start
    offline, scheduled = rules.is_offline(live), rules.is_scheduled(live)
    trial = _("The account is not in trial: the platform tells when it is asked.")
    checks = (
        _build_condition(
            offline, _("The live is offline."), _("The live is not offline."), _format_unknown_offline(live)
        ),
        _build_condition(
            scheduled,
            _("The live is scheduled."),
            _("The live is not scheduled."),
            _("Whether the live is scheduled is not known."),
        ),
        Condition(trial, "unknown"),
    )
    allowed = rules.can_start(live, stage)
    return StartPage(
        title=_get_title(live, last_start),
        back=reverse("lives:live", args=[live.id]),
        action=reverse("lives:start", args=[live.id]),
        checks=checks,
        allowed=allowed,
        advice=_("The platform decides: it refuses a live that is not offline or was never scheduled.")
        if allowed and Fact.UNKNOWN in (offline, scheduled)
        else "",
        scheduled=formats.moment(live.scheduled_at, "medium") if live.scheduled_at else "",
        seen=str(last_start.pk) if last_start else "",
    )


def _format_unknown_offline(live: Live) -> str:
    if live.status:
        return _("Whether the live is offline is not known: the platform calls its state “%(state)s”.") % {
            "state": live.status
        }
    return _("Whether the live is offline is not known.")


def _build_condition(fact: Fact, yes: str, no: str, unknown: str) -> Condition:
    variants = {Fact.YES: (yes, "finished"), Fact.NO: (no, "error"), Fact.UNKNOWN: (unknown, "unknown")}
    return Condition(*variants[fact])


def _get_title(live: Live, last_start: Write | None) -> str:
    """Title of the live, else its title at the last start from here, else its id."""
    return live.title or (last_start.label if last_start else "") or live.id


@dataclass(frozen=True)
class LiveStep:
    """One of the three steps until a live is on air."""

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
    steps: tuple[LiveStep, ...]
    clock: str
    advice: tuple[str, ...]
    start: str
    start_words: str
    finish: str
    """Address of the finish form; "" if there is nothing to finish."""
    key: str
    """Address that shows the stream key on a POST."""
    unknown: bool
    """Whether the platform shows neither the live nor a list that has it."""
    polls: bool
    version: str
    seconds: int
    player: str
    open: OpenWrite | None
    arrived: str
    again: str


def build_live_page(lookup: Opened[Live], sent_writes: SentWrites, now: datetime) -> LivePage:
    """One live with its stage, its steps and what can be done next."""
    live = lookup.record
    start, finish = writes.get_start_attempt(live, sent_writes), writes.get_finish_attempt(live, sent_writes)
    stage = writes.get_stage(live, sent_writes, now)
    attempt = finish if stage in rules.AFTER_FINISH else start
    seconds = int((now - attempt.at).total_seconds()) if attempt else 0
    polls = stage in rules.POLLED_STAGES
    last = {Stage.UNCONFIRMED: sent_writes.start, Stage.FINISH_UNCONFIRMED: sent_writes.finish}.get(stage)
    notice = open_write(last) if last else None
    prefix = "finish_" if stage is Stage.FINISH_UNCONFIRMED else ""
    return LivePage(
        title=_get_title(live, sent_writes.start),
        address=reverse("lives:live", args=[live.id]),
        progress=reverse("lives:progress", args=[live.id]),
        stage=format_stage(stage, live),
        shape=SHAPES[stage],
        when=formats.moment(live.scheduled_at, "medium") if live.scheduled_at else "",
        steps=_build_steps(stage) if (start or stage is Stage.ON_AIR) and stage not in rules.AFTER_FINISH else (),
        clock=_("Waiting for %(time)s") % {"time": formats.duration(seconds)} if polls else "",
        advice=_get_advice(stage, sent_writes),
        start=reverse("lives:start", args=[live.id]) if rules.can_start(live, stage) else "",
        start_words=_("Start again") if stage in (Stage.ACCEPTED, Stage.LATE) else _("Start early"),
        finish=reverse("lives:finish", args=[live.id]) if rules.should_offer_finish(live, stage) else "",
        key="" if stage is Stage.FINISHED else reverse("lives:key", args=[live.id]),
        unknown=lookup.is_unknown,
        polls=polls,
        version=f"{stage}-{seconds // 15}-{bool(notice and notice.decide):d}" if polls else str(stage),
        seconds=3 if seconds < 60 else 10,
        player=live.player_url or "" if stage in (Stage.ON_AIR, Stage.LINGERING) else "",
        open=notice,
        arrived=reverse(f"lives:{prefix}arrived", args=[live.id]),
        again=reverse(f"lives:{prefix}again", args=[live.id]),
    )


def _build_steps(stage: Stage) -> tuple[LiveStep, ...]:
    at = {Stage.UNCONFIRMED: 0, Stage.WAITING: 1, Stage.LATE: 1, Stage.ACCEPTED: 1}.get(stage, 3)
    names = (_("Start accepted"), _("Waiting for the encoder"), _("On air"))
    return tuple(LiveStep(name, "done" if i < at else "now" if i == at else "later") for i, name in enumerate(names))


def _get_advice(stage: Stage, sent_writes: SentWrites) -> tuple[str, ...]:
    if stage is Stage.LATE:
        return (
            _("No signal from the encoder yet. Check that it is running and sends to the address of this live."),
            _("Check the stream key: a live that was created again has a new one."),
            _("The live goes on air automatically as soon as the encoder sends. You don't need to start it again."),
        )
    if stage in (Stage.SCHEDULED, Stage.UNDATED, Stage.OTHER) and writes.is_lost(sent_writes.start):
        return (_("The platform did not receive the start. Nothing changed; you can start the live again."),)
    if stage in (Stage.ON_AIR, Stage.OTHER) and writes.is_lost(sent_writes.finish):
        return (_("The platform did not receive the finish. Nothing changed; you can finish the live again."),)
    return ADVICE[stage]() if stage in ADVICE else ()


ADVICE: dict[Stage, Callable[[], tuple[str, ...]]] = {
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
    check: Condition
    allowed: bool
    advice: str
    seen: str
    """Id of the last finish that was sent. A form that is posted a second time has an older one."""


def build_finish_page(live: Live, stage: Stage, sent_writes: SentWrites) -> FinishPage:
    """The question before a live is finished, and whether it is on air."""
    on_air, finish = rules.is_on_air(live), sent_writes.finish
    unknown = _("Whether the live is on air is not known.")
    if live.status:
        unknown = _("Whether the live is on air is not known: the platform calls its state “%(state)s”.") % {
            "state": live.status
        }
    allowed = rules.can_finish(live, stage)
    return FinishPage(
        title=_get_title(live, sent_writes.start),
        back=reverse("lives:live", args=[live.id]),
        action=reverse("lives:finish", args=[live.id]),
        check=_build_condition(on_air, _("The live is on air."), _("The live is not on air."), unknown),
        allowed=allowed,
        advice=_("The platform decides: it may refuse to finish a live that is not on air.")
        if allowed and on_air is not Fact.YES
        else "",
        seen=str(finish.pk) if finish else "",
    )


@dataclass(frozen=True)
class KeyPage:
    """templates/lives/key.html; empty fields if the platform does not tell them. The page is never stored or cached."""

    title: str
    back: str
    rtmp: str = field(repr=False)
    stream_key: str = field(repr=False)
    trouble: str
    """Why the key could not be read; "" if it could."""


def build_key_page(title: str, live_id: str, ingest: Ingest | None, trouble: str = "") -> KeyPage:
    """The ingest address and the stream key. `ingest`: None if it could not be read."""
    return KeyPage(
        title=title,
        back=reverse("lives:live", args=[live_id]),
        rtmp=ingest.rtmp if ingest else "",
        stream_key=ingest.stream_key if ingest else "",
        trouble=trouble,
    )

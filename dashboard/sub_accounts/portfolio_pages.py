"""All sub-accounts side by side: a row each and their totals, as a table, a file, and a report that begins with sentences."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.accounts.models import Account
from dashboard.shared import csv, formats
from dashboard.shared.addresses import address
from dashboard.shared.change_parts import Part, Side, SplitChange, split_change
from dashboard.shared.charts.figures import Change, build_change, change
from dashboard.shared.csv import Cell
from dashboard.sub_accounts.queries import PortfolioData
from dashboard.sub_accounts.rules import (
    DAYS,
    Period,
    Show,
    Sort,
    SubAccountState,
    TokenState,
    Total,
    Totals,
    add_up,
    select,
)

OLD_AFTER: Final = timedelta(minutes=15)
"""How old plays are before their row says when they were read."""


@dataclass(frozen=True)
class Figure:
    """One number of a row: `words`, muted where there is none or nobody knows it, and what is to be known about it."""

    words: str
    is_muted: bool = False
    note: str = ""


@dataclass(frozen=True)
class Figures:
    """The numbers of a sub-account, or of all together."""

    plays: Figure
    change: Change | None
    change_note: str
    traffic: Figure
    moving: Figure
    waiting: Figure


def build_portfolio(account: Account, data: PortfolioData, show: Show, sort: Sort) -> dict[str, object]:
    """What the table shows, of a sub-account to a row. Totals and chips are of all of them, whatever a chip shows.

    `rows`: each with its numbers, where its token is pasted, and the page that says why its plays changed; "" for neither.
    """
    totals = add_up(data.states)
    return {
        "account": account,
        "totals": totals,
        "period": _format_period(data.period),
        "note": _format_note(data),
        "refused": [(state, _get_token_address(account, state)) for state in data.states if state.is_refused],
        "chips": [(chip, len(select(data.states, chip))) for chip in Show],
        "show": show,
        "sort": sort,
        "rows": [
            (state, _build_figures(state, data.period), _get_token_address(account, state), _get_why_address(state))
            for state in select(data.states, show, sort)
        ],
        "together": _build_total(totals),
    }


def _format_period(period: Period) -> str:
    values = {"start": formats.day(period.now.start), "end": formats.day(period.now.end)}
    return _("%(start)s to %(end)s against the 28 days before. Whole days, UTC.") % values


def _format_note(data: PortfolioData) -> str:
    """Where the traffic comes from: nobody says for which days it is."""
    if data.usage.trouble:
        return _("Traffic: not known.")
    when = formats.ago(data.usage_at) if data.usage_at else ""
    sentence = _("Traffic is the platform’s usage per sub-account. The platform does not say for which days.")
    return f"{sentence} {_('Read %(when)s.') % {'when': when}}" if when else sentence


def _build_figures(state: SubAccountState, period: Period) -> Figures:
    return Figures(
        plays=_format_plays(state, period),
        change=build_change(state.plays.total, state.plays.before) if state.plays else None,
        change_note="" if state.plays is None or state.plays.before is not None else _("No data before"),
        traffic=Figure("–", is_muted=True) if state.traffic is None else Figure(formats.file_size(state.traffic)),
        moving=_format_moving(state.running, state.jobs),
        waiting=_format_count(state.waiting),
    )


def _get_why_address(state: SubAccountState) -> str:
    """The page of the sub-account itself that splits the change of its plays."""
    if state.plays is None or not state.plays.change or state.token != TokenState.CONNECTED:
        return ""
    days = state.plays.days
    return address(
        "analytics:why",
        "browsers",
        start=days.start.isoformat(),
        end=days.end.isoformat(),
        compare="chosen",
        against=days.moved(-DAYS).start.isoformat(),
        zone="UTC",
        metric="plays",
    )


def _format_plays(state: SubAccountState, period: Period) -> Figure:
    """The plays and up to which day they are known; or why they are not."""
    if state.plays is None:
        return Figure(_explain_missing_plays(state), is_muted=True)
    known = state.plays.days
    notes = []
    if known.start > period.now.start:
        notes.append(_("from %(day)s") % {"day": formats.day(known.start)})
    if known.end < period.now.end:
        notes.append(_("to %(day)s") % {"day": formats.day(known.end)})
    if state.read_at and (state.error or timezone.now() - state.read_at > OLD_AFTER):
        notes.append(_("read %(when)s") % {"when": formats.ago(state.read_at)})
    return Figure(formats.number(state.plays.total), note=", ".join(notes))


def _explain_missing_plays(state: SubAccountState) -> str:
    if state.token == TokenState.MISSING:
        return pgettext("plays", "Connect to see plays")
    if state.token == TokenState.REFUSED:
        return pgettext("plays", "Not known")
    if state.error:
        return _("Not known: the last read failed")
    return _("No data") if state.read_at else _("Not read yet")


def _format_count(count: int | None) -> Figure:
    if count is None:
        return Figure("–", is_muted=True)
    return Figure(formats.number(count)) if count else Figure(_("None"), is_muted=True)


def _format_moving(running: float | None, jobs: float | None) -> Figure:
    """Runs, and jobs of subtitles."""
    if running is None and jobs is None:
        return Figure("–", is_muted=True)
    parts = []
    if running:
        parts.append(ngettext("%(count)s run", "%(count)s runs", int(running)) % {"count": formats.number(running)})
    if jobs:
        parts.append(ngettext("%(count)s job", "%(count)s jobs", int(jobs)) % {"count": formats.number(jobs)})
    return Figure(", ".join(parts)) if parts else Figure(_("None"), is_muted=True)


def _get_token_address(account: Account, state: SubAccountState) -> str:
    """Where its token is pasted: "" for one that is connected. Afterwards the parent is in use again, on this page."""
    if state.token == TokenState.CONNECTED:
        return ""
    query: dict[str, object] = {"add": 1, "called": state.name, "organization": state.organization_id}
    if state.is_refused:
        query = {"refused": state.account_id}
    here = reverse("sub_accounts:sub_accounts")
    return address("accounts:sign_in", parent=account.pk, stay=1, next=here, **query)


def _build_total(totals: Totals) -> Figures:
    compared, change = totals.compared.known, build_change(totals.compared.value, totals.before.value)
    return Figures(
        plays=_format_total(totals.plays, totals.count, formats.number),
        change=change,
        change_note=_of_all(compared, totals.count) if compared < totals.count else "",
        traffic=_format_total(totals.traffic, totals.count, formats.file_size),
        moving=_format_moving_total(totals),
        waiting=replace(
            _format_total(totals.waiting, totals.count, lambda count: _format_count(int(count)).words),
            is_muted=not totals.waiting.value,
        ),
    )


def _format_moving_total(totals: Totals) -> Figure:
    known = max(totals.running.known, totals.jobs.known)
    if not known:
        return Figure("–", is_muted=True)
    moving = _format_moving(totals.running.value, totals.jobs.value)
    return Figure(moving.words, moving.is_muted, _of_all(known, totals.count) if known < totals.count else "")


def _format_total(total: Total, count: int, write: Callable[[float], str]) -> Figure:
    """A sum, and of how many it is where that is not all."""
    if not total.known:
        return Figure("–", is_muted=True)
    return Figure(write(total.value), note=_of_all(total.known, count) if total.known < count else "")


def _of_all(known: int, count: int) -> str:
    return _("%(known)s of %(count)s known") % {"known": formats.number(known), "count": formats.number(count)}


CSV_HEADS: Final = (
    "sub_account", "organization_id", "token", "plays", "plays_before", "first_day", "last_day", "read_at", "traffic_bytes",
    "runs_in_progress", "jobs_in_progress", "waiting",
)  # fmt: skip
NAMED: Final = 5
"""Sub-accounts that one sentence names."""


def build_report(account: Account, data: PortfolioData) -> dict[str, object]:
    """The report of what is known now. `parts` add up to `difference`; without parts nothing changed or can be compared."""
    difference = split_plays(data.states)
    return build_portfolio(account, data, Show.ALL, Sort.PLAYS) | {
        "findings": list(_list_findings(data.states, add_up(data.states))),
        "parts": [(_format_part(part), part, _format_step(part)) for part in difference.all_parts],
        "difference": difference,
        "step": _format_step(difference),
        "steps": list(_list_steps(select(data.states, Show.ALL))),
        "made_at": timezone.now(),
    }


def split_plays(states: Sequence[SubAccountState]) -> SplitChange:
    """The difference of the plays of those that can be compared, by sub-account."""
    compared = [state for state in states if state.plays and state.plays.before is not None]
    return split_change(
        Side(state.name, state.plays.total, state.plays.before or 0.0) for state in compared if state.plays
    )


def _format_part(part: Part) -> str:
    if part.labels == 1 and part.label:
        return part.label
    text = ngettext("Other sub-accounts (%(count)s)", "Other sub-accounts (%(count)s)", part.labels)
    return text % {"count": formats.number(part.labels)}


def _format_step(part: Part | SplitChange) -> str:
    sign = "+" if part.change > 0 else "−" if part.change < 0 else ""
    return f"{sign}{formats.number(abs(part.change))}"


def _list_findings(states: Sequence[SubAccountState], totals: Totals) -> Iterator[str]:
    """Sentences to repeat: what is known, how it moved, and what it is known of."""
    count = formats.number(totals.count)
    if totals.plays.known:
        yield _("%(plays)s plays. Known for %(known)s of %(count)s sub-accounts.") % {
            "plays": formats.number(totals.plays.value), "known": formats.number(totals.plays.known), "count": count,
        }  # fmt: skip
    else:
        yield _("Plays are not known for any sub-account.")
    yield from _compare(totals)
    yield from _find_extremes(states)
    if totals.traffic.known:
        yield _("%(traffic)s of traffic, as the platform counts it. Known for %(known)s of %(count)s sub-accounts.") % {
            "traffic": formats.file_size(totals.traffic.value), "known": formats.number(totals.traffic.known),
            "count": count,
        }  # fmt: skip
    if waiting := int(totals.waiting.value):
        sentence = ngettext("%(count)s comment waits for an answer.", "%(count)s comments wait for an answer.", waiting)
        yield sentence % {"count": formats.number(waiting)}


def _compare(totals: Totals) -> Iterator[str]:
    """How the plays moved, of those whose days before are known as well."""
    if totals.change is None:
        return
    values = {
        "change": change(totals.compared.value, totals.before.value).lstrip("+−"),
        "before": formats.number(totals.before.value),
        "after": formats.number(totals.compared.value),
        "known": formats.number(totals.compared.known),
    }
    if not totals.change:
        words = ngettext(
            "As many plays as in the 28 days before, %(after)s, in the one that can be compared.",
            "As many plays as in the 28 days before, %(after)s, in the %(known)s that can be compared.",
            totals.compared.known,
        )
    elif totals.change > 0:
        words = ngettext(
            "Plays rose by %(change)s, from %(before)s to %(after)s, in the one that can be compared.",
            "Plays rose by %(change)s, from %(before)s to %(after)s, in the %(known)s that can be compared.",
            totals.compared.known,
        )
    else:
        words = ngettext(
            "Plays fell by %(change)s, from %(before)s to %(after)s, in the one that can be compared.",
            "Plays fell by %(change)s, from %(before)s to %(after)s, in the %(known)s that can be compared.",
            totals.compared.known,
        )
    yield words % values


def _find_extremes(states: Sequence[SubAccountState]) -> Iterator[str]:
    """Which sub-account rose most and which fell most, in plays."""
    steps = [
        (state.plays.total - state.plays.before, state.name)
        for state in states
        if state.plays and state.plays.before is not None
    ]
    (most, riser), (least, faller) = max(steps, default=(0.0, "")), min(steps, default=(0.0, ""))
    if most > 0:
        yield _("“%(name)s” grew the most: +%(plays)s plays.") % {"name": riser, "plays": formats.number(most)}
    if least < 0:
        yield _("“%(name)s” fell the most: −%(plays)s plays.") % {"name": faller, "plays": formats.number(-least)}


def _list_steps(states: Sequence[SubAccountState]) -> Iterator[tuple[str, str]]:
    """What only a person can do, the most urgent first, and for which sub-accounts."""
    refused = [state.name for state in states if state.is_refused]
    waiting = [f"{state.name} ({formats.number(state.waiting)})" for state in states if state.waiting]
    missing = [state.name for state in states if state.token == TokenState.MISSING]
    for words, names in (
        (_("Replace the token"), refused),
        (_("Answer comments"), waiting),
        (_("Connect to see plays"), missing),
    ):
        if names:
            yield words, formats.named(names, NAMED)


def build_csv(data: PortfolioData) -> tuple[str, str]:
    """The file with every sub-account, by name, and what it is called. What is not known is an empty cell."""
    rows = [_build_csv_row(state) for state in select(data.states, Show.ALL, Sort.NAME)]
    days = data.period.now
    return csv.written(CSV_HEADS, rows), csv.file_name("sub-accounts", f"{days.start}_{days.end}_UTC")


def _build_csv_row(state: SubAccountState) -> tuple[Cell, ...]:
    plays = state.plays
    return (
        state.name,
        state.organization_id,
        state.token.value,
        plays.total if plays else None,
        plays.before if plays else None,
        plays.days.start.isoformat() if plays else None,
        plays.days.end.isoformat() if plays else None,
        state.read_at.isoformat(timespec="seconds") if state.read_at else None,
        state.traffic,
        state.running,
        state.jobs,
        state.waiting,
    )

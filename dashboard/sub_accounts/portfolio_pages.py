"""All sub-accounts side by side: a row each and their totals, as a table, a file, and a report that begins with sentences."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

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
TOKENS: Final = {
    TokenState.CONNECTED: ("healthy", gettext_noop("Connected")),
    TokenState.REFUSED: ("error", gettext_noop("Refused")),
    TokenState.MISSING: ("none", gettext_noop("Not connected")),
}


@dataclass(frozen=True)
class Figure:
    """One number of a row: `words`, muted where there is none or nobody knows it, and what is to be known about it."""

    words: str
    is_muted: bool = False
    note: str = ""


@dataclass(frozen=True)
class RowAction:
    """The one thing to do: a link, or with `switch` a form that switches to the sub-account and leads to `next`."""

    words: str
    link: str = ""
    switch: str = ""
    next: str = ""


@dataclass(frozen=True)
class PortfolioRow:
    """One sub-account."""

    name: str
    about: str
    plays: Figure
    change: Change | None
    change_note: str
    traffic: Figure
    moving: Figure
    waiting: Figure
    token: str
    shape: str
    action: RowAction
    why: RowAction | None = None
    """Why its plays changed: a page of the sub-account itself."""


@dataclass(frozen=True)
class Head:
    """The head of a column that sorts. `is_current`: the table is sorted by it."""

    column: str
    words: str
    address: str
    is_number: bool
    is_current: bool
    direction: str


@dataclass(frozen=True)
class Chip:
    """A chip with its count."""

    words: str
    address: str
    count: str
    is_current: bool


@dataclass(frozen=True)
class TotalRow:
    """The last row of the table."""

    title: str
    plays: Figure
    change: Change | None
    change_note: str
    traffic: Figure
    moving: Figure
    waiting: Figure
    why: RowAction | None = None
    """Why the plays of all changed: the parts of the report."""


@dataclass(frozen=True)
class Refusal:
    """A sub-account whose token was refused: what happened, what is lost, and where its new token is pasted."""

    title: str
    sentence: str
    name: str
    link: str


@dataclass(frozen=True)
class PortfolioPage:
    """templates/sub_accounts/_portfolio.html."""

    title: str
    period: str
    note: str
    refusals: tuple[Refusal, ...]
    chips: tuple[Chip, ...]
    heads: tuple[Head, ...]
    rows: tuple[PortfolioRow, ...]
    total: TotalRow
    export: str
    report: str
    weekly: str
    """Where their weekly reports are asked for; "" where there are no reports."""


def build_portfolio_page(account: Account, data: PortfolioData, show: Show, sort: Sort) -> PortfolioPage:
    """The table. Totals and chips are of all sub-accounts, whatever a chip shows."""
    totals = add_up(data.states)
    return PortfolioPage(
        title=ngettext("%(count)s sub-account of %(name)s.", "%(count)s sub-accounts of %(name)s.", totals.count)
        % {"count": formats.number(totals.count), "name": account.name},
        period=_format_period(data.period),
        note=_format_note(data),
        refusals=tuple(_build_refusal(account, state) for state in data.states if state.token == TokenState.REFUSED),
        chips=tuple(_build_chip(data.states, chip, show, sort) for chip in Show),
        heads=_build_heads(show, sort),
        rows=tuple(_build_row(account, state, data.period) for state in select(data.states, show, sort)),
        total=_build_total(totals),
        export=reverse("sub_accounts:export"),
        report=reverse("sub_accounts:report"),
        weekly=address("reports:sub_accounts"),
    )


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


def _build_chip(states: Sequence[SubAccountState], chip: Show, show: Show, sort: Sort) -> Chip:
    words = {
        Show.ALL: pgettext("sub-accounts", "All"),
        Show.WAITING: _("Need you"),
        Show.RUNNING: _("In progress"),
    }[chip]
    return Chip(words, _build_address(chip, sort), formats.number(len(select(states, chip))), chip == show)


def _build_address(show: Show, sort: Sort) -> str:
    return address("sub_accounts:sub_accounts", show=show.value, sort=sort.value)


def _build_heads(show: Show, sort: Sort) -> tuple[Head, ...]:
    """The heads that sort; one that does already leads back to the usual order."""
    heads = {
        Sort.NAME: (_("Sub-account"), False, "ascending"),
        Sort.PLAYS: (_("Plays"), True, "descending"),
        Sort.TRAFFIC: (_("Traffic"), True, "descending"),
        Sort.WAITING: (_("Waiting"), True, "descending"),
    }
    return tuple(
        Head(
            key.value,
            words,
            address=_build_address(show, Sort.URGENT if key == sort else key),
            is_number=is_number,
            is_current=key == sort,
            direction=direction,
        )
        for key, (words, is_number, direction) in heads.items()
    )


def _build_row(account: Account, state: SubAccountState, period: Period) -> PortfolioRow:
    shape, token = TOKENS[state.token]
    return PortfolioRow(
        name=state.name,
        about=_("Creating") if state.is_creating else "",
        plays=_format_plays(state, period),
        change=build_change(state.plays.total, state.plays.before) if state.plays else None,
        change_note="" if state.plays is None or state.plays.before is not None else _("No data before"),
        traffic=Figure("–", is_muted=True) if state.traffic is None else Figure(formats.file_size(state.traffic)),
        moving=_format_moving(state.running, state.jobs),
        waiting=_format_count(state.waiting),
        token=_(token),
        shape=shape,
        action=_build_action(account, state),
        why=_build_why(state),
    )


def _build_why(state: SubAccountState) -> RowAction | None:
    """Switch to the sub-account, to the page that splits the change of its plays."""
    if state.plays is None or not state.plays.change or state.token != TokenState.CONNECTED:
        return None
    days = state.plays.days
    query = {
        "start": days.start.isoformat(),
        "end": days.end.isoformat(),
        "compare": "chosen",
        "against": days.moved(-DAYS).start.isoformat(),
        "zone": "UTC",
        "metric": "plays",
    }
    page = address("analytics:why", "browsers", **query)
    switch = reverse("accounts:use", args=[state.account_id])
    return RowAction(_("Why?"), switch=switch, next=page) if page else None


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


def _build_action(account: Account, state: SubAccountState) -> RowAction:
    """The most urgent one."""
    if state.token == TokenState.MISSING:
        query = {"add": 1, "called": state.name, "organization": state.organization_id}
        return RowAction(_("Connect"), link=_build_token_address(account, **query))
    if state.token == TokenState.REFUSED:
        return RowAction(_("Replace token"), link=_build_token_address(account, refused=state.account_id))
    switch = reverse("accounts:use", args=[state.account_id])
    inbox = address("review_links:inbox")
    if state.waiting and inbox:
        words = ngettext("Open %(count)s waiting", "Open %(count)s waiting", state.waiting)
        return RowAction(words % {"count": formats.number(state.waiting)}, switch=switch, next=inbox)
    return RowAction(pgettext("button", "Open"), switch=switch, next=reverse("overview:overview"))


def _build_token_address(account: Account, **query: object) -> str:
    """Where a token is pasted; afterwards the parent is in use again, on this page."""
    here = reverse("sub_accounts:sub_accounts")
    return address("accounts:sign_in", parent=account.pk, stay=1, next=here, **query)


def _build_refusal(account: Account, state: SubAccountState) -> Refusal:
    until = _("Its token was refused.")
    if state.plays:
        until = _("Its numbers end on %(day)s.") % {"day": formats.day(state.plays.days.end)}
    return Refusal(
        title=_("%(name)s is disconnected.") % {"name": state.name},
        sentence=f"{until} " + _("Nothing was deleted. Connect it again with a new token."),
        name=state.name,
        link=_build_token_address(account, refused=state.account_id),
    )


def _build_total(totals: Totals) -> TotalRow:
    title = ngettext("%(count)s together", "%(count)s together", totals.count)
    compared, change = totals.compared.known, build_change(totals.compared.value, totals.before.value)
    return TotalRow(
        title=title % {"count": formats.number(totals.count)},
        plays=_format_total(totals.plays, totals.count, formats.number),
        change=change,
        change_note=_of_all(compared, totals.count) if compared < totals.count else "",
        traffic=_format_total(totals.traffic, totals.count, formats.file_size),
        moving=_format_moving_total(totals),
        waiting=replace(
            _format_total(totals.waiting, totals.count, lambda count: _format_count(int(count)).words),
            is_muted=not totals.waiting.value,
        ),
        why=RowAction(_("Why?"), link=f"{reverse('sub_accounts:report')}#why") if totals.change else None,
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


@dataclass(frozen=True)
class Step:
    """What to do next: in a few words, and for which sub-accounts."""

    words: str
    names: str


@dataclass(frozen=True)
class ChangePart:
    """What a sub-account, the others, or all together added to the plays."""

    name: str
    past: str
    now: str
    change: str


@dataclass(frozen=True)
class ReportPage:
    """templates/sub_accounts/report.html. `parts` add up to `together`; without parts nothing changed or can be compared."""

    name: str
    table: PortfolioPage
    findings: tuple[str, ...]
    steps: tuple[Step, ...]
    made: str
    parts: tuple[ChangePart, ...]
    together: ChangePart


def build_report_page(account: Account, data: PortfolioData) -> ReportPage:
    """The report of what is known now."""
    difference = split_plays(data.states)
    return ReportPage(
        parts=tuple(_build_part(_format_part(part), part) for part in difference.all_parts),
        together=_build_part(_("Together"), difference),
        name=account.name,
        table=build_portfolio_page(account, data, Show.ALL, Sort.PLAYS),
        findings=tuple(_list_findings(data.states, add_up(data.states))),
        steps=tuple(_list_steps(select(data.states, Show.ALL))),
        made=formats.moment(timezone.now()),
    )


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


def _build_part(name: str, part: Part | SplitChange) -> ChangePart:
    sign = "+" if part.change > 0 else "−" if part.change < 0 else ""
    return ChangePart(
        name, formats.number(part.past), formats.number(part.now), f"{sign}{formats.number(abs(part.change))}"
    )


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


def _list_steps(states: Sequence[SubAccountState]) -> Iterator[Step]:
    """What only a person can do, the most urgent first."""
    refused = [state.name for state in states if state.token == TokenState.REFUSED]
    waiting = [f"{state.name} ({formats.number(state.waiting)})" for state in states if state.waiting]
    missing = [state.name for state in states if state.token == TokenState.MISSING]
    for words, names in (
        (_("Replace the token"), refused),
        (_("Answer comments"), waiting),
        (_("Connect to see plays"), missing),
    ):
        if names:
            yield Step(words, formats.named(names, NAMED))


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

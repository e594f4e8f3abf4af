"""The report of all sub-accounts: sentences first, then the numbers, then what to do next; and the numbers as a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account
from dashboard.shared import csv, formats
from dashboard.shared.change_parts import Part, Side, SplitChange, split_change
from dashboard.shared.charts.figures import change
from dashboard.shared.csv import Cell
from dashboard.sub_accounts.portfolio import Show, Sort, SubAccountState, TokenState, Totals, add_up, select
from dashboard.sub_accounts.portfolio_pages import PortfolioPage, build_portfolio_page
from dashboard.sub_accounts.portfolio_queries import PortfolioData

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

"""What a sub-account needs (section 4.2): a tax id with right check digits, and nothing longer than allowed; and the sub-accounts of
one account side by side: what is known of each, and what they add up to. Pure.

Nothing here stands in for what is not known: a figure is None then, sums count how many they are of, and days without an answer are
left out on both sides of a comparison.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from stdnum import exceptions
from stdnum.br import cnpj, cpf

from dashboard.shared.ranges import Days


class TaxIdProblem(StrEnum):
    """Why a tax id cannot be right."""

    LENGTH = "length"
    CHECK_DIGITS = "check_digits"


CPF_LENGTH, CNPJ_LENGTH = 11, 14


def compact_tax_id(text: str) -> str:
    """The tax id as the platform wants it: without punctuation, letters in upper case."""
    return "".join(character for character in text if character.isalnum()).upper()


def find_tax_id_problem(compact: str) -> TaxIdProblem | None:
    """None for a CPF (11 digits) or a CNPJ (14, letters allowed in the first 12 since July 2026) that can be right."""
    if len(compact) not in {CPF_LENGTH, CNPJ_LENGTH}:
        return TaxIdProblem.LENGTH
    try:
        (cpf if len(compact) == CPF_LENGTH else cnpj).validate(compact)
    except exceptions.ValidationError:
        return TaxIdProblem.CHECK_DIGITS
    # The check digits of 111.111.111-11 and its like fit, yet no such number is ever given out.
    return TaxIdProblem.CHECK_DIGITS if len(set(compact)) == 1 else None


DAYS: Final = 28
"""Whole days that plays are added up over; as many before are what they are compared with."""


class TokenState(StrEnum):
    """Whether this browser can open a sub-account, and whether the platform took its token at the last read."""

    CONNECTED = "connected"
    REFUSED = "refused"
    MISSING = "missing"


class Show(StrEnum):
    """Which rows a chip shows."""

    ALL = ""
    WAITING = "waiting"
    RUNNING = "running"


class Sort(StrEnum):
    """What comes first: what is most urgent, or what the head of a column says."""

    URGENT = ""
    NAME = "name"
    PLAYS = "plays"
    TRAFFIC = "traffic"
    WAITING = "waiting"


@dataclass(frozen=True)
class Period:
    """The days that are shown and those they are compared with, as the platform is assumed to cut them: in UTC."""

    now: Days
    before: Days

    @property
    def both(self) -> Days:
        """All of them as one run: one question brings both."""
        return Days(self.before.start, self.now.end)


def get_period(at: datetime) -> Period:
    """The whole days before the day of `at` (aware): today is still filling up."""
    last = at.astimezone(UTC).date() - timedelta(days=1)
    now = Days(last - timedelta(days=DAYS - 1), last)
    return Period(now, now.moved(-DAYS))


@dataclass(frozen=True)
class Plays:
    """Plays of the days that are known, and of the same days of the period before: None where one of those is not known."""

    total: float
    before: float | None
    days: Days
    """The days that are known."""

    @property
    def change(self) -> float | None:
        """The change as a share: 0.25 is a quarter more. None where there is nothing to compare with."""
        return (self.total - self.before) / self.before if self.before else None


def sum_plays(days: Mapping[date, float], period: Period) -> Plays | None:
    """Add up what is known by day. None where no day of the period is known.

    A day without plays between two with some is zero; before the first and after the last one nobody knows.
    """
    if not days:
        return None
    start, end = max(min(days), period.now.start), min(max(days), period.now.end)
    if start > end:
        return None
    known = Days(start, end)
    past = known.moved(-DAYS)
    before = sum(days.get(day, 0.0) for day in past) if min(days) <= past.start else None
    return Plays(sum(days.get(day, 0.0) for day in known), before, known)


@dataclass(frozen=True)
class SubAccountState:
    """One sub-account. `account_id` is None where its token is not connected in this browser: then only what its parent is
    told is known, and None are its plays, its runs, its jobs and what waits there.
    """

    name: str
    token: TokenState
    organization_id: str = ""
    account_id: UUID | None = None
    traffic: float | None = None
    """Bytes, as the platform's usage per sub-account tells them."""
    plays: Plays | None = None
    read_at: datetime | None = None
    """When the plays were read."""
    error: str = ""
    """Why the last read of them brought nothing, as the class of a `CallError`."""
    running: int | None = None
    jobs: int | None = None
    waiting: int | None = None
    is_creating: bool = False
    """The platform is still setting it up."""

    @property
    def is_refused(self) -> bool:
        """Whether the platform refused its token."""
        return self.token == TokenState.REFUSED

    @property
    def needs_person(self) -> bool:
        """Whether somebody has to act: a refused token, or comments without an answer."""
        return self.is_refused or bool(self.waiting)

    @property
    def is_moving(self) -> bool:
        """Whether runs or jobs are in progress."""
        return bool(self.running or self.jobs)


SHOWN: Final[Mapping[Show, Callable[[SubAccountState], bool]]] = {
    Show.ALL: lambda _state: True,
    Show.WAITING: lambda state: state.needs_person,
    Show.RUNNING: lambda state: state.is_moving,
}


def select(states: Iterable[SubAccountState], show: Show, sort: Sort = Sort.URGENT) -> tuple[SubAccountState, ...]:
    """Those that a chip shows, in their order. What is not known comes last."""
    matches = sorted((state for state in states if SHOWN[show](state)), key=lambda state: state.name.casefold())
    match sort:
        case Sort.NAME:
            return tuple(matches)
        case Sort.PLAYS:
            key = _get_plays
        case Sort.TRAFFIC:
            key = _get_traffic
        case Sort.WAITING:
            key = _get_waiting
        case _:
            return tuple(sorted(matches, key=_get_urgency))
    return tuple(sorted(matches, key=lambda state: _last_if_unknown(key(state))))


def _get_urgency(state: SubAccountState) -> tuple[int, int, int, float]:
    """A refused token first, then what waits, then what is in progress, then the most played."""
    is_known, plays = _last_if_unknown(_get_plays(state))
    return (-int(state.token == TokenState.REFUSED), -(state.waiting or 0), is_known, plays)


def _get_plays(state: SubAccountState) -> float | None:
    return state.plays.total if state.plays else None


def _get_traffic(state: SubAccountState) -> float | None:
    return state.traffic


def _get_waiting(state: SubAccountState) -> float | None:
    return state.waiting


def _last_if_unknown(value: float | None) -> tuple[int, float]:
    return (1, 0.0) if value is None else (0, -value)


@dataclass(frozen=True)
class Total:
    """A sum over those that are known, and of how many it is."""

    value: float
    known: int

    @classmethod
    def of(cls, values: Iterable[float | None]) -> "Total":
        """The sum of the values that are known."""
        known = [value for value in values if value is not None]
        return cls(sum(known), len(known))


@dataclass(frozen=True)
class Totals:
    """What the sub-accounts add up to. `compared` are the plays of those whose days before are known too."""

    count: int
    plays: Total
    compared: Total
    before: Total
    traffic: Total
    running: Total
    jobs: Total
    waiting: Total

    @property
    def change(self) -> float | None:
        """The change of all plays that can be compared, as a share."""
        return (self.compared.value - self.before.value) / self.before.value if self.before.value else None


def add_up(states: Sequence[SubAccountState]) -> Totals:
    """The totals of these sub-accounts."""
    compared = [state.plays for state in states if state.plays and state.plays.before is not None]
    return Totals(
        count=len(states),
        plays=Total.of(_get_plays(state) for state in states),
        compared=Total.of(plays.total for plays in compared),
        before=Total.of(plays.before for plays in compared),
        traffic=Total.of(state.traffic for state in states),
        running=Total.of(state.running for state in states),
        jobs=Total.of(state.jobs for state in states),
        waiting=Total.of(state.waiting for state in states),
    )

"""AI credits as pages tell them: what is left, and whether this platform tells it at all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api.credits import CreditEntry, Credits
from dashboard.platform_api.errors import CallError, Missing, NotAllowed
from dashboard.platform_api.vocabulary import CreditStatus, CreditType
from dashboard.shared import formats
from dashboard.shared.addresses import address, video_address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.reads import Query, Reads

if TYPE_CHECKING:
    from dashboard.accounts.models import Account

DAYS: Final = 30
"""Of which every page asks: one question, one call."""


@dataclass(frozen=True)
class CreditsKnown:
    """What reading the credits brought. `is_absent`: the platform was asked, and does not tell them to this account."""

    credits: Credits | None = None
    is_absent: bool = False
    error: CallError | None = None

    @property
    def balance(self) -> float | None:
        """None where it is not known."""
        return self.credits.balance if self.credits else None


def last_days(count: int = DAYS) -> tuple[date, date]:
    """The last days in UTC, today included."""
    today = datetime.now(UTC).date()
    return today - timedelta(days=count - 1), today


def query(count: int = DAYS) -> Query[Credits]:
    """The credits with the history of the last days."""
    start, end = last_days(count)
    return Query(lambda platform: platform.credits.history(start, end))


def understood(outcome: Outcome) -> CreditsKnown:
    """What an outcome of `query` tells."""
    if isinstance(outcome, Ready):
        return CreditsKnown(outcome.value)
    error = outcome.error if isinstance(outcome, Failed) else None
    return CreditsKnown(is_absent=isinstance(error, Missing | NotAllowed), error=error)


def beside(request: OwnerRequest, payer: "Account") -> CreditsKnown:
    """The credits of the account that pays for what this page makes, as far as is known: nothing is waited for."""
    return understood(Reads(payer, waits=not reads.is_page(request)).spare(credits=query())["credits"])


@dataclass(frozen=True)
class BalancePart:
    """components/_credits.html."""

    sentence: str
    history: str
    """Where the history is; "" where it is another account's."""


def balance_part(request: OwnerRequest, payer: "Account") -> BalancePart | None:
    """What stands beside an act that uses credits; None where no balance is known."""
    balance = beside(request, payer).balance
    if balance is None:
        return None
    sentence = _("AI credit balance of “%(name)s”: %(count)s.") % {"name": payer.name, "count": formats.number(balance)}
    return BalancePart(sentence, address("credits:credits") if payer == request.account else "")


TYPES: Final[Mapping[str, str]] = {CreditType.SUB: gettext_noop("Used"), CreditType.ADD: gettext_noop("Added")}
STATES: Final[Mapping[str, str]] = {
    CreditStatus.COMPLETED: gettext_noop("Completed"),
    CreditStatus.REFUNDED: gettext_noop("Refunded"),
}
SIGNS: Final[Mapping[str, str]] = {CreditType.SUB: "\N{MINUS SIGN}", CreditType.ADD: "+"}


@dataclass(frozen=True)
class CreditRow:
    """One line of the history. What the platform did not tell is "", except the amount, which then says so."""

    at: str
    at_iso: str
    type: str
    what: str
    video: str
    video_address: str
    amount: str
    state: str
    day: str = ""
    """When, shorter."""
    refunded: bool = False


def credit_rows(entries: Iterable[CreditEntry]) -> tuple[CreditRow, ...]:
    """The lines of a history; types and states that are not known in the platform's own words."""
    return tuple(map(_build_row, entries))


def _build_row(entry: CreditEntry) -> CreditRow:
    amount = SIGNS.get(entry.type, "") + formats.number(entry.amount) if entry.amount is not None else _("not known")
    return CreditRow(
        at=formats.moment(entry.created_at) if entry.created_at else "",
        at_iso=entry.created_at.isoformat() if entry.created_at else "",
        type=_(TYPES[entry.type]) if entry.type in TYPES else entry.type,
        what=entry.description or entry.id,
        video=entry.video_title or entry.video_id,
        video_address=video_address(entry.video_id),
        amount=amount,
        state=_(STATES[entry.status]) if entry.status in STATES else entry.status,
        day=formats.day(timezone.localtime(entry.created_at).date()) if entry.created_at else "",
        refunded=entry.status == CreditStatus.REFUNDED,
    )

"""Parses the referral summary, of which four things are known [2.9]: link, estimate, received, balance. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

CENTS: Final = Decimal(100)
MOST: Final = Decimal(10) ** 15
_NAMES: Final[Mapping[str, re.Pattern[str]]] = {
    "pending": re.compile(r"pending|estimat", re.IGNORECASE),
    "received": re.compile(r"receiv|total_paid|paid", re.IGNORECASE),
    "balance": re.compile(r"balance|available", re.IGNORECASE),
}
_LINK: Final = re.compile(r"link|url|code", re.IGNORECASE)
_CURRENCY: Final = re.compile(r"[A-Za-z]{3}", re.ASCII)


@dataclass(frozen=True)
class ReferralSummary:
    """Link and amounts, as far as the answer has them. Amounts are in units of the currency."""

    link: str
    pending: Decimal | None
    received: Decimal | None
    balance: Decimal | None
    currency: str

    @property
    def empty(self) -> bool:
        return not self.link and self.pending is None and self.received is None and self.balance is None


def parse_summary(raw: Any) -> ReferralSummary:
    """Parse the summary from an answer of any shape. Whole numbers beside a currency are cents, fractions are units."""
    flat = dict(_flatten(raw))
    amounts = {notion: _find_amount(flat, pattern) for notion, pattern in _NAMES.items()}
    currency = next(
        (value.upper() for key, value in flat.items() if "currency" in key.lower() and _is_currency(value)), ""
    )
    known = [value for value in amounts.values() if value is not None]
    if currency and all(value == value.to_integral_value() for value in known):
        amounts = {notion: value / CENTS if value is not None else None for notion, value in amounts.items()}
    return ReferralSummary(
        _find_link(flat),
        amounts["pending"],
        received=amounts["received"],
        balance=amounts["balance"],
        currency=currency,
    )


def _flatten(value: Any, name: str = "", level: int = 0) -> list[tuple[str, Any]]:
    """Every plain value with its name; those of inner objects too."""
    if isinstance(value, dict) and level < 6:
        return [pair for key, inner in value.items() for pair in _flatten(inner, str(key), level + 1)]
    if isinstance(value, list) and len(value) == 1 and level < 6:
        return _flatten(value[0], name, level + 1)
    return [(name, value)] if name else []


def _find_amount(flat: Mapping[str, Any], pattern: re.Pattern[str]) -> Decimal | None:
    for key, value in flat.items():
        if pattern.search(key) and not isinstance(value, bool) and isinstance(value, int | float | str):
            try:
                amount = Decimal(str(value).strip())
            except InvalidOperation:
                continue
            if amount.is_finite() and abs(amount) < MOST:
                return amount
    return None


def _find_link(flat: Mapping[str, Any]) -> str:
    texts = [(key, value.strip()) for key, value in flat.items() if isinstance(value, str) and value.strip()]
    addresses = [value for _key, value in texts if re.match(r"https?://", value, re.IGNORECASE)]
    return next(iter(addresses), "") or next((value for key, value in texts if _LINK.search(key)), "")


def _is_currency(value: Any) -> bool:
    return isinstance(value, str) and bool(_CURRENCY.fullmatch(value))

"""What traffic costs at the owner's own price."""

from dataclasses import dataclass
from decimal import Decimal

from dashboard.shared import formats

GIGA = Decimal(10) ** 9


@dataclass(frozen=True)
class Price:
    """What one GB costs."""

    per_gigabyte: Decimal
    currency: str

    def of(self, size: float) -> str:
        """The price of so many bytes."""
        return formats.money(Decimal(round(size)) / GIGA * self.per_gigabyte, self.currency)

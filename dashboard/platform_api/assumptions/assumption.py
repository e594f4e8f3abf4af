"""One row: what was assumed, why, and how sure it is."""

from dataclasses import dataclass
from enum import StrEnum


class Basis(StrEnum):
    """How much is known."""

    PUBLISHED = "a"
    """Stated in public documentation."""
    OBSERVED = "b"
    """Read out of public client code."""
    UNKNOWN = "c"
    """Found nowhere: anything is accepted."""
    GUESS = "guess"
    """An analogy of our own."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """`operations` as `group.method`, or `*`; `settings` are the environment variables that change it, where any make sense."""

    operations: tuple[str, ...]
    assumed: str
    why: str
    basis: Basis
    settings: tuple[str, ...] = ()

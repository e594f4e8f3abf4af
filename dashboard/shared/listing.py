"""A list that this platform may not have, or cannot give at the moment: its page stands all the same, and opens by id."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from dashboard.platform_api.errors import Missing, PlatformError
from dashboard.shared import refusals

T = TypeVar("T")


@dataclass(frozen=True)
class Listing(Generic[T]):
    """What the platform lists; or `trouble` says why it does not, and `unlisted` that it never will.

    `status` is how the page answers: a list that the platform does not have is no failure.
    """

    found: tuple[T, ...] = ()
    trouble: str = ""
    unlisted: bool = False
    status: int = 200
    answer: str = ""
    """What came, where it cannot be read."""


def listing(read: Callable[[], Sequence[T]]) -> Listing[T]:
    """The list that `read` brings. Only a refused token is raised."""
    try:
        return Listing(tuple(read()))
    except PlatformError as error:
        explained, until = refusals.explain(error), refusals.until_of(error)
        again = _("It can be asked again after %(time)s.") % {"time": until} if until else ""
        unlisted = isinstance(error, Missing)
        return Listing(
            trouble=f"{explained.sentence} {again}".strip(),
            unlisted=unlisted,
            status=200 if unlisted else refusals.status_of(error),
            answer=explained.answer,
        )

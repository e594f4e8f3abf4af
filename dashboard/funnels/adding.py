"""The library beside a funnel: one page of it, and what was chosen before, wherever in the library that stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import QueryDict

from dashboard.platform_api import Operations
from dashboard.platform_api.errors import Missing, Unreachable
from dashboard.platform_api.records.funnels import Funnel
from dashboard.platform_api.records.videos import Video
from dashboard.shared.http import PAGE_MOST, OwnerRequest, whole_number
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Outcome, Ready

LIBRARY = 24
CHOSEN_MOST = 100
"""Videos that one address may bring: each one that is not on the shown page costs a call."""


@dataclass(frozen=True)
class Asked:
    """What the address, or the form, says."""

    find: str
    page: int
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class Shelf:
    """The funnel, a page of the library, and the chosen videos that exist in this account."""

    funnel: Funnel
    videos: Sequence[Video]
    more: bool
    chosen: tuple[Video, ...]


def asked(source: QueryDict) -> Asked:
    """Anything not understood counts as not said."""
    number = source.get("page", "")
    page = whole_number(number, PAGE_MOST) or 1
    return Asked(source.get("find", "").strip()[:200].replace("\0", ""), page, chosen(source))


def chosen(source: QueryDict) -> tuple[str, ...]:
    """The videos of a query string, each once, as the platform spells their ids."""
    found = (_uuid(text) for text in source.getlist("video")[:CHOSEN_MOST])
    return tuple(dict.fromkeys(one for one in found if one))


def _uuid(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        return ""


def read(request: OwnerRequest, funnel_id: str, wish: Asked) -> Shelf:
    """Everything the page needs. Raises the `PlatformError` of any of it; a chosen video that is gone is left out."""
    found = reads.of(request).gather(
        settings.PLATFORM_TIMEOUT,
        funnel=lambda platform: platform.funnels.get(funnel_id),
        library=lambda platform: platform.videos.list(page=wish.page, limit=LIBRARY, title=wish.find or None),
        **{one: partial(_video, one) for one in wish.chosen},
    )
    funnel, library = _value(found["funnel"]), _value(found["library"])
    chosen = [_value(found[one]) for one in wish.chosen if not _is_gone(found[one])]
    more = wish.page < library.pages if library.pages is not None else len(library.videos) == LIBRARY
    return Shelf(funnel, library.videos, more, tuple(chosen))


def _video(video_id: str, platform: Operations) -> Video:
    return platform.videos.get(video_id)


def _is_gone(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed) and isinstance(outcome.error, Missing)


def _value(outcome: Outcome) -> Any:
    if isinstance(outcome, Failed):
        raise outcome.error
    if not isinstance(outcome, Ready):
        raise Unreachable("videos.list")
    return outcome.value

"""The library beside a funnel: one page of it, and what was chosen before, wherever in the library that stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import QueryDict

from dashboard.funnels import writes
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import Missing, NotAllowed, Unreachable
from dashboard.platform_api.records.funnels import Funnel
from dashboard.platform_api.records.videos import Video
from dashboard.shared.http import PAGE_MOST, OwnerRequest, whole_number
from dashboard.upstream import parallel, reads
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.single_records import is_untold

LIBRARY = 24
CHOSEN_MOST = 100
"""Videos that one address may bring: each one that is not on the shown page costs a call."""
TYPED_MOST = 5_000
"""Characters of ids that one form may bring."""


@dataclass(frozen=True)
class Asked:
    """What the address, or the form, says."""

    find: str
    page: int
    chosen: tuple[str, ...]
    typed: str = ""
    """Ids as they were typed, one a line."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that were typed, each once, as the platform spells them."""
        return tuple(dict.fromkeys(one for text in self.lines if (one := _uuid(text))))[:CHOSEN_MOST]

    @property
    def lines(self) -> tuple[str, ...]:
        """What was typed, piece by piece."""
        return tuple(self.typed.replace(",", " ").split())


@dataclass(frozen=True)
class Shelf:
    """The funnel, a page of the library, and the chosen videos that exist in this account."""

    funnel: Funnel
    videos: Sequence[Video]
    more: bool
    chosen: tuple[Video, ...]
    wrong: tuple[str, ...] = ()
    """What was typed and is no id of a video of this account."""
    is_listed: bool = True
    """Whether the platform lists its videos."""


def asked(source: QueryDict) -> Asked:
    """Anything not understood counts as not said."""
    number = source.get("page", "")
    page = whole_number(number, PAGE_MOST) or 1
    typed = source.get("ids", "")[:TYPED_MOST].replace("\0", "")
    return Asked(source.get("find", "").strip()[:200].replace("\0", ""), page, chosen(source), typed)


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
    """Everything the page needs. Raises the `PlatformError` of any of it; a chosen video that is gone is left out.

    A library that the platform does not list is none: videos come by their ids.
    """
    reader = reads.of(request)
    wanted = tuple(dict.fromkeys((*wish.chosen, *wish.ids)))
    parts = parallel.gather(
        settings.PLATFORM_TIMEOUT,
        funnel=partial(writes.open_funnel, reader.get, request.account, funnel_id),
        library=partial(
            reader.get, lambda platform: platform.videos.list(page=wish.page, limit=LIBRARY, title=wish.find or None)
        ),
        chosen=partial(reader.gather, settings.PLATFORM_TIMEOUT, **{one: partial(_video, one) for one in wanted}),
    )
    funnel, found = _value(parts["funnel"]), _value(parts["chosen"])
    chosen = tuple(_chosen(one, found[one]) for one in wanted if not _is_gone(found[one]))
    there = {video.id for video in chosen}
    wrong = tuple(text for text in wish.lines if _uuid(text) not in there)
    if isinstance(parts["library"], Failed) and is_untold(parts["library"].error):
        return Shelf(funnel, (), False, chosen, wrong, is_listed=False)
    library = _value(parts["library"])
    more = wish.page < library.pages if library.pages is not None else len(library.videos) == LIBRARY
    return Shelf(funnel, library.videos, more, chosen, wrong)


def _video(video_id: str, platform: Operations) -> Video:
    return platform.videos.get(video_id)


def _is_gone(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed) and isinstance(outcome.error, Missing)


def _chosen(video_id: str, outcome: Outcome) -> Video:
    """A chosen video; of one that this account may not read, its id."""
    if isinstance(outcome, Failed) and isinstance(outcome.error, NotAllowed):
        return Video.from_json({"id": video_id})
    video: Video = _value(outcome)
    return video


def _value(outcome: Outcome) -> Any:
    if isinstance(outcome, Failed):
        raise outcome.error
    if not isinstance(outcome, Ready):
        raise Unreachable("videos.list")
    return outcome.value

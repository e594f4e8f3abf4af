"""Which of the videos that are about to be sent would change folder (section 4.10: all move to the funnel's)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from django.conf import settings

from dashboard.funnels.rules import Card
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken
from dashboard.platform_api.records.funnels import Funnel
from dashboard.platform_api.records.videos import Video, VideoPage
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Outcome, Ready, gather

PAGE, PAGES = 100, 5
ASKED = 40
"""Videos asked for one by one at most; of further ones the folder is said to be not known."""


def names(request: OwnerRequest) -> dict[str, str]:
    """The account's folders by id."""
    return {folder.id: folder.name for folder in reads.of(request).get(lambda platform: platform.folders.list())}


def known(read: Outcome) -> dict[str, str]:
    """The names that `names` brought, none where they could not be had. Only a refused token is raised."""
    match read:
        case Ready(called):
            return called  # type: ignore[no-any-return]  # what `names` returns
        case Failed(BadToken() as error):
            raise error
    return {}


@dataclass
class Moves:
    """The funnel's folder by name, and the videos that leave another for it: (title, name of the folder now)."""

    folder: str = ""
    moving: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Videos that the platform does not have any more."""
    is_target_told: bool = True
    """Whether the platform says in which folder the funnel is."""


def moves(request: OwnerRequest, funnel: Funnel, sent: Sequence[Card]) -> Moves:
    """What is known of the folders. Only a refused token is raised: the rest is said to be not known."""
    called = known(gather(settings.PLATFORM_TIMEOUT, folders=partial(names, request))["folders"])
    found = Moves(folder=called.get(funnel.folder_id or "", ""), is_target_told=funnel.is_folder_told)
    if not funnel.is_folder_told:
        return found
    inside = _inside(request, funnel, len(sent))
    left = [card for card in sent if card.id not in inside]
    answers = reads.of(request).gather(
        settings.PLATFORM_TIMEOUT, **{card.id: partial(_video, card.id) for card in left[:ASKED]}
    )
    for card in left:
        match answers.get(card.id):
            case Ready(video) if video.folder_id != funnel.folder_id:
                found.moving.append((card.title or card.id, called.get(video.folder_id or "", "")))
            case Ready():
                pass
            case Failed(error) if error.status == 404:
                found.missing.append(card.title or card.id)
            case _:
                found.unknown.append(card.title or card.id)
    return found


def _video(video_id: str, platform: Operations) -> Video:
    return platform.videos.get(video_id)


def _inside(request: OwnerRequest, funnel: Funnel, count: int) -> set[str]:
    """Videos in the funnel's folder already, asked for in a few large pages when many are to be sent."""
    if funnel.folder_id is None or count <= PAGES:
        return set()
    pages = {f"page{number}": partial(_page, funnel.folder_id, number) for number in range(1, PAGES + 1)}
    outcomes = reads.of(request).gather(settings.PLATFORM_TIMEOUT, **pages).values()
    return {video.id for outcome in outcomes if isinstance(outcome, Ready) for video in outcome.value.videos}


def _page(folder_id: str, number: int, platform: Operations) -> VideoPage:
    return platform.videos.list(page=number, limit=PAGE, folder_id=folder_id)

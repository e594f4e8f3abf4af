"""Which videos of a request would change folder: sent videos move to the funnel's folder (section 4.10)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from django.conf import settings

from dashboard.funnels.rules import Card
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.videos import Video, VideoPage
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Outcome, Ready, gather

PAGE, PAGES = 100, 5
SINGLE_READS_MOST = 40
"""Videos asked for one by one at most; of further ones the folder is said to be not known."""


def load_folder_names(request: OwnerRequest) -> dict[str, str]:
    """The account's folders by id."""
    return {folder.id: folder.name for folder in reads.of(request).get(lambda platform: platform.folders.list())}


def get_folder_names(outcome: Outcome) -> dict[str, str]:
    """The names that `names` brought, none where they could not be had. Only a refused token is raised."""
    match outcome:
        case Ready(called):
            return called  # type: ignore[no-any-return]  # what `names` returns
        case Failed(BadToken() as error):
            raise error
    return {}


@dataclass
class FolderMoves:
    """The funnel's folder by name, and the videos that leave another for it: (title, name of the folder now)."""

    folder: str = ""
    moving: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Videos that the platform does not have any more."""
    is_target_told: bool = True
    """Whether the platform says in which folder the funnel is."""


def load_moves(request: OwnerRequest, funnel: Funnel, cards: Sequence[Card]) -> FolderMoves:
    """What is known of the folders. Only a refused token is raised: the rest is said to be not known."""
    folder_names = get_folder_names(
        gather(settings.PLATFORM_TIMEOUT, folders=partial(load_folder_names, request))["folders"]
    )
    moves_found = FolderMoves(folder=folder_names.get(funnel.folder_id or "", ""), is_target_told=funnel.is_folder_told)
    if not funnel.is_folder_told:
        return moves_found
    ids_in_folder = _load_ids_in_folder(request, funnel, len(cards))
    other_cards = [card for card in cards if card.id not in ids_in_folder]
    answers = reads.of(request).gather(
        settings.PLATFORM_TIMEOUT,
        **{card.id: partial(_read_video, card.id) for card in other_cards[:SINGLE_READS_MOST]},
    )
    for card in other_cards:
        match answers.get(card.id):
            case Ready(video) if video.folder_id != funnel.folder_id:
                moves_found.moving.append((card.title or card.id, folder_names.get(video.folder_id or "", "")))
            case Ready():
                pass
            case Failed(error) if error.status == 404:
                moves_found.missing.append(card.title or card.id)
            case _:
                moves_found.unknown.append(card.title or card.id)
    return moves_found


def _read_video(video_id: str, platform: Operations) -> Video:
    return platform.videos.get(video_id)


def _load_ids_in_folder(request: OwnerRequest, funnel: Funnel, count: int) -> set[str]:
    """Videos in the funnel's folder already, asked for in a few large pages when many are to be sent."""
    if funnel.folder_id is None or count <= PAGES:
        return set()
    pages = {f"page{number}": partial(_read_page, funnel.folder_id, number) for number in range(1, PAGES + 1)}
    outcomes = reads.of(request).gather(settings.PLATFORM_TIMEOUT, **pages).values()
    return {video.id for outcome in outcomes if isinstance(outcome, Ready) for video in outcome.value.videos}


def _read_page(folder_id: str, number: int, platform: Operations) -> VideoPage:
    return platform.videos.list(page=number, limit=PAGE, folder_id=folder_id)

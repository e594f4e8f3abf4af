"""Which of the videos that are about to be sent would change folder (section 4.10: all move to the funnel's)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from django.conf import settings

from dashboard import clients
from dashboard.funnels.rules import Card
from dashboard.platform_api.errors import BadToken
from dashboard.platform_api.records.funnels import Funnel
from dashboard.shared.fan_out import Failed, Outcome, Ready, gather
from dashboard.shared.http import OwnerRequest
from dashboard.shared.single_flight import shared_read

PAGE, PAGES = 100, 5
ASKED = 40
"""Videos asked for one by one at most; of further ones the folder is said to be not known."""


NAMES_SECONDS = 60.0
"""How old the names of the folders may be."""


def names(request: OwnerRequest) -> dict[str, str]:
    """The account's folders by id."""
    return shared_read(
        f"{request.account.pk}:funnels:folders",
        NAMES_SECONDS,
        lambda: {folder.id: folder.name for folder in clients.platform(request).folders.list()},
    )


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


def moves(request: OwnerRequest, funnel: Funnel, sent: Sequence[Card]) -> Moves:
    """What is known of the folders. Only a refused token is raised: the rest is said to be not known."""
    platform = clients.platform(request)
    called = known(gather(settings.PLATFORM_TIMEOUT, folders=partial(names, request))["folders"])
    found = Moves(folder=called.get(funnel.folder_id or "", ""))
    inside = _inside(request, funnel, len(sent))
    left = [card for card in sent if card.id not in inside]
    reads = {card.id: partial(platform.videos.get, card.id) for card in left[:ASKED]}
    answers = gather(settings.PLATFORM_TIMEOUT, **reads)
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


def _inside(request: OwnerRequest, funnel: Funnel, count: int) -> set[str]:
    """Videos in the funnel's folder already, asked for in a few large pages when many are to be sent."""
    if funnel.folder_id is None or count <= PAGES:
        return set()
    platform, inside = clients.platform(request), set[str]()
    for page in range(1, PAGES + 1):
        answer = gather(
            settings.PLATFORM_TIMEOUT,
            videos=partial(platform.videos.list, page=page, limit=PAGE, folder_id=funnel.folder_id),
        )["videos"]
        if not isinstance(answer, Ready):
            return inside
        inside |= {video.id for video in answer.value.videos}
        if len(answer.value.videos) < PAGE:
            return inside
    return inside

"""What the demo shows of review links that the platform does not know: cuts of one film, and a drawing on the one before."""

import uuid
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from dashboard.accounts.models import Account
from review_portal import cuts, imports, sync
from review_portal.models import CommentDrawing, ReviewLink

CUTS: Final = (("expired", "cut_1"), ("view_only", "cut_2"), ("open", "reviewed"))
"""Links and their videos by role: cut 1, 2 and 3."""
DRAWING: Final = {
    "size": [1280, 720],
    "shapes": [
        {"kind": "ellipse", "colour": "yellow", "points": [7700, 1500, 9550, 4700]},
        {"kind": "arrow", "colour": "yellow", "points": [5200, 1200, 7600, 2500]},
    ],
}
SHORT: Final = "c0ffee0043"


def plant(account: Account, cast: Mapping[str, Any]) -> None:
    """Declare the cuts as the demo's owner, by what `manage.py cast` prints. Raises the `PlatformError` of a failed read."""
    links = [_import(account, cast["review_links"][link], cast["videos"][video]) for link, video in CUTS]
    for earlier, link in pairwise(links):
        cuts.place_after(account, link, earlier)
    values = {"comment_id": uuid.UUID(cast["comments"]["on_cut_2"]), "sketch": DRAWING, "name": "Helena Vasques"}
    CommentDrawing.objects.get_or_create(link=links[1], short=SHORT, defaults={**values, "time": 43})


def _import(account: Account, link_id: str, video_id: str) -> ReviewLink:
    link = imports.import_link(account, uuid.UUID(link_id), uuid.UUID(video_id))
    if not isinstance(link, ReviewLink):
        raise TypeError("the embedded platform confirms every link of the demo")
    sync.merge(link, at_once=True)  # the room counts what is open on a cut before that somebody has read
    return link

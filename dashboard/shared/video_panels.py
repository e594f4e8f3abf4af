"""Panels of the page of one video: each feature says what it knows about the video, the page of the video shows it.

A feature writes a `video_panel.py` and names it in its `apps.py`:

    @video_panel("review_links", title=gettext_noop("Review links"), template="review_links/_video_panel.html", order=30)
    def review_links(request: OwnerRequest, video_id: UUID) -> LinksOfVideo | None: …

What the function returns is `content` in its template; None leaves the panel out. It may read the platform and raise its
`PlatformError`: the panels are read side by side, and a late or failed one says so in its own place.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from dashboard.shared.http import OwnerRequest

Reader = Callable[[OwnerRequest, UUID], object | None]


@dataclass(frozen=True)
class VideoPanel:
    """One panel: its word, its title (a msgid), its template, where it stands, and how its content is read."""

    name: str
    title: str
    template: str
    order: int
    read: Reader
    wide: bool = False
    """Stands under the film, where there is room; else in the narrow column."""


PANELS: dict[str, VideoPanel] = {}


def video_panel(name: str, *, title: str, template: str, order: int, wide: bool = False) -> Callable[[Reader], Reader]:
    """Register a panel. A second one of the same name replaces the first."""

    def register(read: Reader) -> Reader:
        PANELS[name] = VideoPanel(name, title, template, order, read, wide)
        return read

    return register


def panels() -> list[VideoPanel]:
    """Every panel, in the order of the page."""
    return sorted(PANELS.values(), key=lambda panel: (panel.order, panel.name))

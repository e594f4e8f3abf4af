"""Videos and folders in small, as lists hold thousands of them, and which of them somebody wants to see. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from dashboard.platform_api.folders import Folder
from dashboard.platform_api.videos import Video

ROOT: Final = "root"
"""In place of a folder's id: the videos in no folder."""


class Entry(NamedTuple):
    """What a list shows of a video: small enough to keep thousands of them for a minute."""

    id: str
    title: str
    status: str
    folder_id: str
    length: float | None
    created: float | None
    """Seconds since the epoch."""
    updated: float | None
    size: int | None
    thumbnail: str
    is_unplayable: bool
    """Whether the platform says that it cannot be played."""


def entry(video: Video) -> Entry:
    """A video of the platform as an entry of a list."""
    return Entry(
        video.id,
        video.title,
        status=video.status,
        folder_id=video.folder_id or "",
        length=video.length,
        created=_seconds(video.created_at),
        updated=_seconds(video.updated_at),
        size=video.storage_size,
        thumbnail=video.thumbnail or "",
        is_unplayable=video.is_unplayable,
    )


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


class Shelf(NamedTuple):
    """What a library needs of a folder: small enough to keep ten thousand of them for a minute."""

    id: str
    name: str
    parent: str
    """"" in the root."""


def shelf(folder: Folder) -> Shelf:
    """A folder of the platform by its name; one without a name by its id."""
    return Shelf(folder.id, folder.name or folder.id, folder.parent_folder_id or "")


def below(folder: str, shelves: Iterable[Shelf]) -> dict[str, int]:
    """The ids of a folder and of all folders in it, however deep, with their places in its tree, siblings by name."""
    children: dict[str, list[Shelf]] = {}
    for shelf in shelves:
        children.setdefault(shelf.parent, []).append(shelf)
    places: dict[str, int] = {}
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        if here not in places:
            places[here] = len(places)
            by_name = sorted(children.get(here, ()), key=lambda shelf: shelf.name.casefold(), reverse=True)
            waiting += [shelf.id for shelf in by_name]
    return places


@dataclass(frozen=True)
class Wanted:
    """Which videos: those whose `title` contains this, of this `status`, in this `folder` (an id, ROOT, or everywhere)."""

    title: str = ""
    status: str = ""
    folder: str = ""

    @property
    def in_one_folder(self) -> bool:
        """Whether they are those of one folder, and of the folders in it."""
        return self.folder not in ("", ROOT)

    def without_folder(self) -> "Wanted":
        """What is asked for where folders are told apart here."""
        return replace(self, folder="") if self.in_one_folder else self

    def cut(self, entries: Sequence[Entry], shelves: Iterable[Shelf]) -> Sequence[Entry]:
        """Of the entries of `without_folder` those that are wanted, folder by folder."""
        if not self.in_one_folder:
            return entries
        places = below(self.folder, shelves)
        there = [entry for entry in entries if entry.folder_id in places]
        return sorted(there, key=lambda entry: places[entry.folder_id])

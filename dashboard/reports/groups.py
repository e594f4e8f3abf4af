"""The parts of a report: its videos by folder, or one by one, with numbers that add up to its totals. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dashboard.shared.entries import Entry, Shelf


class GroupKind(StrEnum):
    """What a part is."""

    FOLDER = "folder"
    """A folder with everything below it."""
    VIDEO = "video"
    HERE = "here"
    """Videos directly in the folder of the report; of the whole account those in no folder."""
    GONE = "gone"
    """Videos that are not listed any more."""
    REST = "rest"
    """What the platform counts for the account and tells of no video."""


@dataclass(frozen=True)
class Figures:
    """A number of the week, and of the week before; None where that is not compared."""

    now: float
    past: float | None

    @property
    def change(self) -> float:
        """By how much it differs; 0 where nothing is compared."""
        return 0.0 if self.past is None else self.now - self.past

    def __add__(self, other: "Figures") -> "Figures":
        is_compared = self.past is not None and other.past is not None
        return Figures(self.now + other.now, (self.past or 0.0) + (other.past or 0.0) if is_compared else None)


@dataclass(frozen=True)
class VideoFigures:
    """A number by video id. A video that is not named has 0."""

    now: Mapping[str, float]
    past: Mapping[str, float] | None = None

    def of(self, video: str) -> Figures:
        return Figures(self.now.get(video, 0.0), None if self.past is None else self.past.get(video, 0.0))

    def total(self) -> Figures:
        return Figures(sum(self.now.values()), None if self.past is None else sum(self.past.values()))


@dataclass(frozen=True)
class Key:
    """What a part is of: the id of a folder or video with its name; both are empty for what has none."""

    kind: GroupKind
    id: str = ""
    name: str = ""


@dataclass
class Group:
    """A part. `count`: its videos; None where nobody knows. `traffic` None: not known."""

    key: Key
    figures: Figures
    traffic: Figures | None
    count: int | None = 0


HERE: Final = Key(GroupKind.HERE)
GONE: Final = Key(GroupKind.GONE)
REST: Final = Key(GroupKind.REST)


class FolderTree:
    """Folders below `root` ("" for all of them): of each folder, which one directly in the root it belongs to."""

    def __init__(self, shelves: Sequence[Shelf], root: str = "") -> None:
        self._by_id = {shelf.id: shelf for shelf in shelves}
        self._root = root
        self._keys: dict[str, Key] = {}
        self.has_folders = any(self._is_top(shelf) for shelf in shelves)
        """Whether there are any below the root."""

    def get_key(self, folder: str) -> Key:
        """The part that the videos of a folder belong to. Folders in a ring belong to none."""
        way: list[str] = []
        key, here = HERE, self._by_id.get(folder)
        while here is not None and here.id not in way:
            if here.id in self._keys:
                key = self._keys[here.id]
                break
            way.append(here.id)
            if self._is_top(here):
                key = Key(GroupKind.FOLDER, here.id, here.name)
                break
            here = self._by_id.get(here.parent)
        self._keys.update(dict.fromkeys(way, key))
        return key

    def _is_top(self, shelf: Shelf) -> bool:
        return shelf.parent == self._root or (not self._root and shelf.parent not in self._by_id)


def build_groups(
    entries: Sequence[Entry],
    titles: Mapping[str, str],
    tree: FolderTree | None,
    figures: VideoFigures,
    traffic: VideoFigures | None,
) -> list[Group]:
    """The parts of what `entries` and `titles` name: by folder with `tree`, else by video. Together they are all figures.

    `titles`: of the videos that have figures, as the platform told them with these.
    """
    keys = {entry.id: _get_key(entry, tree) for entry in entries}
    nothing = figures.of(""), None if traffic is None else traffic.of("")
    groups: dict[Key, Group] = {}
    counted = _list_counted(figures, traffic)
    for video in [*keys, *(video for video in counted if video not in keys)]:
        key = keys.get(video) or (GONE if tree else Key(GroupKind.VIDEO, video, titles.get(video, "")))
        group = groups.get(key)
        if group is None:
            group = groups[key] = Group(key, *nothing)
        group.count = (group.count or 0) + 1
        if video in counted:
            group.figures += figures.of(video)
            group.traffic = group.traffic + traffic.of(video) if group.traffic and traffic else None
    return list(groups.values())


def _list_counted(figures: VideoFigures, traffic: VideoFigures | None) -> dict[str, None]:
    """The videos that have figures or traffic in either week."""
    named: list[Collection[str]] = [figures.now, figures.past or ()]
    if traffic is not None:
        named += [traffic.now, traffic.past or ()]
    return dict.fromkeys(video for names in named for video in names)


def _get_key(entry: Entry, tree: FolderTree | None) -> Key:
    return tree.get_key(entry.folder_id) if tree else Key(GroupKind.VIDEO, entry.id, entry.title or entry.id)


def build_rest(total: Figures, groups: Iterable[Group]) -> Group | None:
    """What is in a total and in no part; None where the parts are all of it."""
    now = total.now - sum(group.figures.now for group in groups)
    past = None if total.past is None else total.past - sum(group.figures.past or 0.0 for group in groups)
    return Group(REST, Figures(now, past), None, None) if now or past else None

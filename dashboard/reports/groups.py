"""The parts of a report: its videos by folder, or one by one, with numbers that add up to its totals. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class FolderTree:
    """Folders below `root` ("" for all of them): of each folder, which one directly in the root it belongs to."""

    shelves: Sequence[Shelf]
    root: str = ""
    tops: dict[str, Shelf | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        by_id = {shelf.id: shelf for shelf in self.shelves}
        for shelf in self.shelves:
            self._find_top(shelf, by_id)

    @property
    def has_folders(self) -> bool:
        """Whether there are any below the root."""
        return any(self.tops.values())

    def _find_top(self, shelf: Shelf, by_id: Mapping[str, Shelf]) -> None:
        """Walk up to the folder in the root, or to one that is known. Folders in a ring belong to none."""
        way: list[Shelf] = []
        here: Shelf | None = shelf
        top: Shelf | None = None
        while here is not None and here not in way:
            if here.id in self.tops:
                top = self.tops[here.id]
                break
            way.append(here)
            if here.parent == self.root or (not self.root and here.parent not in by_id):
                top = here
                break
            here = by_id.get(here.parent)
        self.tops.update({each.id: top for each in way})


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
    groups: dict[Key, Group] = {}
    for video in _list_videos(keys, figures, traffic):
        key = keys.get(video) or (GONE if tree else Key(GroupKind.VIDEO, video, titles.get(video, "")))
        own = None if traffic is None else traffic.of(video)
        group = groups.get(key)
        if group is None:
            groups[key] = Group(key, figures.of(video), own, 1)
            continue
        group.figures += figures.of(video)
        group.traffic = None if own is None or group.traffic is None else group.traffic + own
        group.count = (group.count or 0) + 1
    return list(groups.values())


def _list_videos(keys: Mapping[str, Key], figures: VideoFigures, traffic: VideoFigures | None) -> Iterable[str]:
    named: list[Collection[str]] = [keys, figures.now, figures.past or ()]
    if traffic is not None:
        named += [traffic.now, traffic.past or ()]
    return dict.fromkeys(video for names in named for video in names)


def _get_key(entry: Entry, tree: FolderTree | None) -> Key:
    if tree is None:
        return Key(GroupKind.VIDEO, entry.id, entry.title or entry.id)
    top = tree.tops.get(entry.folder_id)
    return Key(GroupKind.FOLDER, top.id, top.name) if top else HERE


def build_rest(total: Figures, groups: Iterable[Group]) -> Group | None:
    """What is in a total and in no part; None where the parts are all of it."""
    now = total.now - sum(group.figures.now for group in groups)
    past = None if total.past is None else total.past - sum(group.figures.past or 0.0 for group in groups)
    return Group(REST, Figures(now, past), None, None) if now or past else None

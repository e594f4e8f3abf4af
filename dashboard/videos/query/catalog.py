"""Everything that is known here of an account's videos, prepared for queries: sets of videos are whole numbers. Pure.

Bit n of a set is the video at position n. Of each video a fact is known or not: what is not known is in neither set, neither
"with" nor "without".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.utils.functional import cached_property

from dashboard.shared.entries import Entry, Shelf, below
from dashboard.shared.text import fold

Column = Sequence[Any]
"""One fact of each video, by position; None where it is not known."""

LANGUAGES: Final = "languages"
"""Codes of subtitles, in lower case."""
RESOURCES: Final = "resources"
"""Pairs of an AI resource's kind and its language."""
COMMENTS: Final = "comments"
"""`CommentCounts`."""
LINKS: Final = "links"
"""How many review links."""
FIELDS: Final = "fields"
"""Pairs of a custom field's key and its value."""
CHAT: Final = "chat"
"""The states of its chats: `shown` and `hidden`, of one assistant each."""
TRAFFIC: Final = "traffic"
"""Bytes of the last 28 days."""
PLAYS: Final = "plays"
"""`Counted`: plays."""
VIEWS: Final = "views"
"""`Counted`: views."""
PLACES: Final = ("playlist", "funnel", "ab-test")
"""The names of its playlists, of its funnels, and of its A/B tests: one fact each."""


class CommentCounts(NamedTuple):
    """Top-level comments that are known; `is_complete`: whether there can be no others."""

    open: int
    total: int
    is_complete: bool


class Counted(NamedTuple):
    """A count of 28 whole days, and of the 28 before; None where that is not known."""

    now: float
    before: float | None


class Sets(NamedTuple):
    """The videos of which something is true, and those of which it is not known."""

    true: int
    unknown: int = 0


@dataclass
class Catalog:
    """The videos of an account, in the platform's order, and its folders."""

    entries: tuple[Entry, ...]
    shelves: tuple[Shelf, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    are_folders_known: bool = True
    _sets: dict[object, Sets] = field(default_factory=dict, repr=False)
    """What was worked out before, for as long as the catalog is held."""
    _orders: dict[str, list[int]] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What is shared: the rest is worked out by each process that needs it."""
        state = {name: getattr(self, name) for name in ("entries", "shelves", "columns", "are_folders_known")}
        return {**state, "_sets": {}, "_orders": {}}

    @cached_property
    def everything(self) -> int:
        """The set of all videos."""
        return (1 << len(self.entries)) - 1

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The titles as queries compare them."""
        return tuple(fold(entry.title) for entry in self.entries)

    @cached_property
    def positions(self) -> dict[str, int]:
        """The position of each video, by its id."""
        return {entry.id: position for position, entry in enumerate(self.entries)}

    @cached_property
    def folders_by_name(self) -> dict[str, tuple[str, ...]]:
        """The ids of the folders of each folded name."""
        names: dict[str, tuple[str, ...]] = {}
        for shelf in self.shelves:
            names[fold(shelf.name)] = (*names.get(fold(shelf.name), ()), shelf.id)
        return names

    @cached_property
    def shelf_by_id(self) -> dict[str, Shelf]:
        return {shelf.id: shelf for shelf in self.shelves}

    @cached_property
    def _videos_by_folder(self) -> dict[str, int]:
        positions: dict[str, list[int]] = {}
        for position, entry in enumerate(self.entries):
            positions.setdefault(entry.folder_id, []).append(position)
        return {folder: self.make_set(numbers) for folder, numbers in positions.items()}

    @cached_property
    def _children(self) -> dict[str, tuple[str, ...]]:
        children: dict[str, list[str]] = {}
        for shelf in self.shelves:
            children.setdefault(shelf.parent, []).append(shelf.id)
        return {parent: tuple(ids) for parent, ids in children.items()}

    def column(self, name: str) -> Column:
        """A fact of each video; of what nothing is known at all, nothing of any video."""
        return self.columns.get(name) or (None,) * len(self.entries)

    def find_folders(self, text: str) -> tuple[str, ...]:
        """The ids of the folders that a value names, by id or by name."""
        return (text,) if text in self.shelf_by_id else self.folders_by_name.get(fold(text), ())

    def in_folder(self, folder: str) -> int:
        """The videos directly in a folder; "" for those in none."""
        return self._videos_by_folder.get(folder, 0)

    def in_subfolders(self, folder: str) -> int:
        """The videos in the direct subfolders of a folder."""
        return self._union(self._children.get(folder, ()))

    def below_folder(self, folder: str) -> int:
        """The videos in a folder and in everything below."""
        return self.remembered(("below", folder), lambda: Sets(self._union(below(folder, self.shelves)))).true

    def _union(self, folders: Iterable[str]) -> int:
        return self.union(self.in_folder(folder) for folder in folders)

    @staticmethod
    def union(sets: Iterable[int]) -> int:
        """The videos that are in any of the sets."""
        together = 0
        for numbers in sets:
            together |= numbers
        return together

    def make_set(self, positions: Iterable[int]) -> int:
        """The set of these positions."""
        bits = bytearray(len(self.entries) // 8 + 1)
        for position in positions:
            bits[position >> 3] |= 1 << (position & 7)
        return int.from_bytes(bits, "little")

    def list_positions(self, numbers: int, order: Iterable[int]) -> list[int]:
        """The positions in a set, in the order that is given."""
        bits = numbers.to_bytes(len(self.entries) // 8 + 1, "little")
        return [position for position in order if bits[position >> 3] >> (position & 7) & 1]

    def remembered(self, key: object, make: Callable[[], Sets]) -> Sets:
        """The sets of this key, worked out once."""
        if key not in self._sets:
            if len(self._sets) > MOST_REMEMBERED:
                self._sets.clear()
            self._sets[key] = make()
        return self._sets[key]

    def ordered(self, name: str, make: Callable[[], list[int]]) -> list[int]:
        """The positions in the order of this name, worked out once."""
        if name not in self._orders:
            self._orders[name] = make()
        return self._orders[name]

    def where(self, name: str, holds: Callable[[Any], bool | None]) -> Sets:
        """The videos whose fact holds; `holds` is asked where the fact is known, and may still not know."""
        true, unknown = [], []
        for position, value in enumerate(self.column(name)):
            answer = None if value is None else holds(value)
            if answer:
                true.append(position)
            elif answer is None:
                unknown.append(position)
        return Sets(self.make_set(true), self.make_set(unknown))

    def by_item(self, name: str) -> Mapping[object, int]:
        """Of a fact that is a collection, the videos that have each item."""
        return self._indexes.setdefault(name, self._index(name)) if name not in self._indexes else self._indexes[name]

    @cached_property
    def _indexes(self) -> dict[str, dict[object, int]]:
        return {}

    def _index(self, name: str) -> dict[object, int]:
        positions: dict[object, list[int]] = {}
        for position, value in enumerate(self.column(name)):
            for item in value or ():
                positions.setdefault(item, []).append(position)
        return {item: self.make_set(numbers) for item, numbers in positions.items()}

    def unknown(self, name: str) -> int:
        """The videos of which a fact is not known."""
        return self.remembered(("unknown", name), lambda: Sets(self.where(name, lambda _value: True).unknown)).true


MOST_REMEMBERED: Final = 400
"""Sets that a catalog keeps: each is a bit for each video."""

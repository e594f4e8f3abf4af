"""Weeks of a report and its parts: which days can be compared, when its e-mail leaves, how its videos are grouped. Pure.

A week is Monday to Sunday in the time zone of the account. The numbers of the parts add up to the totals of the report.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from dashboard.shared.entries import Entry, Shelf
from dashboard.shared.ranges import Days, get_day_start, parse_day

LENGTH: Final = 7
EARLIEST: Final = date(2000, 1, 3)
"""A Monday. Nothing older is asked for."""
MAIL_TIME: Final = time(8)
"""When the e-mail about a week leaves, on the Monday after it."""
PATIENCE: Final = timedelta(hours=12)
"""So long the e-mail waits for days that have no numbers yet; then it says which are missing."""
GIVE_UP: Final = timedelta(hours=24)
"""After so long no e-mail about the week leaves any more."""


@dataclass(frozen=True, order=True)
class Week:
    """Seven days from a Monday on."""

    monday: date

    @property
    def days(self) -> Days:
        return Days(self.monday, self.monday + timedelta(days=LENGTH - 1))

    @property
    def before(self) -> "Week":
        return Week(self.monday - timedelta(days=LENGTH))

    @property
    def after(self) -> "Week":
        return Week(self.monday + timedelta(days=LENGTH))

    def get_start(self, zone: ZoneInfo) -> datetime:
        """Its first moment in `zone`, in UTC. A week with a change of clocks has an hour more or less."""
        return get_day_start(self.monday, zone)

    def get_mail_moment(self, zone: ZoneInfo) -> datetime:
        """When its e-mail leaves, in UTC."""
        return datetime.combine(self.after.monday, MAIL_TIME, tzinfo=zone).astimezone(UTC)


def get_week_of(day: date) -> Week:
    """The week that a day is in."""
    return Week(day - timedelta(days=day.weekday()))


def get_last_week(now: datetime, zone: ZoneInfo) -> Week:
    """The last week that is over in `zone`."""
    return get_week_of(now.astimezone(zone).date()).before


def get_first_open_day(now: datetime, zone: ZoneInfo) -> date:
    """Days before this one are over, in `zone` and in UTC, in which the platform is assumed to cut its days."""
    return min(now.astimezone(zone).date(), now.astimezone(UTC).date())


def parse_week(text: str, last: Week) -> Week:
    """The week of a day in an address; `last` for anything else, and for a week that is not over."""
    day = parse_day(text)
    if day is None or day < EARLIEST:
        return last
    return min(get_week_of(day), last)


@dataclass(frozen=True)
class Coverage:
    """Which days a report counts. `past` are as many days a week earlier; None where nothing can be compared.

    `missing` and `missing_past` are the days without numbers of the week and of the week before.
    """

    counted: Days | None
    past: Days | None
    missing: tuple[date, ...]
    missing_past: tuple[date, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every day of both weeks has numbers."""
        return self.counted is not None and not self.missing and not self.missing_past


def get_coverage(week: Week, known: Days | None) -> Coverage:
    """Which days can be counted, where only those in `known` have numbers: compared days have them in both weeks."""
    now, before = _get_common(week.days, known), _get_common(week.before.days, known)
    both = _get_common(now, before.moved(LENGTH)) if now and before else None
    missing, missing_past = tuple(_list_missing(week.days, now)), tuple(_list_missing(week.before.days, before))
    return Coverage(both or now, both.moved(-LENGTH) if both else None, missing, missing_past)


def _get_common(days: Days | None, others: Days | None) -> Days | None:
    if days is None or others is None or not days.touches(others):
        return None
    return Days(max(days.start, others.start), min(days.end, others.end))


def _list_missing(days: Days, known: Days | None) -> Iterator[date]:
    return (day for day in days if known is None or day not in known)


class Step(StrEnum):
    """What is done about a week's e-mail now."""

    WAIT = "wait"
    SEND = "send"
    GIVE_UP = "give-up"


def get_step(now: datetime, moment: datetime, coverage: Coverage | None) -> Step:
    """Whether an e-mail that leaves at `moment` leaves now. `coverage` None: the numbers could not be read."""
    if now >= moment + GIVE_UP:
        return Step.GIVE_UP
    if now < moment or coverage is None or coverage.counted is None:
        return Step.WAIT
    return Step.WAIT if coverage.missing and now < moment + PATIENCE else Step.SEND


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

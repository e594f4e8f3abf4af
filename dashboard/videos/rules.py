"""The address of the list of videos: its query, order, page and columns. Pure."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from dashboard.videos.query import LONGEST

PER_PAGE: Final = 40
PAGE_MOST: Final = 100_000


class SortKey(StrEnum):
    """What the list can be sorted by."""

    TITLE = "title"
    CREATED = "created"
    UPDATED = "updated"
    LENGTH = "length"
    SIZE = "size"
    PLAYS = "plays"
    VIEWS = "views"
    TRAFFIC = "traffic"
    COMMENTS = "comments"


@dataclass(frozen=True)
class VideoSort:
    """An order of the list. Videos of which the value is not known are last in either direction."""

    key: SortKey = SortKey.CREATED
    is_down: bool = True

    def __str__(self) -> str:
        return f"-{self.key}" if self.is_down else self.key.value


NEWEST: Final = VideoSort()


class VideoColumn(StrEnum):
    """Columns that can be chosen; the title with its folder and length is always there."""

    SUBTITLES = "subtitles"
    PLAYS = "plays"
    VIEWS = "views"
    TRAFFIC = "traffic"
    COMMENTS = "comments"
    QUIZ = "quiz"
    CHAT = "chat"
    FIELDS = "fields"
    STATUS = "status"
    CREATED = "created"
    UPDATED = "updated"
    SIZE = "size"
    ID = "id"


COLUMNS: Final = (
    VideoColumn.SUBTITLES,
    VideoColumn.PLAYS,
    VideoColumn.TRAFFIC,
    VideoColumn.COMMENTS,
    VideoColumn.QUIZ,
)
"""What the table shows where nobody has chosen."""
NUMBERS: Final = frozenset({VideoColumn.PLAYS, VideoColumn.VIEWS, VideoColumn.TRAFFIC, VideoColumn.SIZE})
OLD_COLUMNS: Final = {"languages": VideoColumn.SUBTITLES}
"""What columns were called in older addresses."""
NO_COLUMNS: Final = "none"
"""In an address: the title alone; with others, that the form of the columns was sent."""


@dataclass(frozen=True)
class ListState:
    """One view of the list. `last`: the query whose list is shown while `q` has a mistake."""

    q: str = ""
    sort: VideoSort = NEWEST
    page: int = 1
    columns: tuple[VideoColumn, ...] = COLUMNS
    saved: str = ""
    """The id of the saved view that is open."""
    is_all: bool = False
    """Whether everything that matches is selected."""
    last: str = ""

    def params(self, **changes: object) -> dict[str, object]:
        """The query string of this view with `changes`; any change but that of the page leads to the first page."""
        new = replace(self, **({"page": 1, "is_all": False, "last": ""} | changes))  # type: ignore[arg-type]  # by name
        whole: dict[str, object] = {
            "q": new.q,
            "sort": "" if new.sort == NEWEST else str(new.sort),
            "columns": [] if new.columns == COLUMNS else [column.value for column in new.columns] or [NO_COLUMNS],
            "saved": new.saved,
            "page": "" if new.page == 1 else new.page,
            "all": "1" if new.is_all else "",
            "last": new.last,
        }
        return {name: value for name, value in whole.items() if value not in ("", [])}


class Params(Protocol):
    """A query string."""

    def get(self, name: str, default: str, /) -> str | None: ...
    def getlist(self, name: str, /) -> list[str]: ...


def parse_state(params: Params) -> ListState:
    """Parse a query string. Unknown values are ignored."""

    def text(name: str, most: int = LONGEST + 1) -> str:
        return " ".join((params.get(name, "") or "").replace("\0", "").split())[:most]

    page = text("page", 7)
    return ListState(
        q=text("q"),
        sort=parse_sort(text("sort")),
        page=int(page) if page.isascii() and page.isdigit() and 1 <= int(page) <= PAGE_MOST else 1,
        columns=parse_columns(params.getlist("columns")),
        saved=text("saved", 40),
        is_all=text("all") == "1",
        last=text("last"),
    )


def parse_sort(text: str) -> VideoSort:
    """An order as addresses write it; the newest first for any other text."""
    key = text.removeprefix("-")
    return VideoSort(SortKey(key), text.startswith("-")) if key in set(SortKey) else NEWEST


def parse_columns(names: list[str]) -> tuple[VideoColumn, ...]:
    """The chosen ones in their own order; `none` alone is the title and nothing else."""
    if not names:
        return COLUMNS
    values = {OLD_COLUMNS.get(name, name) for name in names}
    return tuple(column for column in VideoColumn if column.value in values)

"""The library's query string, and sorting and filtering of videos. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from typing import Protocol
from unicodedata import combining, normalize
from uuid import UUID

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared.entries import ROOT, Entry, Wanted

PER_PAGE = 24
PAGE_MAX = 100_000
TEXT_MAX = 200


class VideoSort(StrEnum):
    """Orders of the list. The platform documents no order of its own, so LISTED claims none."""

    LISTED = ""
    TITLE = "title"
    TITLE_DOWN = "-title"
    CREATED = "created"
    CREATED_DOWN = "-created"
    LENGTH = "length"
    LENGTH_DOWN = "-length"
    SIZE = "size"
    SIZE_DOWN = "-size"


class ViewMode(StrEnum):
    """Grid or table."""

    GRID = "grid"
    TABLE = "table"


class VideoColumn(StrEnum):
    """Columns of the table that can be chosen; the title is always there."""

    STATUS = "status"
    LANGUAGES = "languages"
    FOLDER = "folder"
    LENGTH = "length"
    CREATED = "created"
    UPDATED = "updated"
    SIZE = "size"
    ID = "id"


COLUMNS = (VideoColumn.STATUS, VideoColumn.LANGUAGES, VideoColumn.LENGTH, VideoColumn.CREATED)
"""What the table shows where the address does not choose."""
SORTED_BY = {
    VideoColumn.LENGTH: VideoSort.LENGTH,
    VideoColumn.CREATED: VideoSort.CREATED,
    VideoColumn.SIZE: VideoSort.SIZE,
}


@dataclass(frozen=True)
class LibraryQuery:
    """One view of the library: filters, sort order, page and columns."""

    q: str = ""
    folder: str = ""
    """An id, ROOT, or "" for everywhere. A folder has the videos of the folders in it too."""
    status: str = ""
    missing: str = ""
    """A language: only videos without subtitles in it."""
    sort: VideoSort = VideoSort.LISTED
    page: int = 1
    view: ViewMode = ViewMode.GRID
    columns: tuple[VideoColumn, ...] = COLUMNS
    languages: bool = False
    """Wait for the languages of every row: the address without script."""

    @property
    def whole(self) -> bool:
        """Whether every matching video must be read: the platform neither sorts nor knows gaps."""
        return bool(self.sort or self.missing)

    @property
    def selection(self) -> Wanted:
        """Which videos these are, without what only the order and the gaps need."""
        return Wanted(self.q, self.status, self.folder)

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.q or self.folder or self.status or self.missing)

    def params(self, **changes: object) -> dict[str, object]:
        """The query string of this view with `changes`; any change but that of the page leads to the first page."""
        new = replace(self, **({"page": 1} | changes))  # type: ignore[arg-type]  # fields by name
        whole: dict[str, object] = {
            "q": new.q,
            "folder": new.folder,
            "status": new.status,
            "missing": new.missing,
            "sort": new.sort.value,
            "view": "" if new.view is ViewMode.GRID else new.view.value,
            "columns": [] if new.columns == COLUMNS else [column.value for column in new.columns] or ["none"],
            "page": "" if new.page == 1 else new.page,
            "languages": "1" if new.languages else "",
        }
        return {name: value for name, value in whole.items() if value not in ("", [])}


class Params(Protocol):
    """A query string."""

    def get(self, name: str, default: str, /) -> str | None: ...
    def getlist(self, name: str, /) -> list[str]: ...


def parse_query(params: Params) -> LibraryQuery:
    """Parse a query string. Unknown values are ignored."""

    def text(name: str) -> str:
        return (params.get(name, "") or "").strip()[:TEXT_MAX]

    page = text("page")
    sort, view = text("sort"), text("view")
    return LibraryQuery(
        q=text("q"),
        folder=_parse_folder(text("folder")),
        status=text("status"),
        missing=next((code for code in LANGUAGES if code.lower() == text("missing").lower()), ""),
        sort=VideoSort(sort) if sort in set(VideoSort) else VideoSort.LISTED,
        page=int(page) if page.isascii() and page.isdigit() and 1 <= int(page[:7]) <= PAGE_MAX and len(page) < 7 else 1,
        view=ViewMode.TABLE if view == ViewMode.TABLE else ViewMode.GRID,
        columns=_parse_columns(params.getlist("columns")),
        languages=text("languages") == "1",
    )


def _parse_folder(text: str) -> str:
    if text == ROOT:
        return ROOT
    try:
        return str(UUID(text))
    except ValueError:
        return ""


def _parse_columns(names: list[str]) -> tuple[VideoColumn, ...]:
    """The chosen ones in their own order; `none` alone is the title and nothing else."""
    if not names:
        return COLUMNS
    return tuple(column for column in VideoColumn if column.value in names)


def sort_entries(entries: Sequence[Entry], sort: VideoSort) -> Sequence[Entry]:
    """The entries in the order of `sort`; those without the value stand last in either direction."""
    if sort is VideoSort.LISTED:
        return entries
    down, name = sort.startswith("-"), sort.removeprefix("-")
    if name == "title":
        return sorted(entries, key=lambda entry: (_alphabetical(entry.title), entry.id), reverse=down)
    known = [entry for entry in entries if getattr(entry, name) is not None]
    unknown = [entry for entry in entries if getattr(entry, name) is None]
    return sorted(known, key=lambda entry: (getattr(entry, name), entry.id), reverse=down) + unknown


def _alphabetical(title: str) -> str:
    """Sort key of a title: without case and accents."""
    return "".join(c for c in normalize("NFKD", title) if not combining(c)).casefold()


@dataclass(frozen=True)
class Gaps:
    """Videos without subtitles in a language, as far as their languages are known."""

    entries: tuple[Entry, ...]
    known: int
    unknown: tuple[str, ...]
    """Ids whose languages have not been looked up yet, in the order of the list."""


def find_gaps(entries: Iterable[Entry], known: Mapping[str, frozenset[str]], lang: str) -> Gaps:
    """Which of `entries` have no subtitles in `lang`. Another region of the same language does not close the gap."""
    lacking: list[Entry] = []
    unknown: list[str] = []
    count = 0
    for entry in entries:
        languages = known.get(entry.id)
        if languages is None:
            unknown.append(entry.id)
            continue
        count += 1
        if lang.lower() not in languages:
            lacking.append(entry)
    return Gaps(tuple(lacking), count, tuple(unknown))


def key_of(*words: object) -> str:
    """A digest of what people typed: a key of the cache has neither spaces nor any length."""
    return blake2b("\x1f".join(map(str, words)).encode(), digest_size=12).hexdigest()


def page_of(entries: Sequence[Entry], page: int) -> Sequence[Entry]:
    """The entries of one page, from 1."""
    return entries[(page - 1) * PER_PAGE : page * PER_PAGE]

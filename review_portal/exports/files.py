"""One file per extension."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from review_portal.exports import edl, fcpxml, lists, xmeml
from review_portal.exports.notes import Note, Options
from review_portal.exports.plain import one_line

Writer = Callable[[Sequence[Note], Options], str]

_WRITERS: Final[dict[str, tuple[Writer, str]]] = {
    "csv": (lists.csv, "text/csv; charset=utf-8"),
    "txt": (lists.text, "text/plain; charset=utf-8"),
    "json": (lists.json, "application/json"),
    "edl": (edl.write, "text/plain; charset=utf-8"),
    "fcpxml": (fcpxml.write, "application/xml"),
    "xml": (xmeml.write, "application/xml"),
}
EXTENSIONS: Final = tuple(_WRITERS)
CONTENT_TYPES: Final = {extension: content_type for extension, (_writer, content_type) in _WRITERS.items()}
MARKERS: Final = ("edl", "fcpxml", "xml")
"""Those that depend on frame rate and start timecode."""

_NOT_IN_NAMES = '<>:"/\\|?*'


@dataclass(frozen=True, slots=True)
class File:
    """A file to hand over; `name` is fit for every file system."""

    name: str
    content_type: str
    content: bytes


def write(extension: str, notes: Sequence[Note], options: Options) -> File:
    """The notes as a file of `extension`: lists keep the order they come in, markers are in the order of time.

    Raises `KeyError` for an extension that is not in `EXTENSIONS`.
    """
    writer, content_type = _WRITERS[extension]
    return File(f"{_name(options)}.{extension}", content_type, writer(notes, options).encode("utf-8", "replace"))


def _name(options: Options) -> str:
    words = " - ".join(part for part in (options.title, options.subtitle) if part)
    name = "".join(" " if char in _NOT_IN_NAMES else char for char in one_line(words))
    return " ".join(name.split()).strip(". ")[:100].strip(". ") or "comments"

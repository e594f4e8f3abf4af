"""What an export is made of: notes, options and words, and text without what files cannot hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from review_portal.exports.timecode import DEFAULT_RATE, DEFAULT_START, FrameRate, parse


def clean(words: str) -> str:
    """Without control characters, lone surrogates and non-characters; line breaks as \\n. Emoji and accents stay whole."""
    lines = words.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char for char in lines if char in "\n\t" or not _unfit(ord(char)))


def one_line(words: str) -> str:
    """The same with every run of white space, line breaks included, as one space."""
    return " ".join(clean(words).split())


def _unfit(code: int) -> bool:
    return code < 0x20 or 0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE


RESOLVED: Final = "resolved"
APPROVED: Final = "approve"
"""The verdict after which nothing is left to do."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; it has its parent's time."""

    author: str
    text: str
    created_at: datetime | None = None
    by_owner: bool = False
    namesake: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A main comment with its replies.

    `time` is in whole seconds, and `end` where a span that the text names ends. `link` is the link it came through.
    """

    time: int
    author: str
    text: str
    status: str = "open"
    created_at: datetime | None = None
    replies: tuple[Reply, ...] = ()
    id: str = ""
    link: str = ""
    end: int | None = None
    by_owner: bool = False
    """Written at the owner's desk."""
    namesake: bool = False
    """Somebody else whose name looks the same wrote before."""
    microseconds: int | None = None
    """Where its exact frame begins, where that is known."""
    drawing: str = ""
    """Its drawing in words."""
    sketch: Mapping[str, object] | None = None
    """The same as shapes (`review_portal.drawings`)."""

    @property
    def resolved(self) -> bool:
        """Anything that is not resolved still wants attention."""
        return self.status == RESOLVED


@dataclass(frozen=True, slots=True)
class Decided:
    """What a reviewer decided about the video: `verdict` as programs read it, `label` for people."""

    name: str
    verdict: str
    label: str
    note: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class CutNumber:
    """Which cut the video is; `label`: the same for people."""

    number: int
    total: int
    label: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words of the files that people read, in their language."""

    time: str = "Time"
    until: str = "Until"
    seconds: str = "Seconds"
    timecode: str = "Timecode"
    author: str = "Name"
    status: str = "Status"
    text: str = "Comment"
    replies: str = "Replies"
    created: str = "Written"
    link: str = "Review link"
    open: str = "open"
    resolved: str = "resolved"
    none: str = "No comments."
    missing: str = "Comments written outside Reelroom are not included."
    owner: str = "Owner"
    namesake: str = "another person of this name"
    decisions: str = "Decisions"

    def writer(self, note: Note | Reply) -> str:
        """Who wrote it; the owner and a second person of a name are marked: no name holds a bracket."""
        mark = self.owner if note.by_owner else self.namesake if note.namesake else ""
        return f"{note.author} ({mark})" if mark else note.author

    def state(self, note: Note) -> str:
        """The note's status as a word; a status nobody knows stays as it came."""
        return {"open": self.open, RESOLVED: self.resolved}.get(note.status, note.status)


@dataclass(frozen=True, slots=True)
class Options:
    """`start` is the timecode the timeline begins with, `duration` the video's length in seconds if it is known.

    Raises `BadTimecode` for a start that the rate cannot have.
    """

    title: str
    subtitle: str = ""
    rate: FrameRate = DEFAULT_RATE
    start: str = DEFAULT_START
    duration: float | None = None
    exported_at: datetime | None = None
    words: Words = field(default_factory=Words)
    decisions: tuple[Decided, ...] = ()
    """Those that count, newest first."""
    cut: CutNumber | None = None
    """Where the video is one of several cuts."""
    whole: bool = True
    """Whether there are no others than these and those that were filtered out."""

    def __post_init__(self) -> None:
        parse(self.start, self.rate)

    @property
    def start_frame(self) -> int:
        """The frame number of `start`."""
        return parse(self.start, self.rate)

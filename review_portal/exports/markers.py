"""Notes as markers on a timeline: frames, names, notes, and notes of one frame joined where an editor keeps only one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from review_portal.exports.notes import APPROVED, Decided, Note, Options
from review_portal.exports.plain import one_line
from review_portal.exports.timecode import FrameRate, frame_at, frame_of


@dataclass(frozen=True, slots=True)
class Marker:
    """`frame` and `length` count from the start of the video; `length` is 1 for a moment.

    `gist` says who and what on one line, `lines` are the whole note with its replies.
    """

    frame: int
    length: int
    name: str
    gist: str
    lines: tuple[str, ...]
    resolved: bool


def markers(notes: Sequence[Note], options: Options) -> list[Marker]:
    """One marker per note, in the order of time, and one per decision where the video ends."""
    placed = sorted((_marker(note, options) for note in notes), key=lambda marker: marker.frame)
    end = _find_end(placed, options)
    return placed + [_mark_decision(decided, end) for decided in reversed(options.decisions)]


def joined(several: Sequence[Marker]) -> Iterator[Marker]:
    """Markers of the same frame as one, open while one of them is, as long as the longest."""
    for _frame, group in groupby(several, key=lambda marker: marker.frame):
        first, *rest = group
        if not rest:
            yield first
            continue
        all_of_them = [first, *rest]
        lines = (
            f"{marker.name}: {line}" if n == 0 else line
            for marker in all_of_them
            for n, line in enumerate(marker.lines)
        )
        yield replace(
            first,
            length=max(marker.length for marker in all_of_them),
            gist=" / ".join(marker.gist for marker in all_of_them),
            name=", ".join(dict.fromkeys(marker.name for marker in all_of_them)),
            lines=tuple(lines),
            resolved=all(marker.resolved for marker in all_of_them),
        )


def length_of_timeline(several: Sequence[Marker], options: Options) -> int:
    """Frames of the whole video; where its length is not known, a second after the last marker's end."""
    last = max((marker.frame + marker.length for marker in several), default=0)
    if options.duration is None:
        return last + options.rate.nominal
    return max(_whole_frames(options.duration, options.rate), last, 1)


def first_frame(note: Note, rate: FrameRate) -> int:
    """The frame, from 0, that a note is about."""
    return frame_of(note.time, rate) if note.microseconds is None else frame_at(note.microseconds, rate)


def _marker(note: Note, options: Options) -> Marker:
    start, end = first_frame(note, options.rate), note.end
    if end is not None and options.duration is not None:
        end = min(end, int(options.duration))
    length = 1 if end is None else max(1, frame_of(end, options.rate) - start)
    writer = options.words.writer(note)
    replies = tuple(f"{options.words.writer(reply)}: {reply.text}" for reply in note.replies)
    gist = one_line(f"{writer}: {note.text}")
    drawing = (note.drawing,) if note.drawing else ()
    return Marker(start, length, writer, gist, (note.text, *drawing, *replies), note.resolved)


def _find_end(placed: Sequence[Marker], options: Options) -> int:
    """The last frame of the video; where its length is not known, that of the last marker."""
    last = max((marker.frame for marker in placed), default=0)
    return last if options.duration is None else max(last, _whole_frames(options.duration, options.rate) - 1)


def _mark_decision(decided: Decided, frame: int) -> Marker:
    lines = (decided.label, decided.note) if decided.note else (decided.label,)
    gist = one_line(": ".join((f"{decided.name}: {decided.label}", *lines[1:])))
    return Marker(frame, 1, decided.name, gist, lines, resolved=decided.verdict == APPROVED)


def _whole_frames(seconds: float, rate: FrameRate) -> int:
    return -int(-seconds * rate.exact.numerator // rate.exact.denominator)

"""Notes as markers on a timeline, for three editing rooms; notes of one frame are joined where an editor keeps only one.

DaVinci Resolve: the EDL it writes and reads under Timelines, Timeline markers. A marker is an event of one frame followed
by a line `note |C:colour |M:name |D:frames`. Hours always have two digits (with one Resolve fails silently), the start
timecode is in every label (else all markers are an hour off), `|` and line breaks cannot be in a note, and of two markers
on one frame Resolve keeps one, so they are joined before. A line that begins with a digit is an event to every reader of
EDL, and some first words are commands: such a note begins with `> `.

Final Cut Pro: a project whose one gap is as long as the video and carries them. Version 1.8 is read by everything since
10.4. Times are rational seconds, whole multiples of the frame's duration. An open comment is a standard marker (blue), a
resolved one a completed to-do (green). A clip holds one marker per frame, so those of one frame are joined.

Premiere Pro: a sequence in the XML of Final Cut 7, which is what Premiere imports (it cannot read FCPXML). `pproColor` is
Premiere's own number of a colour; green is its default and has none. A moment ends at -1. Premiere keeps several markers on
one frame, so each comment stays its own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final
from xml.etree import ElementTree as ET

from review_portal.exports.notes import APPROVED, Decided, Note, Options, clean, one_line
from review_portal.exports.timecode import FrameRate, frame_at, frame_of, label


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
    return Marker(
        frame=start,
        length=length,
        name=writer,
        gist=gist,
        lines=(note.text, *drawing, *replies),
        resolved=note.resolved,
    )


def _find_end(placed: Sequence[Marker], options: Options) -> int:
    """The last frame of the video; where its length is not known, that of the last marker."""
    last = max((marker.frame for marker in placed), default=0)
    return last if options.duration is None else max(last, _whole_frames(options.duration, options.rate) - 1)


def _mark_decision(decided: Decided, frame: int) -> Marker:
    lines = (decided.label, decided.note) if decided.note else (decided.label,)
    gist = one_line(": ".join((f"{decided.name}: {decided.label}", *lines[1:])))
    return Marker(
        frame=frame, length=1, name=decided.name, gist=gist, lines=lines, resolved=decided.verdict == APPROVED
    )


def _whole_frames(seconds: float, rate: FrameRate) -> int:
    return -int(-seconds * rate.exact.numerator // rate.exact.denominator)


GUARD: Final = "> "
_COMMAND: Final = re.compile(
    r"[\d*]|TITLE|FCM|SPLIT|FROM|TO\b|LOC|ASC_|M2|AUD|BL\b|BARS|BLACK|KEY|EFFECT|FINAL|SOURCE|DLEDL|OTIO|FREEZE|REEL|CDL"
)
OPEN, RESOLVED = "ResolveColorBlue", "ResolveColorGreen"


def write_edl(notes: Sequence[Note], options: Options) -> str:
    """The whole file."""
    mode = "DROP FRAME" if options.rate.drop else "NON-DROP FRAME"
    lines = [f"TITLE: {_line(options.title) or 'Comments'}", f"FCM: {mode}", ""]
    for number, marker in enumerate(joined(markers(notes, options)), 1):
        lines += [*_event(number, marker, options), ""]
    return "\n".join(lines) + "\n"


def _event(number: int, marker: Marker, options: Options) -> tuple[str, str]:
    first = options.start_frame + marker.frame
    start, end = label(first, options.rate), label(first + 1, options.rate)
    note = _guarded(" / ".join(_line(line) for line in marker.lines))
    colour = RESOLVED if marker.resolved else OPEN
    return (
        f"{number:03}  001      V     C        {start} {end} {start} {end}  ",
        f"{note} |C:{colour} |M:{_line(marker.name)} |D:{marker.length}",
    )


def _guarded(note: str) -> str:
    """The note, marked where a reader would take its beginning for an event or a command."""
    return GUARD + note if _COMMAND.match(note) else note


def _line(words: str) -> str:
    """One line without what ends a field."""
    return one_line(words.replace("|", "/"))


VERSION = "1.8"
NAME_MOST = 120
_FORMATS = {"23.976": "2398", "29.97": "2997", "59.94": "5994"}


def write_fcpxml(notes: Sequence[Note], options: Options) -> str:
    """The whole file."""
    several = list(joined(markers(notes, options)))
    rate, title = options.rate, one_line(options.title) or "Comments"
    length, start = _time(length_of_timeline(several, options), rate), _time(options.start_frame, rate)
    root = ET.Element("fcpxml", version=VERSION)
    resources = ET.SubElement(root, "resources")
    format_name = f"FFVideoFormat1080p{_FORMATS.get(rate.key.removesuffix('df'), rate.key)}"
    ET.SubElement(
        resources, "format", id="r1", name=format_name, frameDuration=_time(1, rate), width="1920", height="1080"
    )
    event = ET.SubElement(ET.SubElement(root, "library"), "event", name=title)
    project = ET.SubElement(event, "project", name=title)
    counting = "DF" if rate.drop else "NDF"
    sequence = ET.SubElement(project, "sequence", format="r1", duration=length, tcStart=start, tcFormat=counting)
    spine = ET.SubElement(sequence, "spine")
    gap = ET.SubElement(spine, "gap", name=title, offset=start, start="0s", duration=length)
    for marker in several:
        _add_to_gap(gap, marker, rate)
    ET.indent(root, "    ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE fcpxml>\n{ET.tostring(root, "unicode")}\n'


def _add_to_gap(gap: ET.Element, marker: Marker, rate: FrameRate) -> None:
    gist = marker.gist
    attributes = {
        "start": _time(marker.frame, rate),
        "duration": _time(marker.length, rate),
        "value": gist if len(gist) <= NAME_MOST else f"{gist[: NAME_MOST - 1].rstrip()}…",
        "note": clean("\n".join(marker.lines)),
    }
    if marker.resolved:
        attributes["completed"] = "1"
    ET.SubElement(gap, "marker", attributes)


def _time(frames: int, rate: FrameRate) -> str:
    """Frames as rational seconds: 60 at 29.97 as 60060/30000s. Not reduced: the frame stays visible."""
    ticks, per_second = (1001, rate.nominal * 1000) if rate.ntsc else (100, rate.nominal * 100)
    return f"{frames * ticks}/{per_second}s" if frames else "0s"


OPEN_COLOUR = "4294741314"  # blue
MOMENT = "-1"


def write_xmeml(notes: Sequence[Note], options: Options) -> str:
    """The whole file."""
    several = markers(notes, options)
    root = ET.Element("xmeml", version="4")
    sequence = ET.SubElement(root, "sequence", id="sequence-1")
    _text(sequence, "name", one_line(options.title) or "Comments")
    _text(sequence, "duration", str(length_of_timeline(several, options)))
    _rate(sequence, options.rate)
    _timecode(sequence, options)
    video = ET.SubElement(ET.SubElement(sequence, "media"), "video")
    picture = ET.SubElement(ET.SubElement(video, "format"), "samplecharacteristics")
    _rate(picture, options.rate)
    for name, value in (
        ("width", "1920"),
        ("height", "1080"),
        ("pixelaspectratio", "square"),
        ("fielddominance", "none"),
    ):
        _text(picture, name, value)
    ET.SubElement(video, "track")
    for marker in several:
        _add_to_sequence(sequence, marker)
    ET.indent(root, "    ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n{ET.tostring(root, "unicode")}\n'


def _add_to_sequence(sequence: ET.Element, marker: Marker) -> None:
    element = ET.SubElement(sequence, "marker")
    _text(element, "comment", "\n".join(marker.lines))
    _text(element, "name", marker.name)
    _text(element, "in", str(marker.frame))
    _text(element, "out", MOMENT if marker.length == 1 else str(marker.frame + marker.length))
    if not marker.resolved:
        _text(element, "pproColor", OPEN_COLOUR)


def _timecode(sequence: ET.Element, options: Options) -> None:
    timecode = ET.SubElement(sequence, "timecode")
    _rate(timecode, options.rate)
    _text(timecode, "string", label(options.start_frame, options.rate))
    _text(timecode, "frame", str(options.start_frame))
    _text(timecode, "displayformat", "DF" if options.rate.drop else "NDF")


def _rate(parent: ET.Element, rate: FrameRate) -> None:
    element = ET.SubElement(parent, "rate")
    _text(element, "timebase", str(rate.nominal))
    _text(element, "ntsc", "TRUE" if rate.ntsc else "FALSE")


def _text(parent: ET.Element, name: str, words: str) -> None:
    ET.SubElement(parent, name).text = clean(words)

"""Timeline markers for DaVinci Resolve: the EDL it writes and reads under Timelines, Timeline markers.

A marker is an event of one frame followed by a line `note |C:colour |M:name |D:frames`. Hours always have two digits
(with one Resolve fails silently), the start timecode is in every label (else all markers are an hour off), `|` and line
breaks cannot be in a note, and of two markers on one frame Resolve keeps one, so they are joined before. A line that
begins with a digit is an event to every reader of EDL, and some first words are commands: such a note begins with `> `.
"""

import re
from collections.abc import Sequence
from typing import Final

from review_portal.exports.markers import Marker, joined, markers
from review_portal.exports.notes import Note, Options
from review_portal.exports.plain import one_line
from review_portal.exports.timecode import label

GUARD: Final = "> "
_COMMAND: Final = re.compile(
    r"[\d*]|TITLE|FCM|SPLIT|FROM|TO\b|LOC|ASC_|M2|AUD|BL\b|BARS|BLACK|KEY|EFFECT|FINAL|SOURCE|DLEDL|OTIO|FREEZE|REEL|CDL"
)
OPEN, RESOLVED = "ResolveColorBlue", "ResolveColorGreen"


def write(notes: Sequence[Note], options: Options) -> str:
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

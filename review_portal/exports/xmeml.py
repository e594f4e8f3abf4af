"""Markers for Premiere Pro: a sequence in the XML of Final Cut 7, which is what Premiere imports (it cannot read FCPXML).

`pproColor` is Premiere's own number of a colour; green is its default and has none. A moment ends at -1. Premiere keeps
several markers on one frame, so each comment stays its own.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from review_portal.exports.markers import Marker, length_of_timeline, markers
from review_portal.exports.notes import Note, Options
from review_portal.exports.plain import clean, one_line
from review_portal.exports.timecode import FrameRate, label

OPEN_COLOUR = "4294741314"  # blue
MOMENT = "-1"


def write(notes: Sequence[Note], options: Options) -> str:
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
        _add(sequence, marker)
    ET.indent(root, "    ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n{ET.tostring(root, "unicode")}\n'


def _add(sequence: ET.Element, marker: Marker) -> None:
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

"""Markers for Final Cut Pro: a project whose one gap is as long as the video and carries them.

Version 1.8 is read by everything since 10.4. Times are rational seconds, whole multiples of the frame's duration. An open
comment is a standard marker (blue), a resolved one a completed to-do (green). A clip holds one marker per frame, so those
of one frame are joined.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from review_portal.exports.markers import Marker, joined, length_of_timeline, markers
from review_portal.exports.notes import Note, Options
from review_portal.exports.plain import clean, one_line
from review_portal.exports.timecode import FrameRate

VERSION = "1.8"
NAME_MOST = 120
_FORMATS = {"23.976": "2398", "29.97": "2997", "59.94": "5994"}


def write(notes: Sequence[Note], options: Options) -> str:
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
        _add(gap, marker, rate)
    ET.indent(root, "    ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE fcpxml>\n{ET.tostring(root, "unicode")}\n'


def _add(gap: ET.Element, marker: Marker, rate: FrameRate) -> None:
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

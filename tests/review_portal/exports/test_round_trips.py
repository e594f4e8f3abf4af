"""Marker files, read back by opentimelineio and by the standard library's XML reader."""

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from review_portal.exports.files import write
from review_portal.exports.notes import Note, Options, Reply
from review_portal.exports.timecode import RATES, FrameRate, frame_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the library's own
    import opentimelineio as otio

ALL = list(RATES.values())
WHOLE = [rate for rate in ALL if not rate.ntsc]
MARKER = re.compile(r"(?P<note>.*) \|C:(?P<colour>\w+) \|M:(?P<name>[^|]*) \|D:(?P<length>\d+)")
TIMES = (0, 60, 600, 3599)
"""Where the markers are once those of one frame are joined."""


def at(options: Options, rate: FrameRate) -> Options:
    return replace(options, rate=rate, start="01:00:00:00")


def read(content: str | bytes, adapter: str, **arguments: object) -> Any:
    text = content.decode() if isinstance(content, bytes) else content
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return otio.adapters.read_from_string(text, adapter, **arguments)


def events(content: bytes, rate: FrameRate) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Frame of the source, frames, and the marker's fields, as the EDL reader finds them."""
    for clip in read(content, "cmx_3600", rate=float(rate.exact)).find_clips():
        (line,) = clip.metadata["cmx_3600"]["comments"]
        found = MARKER.fullmatch(line)
        assert found, line
        yield int(clip.source_range.start_time.value), int(clip.source_range.duration.value), found


@pytest.mark.parametrize("rate", ALL, ids=lambda rate: rate.key)
def test_an_edl_reader_finds_every_marker_at_its_frame(rate: FrameRate, notes: list[Note], options: Options) -> None:
    options = at(options, rate)
    found = list(events(write("edl", notes, options).content, rate))
    assert [frame for frame, _length, _marker in found] == [options.start_frame + frame_of(t, rate) for t in TIMES]
    assert {length for _frame, length, _marker in found} == {1}


def test_resolve_gets_colours_names_and_the_length_of_a_span(notes: list[Note], options: Options) -> None:
    found = [marker.groupdict() for _f, _l, marker in events(write("edl", notes, options).content, RATES["25"])]
    assert [marker["colour"] for marker in found] == ["ResolveColorGreen", *["ResolveColorBlue"] * 3]
    assert found[1]["name"] == "Ana Lúcia Prado, Jonas Weber"
    assert found[1]["length"] == str(12 * 25)


def test_resolve_would_drop_one_of_two_markers_on_a_frame_so_they_are_one(notes: list[Note], options: Options) -> None:
    joined = [marker["note"] for _f, _l, marker in events(write("edl", notes, options).content, RATES["25"])][1]
    assert joined == (
        "Ana Lúcia Prado: 1:00-1:12 Legal needs the origin line / Téo Martins: Two seconds more, then? Or three. / "
        "Ana Lúcia Prado: @Téo Martins Three. / Jonas Weber: Could we see the cup a beat earlier? 👩‍🌾"
    )


@pytest.mark.parametrize("text", ["a | b", "a\nb", "a\r\nb", "a\x0bb", "a\u2028b", "a |C:ResolveColorRed |M:x |D:9"])
def test_nothing_in_a_note_ends_its_field_or_its_line(text: str, options: Options) -> None:
    note = Note(1, text, text, replies=(Reply(text, text),))
    content = write("edl", [note], replace(options, title=text)).content
    ((_frame, _length, marker),) = events(content, RATES["25"])
    assert marker["colour"] == "ResolveColorBlue"
    assert len(content.decode().splitlines()) == 6


@pytest.mark.parametrize(("start", "expected"), [("00:00:00:00", "00:00:05:00"), ("10:00:00:00", "10:00:05:00")])
def test_the_start_timecode_is_in_every_label_with_two_digit_hours(start: str, expected: str, options: Options) -> None:
    content = write("edl", [Note(5, "Ana", "x")], replace(options, start=start)).content.decode()
    assert f"001  001      V     C        {expected} " in content


def test_drop_frame_is_said_and_written_with_a_semicolon(options: Options) -> None:
    note = [Note(60, "Ana", "x")]
    drop = write("edl", note, at(options, RATES["29.97df"])).content.decode()
    assert "FCM: DROP FRAME" in drop
    assert "01:01:00;02 01:01:00;03" in drop
    whole = write("edl", note, at(options, RATES["29.97"])).content.decode()
    assert "FCM: NON-DROP FRAME" in whole
    assert "01:00:59:29 01:01:00:00" in whole


@pytest.mark.parametrize("rate", ALL, ids=lambda rate: rate.key)
def test_an_xmeml_reader_finds_start_rate_and_every_marker(
    rate: FrameRate, notes: list[Note], options: Options
) -> None:
    options = at(options, rate)
    timeline = read(write("xml", notes, options).content, "fcp_xml")
    assert timeline.name == "Serra Alta, launch film"
    assert timeline.global_start_time.value == options.start_frame
    assert timeline.global_start_time.rate == pytest.approx(float(rate.exact), abs=0.005)
    found = timeline.tracks.markers
    frames = [int(marker.marked_range.start_time.value) for marker in found]
    assert frames == [frame_of(seconds, rate) for seconds in (0, 60, 60, 600, 3599)]
    assert int(found[1].marked_range.duration.value) == frame_of(72, rate) - frame_of(60, rate)


def test_premiere_gets_the_whole_note_and_blue_for_what_is_open(notes: list[Note], options: Options) -> None:
    found = read(write("xml", notes, options).content, "fcp_xml").tracks.markers
    assert found[1].name == "Ana Lúcia Prado"
    assert found[1].metadata["fcp_xml"]["comment"] == (
        "1:00-1:12 Legal needs the origin line\nTéo Martins: Two seconds more, then?\nOr three.\n"
        "Ana Lúcia Prado: @Téo Martins Three."
    )
    blue = "4294741314"
    assert [m.metadata["fcp_xml"].get("pproColor") for m in found] == [None, blue, None, blue, blue]


@pytest.mark.parametrize(
    ("key", "ntsc", "counting"), [("29.97df", "TRUE", "DF"), ("29.97", "TRUE", "NDF"), ("30", "FALSE", "NDF")]
)
def test_premiere_is_told_how_labels_count(
    key: str, ntsc: str, counting: str, notes: list[Note], options: Options
) -> None:
    sequence = ET.fromstring(write("xml", notes, at(options, RATES[key])).content).find("sequence")
    assert sequence is not None
    assert sequence.findtext("rate/ntsc") == ntsc
    assert sequence.findtext("timecode/displayformat") == counting


@pytest.mark.parametrize("rate", WHOLE, ids=lambda rate: rate.key)
def test_an_fcpxml_reader_finds_every_marker_and_its_state(
    rate: FrameRate, notes: list[Note], options: Options
) -> None:
    """It reads markers of clips only, and only whole rates: for it, the gap becomes a clip."""
    content = write("fcpxml", notes, at(options, rate)).content.decode()
    media = '<asset id="r2" name="x" src="file:///x.mov" start="0s" duration="3601s" hasVideo="1" format="r1"/>'
    inner = '<video ref="r2" offset="0s" duration="3601s"/>'
    content = content.replace("</resources>", f"{media}</resources>")
    content = content.replace("<gap ", "<clip ").replace("</gap>", f"{inner}</clip>")
    (timeline,) = read(content, "fcpx_xml")
    (clip,) = timeline.find_clips()
    assert [int(m.marked_range.start_time.value) for m in clip.markers] == [frame_of(t, rate) for t in TIMES]
    assert [m.color for m in clip.markers] == ["GREEN", "PURPLE", "PURPLE", "PURPLE"]


@pytest.mark.parametrize("rate", ALL, ids=lambda rate: rate.key)
def test_every_time_of_an_fcpxml_is_a_whole_number_of_frames(
    rate: FrameRate, notes: list[Note], options: Options
) -> None:
    options = at(options, rate)
    root = ET.fromstring(write("fcpxml", notes, options).content)
    sequence, gap = next(root.iter("sequence")).attrib, next(root.iter("gap")).attrib
    frame = seconds(next(root.iter("format")).attrib["frameDuration"])
    assert frame == 1 / rate.exact
    assert seconds(gap["offset"]) == seconds(sequence["tcStart"]) == options.start_frame * frame
    assert sequence["tcFormat"] == ("DF" if rate.drop else "NDF")
    assert 0 <= seconds(gap["duration"]) - Fraction("3600.5") < frame
    found = [marker.attrib for marker in root.iter("marker")]
    assert [seconds(marker["start"]) / frame for marker in found] == [frame_of(t, rate) for t in TIMES]
    assert [seconds(found[n]["duration"]) / frame for n in (0, 1)] == [1, frame_of(72, rate) - frame_of(60, rate)]


def seconds(value: str) -> Fraction:
    assert value.endswith("s")
    return Fraction(value[:-1])


def test_final_cut_gets_the_whole_note_and_ticks_off_what_is_resolved(notes: list[Note], options: Options) -> None:
    root = ET.fromstring(write("fcpxml", notes, options).content)
    found = [marker.attrib for marker in root.iter("marker")]
    assert [marker.get("completed") for marker in found] == ["1", None, None, None]
    assert found[3]["value"] == "Priya Nair: The very last frame | is black Two lines, “quotes” & <tags>"
    assert found[3]["note"] == "The very last frame | is black\nTwo lines, “quotes” & <tags>"
    assert found[1]["note"].startswith("Ana Lúcia Prado: 1:00-1:12 Legal needs the origin line\nTéo Martins: Two")


@pytest.mark.parametrize("extension", ["fcpxml", "xml"])
@pytest.mark.parametrize("text", ["\x00\x08\x1f", "\ud800", "\ufffe", "]]>", "&amp;", "<!--", "\x85"])
def test_no_text_makes_xml_that_cannot_be_read(extension: str, text: str, options: Options) -> None:
    note = Note(1, text, text, replies=(Reply(text, text),))
    assert ET.fromstring(write(extension, [note], replace(options, title=text)).content).tag in {"fcpxml", "xmeml"}


@pytest.mark.parametrize("duration", [3600.5, None, 0.0])
@pytest.mark.parametrize("extension", ["edl", "fcpxml", "xml"])
def test_a_review_without_comments_is_a_file_without_markers(
    extension: str, duration: float | None, options: Options
) -> None:
    content = write(extension, [], replace(options, duration=duration)).content.decode()
    assert "<marker" not in content
    assert "|M:" not in content


def test_a_span_never_reaches_past_the_video(options: Options) -> None:
    content = write("edl", [Note(3595, "Ana", "59:55-1:10:00 the end", end=4200)], options).content.decode()
    assert "|D:125" in content

"""Whatever people write, every exported file can be read by a program that is not ours, and says what was written."""

import csv
import io
import json
import re
import warnings
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dashboard.shared.csv import neutral
from review_portal.exports.files import write
from review_portal.exports.markers import GUARD
from review_portal.exports.notes import Note, Options, Reply, clean, one_line
from review_portal.exports.timecode import RATES

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the library's own
    import opentimelineio as otio

TRAPS = [
    "360 view is broken",
    "٣ frames late",
    "ASC_SAT: none",
    "ASC_SOP: none",
    "FROM CLIP NAME: x",
    "FROM CLIP: x",
    "LOCATION is wrong",
    "M25 is closed",
    "LOC: 01:00:00:00 RED x",
    "M2   X  1 01:00:00:00",
    "SPLIT: AUDIO DELAY",
    "TITLE: x",
    "FCM: DROP FRAME",
    "* a star",
    "> 1 quoted",
    "=1+1",
    "\n=1+1",
    "\ud800",
    "\x00\ufffe",
    "\x85\u2028",
    "]]>",
    "|C:x |M:y |D:2",
    "﷐",
]
anything = st.one_of(st.text(st.characters(exclude_categories=[]), max_size=25), st.sampled_from(TRAPS))
MARKER = re.compile(r"(?P<note>.*?) ?\|C:\w+ \|M:(?P<name>[^|]*) \|D:\d+")
small = settings(max_examples=40 if settings().derandomize else 2000, deadline=None)


def said(text: str) -> str:
    """A text on one line, without what no file can hold."""
    return one_line(text)


def read(content: bytes, adapter: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return otio.adapters.read_from_string(content.decode(), adapter, **({"rate": 25} if adapter[0] == "c" else {}))


def every_trap(test: Any) -> Any:
    """Each trap as an example of its own."""
    for trap in TRAPS:
        test = example(trap, trap, trap)(test)
    return test


@small
@every_trap
@given(anything, anything, anything)
def test_edl_is_read_back_whatever_is_written(text: str, author: str, title: str) -> None:
    notes = [Note(1, author, text), Note(2, author, text, replies=(Reply(author, text),)), Note(3, "Ana", "last")]
    clips = list(read(write("edl", notes, Options(title)).content, "cmx_3600").find_clips())
    assert [clip.name for clip in clips] == ["001", "002", "003"]
    lines = [clip.metadata["cmx_3600"]["comments"] for clip in clips]
    first = MARKER.fullmatch(lines[0][0])
    assert first, lines[0]
    assert first["note"].removeprefix(GUARD) == said(text.replace("|", "/")).removeprefix(GUARD)
    assert first["name"] == said(author.replace("|", "/"))
    assert [len(each) for each in lines] == [1, 1, 1]


@small
@every_trap
@given(anything, anything, anything)
def test_premiere_xml_is_read_back_whatever_is_written(text: str, author: str, title: str) -> None:
    notes = [Note(1, author, text), Note(2, "Ana", "last")]
    timeline = read(write("xml", notes, Options(title)).content, "fcp_xml")
    assert timeline.name == (said(title) or "Comments")
    first, last = timeline.tracks.markers
    assert (first.name or "").strip() == clean(author).strip()
    assert str(first.metadata["fcp_xml"].get("comment") or "").strip() == clean(text).strip()
    assert last.name == "Ana"


@small
@every_trap
@given(anything, anything, anything)
def test_fcpxml_is_read_back_whatever_is_written(text: str, author: str, title: str) -> None:
    notes = [Note(1, author, text), Note(2, "Ana", "last")]
    root = ET.fromstring(write("fcpxml", notes, Options(title, rate=RATES["25"])).content)
    first, last = root.iter("marker")
    assert first.attrib["note"] == clean(text)
    assert said(author) in first.attrib["value"] or len(first.attrib["value"]) > 100
    assert last.attrib["note"] == "last"


@small
@every_trap
@given(anything, anything, anything)
def test_lists_are_read_back_whatever_is_written(text: str, author: str, title: str) -> None:
    notes, options = [Note(1, author, text), Note(2, "Ana", "last")], Options(title)
    table = list(csv.reader(io.StringIO(write("csv", notes, options).content.decode("utf-8-sig"), newline="")))
    assert [row[6] for row in table] == ["Comment", neutral(clean(text)), "last"]
    assert table[1][4] == neutral(clean(author))
    found = json.loads(write("json", notes, options).content)
    replaced = text.encode("utf-8", "replace").decode()
    assert [comment["text"] for comment in found["comments"]] == [replaced, "last"]
    plain = write("txt", notes, options).content.decode()
    assert [line for line in plain.splitlines() if line.strip()][-1] == "    last"
    for line in clean(text).splitlines():
        assert f"    {line}" in plain.splitlines()


def test_edl_of_more_than_999_comments_is_read_back() -> None:
    notes = [Note(second, "Ana", "360 view") for second in range(1200)]
    assert len(list(read(write("edl", notes, Options("Film")).content, "cmx_3600").find_clips())) == 1200

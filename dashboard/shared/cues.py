"""WebVTT as cues, and as the two other forms in which people want subtitles. Pure."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Final

_TIME: Final = re.compile(r"(?:(\d{1,6}):)?(\d{1,2}):(\d{2})[.,](\d{3})")
_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]{1,200})?[ \t]{1,4}([^<>\s][^<>\n]{0,200})>")
_LONG_NUMBER: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")
"""A character by a number that no character has, and that may be too long to be a number at all."""
CUES_MOST: Final = 2_000_000
"""Characters of a file that is read: forty hours of talking."""
_NOT_CUES: Final = ("NOTE", "STYLE", "REGION", "WEBVTT")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue: seconds from the start, its text without markup, and who speaks where the file names them."""

    start: float
    end: float
    text: str
    voice: str = ""


class TooLong(ValueError):
    """The file has more than `CUES_MOST` characters: it can be kept, not read."""


def parse_vtt(vtt: str) -> tuple[Cue, ...]:
    """The cues of a WebVTT file; blocks that are no cues, or whose times cannot be read, are left out.

    Raises `TooLong`.
    """
    if len(vtt) > CUES_MOST:
        raise TooLong
    cues = []
    for block in re.split(r"\n\s*\n", vtt.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith(_NOT_CUES) and "-->" not in lines[0]:
            continue
        at = next((index for index, line in enumerate(lines[:2]) if "-->" in line), None)
        if at is None:
            continue
        start, end = _times(lines[at])
        body = "\n".join(lines[at + 1 :])
        text = _plain(_without_tags(body))
        if start is not None and end is not None and text:
            cues.append(Cue(start, end, text, _voice(body)))
    return tuple(cues)


def _plain(text: str) -> str:
    """Escaped characters as themselves."""
    return unescape(_LONG_NUMBER.sub("\ufffd", text)).strip()


def _voice(body: str) -> str:
    """Whom the first voice tag names; "" without one."""
    match = _VOICE.search(body)
    return _plain(match[1]) if match else ""


def _without_tags(text: str) -> str:
    """Each `<` up to the next `>` is left out; after the last `>` a `<` is a letter like others."""
    parts, at = [], 0
    end = text.rfind(">")
    while (begin := text.find("<", at, max(end, at))) >= 0:
        parts.append(text[at:begin])
        at = text.index(">", begin) + 1
    return "".join((*parts, text[at:]))


def _times(line: str) -> tuple[float | None, float | None]:
    before, _arrow, after = line.partition("-->")
    return _seconds(before), _seconds(after)


def _seconds(text: str) -> float | None:
    match = _TIME.match(text.strip())
    if not match:
        return None
    hours, minutes, seconds, thousandths = match.groups(default="0")
    return ((int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int(thousandths)) / 1000


def as_srt(cues: tuple[Cue, ...]) -> str:
    """SubRip: numbered, with commas in the times."""
    blocks = [
        f"{number}\n{_stamp(cue.start)} --> {_stamp(cue.end)}\n{cue.text}\n" for number, cue in enumerate(cues, start=1)
    ]
    return "\n".join(blocks)


def as_text(cues: tuple[Cue, ...]) -> str:
    """The words alone, a line for each cue; a cue that only repeats the one before it is told once."""
    lines: list[str] = []
    for cue in cues:
        line = " ".join(cue.text.split())
        if not lines or lines[-1] != line:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _stamp(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02},{rest % 1000:03}"

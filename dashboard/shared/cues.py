"""WebVTT as cues, and as the two other forms in which people want subtitles. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import groupby
from operator import itemgetter
from typing import Final

_TIME: Final = re.compile(r"(?:(\d{1,6}):)?(\d{1,2}):(\d{2})[.,](\d{3})")
_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]{1,200})?[ \t]{1,4}([^<>\s][^<>\n]{0,200})>")
_VOICE_TAG: Final = re.compile(r"v(?=[.\s]|\Z)")
_LONG_NUMBER: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")
"""A character by a number that no character has, and that may be too long to be a number at all."""
CUES_MOST: Final = 2_000_000
"""Characters of a file that is read: forty hours of talking."""
_SIGNATURE: Final = re.compile(r"WEBVTT(?=[ \t\n]|\Z)")


@dataclass(frozen=True, slots=True)
class Cue:
    """What one person says in a cue: seconds from the start, text without markup, and who where the file names them."""

    start: float
    end: float
    text: str
    voice: str = ""


class TooLong(ValueError):
    """The file has more than `CUES_MOST` characters: it can be kept, not read."""


def parse_vtt(vtt: str) -> tuple[Cue, ...]:
    """The cues of a WebVTT or SubRip file, one of several voices as one for each; those without readable times are left out.

    Raises `TooLong`.
    """
    if len(vtt) > CUES_MOST:
        raise TooLong
    text = re.sub(r"\r\n?", "\n", vtt).replace("\0", "\ufffd").lstrip("\ufeff\n")
    cues = []
    for timing, body in _split_cues(text.split("\n"), is_vtt=_SIGNATURE.match(text) is not None):
        start, end = _times(timing)
        if start is not None and end is not None:
            cues += [Cue(start, end, words, voice) for voice, words in _split_voices("\n".join(body))]
    return tuple(cues)


def _split_cues(lines: list[str], *, is_vtt: bool) -> Iterator[tuple[str, list[str]]]:
    """The line of times of each cue, and the lines of its text.

    WebVTT's "collect a WebVTT block", shortened: wherever a line has an arrow a cue begins, also in its header, in a comment
    and in another cue, and an empty line ends it. SubRip has no such rule: there an arrow between words is text, and the
    number of the next cue is none of the words before it.
    """
    timing, body, has_number = "", list[str](), False
    for line in (*lines[is_vtt:], ""):
        if line and not ("-->" in line if is_vtt else _times(line)[0] is not None):
            body.append(line)
            continue
        is_numbered = bool(line and body and body[-1].strip().isdecimal())
        if timing:
            yield timing, body[:-1] if is_numbered and has_number and not is_vtt else body
        timing, body, has_number = line, [], is_numbered


def _split_voices(body: str) -> list[tuple[str, str]]:
    """Who says what: the words of each voice in turn; what no voice is named for is that of the only one there is."""
    parts: list[tuple[str, str]] = []
    voices = [""]
    for tag, text in _split_tags(body):
        if tag == "/v":
            voices = voices[:-1] or [""]
        elif _VOICE_TAG.match(tag):
            name = _VOICE.fullmatch(f"<{tag}>")
            voices.append(_plain(name[1]) if name else "")
        parts.append((voices[-1], text))
    named = {voice for voice, text in parts if voice and text.strip()}
    if len(named) < 2:
        parts = [(next(iter(named), ""), text) for _voice, text in parts]
    turns = ((voice, _plain("".join(text for _, text in turn))) for voice, turn in groupby(parts, key=itemgetter(0)))
    return [(voice, words) for voice, words in turns if words]


def _plain(text: str) -> str:
    """Escaped characters as themselves."""
    return unescape(_LONG_NUMBER.sub("\ufffd", text)).strip()


def _split_tags(text: str) -> Iterator[tuple[str, str]]:
    """Each tag, "" at first, with the text up to the next: a tag is `<` up to the next `>`, after the last `>` a `<` is text."""
    tag, at = "", 0
    end = text.rfind(">")
    while (begin := text.find("<", at, max(end, at))) >= 0:
        yield tag, text[at:begin]
        at = text.index(">", begin) + 1
        tag = text[begin + 1 : at - 1]
    yield tag, text[at:]


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
    """SubRip: numbered, with commas in the times; the voices of one cue are lines of one block, and no line is empty."""
    blocks: list[list[Cue]] = []
    for cue in cues:
        last = blocks[-1][-1] if blocks else None
        if last and last.voice != cue.voice and (last.start, last.end) == (cue.start, cue.end):
            blocks[-1].append(cue)
        else:
            blocks.append([cue])
    return "\n".join(
        f"{number}\n{_stamp(block[0].start)} --> {_stamp(block[0].end)}\n"
        + "".join(f"{line}\n" for cue in block for line in cue.text.splitlines() if line.strip())
        for number, block in enumerate(blocks, start=1)
    )


def as_text(cues: tuple[Cue, ...]) -> str:
    """The words alone, a line for each cue; a cue in which the same voice only repeats itself is told once."""
    turns = groupby(cues, key=lambda cue: (cue.voice, " ".join(cue.text.split())))
    return "\n".join(line for (_voice, line), _same in turns) + "\n"


def _stamp(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02},{rest % 1000:03}"

"""WebVTT as cues, and as the two other forms in which people want subtitles. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter
from typing import Final

_TIME: Final = re.compile(r"(?:(\d{1,6}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?(?![:\w])")
_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]{1,200})?[ \t\n]{1,4}([^<>\s][^<>]{0,200})>")
_VOICE_TAG: Final = re.compile(r"v(?=[.\s]|\Z)")
_LONG_NUMBER: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")
"""A character by a number that no character has, and that may be too long to be a number at all."""
CUES_MOST: Final = 2_000_000
"""Characters of a file that is read: forty hours of talking."""
_SIGNATURE: Final = re.compile(r"WEBVTT(?=[ \t\n]|\Z)")
_SUBRIP_CODE: Final = re.compile(r"\{\\[^{}\n]{1,200}\}")
"""Where and how a line of a SubRip file stands, as editors write it: {\\an8}."""
_SUBRIP_TEXT: Final = re.compile(r"<(?!/?[A-Za-z]|\d\d:)")
"""What begins no tag in a SubRip file, which escapes nothing."""


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
    """The cues of a WebVTT or SubRip file by their start, one of several voices as one for each.

    Those without readable times are left out. Raises `TooLong`.
    """
    if len(vtt) > CUES_MOST:
        raise TooLong
    text = re.sub(r"\r\n?", "\n", vtt).replace("\0", "\ufffd").lstrip("\ufeff\n")
    is_vtt = _SIGNATURE.match(text) is not None
    if not is_vtt:
        text = _SUBRIP_TEXT.sub("&lt;", _SUBRIP_CODE.sub("", text))
    cues = []
    for timing, body in _split_vtt(text.split("\n")[1:]) if is_vtt else _split_subrip(text.split("\n")):
        start, end = _times(timing)
        if start is not None and end is not None:
            cues += [Cue(start, end, words, voice) for voice, words in _split_voices("\n".join(body))]
    return tuple(sorted(cues, key=attrgetter("start")))


def _split_vtt(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The line of times of each cue, and the lines of its text.

    WebVTT's "collect a WebVTT block", shortened: wherever a line has an arrow a cue begins, also in its header, in a comment
    and in another cue, and an empty line ends it.
    """
    timing, body = "", list[str]()
    for line in (*lines, ""):
        if line and "-->" not in line:
            body.append(line)
            continue
        if timing:
            yield timing, body
        timing, body = line, []


def _split_subrip(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The same of a SubRip file, which has no such rules: only times begin a cue, and only the next ones end it.

    An arrow between words is text; an empty line is none, also where one follows each line; the number of the next cue is
    none of the words before it.
    """
    timing, begin, has_number = "", 0, False
    for at in (*(at for at, line in enumerate(lines) if _times(line)[0] is not None), len(lines)):
        body = "\n".join(line.strip() for line in lines[begin:at]).rstrip("\n").split("\n")
        is_number = body[-1].isdecimal()
        is_apart = not "".join(body[-2:-1])
        if timing:
            is_next = is_number and ((is_apart and len(body) > 1) or (has_number and at < len(lines)))
            yield timing, [line for line in (body[:-1] if is_next else body) if line]
        timing, begin, has_number = "".join(lines[at : at + 1]), at + 1, is_number


def _split_voices(body: str) -> list[tuple[str, str]]:
    """Who says what: the words of each voice in turn; what no voice is named for is that of the only one there is.

    How a word is read, as ruby says it, follows the word in brackets.
    """
    parts: list[tuple[str, str]] = []
    voices, is_reading = [""], False
    for tag, text in _split_tags(body):
        name = tag.partition(".")[0]
        if tag == "/v":
            voices = voices[:-1] or [""]
        elif _VOICE_TAG.match(tag):
            named_voice = _VOICE.fullmatch(f"<{tag}>")
            voices.append(" ".join(_plain(named_voice[1]).split()) if named_voice else "")
        is_end = is_reading and name in ("rt", "/rt", "/ruby")
        is_reading = name == "rt" or (is_reading and not is_end)
        parts.append((voices[-1], ")" * is_end + "(" * (name == "rt") + text))
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
    turns = groupby(unroll(cues), key=lambda cue: (cue.voice, " ".join(cue.text.split())))
    return "\n".join(line for (_voice, line), _same in turns) + "\n"


def unroll(cues: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """Each line once, in a file whose lines scroll: most cues begin there with the lines that the one before ended with."""
    lines = [[line for line in map(str.strip, cue.text.splitlines()) if line] for cue in cues]
    shown = [0, *(_count_shown(*two, *texts) for two, texts in zip(pairwise(cues), pairwise(lines), strict=True))]
    if sum(map(bool, shown)) * 2 <= len(cues):
        return cues
    told: list[Cue] = []
    for cue, texts, count in zip(cues, lines, shown, strict=True):
        if text := "\n".join(texts[count:]):
            told.append(replace(cue, text=text))
        else:
            told[-1] = replace(told[-1], end=max(told[-1].end, cue.end))
    return tuple(told)


def _count_shown(before: Cue, cue: Cue, earlier: list[str], lines: list[str]) -> int:
    """How many lines of a cue were there already."""
    if before.voice != cue.voice or cue.start - before.end >= 1:
        return 0
    return next((count for count in range(len(lines), 0, -1) if earlier[-count:] == lines[:count]), 0)


def _stamp(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02},{rest % 1000:03}"

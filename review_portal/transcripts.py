"""The words of a link's video, out of the same subtitles as the captions: read, kept, and searched as a whole."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import accumulate

from django.utils.functional import cached_property

from dashboard.platform_api import errors
from dashboard.shared import cues
from dashboard.shared.text import fold
from dashboard.upstream.parallel import start
from dashboard.upstream.single_flight import Reading, kept_reading
from review_portal import captions
from review_portal.models import ReviewLink
from review_portal.threads import Thread
from review_portal.videos import LinkVideo

HITS_MOST = 1000
"""Results of a search that are counted: whoever gets more looks for a longer word."""
TEXTS_KEPT = 4
"""Transcripts that a process keeps parsed: the longest has some ten megabytes."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row: seconds from the start, the words, and who speaks where that is known."""

    start: float
    end: float
    text: str
    voice: str = ""

    @property
    def second(self) -> int:
        """Where a comment on it begins: floored, as every time of a comment."""
        return int(self.start)


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a search found its words: the line, and from where to where in its text. `number` counts results from 1.

    Words that run over two lines are two of these with the same number.
    """

    number: int
    line: int
    begin: int
    end: int


@dataclass(frozen=True)
class Transcript:
    """The lines of a video in one language, by time."""

    lines: tuple[Line, ...]

    def find_line(self, seconds: float) -> int:
        """The line that is said at that moment, or the last one before it; 0 before the first.

        Of lines that begin together, as the voices of one cue do, the first.
        """
        index = bisect_right(self._starts, seconds) - 1
        return bisect_left(self._starts, self._starts[index]) if index >= 0 else 0

    def count_comments(self, threads: Iterable[Thread]) -> dict[int, list[Thread]]:
        """The threads of each line: those that begin at its second, or later and before the next line's.

        Of lines that begin together, as the voices of one cue do, the first has them.
        """
        by_line: dict[int, list[Thread]] = {}
        for thread in threads:
            index = bisect_right(self._seconds, thread.first.time) - 1
            if index >= 0:
                first = bisect_left(self._starts, self._starts[index])
                by_line.setdefault(first, []).append(thread)
        return by_line

    def search(self, words: str) -> tuple[Hit, ...]:
        """Every place of the words, without regard to case and accents; they may run over the end of a line."""
        folded = " ".join(fold(words).split())
        hits: list[Hit] = []
        at = self._index.text.find(folded) if folded else -1
        number = 0
        while at >= 0 and number < HITS_MOST:
            number += 1
            hits += self._index.list_places(number, at, at + len(folded))
            at = self._index.text.find(folded, at + len(folded))
        return tuple(hits)

    @cached_property
    def _starts(self) -> tuple[float, ...]:
        return tuple(line.start for line in self.lines)

    @cached_property
    def _seconds(self) -> tuple[int, ...]:
        return tuple(line.second for line in self.lines)

    @cached_property
    def _index(self) -> "FoldedText":
        return FoldedText.from_lines(self.lines)


@dataclass(frozen=True)
class FoldedText:
    """All lines as one text to search in, a space between two. `begins`: where each line begins in it."""

    lines: tuple[Line, ...]
    text: str
    begins: tuple[int, ...]

    @classmethod
    def from_lines(cls, lines: tuple[Line, ...]) -> "FoldedText":
        """Fold every line once."""
        folded = [fold(line.text) for line in lines]
        begins, at = [], 0
        for text in folded:
            begins.append(at)
            at += len(text) + 1
        return cls(lines, " ".join(folded), tuple(begins))

    def list_places(self, number: int, begin: int, end: int) -> list[Hit]:
        """A span of the folded text as spans of the lines as they are written."""
        index = bisect_right(self.begins, begin) - 1
        hits = []
        while index < len(self.begins) and self.begins[index] < end:
            first, last = max(0, begin - self.begins[index]), end - self.begins[index]
            start, stop = _unfold(self.lines[index].text, first, last)
            if start < stop:
                hits.append(Hit(number, index, start, stop))
            index += 1
        return hits


def _unfold(text: str, begin: int, end: int) -> tuple[int, int]:
    """Where a span of the folded text lies in the text itself: one letter may be folded to none, or to several."""
    ends = _list_folded_ends(text)
    return bisect_right(ends, begin), min(bisect_left(ends, end) + 1, len(text))


@lru_cache(maxsize=TEXTS_KEPT)
def _list_folded_ends(text: str) -> tuple[int, ...]:
    """Where each letter ends in the folded text. Kept, because a long line can have every result of a search."""
    return tuple(accumulate(len(fold(letter)) for letter in text))


@dataclass(frozen=True)
class LoadedTranscript:
    """What is known of a transcript. `transcript` None: it is being read, or `error` says why it cannot be."""

    transcript: Transcript | None = None
    read_at: datetime | None = None
    error: errors.CallError | None = None
    too_long: bool = False


def load_transcript(link: ReviewLink, lang: str, patience: float) -> LoadedTranscript:
    """What is known, at once; else what a read brings within `patience` seconds. An old one is read anew beside the page.

    Raises `KeyError` for a language that the video does not have.
    """
    if lang not in {caption.lang for caption in LinkVideo.from_kept(link.video).captions}:
        raise KeyError(lang)
    reading: Reading[str] | None = kept_reading(captions.build_key(link, lang))
    failures: list[errors.CallError] = []
    if reading is None or reading.age >= captions.KEEP_SECONDS:
        start(partial(_read, link, lang, failures), 0.0 if reading else patience)
        reading = kept_reading(captions.build_key(link, lang)) or reading
    if reading is None:
        return LoadedTranscript(error=failures[0] if failures else None)
    try:
        transcript = parse_transcript(reading.value)
    except cues.TooLong:
        return LoadedTranscript(too_long=True)
    return LoadedTranscript(transcript, datetime.fromtimestamp(reading.at, UTC))


def _read(link: ReviewLink, lang: str, failures: list[errors.CallError]) -> None:
    try:
        captions.read_captions(link, lang)
    except KeyError:
        failures.append(errors.Missing("videos.read_subtitle"))
    except errors.CallError as error:
        failures.append(error)


@lru_cache(maxsize=TEXTS_KEPT)
def parse_transcript(vtt: str) -> Transcript:
    """The lines of a WebVTT text by time; what only repeats the words before it belongs to them. Raises `TooLong`."""
    lines: list[Line] = []
    for cue in cues.unroll(cues.parse_vtt(vtt)):
        text, end = " ".join(cue.text.split()), max(cue.end, cue.start)
        before = lines[-1] if lines else None
        if before and before.text == text and before.voice == cue.voice and cue.start - before.end < 1:
            lines[-1] = Line(before.start, max(before.end, end), text, before.voice)
        else:
            lines.append(Line(cue.start, end, text, cue.voice))
    return Transcript(tuple(lines))

"""Subtitles for the player, and the words of a link's video out of the same: read, kept, searched as a whole, and shown.

Browsers load text tracks from the page's own origin only, so others are proxied here.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.shared import cues, formats
from dashboard.shared.http import whole_number
from dashboard.shared.locks import Reading, kept_reading, shared_read
from dashboard.shared.text import fold
from dashboard.upstream import clients
from dashboard.upstream.languages import read_subtitle
from dashboard.upstream.parallel import page_patience, start
from review_portal import pages, rules
from review_portal.context import Visit
from review_portal.models import ReviewLink
from review_portal.threads import Thread
from review_portal.videos import Caption, LinkVideo

KEEP_SECONDS = 600


def list_captions(link: ReviewLink, video: LinkVideo) -> tuple[Caption, ...]:
    """The captions with addresses that a track can load; those that no connected account can read are left out."""
    if not all(_is_ours(caption.url) for caption in video.captions) and not link.accounts.connected().exists():
        return tuple(caption for caption in video.captions if _is_ours(caption.url))
    return tuple(
        caption
        if _is_ours(caption.url)
        else Caption(caption.lang, caption.label, f"/{link.pk}/captions/{caption.lang}.vtt")
        for caption in video.captions
    )


def _is_ours(url: str) -> bool:
    return url.startswith("/") and not url.startswith("//")


def read_captions(link: ReviewLink, lang: str) -> str:
    """The WebVTT text in one of the video's languages, with the owner's token; what is public here needs none.

    Raises `KeyError` for a language that the video does not have, and the `PlatformError` of a read that failed.
    """
    known = {caption.lang: caption for caption in LinkVideo.from_kept(link.video).captions}
    if lang not in known:
        raise KeyError(lang)
    account: Account | None = link.accounts.connected().first()
    if account is None and not _is_ours(known[lang].url):
        raise KeyError(lang)
    try:
        return shared_read(build_key(link, lang), KEEP_SECONDS, partial(_read_caption, link, known[lang], account))
    except errors.Missing as error:
        raise KeyError(lang) from error


def _read_caption(link: ReviewLink, caption: Caption, account: Account | None) -> str:
    if account is None:
        return clients.read_embedded_file(caption.url)
    return read_subtitle(clients.platform_for(account), str(link.video_id), caption.lang)


def build_key(link: ReviewLink, lang: str) -> str:
    """The name under which the text is kept for everybody who may see the link."""
    return f"captions:{link.video_id}:{lang}"


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
    reading: Reading[str] | None = kept_reading(build_key(link, lang))
    failures: list[errors.CallError] = []
    if reading is None or reading.age >= KEEP_SECONDS:
        start(partial(_read, link, lang, failures), 0.0 if reading else patience)
        reading = kept_reading(build_key(link, lang)) or reading
    if reading is None:
        return LoadedTranscript(error=failures[0] if failures else None)
    try:
        transcript = parse_transcript(reading.value)
    except cues.TooLong:
        return LoadedTranscript(too_long=True)
    return LoadedTranscript(transcript, datetime.fromtimestamp(reading.at, UTC))


def _read(link: ReviewLink, lang: str, failures: list[errors.CallError]) -> None:
    try:
        read_captions(link, lang)
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


ROWS = 40
"""Rows of an answer: what is before and after comes when it is near."""
BEFORE = 8
"""Rows that stand before the moment or the result that is asked for."""
QUOTED_MOST = 220
"""Characters of a quotation: the words about it need room."""
LINES_MOST = 100_000


@dataclass(frozen=True)
class Piece:
    """A part of a line. `mark`: its class where the search found it, else ""."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class SentenceRow:
    """A line of the transcript, with the `threads` about it. `number` counts from 0; `current`: the address names its moment."""

    number: int
    line: Line
    pieces: tuple[Piece, ...]
    current: bool
    threads: list[Thread]
    is_writable: bool
    """Whether the line can be quoted."""

    @property
    def is_open(self) -> bool:
        return any(thread.is_open for thread in self.threads)


@dataclass(frozen=True)
class Search:
    """The search in the transcript. `position`: 2 of 4, in words. `before`, `after`: the neighbours' addresses, "" without."""

    words: str
    position: str
    before: str
    after: str


@dataclass(frozen=True)
class TranscriptPage:
    """templates/review_portal/_transcript.html. `state`: ready, loading, failed, long, none, unreadable, empty."""

    state: str
    lang: str = ""
    rows: tuple[SentenceRow, ...] = ()
    total: int = 0
    earlier: str = ""
    later: str = ""
    is_first: bool = True
    """Nothing is before these rows; `is_last`: nothing is after them."""
    is_last: bool = True
    tracks: tuple[Caption, ...] = ()
    """The languages that there are."""
    search: Search = Search("", "", "", "")
    source: str = ""
    again: str = ""
    paper: str = ""


@dataclass(frozen=True)
class Wish:
    """What the address asks of the transcript."""

    lang: str
    words: str
    hit: int
    first: int | None
    second: int | None

    @classmethod
    def from_query(cls, query: QueryDict, languages: tuple[Caption, ...]) -> "Wish":
        """Unknown values are ignored. The language is the reader's own where there is one, else the first."""
        lang = query.get("track", "")
        known = [caption.lang for caption in languages]
        own = (get_language() or "").partition("-")[0]
        if lang not in known:
            lang = next((code for code in known if code.lower().partition("-")[0] == own), next(iter(known), ""))
        words = " ".join(query.get("find", "").split())[:100]
        hit = whole_number(query.get("hit", ""), HITS_MOST)
        return cls(
            lang, words, hit or 1, whole_number(query.get("from", ""), LINES_MOST), rules.parse_clock(query.get("t", ""))
        )  # fmt: skip


def is_transcript(visit: Visit) -> bool:
    """Whether the address asks for the transcript."""
    return visit.request.GET.get("tab") == "transcript"


def build_transcript_page(visit: Visit, patience: float) -> TranscriptPage:
    """The rows that the address asks for, or why there are none."""
    languages = list_captions(visit.link, visit.shown)
    if not languages:
        return TranscriptPage("unreadable" if visit.shown.captions else "none")
    wish = Wish.from_query(visit.request.GET, languages)
    loaded = load_transcript(visit.link, wish.lang, patience)
    if loaded.transcript is None or not loaded.transcript.lines:
        return TranscriptPage(_name_state(loaded), wish.lang, tracks=languages, again=build_address(visit, wish))
    return _build_ready_page(visit, wish, loaded, loaded.transcript, languages)


def _name_state(loaded: LoadedTranscript) -> str:
    if loaded.transcript is not None:
        return "empty"
    return "long" if loaded.too_long else "failed" if loaded.error else "loading"


def _build_ready_page(
    visit: Visit, wish: Wish, loaded: LoadedTranscript, transcript: Transcript, tracks: tuple[Caption, ...]
) -> TranscriptPage:
    hits = transcript.search(wish.words)
    count = hits[-1].number if hits else 0
    hit = min(wish.hit, count)
    first = _find_first(wish, transcript, next((place for place in hits if place.number == hit), None))
    last = min(first + ROWS, len(transcript.lines))
    threads = transcript.count_comments(visit.threads_at_first)
    marks = [place for place in hits if first <= place.line < last]
    maker = RowMaker(visit=visit, wish=wish, transcript=transcript, threads=threads, hits=marks, hit=hit)
    return TranscriptPage(
        "ready",
        wish.lang,
        rows=tuple(maker.build(number) for number in range(first, last)),
        total=len(transcript.lines),
        earlier=build_address(visit, wish, first=max(0, first - ROWS)),
        later=build_address(visit, wish, first=last),
        is_first=first == 0,
        is_last=last == len(transcript.lines),
        tracks=tracks,
        search=_build_search(visit, wish, hit, count),
        source=_describe_source(loaded, tracks, wish.lang),
        paper=f"/{visit.link.pk}/transcript?{urlencode({'track': wish.lang, 'print': '1'})}",
    )


def _find_first(wish: Wish, transcript: Transcript, hit: Hit | None) -> int:
    """The first row: the one named, else some before the result that is shown or the moment."""
    most = max(0, len(transcript.lines) - 1)
    if wish.first is not None:
        return min(wish.first, most)
    at = hit.line if hit else transcript.find_line(wish.second or 0)
    return max(0, min(at - BEFORE, most))


def _build_search(visit: Visit, wish: Wish, hit: int, count: int) -> Search:
    if not wish.words:
        return Search("", "", "", "")
    if not count:
        return Search(wish.words, _("No results"), "", "")
    most = formats.number(count) + ("+" if count == HITS_MOST else "")
    position = _("%(hit)s of %(count)s") % {"hit": formats.number(hit), "count": most}
    before, after = (hit - 2) % count + 1, hit % count + 1
    return Search(wish.words, position, build_address(visit, wish, hit=before), build_address(visit, wish, hit=after))


def _describe_source(loaded: LoadedTranscript, tracks: Iterable[Caption], lang: str) -> str:
    label = next(track.name for track in tracks if track.lang == lang)
    if loaded.read_at is None:
        return ""
    ago = formats.ago(loaded.read_at, timezone.now())
    return _("Made from the subtitles in %(language)s, read %(ago)s.") % {"language": label, "ago": ago}


def build_address(visit: Visit, wish: Wish, **changes: int) -> str:
    """The transcript as it is shown, with another first row or another result."""
    values: dict[str, str] = {"tab": "transcript", "track": wish.lang, "find": wish.words}
    if "first" in changes:
        values |= {"from": str(changes["first"])}
    if wish.words:
        values |= {"hit": str(changes.get("hit", wish.hit))}
    return f"/{visit.link.pk}?{urlencode({name: value for name, value in values.items() if value})}#transcript"


@dataclass(frozen=True)
class RowMaker:
    """Builds rows: what all of them share."""

    visit: Visit
    wish: Wish
    transcript: Transcript
    threads: dict[int, list[Thread]]
    hits: list[Hit]
    hit: int

    def build(self, number: int) -> SentenceRow:
        """The row of a line."""
        line, threads = self.transcript.lines[number], self.threads.get(number, [])
        return SentenceRow(
            number=number,
            line=line,
            pieces=tuple(self._cut(number, line.text)),
            current=self.wish.second is not None and self.transcript.find_line(self.wish.second + 0.999) == number,
            threads=threads,
            is_writable=rules.why_no_comment(self.visit.link, self.visit.now) is None,
        )

    def _cut(self, number: int, text: str) -> Iterable[Piece]:
        at = 0
        for hit in self.hits:
            if hit.line != number or hit.begin < at:
                continue
            yield Piece(text[at : hit.begin])
            yield Piece(text[hit.begin : hit.end], "hit hit--now" if hit.number == self.hit else "hit")
            at = hit.end
        yield Piece(text[at:])


def build_quote(visit: Visit) -> dict[str, str]:
    """Text and time of a comment on the line that the address names; {} where it names none that can be read."""
    number = whole_number(visit.request.GET.get("quote", ""), LINES_MOST)
    languages = list_captions(visit.link, visit.shown) if number is not None else ()
    if number is None or not languages:
        return {}
    wish = Wish.from_query(visit.request.GET, languages)
    transcript = load_transcript(visit.link, wish.lang, page_patience()).transcript
    if transcript is None or number >= len(transcript.lines):
        return {}
    line = transcript.lines[number]
    return {"text": format_quote(line, visit.shown.last_second), "time": formats.clock(line.second)}


def format_quote(line: Line, last_second: int | None) -> str:
    """The line as a comment begins with it: its range, and its words as the platform takes them."""
    words = line.text
    for wrong, right in rules.REPAIRS:
        words = words.replace(wrong, right)
    if len(words) > QUOTED_MOST:
        words = words[: QUOTED_MOST - 1].rstrip() + "…"
    end = max(int(-(-line.end // 1)), line.second + 1)
    end = end if last_second is None else min(end, last_second)
    span = f"{formats.clock(line.second)}-{formats.clock(end)} " if end > line.second else ""
    return f"{span}“{words}”\n"


def build_sheet_context(visit: Visit) -> dict[str, Any] | None:
    """templates/review_portal/transcript_print.html: every line, for paper. None where it cannot be read now."""
    languages = list_captions(visit.link, visit.shown)
    if not languages:
        return None
    wish = Wish.from_query(visit.request.GET, languages)
    loaded = load_transcript(visit.link, wish.lang, page_patience())
    if loaded.transcript is None:
        return None
    return {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "lang": wish.lang,
        "source": _describe_source(loaded, languages, wish.lang),
        "lines": loaded.transcript.lines,
        "back": build_address(visit, wish),
    }

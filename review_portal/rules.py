"""Rules of the room: what a link allows, what may be posted, and filtering. They return reasons, never sentences."""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final, Protocol

from dashboard.platform_api.vocabulary import (
    COMMENT_FORBIDDEN,
    COMMENT_TEXT_MAX,
    MAIN_COMMENTS_MAX,
    REPLIES_MAX,
    USER_NAME,
    USER_NAME_MAX,
    LinkStatus,
)
from dashboard.shared.text import fold

EXPIRING: Final = timedelta(hours=24)
METER_FROM: Final = 25
"""From this many of 30 the quiet meter is shown as nearly full."""
NOTE_MAX: Final = 2000
"""Characters of the note of a decision, which the platform never sees."""
POSTS_PER_REVIEWER: Final = (20, 60)
"""Attempts, seconds."""
POSTS_PER_NETWORK: Final = (90, 60)
DECISIONS_PER_REVIEWER: Final = (10, 24 * 3600)
DECISIONS_PER_NETWORK: Final = (20, 24 * 3600)
"""On one link."""
NEW_REVIEWERS_PER_NETWORK: Final = (40, 24 * 3600)
"""On one link: browsers that nobody knows yet."""
DECISIONS_PER_LINK: Final = (200, 24 * 3600)
CHOICES_PER_REVIEWER: Final = (30, 60)
WATCHED_PER_REVIEWER: Final = (30, 60)
"""Messages about what was watched."""
LOOKUPS_PER_NETWORK: Final = (60, 60)
"""Links nobody here knows: each costs a call to the platform."""


class LinkState(StrEnum):
    """How a link stands. `open` may still be for viewing only."""

    OPEN = "open"
    EXPIRED = "expired"
    INACTIVE = "inactive"


class Reason(StrEnum):
    """Why something is not taken."""

    TEXT_EMPTY = "text-empty"
    TEXT_TOO_LONG = "text-too-long"
    TEXT_FORBIDDEN = "text-forbidden"
    NAME_EMPTY = "name-empty"
    NAME_TOO_LONG = "name-too-long"
    NAME_FORBIDDEN = "name-forbidden"
    NAME_OF_OWNER = "name-of-owner"
    NAME_UNSEEN = "name-unseen"
    """A name of nothing that anybody sees."""
    """Somebody who is not the owner gives the owner's name."""
    TIME_EMPTY = "time-empty"
    TIME_UNREADABLE = "time-unreadable"
    TIME_BEYOND = "time-beyond"
    TIME_UNUSED = "time-unused"
    MAIN_LIMIT = "main-limit"
    REPLY_LIMIT = "reply-limit"
    NO_ROOM = "no-room"
    """More comments are added at once than the video can take."""
    PARENT_MISSING = "parent-missing"
    LINK_EXPIRED = "link-expired"
    LINK_INACTIVE = "link-inactive"
    VIEW_ONLY = "view-only"
    STATUS_LOCKED = "status-locked"
    NOT_YOURS = "not-yours"
    NOTHING_TO_CHANGE = "nothing-to-change"
    TOO_OFTEN = "too-often"
    VERDICT_MISSING = "verdict-missing"
    NOTE_MISSING = "note-missing"
    """A decision that asks for changes says nothing of them."""
    SAME_WORDS = "same-words"
    """Posted a moment ago, from another form: asked about, posted again only on purpose."""
    DRAWING_UNREADABLE = "drawing-unreadable"
    DRAWING_TOO_LARGE = "drawing-too-large"
    CUTS_MOVED = "cuts-moved"
    """The owner put another cut, or none, before this one after the form was opened."""
    CHANGED_SINCE = "changed-since"
    """Somebody, or the same person elsewhere, changed it after this form was opened."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong. For characters: which, at which place counted from 1, and what could stand there instead."""

    field: str
    reason: Reason
    character: str = ""
    place: int = 0
    repair: str = ""
    limit: int = 0
    sets: tuple[str, str] = ("", "")
    """A field of the form and its value with which the same form is taken: the person has been asked."""


class LinkLike(Protocol):
    """What these rules look at of a link."""

    status: str
    expires_at: datetime | None
    allow_comment: bool
    allow_status_edit: bool


def state_of(link: LinkLike, now: datetime) -> LinkState:
    """Any status but `active` counts as inactive [2.3], also past its end: what was switched off is not readable again."""
    if link.status != LinkStatus.ACTIVE:
        return LinkState.INACTIVE
    return LinkState.EXPIRED if link.expires_at is not None and link.expires_at <= now else LinkState.OPEN


def is_expiring(link: LinkLike, now: datetime) -> bool:
    return link.expires_at is not None and now < link.expires_at <= now + EXPIRING


def why_no_writing(link: LinkLike, now: datetime) -> Reason | None:
    """Why nothing at all can be written, or None [4.7, 4.8]."""
    closed = {LinkState.EXPIRED: Reason.LINK_EXPIRED, LinkState.INACTIVE: Reason.LINK_INACTIVE}
    return closed.get(state_of(link, now))


def why_no_comment(link: LinkLike, now: datetime) -> Reason | None:
    """Why nothing can be posted, or None."""
    return why_no_writing(link, now) or (None if link.allow_comment else Reason.VIEW_ONLY)


def why_no_status(link: LinkLike, now: datetime) -> Reason | None:
    """Why nothing can be resolved or reopened, or None."""
    return why_no_writing(link, now) or (None if link.allow_status_edit else Reason.STATUS_LOCKED)


# Text


REPAIRS: Final = (
    ("<->", "↔"), ("->", "→"), ("=>", "⇒"), ("<-", "←"), ("<3", "♥"), (">=", "≥"), ("<=", "≤"),
    ("<<", "«"), (">>", "»"), ("<", "‹"), (">", "›"), ("[", "("), ("]", ")"), ("{", "("), ("}", ")"),
)  # fmt: skip
"""What the assistant offers for what the platform refuses; the longer match first."""


def normalize(text: str) -> str:
    """As it is sent: one kind of line break, nothing around it, no control characters that nobody sees."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    visible = "".join(c for c in lines if c == "\n" or c == "\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    return visible.strip()


def count_length(text: str) -> int:
    """How long the platform may count it: code points or UTF-16 units, whichever is more [8]."""
    return max(len(text), len(text.encode("utf-16-le", "surrogatepass")) // 2)


def check_text(text: str, *, address: str = "") -> list[Problem]:
    """What is wrong with a comment's text, already `normal` [4.7]: each forbidden character, up to five of them.

    `address`: what is sent at its end, with the line break before it.
    """
    if not text:
        return [Problem("text", Reason.TEXT_EMPTY)]
    problems = []
    most = COMMENT_TEXT_MAX - count_length(address)
    if count_length(text) > most:
        problems.append(Problem("text", Reason.TEXT_TOO_LONG, place=count_length(text), limit=most))
    places = [place for place, character in enumerate(text) if character in COMMENT_FORBIDDEN]
    problems += [
        Problem(
            field="text",
            reason=Reason.TEXT_FORBIDDEN,
            character=text[place],
            place=place + 1,
            repair=get_repair(text, place),
        )
        for place in places[:5]
    ]
    return problems


def get_repair(text: str, place: int) -> str:
    """What to offer for the forbidden character at `place`."""
    for wrong, right in REPAIRS:
        for shift in range(len(wrong)):
            if wrong[shift] == text[place] and text.startswith(wrong, place - shift) and place >= shift:
                return right
    return ""


def normalize_name(name: str) -> str:
    """As it is sent: letters with their marks as one sign, as the platform knows letters, and nothing around it."""
    return unicodedata.normalize("NFC", name).strip()


def check_name(name: str) -> list[Problem]:
    """What is wrong with a name, already stripped [4.7]."""
    if not name:
        return [Problem("user_name", Reason.NAME_EMPTY)]
    if count_length(name) > USER_NAME_MAX:
        return [Problem("user_name", Reason.NAME_TOO_LONG, limit=USER_NAME_MAX)]
    for place, character in enumerate(name):
        if not USER_NAME.fullmatch(character):
            return [Problem("user_name", Reason.NAME_FORBIDDEN, character, place + 1)]
    return [] if has_ink(name) else [Problem("user_name", Reason.NAME_UNSEEN)]


def is_any_name(name: str, others: Iterable[str]) -> bool:
    """Whether people would take `name` for one of `others`: case, accents, spaces, signs, letters that look alike and
    characters that nobody sees tell none apart.
    """
    keys = list_skeletons(name)
    return any(keys & (list_skeletons(other) | _list_capital_skeletons(other)) for other in others)


_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What is not drawn [Unicode, Default_Ignorable_Code_Point], with the blank of Braille."""
_JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def show_name(name: str) -> str:
    """A name as people are shown it, wherever it was given: without what is not seen, but for what joins and parts letters of
    Persian, of the languages of India, and emoji. One without any ink is told by its signs: U+3164.
    """
    shown = _UNSEEN.sub(_keep_needed, name)
    return shown if has_ink(shown) else " ".join(f"U+{ord(sign):04X}" for sign in name if not sign.isspace()) or name


def _keep_needed(found: re.Match[str]) -> str:
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    kinds = [unicodedata.category(sign) for sign in (before, after) if sign]
    if found[0] == "\N{VARIATION SELECTOR-16}":
        return found[0] if kinds and before and kinds[0] == "So" else ""
    is_inside = len(kinds) == 2 and {*kinds} <= {"Lo", "Mn", "Mc", "So", "Sk"} and not _UNSEEN.match(after)
    is_after_letter = not _UNSEEN.match(before) or before == "\N{VARIATION SELECTOR-16}"
    return found[0] if found[0] in _JOINERS and is_inside and is_after_letter else ""


def has_ink(name: str) -> bool:
    """Whether there is anything to see: a letter, a digit or a sign, not only marks, spaces and what has no ink."""
    return any(unicodedata.category(sign)[0] in "LNPS" for sign in _UNSEEN.sub("", name))


def list_skeletons(name: str) -> set[str]:
    """What `name` looks like [UTS 39, 4], as it is and in small letters: a capital I looks like a small L. Empty without ink."""
    seen = _UNSEEN.sub("", name)
    return {_build_skeleton(_lower(seen)), _build_skeleton(_lower(_build_skeleton(seen)))} - {""}


def _list_capital_skeletons(name: str) -> set[str]:
    """What `name` looks like in capitals, to which a small L may be given for an I."""
    return {_build_skeleton(_lower(_build_skeleton(_lower(_UNSEEN.sub("", name)).upper())))} - {""}


def _build_skeleton(text: str) -> str:
    prototypes = _load_prototypes()
    shown = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFKD", text))
    return "".join(sign for sign in shown if sign.isalnum() or _is_of_letter(sign))


def _lower(text: str) -> str:
    return unicodedata.normalize("NFKD", text).casefold()


def _is_of_letter(sign: str) -> bool:
    """Whether a mark makes another letter, as in Japanese and in the languages of India, and is no accent."""
    return unicodedata.category(sign) in ("Mn", "Mc") and unicodedata.combining(sign) in (0, 7, 8, 9)


@cache
def _load_prototypes() -> dict[str, str]:
    """Unicode's confusables: the sign, or signs, that stand for all that look like them. A sign that is a prototype names all of
    its own; another names its one prototype. Of two that name each other, the smaller stands for both.
    """
    text = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    twins = {sign: found[0]["c"] for sign, found in json.loads(text).items() if len(found) == 1}
    names = {chr(code): unicodedata.name(chr(code), "") for code in range(0x250, 0x1D80)}
    capitals = {sign: re.fullmatch(r"LATIN LETTER SMALL CAPITAL (\w)", name) for sign, name in names.items()}
    twins |= {sign: found[1].lower() for sign, found in capitals.items() if found}  # which Unicode does not list
    return {sign: twin for sign, twin in twins.items() if twins.get(twin) != sign or twin < sign}


# Time


_CLOCK: Final = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,]\d+)?", re.ASCII)
_TIMECODE: Final = re.compile(r"(\d{2}):(\d{2}):(\d{2})[:;]\d{2,3}", re.ASCII)
_UNITS: Final = re.compile(
    r"(?=\d)(?:(\d{1,3})\s*h\s*)?(?:(\d{1,4})\s*m\s*)?(?:(\d{1,6})(?:[.,]\d+)?\s*s?)?", re.ASCII | re.I
)


def parse_clock(typed: str) -> int | None:
    """`1:15`, `0:75`, `1:02:03`, `75`, `1m15s` or the timecode `00:01:15:12` as whole seconds, floored; None otherwise."""
    typed = typed.strip()
    for form in (_CLOCK, _TIMECODE, _UNITS):
        if match := form.fullmatch(typed):
            hours, minutes, seconds = (int(part or 0) for part in match.groups())
            return hours * 3600 + minutes * 60 + seconds
    return None


_MOMENT_IN_ADDRESS: Final = re.compile(r"\d{1,6}\.\d{1,6}", re.ASCII)


def parse_moment(typed: str) -> float:
    """Where an address wants the video to begin: seconds with a fraction lead to one frame. 0 for what is no time. A full
    stop or a bracket behind the address is not of it.
    """
    typed = re.sub(r"\W+\Z", "", typed).lstrip()
    return float(typed) if _MOMENT_IN_ADDRESS.fullmatch(typed) else parse_clock(typed) or 0


def check_time(typed: str, last_second: int | None) -> tuple[int | None, Problem | None]:
    """The typed time in seconds, or what is wrong with it. `last_second` None: the length is not known."""
    if not typed.strip():
        return None, Problem("time", Reason.TIME_EMPTY)
    seconds = parse_clock(typed)
    if seconds is None:
        return None, Problem("time", Reason.TIME_UNREADABLE)
    if last_second is not None and seconds > last_second:
        return None, Problem("time", Reason.TIME_BEYOND, limit=last_second)
    return seconds, None


def check_quota(main_count: int, reply_count: int | None) -> Problem | None:
    """Whether the video's comments (or with `reply_count`, the thread's replies) leave room for one more [8]."""
    if reply_count is None:
        return Problem("", Reason.MAIN_LIMIT, limit=MAIN_COMMENTS_MAX) if main_count >= MAIN_COMMENTS_MAX else None
    return Problem("", Reason.REPLY_LIMIT, limit=REPLIES_MAX) if reply_count >= REPLIES_MAX else None


def add_mention(text: str, name: str) -> str:
    """A reply to a reply goes to the parent: the name stands in front, so that it is clear who is meant."""
    mention = f"@{name} "
    return text if text.startswith(mention.strip()) else mention + text


# What stands in a text


_MOMENT: Final = re.compile(r"(?<![\w:.,/-])(\d{1,2}:)?(\d{1,3}):([0-5]\d)(?![\w:]|[.,]\d)", re.ASCII)
_RANGE: Final = re.compile(
    r"(?<![\w:.,/-])((?:\d{1,2}:)?\d{1,3}:[0-5]\d)\s?[-\u2013]\s?((?:\d{1,2}:)?\d{1,3}:[0-5]\d)(?![\w:])", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in a text: from where to where it stands, and the second it means."""

    start: int
    end: int
    second: int


def find_moments(text: str, last_second: int | None) -> list[Moment]:
    """Times in a text that lie within the video: `0:12`, `1:02:03`. Dates, ratios and clock words are not times."""
    if ":" not in text:
        return []
    results = []
    for match in [*_RANGE.finditer(text), *_MOMENT.finditer(text)]:
        second = parse_clock(match[1] if match.re is _RANGE else match[0])
        if second is not None and (last_second is None or second <= last_second):
            results.append(Moment(match.start(), match.end(), second))
    return results


def parse_span(text: str, time: int, last_second: int | None) -> tuple[int, int] | None:
    """The range that a comment's text begins with or names at its own moment: `0:12-0:15` at 0:12. None without one."""
    if ":" not in text:
        return None
    for match in _RANGE.finditer(text):
        start, end = parse_clock(match[1]), parse_clock(match[2])
        if start == time and end is not None and end > start and (last_second is None or end <= last_second):
            return start, end
    return None


def strip_range(text: str, time: int, last_second: int | None) -> str:
    """The text without the range it begins with, where that stands beside it already as its time."""
    match = _RANGE.match(text) if ":" in text else None
    if match is None or (parse_clock(match[1]), parse_clock(match[2])) != parse_span(text, time, last_second):
        return text
    return text[match.end() :].lstrip(" :,\n") or text


# Order, filter, search


class Show(StrEnum):
    """Filters of the list."""

    ALL = "all"
    OPEN = "open"
    RESOLVED = "resolved"
    MINE = "mine"
    NEW = "new"


class Sort(StrEnum):
    """Orders of the list."""

    TIME = "time"
    NEWEST = "newest"
    ACTIVITY = "activity"


class CommentLike(Protocol):
    """What these rules look at of a comment or a reply."""

    @property
    def user_name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def mine(self) -> bool: ...
    @property
    def born(self) -> int: ...


@dataclass(frozen=True)
class ListFilter:
    """The filter of the list. Unknown values are ignored."""

    show: Show = Show.ALL
    sort: Sort = Sort.TIME
    by: str = ""
    query: str = ""
    since: int = 0
    """For `new`: the version the reader saw last."""

    @property
    def narrows(self) -> bool:
        return self.show != Show.ALL or bool(self.by or self.query)

    @property
    def looks_inside(self) -> bool:
        """Whether it asks for single replies, which may be anywhere in their threads."""
        return self.show in (Show.MINE, Show.NEW) or bool(self.by or self.query)


def matches(choice: ListFilter, entries: Sequence[CommentLike], is_open: bool) -> bool:
    """Whether a thread is shown; `entries` are its first comment and its replies."""
    if (choice.show == Show.OPEN and not is_open) or (choice.show == Show.RESOLVED and is_open):
        return False
    if choice.show == Show.MINE and not any(entry.mine for entry in entries):
        return False
    if choice.show == Show.NEW and not any(entry.born > choice.since and not entry.mine for entry in entries):
        return False
    if choice.by and not any(entry.user_name == choice.by for entry in entries):
        return False
    if not choice.query:
        return True
    words = fold(choice.query)
    return any(words in fold(entry.text) or words in fold(entry.user_name) for entry in entries)


def count_by_name(names: Iterable[str]) -> list[tuple[str, int]]:
    """Who wrote, and how many each, most first."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

"""Format a paragraph with marks (bold, italic, links, code) as Markdown."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias

Marks: TypeAlias = tuple[str, ...]
"""Marks around a run, outermost first: `**`, `*`, `~~`, or `](address)` for a link."""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>~|]|&(?=#?\w+;))")
_AT_START: Final = re.compile(
    r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|[+-](?:\s|$)|[-=:][-=: ]*$))", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Run:
    """Text with its marks; `kind` is CODE for a code span, RAW for what is Markdown already: an image, a line break."""

    text: str
    marks: Marks = ()
    kind: str = ""

    @property
    def is_space(self) -> bool:
        """Nothing that a mark could stand beside."""
        return self.kind != CODE and self.text in ("", " ", BREAK)

    @property
    def is_lone_sign(self) -> bool:
        """Only signs: bold or italics around them are seen by nobody, and Markdown often cannot say them."""
        return not self.kind and not self.is_space and not any(letter.isalnum() for letter in self.text)

    @property
    def markdown(self) -> str:
        """How it is written."""
        return format_code(self.text) if self.kind == CODE else self.text if self.kind else escape_text(self.text)


RAW: Final = "raw"
CODE: Final = "code"
BREAK: Final = "\\\n"


def format_code(text: str) -> str:
    """A code span whose fence is longer than any run of backticks in it."""
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text}{pad}{fence}" if text.strip(" ") else text


def escape_text(text: str) -> str:
    """Text that Markdown shows letter for letter, inside a line."""
    return _SPECIAL.sub(r"\\\1", text)


def escape_line_starts(text: str) -> str:
    """Lines that begin no list, heading, rule or table."""
    return _AT_START.sub(lambda match: f"{match[1]}\\" if match[1] else "\\", text)


def format_runs(runs: Sequence[Run], *, one_line: bool = False, cell: bool = False) -> str:
    """Markdown of a paragraph; with `one_line` its breaks are spaces, as in the `cell` of a table."""
    pieces = _split_words(runs, one_line or cell)
    out: list[str] = []
    opened: Marks = ()
    last = -1
    """Where the words before stand in `out`."""
    for place, piece in enumerate(pieces):
        common = tuple(takewhile(lambda mark: mark in piece.marks, opened))  # noqa: B023  (used at once)
        closing, opening = opened[len(common) :], _order_marks(pieces[place:], common)
        words = piece.markdown.replace("|", "\\|") if cell and piece.kind == CODE else piece.markdown
        lead = " " if opening and not piece.kind and words.startswith(" ") else ""  # no mark opens before a space
        words = words[len(lead) :]
        if last >= 0 and opening and not lead:
            out[last] = _escape_before_mark(out[last], words, opening, inside=bool(common))
        if last >= 0 and closing and (common or _is_sign(out[last][-1:])) and not piece.kind and words[:1].isalnum():
            words = (
                f"&#{ord(words[0])};{words[1:]}"  # after a sign, or inside another mark, none closes before a letter
            )
        out += [*reversed(closing), lead, *("[" if mark.startswith("](") else mark for mark in opening), words]
        opened, last = common + opening, len(out) - 1
    return "".join([*out, *reversed(opened)])


def _order_marks(pieces: Sequence[Run], common: Marks) -> Marks:
    """The marks that the first of the pieces opens, the one that lasts longest first; a space opens none."""
    if pieces[0].is_space:
        return ()
    new = [mark for mark in pieces[0].marks if mark not in common]
    return tuple(sorted(new, key=lambda mark: -len(list(takewhile(lambda piece: mark in piece.marks, pieces)))))


def _escape_before_mark(before: str, words: str, opening: Marks, *, inside: bool) -> str:
    """What stands before a mark: before a sign or inside another mark a letter there is written as its number.

    An exclamation mark before a link would make an image of it.
    """
    letter, is_link = before[-1:], opening[0].startswith("](")
    if letter == "!" and is_link and not before.endswith("\\!"):
        return f"{before[:-1]}\\!"
    if letter.isalnum() and not (is_link and len(opening) == 1) and (len(opening) > 1 or inside or _is_sign(words[:1])):
        return f"{before[:-1]}&#{ord(letter)};"
    return before


def _split_words(runs: Sequence[Run], one_line: bool) -> list[Run]:
    """Words and the spaces between them apart; a space has only the marks that the words on both sides of it share."""
    split: list[Run] = []
    for run in runs:
        if run.kind and run.text.strip(" "):
            split.append(Run(" ", run.marks) if one_line and run.text == BREAK else run)
        else:
            words = re.split(r"(\s+)", run.text)
            split += [Run(" " if place % 2 else word, run.marks) for place, word in enumerate(words) if word]
    pieces: list[Run] = []
    for piece in split:
        if not piece.is_space or (pieces and not pieces[-1].is_space):
            pieces.append(piece)
        elif pieces and piece.text == BREAK:
            pieces[-1] = piece
    while pieces and pieces[-1].is_space:
        pieces.pop()
    lone = [_share_marks(pieces, place) if piece.is_lone_sign else piece for place, piece in enumerate(pieces)]
    return _join_runs([_share_marks(lone, place) if piece.is_space else piece for place, piece in enumerate(lone)])


def _share_marks(pieces: Sequence[Run], place: int) -> Run:
    """The piece with the marks that it shares with both neighbours; a link stays."""
    piece, nobody = pieces[place], Run("")
    before = pieces[place - 1] if place else nobody
    after = pieces[place + 1] if place + 1 < len(pieces) else nobody
    shared = [mark for mark in piece.marks if (mark in before.marks and mark in after.marks) or mark.startswith("](")]
    return Run(piece.text, tuple(shared), piece.kind)


def _join_runs(pieces: Sequence[Run]) -> list[Run]:
    """Neighbours of the same kind and marks as one, so that what stands beside a mark is seen."""
    alike: list[list[Run]] = []
    for piece in pieces:
        if alike and piece.kind != RAW and (alike[-1][0].kind, alike[-1][0].marks) == (piece.kind, piece.marks):
            alike[-1].append(piece)
        else:
            alike.append([piece])
    return [Run("".join(run.text for run in runs), runs[0].marks, runs[0].kind) for runs in alike]


def _is_sign(letter: str) -> bool:
    return bool(letter) and unicodedata.category(letter)[0] in "PS"

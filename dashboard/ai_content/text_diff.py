"""The difference of two texts: by words where they are short, by lines where they are long."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dashboard.ai_content.rules.alignment import list_opcodes

SHORT: Final = 1500
LINES_MOST: Final = 4000
SHOWN_MOST: Final = 400
"""Pieces shown of one difference."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`kind` is same, gone or new."""

    kind: str
    text: str

    @property
    def tag(self) -> str:
        """The HTML element that marks it."""
        return {"gone": "del", "new": "ins"}.get(self.kind, "span")


def diff_texts(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces of both texts, in reading order."""
    if max(len(before), len(after)) <= SHORT:
        return _build_pieces(
            re.findall(r"\s+|[^\W_]+|.", before, re.DOTALL), re.findall(r"\s+|[^\W_]+|.", after, re.DOTALL)
        )
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if len(old) + len(new) > LINES_MOST:
        return (Piece("gone", f"{before[:SHORT]} …"), Piece("new", f"{after[:SHORT]} …"))
    return _shorten_unchanged(_build_pieces(old, new))


def _build_pieces(old: Sequence[str], new: Sequence[str]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for code, a, b, c, d in list_opcodes(old, new):
        if code == "equal":
            pieces.append(Piece("same", "".join(old[a:b])))
            continue
        if b > a:
            pieces.append(Piece("gone", "".join(old[a:b])))
        if d > c:
            pieces.append(Piece("new", "".join(new[c:d])))
    return tuple(pieces[:SHOWN_MOST])


def _shorten_unchanged(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Shorten long unchanged pieces to their first and last lines."""
    shortened = []
    for piece in pieces:
        lines = piece.text.splitlines(keepends=True)
        if piece.kind == "same" and len(lines) > 4:
            shortened.append(Piece("same", "".join(lines[:2]) + "…\n" + "".join(lines[-2:])))
        else:
            shortened.append(piece)
    return tuple(shortened)

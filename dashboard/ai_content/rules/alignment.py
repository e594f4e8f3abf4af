"""Common parts of two sequences, in time proportional to their length even where elements repeat.

Common beginnings and ends are matched first. Between them, elements that occur exactly once on each side are anchors;
parts between two anchors are treated the same way. A part without anchors is compared element by element where it is
short, and is otherwise reported as replaced: an optimal result would take the square of its length.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, TypeAlias

Block: TypeAlias = tuple[int, int, int]
"""Start on the left, start on the right, and length."""
Opcode: TypeAlias = tuple[str, int, int, int, int]
"""`equal` or `replace`, then start and end on the left and on the right."""
SHORT: Final = 10_000
"""Product of two lengths up to which two parts are compared element by element."""
ROUNDS: Final = 24
"""Levels of recursion between anchors."""


def find_common_blocks(left: Sequence[str], right: Sequence[str]) -> list[Block]:
    """List the common parts, in order on both sides; adjacent ones are joined."""
    blocks: list[Block] = []
    for a, b, size in sorted(_find_common(left, right)):
        if blocks and (blocks[-1][0] + blocks[-1][2], blocks[-1][1] + blocks[-1][2]) == (a, b):
            blocks[-1] = (blocks[-1][0], blocks[-1][1], blocks[-1][2] + size)
        else:
            blocks.append((a, b, size))
    return blocks


def list_opcodes(left: Sequence[str], right: Sequence[str]) -> Iterator[Opcode]:
    """List the operations that turn `left` into `right`."""
    a = b = 0
    for at, to, size in [*find_common_blocks(left, right), (len(left), len(right), 0)]:
        if at > a or to > b:
            yield "replace", a, at, b, to
        if size:
            yield "equal", at, at + size, to, to + size
        a, b = at + size, to + size


def _find_common(left: Sequence[str], right: Sequence[str]) -> Iterator[Block]:
    waiting = [(0, len(left), 0, len(right), ROUNDS)]
    while waiting:
        a, a_end, b, b_end, rounds = waiting.pop()
        begin = a
        while a < a_end and b < b_end and left[a] == right[b]:
            a, b = a + 1, b + 1
        if a > begin:
            yield begin, b - (a - begin), a - begin
        end = a_end
        while a_end > a and b_end > b and left[a_end - 1] == right[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
        if end > a_end:
            yield a_end, b_end, end - a_end
        if a == a_end or b == b_end:
            continue
        anchors = _find_anchors(left, a, a_end, right, b, b_end) if rounds else []
        if anchors:
            for at, to in [*anchors, (a_end, b_end)]:
                waiting.append((a, at, b, to, rounds - 1))
                a, b = at, to
        elif (a_end - a) * (b_end - b) <= SHORT:
            matcher = SequenceMatcher(None, left[a:a_end], right[b:b_end], autojunk=False)
            yield from ((a + block.a, b + block.b, block.size) for block in matcher.get_matching_blocks() if block.size)


def _find_anchors(
    left: Sequence[str], a: int, a_end: int, right: Sequence[str], b: int, b_end: int
) -> list[tuple[int, int]]:
    """The longest rising run of places whose element each side has exactly once."""
    mine, theirs = Counter(left[a:a_end]), Counter(right[b:b_end])
    places = {right[place]: place for place in range(b, b_end) if theirs[right[place]] == 1}
    pairs = [
        (place, places[left[place]]) for place in range(a, a_end) if mine[left[place]] == 1 and left[place] in places
    ]
    tails: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for index, (_at, to) in enumerate(pairs):
        length = bisect_left(tails, to)
        before.append(tops[length - 1] if length else -1)
        tails[length : length + 1] = [to]
        tops[length : length + 1] = [index]
    run = []
    index = tops[-1] if tops else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    return run[::-1]

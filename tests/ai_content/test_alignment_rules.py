"""What two sequences have in common: true for any two, and found without comparing everything with everything."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules.difference import find_common_blocks, list_opcodes

words = st.lists(st.sampled_from("aaaabcdefgh"), max_size=60)


@given(words, words)
def test_opcodes_lead_from_one_to_the_other(left: list[str], right: list[str]) -> None:
    rebuilt: list[str] = []
    at = to = 0
    for code, a, b, c, d in list_opcodes(left, right):
        assert (a, c) == (at, to)
        assert (left[a:b] == right[c:d] != []) if code == "equal" else (code == "replace" and (a < b or c < d))
        rebuilt += right[c:d]
        at, to = b, d
    assert (at, to, rebuilt) == (len(left), len(right), right)


@given(words, words)
def test_stretches_rise_on_both_sides_and_neighbours_are_one(left: list[str], right: list[str]) -> None:
    blocks = find_common_blocks(left, right)
    for (a, b, size), (c, d, _more) in pairwise(blocks):
        assert a + size <= c and b + size <= d
        assert (a + size, b + size) != (c, d)


def measure_longest_run(numbers: list[int]) -> int:
    """The length of the longest rising run, by trying every end."""
    longest = [1] * len(numbers)
    for end, number in enumerate(numbers):
        longest[end] += max((longest[at] for at in range(end) if numbers[at] < number), default=0)
    return max(longest, default=0)


@given(st.permutations(range(120)))
def test_elements_that_occur_once_are_found_in_the_longest_run_that_rises(numbers: list[int]) -> None:
    left, right = [str(number) for number in range(120)], [str(number) for number in numbers]
    assert sum(size for _a, _b, size in find_common_blocks(left, right)) >= measure_longest_run(numbers)


def test_long_texts_are_compared_between_what_occurs_once() -> None:
    old = [f"line {n}" for n in range(400)]
    new = [line if n % 3 else f"changed {n}" for n, line in enumerate(old)]
    assert [(a, size) for a, _b, size in find_common_blocks(old, new)] == [(n, 2) for n in range(1, 400, 3)]


@pytest.mark.parametrize(("size", "is_compared"), [(100, True), (101, False)])
def test_parts_without_anything_that_occurs_once_are_compared_while_they_are_short(
    size: int, is_compared: bool
) -> None:
    old, new = ["a", "b"] * (size // 2) + ["a"] * (size % 2), ["b", "b", "a", "a"] * (size // 4) + ["c"] * (size % 4)
    assert bool(find_common_blocks(old, new)) is is_compared


def test_what_stayed_is_found_around_what_changed() -> None:
    old = [*"abcdefg", "same"] + ["x"] * 5 + [*"hij"]
    new = [*"abXcdefg", "same"] + ["x"] * 7 + [*"hKj"]
    assert [old[a : a + size] for a, _b, size in find_common_blocks(old, new)] == [
        ["a", "b"], [*"cdefg", "same", *"xxxxx"], ["h"], ["j"]
    ]  # fmt: skip


class Counted(str):
    """A line that counts how often it is compared."""

    __slots__ = ()
    asked = 0

    def __eq__(self, other: object) -> bool:
        Counted.asked += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def asked(size: int, ours: Any, theirs: Any) -> int:
    """How many comparisons two texts of this size take."""
    one = [Counted(ours(number)) for number in range(size)]
    other = [Counted(theirs(number)) for number in range(size)]
    Counted.asked = 0
    list(list_opcodes(one, other))
    return Counted.asked


def test_ten_times_as_many_lines_take_ten_times_as_many_comparisons() -> None:
    texts: dict[str, tuple[Any, Any]] = {
        "repeated": (lambda n: f"{n % 7}", lambda n: f"{n % 5} "),
        "two letters": (lambda n: "ab"[n % 2], lambda n: "ba"[n % 3 % 2]),
        "shared": (str, lambda n: str(n + n % 3)),
        "nothing": (lambda n: f"a{n}", lambda n: f"b{n}"),
    }
    for name, (ours, theirs) in texts.items():
        assert asked(5_000, ours, theirs) <= 12 * asked(500, ours, theirs) + 25_000, name

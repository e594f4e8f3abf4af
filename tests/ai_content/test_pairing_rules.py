"""Which element of one list is which of another: by id, else by name, else by content and place; and which were moved."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules.package import (
    Pairs,
    find_moved,
    get_identifier,
    name_by_keys,
    normalize_text,
    pair_elements,
)
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some

by_name = name_by_keys("name")


def read(text: str) -> list[JSON]:
    """Elements from words such as `1:a/x`: id, name, and content beside them, each where it is there."""
    elements: list[JSON] = []
    for word in text.split():
        key, _, rest = word.partition(":")
        name, _, content = rest.partition("/")
        elements.append({k: v for k, v in (("id", key), ("name", name), ("content", content)) if v})
    return elements


def pair(before: str, after: str, *, by_place: bool = True) -> str:
    """The pairs of two lists, such as `0-1 2- -0`."""
    pairs = pair_elements(read(before), read(after), by_name, by_place=by_place)
    return " ".join("-".join("" if place is None else str(place) for place in one) for one in pairs)


@pytest.mark.parametrize(
    ("before", "after", "pairs"),
    [
        ("", "", ""),
        ("1:a 2:b", "2:b 1:a", "1-0 0-1"),
        ("1:a 2:b", "1:b 2:a", "0-0 1-1"),
        (":a :b", ":b :a", "1-0 0-1"),
        ("1:a :b", ":a", "0-0 1-"),
        (":a :b", "1:b 2:c", "0- 1-0 -1"),
        ("1:a", "2:a", "-0 0-"),
        ("1:a", ":a 1:c", "-0 0-1"),
        (":a/x :a/y", ":a/y :a/z", "1-0 0-1"),
        (":a/x :a/y :a", ":a/z", "0-0 1- 2-"),
        (":a/x", ":a/y :a/z", "0-0 -1"),
        ("1:a 1:b", "1:c 1:d", "0-0 1-1"),
        ("1:a 1:b", "1:b", "0- 1-0"),
        ("1: 1:", "1:a", "0-0 1-"),
        (":a :b", ":c :d", "0-0 1-1"),
        (":a :b", ":b :c", "0- 1-0 -1"),
        (":a", "1:b", "-0 0-"),
        ("1:a", ":b", "-0 0-"),
        (":/x :/y", ":/y :/z", "0- 1-0 -1"),
        (":/x :/y :/z", ":/u :/y", "0-0 1-1 2-"),
        (":a/x :a/x :a/x", ":a/x :a/x :a/x", "0-0 1-1 2-2"),
        ("1:a 2:a :a", ":a 2:a", "0- 2-0 1-1"),
        ("1:a :a/x", ":a/y :a/z", "0-0 1-1"),
        (":a/x :a/y", "1:a 2:a", "0-0 1-1"),
        ("1:a 2:a", "3:a 4:a", "-0 -1 0- 1-"),
        ("1:a/x 1:a/y", "1:a/z :a 1:a/u", "0-0 1-1 -2"),
        ("1:a/x 1:a/y", ":a 2:a 1:a/u", "0-0 -1 1-2"),
        ("1:a 2:b 3:c 4:d", "3:c 5:e", "0- 1- 2-0 -1 3-"),
    ],
)
def test_elements_are_paired_by_id_else_by_name_else_in_order(before: str, after: str, pairs: str) -> None:
    assert pair(before, after) == pairs


@pytest.mark.parametrize(
    ("before", "after", "pairs"),
    [(":a :b", ":c :d", "-0 -1 0- 1-"), (":/x", ":/y", "-0 0-"), (":a :/x", ":a/y :/x", "0-0 1-1")],
)
def test_elements_are_not_paired_by_place_alone_when_places_mean_nothing(before: str, after: str, pairs: str) -> None:
    assert pair(before, after, by_place=False) == pairs


words = st.lists(st.sampled_from(["1:a", "2:a", "1:b", ":a", ":b", ":a/x", ":", ":/x", "3:", "1:a/x"]), max_size=7).map(
    " ".join
)


@some.few
@given(words, words, st.booleans())
def test_every_element_is_in_one_pair_and_never_with_one_of_another_id(before: str, after: str, by_place: bool) -> None:
    old, new = read(before), read(after)
    pairs: Pairs = pair_elements(old, new, by_name, by_place=by_place)
    assert sorted(place for place, _new in pairs if place is not None) == [*range(len(old))]
    assert [place for _old, place in pairs if place is not None] == [*range(len(new))]
    for one, other in pairs:
        if one is not None and other is not None:
            assert len({get_identifier(old[one]), get_identifier(new[other])} - {""}) <= 1


@some.few
@given(words)
def test_list_is_paired_with_itself_place_by_place(text: str) -> None:
    assert pair(text, text, by_place=False) == " ".join(f"{place}-{place}" for place in range(len(read(text))))


def test_what_only_one_side_has_stands_at_its_old_place() -> None:
    old: list[JSON] = [{"id": number} for number in (1, 2, 3, 4, 5, 6)]
    new: list[JSON] = [{"id": number} for number in (9, 4, 2, 8)]
    assert pair_elements(old, new, name_by_keys("text")) == (
        (None, 0),
        (0, None),
        (2, None),
        (3, 1),
        (1, 2),
        (None, 3),
        (4, None),
        (5, None),
    )


@pytest.mark.parametrize(
    ("element", "identifier"),
    [
        ({"id": 1}, "1"),
        ({"id": "1"}, '"1"'),
        ({"id": 1.0}, "1"),
        ({"id": 0}, "0"),
        ({"id": True}, "true"),
        ({"id": ""}, ""),
        ({"id": None}, ""),
        ({"id": ["1"]}, ""),
        ({}, ""),
        ("id", ""),
    ],
)
def test_identifier_is_a_text_or_a_number_as_json(element: JSON, identifier: str) -> None:
    assert get_identifier(element) == identifier


@pytest.mark.parametrize(
    ("element", "name"),
    [
        ({"text": " A \n B"}, "a b"),
        ({"text": " ", "label": "B"}, "b"),
        ({"text": 5, "label": "B"}, "b"),
        ({"label": "B", "text": "A"}, "a"),
        ({"other": "A"}, ""),
        (" A ", "a"),
        (5, ""),
        (["text"], ""),
    ],
)
def test_name_is_the_first_text_under_the_keys_in_their_order(element: JSON, name: str) -> None:
    assert name_by_keys("text", "label")(element) == name


def test_texts_are_the_same_name_whatever_their_case_spaces_and_spelling() -> None:
    assert (
        normalize_text("\u00a0 \ufb01E\u0301\t STRASSE\n")
        == normalize_text("fi\u00e9 stra\u00dfe")
        == "fi\u00e9 strasse"
    )


@pytest.mark.parametrize(
    ("order", "moved"),
    [
        ([], set()),
        ([0, 1, 2], set()),
        ([2, 0, 1], {2}),
        ([1, 2, 0], {0}),
        ([0, 2, 1, 3], {2}),
        ([3, 4, 5, 0, 1], {0, 1}),
        ([1, 0], {1}),
    ],
)
def test_moved_are_the_fewest_without_which_the_rest_rises(order: list[int], moved: set[int]) -> None:
    assert find_moved(order) == moved


@some.few
@given(st.permutations(range(6)))
def test_what_was_not_moved_is_as_long_as_any_run_that_rises(order: list[int]) -> None:
    stayed = [value for value in order if value not in find_moved(order)]
    assert all(one < other for one, other in pairwise(stayed))
    assert not any(list(run) == sorted(run) for run in combinations(order, len(stayed) + 1))

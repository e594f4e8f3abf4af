"""Two people's changes become one: nothing of either is lost, and nothing that both changed is decided for them."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules.difference import ABSENT, Conflict, Side, merge_packages, split_paragraphs
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import question


def questions(*listed: JSON) -> Package:
    return {"questions": list(listed)}


@some.few
@given(some.packages, some.packages)
def test_when_one_side_did_nothing_the_other_side_is_the_result(base: Package, other: Package) -> None:
    for mine, theirs in ((base, other), (other, base)):
        merged = merge_packages(base, mine, theirs)
        assert is_same(merged.value, other)
        assert merged.conflicts == ()


@some.few
@given(some.packages, some.packages)
def test_when_both_did_the_same_nothing_is_asked(base: Package, both: Package) -> None:
    merged = merge_packages(base, both, copy.deepcopy(both))
    assert is_same(merged.value, both)
    assert merged.conflicts == ()


@some.few
@given(some.packages, some.packages, some.packages)
def test_every_choice_has_a_name_of_its_own_and_can_be_made(base: Package, mine: Package, theirs: Package) -> None:
    first = merge_packages(base, mine, theirs)
    keys = [conflict.key for conflict in first.conflicts]
    assert len(set(keys)) == len(keys)
    again = merge_packages(base, mine, theirs, dict.fromkeys(keys, Side.THEIRS))
    assert {conflict.key for conflict in again.conflicts if not conflict.order} <= set(keys)


def test_changes_to_different_questions_fit_together() -> None:
    base = questions(question(1), question(2), question(3))
    mine = questions(question(1, enunciate="Mine?"), question(2), question(3))
    theirs = questions(question(1), question(2), question(3, enunciate="Theirs?"))
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert is_same(
        merged.value, questions(question(1, enunciate="Mine?"), question(2), question(3, enunciate="Theirs?"))
    )


def test_changes_to_different_fields_of_one_question_fit_together() -> None:
    base = questions(question(1))
    mine = questions(question(1, enunciate="Mine?"))
    theirs = questions(question(1, hint="theirs"))
    assert merge_packages(base, mine, theirs).conflicts == ()
    assert is_same(merge_packages(base, mine, theirs).value, questions(question(1, enunciate="Mine?", hint="theirs")))


def test_a_question_moved_by_one_and_edited_by_the_other_is_both() -> None:
    base = questions(question(1), question(2), question(3))
    mine = questions(question(3), question(1), question(2))
    theirs = questions(question(1), question(2), question(3, enunciate="Theirs?"))
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert is_same(merged.value, questions(question(3, enunciate="Theirs?"), question(1), question(2)))


def test_additions_of_both_stay_behind_their_neighbours() -> None:
    base = questions(question(1), question(2))
    mine = questions(question(1), question(10), question(2))
    theirs = questions(question(1), question(2), question(20))
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert is_same(merged.value, questions(question(1), question(10), question(2), question(20)))


def test_the_same_question_changed_by_both_is_asked_and_either_answer_is_taken_whole() -> None:
    base, mine, theirs = (questions(question(1, enunciate=text), question(2)) for text in ("Old?", "Mine?", "Theirs?"))
    merged = merge_packages(base, mine, theirs)
    assert [(c.place[0], c.place[-1], c.base, c.mine, c.theirs) for c in merged.conflicts] == [
        ("questions", "enunciate", "Old?", "Mine?", "Theirs?")
    ]
    assert is_same(merged.value, mine)
    assert is_same(merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS}).value, theirs)


def test_a_question_deleted_by_one_and_edited_by_the_other_is_asked() -> None:
    base, mine = questions(question(1), question(2)), questions(question(2))
    theirs = questions(question(1, enunciate="Theirs?"), question(2))
    merged = merge_packages(base, mine, theirs)
    assert len(merged.conflicts) == 1
    assert is_same(merged.value, mine)
    assert is_same(merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS}).value, theirs)


def test_deleted_question_that_is_kept_after_all_goes_where_the_other_side_has_it() -> None:
    base, mine = questions(question(1), question(2)), questions(question(2))
    theirs = questions(question(9), question(1, enunciate="Theirs?"), question(8), question(2))
    (asked,) = merge_packages(base, mine, theirs).conflicts
    assert merge_packages(base, mine, theirs).value == questions(question(9), question(8), question(2))
    assert merge_packages(base, mine, theirs, {asked.key: Side.THEIRS}).value == theirs


def test_a_question_deleted_by_one_and_left_alone_by_the_other_is_gone() -> None:
    base = questions(question(1), question(2))
    assert is_same(merge_packages(base, questions(question(2)), base).value, questions(question(2)))
    assert is_same(merge_packages(base, base, questions(question(2))).value, questions(question(2)))


def test_two_orders_are_asked_about_once() -> None:
    base = questions(question(1), question(2), question(3))
    mine, theirs = questions(question(2), question(1), question(3)), questions(question(1), question(3), question(2))
    merged = merge_packages(base, mine, theirs)
    assert [conflict.order for conflict in merged.conflicts] == [True]
    assert is_same(merged.value, mine)
    assert is_same(merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS}).value, theirs)


def letters(text: str) -> Package:
    return {"x": [*text]}


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("abxcd", "aybcd", "aybxcd"),
        ("xabcd", "abcdy", "xabcdy"),
        ("xabcd", "yabcd", "yxabcd"),
        ("abcdxz", "abcdyw", "abcdywxz"),
        ("acbd", "abycd", "acbyd"),
        ("abycd", "acbd", "acbyd"),
        ("dabc", "abycdz", "dzabyc"),
        ("acd", "abxcd", "axcd"),
        ("abd", "acd", "ad"),
        ("bcd", "xabcd", "xbcd"),
        ("axbycd", "abzcwd", "axbzycwd"),
        ("axbcd", "abcdx", "axbcd"),
        ("bacdx", "abcdx", "bacdx"),
        ("abcdx", "bacdx", "bacdx"),
        ("", "abcd", ""),
        ("abdx", "yabd", "yabdx"),
    ],
)
def test_additions_moves_and_deletions_of_elements_fit_together(mine: str, theirs: str, expected: str) -> None:
    merged = merge_packages(letters("abcd"), letters(mine), letters(theirs))
    assert (merged.value, merged.conflicts) == (letters(expected), ())


def test_two_orders_are_shown_by_the_names_of_their_elements() -> None:
    merged = merge_packages(letters("abc"), letters("bac"), letters("xacb"))
    assert merged.conflicts == (Conflict(("x",), [*"abc"], [*"bac"], [*"acb"], order=True),)
    assert merged.value == letters("xbac")
    assert merge_packages(letters("abc"), letters("bac"), letters("xacb"), {
        merged.conflicts[0].key: Side.THEIRS
    }).value == letters("xacb")  # fmt: skip


def test_elements_without_names_are_shown_by_their_ids_in_two_orders() -> None:
    def listed(*order: int) -> Package:
        return {"x": [{"id": number} for number in order]}

    asked = merge_packages(listed(1, 2, 3), listed(2, 1, 3), listed(1, 3, 2)).conflicts
    assert [(c.base, c.mine, c.theirs) for c in asked] == [(["1", "2", "3"], ["2", "1", "3"], ["1", "3", "2"])]


@pytest.mark.parametrize("added", [{"enunciate": "New?"}, {"id": "z", "enunciate": "New?"}])
def test_the_same_addition_of_both_is_made_once_and_different_ones_both(added: Package) -> None:
    base, same = questions(question(1)), questions(question(1), added)
    assert merge_packages(base, same, copy.deepcopy(same)).value == same
    other: Package = {"enunciate": "Other?", "options": []}
    merged = merge_packages(base, same, questions(question(1), other))
    assert merged.conflicts == ()
    assert merged.value == questions(question(1), other, added)


def test_elements_with_ids_alone_merge_one_by_one_and_those_with_nothing_are_asked_about_whole() -> None:
    def listed(first: int, second: int, **known: JSON) -> Package:
        return {"x": [{**known, "v": first}, {"id": 2, "v": second}]}

    merged = merge_packages(listed(0, 0, id=1), listed(1, 0, id=1), listed(0, 2, id=1))
    assert (merged.value, merged.conflicts) == (listed(1, 2, id=1), ())
    merged = merge_packages(listed(0, 0), listed(1, 0), listed(0, 2))
    assert [(c.place, c.base, c.mine, c.theirs) for c in merged.conflicts] == [
        (("x",), listed(0, 0)["x"], listed(1, 0)["x"], listed(0, 2)["x"])
    ]


@pytest.mark.parametrize(
    ("known", "label"),
    [({"id": 7, "enunciate": "A?"}, "7"), ({"id": "7"}, '"7"'), ({"enunciate": " A? "}, "a?"), ({}, "#1")],
)
def test_conflict_is_placed_by_id_else_by_text_else_by_place(known: Package, label: str) -> None:
    base, mine, theirs = (questions(question(5), {**known, "level": level}) for level in (1, 2, 3))
    assert merge_packages(base, mine, theirs).conflicts == (Conflict(("questions", label, "level"), 1, 2, 3),)


@pytest.mark.parametrize("deleter", list(Side))
def test_element_that_one_deleted_and_the_other_edited_is_placed_where_it_is(deleter: Side) -> None:
    base, edited, deleted = questions(question(1), {"v": 1}), questions(question(1), {"v": 2}), questions(question(1))
    sides = (deleted, edited) if deleter is Side.MINE else (edited, deleted)
    values = (ABSENT, {"v": 2}) if deleter is Side.MINE else ({"v": 2}, ABSENT)
    assert merge_packages(base, *sides).conflicts == (Conflict(("questions", "#1"), {"v": 1}, *values),)


def test_objects_that_both_added_merge_key_by_key() -> None:
    merged = merge_packages({}, {"x": {"a": 1, "c": 1}}, {"x": {"c": 2, "b": 2}})
    assert merged.value == {"x": {"c": 1, "b": 2, "a": 1}}
    assert list(merged.value["x"]) == ["c", "b", "a"]  # type: ignore[arg-type]  # an object
    assert merged.conflicts == (Conflict(("x", "c"), ABSENT, 1, 2),)


@pytest.mark.parametrize("base", [{}, {"x": None}, {"x": "a"}, {"x": {}}])
def test_lists_that_both_put_in_place_of_something_else_are_asked_about_whole(base: Package) -> None:
    merged = merge_packages(base, letters("ab"), letters("ac"))
    assert merged.conflicts == (Conflict(("x",), base.get("x", ABSENT), [*"ab"], [*"ac"]),)


def test_key_that_one_deleted_is_gone_with_everything_in_it() -> None:
    base: Package = {"a": 1, "x": {"b": 1, "c": 1}}
    merged = merge_packages(base, {"x": {"b": 1, "c": 2}}, {"a": 1, "x": {"c": 1, "d": 1}})
    assert (merged.value, merged.conflicts) == ({"x": {"c": 2, "d": 1}}, ())


def test_key_that_one_deleted_and_the_other_changed_is_asked_about() -> None:
    merged = merge_packages({"a": None}, {}, {"a": 1})
    assert (merged.value, merged.conflicts) == ({}, (Conflict(("a",), None, ABSENT, 1),))
    assert merge_packages({"a": None}, {}, {"a": 1}, {merged.conflicts[0].key: Side.THEIRS}).value == {"a": 1}


def test_choices_that_differ_in_anything_have_keys_of_their_own() -> None:
    asked = [
        Conflict(("x",), 1, 2, 3),
        Conflict(("y",), 1, 2, 3),
        Conflict(("x", "y"), 1, 2, 3),
        Conflict(("x",), None, 2, 3),
        Conflict(("x",), ABSENT, 2, 3),
        Conflict(("x",), [None], 2, 3),
        Conflict(("x",), 1, 3, 2),
        Conflict(("x",), 1, 2, 3, order=True),
    ]
    assert len({conflict.key for conflict in asked}) == len(asked)
    assert Conflict(("x",), 1.0, 2, 3).key == asked[0].key


def test_branches_of_a_mind_map_merge_on_their_own() -> None:
    def mapped(first: str, second: str) -> Package:
        return {"mindmap": {"label": "A", "children": [{"label": "b", "note": first}, {"label": "c", "note": second}]}}

    merged = merge_packages(mapped("", ""), mapped("mine", ""), mapped("", "theirs"))
    assert merged.conflicts == ()
    assert is_same(merged.value, mapped("mine", "theirs"))


def test_unknown_structure_that_both_changed_is_asked_about() -> None:
    merged = merge_packages({"x": {"deep": [1]}}, {"x": {"deep": [2]}}, {"x": {"deep": [3]}})
    assert [conflict.place for conflict in merged.conflicts] == [("x", "deep")]


BOOK = "# One\n\nFirst.\n\n# Two\n\nSecond.\n"


def test_paragraphs_of_a_text_merge_on_their_own() -> None:
    base: Package = {"abstract": BOOK, "abstract_html": "old"}
    mine: Package = {"abstract": BOOK.replace("First", "My first"), "abstract_html": "mine"}
    theirs: Package = {"abstract": BOOK.replace("Second", "Their second"), "abstract_html": "theirs"}
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert merged.value["abstract"] == "# One\n\nMy first.\n\n# Two\n\nTheir second.\n"
    assert "abstract_html" not in merged.value, "the text is neither's, so neither's HTML goes with it"


def test_a_paragraph_that_both_changed_is_asked_about_alone() -> None:
    base: Package = {"abstract": BOOK}
    mine: Package = {"abstract": BOOK.replace("First", "My first").replace("Second", "My second")}
    theirs: Package = {"abstract": BOOK.replace("Second", "Their second")}
    merged = merge_packages(base, mine, theirs)
    assert [(c.mine, c.theirs) for c in merged.conflicts] == [("My second.\n", "Their second.\n")]
    chosen = merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS})
    assert chosen.value["abstract"] == BOOK.replace("First", "My first").replace("Second", "Their second")


def text_of(numbers: str) -> Package:
    return {"abstract": "\n\n".join(numbers)}


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("x1234567", "123456y", "x123456y"),
        ("x1234567", "12y4567", "x12y4567"),
        ("1234567z", "x2y4567", "x2y4567z"),
        ("12xy567", "1234567z", "12xy567z"),
        ("1267", "12345y7", None),
        ("1267", "y234567", "y267"),
        ("12xy567", "12xy567z", "12xy567z"),
        ("12x34567", "12y34567", None),
    ],
)
def test_paragraphs_that_one_side_changed_are_taken_from_it(mine: str, theirs: str, expected: str | None) -> None:
    merged = merge_packages(text_of("1234567"), text_of(mine), text_of(theirs))
    assert bool(merged.conflicts) is (expected is None)
    assert merged.value == text_of(mine if expected is None else expected)


def test_conflict_of_a_text_is_numbered_by_its_stretch_and_kept_to_it() -> None:
    merged = merge_packages(text_of("123"), text_of("1xy3"), text_of("1z3"))
    assert merged.conflicts == (Conflict(("abstract", "§2"), "2\n\n", "x\n\ny\n\n", "z\n\n"),)


@pytest.mark.parametrize("place", ["abstract_summary", "other"])
def test_other_texts_that_both_changed_are_asked_about_whole(place: str) -> None:
    base, mine, theirs = ({place: text} for text in ("1\n\n2", "x\n\n2", "1\n\ny"))
    assert [c.place for c in merge_packages({**base}, {**mine}, {**theirs}).conflicts] == [(place,)]
    inner = merge_packages({"x": {"abstract": base[place]}}, {"x": {"abstract": mine[place]}}, {
        "x": {"abstract": theirs[place]}
    })  # fmt: skip
    assert [c.place for c in inner.conflicts] == [("x", "abstract")]


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("", []),
        ("a\nb", ["a\nb"]),
        ("a\n\nb\n", ["a\n\n", "b\n"]),
        ("a\n \t\n\nb", ["a\n \t\n\n", "b"]),
        ("\n\na", ["\n\n", "a"]),
    ],
)
def test_text_is_split_behind_blank_lines(text: str, paragraphs: list[str]) -> None:
    assert split_paragraphs(text) == paragraphs


@some.few
@given(st.text("ab \n", max_size=40))
def test_paragraphs_joined_are_the_text(text: str) -> None:
    assert "".join(split_paragraphs(text)) == text


def test_html_that_differs_beside_the_same_text_is_a_question_of_its_own() -> None:
    old, mine, theirs = ({"abstract": "same", "abstract_html": html} for html in ("old", "mine", "theirs"))
    assert [conflict.place for conflict in merge_packages({**old}, {**mine}, {**theirs}).conflicts] == [
        ("abstract_html",)
    ]


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "side", "expected"),
    [
        (("a", "A"), ("b", "B"), ("a", "A2"), Side.MINE, ("b", "B")),
        (("a", "A"), ("a", "A2"), ("b", "B"), Side.MINE, ("b", "B")),
        (("a", "A"), ("b", "B"), ("c", "C"), Side.MINE, ("b", "B")),
        (("a", "A"), ("b", "B"), ("c", "C"), Side.THEIRS, ("c", "C")),
        (("a", "A"), (None, "B"), ("a", "C"), Side.MINE, (None, "B")),
        (("a", "A"), ("a", "B"), (None, None), Side.MINE, (None, None)),
        (("a", "A"), ("b", None), ("a", "C"), Side.MINE, ("b", None)),
    ],
)
def test_html_is_that_of_the_text_that_was_taken(
    base: tuple[str, str], mine: tuple[str | None, str | None], theirs: tuple[str | None, str | None], side: Side,
    expected: tuple[str | None, str | None],
) -> None:  # fmt: skip
    def book(text: str | None, html: str | None) -> Package:
        return {key: value for key, value in (("abstract", text), ("abstract_html", html)) if value is not None}

    sides = book(*base), book(*mine), book(*theirs)
    merged = merge_packages(*sides)
    assert "abstract_html" not in {conflict.place[0] for conflict in merged.conflicts}
    merged = merge_packages(*sides, {conflict.key: side for conflict in merged.conflicts})
    assert merged.value == book(*expected)


def test_html_without_any_text_is_a_question_of_its_own() -> None:
    merged = merge_packages({}, {"abstract_html": "mine"}, {"abstract_html": "theirs"})
    assert merged.conflicts == (Conflict(("abstract_html",), ABSENT, "mine", "theirs"),)
    assert merged.value == {"abstract_html": "mine"}

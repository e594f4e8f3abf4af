"""Questions: read in any state, edited without losing anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.package import Package
from dashboard.ai_content.rules.quiz import Broken, QuizOption, QuizQuestion, QuizSettings, QuizSwitch, TypedOption
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import options_of, question


@pytest.mark.parametrize(
    ("value", "broken"),
    [
        ("text", Broken.NOT_AN_OBJECT),
        (None, Broken.NOT_AN_OBJECT),
        ({"enunciate": 5}, Broken.TEXT),
        ({"enunciate": "?", "options": {"a": 1}}, Broken.OPTIONS),
        ({"enunciate": "?", "options": ["a"]}, Broken.OPTION),
        ({"enunciate": "?", "options": [{"text": "a", "correct": "yes"}]}, Broken.OPTION),
        ({}, None),
        ({"enunciate": None, "options": None}, None),
        (question(1), None),
    ],
)
def test_a_question_in_any_state_is_read(value: JSON, broken: Broken | None) -> None:
    assert quiz.parse_question(value).broken == broken


def test_what_can_be_read_of_a_broken_question_is_shown() -> None:
    value: JSON = {"enunciate": 5, "options": ["A", 5, {"text": 5, "correct": True}, {"text": "B", "correct": 1}]}
    options_read = (QuizOption("A", False), QuizOption("", False), QuizOption("", True), QuizOption("B", False))
    parsed = quiz.parse_question(value)
    assert parsed == QuizQuestion("", options_read, Broken.TEXT)
    assert parsed.correct == (2,)
    assert quiz.parse_question({"enunciate": 5, "options": 5}) == QuizQuestion("", (), Broken.TEXT)
    assert quiz.parse_question({"enunciate": "A?", "options": 5}) == QuizQuestion("A?", (), Broken.OPTIONS)
    assert quiz.parse_question(["A?"]) == QuizQuestion("", (), Broken.NOT_AN_OBJECT)


@pytest.mark.parametrize(
    ("option", "sound"),
    [
        ({}, True),
        ({"text": None, "correct": None}, True),
        ({"text": "a", "correct": False, "id": 5}, True),
        ({"text": 5}, False),
        ({"text": "a", "correct": 1}, False),
        (["a"], False),
    ],
)
def test_alternative_of_another_shape_cannot_be_edited_as_a_form(option: JSON, sound: bool) -> None:
    parsed = quiz.parse_question({"enunciate": "?", "options": [*options_of("a", "b"), option]})
    assert parsed.broken is (None if sound else Broken.OPTION)


@pytest.mark.parametrize(
    ("values", "listed", "readable"),
    [
        ({}, [], True),
        ({"questions": None, "questions_config": None}, [], True),
        ({"questions": [1], "questions_config": {}}, [1], True),
        ({"questions": {"a": 1}}, [], False),
        ({"questions": [1], "questions_config": []}, [1], False),
        ({"questions": "a", "questions_config": {}}, [], False),
    ],
)
def test_quiz_of_another_shape_is_edited_as_json(values: Package, listed: list[JSON], readable: bool) -> None:
    assert (quiz.get_questions(values), quiz.is_readable(values)) == (listed, readable)


def test_an_edit_keeps_what_the_form_does_not_show() -> None:
    before: Package = {
        "id": 7,
        "hint": {"a": [1]},
        "enunciate": "Old?",
        "options": [{"text": "A", "correct": True, "w": 2}],
    }
    after = quiz.edit_question(before, "New?", [TypedOption(None, "B", False), TypedOption(0, "A!", True)])
    assert after == {
        "id": 7,
        "hint": {"a": [1]},
        "enunciate": "New?",
        "options": [{"text": "B", "correct": False}, {"text": "A!", "correct": True, "w": 2}],
    }
    assert before["enunciate"] == "Old?"


def test_an_alternative_without_a_mark_gets_none_until_it_is_ticked() -> None:
    before: Package = {"enunciate": "?", "options": [{"text": "A"}, {"text": "B", "correct": True}]}
    same_again = quiz.edit_question(before, "?", [TypedOption(0, "A", False), TypedOption(1, "B", True)])
    assert same_again is before
    ticked = quiz.edit_question(before, "?", [TypedOption(0, "A", True), TypedOption(1, "B", True)])
    assert ticked == {"enunciate": "?", "options": [{"text": "A", "correct": True}, {"text": "B", "correct": True}]}


@pytest.mark.parametrize(
    ("before", "typed", "kept"),
    [
        ("a\r\nb\rc", "a\nb\nc", "a\r\nb\rc"),
        ("a\nb", "a\r\nb", "a\nb"),
        ("a", "b\r\nc\rd", "b\nc\nd"),
        ("a", "", ""),
        (None, "", None),
        (None, "a", "a"),
        (5, "", ""),
        (5, "5", "5"),
    ],
)
def test_typed_text_replaces_what_was_there_unless_only_line_ends_differ(before: JSON, typed: str, kept: JSON) -> None:
    assert quiz.apply_typed_text(before, typed) == kept


@pytest.mark.parametrize(
    ("before", "text", "typed", "after"),
    [
        ({"id": 1}, "", [], {"id": 1}),
        ({"enunciate": None}, "", [], {"enunciate": None}),
        ({"enunciate": "A?"}, "", [], {"enunciate": ""}),
        ({"enunciate": "A?", "options": options_of("a")}, "A?", [], {"enunciate": "A?", "options": []}),
        ({}, "A?", [TypedOption(None, "a", True)], {"enunciate": "A?", "options": options_of("a")}),
        ("text", "A?", [TypedOption(0, "a", True)], {"enunciate": "A?", "options": options_of("a")}),
        ({"options": options_of("a")}, "", [TypedOption(1, "x", False)], {"options": options_of("x", correct=None)}),
        ({"options": options_of("a")}, "", [TypedOption(-1, "x", True)], {"options": options_of("x")}),
        ({"options": 5}, "", [TypedOption(0, "x", True)], {"options": options_of("x")}),
        ({"options": ["a", "b"]}, "", [TypedOption(0, "a", False), TypedOption(1, "c", False)], {
            "options": ["a", *options_of("c", correct=None)],
        }),
        ({"options": ["a"]}, "", [TypedOption(0, "a", True)], {"options": options_of("a")}),
        ({"options": [{"text": "a\r\nb", "correct": True}]}, "", [TypedOption(0, "a\nb", False)], {
            "options": [{"text": "a\r\nb", "correct": False}],
        }),
        ({"options": [{"text": "a", "id": 7}]}, "", [TypedOption(0, "b", False)], {
            "options": [{"text": "b", "id": 7, "correct": False}],
        }),
        ({"options": [{"correct": True}]}, "", [TypedOption(0, "", False)], {"options": [{"text": "", "correct": False}]}),
    ],
)  # fmt: skip
def test_edit_makes_of_a_question_in_any_state_what_was_typed(
    before: JSON, text: str, typed: list[TypedOption], after: JSON
) -> None:
    assert quiz.edit_question(before, text, typed) == after


def test_new_question_has_two_empty_alternatives_of_which_the_first_is_correct() -> None:
    assert quiz.build_question() == {"enunciate": "", "options": options_of("", "")}


def test_a_duplicate_is_a_new_question() -> None:
    copy = quiz.copy_question(
        {"id": "a", "enunciate": "?", "options": [{"id": 1, "text": "A", "correct": True}], "x": 1}
    )
    assert copy == {"enunciate": "?", "options": [{"text": "A", "correct": True}], "x": 1}


@pytest.mark.parametrize(
    ("value", "copied"),
    [
        ("text", "text"),
        ({"id": 1, "options": 5}, {"options": 5}),
        ({"options": ["a", {"id": 1, "text": "b"}]}, {"options": ["a", {"text": "b"}]}),
    ],
)
def test_a_duplicate_of_a_broken_question_is_one_without_ids(value: JSON, copied: JSON) -> None:
    assert quiz.copy_question(value) == copied


def test_mark_of_a_question_changes_with_everything_but_its_id() -> None:
    value = question(1)
    assert quiz.get_question_mark({**value, "id": "other"}) == quiz.get_question_mark(value)
    assert quiz.get_question_mark({k: v for k, v in value.items() if k != "id"}) == quiz.get_question_mark(value)
    assert quiz.get_question_mark({**value, "hint": "x"}) != quiz.get_question_mark(value)
    assert quiz.get_question_mark("a") != quiz.get_question_mark("b")


def test_addresses_of_questions_stay_the_same_from_one_release_to_the_next() -> None:
    plain: Package = {"enunciate": "A?"}
    same: Package = {"id": 5, "enunciate": "B?"}
    assert quiz.build_handles([question(1), plain, plain, same, {**same, "x": 1}]) == [
        "q712a9f80a3",
        "p70113df429",
        "p70113df429n2",
        "pacd98077b8",
        "pb25faa5571",
    ]


def test_handles_are_carried_through_edits_moves_and_additions() -> None:
    before: list[JSON] = [question(1), {"enunciate": "A?"}, {"enunciate": "B?"}]
    known = ["first", "second", "third"]
    after: list[JSON] = [{"enunciate": "b? ", "x": 1}, question(1, enunciate="New?"), question(9), {"enunciate": "A?"}]
    assert quiz.carry_handles(before, known, after) == ["third", "first", *quiz.build_handles([question(9)]), "second"]


def test_question_whose_own_handle_is_in_use_gets_the_next_one() -> None:
    (handle,) = quiz.build_handles([question(9)])
    before: list[JSON] = [question(1), question(2)]
    known = [handle, f"{handle}n2"]
    assert quiz.carry_handles(before, known, [question(9), *before]) == [f"{handle}n3", *known]
    assert quiz.carry_handles(before, known, [question(2), question(9)]) == [f"{handle}n2", handle]
    same: JSON = {"enunciate": "A?"}
    (handle,) = quiz.build_handles([same])
    after: list[JSON] = [same, question(1), same]
    assert quiz.carry_handles([question(1)], [handle], after) == [f"{handle}n2", handle, f"{handle}n3"]


def test_question_with_half_a_letter_in_its_id_has_a_handle_too() -> None:
    assert quiz.build_handles([{"id": "\ud83d"}]) == quiz.build_handles([{"id": "?"}])


def test_questions_beyond_the_known_handles_get_new_ones() -> None:
    listed: list[JSON] = [question(1), question(2), question(3)]
    assert quiz.carry_handles(listed, ["first"], listed) == ["first", *quiz.build_handles(listed)[1:]]
    assert quiz.carry_handles([], [], listed) == quiz.build_handles(listed)


@some.few
@given(st.lists(some.questions, max_size=6))
def test_every_question_has_a_handle_of_its_own(questions: list[JSON]) -> None:
    handles = quiz.build_handles(questions)
    assert len(set(handles)) == len(questions)
    assert all(quiz.HANDLE.fullmatch(handle) for handle in handles)


def test_a_handle_stays_with_its_question_through_a_move() -> None:
    listed: list[JSON] = [question(1), {"enunciate": "no id"}, question(3)]
    before = dict(zip(quiz.build_handles(listed), map(str, listed), strict=True))
    listed.reverse()
    assert dict(zip(quiz.build_handles(listed), map(str, listed), strict=True)) == before


def test_an_absent_switch_counts_as_on_and_every_boolean_is_shown() -> None:
    settings = quiz.parse_settings({"num_answers": 3, "shuffle": False, "theme": "x"})
    assert settings.number == 3
    assert [(s.key, s.on, s.explicit) for s in settings.switches] == [
        ("show_results", True, False),
        ("shuffle", False, True),
    ]
    assert settings.other == {"theme": "x"}


@pytest.mark.parametrize(
    ("config", "settings"),
    [
        (None, QuizSettings(None, False, (QuizSwitch("show_results", True, False),), {})),
        ([], QuizSettings(None, False, (QuizSwitch("show_results", True, False),), {})),
        ({"show_results": True}, QuizSettings(None, False, (QuizSwitch("show_results", True, True),), {})),
        ({"show_results": False}, QuizSettings(None, False, (QuizSwitch("show_results", False, True),), {})),
        ({"show_results": "yes"}, QuizSettings(None, False, (), {"show_results": "yes"})),
        ({"num_answers": 0}, QuizSettings(0, False, (QuizSwitch("show_results", True, False),), {})),
    ],
)
def test_settings_in_any_state_are_read(config: JSON, settings: QuizSettings) -> None:
    assert quiz.parse_settings(config) == settings


@pytest.mark.parametrize(
    ("config", "number", "set_number", "kept"),
    [
        ({"num_answers": 3, "x": 1}, None, True, {"x": 1, "shuffle": False}),
        ({"x": 1}, None, True, {"x": 1, "shuffle": False}),
        ({"num_answers": "3"}, 4, False, {"num_answers": "3", "shuffle": False}),
        ({"num_answers": "3"}, None, False, {"num_answers": "3", "shuffle": False}),
        (None, 4, True, {"num_answers": 4, "shuffle": False}),
        ({"shuffle": True}, 0, True, {"num_answers": 0, "shuffle": False}),
    ],
)
def test_number_of_answers_is_set_taken_out_or_left_alone(
    config: JSON, number: int | None, set_number: bool, kept: Package
) -> None:
    assert quiz.apply_settings(config, number, {"shuffle": False}, set_number=set_number) == kept


def test_kept_settings_write_every_switch_out_and_leave_the_rest() -> None:
    config = quiz.apply_settings({"num_answers": 3, "theme": "x"}, 4, {"show_results": True})
    assert config == {"num_answers": 4, "theme": "x", "show_results": True}


@pytest.mark.parametrize(
    ("value", "number", "odd"), [(4, 4, False), ("4", None, True), (True, None, True), (None, None, False)]
)
def test_a_number_of_answers_that_is_none_is_odd(value: JSON, number: int | None, odd: bool) -> None:
    settings = quiz.parse_settings({"num_answers": value})
    assert (settings.number, settings.number_odd) == (number, odd)

"""Questions: read in any state, checked while they are written, compared across languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules import languages, lint, quiz
from dashboard.ai_content.rules.languages import StructureDifference
from dashboard.ai_content.rules.lint import FindingCode
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.ai_content.rules.quiz import Broken, TypedOption
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import question


def options(*texts: str, correct: int | None = 0) -> list[JSON]:
    return [{"text": text, "correct": place == correct} for place, text in enumerate(texts)]


def codes(*questions: JSON, **config: JSON) -> list[FindingCode]:
    return [finding.code for finding in lint.lint_quiz({"questions": list(questions), "questions_config": config})]


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


def test_a_duplicate_is_a_new_question() -> None:
    copy = quiz.copy_question(
        {"id": "a", "enunciate": "?", "options": [{"id": 1, "text": "A", "correct": True}], "x": 1}
    )
    assert copy == {"enunciate": "?", "options": [{"text": "A", "correct": True}], "x": 1}


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


def test_kept_settings_write_every_switch_out_and_leave_the_rest() -> None:
    config = quiz.apply_settings({"num_answers": 3, "theme": "x"}, 4, {"show_results": True})
    assert config == {"num_answers": 4, "theme": "x", "show_results": True}


@pytest.mark.parametrize(
    ("value", "number", "odd"), [(4, 4, False), ("4", None, True), (True, None, True), (None, None, False)]
)
def test_a_number_of_answers_that_is_none_is_odd(value: JSON, number: int | None, odd: bool) -> None:
    settings = quiz.parse_settings({"num_answers": value})
    assert (settings.number, settings.number_odd) == (number, odd)


LONG = "x" * lint.QUESTION_LONG


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"enunciate": "?", "options": options("a", "b")}, []),
        ({"enunciate": " ", "options": options("a", "b")}, [FindingCode.NO_TEXT]),
        ({"options": options("a", "b")}, [FindingCode.NO_TEXT]),
        ({"enunciate": "?", "options": []}, [FindingCode.NO_OPTIONS]),
        ({"enunciate": "?"}, [FindingCode.NO_OPTIONS]),
        ({"enunciate": "?", "options": options("a")}, [FindingCode.ONE_OPTION]),
        ({"enunciate": "?", "options": options("a", "b", correct=None)}, [FindingCode.NO_CORRECT]),
        (
            {"enunciate": "?", "options": [*options("a"), *options("b"), *options("c", correct=None)]},
            [FindingCode.SEVERAL_CORRECT],
        ),
        ({"enunciate": "?", "options": [*options("a"), *options("b")]}, [FindingCode.ALL_CORRECT]),
        ({"enunciate": "?", "options": options("a", " A ")}, [FindingCode.SAME_OPTION]),
        ({"enunciate": "?", "options": options("a", "")}, [FindingCode.EMPTY_OPTION]),
        ({"enunciate": LONG, "options": options("a", "b")}, []),
        ({"enunciate": LONG + "x", "options": options("a", "b")}, [FindingCode.LONG_QUESTION]),
        ({"enunciate": "?", "options": options("a", "x" * lint.OPTION_LONG)}, []),
        ({"enunciate": "?", "options": options("a", "x" * (lint.OPTION_LONG + 1))}, [FindingCode.LONG_OPTION]),
        ({"enunciate": "?", "options": 5}, [FindingCode.BROKEN]),
    ],
)
def test_each_thing_worth_saying_is_said(value: JSON, expected: list[FindingCode]) -> None:
    assert codes(value) == expected


@pytest.mark.parametrize(("number", "few"), [(1, False), (2, False), (3, True)])
def test_fewer_alternatives_than_num_answers_is_said(number: int, few: bool) -> None:
    assert codes({"enunciate": "?", "options": options("a", "b")}, num_answers=number) == (
        [FindingCode.TOO_FEW] if few else []
    )


def test_the_same_text_twice_points_at_the_first() -> None:
    findings = lint.lint_quiz(
        {"questions": [question(1), question(2), {**question(1), "id": "z", "enunciate": "question NUMBER 1? "}]}
    )
    assert [(f.code, f.question, f.other) for f in findings] == [(FindingCode.SAME_QUESTION, 2, 0)]


def test_only_what_the_platform_refuses_blocks() -> None:
    values: Package = {"questions": [question(1), {"enunciate": "", "options": options("a", "")}]}
    assert [f.code for f in lint.list_blocking(values)] == [FindingCode.NO_TEXT]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("questions[1].enunciate is required", 1),
        ("questions.0.options must be an array", 0),
        ("Question 2: enunciate is missing", 1),
        ("invalid payload: “Question number 1?”", 0),
        ("questions[9].enunciate is required", None),
        ("invalid payload", None),
    ],
)
def test_a_refusal_is_led_to_the_question_it_means(message: str, place: int | None) -> None:
    assert lint.find_refused_question(message, [question(1), question(2)]) == place


def test_a_refusal_that_names_nothing_is_led_to_the_question_that_is_wrong() -> None:
    assert (
        lint.find_refused_question("invalid payload", [question(1), {"enunciate": "", "options": options("a", "b")}])
        == 1
    )


def apart(ours: list[JSON], theirs: list[JSON]) -> list[tuple[int | None, int | None, tuple[StructureDifference, ...]]]:
    return [(row.ours, row.theirs, row.apart) for row in languages.compare_questions(ours, theirs)]


def test_two_languages_with_the_same_structure_differ_in_nothing() -> None:
    english: list[JSON] = [question(1), question(2)]
    spanish: list[JSON] = [question(1, enunciate="¿Uno?"), question(2, enunciate="¿Dos?")]
    assert apart(english, spanish) == [(0, 0, ()), (1, 1, ())]


def test_what_differs_in_structure_between_languages_is_named() -> None:
    ours: list[JSON] = [question(1), question(2), question(3), question(4)]
    theirs: list[JSON] = [
        question(3, enunciate="¿Tres?", options=options("a", "b", "c", correct=2)),
        question(1, enunciate="¿Uno?", options=options("a", "b")),
        question(2),
        question(9, enunciate="¿Nueve?"),
    ]
    assert apart(ours, theirs) == [
        (0, 1, (StructureDifference.OPTIONS,)),
        (1, 2, (StructureDifference.SAME_TEXT,)),
        (2, 0, (StructureDifference.MOVED, StructureDifference.CORRECT)),
        (3, None, (StructureDifference.MISSING,)),
        (None, 3, (StructureDifference.EXTRA,)),
    ]


def test_languages_without_common_ids_go_by_order() -> None:
    ours: list[JSON] = [question(1), question(2)]
    theirs: list[JSON] = [question(8, enunciate="¿Uno?"), question(9, enunciate="¿Dos?"), question(10)]
    assert apart(ours, theirs) == [(0, 0, ()), (1, 1, ()), (None, 2, (StructureDifference.EXTRA,))]


@some.few
@given(st.lists(some.questions, max_size=5), st.lists(some.questions, max_size=5))
def test_copying_a_structure_leaves_no_structural_difference_and_drops_nothing(
    source: list[JSON], target: list[JSON]
) -> None:
    copied = languages.copy_structure(source, target)
    assert len(copied) >= max(len(source), len(target))
    for place, question_ in enumerate(source):
        one, other = quiz.parse_question(question_), quiz.parse_question(copied[place])
        if one.broken is None and other.broken is None and isinstance(question_, dict) and question_.get("options"):
            have = target[place] if place < len(target) else None
            if isinstance(have, dict) and not isinstance(have.get("options"), list):
                continue
            assert len(one.options) == len(other.options) or not isinstance(copied[place].get("options"), list)  # type: ignore[union-attr]


def test_copying_a_structure_keeps_translations_and_brings_what_is_missing() -> None:
    source: list[JSON] = [question(2), question(1), question(3)]
    target: list[JSON] = [
        question(1, enunciate="¿Uno?", options=options("a", "b", correct=1)),
        question(2, enunciate="¿Dos?"),
        question(9, enunciate="¿Nueve?"),
    ]
    copied = languages.copy_structure(source, target)
    assert [quiz.parse_question(found).text for found in copied] == ["¿Dos?", "¿Uno?", "Question number 3?", "¿Nueve?"]
    one = quiz.parse_question(copied[1])
    assert [(option.text, option.correct) for option in one.options] == [
        ("a", True),
        ("b", False),
        ("Answer 1.c", False),
    ]
    assert is_same(copied[0], target[1])

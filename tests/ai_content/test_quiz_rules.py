"""Questions: read in any state, checked while they are written, compared across languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules import languages, lint, quiz
from dashboard.ai_content.rules.languages import StructureDifference
from dashboard.ai_content.rules.lint import Finding, FindingCode
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.ai_content.rules.quiz import Broken, TypedOption
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import question


def options(*texts: str, correct: int | None = 0) -> list[JSON]:
    return [{"text": text, "correct": place == correct} for place, text in enumerate(texts)]


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
LONG_OPTION = "x" * lint.OPTION_LONG
FOUR_TICKED: list[JSON] = [*options("a"), *options("b"), *options("c"), *options("d")]


def lint_second(value: JSON, **config: JSON) -> list[Finding]:
    """The findings of a question that comes after a sound one."""
    return list(lint.lint_quiz({"questions": [question(1), value], "questions_config": config}))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"enunciate": "?", "options": options("a", "b")}, []),
        ({"enunciate": " ", "options": options("a", "b")}, [Finding(FindingCode.NO_TEXT, 1)]),
        ({"options": options("a", "b")}, [Finding(FindingCode.NO_TEXT, 1)]),
        ({"enunciate": "?", "options": []}, [Finding(FindingCode.NO_OPTIONS, 1)]),
        ({"enunciate": "?"}, [Finding(FindingCode.NO_OPTIONS, 1)]),
        ({"enunciate": "?", "options": options("a")}, [Finding(FindingCode.ONE_OPTION, 1)]),
        ({"enunciate": "?", "options": options("a", "b", correct=None)}, [Finding(FindingCode.NO_CORRECT, 1)]),
        (
            {"enunciate": "?", "options": [*FOUR_TICKED, *options("e", correct=None)]},
            [Finding(FindingCode.SEVERAL_CORRECT, 1, other=4)],
        ),
        ({"enunciate": "?", "options": FOUR_TICKED[:2]}, [Finding(FindingCode.ALL_CORRECT, 1, other=2)]),
        (
            {"enunciate": "?", "options": options("z", "a", " A ", "ａ")},
            [Finding(FindingCode.SAME_OPTION, 1, 2, 1), Finding(FindingCode.SAME_OPTION, 1, 3, 1)],
        ),
        (
            {"enunciate": "?", "options": options("a", "", " ")},
            [Finding(FindingCode.EMPTY_OPTION, 1, 1), Finding(FindingCode.EMPTY_OPTION, 1, 2)],
        ),
        ({"enunciate": LONG, "options": options("a", "b")}, []),
        ({"enunciate": LONG + "x", "options": options("a", "b")}, [Finding(FindingCode.LONG_QUESTION, 1, other=301)]),
        ({"enunciate": "?", "options": options("a", LONG_OPTION)}, []),
        ({"enunciate": "?", "options": options("a", LONG_OPTION + "x")}, [Finding(FindingCode.LONG_OPTION, 1, 1, 161)]),
        ({"enunciate": "?", "options": 5}, [Finding(FindingCode.BROKEN, 1)]),
        ({"enunciate": "", "options": options("", correct=None)}, [
            Finding(FindingCode.NO_TEXT, 1),
            Finding(FindingCode.ONE_OPTION, 1),
            Finding(FindingCode.NO_CORRECT, 1),
            Finding(FindingCode.EMPTY_OPTION, 1, 0),
        ]),
    ],
)  # fmt: skip
def test_each_finding_names_its_question_its_alternative_and_its_number(value: JSON, expected: list[Finding]) -> None:
    assert lint_second(value) == expected


@pytest.mark.parametrize(("number", "few"), [(-1, False), (1, False), (2, False), (3, True)])
def test_fewer_alternatives_than_num_answers_is_said(number: int, few: bool) -> None:
    value: JSON = {"enunciate": "?", "options": options("a", "b")}
    found = [finding for finding in lint_second(value, num_answers=number) if finding.question == 1]
    assert found == ([Finding(FindingCode.TOO_FEW, 1, other=3)] if few else [])


@pytest.mark.parametrize(("count", "few"), [(0, False), (1, True)])
def test_alternatives_are_too_few_where_there_are_any(count: int, few: bool) -> None:
    value: JSON = {"enunciate": "?", "options": options("a", "b")[:count]}
    assert (Finding(FindingCode.TOO_FEW, 1, other=2) in lint_second(value, num_answers=2)) is few


def test_findings_are_grouped_by_the_question_they_are_about() -> None:
    few, same = Finding(FindingCode.TOO_FEW, 2, other=3), Finding(FindingCode.SAME_QUESTION, 2, other=0)
    text = Finding(FindingCode.NO_TEXT, 0)
    assert lint.group_by_question([few, text, Finding(FindingCode.BROKEN), same]) == {2: [few, same], 0: [text]}


def test_the_same_text_again_points_at_the_first() -> None:
    again: Package = {**question(1), "id": "z", "enunciate": "question NUMBER 1? "}
    blank: Package = {**question(3), "enunciate": " "}
    findings = lint.lint_quiz({"questions": [question(2), question(1), again, again, blank, blank]})
    assert [finding for finding in findings if finding.code is not FindingCode.NO_TEXT] == [
        Finding(FindingCode.SAME_QUESTION, 2, other=1),
        Finding(FindingCode.SAME_QUESTION, 3, other=1),
    ]


def test_only_what_the_platform_refuses_blocks() -> None:
    values: Package = {"questions": [question(1), {"enunciate": "", "options": options("a", "")}]}
    assert [f.code for f in lint.list_blocking(values)] == [FindingCode.NO_TEXT]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("questions[1].enunciate is required", 1),
        ("questions.0.options must be an array", 0),
        ("questions [1] is wrong", 1),
        ("questions.2.options must be an array", None),
        ("Question 2: enunciate is missing", 1),
        ("QUESTION #2 has no text", 1),
        ("question nº 1 has no text", 0),
        ("questions 3 and up", None),
        ("question 0", None),
        ("invalid: QUESTION  number 2?", 1),
        ("invalid payload: “Question number 1?”", 0),
        ("questions[9].enunciate is required", None),
        ("invalid payload", None),
    ],
)
def test_a_refusal_is_led_to_the_question_it_means(message: str, place: int | None) -> None:
    assert lint.find_refused_question(message, [question(1), question(2)]) == place


@pytest.mark.parametrize(("text", "place"), [("Why so? 1", 0), ("Why so?1", None)])
def test_text_of_a_question_in_a_refusal_counts_from_nine_letters(text: str, place: int | None) -> None:
    assert lint.find_refused_question(f"“{text}” was refused", [question(1, enunciate=text)]) == place


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


def test_languages_without_ids_go_by_order_whatever_the_texts_are() -> None:
    ours: list[JSON] = [{"enunciate": "One?"}, {"enunciate": "Two?"}, question(3)]
    theirs: list[JSON] = [{"enunciate": "Two?"}, {"enunciate": "Uno?"}]
    assert apart(ours, theirs) == [(0, 0, ()), (1, 1, ()), (2, None, (StructureDifference.MISSING,))]


def test_question_that_only_the_longer_language_has_is_missing_in_the_other() -> None:
    ours: list[JSON] = [question(1, id="a"), question(2, id="b"), question(3, id="c")]
    theirs: list[JSON] = [question(1, enunciate="¿Uno?")]
    assert apart(ours, theirs) == [
        (0, 0, ()),
        (1, None, (StructureDifference.MISSING,)),
        (2, None, (StructureDifference.MISSING,)),
    ]


def test_questions_without_id_beside_common_ids_go_by_their_text_and_never_by_their_place() -> None:
    text: Package = {"enunciate": "What is crema?", "options": options("foam")}
    ours: list[JSON] = [question(1), text, {"enunciate": "Only ours?"}]
    theirs: list[JSON] = [{**text, "level": 2}, question(1, enunciate="¿Uno?"), {"enunciate": "¿Solo ellos?"}]
    assert [(one, other) for one, other, _apart in apart(ours, theirs)] == [(0, 1), (1, 0), (2, None), (None, 2)]


@pytest.mark.parametrize("text", ["", "  "])
def test_questions_without_text_are_no_untranslated_ones(text: str) -> None:
    assert apart([question(1, enunciate=text)], [question(1, enunciate=text)]) == [(0, 0, ())]


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


def test_question_that_comes_over_keeps_its_id_where_the_languages_share_ids() -> None:
    copied = languages.copy_structure([question(1), question(2)], [question(1, enunciate="¿Uno?")])
    assert copied == [question(1, enunciate="¿Uno?"), question(2)]


@pytest.mark.parametrize("target", [{"enunciate": "¿Uno?"}, {"id": "es-1", "enunciate": "¿Uno?"}])
def test_question_that_comes_over_gets_an_id_of_its_own_where_the_languages_share_none(target: Package) -> None:
    copied = languages.copy_structure([question(1), question(2)], [target])
    assert copied == [target, {key: value for key, value in question(2).items() if key != "id"}]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (options("a", "b"), [{"text": "x", "w": 1}], [{"text": "x", "w": 1, "correct": True}, *options("a", "b")[1:]]),
        ([{"text": "a"}], [{"text": "x", "correct": True}], [{"text": "x", "correct": True}]),
        (options("a"), ["x", "y"], ["x"]),
        (["a", "b"], options("x"), [*options("x"), "b"]),
        (None, options("x"), options("x")),
        (options("a"), None, None),
        ([], options("x"), []),
    ],
)
def test_alternatives_follow_the_source_in_number_and_marks_and_nothing_else(
    source: JSON, target: JSON, expected: JSON
) -> None:
    copied = languages.copy_structure([question(1, options=source)], [question(1, options=target, level=3)])
    assert copied == [question(1, options=expected, level=3)]


@pytest.mark.parametrize(("source", "target"), [("text", question(1)), (question(1), "text")])
def test_what_is_no_question_is_left_as_it_is_in_the_target(source: JSON, target: JSON) -> None:
    assert languages.copy_structure([source], [target]) == [target]

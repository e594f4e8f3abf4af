"""What is worth saying of a quiz: each thing at its question and its answer, and a refusal at the question it means."""

import pytest

from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.package import Package
from dashboard.ai_content.rules.quiz import Finding, FindingCode
from dashboard.platform_api.values import JSON
from tests.ai_content.packages import options_of, question

LONG = "x" * quiz.QUESTION_LONG
LONG_OPTION = "x" * quiz.OPTION_LONG
FOUR_TICKED: list[JSON] = [*options_of("a"), *options_of("b"), *options_of("c"), *options_of("d")]


def lint_second(value: JSON, **config: JSON) -> list[Finding]:
    """The findings of a question that comes after a sound one."""
    return list(quiz.lint_quiz({"questions": [question(1), value], "questions_config": config}))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"enunciate": "?", "options": options_of("a", "b")}, []),
        ({"enunciate": " ", "options": options_of("a", "b")}, [Finding(FindingCode.NO_TEXT, 1)]),
        ({"options": options_of("a", "b")}, [Finding(FindingCode.NO_TEXT, 1)]),
        ({"enunciate": "?", "options": []}, [Finding(FindingCode.NO_OPTIONS, 1)]),
        ({"enunciate": "?"}, [Finding(FindingCode.NO_OPTIONS, 1)]),
        ({"enunciate": "?", "options": options_of("a")}, [Finding(FindingCode.ONE_OPTION, 1)]),
        ({"enunciate": "?", "options": options_of("a", "b", correct=None)}, [Finding(FindingCode.NO_CORRECT, 1)]),
        (
            {"enunciate": "?", "options": [*FOUR_TICKED, *options_of("e", correct=None)]},
            [Finding(FindingCode.SEVERAL_CORRECT, 1, 0, 4)],
        ),
        ({"enunciate": "?", "options": FOUR_TICKED[:2]}, [Finding(FindingCode.ALL_CORRECT, 1, 0, 2)]),
        (
            {"enunciate": "?", "options": options_of("z", "a", " A ", "ａ")},
            [Finding(FindingCode.SAME_OPTION, 1, 2, 1), Finding(FindingCode.SAME_OPTION, 1, 3, 1)],
        ),
        (
            {"enunciate": "?", "options": options_of("a", "", " ")},
            [Finding(FindingCode.EMPTY_OPTION, 1, 1), Finding(FindingCode.EMPTY_OPTION, 1, 2)],
        ),
        ({"enunciate": LONG, "options": options_of("a", "b")}, []),
        ({"enunciate": LONG + "x", "options": options_of("a", "b")}, [Finding(FindingCode.LONG_QUESTION, 1, other=301)]),
        ({"enunciate": "?", "options": options_of("a", LONG_OPTION)}, []),
        ({"enunciate": "?", "options": options_of("a", LONG_OPTION + "x")}, [Finding(FindingCode.LONG_OPTION, 1, 1, 161)]),
        ({"enunciate": "?", "options": 5}, [Finding(FindingCode.BROKEN, 1)]),
        ({"enunciate": "", "options": options_of("", correct=None)}, [
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
    value: JSON = {"enunciate": "?", "options": options_of("a", "b")}
    found = [finding for finding in lint_second(value, num_answers=number) if finding.question == 1]
    assert found == ([Finding(FindingCode.TOO_FEW, 1, other=3)] if few else [])


@pytest.mark.parametrize(("count", "few"), [(0, False), (1, True)])
def test_alternatives_are_too_few_where_there_are_any(count: int, few: bool) -> None:
    value: JSON = {"enunciate": "?", "options": options_of("a", "b")[:count]}
    assert (Finding(FindingCode.TOO_FEW, 1, other=2) in lint_second(value, num_answers=2)) is few


def test_findings_are_grouped_by_the_question_they_are_about() -> None:
    few, same = Finding(FindingCode.TOO_FEW, 2, other=3), Finding(FindingCode.SAME_QUESTION, 2, other=0)
    text = Finding(FindingCode.NO_TEXT, 0)
    assert quiz.group_by_question([few, text, Finding(FindingCode.BROKEN), same]) == {2: [few, same], 0: [text]}


def test_the_same_text_again_points_at_the_first() -> None:
    again: Package = {**question(1), "id": "z", "enunciate": "question NUMBER 1? "}
    blank: Package = {**question(3), "enunciate": " "}
    findings = quiz.lint_quiz({"questions": [question(2), question(1), again, again, blank, blank]})
    assert [finding for finding in findings if finding.code is not FindingCode.NO_TEXT] == [
        Finding(FindingCode.SAME_QUESTION, 2, other=1),
        Finding(FindingCode.SAME_QUESTION, 3, other=1),
    ]


def test_only_what_the_platform_refuses_blocks() -> None:
    values: Package = {"questions": [question(1), {"enunciate": "", "options": options_of("a", "")}]}
    assert [f.code for f in quiz.list_blocking(values)] == [FindingCode.NO_TEXT]


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
    assert quiz.find_refused_question(message, [question(1), question(2)]) == place


@pytest.mark.parametrize(("text", "place"), [("Why so? 1", 0), ("Why so?1", None)])
def test_text_of_a_question_in_a_refusal_counts_from_nine_letters(text: str, place: int | None) -> None:
    assert quiz.find_refused_question(f"“{text}” was refused", [question(1, enunciate=text)]) == place


def test_a_refusal_that_names_nothing_is_led_to_the_question_that_is_wrong() -> None:
    assert (
        quiz.find_refused_question("invalid payload", [question(1), {"enunciate": "", "options": options_of("a", "b")}])
        == 1
    )

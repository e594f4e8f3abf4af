"""The same quiz in two languages: which question is which, what differs in structure, and what copying it changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.ai_content.rules.quiz import StructureDifference
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import options_of, question


def apart(ours: list[JSON], theirs: list[JSON]) -> list[tuple[int | None, int | None, tuple[StructureDifference, ...]]]:
    return [(row.ours, row.theirs, row.apart) for row in quiz.compare_questions(ours, theirs)]


def test_two_languages_with_the_same_structure_differ_in_nothing() -> None:
    english: list[JSON] = [question(1), question(2)]
    spanish: list[JSON] = [question(1, enunciate="¿Uno?"), question(2, enunciate="¿Dos?")]
    assert apart(english, spanish) == [(0, 0, ()), (1, 1, ())]


def test_what_differs_in_structure_between_languages_is_named() -> None:
    ours: list[JSON] = [question(1), question(2), question(3), question(4)]
    theirs: list[JSON] = [
        question(3, enunciate="¿Tres?", options=options_of("a", "b", "c", correct=2)),
        question(1, enunciate="¿Uno?", options=options_of("a", "b")),
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
    text: Package = {"enunciate": "What is crema?", "options": options_of("foam")}
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
    copied = quiz.copy_structure(source, target)
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
        question(1, enunciate="¿Uno?", options=options_of("a", "b", correct=1)),
        question(2, enunciate="¿Dos?"),
        question(9, enunciate="¿Nueve?"),
    ]
    copied = quiz.copy_structure(source, target)
    assert [quiz.parse_question(found).text for found in copied] == ["¿Dos?", "¿Uno?", "Question number 3?", "¿Nueve?"]
    one = quiz.parse_question(copied[1])
    assert [(option.text, option.correct) for option in one.options] == [
        ("a", True),
        ("b", False),
        ("Answer 1.c", False),
    ]
    assert is_same(copied[0], target[1])


def test_question_that_comes_over_keeps_its_id_where_the_languages_share_ids() -> None:
    copied = quiz.copy_structure([question(1), question(2)], [question(1, enunciate="¿Uno?")])
    assert copied == [question(1, enunciate="¿Uno?"), question(2)]


@pytest.mark.parametrize("target", [{"enunciate": "¿Uno?"}, {"id": "es-1", "enunciate": "¿Uno?"}])
def test_question_that_comes_over_gets_an_id_of_its_own_where_the_languages_share_none(target: Package) -> None:
    copied = quiz.copy_structure([question(1), question(2)], [target])
    assert copied == [target, {key: value for key, value in question(2).items() if key != "id"}]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (options_of("a", "b"), [{"text": "x"}], options_of("x", "b")),
        ([{"text": "a"}], [{"text": "x", "correct": True}], [{"text": "x", "correct": True}]),
        (options_of("a"), ["x", "y"], ["x"]),
        (["a", "b"], options_of("x"), [*options_of("x"), "b"]),
        (None, options_of("x"), options_of("x")),
        (options_of("a"), None, None),
        ([], options_of("x"), []),
    ],
)
def test_alternatives_follow_the_source_in_number_and_marks_and_nothing_else(
    source: JSON, target: JSON, expected: JSON
) -> None:
    copied = quiz.copy_structure([question(1, options=source)], [question(1, options=target, level=3)])
    assert copied == [question(1, options=expected, level=3)]


def test_alternative_that_gets_another_mark_keeps_what_else_it_holds() -> None:
    source, target = question(1, options=options_of("a")), question(1, options=[{"text": "x", "weight": 1}])
    assert quiz.copy_structure([source], [target]) == [
        question(1, options=[{"text": "x", "weight": 1, "correct": True}])
    ]


@pytest.mark.parametrize(("source", "target"), [("text", question(1)), (question(1), "text")])
def test_what_is_no_question_is_left_as_it_is_in_the_target(source: JSON, target: JSON) -> None:
    assert quiz.copy_structure([source], [target]) == [target]

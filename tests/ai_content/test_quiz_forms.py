"""What the quiz's forms send, as it is read, and what counts for players: the first right answer, and the explanation."""

from typing import Any

import pytest
from django.http import QueryDict

from dashboard.ai_content import exchange
from dashboard.ai_content.quiz_views import parse_question_form
from tests.ai_content.conftest import Hands
from tests.ai_content.packages import package

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_question_keeps_all_the_answers_that_are_sent() -> None:
    sent = QueryDict(mutable=True)
    sent.setlist("option", [str(number) for number in range(150)])
    sent.setlist("text", [f"answer {number}" for number in range(150)])
    assert [option.origin for option in parse_question_form(sent).options] == [*range(150)]


def three(*correct: bool, **more: Any) -> dict[str, Any]:
    options = [{"text": letter, "correct": is_right} for letter, is_right in zip("abc", correct, strict=True)]
    return {"id": "q1", "enunciate": "Which?", "options": options, **more}


def open_quiz(hands: Hands, question: dict[str, Any]) -> str:
    hands.overwrite({**package(1), "questions": [question]})
    return f"quiz/questions/{hands.handle(1)}/"


@pytest.mark.parametrize(
    ("button", "expected"),
    [("only:1", [("a", False), ("b", True), ("c", False)]), ("first:2", [("c", True), ("a", False), ("b", True)])],
)
def test_only_the_first_right_answer_counts_and_a_button_makes_it_so(
    hands: Hands, button: str, expected: list[tuple[str, bool]]
) -> None:
    page = open_quiz(hands, three(False, True, True))
    text = hands.text(page)
    assert "2 answers are marked as correct. Only the first one, B, counts." in text
    assert f'form="question-form" name="do" value="{button}"' in text
    assert hands.post(page, {**hands.form(page), "do": button}).status_code == 302
    hands.post("undo/", {"block": "quiz"})
    assert "Only the first one, B, counts." in hands.text(page), "it can be undone"
    hands.post(page, {**hands.form(page), "do": button})
    hands.save()
    (question,) = hands.file["questions"]
    assert [(option["text"], option["correct"]) for option in question["options"]] == expected


def test_a_question_with_one_right_answer_has_no_such_button(hands: Hands) -> None:
    text = hands.text(open_quiz(hands, three(False, True, False)))
    assert "are marked as correct" not in text and 'value="only:' not in text and 'value="first:' not in text


def test_the_preview_counts_the_first_right_answer_as_the_player_does(hands: Hands) -> None:
    open_quiz(hands, three(False, True, True, explanation="Because of b."))
    text = hands.text("quiz/preview/")
    assert 'type="radio" name="a0"' in text and 'type="checkbox" name="a0"' not in text and "Because" not in text
    assert "1 of 1 right" in hands.post("quiz/preview/", {"a0": "1"}).content.decode()
    done = hands.post("quiz/preview/", {"a0": "2"}).content.decode()
    assert "0 of 1 right" in done and "Because of b." in done


def test_an_explanation_is_written_changed_and_taken_out(hands: Hands) -> None:
    page = open_quiz(hands, three(True, False, False))
    assert "explanation" in hands.form(page)
    for typed, kept in (("", {}), ("A comes first.", {"explanation": "A comes first."}), ("", {})):
        hands.post(page, {**hands.form(page), "explanation": typed})
        hands.save()
        assert hands.file["questions"] == [three(True, False, False, **kept)]


def test_an_explanation_that_is_no_text_stays_as_it_is(hands: Hands) -> None:
    page = open_quiz(hands, three(True, False, False, explanation={"en": "A"}))
    assert "Other fields of this question, not changed: explanation" in hands.text(page)
    hands.post(page, {**hands.form(page), "enunciate": "What?"})
    hands.save()
    assert hands.file["questions"][0]["explanation"] == {"en": "A"}


def test_an_explanation_older_than_its_question_is_marked_also_after_the_save(hands: Hands) -> None:
    page, stale = open_quiz(hands, three(True, False, False, explanation="A.")), "The explanation is older"
    assert stale not in hands.text(page)
    hands.post(page, {**hands.form(page), "correct": "1"})
    assert stale in hands.text(page), "in the draft"
    hands.save()
    assert stale in hands.text(page), "in what was saved"
    hands.post(page, {**hands.form(page), "explanation": "B."})
    assert stale not in hands.text(page), "it was written anew"


def test_an_explanation_leaves_and_comes_back_in_a_csv() -> None:
    questions: list[Any] = [
        three(True, False, False, explanation="=A, first"),
        {**three(False, True, False), "id": "q2"},
    ]
    sent = exchange.format_csv(questions)
    assert sent.splitlines()[0].removeprefix("\ufeff") == (
        "id,question,explanation,answer 1,correct 1,answer 2,correct 2,answer 3,correct 3"
    )
    assert exchange.merge_csv(sent + "\n", questions) == questions
    changed = exchange.merge_csv(sent.replace("A, first", "A"), questions)
    assert changed == [{**questions[0], "explanation": "=A"}, questions[1]]
    without = "id,question,answer 1,correct 1\nq1,Which?,a,1\n"
    kept: Any = exchange.merge_csv(without, questions)[0]
    assert kept["explanation"] == "=A, first", "no column says nothing"
    emptied = "id,Pergunta,Explicação,Resposta 1,Correta 1\nq1,Which?,,a,1\n"
    without_one: Any = exchange.merge_csv(emptied, questions)[0]
    assert "explanation" not in without_one

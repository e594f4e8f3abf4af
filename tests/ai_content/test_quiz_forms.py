"""What the quiz's forms send, as it is read."""

from django.http import QueryDict

from dashboard.ai_content.quiz.forms import parse_question_form


def test_a_question_keeps_all_the_answers_that_are_sent() -> None:
    sent = QueryDict(mutable=True)
    sent.setlist("option", [str(number) for number in range(150)])
    sent.setlist("text", [f"answer {number}" for number in range(150)])
    assert [option.origin for option in parse_question_form(sent).options] == [*range(150)]

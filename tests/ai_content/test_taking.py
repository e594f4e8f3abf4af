"""The quiz as somebody takes it."""

import pytest

from tests.ai_content.conftest import Hands


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_right_answers_are_marked_only_once_the_quiz_is_finished(hands: Hands) -> None:
    assert "taking__correct" not in hands.text("quiz/preview/")
    assert "taking__correct" in hands.post("quiz/preview/").content.decode()

"""A draft goes when its block is again as in the version: nobody else's edit goes with it."""

import pytest
from django.db.models import F

from dashboard.ai_content.models import Draft
from tests.ai_content.conftest import Hands
from tests.moments import at_statement


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_edit_of_another_window_does_not_find_a_draft_that_is_about_to_go(hands: Hands) -> None:
    """PostgreSQL looks for the row and deletes it by its key: an edit that was kept between the two would be lost."""
    page = f"quiz/questions/{hands.handle(1)}/"
    before = hands.form(page)["enunciate"]
    hands.write(1, "Changed?")
    seen = Draft.objects.get().revision
    kept: list[int] = []

    def edit_elsewhere() -> None:
        kept.append(Draft.objects.filter(revision=seen).update(revision=F("revision") + 1))

    with at_statement('DELETE FROM "ai_content_draft', edit_elsewhere):
        hands.write(1, before)
    assert kept == [0]
    assert not Draft.objects.exists()

"""Edits of a drawing that meet each other: sent again, answered late, or waiting for the platform."""

import json
import uuid
from types import ModuleType

import pytest

from dashboard.writes.models import State, Write
from review_portal.models import CommentDrawing
from tests.review_portal.conftest import Reviewer, World, over, theirs
from tests.review_portal.test_drawings import ARROW, SKETCH, draw, shaped, still_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def reviewer(world: World) -> Reviewer:
    reviewer = Reviewer(world.link())
    reviewer.open()
    return reviewer


def test_form_of_an_edit_that_deletes_the_drawing_is_not_the_one_that_was_sent_before(reviewer: Reviewer) -> None:
    draw(reviewer)
    comment, key = theirs().get().pk, str(uuid.uuid4())
    for fields in ({}, {"drawing": ""}, {"drawing": ""}):
        reviewer.change(comment, key=key, text="Lower it.", **fields)
        assert CommentDrawing.objects.exists() == (fields == {})
    assert Write.objects.filter(request__has_key="comment_id").count() == 2


def test_drawing_of_a_late_answer_does_not_take_the_place_of_a_later_one(
    reviewer: Reviewer, faults: ModuleType
) -> None:
    draw(reviewer)
    comment = theirs().get().pk
    faults.set("public_review.update_comment", broken="stalls")
    reviewer.change(comment, text="Lower it to the arrow.", drawing=json.dumps(shaped(colour="red")))
    assert Write.objects.filter(state=State.UNCONFIRMED).exists()
    faults.clear()
    over(1)
    reviewer.change(comment, text="Lower it to the arrow.", drawing=json.dumps(shaped(colour="green")))
    over(30)
    assert not Write.objects.exclude(state=State.DONE).exists()
    assert CommentDrawing.objects.get().sketch == shaped(colour="green")


@pytest.mark.parametrize("drawing", [json.dumps(SKETCH | {"shapes": [ARROW]}), ""])
def test_words_that_are_edited_while_a_change_of_the_drawing_waits_leave_that_change(
    reviewer: Reviewer, faults: ModuleType, drawing: str
) -> None:
    draw(reviewer)
    comment, address = theirs().get().pk, f"\nhttp://testserver{still_of(reviewer)}"
    faults.set("public_review.update_comment", broken="refused")
    reviewer.change(comment, text="Lower.", drawing=drawing)
    reviewer.change(comment, text="Lower, please.")
    faults.clear()
    over(3600)
    assert theirs().get().text == "Lower, please." + (address if drawing else "")
    kept = CommentDrawing.objects.first()
    assert (kept.sketch if kept else "") == (json.loads(drawing) if drawing else "")

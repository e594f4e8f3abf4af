"""A comment that is not fixed brings its drawing and its exact frame to the next cut, once."""

import json
import uuid
from html import unescape
from types import ModuleType

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from review_portal import cuts
from review_portal.models import Comment, CommentDrawing, CommentFrame, ReviewLink
from tests.review_portal.conftest import Reviewer, World, over
from tests.review_portal.test_cuts import make_cut
from tests.review_portal.test_drawings import SKETCH, WORDS
from tests.review_portal.test_from_cut import Checker, ana, pair, texts

__all__ = ["ana", "pair"]
pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def draw_on(link: ReviewLink, text: str = "Lower it.", **fields: str) -> uuid.UUID:
    """A comment with a drawing and its exact frame at 0:42, written through the link by Priya."""
    priya = Reviewer(link.pk, "Priya Nair")
    priya.post(text, "0:42", frame="42440000", drawing=json.dumps(SKETCH), **fields)
    return Comment.objects.get(link=link, time=42).comment_id


def test_drawn_comment_brings_its_drawing_and_its_frame_exactly_once(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    comment = draw_on(pair[0])
    first = CommentDrawing.objects.get()
    page = ana.page()
    assert f"/{pair[0].pk}/d/{first.short}" in page and WORDS[0] in page and "Lower it. http" not in page
    assert 'class="drawing"' in page and f'<img src="{pair[0].video["poster"]}"' not in page
    for _press in range(2):
        ana.save({comment: "not"}, key=str(uuid.UUID(int=7)))
    Checker(pair[1], "Jonas Weber").save({comment: "not"})
    added = platform.ReviewComment.objects.get(video_id=pair[1].video_id)
    drawing = CommentDrawing.objects.exclude(pk=first.pk).get()
    assert (drawing.comment_id, drawing.sketch, drawing.name) == (added.pk, first.sketch, "Ana Prado")
    assert added.text == f"0:42 in cut 1, Priya Nair: Lower it.\nhttp://testserver/{pair[1].pk}/d/{drawing.short}"
    assert CommentFrame.objects.get(comment_id=added.pk).microseconds == 42_440_000
    room = unescape(Client().get(f"/{pair[1].pk}").content.decode())
    assert 'href="?t=42.44"' in room and WORDS[0] in room and "Priya Nair: Lower it." in room
    assert CommentDrawing.objects.filter(comment_id=comment).count() == 1, "and the first one stays where it is"


def test_drawing_goes_on_to_the_cut_after_the_next(
    world: World, account: Account, pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    third = make_cut(world, account, "Version 4")
    assert cuts.place_after(account, third, pair[1]) is None
    ana.save({draw_on(pair[0]): "not"})
    carried = Comment.objects.get(link=pair[1]).comment_id
    assert "Lower it." in Checker(third).page() and "in cut 1" not in Checker(third).page()
    Checker(third).save({carried: "not"})
    short = CommentDrawing.objects.get(link=third).short
    assert texts(third) == [f"0:42 in cut 2, Ana Prado: Lower it.\nhttp://testserver/{third.pk}/d/{short}"]


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [("25", "25", "25"), ("25", "24", None), ("25", "", ""), ("", "24", ""), ("", "", "")],
)
def test_frame_goes_along_where_the_rates_agree_or_nobody_knows_that_they_differ(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, before: str, after: str, kept: str | None
) -> None:
    comment = draw_on(pair[0])
    CommentFrame.objects.update(rate=before)
    if after:
        ana.client.cookies["film_rates"] = f"{str(pair[1].pk)[:8]}:{after}"
    says = "it keeps its second but not its frame: the cuts have different frame rates." in ana.page()
    ana.save({comment: "not"})
    added = Comment.objects.get(link=pair[1]).comment_id
    frame = CommentFrame.objects.filter(comment_id=added).first()
    assert (frame.rate if frame else None) == kept and says == (kept is None)
    assert CommentDrawing.objects.filter(comment_id=added).exists()


def test_comment_at_another_time_keeps_its_drawing_and_no_frame(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    comment = draw_on(pair[0])
    ana.save({comment: "not"}, **{f"time-{comment}": "0:44"})
    added = Comment.objects.get(link=pair[1]).comment_id
    assert CommentDrawing.objects.get(comment_id=added).time == 44
    assert not CommentFrame.objects.filter(comment_id=added).exists()


def test_frame_of_a_comment_without_a_drawing_goes_along_too(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    Reviewer(pair[0].pk, "Priya Nair").post("Softer.", "0:42", frame="42440000")
    ana.save({Comment.objects.get(link=pair[0]).comment_id: "not"})
    added = Comment.objects.get(link=pair[1]).comment_id
    assert CommentFrame.objects.get(comment_id=added).microseconds == 42_440_000


def test_drawing_counts_its_address_among_the_500_characters_and_needs_none_where_the_owner_sends_none(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    ReviewLink.objects.filter(pk=pair[0].pk).update(address_drawings=False)
    comment = draw_on(pair[0], "x" * 480)
    assert "characters are left out" in ana.page()
    ana.save({comment: "not"})
    (text,) = texts(pair[1])
    assert len(text) == 500 and text.endswith(f"/d/{CommentDrawing.objects.get(link=pair[1]).short}")


def test_drawing_whose_comment_waits_comes_with_it_once(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, faults: ModuleType
) -> None:
    comment = draw_on(pair[0])
    faults.set("public_review.create_comment", broken="lost")
    ana.save({comment: "not"})
    ana.save({comment: "not"})
    faults.clear()
    over(3600)
    added = platform.ReviewComment.objects.get(video_id=pair[1].video_id)
    assert CommentDrawing.objects.get(link=pair[1]).comment_id == added.pk


def test_withdrawn_comment_of_the_cut_before_has_no_drawing_to_bring(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    comment = draw_on(pair[0])
    CommentDrawing.objects.all().delete()
    ana.save({comment: "not"})
    assert not CommentDrawing.objects.exists()

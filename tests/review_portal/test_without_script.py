"""A review without script: the cut before, its drawings, the decision, another device, the transcript."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.sandbox import models as platform
from review_portal.models import Comment, CommentDrawing, Reviewer
from tests.forms import PlainBrowser
from tests.review_portal.test_drawings import SKETCH

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def room(cast: dict[str, Any]) -> PlainBrowser:
    """A reviewer in the open link, on a phone without script."""
    return PlainBrowser(Client()).open(f"/{cast['review_links']['open']}")


def test_cut_before_is_checked_and_what_is_not_fixed_comes_along_with_its_drawing(
    owner: Client, room: PlainBrowser, cast: dict[str, Any]
) -> None:
    before, after = cast["review_links"]["view_only"], cast["review_links"]["open"]
    platform.ReviewLink.objects.filter(pk=before).update(allow_comment=True, updated_at=timezone.now())
    desk = PlainBrowser(owner)
    for link in (before, after):
        desk.open(f"/dashboard/review-links/videos/{platform.ReviewLink.objects.get(pk=link).video_id}/")
    desk.open(f"/dashboard/review-links/{after}/").choose("This is the next cut of", before).press("Save as next cut")
    drawn = platform.ReviewComment.objects.get(text__startswith="O mostrador do torrador")
    CommentDrawing.objects.create(
        link_id=before, comment_id=drawn.pk, short="0123456789", sketch=SKETCH, name=drawn.user_name, time=43
    )
    room.open(f"/{before}").follow("Open cut 2").follow("From cut 1 3")
    assert room.has("h2", "Open on cut 1")
    checks = [one for one in room.all("li") if "check" in one.attrs.get("class", "").split()]
    assert [bool(list(one.all("path"))) for one in checks] == [False, True, False], "its drawing is shown"
    for check, answer in zip(checks, ("fixed", "not", "not"), strict=True):
        room.tick(next(one for one in check.all("input") if one.attrs.get("value") == answer))
    room.fill("Add at", "1:08", near="Falta o selo").fill("Your name", "Jonas Weber").press("Save answers")
    assert "Your answers are saved." in room.text and "Resolved on cut 1" in room.text
    room.follow("Open the added comment", near="Falta o selo")
    assert room.address.startswith(f"/{after}?t=68") and CommentDrawing.objects.count() == 2
    assert "1:06 in cut 1, Otávio Prado: Falta o selo" in room.text
    room.open(f"/{after}/compare?with={before}&t=1:06")
    assert len(list(room.all("video"))) == 2 and room.link("Cut 1").attrs["href"]


def test_decision_is_made_after_a_refusal_with_everything_typed(room: PlainBrowser) -> None:
    room.follow("Finish review").press("Send decision")
    assert (
        room.answer.status_code == 422 and "Choose one of the three." in room.text and "Write your name." in room.text
    )
    room.check("Needs another round").press("Send decision")
    assert room.answer.status_code == 422 and "checked" in room.field("Needs another round").attrs
    room.fill("What must change", "The end is missing.").fill("Your name", "Jonas Weber").press("Send decision")
    assert room.has("h2", "You asked for another round")


def test_review_goes_on_elsewhere_as_the_same_person(room: PlainBrowser) -> None:
    room.fill("Your comment", "The cup needs one more beat.").fill("Your name", "Ana Prado").press("Post comment")
    room.follow("Finish review").follow("Continue on another device").press("Show a code")
    code = next(one.words for one in room.all() if one.attrs.get("class") == "device__typed")
    phone = PlainBrowser(Client()).open(room.address).fill("Code", "nonsense").press("Check the code")
    assert "This code does not work on this link" in phone.text
    phone.fill("Code", code.lower()).press("Check the code").press("Continue as Ana Prado")
    assert "You continue here as Ana Prado." in phone.text
    phone.follow("Edit", near="one more beat").fill(
        "Your comment", "The cup needs two more beats.", near="Save changes"
    ).press("Save changes")
    assert Comment.objects.get(text="The cup needs two more beats.").reviewer == Reviewer.objects.get(name="Ana Prado")


def test_transcript_is_searched_and_quoted(room: PlainBrowser) -> None:
    room.follow("Transcript").fill("Search the transcript", "cereja").press("Search")
    assert any("hit--now" in one.attrs.get("class", "") and one.words == "cereja" for one in room.all("mark"))
    room.open(next(one.attrs["href"] for one in room.all("a") if "data-quote" in one.attrs))
    quoted = room.field("Your comment").value
    room.fill("Your comment", f"{quoted}Eight hundred?").fill("Your name", "Ana Prado").press("Post comment")
    assert quoted and "Eight hundred?" in room.text

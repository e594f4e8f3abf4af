"""Answering as the owner: exactly once, by the rules, and nothing typed lost."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.activity.models import Entry
from dashboard.sandbox.models import ReviewComment
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.writes.models import State, Write
from review_portal.models import ReviewLink as KeptLink
from tests.due import run_due
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def comment(here: str) -> ReviewComment:
    return ReviewComment.objects.get(text__startswith="The ridge line")


@pytest.fixture
def form(owner: Client, here: str, comment: ReviewComment) -> dict[str, str]:
    """The open form as a browser sends it."""
    page = owner.get(here, {"answer": str(comment.pk)}).content.decode()
    fields = dict(re.findall(r'name="(key|reply_to|user_name)"(?: dir="auto")? value="([^"]*)"', page))
    return {**fields, "text": "Lowered by 80 px."}


def answers() -> list[ReviewComment]:
    return list(ReviewComment.objects.filter(text="Lowered by 80 px."))


def test_the_form_opens_at_its_comment_without_script_and_keeps_the_filters(
    owner: Client, here: str, comment: ReviewComment
) -> None:
    page = owner.get(here, {"answer": str(comment.pk), "show": "open"}).content.decode()
    assert page.count("<textarea") == 1
    assert "Reply to Priya Nair" in page
    assert f'action="{here}answers/?show=open"' in page
    assert 'name="user_name" dir="auto" value="Camila"' in page


def test_an_answer_is_posted_under_the_owner_s_name_and_recorded(
    owner: Client, here: str, form: dict[str, str], comment: ReviewComment
) -> None:
    response = owner.post(f"{here}answers/", form)
    assert response.headers["Location"] == f"{here}#c-{comment.pk}"
    (answer,) = answers()
    assert (answer.reply_to_id, answer.user_name, answer.time) == (comment.pk, "Camila", 5)
    assert Entry.objects.get().operation == "public_review.create_comment"
    assert "Lowered by 80 px." in owner.get(here).content.decode()


def test_a_second_press_answers_once(owner: Client, here: str, form: dict[str, str]) -> None:
    owner.post(f"{here}answers/", form)
    owner.post(f"{here}answers/", form)
    assert len(answers()) == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"text": ""}, "Write your comment."),
        ({"text": "80 px -> lower"}, "Write “→” instead of “&gt;” (character 8): it cannot be sent."),
        ({"text": "x" * 501}, "Shorten it to 500 characters. It has 501."),
        ({"user_name": ""}, "Write your name."),
        ({"user_name": "Camila & Co"}, "Remove “&amp;” from your name (character 8)."),
    ],
)
def test_what_cannot_be_sent_is_said_at_the_field_with_everything_typed(
    owner: Client, here: str, form: dict[str, str], changes: dict[str, str], sentence: str
) -> None:
    response = owner.post(f"{here}answers/", {**form, **changes})
    page = response.content.decode()
    assert response.status_code == 422
    assert sentence in page
    assert f'value="{form["key"]}"' not in page, "the next press is another attempt"
    assert answers() == []


@pytest.mark.parametrize("parent", ["", "x", "00000000-0000-4000-8000-000000000000"])
def test_a_comment_that_is_not_of_the_link_cannot_be_answered(
    owner: Client, here: str, form: dict[str, str], parent: str
) -> None:
    assert owner.post(f"{here}answers/", {**form, "reply_to": parent}).status_code == 422
    assert answers() == []


def test_a_refusal_of_the_platform_comes_back_to_the_form(
    owner: Client, here: str, form: dict[str, str], faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", status=400)
    response = owner.post(f"{here}answers/", form)
    assert response.status_code == 422
    assert "The platform did not accept it." in response.content.decode()
    assert ">Lowered by 80 px.</textarea>" in response.content.decode()


def test_what_cannot_be_sent_now_is_kept_and_said(
    owner: Client, here: str, form: dict[str, str], faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", broken="refused")
    page = owner.post(f"{here}answers/", form, follow=True).content.decode()
    assert (
        "“Lowered by 80 px.” The platform didn&#x27;t answer. It is saved here and will be sent automatically." in page
    )


def test_an_answer_that_nobody_confirmed_is_said_and_found_by_reading(
    owner: Client, here: str, form: dict[str, str], faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", broken="lost", times=1)
    page = owner.post(f"{here}answers/", form, follow=True).content.decode()
    assert "The platform did not confirm it." in page
    forget()
    run_due(30)
    assert "The platform did not confirm it." not in owner.get(here).content.decode()
    assert len(answers()) == 1
    owner.post(f"{here}answers/", form)
    assert len(answers()) == 1


def test_its_owner_decides_once_about_an_answer_that_nobody_confirmed(
    owner: Client, here: str, form: dict[str, str], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    faults.set("public_review.create_comment", broken="dropped")
    page = owner.post(f"{here}answers/", form, follow=True).content.decode()
    (address, attempt) = re.findall(r'action="([^"]*/writes/[^"]*)"[^§]*?name="attempt" value="(\d+)"', page)[0]
    press = {"attempt": attempt}
    for ignored in ({}, press, {"do": "again"}, {"do": "else", **press}):
        assert owner.post(address, ignored).headers["Location"] == here
    assert calls("public_review.create_comment") == 1
    for _press in range(2):
        owner.post(address, {"do": "again", **press})
    assert calls("public_review.create_comment") == 2, "the second press is about an attempt that is over"
    owner.post(address, {"do": "confirm", "attempt": "2"})
    assert Write.objects.get().state == State.DONE
    assert owner.post(f"{here}writes/{uuid.uuid4()}/", {"do": "confirm"}).status_code == 404


def test_a_view_only_or_closed_link_offers_no_answer(owner: Client, here: str, comment: ReviewComment) -> None:
    for change in ({"allow_comment": False}, {"allow_comment": True, "expires_at": timezone.now() - timedelta(1)}):
        PlatformLink.objects.update(**change)
        KeptLink.objects.update(**change)
        page = owner.get(here, {"answer": str(comment.pk)}).content.decode()
        assert "#answer-text" not in page
        assert "<textarea" not in page
        assert owner.post(f"{here}answers/", {"reply_to": str(comment.pk), "text": "x"}).status_code == 422


def test_another_account_cannot_answer(
    enter: Callable[[str], Client], here: str, form: dict[str, str], cast: dict[str, Any]
) -> None:
    assert enter("other").post(f"{here}answers/", form).status_code == 404
    assert Client().post(f"{here}answers/", form).headers["Location"].startswith("/sign-in/")
    assert answers() == []


def test_times_in_words_lead_to_the_review_page(owner: Client, here: str, cast: dict[str, Any]) -> None:
    ReviewComment.objects.filter(text__startswith="The ridge line").update(text="See 0:12, and https://example.org/a.")
    forget()
    page = owner.get(here).content.decode()
    assert f'<a href="http://testserver/{cast["review_links"]["open"]}?t=12">0:12</a>' in page
    assert '<a href="https://example.org/a" rel="nofollow ugc noopener" target="_blank">' in page

"""Who the owner is: only what was written at their desk has the mark, and no guest takes their name."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from review_portal import rules
from review_portal.models import Comment, ReviewLink
from tests.conftest import signed_in
from tests.one_line import one_line
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
MARK = '<span class="comment__owner">Owner</span>'


@pytest.fixture
def desk(world: World) -> Client:
    return signed_in(Client(), world.token.value)


@pytest.fixture
def reviewer(world: World, desk: Client) -> Reviewer:
    reviewer = Reviewer(world.link(), "Priya Nair")
    desk.get("/dashboard/review-links/")  # finds the link
    reviewer.post("Louder here.")
    return reviewer


def answer(desk: Client, link: uuid.UUID, name: str = "Camila") -> Any:
    comment = Comment.objects.get(link=link, text="Louder here.")
    fields = {"key": str(uuid.uuid4()), "reply_to": str(comment.comment_id), "text": "Done.", "user_name": name}
    return desk.post(f"/dashboard/review-links/{link}/answers/", fields)


def room(reviewer: Reviewer) -> str:
    return str(reviewer.open().content.decode())


def test_an_answer_from_the_owner_s_desk_is_marked_and_a_guest_s_comment_is_not(
    reviewer: Reviewer, desk: Client
) -> None:
    assert MARK not in room(reviewer)
    answer(desk, reviewer.link)
    page = room(reviewer)
    assert page.count(MARK) == 1
    assert re.search(rf"<h4>Camila\s*{re.escape(MARK)}", page)


def test_the_answer_is_marked_through_every_link_of_the_video(world: World, reviewer: Reviewer, desk: Client) -> None:
    answer(desk, reviewer.link)
    other = Reviewer(world.link(name="Second"), "Bruno")
    other.open()
    assert MARK in other.open().content.decode()


@pytest.mark.parametrize("name", ["Estúdio Maré", "estudio mare", "ESTÚDIO-MARÉ.", "Camila", "camila _"])
@pytest.mark.parametrize("script", [True, False])
def test_a_guest_who_gives_the_owner_s_name_is_asked_for_another(
    reviewer: Reviewer, desk: Client, name: str, script: bool
) -> None:
    Account.objects.update(name="Estúdio Maré")
    answer(desk, reviewer.link)
    guest = Reviewer(reviewer.link, name, script=script)
    said = guest.post("Trust me.")
    assert said.status_code == 422
    assert "This is the name of the link&#x27;s owner." in said.content.decode()
    assert "Trust me." in said.content.decode() or script, "what was typed stays"
    assert not Comment.objects.filter(text="Trust me.").exists()


def test_the_owner_s_name_is_taken_on_every_link_of_the_video(world: World, reviewer: Reviewer, desk: Client) -> None:
    answer(desk, reviewer.link)
    guest = Reviewer(world.link(name="Second"), "Camila")
    assert guest.post("Trust me.").status_code == 422
    of_another = platform.Video.objects.create(
        organization=world.organization, user=world.user, title="Other", length=9
    )
    elsewhere = Reviewer(world.link(video=of_another), "Camila")
    assert elsewhere.post("Hello.").status_code == 302


@pytest.mark.parametrize("name", ["Camila Torres", "Estúdio", "@"])
def test_a_name_that_only_resembles_it_is_taken(reviewer: Reviewer, desk: Client, name: str) -> None:
    Account.objects.update(name="Estúdio Maré")
    answer(desk, reviewer.link)
    assert Reviewer(reviewer.link, name).post("Hello.").status_code == 302


def test_the_owner_answers_under_their_own_name_again(reviewer: Reviewer, desk: Client) -> None:
    for _answer in range(2):
        assert answer(desk, reviewer.link).status_code == 302


def test_a_name_of_signs_alone_is_nobody_s() -> None:
    assert not rules.is_any_name("...", ["---", ""])


def test_another_account_s_name_is_free(reviewer: Reviewer) -> None:
    Account.objects.create(name="Bruno", fingerprint="other", sealed_token="x")
    assert ReviewLink.objects.get(pk=reviewer.link).accounts.count() == 1
    assert Reviewer(reviewer.link, "Bruno").post("Hello.").status_code == 302


@pytest.mark.parametrize("extension", ["csv", "txt", "edl", "fcpxml", "xml"])
def test_owner_is_marked_in_every_file_of_room_and_desk(reviewer: Reviewer, desk: Client, extension: str) -> None:
    answer(desk, reviewer.link)
    files = (
        reviewer.client.get(f"/{reviewer.link}/export.{extension}"),
        desk.get(f"/dashboard/review-links/{reviewer.link}/export.{extension}"),
    )
    for file in files:
        assert "Camila (Owner): Done." in file.content.decode()
        assert "Priya Nair (Owner)" not in file.content.decode()


def test_owner_is_marked_in_json_without_a_word_that_would_be_translated(reviewer: Reviewer, desk: Client) -> None:
    answer(desk, reviewer.link)
    comments = reviewer.client.get(f"/{reviewer.link}/export.json").json()["comments"]
    (mine,) = (comment for comment in comments if comment["text"] == "Louder here.")
    assert (mine["by_owner"], [reply["by_owner"] for reply in mine["replies"]]) == (False, [True])
    assert mine["replies"][0]["author"] == "Camila"


def test_owner_is_marked_on_paper(reviewer: Reviewer, desk: Client) -> None:
    answer(desk, reviewer.link)
    for page in (
        reviewer.client.get(f"/{reviewer.link}/print"),
        desk.get(f"/dashboard/review-links/{reviewer.link}/print/"),
    ):
        assert one_line(page.content.decode()).count(MARK) == 1

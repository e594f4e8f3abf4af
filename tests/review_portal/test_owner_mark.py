"""Who the owner is: only what was written at their desk has the mark, and no guest takes their name."""

import json
import re
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from review_portal import news, rules
from review_portal.exports.files import EXTENSIONS
from review_portal.models import Comment, ReviewLink
from tests.conftest import signed_in
from tests.kept_rows import KeptRows
from tests.pages import one_line, page_of
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
MARK = '<span class="comment__owner">Owner</span>'


@pytest.fixture
def desk(world: World, kept_rows: KeptRows) -> Client:
    client = Client()
    kept_rows.take(lambda: signed_in(client, world.token.value), client)
    return client


@pytest.fixture
def reviewer(new_link: uuid.UUID, desk: Client, kept_rows: KeptRows) -> Reviewer:
    reviewer = Reviewer(new_link, "Priya Nair")

    def post() -> None:
        desk.get("/dashboard/review-links/")  # finds the link
        reviewer.post("Louder here.")

    kept_rows.take(post, reviewer.client)
    return reviewer


def answer(desk: Client, link: uuid.UUID, name: str = "Camila") -> Any:
    comment = Comment.objects.get(link=link, text="Louder here.")
    fields = {"key": str(uuid.uuid4()), "reply_to": str(comment.comment_id), "text": "Done.", "user_name": name}
    return desk.post(f"/dashboard/review-links/{link}/answers/", fields)


def test_an_answer_from_the_owner_s_desk_is_marked_and_a_guest_s_comment_is_not(
    reviewer: Reviewer, desk: Client
) -> None:
    assert MARK not in page_of(reviewer.open())
    answer(desk, reviewer.link)
    page = page_of(reviewer.open())
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


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("language", ["en", "es", "pt-br"])
def test_both_marks_are_in_every_file_of_room_and_desk(
    reviewer: Reviewer, desk: Client, extension: str, language: str
) -> None:
    answer(desk, reviewer.link)
    second = Reviewer(reviewer.link, "Priya N\u0430ir")
    second.open()
    second.post("From the second.")
    with translation.override(language):
        owner, other = gettext("Owner"), gettext("another person of this name")
    room, own = f"/{reviewer.link}/export.{extension}", f"/dashboard/review-links/{reviewer.link}/export.{extension}"
    video = f"/dashboard/review-links/videos/{ReviewLink.objects.get(pk=reviewer.link).video_id}/export.{extension}"
    for client, path in ((reviewer.client, room), (second.client, room), (desk, own), (desk, video)):
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        content = client.get(path).content.decode()
        json_only = extension == "json"
        assert json_only or f"Camila ({owner}): Done." in content, path
        assert json_only or f"Priya N\u0430ir ({other})" in content, path
        assert f"Priya Nair ({owner})" not in content and f"Priya Nair ({other})" not in content
        if json_only:
            rows = {
                row["text"]: row
                for comment in json.loads(content)["comments"]
                for row in (comment, *comment["replies"])
            }
            assert [rows[text]["by_owner"] for text in ("Done.", "Louder here.", "From the second.")] == [
                True,
                False,
                False,
            ]
            assert [text for text, row in rows.items() if row.get("namesake")] == ["From the second."]


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


def test_second_person_of_a_name_is_marked_on_paper_and_at_the_desk(reviewer: Reviewer, desk: Client) -> None:
    answer(desk, reviewer.link)
    second = Reviewer(reviewer.link, "Priya N\u0430ir")
    second.open()
    second.post("From the second.")
    link = f"/dashboard/review-links/{reviewer.link}/"
    video_id = ReviewLink.objects.get(pk=reviewer.link).video_id
    item = Comment.objects.get(link=reviewer.link, text="From the second.").comment_id
    pages = [reviewer.client.get(f"/{reviewer.link}/{page}") for page in ("print", "finish")]
    pages += [desk.get(path) for path in (link, f"{link}print/", f"/dashboard/review-links/videos/{video_id}/")]
    desk.get("/dashboard/review-links/inbox/")
    pages.append(desk.get(f"/dashboard/review-links/inbox/{item}/"))
    for page in pages:
        assert page.status_code == 200, page
        content = one_line(page.content.decode())
        assert content.count("(another person of this name)") == 1, page.request["PATH_INFO"]


def test_mails_and_notices_name_the_second_person_and_the_owner(reviewer: Reviewer, desk: Client) -> None:
    second = Reviewer(reviewer.link, "Priya N\u0430ir")
    second.open()
    second.post("From the second.")
    answer(desk, reviewer.link)
    link = ReviewLink.objects.get(pk=reviewer.link)
    refs = [f"comment:{row.comment_id}" for row in Comment.objects.filter(link=link)]
    told = {item.text: (item.writer, item.by_owner) for item in news.load_news(str(link.pk), refs, None, "")}
    assert told == {
        "Louder here.": ("Priya Nair", False), "Done.": ("Camila (Owner)", True),
        "From the second.": ("Priya N\u0430ir (another person of this name)", False),
    }  # fmt: skip


def test_name_from_elsewhere_is_shown_without_what_is_not_seen(world: World) -> None:
    link = world.link()
    world.comment("From elsewhere.", user_name="\u202eCamila\u3164\U000e0041")
    world.comment("From nobody.", user_name="\u3164")
    zoe = Reviewer(link, "Zoe")
    zoe.open()
    rows = zoe.client.get(f"/{link}/export.json").json()["comments"]
    assert {row["text"]: row["author"] for row in rows} == {"From elsewhere.": "Camila", "From nobody.": "U+3164"}

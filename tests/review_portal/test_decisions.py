"""Reviewers decide: approve, approve with changes, ask for another round; the owner sees it, and nothing is lost or doubled."""

import csv
import io
import json
import re
import uuid
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from review_portal.models import Comment, Decision, ReviewLink
from review_portal.models import Reviewer as Person
from tests.conftest import signed_in
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

Verdict = Decision.Verdict


def decide(client: Client, link: ReviewLink, **fields: str) -> Any:
    data = {"key": str(uuid.uuid4()), "verdict": "approve", "text": "", "user_name": "Ana Prado"} | fields
    return client.post(f"/{link.pk}/decision", data)


def finish(client: Client, link: ReviewLink, query: str = "") -> str:
    return str(client.get(f"/{link.pk}/finish{query}").content.decode())


@pytest.mark.parametrize(
    ("verdict", "note", "title"),
    [
        ("approve", "", "You approved this video"),
        ("approve", "Lovely.", "You approved this video"),
        ("changes", "Lower the wordmark.", "You approved this video with changes"),
        ("round", "Cut the intro.", "You asked for another round"),
    ],
)
def test_a_decision_is_kept_and_shown_to_its_reviewer_and_to_others(
    ana: Reviewer, link: ReviewLink, verdict: str, note: str, title: str
) -> None:
    response = decide(ana.client, link, verdict=verdict, text=note)
    assert (response.status_code, response.url) == (302, f"/{link.pk}/finish#decision-title")
    decision = Decision.objects.get()
    assert (decision.verdict, decision.note, decision.name) == (verdict, note, "Ana Prado")
    assert title in finish(ana.client, link)
    theirs = finish(Client(), link)
    assert title not in theirs and note in theirs and "Ana Prado" in theirs


def test_who_never_wrote_decides_under_a_name_and_is_remembered(link: ReviewLink) -> None:
    client = Client()
    assert decide(client, link, user_name="Jonas Weber").status_code == 302
    assert Person.objects.get().name == "Jonas Weber"
    assert "You approved this video" in finish(client, link)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"verdict": ""}, "Choose one of the three."),
        ({"verdict": "maybe"}, "Choose one of the three."),
        ({"verdict": "changes", "text": ""}, "Write what must change."),
        ({"verdict": "round", "text": "  \n "}, "Write what must change."),
        ({"verdict": "approve", "text": "x" * 2001}, "Shorten it to 2000 characters. It has 2001."),
        ({"user_name": ""}, "Write your name."),
        ({"user_name": "Estúdio Maré"}, "This is the name of the link&#x27;s owner."),
    ],
)
def test_a_decision_that_is_not_complete_is_refused_with_everything_typed(
    link: ReviewLink, fields: dict[str, str], said: str
) -> None:
    response = decide(Client(), link, **({"text": "My note", "user_name": "Jonas Weber"} | fields))
    page = response.content.decode()
    assert response.status_code == 422 and said in page
    assert not Decision.objects.exists()
    typed = {"text": "My note", "user_name": "Jonas Weber"} | fields
    assert f">{typed['text']}</textarea>" in page
    assert f'name="user_name" dir="auto" value="{typed["user_name"]}"' in page


def test_a_note_of_2000_characters_is_taken(link: ReviewLink) -> None:
    assert decide(Client(), link, text="x" * 2000).status_code == 302


def test_a_form_sent_twice_is_one_decision_and_the_second_answer_is_the_first(link: ReviewLink) -> None:
    key = str(uuid.uuid4())
    first, second = Client(), Client()
    assert decide(first, link, key=key).status_code == 302
    assert decide(second, link, key=key).status_code == 302
    assert Decision.objects.count() == 1 and Person.objects.count() == 1
    assert "You approved this video" in finish(second, link)


def test_another_choice_in_a_form_that_was_sent_before_is_another_decision(link: ReviewLink) -> None:
    """The back button shows the old form."""
    key, client = str(uuid.uuid4()), Client()
    decide(client, link, key=key)
    assert 'name="verdict" value="none"' in finish(client, link)
    decide(client, link, key=key, verdict="none")
    decide(client, link, key=key, verdict="round", text="The end is missing.")
    assert [one.verdict for one in Decision.objects.order_by("pk")] == ["approve", "none", "round"]


def test_spaces_around_a_name_are_not_part_of_it(link: ReviewLink) -> None:
    decide(Client(), link, user_name="  Jonas Weber ")
    assert Decision.objects.get().name == "Jonas Weber"


def test_a_changed_decision_counts_and_the_earlier_one_is_kept(ana: Reviewer, link: ReviewLink) -> None:
    decide(ana.client, link)
    form = finish(ana.client, link, "?change=1")
    assert 'value="approve" checked' in form
    decide(ana.client, link, verdict="round", text="The end is missing.")
    assert [one.verdict for one in Decision.objects.order_by("pk")] == ["approve", "round"]
    page = finish(Client(), link)
    assert "Another round" in page and "Approved" not in page


def test_a_withdrawn_decision_does_not_count(ana: Reviewer, link: ReviewLink) -> None:
    decide(ana.client, link)
    assert decide(ana.client, link, verdict="none").status_code == 302
    page = finish(ana.client, link)
    assert "Send decision" in page and "You approved" not in page
    assert "Not decided" in page  # Ana wrote, so she is among everybody


def test_somebody_without_a_decision_has_nothing_to_withdraw(link: ReviewLink) -> None:
    assert decide(Client(), link, verdict="none").status_code == 302
    assert not Decision.objects.exists() and not Person.objects.exists()


def test_what_others_wrote_since_is_counted_and_what_oneself_wrote_is_not(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    decide(ana.client, link)
    assert "New since your decision" not in finish(ana.client, link)
    ana.post("One more thing.", repeat="1")
    assert "New since your decision" not in finish(ana.client, link)
    jonas = Reviewer(link.pk, "Jonas Weber")
    jonas.post("I disagree.")
    parent = Comment.objects.get(text="The cup needs one more beat.")
    jonas.post("So do I.", reply_to=str(parent.comment_id))
    assert "New since your decision: 1 comment, 1 reply." in finish(ana.client, link)


def test_a_closed_link_takes_no_decision_and_gives_the_note_back(ana: Reviewer, link: ReviewLink) -> None:
    decide(ana.client, link, text="Lovely.")
    closed = timezone.now() - timedelta(minutes=1)
    ReviewLink.objects.update(expires_at=closed)
    platform.ReviewLink.objects.update(expires_at=closed)  # its page reads the link, where nobody has read it before
    response = decide(ana.client, link, verdict="round", text="Wait, the end is missing.")
    assert response.status_code == 410 and "Wait, the end is missing." in response.content.decode()
    assert Decision.objects.count() == 1
    page = finish(ana.client, link)
    assert "You approved this video" in page and "Change decision" not in page
    assert "You did not decide before this link closed." in finish(Client(), link)


def test_the_owner_sees_decisions_and_the_reviewer_sees_that_they_did(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    decide(ana.client, link, verdict="changes", text="Lower the wordmark.")
    assert "The owner has not opened it yet." in finish(ana.client, link)
    owner = signed_in(Client(), world.token.value)
    overview = owner.get("/dashboard/").content.decode()
    assert re.search(r"Ana Prado decided on “[^”]+”: Approved with changes", overview)
    page = owner.get(f"/dashboard/review-links/{link.pk}/").content.decode()
    assert "Approved with changes" in page and "Lower the wordmark." in page
    assert "The owner has seen it." in finish(ana.client, link)
    assert "Ana Prado decided" not in owner.get("/dashboard/").content.decode()


def test_another_account_sees_no_decision(ana: Reviewer, link: ReviewLink, stranger: Account) -> None:
    decide(ana.client, link, text="Lovely.")
    other = signed_in(Client(), stranger.token)
    assert other.get(f"/dashboard/review-links/{link.pk}/").status_code == 404
    assert "Ana Prado" not in other.get("/dashboard/").content.decode()
    assert Decision.objects.get().seen_at is None


def test_several_decisions_of_one_link_are_one_line_of_the_overview(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    decide(ana.client, link)
    decide(Client(), link, user_name="Jonas Weber", verdict="round", text="Cut the intro.")
    overview = signed_in(Client(), world.token.value).get("/dashboard/").content.decode()
    assert re.search(r"2 reviewers decided on “[^”]+”, Jonas Weber last: Another round", overview)


@pytest.mark.usefixtures("one_window")
def test_a_script_gone_wild_is_slowed_down(ana: Reviewer, link: ReviewLink) -> None:
    answers = [decide(ana.client, link, text=f"Note {number}") for number in range(25)]
    assert answers[-1].status_code == 429 and answers[-1]["Retry-After"]
    assert "Note 24" in answers[-1].content.decode()


def test_a_note_is_shown_as_text_whatever_it_holds(ana: Reviewer, link: ReviewLink) -> None:
    decide(ana.client, link, text="<script>alert(1)</script>")
    assert "<script>alert" not in finish(ana.client, link) and "&lt;script&gt;alert" in finish(ana.client, link)


@pytest.mark.parametrize("reader", ["reviewer", "owner"])
def test_files_and_paper_name_the_decisions_that_count(
    ana: Reviewer, link: ReviewLink, world: World, reader: str
) -> None:
    decide(ana.client, link)
    decide(ana.client, link, verdict="changes", text="Lower the wordmark.\nFix the name.")
    client, base = ana.client, f"/{link.pk}/"
    if reader == "owner":
        client, base = signed_in(Client(), world.token.value), f"/dashboard/review-links/{link.pk}/"
    text = client.get(f"{base}export.txt").content.decode()
    assert "Decisions\nAna Prado  Approved with changes\n    Lower the wordmark.\n    Fix the name.\n" in text
    (decided,) = json.loads(client.get(f"{base}export.json").content)["decisions"]
    assert {**decided, "made_at": ""} == {
        "name": "Ana Prado", "verdict": "changes", "note": "Lower the wordmark.\nFix the name.", "made_at": "",
    }  # fmt: skip
    paper = client.get(f"{base}print" + ("/" if reader == "owner" else "")).content.decode()
    assert "Approved with changes" in paper and "Lower the wordmark." in paper


def test_spreadsheets_and_markers_end_with_the_decisions(ana: Reviewer, link: ReviewLink, world: World) -> None:
    decide(ana.client, link, verdict="changes", text="Lower the wordmark.")
    rows = list(csv.reader(io.StringIO(ana.client.get(f"/{link.pk}/export.csv").content.decode("utf-8-sig"))))
    assert rows[-1][:8] == ["", "", "", "", "Ana Prado", "Approved with changes", "Lower the wordmark.", ""]
    assert rows[-1][8].endswith("Z") and len(rows) == 3
    edl = ana.client.get(f"/{link.pk}/export.edl").content.decode()
    assert "Approved with changes / Lower the wordmark. |C:ResolveColorBlue |M:Ana Prado" in edl
    last = [line for line in edl.splitlines() if line[:3].isdigit()][-1]
    assert last.split()[4] == exports_label(world.video.length or 0)
    for extension, marker in (("fcpxml", "marker"), ("xml", "marker")):
        tree = ElementTree.fromstring(ana.client.get(f"/{link.pk}/export.{extension}").content)
        assert len(list(tree.iter(marker))) == 2, extension


def exports_label(seconds: float) -> str:
    """The timecode of the last frame of a video at 25 frames a second, from 01:00:00:00."""
    frames = round(seconds * 25) - 1
    return f"01:{frames // 1500:02}:{frames // 25 % 60:02}:{frames % 25:02}"


def test_the_list_of_links_says_what_was_decided(ana: Reviewer, link: ReviewLink, world: World) -> None:
    owner = signed_in(Client(), world.token.value)
    assert "is-changes" not in owner.get("/dashboard/review-links/").content.decode()
    decide(ana.client, link, verdict="changes", text="Lower the wordmark.")
    jonas = Reviewer(link.pk, "Jonas Weber")
    jonas.post("Fine.")
    decide(jonas.client, link, verdict="changes", text="Fix the name.", user_name="Jonas Weber")
    page = owner.get("/dashboard/review-links/").content.decode()
    assert "Approved with changes (2)" in page[page.index("is-changes") :]


def test_files_of_a_link_that_nobody_decided_on_say_nothing_of_decisions(ana: Reviewer, link: ReviewLink) -> None:
    assert "Decisions" not in ana.client.get(f"/{link.pk}/export.txt").content.decode()
    assert "Decisions" not in ana.client.get(f"/{link.pk}/print").content.decode()
    assert json.loads(ana.client.get(f"/{link.pk}/export.json").content)["decisions"] == []

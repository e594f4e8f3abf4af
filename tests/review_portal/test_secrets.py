"""The reviewer's token is nobody's business: not in a page, an address, a log, an error; and a cookie is only as good as
its signature and its link."""

import logging
import re
import uuid
from types import ModuleType
from typing import Any

import pytest
from django.core import signing
from django.test import Client

from dashboard.accounts import identity
from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.writes.models import Write
from review_portal import models
from review_portal.models import Comment, ReviewLink
from tests.review_portal.conftest import Reviewer, World, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_the_token_is_nowhere(
    world: World, account: Account, reviewer: Reviewer, faults: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answers: list[Any] = [reviewer.open()]
    ReviewLink.objects.get().accounts.add(account)
    answers += [reviewer.post("Mine."), reviewer.open(), reviewer.poll()]
    mine = theirs().get()
    answers += [reviewer.change(mine.pk, text="Better."), reviewer.change(mine.pk, status="resolved")]
    faults.set("public_review.create_comment", status=500)
    answers += [reviewer.post("Fails."), reviewer.open(), reviewer.client.get(f"/{reviewer.link}/finish")]
    token = models.Reviewer.objects.get().token
    assert theirs().get().token == uuid.UUID(token)  # it did leave, towards the platform
    for spelling in (token, token.replace("-", ""), token.upper()):
        for answer in answers:
            assert spelling not in answer.content.decode()
            assert spelling not in str(dict(answer.headers))
            assert spelling not in str(answer.cookies)
        assert spelling not in caplog.text
        assert spelling not in str(list(Write.objects.values()))
        assert spelling not in str(list(Entry.objects.values()))
        assert spelling not in str(list(models.Reviewer.objects.values()))


def test_two_reviewers_have_two_tokens(world: World, reviewer: Reviewer) -> None:
    reviewer.post("One.")
    Reviewer(reviewer.link, "Bruno").post("Two.")
    tokens = set(theirs().values_list("token", flat=True))
    assert len(tokens) == 2
    assert reviewer.link not in tokens


def test_the_cookie_is_hidden_from_script_and_bound_to_its_link(reviewer: Reviewer) -> None:
    cookie = reviewer.post().cookies["reviewer"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == f"/{reviewer.link}"


@pytest.mark.parametrize("how", ["other link", "unsigned", "cut", "foreign signature", "empty", "not a uuid"])
def test_a_forged_cookie_makes_nobody_somebody(world: World, reviewer: Reviewer, how: str) -> None:
    reviewer.post("Mine.")
    mine = theirs().get()
    value = reviewer.client.cookies["reviewer"].value
    me = models.Reviewer.objects.get()
    forged = {
        "other link": identity.signer(f"reviewer:{uuid.uuid4()}").sign(str(me.pk)),
        "unsigned": str(me.pk),
        "cut": value[:-1],
        "foreign signature": signing.Signer(key="k" * 50, salt=f"reviewer:{me.link_id}").sign(str(me.pk)),
        "empty": "",
        "not a uuid": identity.signer(f"reviewer:{me.link_id}").sign("1 OR 1=1"),
    }[how]
    stranger = Reviewer(reviewer.link, "Mallory")
    stranger.client.cookies["reviewer"] = forged
    assert stranger.change(mine.pk, text="Hijacked.").status_code == 403
    assert "(you)" not in stranger.open().content.decode()
    stranger.post("As myself.")
    assert Comment.objects.get(text="As myself.").reviewer != me
    mine.refresh_from_db()
    assert mine.text == "Mine."


def test_a_cookie_of_one_link_is_nobody_on_another(world: World, reviewer: Reviewer) -> None:
    reviewer.post("Mine.")
    second = Reviewer(world.link(name="Second"))
    second.client.cookies["reviewer"] = reviewer.client.cookies["reviewer"].value
    mine = theirs().get()
    second.open()
    assert second.change(mine.pk, text="Over here.").status_code == 403


def test_writing_needs_the_forms_own_token(reviewer: Reviewer) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.get(f"/{reviewer.link}")
    response = strict.post(f"/{reviewer.link}/comments", {"text": "x", "user_name": "A", "time": "0:01"})
    assert response.status_code == 403
    assert not theirs().exists()


def test_pages_carry_nothing_that_a_search_engine_or_another_site_should_have(reviewer: Reviewer) -> None:
    response = reviewer.open()
    assert 'name="robots" content="noindex' in response.content.decode()
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    assert response["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert not re.search(r"https?://(?!example)[^\s\"']+", response.content.decode().replace("http://www.w3.org", ""))


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
@pytest.mark.parametrize("path", ["", "/comments", "/finish"])
def test_other_methods_are_not_allowed(reviewer: Reviewer, method: str, path: str) -> None:
    reviewer.open()
    assert getattr(reviewer.client, method)(f"/{reviewer.link}{path}").status_code == 405


def test_reading_an_act_is_not_doing_it(reviewer: Reviewer) -> None:
    reviewer.script = True
    reviewer.post("Mine.", hold="1")
    key = Write.objects.get().key
    answer = reviewer.client.get(f"/{reviewer.link}/submissions/{key}?do=send")
    assert (answer["Location"], answer["Allow"]) == (f"/{reviewer.link}", "POST")
    assert Write.objects.get().due_at is not None

"""The first requests of `python -m tests.fuzz`, and that its judge sees what it should."""

from random import Random
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from tests.fuzz.asking import Asked, Asker
from tests.fuzz.judging import problems_of
from tests.fuzz.pages import read_offers
from tests.fuzz.running import Outcome, run_round
from tests.fuzz.values import spoil
from tests.fuzz.world import World
from tests.house.addresses import ALL
from tests.house.headers import HEADERS
from tests.house.things import make_things

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
REQUESTS = 60


def test_requests_that_no_browser_sends_are_answered(cast: dict[str, Any]) -> None:
    outcome = Outcome()
    run_round(cast, outcome, 7, 0, REQUESTS, lambda text: None)
    assert outcome.requests == REQUESTS
    assert "\n".join(map(str, outcome.failures)) == ""


@pytest.fixture
def world(owner: Client, cast: dict[str, Any]) -> World:
    """A world with one person."""
    things = make_things(owner, cast)
    tokens = {"owner": cast["tokens"]["owner"]}
    return World({"owner": owner}, things, {"owner": ("marked",)}, ["x"], tokens)


def test_every_address_of_the_product_is_asked(world: World) -> None:
    assert Asker(world, Random(1)).paths.keys() == ALL.keys()


@pytest.mark.parametrize(
    ("text", "status", "headers", "problem"),
    [
        ("fine", 200, {}, ""),
        ("broken", 500, {}, "500 without a fault"),
        ("late", 502, {}, "502 without a fault"),
        ("marked", 200, {}, "words of another account"),
        ("Traceback (most recent call last)", 200, {}, "a traceback"),
        ("fine", 200, {"Cache-Control": "public"}, "Cache-Control is 'public'"),
        ("{token}", 200, {}, "a token in the answer"),
    ],
)
def test_the_judge_names_what_is_wrong_with_an_answer(
    world: World, text: str, status: int, headers: dict[str, str], problem: str
) -> None:
    said = text.format(token=world.tokens["owner"]) if "{" in text else text
    answer = HttpResponse(said, status=status, headers=HEADERS | headers)
    request = RequestFactory().get("/dashboard/")
    request.resolver_match = None
    answer.wsgi_request = request  # type: ignore[attr-defined]  # as the test client does
    found = problems_of(world, Asked("owner", "GET", "/dashboard/"), answer, 0.1)
    assert ("; ".join(found)[: len(problem)] if problem else found) == (problem or [])


def test_what_a_page_offers_is_read_from_its_forms_and_links() -> None:
    page = (
        "<form method=post action=/a/><input name=x value=1><input type=file name=f><button name=do value=go>Go</button></form>"
        "<form action=/b/><select name=s></select></form><a href='/c/?page=2'>2</a>"
    )
    found = {(offer.method, offer.path, offer.fields, offer.file) for offer in read_offers(page, "/here/")}
    assert found == {
        ("POST", "/a/", (("x", "1"), ("do", "go")), "f"),
        ("GET", "/b/", (("s", ""),), ""),
        ("GET", "/c/", (("page", "2"),), ""),
    }


def test_a_spoilt_answer_is_the_same_for_the_same_seed() -> None:
    body = b'{"videos": [{"id": 1}, {"id": 2}], "total": 2}'
    assert [spoil(Random(seed), body) for seed in range(9)] == [spoil(Random(seed), body) for seed in range(9)]

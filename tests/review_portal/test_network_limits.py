"""One network is limited although every one of its addresses stays below the limit of an address."""

import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from review_portal import rules
from tests.review_portal.conftest import Reviewer, World

pytestmark = [pytest.mark.django_db(databases=["default", "sandbox"]), pytest.mark.usefixtures("one_window")]


def test_network_must_wait_to_post_although_each_of_its_addresses_posted_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "POSTS_PER_NETWORK", (3, 60))
    link = world.link()
    Client().get(f"/{link}")

    def post_from(address: str) -> int:
        client = Client(REMOTE_ADDR=address)
        return int(Reviewer(link, script=True, client=client).post(f"From {address}.").status_code)

    assert [post_from(f"203.0.113.{number}") for number in range(4)] == [200, 200, 200, 429]
    assert post_from("198.51.100.1") == 200, "another network is not concerned"


def test_network_must_wait_to_look_for_unknown_links_although_its_addresses_change(
    world: World, monkeypatch: pytest.MonkeyPatch, calls: Callable[[str], int]
) -> None:
    monkeypatch.setattr(rules, "LOOKUPS_PER_NETWORK", (3, 60))
    for number in range(5):
        assert Client(REMOTE_ADDR=f"203.0.113.{number}").get(f"/{uuid.uuid4()}").status_code == 404
    assert calls("public_review.read_link") == 3
    Client(REMOTE_ADDR="198.51.100.1").get(f"/{uuid.uuid4()}")
    assert calls("public_review.read_link") == 4, "another network is not concerned"

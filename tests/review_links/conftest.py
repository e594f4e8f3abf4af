"""The owner of the seeded account, signed in."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox.models import ReviewComment
from review_portal import imports
from review_portal.models import ReviewLink
from tests.kept_rows import KeptRows
from tests.looked import mark_the_quiet
from tests.review_links.inbox_rows import make_link


@pytest.fixture
def enter(db: None, cast: dict[str, Any]) -> Callable[[str], Client]:
    """A browser that is signed in as a role of the cast."""

    def enter(role: str) -> Client:
        client = Client()
        answer = client.post("/sign-in/", {"token": cast["tokens"][role], "name": role, "person": "Camila"})
        assert answer.status_code == 302
        return client

    return enter


@pytest.fixture
def owner(enter: Callable[[str], Client], kept_rows: KeptRows) -> Client:
    """The owner's browser. Of the library, only the videos with links have not been looked at."""
    client = Client()

    def sign_in() -> None:
        client.cookies.update(enter("owner").cookies)
        mark_the_quiet(Account.objects.get(name="owner"))

    kept_rows.take(sign_in, client)
    return client


@pytest.fixture
def open_link(account: Account, cast: dict[str, Any], kept_rows: KeptRows) -> str:
    """The page of the open link, which is known here."""
    link = cast["review_links"]["open"]
    kept_rows.take(lambda: imports.import_link(account, uuid.UUID(link), uuid.UUID(cast["videos"]["reviewed"])))
    return f"/dashboard/review-links/{link}/"


@pytest.fixture
def seeded(owner: Client, here: str) -> ReviewLink:
    """The platform's own link, its comments read."""
    return ReviewLink.objects.get(pk=here.split("/")[-2])


@pytest.fixture
def ridge(seeded: ReviewLink) -> ReviewComment:
    return ReviewComment.objects.get(text__startswith="The ridge line")


@pytest.fixture
def link(account: Account) -> ReviewLink:
    """An open link that only Reelroom knows."""
    return make_link(account)


@pytest.fixture
def here(owner: Client, open_link: str, kept_rows: KeptRows) -> str:
    """The page of the open link, its comments read."""
    kept_rows.take(lambda: owner.get(open_link), owner)
    return open_link

"""The way of a comment through the portal, from the form to the platform."""

import pytest

from dashboard.accounts.models import Account
from tests.review_portal.conftest import Reviewer, World, imported
from tests.ways import follow

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

MOST = 30
"""Stays."""


def test_a_comment_enters_few_functions_of_the_portal_before_it_leaves(world: World, account: Account) -> None:
    reviewer = Reviewer(imported(account, world.link(), world.video.pk).pk, "Ana")
    Reviewer(reviewer.link, "Bo").post("Softer there.")  # what is imported with the first comment is no part of the way
    with follow("review_portal", "PublicReview.create_comment") as way:
        reviewer.post("Louder here.")
    assert way.is_over, "the comment did not leave"
    assert 10 < len(way.stays) <= MOST, str(way)

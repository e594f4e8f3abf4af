"""A list that cannot be had does not take its page with it."""

import pytest

from dashboard.platform_api.errors import BadToken, Missing, PlatformDown
from dashboard.shared.refusals import listing


def raising(error: Exception) -> list[str]:
    raise error


def test_what_the_platform_lists_is_there_and_nothing_is_wrong() -> None:
    found = listing(lambda: ["a", "b"])
    assert (found.found, found.trouble, found.unlisted, found.status) == (("a", "b"), "", False, 200)


def test_a_platform_without_the_list_says_so_and_the_page_is_a_good_one() -> None:
    found = listing(lambda: raising(Missing("funnels.list", 404, "Not found")))
    assert found.unlisted and found.trouble and found.status == 200


def test_a_platform_in_trouble_is_named_and_the_page_says_that_it_failed() -> None:
    found = listing(lambda: raising(PlatformDown("funnels.list", 500, "")))
    assert found.trouble == "The platform has trouble of its own."
    assert not found.unlisted and found.status == 502


def test_a_refused_token_leads_to_sign_in() -> None:
    with pytest.raises(BadToken):
        listing(lambda: raising(BadToken("funnels.list", 401, "")))

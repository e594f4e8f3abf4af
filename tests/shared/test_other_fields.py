"""Fields that count only with one choice beside them."""

from html import unescape

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_day_to_compare_from_with_another_comparison_is_asked_about(owner: Client) -> None:
    page = unescape(owner.get("/dashboard/analytics/?compare=previous&against=2026-01-05").content.decode())
    assert "Choose “Days from a chosen date”, or empty this field." in page
    assert 'name="against" type="date" value="2026-01-05"' in page and 'data-chooses="compare=chosen"' in page
    assert (
        "something else is chosen" not in owner.get("/dashboard/analytics/?compare=previous&against=").content.decode()
    )

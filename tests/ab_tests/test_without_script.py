"""A test is finished without script."""

from typing import Any

import pytest
from django.test import Client

from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_test_is_finished_and_nothing_typed_is_lost(owner: Client, cast: dict[str, Any]) -> None:
    page = PlainBrowser(owner).open(f"/dashboard/ab-tests/{cast['ab_tests']['in_progress']}/finish/")
    page.fill("Why now", "Half a reason").press("Finish and declare the winner")
    assert page.answer.status_code == 422 and "Choose the winner." in page.text
    assert page.field("Why now").value == "Half a reason"
    page.tick([one for one in page.all("input") if one.attrs.get("type") == "radio"][-1])
    assert "Half a reason" in page.press("Finish and declare the winner").text

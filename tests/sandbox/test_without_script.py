"""The embedded platform's own page without script."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_fault_is_set_and_all_are_cleared(client: Client, cast: dict[str, Any], faults: ModuleType) -> None:
    page = PlainBrowser(client).open("/sandbox/")
    page.choose("What it does", "lost").fill("How many times", "2").press("Set fault")
    assert "2 more calls" in page.text
    assert "Everything works" in page.press("Clear all").text

"""A page of a language that was opened before is drawn from what is known, and follows the file that is read beside it."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from tests.ai_content.conftest import Hands
from tests.ai_content.packages import package
from tests.upstream.conftest import beside

__all__ = ["beside"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.mark.parametrize("changed", [True, False])
def test_page_tells_of_a_file_that_somebody_else_changed_and_of_no_other(
    hands: Hands, beside: list[Callable[[], Any]], changed: bool
) -> None:
    hands.text()
    beside.clear()
    if changed:
        hands.overwrite({**package(), "title": "Changed elsewhere"})
    page = hands.text()
    poll = re.search(r'id="known"[^>]*data-news="([^"]+)"', page)
    assert poll is not None
    assert "Updating…" in page
    for content in beside:
        content()
    part = hands.client.get(unescape(poll[1])).content.decode()
    assert ("There is newer data." in part) == changed

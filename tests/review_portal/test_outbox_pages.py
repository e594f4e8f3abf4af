"""The card of what a reviewer sent and what is not there yet."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from review_portal.pages import OutboxItem


@pytest.mark.parametrize(
    ("state", "is_wrong"),
    [("held", False), ("sending", False), ("late", True), ("refused", True), ("unconfirmed", True)],
)
def test_card_is_marked_where_somebody_has_to_look_at_it(state: str, is_wrong: bool) -> None:
    item = OutboxItem("k", 1, state, "/l/submissions/k", "Text", "at 0:01", 1, "", "", 3, None)
    card = render_to_string("review_portal/_outbox.html", {"outbox": [item], "link": SimpleNamespace(pk="l")})
    assert ("outbox__item--wrong" in card) is is_wrong
    assert ("#i-warn" in card, "#i-clock" in card) == (is_wrong, not is_wrong)

"""Names and words come from anybody, also past Reelroom: in the room they are text and never markup."""

import pytest

from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

HOSTILE = '<img src=x onerror="alert(1)">'
ESCAPED = "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"


@pytest.mark.parametrize("status", ["unresolved", "resolved"])
def test_authors_of_comments_and_replies_are_escaped_in_open_and_resolved_threads(
    world: World, reviewer: Reviewer, status: str
) -> None:
    top = world.comment("Top.", user_name=f"{HOSTILE} of the comment", status=status)
    world.comment("Reply.", user_name=f"{HOSTILE} of the reply", reply_to=top)
    page = reviewer.open().content.decode()
    assert "<img src=x" not in page and "onerror=&quot;" in page
    assert f"{ESCAPED} of the comment</h3>" in page
    assert f"<h4>{ESCAPED} of the reply" in page


def test_words_of_comments_and_replies_are_escaped_in_the_room_and_in_what_a_poll_brings(
    world: World, reviewer: Reviewer
) -> None:
    top = world.comment(f"{HOSTILE} comment at 0:05 and https://example.org/?a=1&b=<i>")
    world.comment(f"{HOSTILE} reply", reply_to=top)
    for page in (reviewer.open().content.decode(), reviewer.poll().content.decode()):
        assert "<img src=x" not in page and "<i>" not in page
        assert f"{ESCAPED} comment" in page and f"{ESCAPED} reply" in page

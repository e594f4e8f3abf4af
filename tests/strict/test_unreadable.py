"""What cannot be read is shown as it came: never as nothing, and never with a secret."""

import pytest

from tests.forgetting import forget
from tests.house.sources import assert_none
from tests.strict.assumed import READS
from tests.strict.documented import OPERATIONS
from tests.strict.drives import HERE, Desk, words
from tests.strict.walk import PAGES
from tests.strict.world import TOKEN

pytestmark = [pytest.mark.django_db, pytest.mark.loopback]
LISTS = ("videos", "folders", "lives", "funnels", "playlists", "ab-tests")
SAID = "Come back on Monday"
KEY = "live_5f1c-secret"
READS_BY_NAME = {read.name for read in READS} | {one.name for one in OPERATIONS if one.method == "GET"}


def answer_all(desk: Desk, body: object) -> None:
    """Every read is answered so."""
    forget()
    desk.platform.refusals = dict.fromkeys(READS_BY_NAME, (200, body))


@pytest.mark.parametrize("body", [{"soon": SAID}, SAID, [SAID], {"data": {"soon": [SAID, 1]}}], ids=str)
def test_list_that_cannot_be_read_shows_the_answer_as_it_came(desk: Desk, body: object) -> None:
    answer_all(desk, body)
    offenders = []
    for name in LISTS:
        page = words(desk.owner.get(f"{HERE}/{name}/"))
        if SAID not in page or "its answer cannot be read" not in page:
            offenders.append(f"{name}: {page[:300]}")
    assert_none(offenders)


def test_answer_that_is_shown_has_neither_our_token_nor_a_stream_key(desk: Desk) -> None:
    answer_all(desk, {"soon": SAID, "echo": TOKEN, "lives": {"first": {"stream_key": KEY, "rtmp": f"rtmp://x/{KEY}"}}})
    offenders = []
    for path in PAGES:
        page = desk.owner.get(path).text
        offenders += [f"{path} shows our token"] * (TOKEN in page)
        offenders += [f"{path} shows a stream key"] * ("/lives/" in path and KEY in page)
    assert_none(offenders)


def test_long_answer_is_cut(desk: Desk) -> None:
    answer_all(desk, {"soon": SAID * 10_000})
    page = desk.owner.get(f"{HERE}/lives/").text
    assert page.count(SAID) < 1_500

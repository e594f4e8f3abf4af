"""One reading of lists: every shape gives the same records, and what cannot be read is no empty list."""

from typing import Any

import pytest

from dashboard.platform_api.lists import Inside, identified, inside, items, record
from dashboard.platform_api.values import Unreadable, text

ONE, TWO = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
LINK = "99999999-9999-4999-8999-999999999999"
ROWS = [{"id": ONE, "title": "A"}, {"id": TWO, "title": "B"}]


def read(value: Any, **how: Any) -> list[tuple[str, str]]:
    return list(identified(value, lambda row: (text(row.get("id")), text(row.get("title"))), "lives", **how))


@pytest.mark.parametrize(
    "value",
    [
        ROWS,
        {"lives": ROWS, "total": 2},
        {"data": {"lives": ROWS}},
        {"lives": {"data": ROWS}},
        {"lives": {ONE: {"title": "A"}, TWO: {"title": "B"}}},
        {ONE: "A", TWO: "B"},
        {"First": ROWS[0], "Second": ROWS[1]},
        {"0": ROWS[0], "1": ROWS[1]},
        [{"live": row} for row in ROWS],
        {"lives": {"edges": [{"cursor": "x", "node": row} for row in ROWS]}},
        {"data": [{"id": row["id"], "type": "live", "attributes": {"title": row["title"]}} for row in ROWS]},
    ],
)
def test_every_shape_gives_the_same_records(value: Any) -> None:
    assert read(value) == [(ONE, "A"), (TWO, "B")]


def test_identifiers_alone_are_records_without_anything_else() -> None:
    assert read([ONE, TWO]) == [(ONE, ""), (TWO, "")]


@pytest.mark.parametrize(
    "value", [None, "x", 7, {}, {"message": "ok"}, {"lives": 7}, ["A", "B"], [7], [{"title": "A"}]]
)
def test_what_cannot_be_read_is_no_empty_list(value: Any) -> None:
    with pytest.raises(Unreadable):
        read(value)


@pytest.mark.parametrize("value", [[], {"lives": []}, {"lives": None}, {"lives": {}}, {"data": []}, [None, {}]])
def test_a_list_of_nothing_is_empty(value: Any) -> None:
    assert read(value) == []


def test_records_that_say_nothing_of_what_is_needed_are_not_read() -> None:
    assert read([*ROWS, {"id": LINK}], needs=("title",)) == [(ONE, "A"), (TWO, "B")]
    with pytest.raises(Unreadable):
        read([ONE, TWO], needs=("title",))


def test_an_object_by_key_is_read_where_its_keys_tell_elements_apart() -> None:
    assert items({"en": "a", "it": None}, is_key=lambda key: True) == [{"id": "en", "title": "a"}, {"id": "it"}]


@pytest.mark.parametrize(
    "value", [ROWS[0], {"live": ROWS[0]}, {"data": {"live": [ROWS[0]]}}, [ROWS[0]], {ONE: {"title": "A"}}]
)
def test_a_record_is_found_in_its_wrappers(value: Any) -> None:
    found = record(value, "live", requested_id=ONE)
    assert (found["id"], found["title"]) == (ONE, "A")


@pytest.mark.parametrize("value", [{}, [], [ROWS[0], ROWS[1]], {"message": "ok"}, {"title": "A"}, "x"])
def test_what_is_no_record_is_unreadable(value: Any) -> None:
    with pytest.raises(Unreadable):
        record(value, "live")


@pytest.mark.parametrize(
    "value",
    [
        [{"id": ONE}],
        [{"video_id": ONE}],
        [{"id": LINK, "video_id": ONE}],
        [{"id": LINK, "video": {"id": ONE}}],
        [{"id": LINK, "video": ONE}],
        [ONE],
        {ONE: None},
        {"data": [{"node": {"id": ONE}}]},
    ],
)
def test_what_a_link_leads_to_is_known_by_its_own_id(value: Any) -> None:
    found = inside(value, "video")
    assert found.is_told
    assert [one["id"] for one in found.records] == [ONE]


@pytest.mark.parametrize(
    "value", [None, 7, "x", ["A"], [{"id": LINK, "video": {"title": "A"}}], [{"id": LINK, "playlist_id": TWO}]]
)
def test_links_that_do_not_say_where_they_lead_tell_nothing(value: Any) -> None:
    assert inside(value, "video") == Inside((), is_told=False)


def test_the_id_of_what_can_only_be_a_link_is_never_that_of_a_video() -> None:
    assert inside([{"id": LINK, "order": 1}], "video", are_links=True) == Inside((), is_told=False)

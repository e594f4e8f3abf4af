"""The board: what differs, what is sent, and that exactly one video is the entry."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from dashboard.funnels import rules
from dashboard.funnels.rules import Changes, CoordinateProblem, FunnelProblem
from dashboard.platform_api.funnels import Funnel

NOTHING = Changes({}, {})


def funnel(*videos: tuple[str, float | None, float | None, bool]) -> Funnel:
    """A funnel as the platform tells it."""
    places: list[Any] = [
        {"id": name, "title": name.upper(), "front_coordinates": {"x": x, "y": y}, "is_first": first}
        for name, x, y, first in videos
    ]
    return Funnel.from_json({"id": "f", "name": "F", "folder_id": "d", "videos": places})


TWO = funnel(("a", 40, 40, True), ("b", 300, 40, False))


def test_nothing_arranged_is_nothing_to_send() -> None:
    cards = rules.build_board(TWO, NOTHING)
    assert rules.find_problem(cards) is FunnelProblem.NOTHING
    assert rules.select_cards_to_send(cards) == ()


def test_a_moved_card_is_sent_together_with_the_entry_and_nothing_else() -> None:
    three = funnel(("a", 40, 40, True), ("b", 300, 40, False), ("c", 560, 40, False))
    cards = rules.build_board(three, Changes({"b": (320.0, 60.5)}, {}))
    assert rules.find_problem(cards) is None
    assert rules.build_payload(cards) == [
        {"id": "a", "front_coordinates": {"x": 40, "y": 40}, "is_first": True},
        {"id": "b", "front_coordinates": {"x": 320, "y": 60.5}, "is_first": False},
    ]


@pytest.mark.parametrize("entry", ["", "a", "b", "c", "stranger"])
def test_exactly_one_sent_video_is_the_entry(entry: str) -> None:
    cards = rules.build_board(TWO, Changes({}, {"c": {"title": "C"}}, entry))
    assert sum(place["is_first"] for place in rules.build_payload(cards)) == 1


def test_a_funnel_without_entry_cannot_be_sent() -> None:
    cards = rules.build_board(funnel(("a", 40, 40, False)), Changes({"a": (60.0, 60.0)}, {}))
    assert rules.find_problem(cards) is FunnelProblem.NO_ENTRY
    assert rules.find_problem(rules.build_board(funnel(("a", 40, 40, False)), Changes({}, {}, "a"))) is None


def test_two_entries_on_the_platform_are_read_as_one() -> None:
    cards = rules.build_board(funnel(("a", 0, 0, True), ("b", 300, 0, True)), NOTHING)
    assert [card.id for card in cards if card.entry] == ["a"]


def test_the_old_entry_need_not_be_sent_to_stop_being_it() -> None:
    cards = rules.build_board(TWO, Changes({}, {}, "b"))
    assert [card.id for card in rules.select_cards_to_send(cards)] == ["b"]


def test_added_cards_get_a_place_that_no_card_covers() -> None:
    cards = rules.build_board(TWO, Changes({}, {"c": {"title": "C"}, "d": {"title": "D"}}))
    for one in cards:
        for other in cards:
            assert one is other or abs(one.x - other.x) >= 192 or abs(one.y - other.y) >= 124


def test_a_card_that_the_platform_never_placed_counts_as_moved() -> None:
    cards = rules.build_board(funnel(("a", 40, 40, True), ("b", None, None, False)), NOTHING)
    assert cards[1].was is None
    assert cards[1].moved


def test_a_card_that_came_into_the_funnel_meanwhile_is_no_longer_added() -> None:
    cards = rules.build_board(TWO, Changes({"b": (300.0, 40.0)}, {"b": {"title": "B"}}))
    assert rules.find_problem(cards) is FunnelProblem.NOTHING


@pytest.mark.parametrize("count", [1, 2, 5, 24, 300])
def test_tidy_keeps_every_card_and_lays_none_over_another(count: int) -> None:
    cards = rules.build_board(funnel(*((f"v{n}", n * 7 % 50, n % 3, n == 0) for n in range(count))), NOTHING)
    places = rules.arrange_in_grid(cards)
    assert set(places) == {card.id for card in cards}
    assert len(set(places.values())) == count
    assert all(x >= 0 and y >= 0 for x, y in places.values())


@pytest.mark.parametrize(
    ("now", "arrived", "as_before"),
    [
        (funnel(("a", 40, 40, True), ("b", 300, 60, False)), False, True),
        (funnel(("a", 40, 40, True), ("b", 320, 60, False), ("c", 1, 2, False)), True, False),
        (funnel(("a", 40, 40, False), ("b", 320, 60, True), ("c", 1, 2, False)), False, False),
        (funnel(("a", 40, 40, True), ("b", 320, 60, False)), False, False),
        (funnel(("a", 40, 40, True), ("b", 300, 60, False), ("c", 1, 2, False)), False, False),
        (funnel(("a", 40, 40, True)), False, False),
    ],
    ids=["nothing of it", "all of it", "another entry since", "a part", "another part", "a video is gone"],
)
def test_what_arrived_is_known_by_reading(now: Funnel, arrived: bool, as_before: bool) -> None:
    def place(video: str, x: int, y: int, first: bool = False) -> dict[str, Any]:
        return {"id": video, "front_coordinates": {"x": x, "y": y}, "is_first": first}

    sent = [place("a", 40, 40, True), place("b", 320, 60), place("c", 1, 2)]
    before = {"entry": "a", "videos": [place("a", 40, 40, True), place("b", 300, 60)]}
    assert rules.is_as_sent(now, sent) is arrived
    assert rules.is_as_before(now, before, sent) is as_before


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("40", 40.0),
        (" -12,5 ", -12.5),
        ("0", 0.0),
        ("1000000", 1_000_000.0),
        ("1000001", CoordinateProblem.TOO_FAR),
        ("-1000001", CoordinateProblem.TOO_FAR),
        ("", CoordinateProblem.MISSING),
        ("  ", CoordinateProblem.MISSING),
        ("left", CoordinateProblem.NOT_A_NUMBER),
        ("nan", CoordinateProblem.NOT_A_NUMBER),
        ("inf", CoordinateProblem.NOT_A_NUMBER),
    ],
)
def test_a_coordinate_is_read_as_people_type_it(text: str, value: float | CoordinateProblem) -> None:
    assert rules.parse_coordinate(text) == value


def test_free_places_are_a_grid_of_four_columns_row_by_row() -> None:
    taken: set[tuple[float, float]] = set()
    for _card in range(9):
        taken.add(rules.find_free_place(taken))
    columns, rows = sorted({x for x, _y in taken}), sorted({y for _x, y in taken})
    assert len(taken) == 9 and len(columns) == 4 and len(rows) == 3
    assert [right - left for left, right in pairwise(columns)] == [rules.STEP_X] * 3
    assert [below - above for above, below in pairwise(rows)] == [rules.STEP_Y] * 2


def test_tidy_puts_the_entry_alone_in_the_first_column_beside_the_middle_of_the_others() -> None:
    cards = rules.build_board(funnel(("a", 0, 0, True), *((name, 300, 40, False) for name in "bcdefghij")), NOTHING)
    places = rules.arrange_in_grid(cards)
    others = {name: place for name, place in places.items() if name != "a"}
    assert places["a"][0] < min(x for x, _y in others.values())
    heights = sorted({y for _x, y in others.values()})
    assert heights[0] <= places["a"][1] <= heights[-1]
    assert abs(places["a"][1] - (heights[0] + heights[-1]) / 2) < 20
    assert len(set(places.values())) == 10


@pytest.mark.parametrize(
    ("text", "value"), [("−40", -40.0), ("-40,5", -40.5), (" 12.5 ", 12.5), ("", CoordinateProblem.MISSING)]
)
def test_coordinate_is_read_with_a_point_or_a_comma_and_either_minus(
    text: str, value: float | CoordinateProblem
) -> None:
    assert rules.parse_coordinate(text) == value


def test_a_card_shows_the_title_the_place_and_the_picture_that_the_platform_tells() -> None:
    places: list[Any] = [
        {
            "id": "a",
            "title": "A",
            "front_coordinates": {"x": 40, "y": 60},
            "is_first": True,
            "thumbnail": "https://a/p",
        },
        {"id": "b", "title": "B", "front_coordinates": {"x": 40}, "is_first": False, "thumbnail": 7},
    ]
    told = Funnel.from_json({"id": "f", "name": "F", "folder_id": "d", "videos": places})
    first, second = rules.build_board(told, NOTHING)
    assert (first.title, first.x, first.y, first.was, first.thumbnail) == ("A", 40, 60, (40, 60), "https://a/p")
    assert (first.entry, first.was_entry, first.added, first.is_told, first.is_sent) == (True, True, False, True, False)
    assert (second.title, second.was, second.thumbnail, second.is_placed) == ("B", None, "", False)


def test_an_added_card_shows_what_is_known_of_its_video_and_is_nowhere_on_the_platform() -> None:
    about = {"title": "C", "thumbnail": "https://c/p", "length": 61.5}
    *_others, card, bare = rules.build_board(TWO, Changes({"c": (9.0, 8.0)}, {"c": about, "d": {}}))
    assert (card.id, card.title, card.thumbnail, card.length) == ("c", "C", "https://c/p", 61.5)
    assert (card.x, card.y, card.was, card.added) == (9, 8, None, True)
    assert (card.entry, card.was_entry, card.is_placed, card.is_sent) == (False, False, False, False)
    assert (bare.title, bare.thumbnail, bare.length) == ("", "", None)


def test_a_place_that_was_sent_from_here_is_known_though_the_platform_does_not_tell_it() -> None:
    silent = replace(TWO, are_videos_told=False)
    assert [(card.is_told, card.is_sent, card.is_placed) for card in rules.build_board(silent, NOTHING)] == [
        (False, True, True)
    ] * 2
    one_told = replace(TWO, videos=(replace(TWO.videos[0], is_place_told=False), TWO.videos[1]))
    assert [card.is_told for card in rules.build_board(one_told, NOTHING)] == [False, True]


def test_a_card_whose_place_nobody_knows_stands_somewhere_and_was_not_moved() -> None:
    silent = replace(funnel(("a", 40, 40, True), ("b", None, None, False)), are_videos_told=False)
    card = rules.build_board(silent, NOTHING)[1]
    assert (card.was, card.moved, card.is_placed) == ((card.x, card.y), False, False)


def test_no_entry_has_the_empty_id() -> None:
    assert rules.get_entry_id(funnel(("a", 40, 40, False))) == ""
    assert rules.get_entry_id(TWO) == "a"


def test_free_places_follow_the_grid_row_by_row_between_cards_that_touch_nothing() -> None:
    first = rules.find_free_place(set())
    assert first == (rules.MARGIN, rules.MARGIN)
    occupied: set[tuple[float, float]] = set()
    for _card in range(5):
        occupied.add(rules.find_free_place(occupied))
    left, top, across, down = rules.MARGIN, rules.MARGIN, rules.STEP_X, rules.STEP_Y
    assert occupied == {(left + across * column, top) for column in range(4)} | {(left, top + down)}
    near = rules.STEP_X - rules.MARGIN
    assert rules.find_free_place({(left + near, top)}) == first, "as near as a card may be"
    assert rules.find_free_place({(left + near - 1, top)}) != first


def test_a_grid_puts_the_entry_alone_into_the_first_column_at_the_middle() -> None:
    cards = rules.build_board(funnel(*((f"v{n}", 0, n * 200, n == 3) for n in range(6))), NOTHING)
    places = rules.arrange_in_grid(cards)
    left, top, across, down = rules.MARGIN, rules.MARGIN, rules.STEP_X, rules.STEP_Y
    assert places["v3"] == (left, top + down // 2 // 20 * 20)
    assert [places[f"v{n}"] for n in (0, 1, 2, 4, 5)] == [
        (left + across * column, top + down * row) for column, row in ((1, 0), (1, 1), (2, 0), (2, 1), (3, 0))
    ]
    assert all(isinstance(side, float) for place in places.values() for side in place)


def test_a_grid_without_entry_begins_in_the_first_column() -> None:
    cards = rules.build_board(funnel(("a", 900, 0, False), ("b", 0, 0, False)), NOTHING)
    places = rules.arrange_in_grid(cards)
    assert places["b"] == (rules.MARGIN, rules.MARGIN)
    assert rules.arrange_in_grid([]) == {}


def test_whole_numbers_are_sent_as_people_typed_them() -> None:
    whole, half = rules.format_whole(40.0), rules.format_whole(40.5)
    assert (repr(whole), repr(half)) == ("40", "40.5")

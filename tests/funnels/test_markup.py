"""The cards of a board as HTML: where they stand, how they look, and everything their rows can do."""

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from django.template.loader import render_to_string

from dashboard.funnels import pages
from dashboard.funnels.pages import Arrangement, Board
from dashboard.funnels.rules import Card

TEXTS = {"at": "at {x}, {y}", "added": "new", "moved": "moved"}
VIDEO = "0198a3a0-0000-4000-8000-000000000001"
PLAIN = Card("a", "Intro & end", 40, 60, entry=False, was=(40, 60), was_entry=False, added=False)
ENTRY = replace(PLAIN, entry=True, was_entry=True)
MOVED = replace(PLAIN, x=320, y=80.5)
PLACED = replace(PLAIN, was=None)
ADDED = replace(PLAIN, was=None, added=True)
Attributes = dict[str, str | None]


class Parts(HTMLParser):
    """The elements of a piece of HTML in their order, each with its attributes and the words up to the next tag."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data.strip())

    def find(self, tag: str, **wanted: str) -> list[Attributes]:
        """The attributes of the elements `tag` that have the wanted ones; `class_` for class."""
        pairs = {(name.rstrip("_"), value) for name, value in wanted.items()}
        return [attributes for name, attributes in self.elements if name == tag and pairs <= set(attributes.items())]

    @property
    def text(self) -> str:
        return " ".join(word for word in self.words if word)


def board(*cards: Card) -> Parts:
    """On a plane that begins at -40, -20."""
    placed = tuple(pages.place_card(card, (-40, -20), TEXTS) for card in cards)
    return Parts(render_to_string("funnels/_cards.html", {"board": Board(placed, (-40, -20), 0, 0), "words": TEXTS}))


def row(*cards: Card, form: Arrangement | None = None) -> Parts:
    """`form`: one that was wrong, with what was typed and the errors."""
    placed = [pages.place_card(card, (-40, -20), TEXTS, form) for card in cards]
    return Parts(render_to_string("funnels/_rows.html", {"cards": placed}))


def test_a_card_stands_on_the_plane_and_knows_where_the_platform_has_it() -> None:
    (card,) = board(replace(MOVED, length=65.0)).find("a")
    assert card == {
        "class": "card card--moved",
        "href": "#x-a",
        "draggable": "false",
        "data-card": "a",
        "data-x": "360px",
        "data-y": "100.5px",
        "data-was-x": "40",
        "data-was-y": "60",
        "data-length": "1:05",
    }


def test_only_what_moved_leaves_a_ghost_at_its_old_place_below_all_cards() -> None:
    parts = board(PLAIN, replace(MOVED, id="b"), replace(ADDED, id="c"), replace(ENTRY, id="d"))
    ghosts = parts.find("span", class_="card__ghost")
    assert ghosts == [{"class": "card__ghost", "data-ghost": "b", "data-x": "80px", "data-y": "80px"}]
    assert parts.elements[0] == ("span", ghosts[0])
    assert [card["data-card"] for card in parts.find("a")] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("card", "looks", "is_new"),
    [
        (PLAIN, "card", False),
        (ENTRY, "card card--entry", False),
        (MOVED, "card card--moved", False),
        (ADDED, "card card--moved", True),
        (replace(ADDED, entry=True), "card card--entry card--moved", True),
    ],
)
def test_a_card_looks_like_what_it_is(card: Card, looks: str, is_new: bool) -> None:
    parts = board(card)
    (link,) = parts.find("a")
    assert (link["class"], "data-added" in link) == (looks, is_new)
    (badge,) = parts.find("span", class_="badge is-planned card__entry")
    assert ("hidden" in badge) is not card.entry
    assert "Entry" in parts.text


@pytest.mark.parametrize(
    ("thumbnail", "is_shown"),
    [
        ("http://stills.example/a.webp", True),
        ("https://stills.example/a.webp", True),
        ("/sandbox/a.webp", True),
        ("", False),
        ("data:image/png;base64,AA", False),
        ("javascript:alert(1)", False),
    ],
)
def test_a_still_is_shown_where_it_has_an_address(thumbnail: str, is_shown: bool) -> None:
    parts = board(replace(PLAIN, thumbnail=thumbnail))
    assert [still["src"] for still in parts.find("img")] == ([thumbnail] if is_shown else [])
    assert len(parts.find("span", class_="card__still")) == (not is_shown)


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (PLAIN, "at 40, 60"),
        (MOVED, "at 320, 80.5, moved"),
        (ADDED, "at 40, 60, new"),
        (replace(MOVED, length=65.0), "1:05, at 320, 80.5, moved"),
        (replace(PLAIN, x=-0.125, was=(-0.125, 60)), "at -0.12, 60"),
    ],
)
def test_a_card_says_its_length_its_place_and_what_changed(card: Card, words: str) -> None:
    assert board(card).text == f"Entry Intro & end {words}"


def test_a_row_has_everything_that_the_board_can_do() -> None:
    parts = row(replace(MOVED, id=VIDEO, length=65.0))
    assert parts.find("tr") == [{"data-row": VIDEO}]
    assert parts.find("a") == [{"href": f"/dashboard/videos/{VIDEO}/"}]
    assert parts.find("span", class_="muted") == [{"class": "muted"}]
    entry: Attributes = {"type": "radio", "name": "entry", "form": "save", "value": VIDEO}
    assert parts.find("input", type="radio") == [entry]
    assert [cell["data-label"] for cell in parts.find("td")] == ["Entry", "Across", "Down", "State"]
    for axis, value, label in (("x", "320", "Across"), ("y", "80.5", "Down")):
        (field,) = parts.find("input", name=f"{axis}-{VIDEO}")
        assert (field["id"], field["value"]) == (f"{axis}-{VIDEO}", value)
        assert field["aria-label"] == f"{label}, Intro & end"
        assert not {"aria-invalid", "aria-describedby"} & set(field)
    assert parts.text == "Intro & end 1:05 Entry : Intro & end Moved from 40, 60"


def test_the_row_of_the_entry_is_the_one_that_is_chosen() -> None:
    parts = row(PLAIN, replace(ENTRY, id="b"))
    assert [radio["value"] for radio in parts.find("input", type="radio") if "checked" in radio] == ["b"]
    assert parts.text == f"{row(PLAIN).text} {row(ENTRY).text}"


def test_only_a_card_that_is_new_here_can_be_taken_out() -> None:
    assert not row(MOVED).find("button")
    parts = row(ADDED)
    (button,) = parts.find("button")
    assert (button["name"], button["value"], button["form"]) == ("act", "remove:a", "save")
    assert parts.text.endswith("New here Take out : Intro & end")


def test_a_row_without_a_page_or_a_length_or_a_title_stands_all_the_same() -> None:
    parts = row(replace(PLAIN, title=""))
    assert not parts.find("a") and not parts.find("span", class_="muted")
    assert parts.text == "a Entry : a As on the platform"


def test_what_is_wrong_is_said_at_its_field_with_what_was_typed() -> None:
    form = Arrangement((), errors={"y-a": "Write a number."}, typed={"x-a": "41", "y-a": "far"})
    parts = row(PLAIN, form=form)
    (across,), (down,) = parts.find("input", name="x-a"), parts.find("input", name="y-a")
    assert (across["value"], down["value"]) == ("41", "far")
    assert "aria-invalid" not in across
    assert (down["aria-invalid"], down["aria-describedby"]) == ("true", "wrong-y-a")
    assert parts.find("span", class_="field__error") == [{"class": "field__error", "id": "wrong-y-a"}]
    assert "Write a number." in parts.text
    assert row(PLAIN, form=Arrangement((), errors={"x-b": "Write a number."})).find("span", class_="field__error") == []


def test_nothing_that_a_title_holds_becomes_markup() -> None:
    hostile = replace(ADDED, title='"><b>x', thumbnail='/a.webp"><b>')
    assert not board(hostile).find("b") and not row(hostile).find("b")


STATES: list[tuple[dict[str, Any], str]] = [
    ({"added": True, "was": None}, "New here"),
    ({"was": None}, "Placed for the first time"),
    ({"was": None, "is_told": False}, "Placed here"),
    ({"was": (10.5, 60)}, "Moved from 10.5, 60"),
    ({"was": (40, 60.25), "is_told": False, "is_sent": True}, "Moved from 40, 60.25"),
    ({}, "As on the platform"),
    ({"is_told": False, "is_sent": True}, "As last sent from here"),
    ({"is_told": False}, "Position unknown"),
]


@pytest.mark.parametrize(("about", "state"), STATES)
def test_a_card_says_how_it_stands_to_the_platforms(about: dict[str, Any], state: str) -> None:
    assert row(replace(PLAIN, **about)).text.startswith(f"Intro & end Entry : Intro & end {state}")

"""Which part of a name is marked as what was typed."""

import pytest

from dashboard.search import registry
from dashboard.search.registry import HighlightedName


@pytest.mark.parametrize(
    ("name", "wanted", "parts"),
    [
        ("From cherry to cup", "fr", ("", "Fr", "om cherry to cup")),
        ("Answers from the farm", "FROM", ("Answers ", "from", " the farm")),
        ("Lançamento", "lanca", ("", "Lança", "mento")),
        ("Do pé à xícara", "pé a", ("Do ", "pé à", " xícara")),
        ("Straße", "strass", ("", "Straß", "e")),
        ("Roast", "x", ("Roast", "", "")),
        ("Roast", "", ("Roast", "", "")),
        ("", "x", ("", "", "")),
    ],
)
def test_what_was_typed_is_marked_and_every_letter_of_the_name_stays(
    name: str, wanted: str, parts: tuple[str, str, str]
) -> None:
    found = registry.highlight(name, wanted)
    assert found == HighlightedName(*parts)
    assert "".join(found) == name


@pytest.mark.parametrize(("text", "typed"), [("  a   b ", "a b"), ("x" * 200, "x" * registry.MOST_TYPED), ("\n\t", "")])
def test_what_is_searched_for_is_neither_surrounded_nor_endless(text: str, typed: str) -> None:
    assert registry.clean_query(text) == typed


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("Create review link", "link rev", True),
        ("Create review link", "eview", True),
        ("Create review link", "links", False),
        ("Vídeos", "videos", True),
    ],
)
def test_words_match_in_any_order_by_their_beginnings(text: str, wanted: str, found: bool) -> None:
    assert registry.matches(text, wanted) is found

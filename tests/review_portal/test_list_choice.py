"""Which threads the list of comments shows, and who wrote in it."""

from dataclasses import dataclass

import pytest

from dashboard.platform_api.vocabulary import COMMENT_FORBIDDEN
from review_portal import rules
from review_portal.rules import ListFilter, Show


@dataclass(frozen=True)
class Words:
    """A comment or a reply, as far as these rules look at it."""

    user_name: str = "Ana Prado"
    text: str = "Too loud."
    mine: bool = False
    born: int = 1


@pytest.mark.parametrize(
    ("choice", "narrows", "looks_inside"),
    [
        (ListFilter(), False, False),
        (ListFilter(Show.OPEN), True, False),
        (ListFilter(Show.RESOLVED), True, False),
        (ListFilter(Show.MINE), True, True),
        (ListFilter(Show.NEW), True, True),
        (ListFilter(by="Ana Prado"), True, True),
        (ListFilter(query="loud"), True, True),
    ],
)
def test_choice_narrows_the_list_and_looks_at_replies_only_where_they_are_asked_for(
    choice: ListFilter, narrows: bool, looks_inside: bool
) -> None:
    assert (choice.narrows, choice.looks_inside) == (narrows, looks_inside)


@pytest.mark.parametrize(
    ("choice", "is_open", "shown"),
    [
        (ListFilter(), True, True),
        (ListFilter(Show.OPEN), False, False),
        (ListFilter(Show.OPEN), True, True),
        (ListFilter(Show.RESOLVED), True, False),
        (ListFilter(Show.RESOLVED), False, True),
        (ListFilter(Show.MINE), True, True),
        (ListFilter(by="Téo"), True, True),
        (ListFilter(by="Teo"), True, False),
        (ListFilter(query="TEO"), True, True),
        (ListFilter(query="fade"), True, True),
        (ListFilter(query="nowhere"), True, False),
        (ListFilter(by="Téo", query="nowhere"), True, False),
    ],
)
def test_thread_is_shown_for_its_state_or_any_of_its_words_and_authors(
    choice: ListFilter, is_open: bool, shown: bool
) -> None:
    thread = [Words(), Words("Téo", "The fade is right.", mine=True)]
    assert rules.matches(choice, thread, is_open) is shown


@pytest.mark.parametrize(
    ("words", "shown"),
    [(Words(born=6), True), (Words(born=5), False), (Words(born=6, mine=True), False), (Words(born=4), False)],
)
def test_thread_is_new_when_somebody_else_wrote_after_what_the_reader_saw(words: Words, shown: bool) -> None:
    assert rules.matches(ListFilter(Show.NEW, since=5), [Words(born=1), words], True) is shown
    assert not rules.matches(ListFilter(Show.MINE), [Words(born=1)], True)


def test_people_are_counted_and_those_with_most_words_come_first() -> None:
    assert rules.count_by_name(["Téo", "Ana", "Téo", "Bia"]) == [("Téo", 2), ("Ana", 1), ("Bia", 1)]


@pytest.mark.parametrize(
    ("name", "is_taken"),
    [("estudio mare", True), ("Estúdio-Maré!", True), ("Estudio", False), ("", False), ("!", False)],
)
def test_name_that_people_would_take_for_another_is_recognised(name: str, is_taken: bool) -> None:
    assert rules.is_any_name(name, ["Estúdio Maré", "..."]) is is_taken


def test_control_characters_leave_a_text_and_line_ends_and_tabs_stay() -> None:
    assert rules.normalize("a\x00b\x1bc\ud800d\n\te") == "abcd\n\te"


def test_problem_of_a_text_is_told_at_the_text() -> None:
    for text in ("", "a" * 5_000, f"a{sorted(COMMENT_FORBIDDEN)[0]}"):
        assert [problem.field for problem in rules.check_text(text)] == ["text"]

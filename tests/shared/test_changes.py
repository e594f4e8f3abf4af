"""The tag that writes how a figure changed, and addresses that are looked up once."""

from dataclasses import dataclass

import pytest
from django.template import Context, Template
from django.urls import NoReverseMatch, reverse, set_script_prefix
from django.utils import translation

from dashboard.shared.addresses import address, path_of
from dashboard.shared.charts import figures


@dataclass(frozen=True)
class Moved:
    words: str
    up: bool = False
    down: bool = False


def drawn(moved: Moved | None, tag: str = "{% change moved why=why what=what %}", why: str = "", what: str = "") -> str:
    return str(Template(tag).render(Context({"moved": moved, "why": why, "what": what})))


def test_a_change_has_its_direction_in_shape_words_and_colour_and_nothing_of_these_where_nothing_moved() -> None:
    up, down, same = (drawn(Moved("5%", up=way == "up", down=way == "down")) for way in ("up", "down", ""))
    assert 'change--up"' in up and "#i-up" in up and '<span class="visually-hidden">up </span>5%' in up
    assert 'change--down"' in down and "#i-dn" in down and '<span class="visually-hidden">down </span>5%' in down
    assert same == '<span class="change">5%</span>'
    assert drawn(None) == ""


def test_a_neutral_change_keeps_its_arrow_and_has_no_colour() -> None:
    text = drawn(Moved("5%", up=True), "{% change moved neutral=True %}")
    assert "#i-up" in text and "change--" not in text


def test_the_link_to_the_reason_names_what_changed_and_is_there_only_where_something_moved() -> None:
    text = drawn(Moved("5%", down=True), why="/why/?a=1&b=2", what="<b>São Paulo</b>")
    assert '<a class="change__why" href="/why/?a=1&amp;b=2">Why?<span class="visually-hidden"> &lt;b&gt;São' in text
    assert "change-why" not in drawn(Moved("5%"), why="/why/") + drawn(Moved("5%", up=True), why="")


def test_words_of_a_change_are_escaped_and_in_the_language_of_the_reader() -> None:
    with translation.override("pt-BR"):
        text = drawn(Moved("<5%>", up=True), why="/why/")
    assert "&lt;5%&gt;" in text and "Por quê?" in text and "Why?" not in text


def test_an_address_is_looked_up_once_and_follows_the_prefix_of_the_request() -> None:
    try:
        for prefix in ("/", "/reel/", "/"):
            set_script_prefix(prefix)
            assert path_of("analytics:why", "browsers") == reverse("analytics:why", args=["browsers"])
            assert address("analytics:why", "browsers", page=2) == f"{prefix}dashboard/analytics/why/browsers/?page=2"
    finally:
        set_script_prefix("/")
    for _time in range(2):
        assert address("nothing:nowhere") == ""
        with pytest.raises(NoReverseMatch):
            path_of("nothing:nowhere")


@pytest.mark.parametrize(
    ("value", "digits", "english", "portuguese"), [(999, 0, "999", "999"), (1000, 0, "1,000", "1.000")]
)
def test_counts_are_grouped_from_a_thousand_on(value: float, digits: int, english: str, portuguese: str) -> None:
    with translation.override("en"):
        assert figures.count(value, digits) == english
    with translation.override("pt-BR"):
        assert figures.count(value, digits) == portuguese

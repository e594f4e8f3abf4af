"""Texts that are made to be slow, and lists that say the same a thousand times: they take no longer than others as long."""

import time
from collections.abc import Callable

import pytest

from dashboard.ai_content.ebook import html, markdown, paste
from dashboard.ai_content.ebook.nesting import DEPTH_MAX, get_depth, limit_depth
from dashboard.ai_content.rules import package
from dashboard.ai_content.rules.package import name_by_keys, pair_elements
from dashboard.platform_api.values import JSON

NESTED = (
    "<b>",
    "<div>",
    "<ul><li>",
    "<blockquote>",
    "<table><tr><td>",
    "<div><!--</div>-->",
    "<div title='</div>'>",
    "<b></i>",
)


@pytest.mark.parametrize("tag", NESTED)
def test_html_without_end_is_read_as_deep_as_it_may_nest_and_its_words_stay(tag: str) -> None:
    markup = f"<p>before</p>{tag * 3_000}word"
    begun = time.process_time()
    shallow = limit_depth(markup)
    assert get_depth(html.clean_html(markup)) <= 2 * DEPTH_MAX  # a table gets its body
    assert (
        "word" in shallow and "before" in markdown.convert_html(markup) and isinstance(paste.convert_paste(markup), str)
    )
    assert time.process_time() - begun < 5  # it was minutes, or an exception


@pytest.mark.parametrize(
    "text", ["*a " * 2_000 + "*" * 2_000, "> " * 3_000 + "a", "- " * 3_000 + "a", "[" * 3_000, "![" * 3_000]
)
def test_markdown_without_end_is_read(text: str) -> None:
    assert get_depth(html.render_markdown(text)) <= DEPTH_MAX + 1
    html.render_blocks(text)


def test_html_of_an_ordinary_text_is_cleaned_as_before() -> None:
    markup = html._parser.render(
        "# T\n\n" + "Some *text* with **bold**, `a<b` and [link](http://a).\n\n1. a\n   - b\n\n" * 99
    )
    assert html.clean_html(markup) == html._cleaner.clean(markup)


@pytest.mark.parametrize("marks", ["\u0327\u0301", "\u0f73"])
def test_texts_with_endless_accents_are_compared_in_time(marks: str) -> None:
    accents = "a" + marks * 50_000
    begun = time.process_time()
    assert package.get_digest({"a": accents}) == package.get_digest({"a": accents})
    assert package.get_digest({"a": "e\u0301 " + accents}) == package.get_digest({"a": "é " + accents})
    assert time.process_time() - begun < 5  # putting them in order takes minutes


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        (lambda at: {"id": at, "enunciate": "q"}, lambda at: {"id": -at - 1, "enunciate": "q"}, 0),
        (lambda at: {"enunciate": "q", "n": at}, lambda at: {"enunciate": "q", "n": -at - 1}, 1_500),
        (lambda at: {"enunciate": "q", "n": at}, lambda at: {"id": at, "enunciate": "q"}, 1_500),
        (lambda at: {"id": at % 2, "enunciate": "q"}, lambda at: {"id": (at + 1) % 2, "enunciate": "q"}, 1_500),
    ],
)  # fmt: skip
def test_questions_that_say_the_same_are_paired_in_time(
    old: Callable[[int], JSON], new: Callable[[int], JSON], pairs: int
) -> None:
    begun = time.process_time()
    found = pair_elements([old(at) for at in range(1_500)], [new(at) for at in range(1_500)], name_by_keys("enunciate"))
    assert sum(1 for one, other in found if one is not None and other is not None) == pairs
    assert time.process_time() - begun < 5  # it was a minute

"""Texts that are made to be slow, and lists that say the same a thousand times: they take no longer than others as long."""

import unicodedata
from collections.abc import Callable
from typing import Literal

import pytest

from dashboard.ai_content import ebook_html, ebook_markdown
from dashboard.ai_content.ebook_html import DEPTH_MAX, get_depth, limit_depth
from dashboard.ai_content.rules import package
from dashboard.ai_content.rules.package import Pairs, name_by_keys, pair_elements
from dashboard.platform_api.values import JSON
from tests.counted_calls import count_calls

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
    shallow = limit_depth(markup)
    assert get_depth(shallow) <= DEPTH_MAX and "word" in shallow
    assert get_depth(ebook_html.clean_html(markup)) <= 2 * DEPTH_MAX  # a table gets its body
    assert "before" in ebook_markdown.convert_html(markup)


@pytest.mark.parametrize("tag", NESTED)
def test_pasting_html_without_end_takes_calls_in_proportion_to_its_tags(tag: str) -> None:
    """It was minutes, or an exception."""
    assert count_calls(lambda: ebook_markdown.convert_paste(tag * 3_000)) < 3.3 * count_calls(
        lambda: ebook_markdown.convert_paste(tag * 1_000)
    )


@pytest.mark.parametrize(
    "text", ["*a " * 2_000 + "*" * 2_000, "> " * 3_000 + "a", "- " * 3_000 + "a", "[" * 3_000, "![" * 3_000]
)
def test_markdown_without_end_is_read(text: str) -> None:
    assert get_depth(ebook_html.render_markdown(text)) <= DEPTH_MAX + 1
    ebook_html.render_blocks(text)


def test_html_of_an_ordinary_text_is_cleaned_as_before() -> None:
    markup = ebook_html._parser.render(
        "# T\n\n" + "Some *text* with **bold**, `a<b` and [link](http://a).\n\n1. a\n   - b\n\n" * 99
    )
    assert ebook_html.clean_html(markup) == ebook_html._cleaner.clean(markup)


@pytest.mark.parametrize("marks", ["\u0327\u0301", "\u0f73"])
def test_endless_accents_are_compared_without_putting_them_in_order(
    monkeypatch: pytest.MonkeyPatch, marks: str
) -> None:
    accents, normalize = "a" + marks * 50_000, unicodedata.normalize

    def put_in_order(form: Literal["NFC"], text: str) -> str:
        assert marks * 16 not in text, "50,000 of them take minutes"
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", put_in_order)
    assert package.get_digest({"a": accents}) == package.get_digest({"a": accents})
    assert package.get_digest({"a": "e\u0301 " + accents}) == package.get_digest({"a": "é " + accents})


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        (lambda at: {"id": at, "enunciate": "q"}, lambda at: {"id": -at - 1, "enunciate": "q"}, 0),
        (lambda at: {"enunciate": "q", "n": at}, lambda at: {"enunciate": "q", "n": -at - 1}, 1_500),
        (lambda at: {"enunciate": "q", "n": at}, lambda at: {"id": at, "enunciate": "q"}, 1_500),
        (lambda at: {"id": at % 2, "enunciate": "q"}, lambda at: {"id": (at + 1) % 2, "enunciate": "q"}, 1_500),
    ],
)  # fmt: skip
def test_questions_that_say_the_same_are_paired_without_comparing_each_with_each(
    old: Callable[[int], JSON], new: Callable[[int], JSON], pairs: int
) -> None:
    def pair(questions: int) -> Pairs:
        before, after = ([question(at) for at in range(questions)] for question in (old, new))
        return pair_elements(before, after, name_by_keys("enunciate"))

    assert sum(1 for one, other in pair(1_500) if one is not None and other is not None) == pairs
    assert count_calls(lambda: pair(1_500)) < 2.2 * count_calls(lambda: pair(750))

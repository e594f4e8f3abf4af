"""HTML becomes Markdown that reads the same: every letter with its marks, in the block it was in."""

import html as entities
from html.parser import HTMLParser
from urllib.parse import unquote

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dashboard.ai_content import ebook_html, ebook_markdown

NAMES = {"b": "strong", "i": "em", "del": "s"}
BLOCKS = ("p", "h1", "h2", "h3", "li", "blockquote", "th", "td", "pre")


class Letters(HTMLParser):
    """Each letter with its block and its marks, each sign with its block; spaces and where lines end are not compared."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, frozenset[str]]] = []
        self.marks: list[str] = []
        self.blocks: list[str] = []
        self.feed(ebook_html.clean_html(markup))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in (*BLOCKS, "ul", "ol"):
            self.blocks.append(tag)
        elif tag == "a":
            self.marks.append(f"a {unquote(dict(attrs).get('href') or '')}")
        elif tag in (*NAMES, *NAMES.values(), "code"):
            self.marks.append(NAMES.get(tag, tag))

    def handle_endtag(self, tag: str) -> None:
        if tag in (*BLOCKS, "ul", "ol") and tag in self.blocks:
            while self.blocks.pop() != tag:
                pass
        elif tag in (*NAMES, *NAMES.values(), "code", "a") and self.marks:
            self.marks.pop()

    def handle_data(self, data: str) -> None:
        block = next((each for each in reversed(self.blocks) if each != "p"), "p")
        marks = frozenset(self.marks) - ({"code"} if block == "pre" else set())
        links = frozenset(mark for mark in marks if mark.startswith(("a ", "code")))
        for letter in data:
            if not letter.isspace():
                self.found.append((letter, block.replace("td", "th"), marks if letter.isalnum() else links))


def same_letters(markup: str) -> None:
    text = ebook_markdown.convert_html(markup)
    assert Letters(ebook_html.render_markdown(text)).found == Letters(markup).found, (
        text,
        ebook_html.render_markdown(text),
    )


signs = st.text('ab1 .,:()*_`#>-+=|~!&;[]<\\"é·', min_size=1, max_size=6).map(entities.escape)
words = st.recursive(
    st.one_of(signs, signs.map(lambda text: f"<code>{text}</code>"), st.just("<br>"), st.just("a")),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{' '.join(parts)}</{tag.split()[0]}>",
        st.sampled_from(["b", "i", "s", "b", "i", 'a href="https://x.example/a(b) c"']),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
).filter(lambda markup: markup.count("<a ") < 2)
paragraphs = st.lists(words, min_size=1, max_size=3).map(" ".join).filter(lambda markup: markup.count("<a ") < 2)
blocks = st.one_of(
    st.builds(lambda tag, text: f"<{tag}>{text}</{tag}>", st.sampled_from(["p", "h1", "h3", "blockquote"]), paragraphs),
    st.lists(paragraphs, min_size=1, max_size=3).map(lambda items: f"<ul><li>{'</li><li>'.join(items)}</li></ul>"),
    st.builds(
        lambda one, two, three: f"<ol><li>{one}<ul><li>{two}</li></ul></li><li>{three}</li></ol>",
        paragraphs,
        paragraphs,
        paragraphs,
    ),
    st.builds(
        lambda one, two: f"<table><tr><th><p>{one}</p></th></tr><tr><td><p>{two}</p></td></tr></table>", words, words
    ),
    signs.map(lambda text: f"<pre><code>\n{text}\n</code></pre>"),
)


@settings(max_examples=60 if settings().derandomize else 5000, deadline=None)
@given(st.lists(blocks, min_size=1, max_size=3).map("".join))
@example("<p><code>a`b</code> and <code>``</code></p>")
@example("<p><b>foo</b><b> bar</b></p>")
@example("<p><b>foo: </b>bar</p>")
@example("<p><b>foo:</b>bar</p>")
@example("<p>a<b>(b)</b>c</p>")
@example("<p><b><i>a</i></b><i>b</i></p>")
@example("<p><i><b>a</b>1<b>1</b></i></p>")
@example("<ul><li><b><br></b></li></ul><p>1</p>")
@example("<p>wow!<a href='https://x.example'>b</a></p>")
@example("<p>a<br>---</p><p>===</p><p>a<br>===</p>")
@example("<h1>a #</h1><p>1. b</p><p>+ c</p>")
@example("<p>a &amp;amp; b &amp;lt;</p>")
@example("<pre><code>```\nx\n```</code></pre>")
def test_html_becomes_markdown_that_reads_the_same(markup: str) -> None:
    same_letters(markup)

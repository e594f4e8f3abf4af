"""Markdown and HTML of the eBook are two spellings of one text; nothing in either can run."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.ai_content import ebook_html, ebook_markdown, ebook_views
from tests.ai_content import packages as some
from tests.ai_content.conftest import Hands
from tests.ai_content.packages import package
from tests.counted_calls import count_calls
from tests.pages import one_line

BOOK = """# The *coffee* book

Intro **bold**, ~~gone~~, under_scores, 1 * 2 and `x < 1`. [Link](https://x.example/a "t") & more.

- one
- two
  - nested

1. a

   second paragraph
2. b

> quoted
> twice

| a | b |
|---|--:|
| 1 | 2 |

```
x < 1
```

---

![picture](https://x.example/y.png)
"""


def test_html_turned_into_markdown_gives_the_same_html_again() -> None:
    text = ebook_html.render_markdown(BOOK)
    assert not ebook_html.has_drifted(ebook_markdown.convert_html(text), text)


lines = st.lists(
    st.one_of(
        st.text("ab *_#>-1.`<[]|~\\&", min_size=1, max_size=12),
        st.sampled_from(["# h", "- item", "  - sub", "1. n", "> q", "**b**", "*i*", "a\\\nb", "```\ncode\n```", "---"]),
    ),
    max_size=6,
)


@some.few
@given(lines)
def test_no_text_is_lost_between_html_and_markdown(pieces: list[str]) -> None:
    text = ebook_html.render_markdown("\n\n".join(pieces))
    again = ebook_html.render_markdown(ebook_markdown.convert_html(text))
    assert letters(again) == letters(text)


def letters(markup: str) -> str:
    return re.sub(r"[^ab1]", "", ebook_html.normalize_html(re.sub(r"<[^>]*>", "", markup)))


@pytest.mark.parametrize(
    ("text", "markup", "drifted"),
    [
        ("# A\n\nb", "<h1>A</h1>\n<p>b</p>\n", False),
        ("# A\n\nb", "<h1>A</h1><p>b</p>", False),
        ("# A\n\nb", "<h1>A</h1>  <p>\n b </p>", False),
        ("a & b", "<p>a &amp; b</p>", False),
        ("é", "<p>&eacute;</p>", False),
        ("[x](https://y.example)", '<p><a href="https://y.example">x</a></p>', False),
        ("- a\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>", False),
        ("# A\n\nb", "<h1>A</h1><p>c</p>", True),
        ("# A", "<h2>A</h2>", True),
        ("a", "", True),
        ("", "<p>a</p>", True),
        ("", "", False),
        ("&lt;b&gt;", "<p><b></b></p>", True),
    ],
)
def test_drift_is_what_a_reader_would_see(text: str, markup: str, drifted: bool) -> None:
    assert ebook_html.has_drifted(text, markup) is drifted


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt&#58;alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    "<svg onload=alert(1)></svg>",
    "<iframe src=https://evil.example></iframe>",
    '<p style="position:fixed;inset:0">x</p>',
    "<style>*{display:none}</style>",
    "<form action=https://evil.example><input name=token></form>",
    "<math><mtext><table><mglyph><style><!--</style><img title=--&gt;&lt;img src=1 onerror=alert(1)&gt;>",
    "[x](javascript:alert(1))",
    "[x](data:text/html;base64,PHN2Zz4=)",
    "![x](javascript:alert(1))",
    "<!--><script>alert(1)</script>-->",
    '<base href="https://evil.example">',
]
RUNS = re.compile(
    r"<(?:script|iframe|svg|style|form|input|base|math|object|embed|link|meta)|<[^>]* (?:on\w+|style|srcdoc)\s*=|"
    r"<[^>]* (?:href|src)\s*=\s*[\"']?\s*(?:javascript|data|vbscript)",
    re.IGNORECASE,
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_html_that_attacks_is_harmless_by_every_way_in(attack: str) -> None:
    assert not RUNS.search(ebook_html.clean_html(attack))
    assert not RUNS.search(ebook_html.render_markdown(attack))
    assert not RUNS.search(ebook_html.render_markdown(ebook_markdown.convert_html(attack)))


def test_the_outline_has_the_headings_with_their_lines() -> None:
    headings = ebook_html.render_blocks("# One *two*\n\ntext\n\n### `code` three\n\n```\n# no heading\n```\n").headings
    assert [(heading.level, heading.text, heading.line) for heading in headings] == [
        (1, "One two", 0),
        (3, "code three", 4),
    ]


class TopLevelElements(HTMLParser):
    """Counts the elements that stand in no other."""

    count = depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.count += not self.depth
        self.depth += tag not in ("hr", "br", "img")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1


@some.few
@given(lines)
def test_markdown_rendered_block_by_block_equals_the_whole_text_and_each_block_is_one_element(words: list[str]) -> None:
    text = "\n\n".join(words)
    blocks = ebook_html.render_blocks(text).blocks
    assert "".join(blocks) == ebook_html.clean_html(ebook_html._parser.render(text))
    for block in blocks:
        counter = TopLevelElements()
        counter.feed(block)
        assert counter.count == 1, block


@some.few
@given(lines, lines)
@example(["a"], [])
@example([], ["a"])
@example(["a", "b", "c"], ["a", "c"])
@example(["a"], ["a", "a"])
@example(["a", "a", "b"], ["a", "b"])
def test_preview_after_a_change_equals_a_preview_made_anew(before: list[str], after: list[str]) -> None:
    old, new = ("\n\n".join(words) for words in (before, after))
    change = ebook_views.build_preview_change(old, new)
    assert change is not None
    blocks = list(ebook_html.render_blocks(old).blocks)
    if found := re.search(r"n\+(\d+)\):nth-child\(-n\+(\d+)\)", change["removed"]):
        del blocks[int(found[1]) - 1 : int(found[2])]
    at = re.search(r"afterend:#preview-text > :nth-child\((\d+)\)", change["inserted_at"])
    blocks.insert(int(at[1]) if at else 0, change["html"])
    assert "".join(blocks) == ebook_html.render_markdown(new)
    same = ebook_html.render_blocks(old).headings == ebook_html.render_blocks(new).headings
    assert change["outline"] == (None if same else ebook_views.build_preview(new)["outline"])


@pytest.mark.parametrize("length", [5_000, 50_000])
def test_a_text_becomes_html_with_less_than_20_calls_a_character_however_long_it_is(length: int) -> None:
    text = (BOOK * 200)[:length]
    ebook_html.render_blocks.cache_clear()
    assert len(text) == length and count_calls(lambda: ebook_html.render_markdown(text)) < 20 * length


@pytest.mark.parametrize(
    ("text", "shown", "lost"),
    [
        ("# One\n", "<h1>One</h1>", ()),
        ("### Three **b**\n", "<h3>Three <strong>b</strong></h3>", ()),
        ("#### Four\n", "<p>#### Four</p>", ("heading",)),
        ("a\nb [c](https://d.e)", '<p>a\nb <a href="https://d.e" rel="noopener noreferrer">c</a></p>\n', ()),
        ("- a\n- **b**\n", "<ul><li>a</li><li><strong>b</strong></li></ul>", ()),
        ("* a\n", "<p>* a </p>", ("bullet_list",)),
        ("1. a\n2. b\n", "<p>1. a 2. b </p>", ("ordered_list",)),
        ("an *it* and __b__ ~~s~~", "<p>an *it* and __b__ ~~s~~</p>\n", ("em", "strong", "s")),
        ("> q\n", "<p>&gt; q</p>\n", ("blockquote",)),
        ("| a |\n|---|\n| 1 |\n", "<p>| a |\n|---|\n| 1 |</p>\n", ("table",)),
        ("```\n<b>\n```\n", "<p>```\n&lt;b&gt;\n```</p>\n", ("code",)),
        ("`c`", "<p>`c`</p>\n", ("code",)),
        ("---\n", "<p>---</p>\n", ("hr",)),
        ("[r]: https://a.b\n", "<p>[r]: https://a.b</p>\n", ()),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n", ()),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n", ()),
    ],
)
def test_the_player_shows_headings_dashes_bold_and_links_and_all_else_as_signs(
    text: str, shown: str, lost: tuple[str, ...]
) -> None:
    (block,) = ebook_html.render_for_player(text)
    assert (block.html, block.lost) == (shown, lost)


def test_each_block_for_the_player_says_what_of_it_is_lost() -> None:
    blocks = ebook_html.render_for_player("# A\n\ntext\n\n| a |\n|---|\n\n- b *c*\n\n[r]: https://a.b\n")
    assert [block.lost for block in blocks] == [(), (), ("table",), ("em",), ()]


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_the_editor_shows_the_text_as_viewers_see_it_and_says_what_stays_signs(hands: Hands) -> None:
    hands.overwrite({**package(1), "abstract": "# A\n\nan *it*\n", "abstract_html": "<h1>A</h1><p>an <em>it</em></p>"})
    page = hands.text("ebook/")
    assert 'href="?view=viewers"' in page and "<em>it</em>" in page and "Shown as signs" not in page
    page = hands.text("ebook/?view=viewers")
    assert "an *it*" in page and "<em>it</em>" not in page and "Shown as signs: italics" in page
    form = {**hands.form("ebook/?view=viewers", "ebook-text"), "abstract": "1. b\n"}
    part = one_line(hands.part("ebook/?view=viewers", form).content.decode())
    assert 'id="preview" hx-swap-oob="true"' in part and "Shown as signs: numbers" in part, "it follows what is typed"
    answer = hands.post("ebook/?view=viewers", {**hands.form("ebook/", "ebook-text"), "abstract": "2. c\n"})
    assert answer["Location"].endswith("/ebook/?view=viewers")

"""What the overview of a language gets: its three resources at a glance, its state, and its files."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import messages, pages
from dashboard.ai_content.ebook import html
from dashboard.ai_content.ebook.texts import disagree
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules import lint, mindmap, quiz
from dashboard.ai_content.rules.package import Block, Package, block_of, text_of
from dashboard.ai_content.sync import State
from dashboard.shared import formats

SHAPES = {
    State.SETTLED: "finished",
    State.SPREADING: "running",
    State.UNCONFIRMED: "unknown",
    State.UNREAD: "warning",
}


@dataclass(frozen=True)
class Card:
    """One resource."""

    name: str
    address: str
    there: bool
    title: str
    facts: tuple[str, ...]
    note: str
    draft: bool
    export: str
    export_words: str
    delete: str


@dataclass(frozen=True)
class LanguagePage:
    """templates/ai_content/language.html."""

    cards: tuple[Card, ...]
    state: str
    shape: str
    since: str
    author: str
    other: str
    import_: str
    export: str
    versions: str


def language_page(editor: Editor) -> LanguagePage:
    """The overview."""
    version = editor.opened.version
    other = [key for key in editor.package if block_of(key) is Block.OTHER]
    return LanguagePage(
        cards=(_ebook(editor), _mindmap(editor), _quiz(editor)),
        state=pages.state_words(editor.opened.state),
        shape=SHAPES[editor.opened.state],
        since=formats.moment(version.at, "short"),
        author=version.actor or _("outside Reelroom"),
        other=", ".join(other),
        import_=editor.address("import"),
        export=editor.address("export", "json"),
        versions=editor.address("versions"),
    )


def _card(editor: Editor, block: Block, there: bool, title: str, facts: list[str], note: str, export: str) -> Card:
    kinds = {"md": _("Markdown"), "opml": "OPML", "csv": "CSV"}
    return Card(
        name=messages.block_name(block),
        address=editor.address(str(block)),
        there=there,
        title=title,
        facts=tuple(facts),
        note=note,
        draft=block in editor.drafts,
        export=editor.address("export", export),
        export_words=kinds[export],
        delete=f"{editor.address('delete_resources')}?kind={block}",
    )


def _ebook(editor: Editor) -> Card:
    values = editor.working(Block.EBOOK).values
    text = text_of(values.get("abstract"))
    count, headings = (
        html.word_count(text),
        len(html.render_blocks(text).headings) if len(text) < html.PREVIEW_MOST else 0,
    )
    facts = [ngettext("%(count)s word", "%(count)s words", count) % {"count": formats.number(count)}]
    if headings:
        facts.append(ngettext("%(count)s heading", "%(count)s headings", headings) % {"count": headings})
    base = editor.working(Block.EBOOK).base
    apart = len(text) < html.PREVIEW_MOST and disagree({k: v for k, v in base.items() if block_of(k) is Block.EBOOK})
    note = _("Text and HTML say different things: choose which to keep.") if apart else ""
    return _card(editor, Block.EBOOK, bool(values), _cover_title(values), facts, note, "md")


def _cover_title(values: Package) -> str:
    cover = values.get("abstract_cover")
    return text_of(cover.get("title")) if isinstance(cover, dict) else ""


def _mindmap(editor: Editor) -> Card:
    values = editor.working(Block.MINDMAP).values
    found = values.get("mindmap")
    shape = mindmap.shape_of(found)
    if shape is None:
        note = _("Not a tree of labels: it is shown as JSON.") if found else ""
        return _card(editor, Block.MINDMAP, bool(found), "", [], note, "opml")
    root = mindmap.tree(found, shape)
    count, depth = sum(1 for _node in mindmap.walk(root)), mindmap.depth(root)
    facts = [
        ngettext("%(count)s topic", "%(count)s topics", count) % {"count": formats.number(count)},
        ngettext("%(count)s level", "%(count)s levels", depth) % {"count": depth},
    ]
    return _card(editor, Block.MINDMAP, True, root.label, facts, "", "opml")


def _quiz(editor: Editor) -> Card:
    values = editor.working(Block.QUIZ).values
    count, found = len(quiz.questions_of(values)), lint.lint(values)
    facts = [ngettext("%(count)s question", "%(count)s questions", count) % {"count": formats.number(count)}]
    note = ""
    if found:
        note = ngettext("%(count)s thing to look at", "%(count)s things to look at", len(found)) % {"count": len(found)}
    return _card(editor, Block.QUIZ, quiz.QUESTIONS in values, "", facts, note, "csv")

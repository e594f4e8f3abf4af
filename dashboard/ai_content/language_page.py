"""The overview of a language: its three resources, its sync state, and its files."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import ebook_html, messages
from dashboard.ai_content import versions as store
from dashboard.ai_content.ebook_html import has_drift
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.messages import get_state_name
from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules.package import Block, Package, get_block, get_text
from dashboard.ai_content.versions import FileState
from dashboard.shared import formats
from dashboard.upstream import clients, reads
from dashboard.upstream.library import build_config_query, build_document_query
from dashboard.upstream.parallel import Ready

SHAPES = {
    FileState.SETTLED: "finished",
    FileState.SPREADING: "running",
    FileState.UNCONFIRMED: "unknown",
    FileState.UNREAD: "warning",
}
CLOCKS_APART: Final = timedelta(minutes=1)
"""How much the platform's clock and ours may differ before a PDF is called older than a save."""


@dataclass(frozen=True)
class ResourceCard:
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
class Pdf:
    """A PDF that the platform has made of this video. `made_at`: None where that is not known."""

    name: str
    address: str
    made_at: datetime | None
    is_older: bool
    """Than the last save from here."""


@dataclass(frozen=True)
class LanguagePage:
    """templates/ai_content/language.html."""

    cards: tuple[ResourceCard, ...]
    state: str
    shape: str
    since: str
    author: str
    other: str
    import_: str
    export: str
    versions: str
    pdfs: tuple[Pdf, ...]
    are_pdfs_undated: bool
    """Whether the platform was asked when it made them, and does not say."""
    saved_at: datetime | None
    """When this language was last saved from here."""


def _list_pdfs(editor: Editor, saved_at: datetime | None) -> tuple[tuple[Pdf, ...], bool]:
    """The PDFs where the player's file says that there are some (gaps 15, A4), and whether nothing says how old they are."""
    zone, external_id = editor.document.pullzone, editor.document.external_id
    if not zone or not external_id:
        return (), False
    reader = reads.of(editor.request)
    outcome = reader.spare(config=build_config_query(zone, external_id))["config"]
    if not isinstance(outcome, Ready) or not outcome.value.has_pdfs:
        return (), False
    kinds = {"ebook": ("abstract", _("eBook")), "mindmap": ("mindmap", _("Mind map"))}
    names = dict(names for kind, names in kinds.items() if kind in outcome.value.ai_kinds)
    ages = reader.spare(**{name: build_document_query(zone, external_id, name) for name in names})
    made = {name: age.value for name, age in ages.items() if isinstance(age, Ready)}
    stem = f"{clients.public_config_url()}/{zone}/{external_id}"
    pdfs = tuple(
        Pdf(words, f"{stem}/{name}.pdf", at := made.get(name), bool(at and saved_at and at + CLOCKS_APART < saved_at))
        for name, words in names.items()
    )
    return pdfs, len(made) == len(names) and not any(made.values())


def build_language_page(editor: Editor) -> LanguagePage:
    """Build the overview."""
    version = editor.opened.version
    other = [key for key in editor.package if get_block(key) is Block.OTHER]
    saved_at = store.get_saved_at(editor.document)
    pdfs, are_pdfs_undated = _list_pdfs(editor, saved_at)
    return LanguagePage(
        cards=(_build_ebook_card(editor), _build_mindmap_card(editor), _build_quiz_card(editor)),
        state=get_state_name(editor.opened.state),
        shape=SHAPES[editor.opened.state],
        since=formats.moment(version.at),
        author=version.actor or _("outside Reelroom"),
        other=", ".join(other),
        import_=editor.address("import"),
        export=editor.address("export", "json"),
        versions=editor.address("versions"),
        pdfs=pdfs,
        are_pdfs_undated=are_pdfs_undated,
        saved_at=saved_at,
    )


def _build_card(
    editor: Editor, block: Block, there: bool, title: str, facts: list[str], note: str, export: str
) -> ResourceCard:
    kinds = {"md": _("Markdown"), "opml": "OPML", "csv": "CSV"}
    return ResourceCard(
        name=messages.get_block_name(block),
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


def _build_ebook_card(editor: Editor) -> ResourceCard:
    values = editor.get_content(Block.EBOOK).values
    text = get_text(values.get("abstract"))
    count, headings = (
        ebook_html.count_words(text),
        len(ebook_html.render_blocks(text).headings) if len(text) < ebook_html.PREVIEW_MOST else 0,
    )
    facts = [ngettext("%(count)s word", "%(count)s words", count) % {"count": formats.number(count)}]
    if headings:
        facts.append(ngettext("%(count)s heading", "%(count)s headings", headings) % {"count": headings})
    base = editor.get_content(Block.EBOOK).base
    apart = len(text) < ebook_html.PREVIEW_MOST and has_drift(
        {k: v for k, v in base.items() if get_block(k) is Block.EBOOK}
    )
    note = _("Text and HTML differ: choose which to keep.") if apart else ""
    return _build_card(editor, Block.EBOOK, bool(values), _get_cover_title(values), facts, note, "md")


def _get_cover_title(values: Package) -> str:
    cover = values.get("abstract_cover")
    return get_text(cover.get("title")) if isinstance(cover, dict) else ""


def _build_mindmap_card(editor: Editor) -> ResourceCard:
    values = editor.get_content(Block.MINDMAP).values
    value = values.get("mindmap")
    shape = mindmap.find_shape(value)
    if shape is None:
        note = _("Cannot be shown as an outline. You can edit it as JSON.") if value else ""
        return _build_card(editor, Block.MINDMAP, bool(value), "", [], note, "opml")
    root = mindmap.build_tree(value, shape)
    count, depth = sum(1 for _node in mindmap.walk(root)), mindmap.get_depth(root)
    facts = [
        ngettext("%(count)s topic", "%(count)s topics", count) % {"count": formats.number(count)},
        ngettext("%(count)s level", "%(count)s levels", depth) % {"count": depth},
    ]
    return _build_card(editor, Block.MINDMAP, True, root.label, facts, "", "opml")


def _build_quiz_card(editor: Editor) -> ResourceCard:
    values = editor.get_content(Block.QUIZ).values
    count, findings = len(quiz.get_questions(values)), quiz.lint_quiz(values)
    facts = [ngettext("%(count)s question", "%(count)s questions", count) % {"count": formats.number(count)}]
    note = ""
    if findings:
        note = ngettext("%(count)s note", "%(count)s notes", len(findings)) % {"count": len(findings)}
    return _build_card(editor, Block.QUIZ, quiz.QUESTIONS in values, "", facts, note, "csv")

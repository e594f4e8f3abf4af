"""The overview of a language: its three resources, its sync state, and its files."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import ebook_html
from dashboard.ai_content.ebook_html import has_drift
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.messages import get_block_name, get_state_name
from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules.package import Block, get_block, get_part, get_text
from dashboard.ai_content.versions import FileState, get_saved_at
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
class Pdf:
    """A PDF that the platform has made of this video. `made_at`: None where that is not known."""

    name: str
    address: str
    made_at: datetime | None
    is_older: bool
    """Than the last save from here."""


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


def build_overview(editor: Editor) -> dict[str, Any]:
    """What templates/ai_content/language.html shows."""
    saved_at = get_saved_at(editor.document)
    pdfs, are_pdfs_undated = _list_pdfs(editor, saved_at)
    return {
        "cards": (_build_ebook_card(editor), _build_mindmap_card(editor), _build_quiz_card(editor)),
        "state": get_state_name(editor.opened.state),
        "shape": SHAPES[editor.opened.state],
        "since": formats.moment(editor.opened.version.at, "short"),
        "other": ", ".join(key for key in editor.package if get_block(key) is Block.OTHER),
        "pdfs": pdfs,
        "are_pdfs_undated": are_pdfs_undated,
        "saved_at": saved_at,
    }


def _build_card(
    editor: Editor, block: Block, *, is_there: bool, facts: list[str], title: str = "", note: str = ""
) -> dict[str, Any]:
    """One resource; `export` is the kind of its file, and what that is called."""
    kinds = {Block.EBOOK: ("md", _("Markdown")), Block.MINDMAP: ("opml", "OPML"), Block.QUIZ: ("csv", "CSV")}
    return {
        "block": block,
        "name": get_block_name(block),
        "address": editor.address(str(block)),
        "is_there": is_there,
        "title": title,
        "facts": facts,
        "note": note,
        "is_draft": block in editor.drafts,
        "export": kinds[block],
    }


def _build_ebook_card(editor: Editor) -> dict[str, Any]:
    content = editor.get_content(Block.EBOOK)
    text, cover = get_text(content.values.get("abstract")), content.values.get("abstract_cover")
    count, is_short = ebook_html.count_words(text), len(text) < ebook_html.PREVIEW_MOST
    facts = [ngettext("%(count)s word", "%(count)s words", count) % {"count": formats.number(count)}]
    if is_short and (headings := len(ebook_html.render_blocks(text).headings)):
        facts.append(ngettext("%(count)s heading", "%(count)s headings", headings) % {"count": headings})
    is_apart = is_short and has_drift(get_part(content.base, Block.EBOOK))
    return _build_card(
        editor,
        Block.EBOOK,
        is_there=bool(content.values),
        facts=facts,
        title=get_text(cover.get("title")) if isinstance(cover, dict) else "",
        note=_("Text and HTML differ: choose which to keep.") if is_apart else "",
    )


def _build_mindmap_card(editor: Editor) -> dict[str, Any]:
    values = editor.get_content(Block.MINDMAP).values
    value = values.get("mindmap")
    shape = mindmap.find_shape(value)
    if shape is None:
        note = _("Cannot be shown as an outline. You can edit it as JSON.") if value else ""
        return _build_card(editor, Block.MINDMAP, is_there=bool(value), facts=[], note=note)
    root = mindmap.build_tree(value, shape)
    count, depth = sum(1 for _node in mindmap.walk(root)), mindmap.get_depth(root)
    facts = [
        ngettext("%(count)s topic", "%(count)s topics", count) % {"count": formats.number(count)},
        ngettext("%(count)s level", "%(count)s levels", depth) % {"count": depth},
    ]
    return _build_card(editor, Block.MINDMAP, is_there=True, facts=facts, title=root.label)


def _build_quiz_card(editor: Editor) -> dict[str, Any]:
    values = editor.get_content(Block.QUIZ).values
    count, findings = len(quiz.get_questions(values)), quiz.lint_quiz(values)
    facts = [ngettext("%(count)s question", "%(count)s questions", count) % {"count": formats.number(count)}]
    note = ""
    if findings:
        note = ngettext("%(count)s note", "%(count)s notes", len(findings)) % {"count": len(findings)}
    return _build_card(editor, Block.QUIZ, is_there=quiz.QUESTIONS in values, facts=facts, note=note)

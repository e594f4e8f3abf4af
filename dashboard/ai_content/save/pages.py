"""What the pages around a save get: the review before it, and the merge when somebody else was there first."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.ai_content import changes_page, drafts, messages, saving, writes
from dashboard.ai_content import pages as frames
from dashboard.ai_content.conflicts import BlockMerge, Clash
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.merging import Absent, Conflict, Side, Value
from dashboard.ai_content.rules.package import Block, part, written
from dashboard.ai_content.rules.pairing import by_key, identifier
from dashboard.ai_content.saving import Outcome, Result
from dashboard.ai_content.text_diff import Piece, marked
from dashboard.shared import formats, refusals
from dashboard.writes.models import State


@dataclass(frozen=True)
class Wrong:
    """Something to mend before the save, and where."""

    sentence: str
    address: str


@dataclass(frozen=True)
class BlockDraft:
    """One block with something unsent."""

    block: str
    name: str
    discard: str


@dataclass(frozen=True)
class SavePage:
    """templates/ai_content/save.html."""

    address: str
    groups: tuple[changes_page.Group, ...]
    wrong: tuple[Wrong, ...]
    notes: str
    drafts: tuple[BlockDraft, ...]
    leaves: str
    clash: str
    trouble: str
    trouble_next: str
    instead: str
    """Of the form, where an earlier save is not confirmed: saving now takes its place."""
    back: str


def save_page(editor: Editor, result: Result | None = None) -> SavePage:
    """What saving would send; `result` is that of an attempt that did not go through."""
    trouble, trouble_next = _trouble(editor, result)
    return SavePage(
        address=editor.address("save"),
        groups=changes_page.grouped(editor.changes()),
        wrong=tuple(_wrong(editor)),
        notes=_notes(editor),
        drafts=tuple(
            BlockDraft(str(block), messages.block_name(block), editor.address("discard")) for block in editor.drafts
        ),
        leaves=_leaves(editor),
        clash=editor.address("merge") if editor.behind else "",
        trouble=trouble,
        trouble_next=trouble_next,
        instead=_instead(editor),
        back=editor.address(),
    )


def _instead(editor: Editor) -> str:
    write = writes.find_open(editor.document)
    return saving.instead_of(write) if write is not None and write.state == State.UNCONFIRMED else ""


def _wrong(editor: Editor) -> list[Wrong]:
    """What the platform would refuse or has refused, and what has to be decided first."""
    found = []
    work = editor.working(Block.QUIZ)
    if work.draft is not None:
        for each in lint.blocking(work.values):
            handle = work.handles[each.question or 0]
            number = _("Question %(number)s: %(sentence)s") % {
                "number": (each.question or 0) + 1,
                "sentence": messages.finding(each),
            }
            found.append(Wrong(number, editor.address("question", handle)))
    refusal = editor.document.refusal
    if refusal:
        handle = str(refusal.get("handle") or "")
        there = handle in work.handles
        found.append(Wrong(frames.refused(refusal), editor.address("question", handle) if there else editor.address()))
    try:
        drafts.composed(editor.package, {b: d for b, d in editor.drafts.items() if b is Block.EBOOK})
    except Undecided:
        text = _("Text and HTML of the eBook disagree: choose which to keep.")
        found.append(Wrong(text, editor.address("ebook")))
    return found


def _notes(editor: Editor) -> str:
    found = (
        [f for f in lint.lint(editor.working(Block.QUIZ).values) if not f.wrong] if Block.QUIZ in editor.drafts else []
    )
    if not found:
        return ""
    each = _("Question %(number)s: %(sentence)s")
    notes = [each % {"number": (f.question or 0) + 1, "sentence": messages.finding(f)} for f in found[:3]]
    return _("The quiz has notes that do not stop a save: %(notes)s") % {"notes": " ".join(notes)}


def _leaves(editor: Editor) -> str:
    package = editor.package
    size = len(written(package).encode("utf-8", "surrogatepass"))
    count = len(quiz.questions_of(package))
    return _(
        "The whole language leaves, changed or not: every block, %(questions)s questions, %(keys)s top-level keys, "
        "about %(size)s. Nothing that is in the file is left out."
    ) % {"questions": formats.number(count), "keys": formats.number(len(package)), "size": formats.file_size(size)}


def _trouble(editor: Editor, result: Result | None) -> tuple[str, str]:
    if result is None:
        return "", ""
    if result.outcome is Outcome.BUSY:
        return _("Somebody is saving this language right now."), _("Wait a moment, then save again.")
    if result.outcome is Outcome.OPEN:
        return _("The last save of this language is not confirmed."), ""
    if result.error is not None and result.outcome in (Outcome.UNREACHABLE, Outcome.UNCONFIRMED):
        explained = refusals.explain(result.error)
        looked_after = result.outcome is Outcome.UNCONFIRMED  # by the worker: its notice says so
        return explained.sentence, "" if looked_after else explained.next_step
    return "", ""


@dataclass(frozen=True)
class Asked:
    """One thing both changed."""

    key: str
    title: str
    mine: tuple[Piece, ...]
    theirs: tuple[Piece, ...]
    base: str
    mine_gone: bool
    theirs_gone: bool
    chosen: str
    error: bool


@dataclass(frozen=True)
class MergePage:
    """templates/ai_content/merge.html."""

    address: str
    seen: str
    theirs: tuple[changes_page.Group, ...]
    mine: tuple[changes_page.Group, ...]
    asked: tuple[Asked, ...]
    missing: tuple[Asked, ...]
    moved_on: bool
    when: str
    actor: str


def merge_page(
    editor: Editor, clash: Clash, choices: dict[str, Side], *, errors: bool = False, moved_on: bool = False
) -> MergePage:
    """The page; with `errors`, what was not chosen is named. `moved_on`: the file changed again meanwhile."""
    asked = tuple(_asked(each, conflict, choices, errors) for each in clash.blocks for conflict in each.conflicts)
    version = clash.opened.version
    return MergePage(
        address=editor.address("merge"),
        seen=str(version.pk),
        theirs=changes_page.grouped(clash.theirs),
        mine=changes_page.grouped(change for each in clash.blocks for change in each.mine),
        asked=asked,
        missing=tuple(each for each in asked if each.error),
        moved_on=moved_on,
        when=formats.moment(version.at, "short"),
        actor=version.actor or _("Somebody outside Reelroom"),
    )


def _asked(each: BlockMerge, conflict: Conflict, choices: dict[str, Side], errors: bool) -> Asked:
    base = _text(conflict.base)
    chosen = choices.get(conflict.key)
    return Asked(
        key=conflict.key,
        title=_title(each, conflict),
        mine=marked(base, _text(conflict.mine)),
        theirs=marked(base, _text(conflict.theirs)),
        base=base,
        mine_gone=isinstance(conflict.mine, Absent),
        theirs_gone=isinstance(conflict.theirs, Absent),
        chosen=str(chosen) if chosen else "",
        error=errors and chosen is None,
    )


def _text(value: Value) -> str:
    if isinstance(value, Absent):
        return ""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(f"{number}. {each}" for number, each in enumerate(value, start=1))
    return changes_page.shown(value)


def _title(each: BlockMerge, conflict: Conflict) -> str:
    block = messages.block_name(str(each.block))
    path = list(conflict.place)
    if conflict.order:
        return _("%(block)s: the order") % {"block": block}
    if path[0] == "questions" and len(path) > 1:
        return _question_title(each, path)
    names = {
        "abstract": _("Text of the eBook"),
        "abstract_html": _("HTML of the eBook"),
        "abstract_summary": _("Summary"),
        "abstract_cover": _("Cover"),
        "mindmap": _("Mind map"),
        "questions_config": _("Quiz settings"),
    }
    rest = [piece.strip('"') for piece in path[1:] if not piece.startswith("§")]
    return " › ".join([names.get(path[0], path[0]), *rest])


def _question_title(each: BlockMerge, path: list[str]) -> str:
    """By its number in the draft, else in the file."""
    name = by_key("enunciate")
    base = part(each.value, Block.QUIZ)
    listed = quiz.questions_of(base)
    place = next((at for at, q in enumerate(listed) if path[1] in (identifier(q), name(q))), None)
    parts = {"enunciate": _("text"), "options": _("answers")}
    rest = [parts.get(piece, piece.strip('"')) for piece in path[2:]]
    if place is None:
        return " › ".join([_("A question that one of you deleted"), *rest])
    return " › ".join([_("Question %(number)s") % {"number": place + 1}, *rest])

"""The review page before a save, and the merge page after somebody else's change."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.ai_content import messages
from dashboard.ai_content.conflicts import BlockMerge, Clash
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.editor import Editor, compose
from dashboard.ai_content.messages import ChangeGroup, explain_refusal, format_value, group_changes
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.merge import Absent, Conflict, Side, Value
from dashboard.ai_content.rules.package import (
    BODY_MOST,
    Block,
    build_payload,
    format_json,
    get_block,
    get_identifier,
    get_part,
    list_large_parts,
    name_by_keys,
)
from dashboard.ai_content.save.queries import find_open, get_instead
from dashboard.ai_content.text_diff import Piece, diff_texts
from dashboard.ai_content.writes import SaveOutcome, SaveResult
from dashboard.shared import formats, refusals
from dashboard.writes.models import State


@dataclass(frozen=True)
class SaveProblem:
    """A problem that stops the save, and where to fix it."""

    sentence: str
    address: str


@dataclass(frozen=True)
class BlockDraft:
    """One block with a draft."""

    block: str
    name: str
    discard: str


@dataclass(frozen=True)
class SavePage:
    """templates/ai_content/save.html."""

    address: str
    groups: tuple[ChangeGroup, ...]
    wrong: tuple[SaveProblem, ...]
    notes: str
    drafts: tuple[BlockDraft, ...]
    leaves: str
    clash: str
    trouble: str
    trouble_next: str
    instead: str
    """Value of `INSTEAD`, where an earlier save is not confirmed."""
    back: str


def build_save_page(editor: Editor, result: SaveResult | None = None) -> SavePage:
    """Build the review page; `result` is that of a save that failed."""
    trouble, trouble_next = _format_trouble(editor, result)
    return SavePage(
        address=editor.address("save"),
        groups=group_changes(editor.list_changes()),
        wrong=tuple(_list_problems(editor)),
        notes=_format_notes(editor),
        drafts=tuple(
            BlockDraft(str(block), messages.get_block_name(block), editor.address("discard")) for block in editor.drafts
        ),
        leaves=_format_contents(editor),
        clash=editor.address("merge") if editor.behind else "",
        trouble=trouble,
        trouble_next=trouble_next,
        instead=_get_instead(editor),
        back=editor.address(),
    )


def _get_instead(editor: Editor) -> str:
    write = find_open(editor.document)
    return get_instead(write) if write is not None and write.state == State.UNCONFIRMED else ""


def _list_problems(editor: Editor) -> list[SaveProblem]:
    """List what the platform would refuse or has refused, and missing decisions."""
    problems = []
    content = editor.get_content(Block.QUIZ)
    if content.draft is not None:
        for each in lint.list_blocking(content.values):
            handle = content.handles[each.question or 0]
            number = _("Question %(number)s: %(sentence)s") % {
                "number": (each.question or 0) + 1,
                "sentence": messages.format_finding(each),
            }
            problems.append(SaveProblem(number, editor.address("question", handle)))
    refusal = editor.document.refusal
    if refusal:
        handle = str(refusal.get("handle") or "")
        there = handle in content.handles
        problems.append(
            SaveProblem(
                explain_refusal(refusal).whole, editor.address("question", handle) if there else editor.address()
            )
        )
    try:
        package = compose(editor.package, editor.drafts)
        document = editor.document
        large = list_large_parts(build_payload(package, str(document.video_id), document.lang or None))
        if large and editor.drafts:
            block = get_block(large[0][0])
            place = "language" if block is Block.OTHER else str(block)
            problems.append(SaveProblem(_format_large(large), editor.address(place)))
    except Undecided:
        text = _("Text and HTML of the eBook differ: choose which to keep.")
        problems.append(SaveProblem(text, editor.address("ebook")))
    return problems


def _format_large(parts: tuple[tuple[str, int], ...]) -> str:
    named = ", ".join(f"{key} {formats.file_size(size)}" for key, size in parts)
    return _("The file is larger than the %(most)s that the platform takes. Shorten its largest parts: %(parts)s") % {
        "most": formats.file_size(BODY_MOST),
        "parts": named,
    }


def _format_notes(editor: Editor) -> str:
    findings = (
        [f for f in lint.lint_quiz(editor.get_content(Block.QUIZ).values) if not f.wrong]
        if Block.QUIZ in editor.drafts
        else []
    )
    if not findings:
        return ""
    each = _("Question %(number)s: %(sentence)s")
    notes = [each % {"number": (f.question or 0) + 1, "sentence": messages.format_finding(f)} for f in findings[:3]]
    return _("The quiz has notes that do not stop a save: %(notes)s") % {"notes": " ".join(notes)}


def _format_contents(editor: Editor) -> str:
    package = editor.package
    size = len(format_json(package).encode("utf-8", "surrogatepass"))
    count = len(quiz.get_questions(package))
    return _(
        "The whole file is sent, changed or not: every block, %(questions)s questions, %(keys)s top-level keys, "
        "about %(size)s."
    ) % {"questions": formats.number(count), "keys": formats.number(len(package)), "size": formats.file_size(size)}


def _format_trouble(editor: Editor, result: SaveResult | None) -> tuple[str, str]:
    if result is None:
        return "", ""
    if result.outcome is SaveOutcome.BUSY:
        return _("Somebody is saving this language right now."), _("Wait a moment, then save again.")
    if result.outcome is SaveOutcome.OPEN:
        return _("The last save of this language is not confirmed."), ""
    if result.error is not None and result.outcome in (SaveOutcome.UNREACHABLE, SaveOutcome.UNCONFIRMED):
        explained = refusals.explain(result.error)
        looked_after = result.outcome is SaveOutcome.UNCONFIRMED  # by the worker: its notice says so
        return explained.sentence, "" if looked_after else explained.next_step
    return "", ""


@dataclass(frozen=True)
class MergeQuestion:
    """One conflict of the merge page."""

    key: str
    title: str
    mine: tuple[Piece, ...]
    theirs: tuple[Piece, ...]
    base: str
    mine_gone: bool
    theirs_gone: bool
    side: str
    error: bool


@dataclass(frozen=True)
class MergePage:
    """templates/ai_content/merge.html."""

    address: str
    version: str
    theirs: tuple[ChangeGroup, ...]
    mine: tuple[ChangeGroup, ...]
    questions: tuple[MergeQuestion, ...]
    missing: tuple[MergeQuestion, ...]
    moved_on: bool
    when: str
    actor: str


def build_merge_page(
    editor: Editor, clash: Clash, choices: dict[str, Side], *, errors: bool = False, moved_on: bool = False
) -> MergePage:
    """Build the merge page; with `errors`, missing decisions are marked. `moved_on`: the file changed again."""
    questions = tuple(
        _build_question(each, conflict, choices, errors) for each in clash.blocks for conflict in each.conflicts
    )
    version = clash.opened.version
    return MergePage(
        address=editor.address("merge"),
        version=str(version.pk),
        theirs=group_changes(clash.theirs),
        mine=group_changes(change for each in clash.blocks for change in each.mine),
        questions=questions,
        missing=tuple(each for each in questions if each.error),
        moved_on=moved_on,
        when=formats.moment(version.at, "short"),
        actor=version.actor or _("Somebody outside Reelroom"),
    )


def _build_question(each: BlockMerge, conflict: Conflict, choices: dict[str, Side], errors: bool) -> MergeQuestion:
    base = _format_side(conflict.base)
    side = choices.get(conflict.key)
    return MergeQuestion(
        key=conflict.key,
        title=_format_title(each, conflict),
        mine=diff_texts(base, _format_side(conflict.mine)),
        theirs=diff_texts(base, _format_side(conflict.theirs)),
        base=base,
        mine_gone=isinstance(conflict.mine, Absent),
        theirs_gone=isinstance(conflict.theirs, Absent),
        side=str(side) if side else "",
        error=errors and side is None,
    )


def _format_side(value: Value) -> str:
    if isinstance(value, Absent):
        return ""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(f"{number}. {each}" for number, each in enumerate(value, start=1))
    return format_value(value)


def _format_title(each: BlockMerge, conflict: Conflict) -> str:
    block = messages.get_block_name(str(each.block))
    path = list(conflict.place)
    if conflict.order:
        return _("%(block)s: the order") % {"block": block}
    if path[0] == "questions" and len(path) > 1:
        return _format_question_title(each, path)
    names = {
        "abstract": _("Text of the eBook"),
        "abstract_html": _("HTML of the eBook"),
        "abstract_summary": _("Summary"),
        "abstract_cover": _("Cover"),
        "mindmap": _("Mind map"),
        "questions_config": _("Quiz settings"),
        "time": _("time"),
    }
    rest = [piece.strip('"') for piece in path[1:] if not piece.startswith("§")]
    if path[0] == "mindmap" and rest[-1:] == ["time"]:
        rest[-1] = names["time"]
    return " › ".join([names.get(path[0], path[0]), *rest])


def _format_question_title(each: BlockMerge, path: list[str]) -> str:
    """Format the title of a question's conflict, by its number."""
    name = name_by_keys("enunciate")
    base = get_part(each.value, Block.QUIZ)
    listed = quiz.get_questions(base)
    place = next((at for at, q in enumerate(listed) if path[1] in (get_identifier(q), name(q))), None)
    parts = {"enunciate": _("text"), "options": _("answers"), "explanation": _("explanation")}
    rest = [parts.get(piece, piece.strip('"')) for piece in path[2:]]
    if place is None:
        return " › ".join([_("A question that one of you deleted"), *rest])
    return " › ".join([_("Question %(number)s") % {"number": place + 1}, *rest])

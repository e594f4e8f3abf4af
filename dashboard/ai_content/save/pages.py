"""The review page before a save, and the merge page after somebody else's change."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dashboard.ai_content import messages
from dashboard.ai_content.conflicts import BlockMerge, Clash
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.editor import Editor, compose
from dashboard.ai_content.messages import explain_refusal, format_value, group_changes
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


def build_review(editor: Editor, result: SaveResult | None = None) -> dict[str, Any]:
    """What templates/ai_content/save.html shows; `result` is that of a save that failed."""
    trouble, trouble_next = format_trouble(result)
    return {
        "groups": group_changes(editor.list_changes()),
        "problems": _list_problems(editor),
        "notes": _format_notes(editor),
        "drafts": [(str(block), messages.get_block_name(block)) for block in editor.drafts],
        "contents": _format_contents(editor),
        "trouble": trouble,
        "trouble_next": trouble_next,
        "instead": _get_instead(editor),
    }


def _get_instead(editor: Editor) -> str:
    """Value of `INSTEAD`, where an earlier save is not confirmed."""
    write = find_open(editor.document)
    return get_instead(write) if write is not None and write.state == State.UNCONFIRMED else ""


def _list_problems(editor: Editor) -> list[tuple[str, str]]:
    """List what the platform would refuse or has refused, and missing decisions, each with the address where to fix it."""
    problems = []
    content, document = editor.get_content(Block.QUIZ), editor.document
    for finding in lint.list_blocking(content.values) if content.draft is not None else ():
        handle = content.handles[finding.question or 0]
        problems.append((_format_note(finding), editor.address("question", handle)))
    if refusal := document.refusal:
        handle = str(refusal.get("handle") or "")
        place = editor.address("question", handle) if handle in content.handles else editor.address()
        problems.append((explain_refusal(refusal).whole, place))
    try:
        package = compose(editor.package, editor.drafts)
        large = list_large_parts(build_payload(package, str(document.video_id), document.lang or None))
        if large and editor.drafts:
            block = get_block(large[0][0])
            problems.append((_format_large(large), editor.address("language" if block is Block.OTHER else str(block))))
    except Undecided:
        problems.append((_("Text and HTML of the eBook differ: choose which to keep."), editor.address("ebook")))
    return problems


def _format_note(finding: lint.Finding) -> str:
    values = {"number": (finding.question or 0) + 1, "sentence": messages.format_finding(finding)}
    return _("Question %(number)s: %(sentence)s") % values


def _format_large(parts: tuple[tuple[str, int], ...]) -> str:
    named = ", ".join(f"{key} {formats.file_size(size)}" for key, size in parts)
    return _("The file is larger than the %(most)s that the platform takes. Shorten its largest parts: %(parts)s") % {
        "most": formats.file_size(BODY_MOST),
        "parts": named,
    }


def _format_notes(editor: Editor) -> str:
    findings = lint.lint_quiz(editor.get_content(Block.QUIZ).values) if Block.QUIZ in editor.drafts else ()
    notes = [_format_note(each) for each in findings if not each.wrong][:3]
    return _("The quiz has notes that do not stop a save: %(notes)s") % {"notes": " ".join(notes)} if notes else ""


def _format_contents(editor: Editor) -> str:
    package = editor.package
    size = len(format_json(package).encode("utf-8", "surrogatepass"))
    count = len(quiz.get_questions(package))
    return _(
        "The whole file is sent, changed or not: every block, %(questions)s questions, %(keys)s top-level keys, "
        "about %(size)s."
    ) % {"questions": formats.number(count), "keys": formats.number(len(package)), "size": formats.file_size(size)}


def format_trouble(result: SaveResult | None) -> tuple[str, str]:
    """Why a save failed, and what to do next; "" where its page says it otherwise."""
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
    """One conflict of the merge page, with the side that was chosen; a side is None where it deleted the value."""

    key: str
    title: str
    base: str
    mine: tuple[Piece, ...] | None
    theirs: tuple[Piece, ...] | None
    side: Side | None


def build_questions(clash: Clash, choices: dict[str, Side]) -> list[MergeQuestion]:
    """The conflicts, which the person decides."""
    return [
        MergeQuestion(
            key=conflict.key,
            title=_format_title(each, conflict),
            base=_format_side(conflict.base),
            mine=_diff_side(conflict.base, conflict.mine),
            theirs=_diff_side(conflict.base, conflict.theirs),
            side=choices.get(conflict.key),
        )
        for each in clash.blocks
        for conflict in each.conflicts
    ]


def _diff_side(base: Value, value: Value) -> tuple[Piece, ...] | None:
    return None if isinstance(value, Absent) else diff_texts(_format_side(base), _format_side(value))


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

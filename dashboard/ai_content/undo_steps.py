"""Undo the last edit of a block, or put back a deleted question."""

from dashboard.ai_content import drafts
from dashboard.ai_content.editor import WHOLE, BlockContent, Edit, Editor
from dashboard.ai_content.models import Step, unpack
from dashboard.ai_content.rules.package import Block
from dashboard.ai_content.rules.quiz import QUESTIONS
from dashboard.platform_api.values import JSON


def undo_step(editor: Editor, block: Block, pk: int | None = None) -> Step | None:
    """Undo the last step, or the deletion that is step `pk`. Returns the step; None where it cannot be undone any more."""
    draft = editor.drafts.get(block)
    if draft is None:
        return None
    last = drafts.get_last_step(draft)
    step = last if pk is None else draft.steps.filter(pk=pk).first()
    if step is None or last is None or (step.pk != last.pk and step.code != "question_deleted"):
        return None
    editor.edit(block, lambda content: _build_undo(content, step))
    Step.objects.filter(pk=step.pk).delete()
    return step


def _build_undo(content: BlockContent, step: Step) -> Edit | None:
    before = None if step.before is None else unpack(step.before)
    if step.place.get(WHOLE):
        values = before if isinstance(before, dict) else {}
        handles = step.place.get("handles")
        return Edit(
            values, "", handles=handles if isinstance(handles, list) else None, choice=str(step.place.get("choice", ""))
        )
    questions, handles = list(content.questions), list(content.handles)
    handle, index = str(step.place.get("handle")), int(step.place.get("index") or 0)
    if not _put_back(step.code, handle, index, before, questions, handles):
        return None
    return Edit({**content.values, QUESTIONS: questions}, "", handles=handles)


def _put_back(code: str, handle: str, index: int, before: JSON, questions: list[JSON], handles: list[str]) -> bool:
    """Undo a step of one question, changing both lists; False where nothing is left to undo."""
    at = handles.index(handle) if handle in handles else None
    if code == "question_deleted" and at is None:
        questions.insert(min(index, len(questions)), before)
        handles.insert(min(index, len(handles)), handle)
    elif at is None:
        return False
    elif code == "question_edited":
        questions[at] = before
    elif code == "question_moved":
        questions.insert(index, questions.pop(at))
        handles.insert(index, handles.pop(at))
    elif code in ("question_added", "question_duplicated"):
        del questions[at], handles[at]
    return True

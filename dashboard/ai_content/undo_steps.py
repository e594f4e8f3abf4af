"""Taking back: the last edit of a block, or a question that was deleted."""

from dashboard.ai_content import drafts
from dashboard.ai_content.drafts import Made, Working
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.models import Step
from dashboard.ai_content.rules.package import JSON, Block
from dashboard.ai_content.rules.quiz import QUESTIONS
from dashboard.ai_content.versions import store

WHOLE = "whole"
"""In a step's place: what was there before is the whole block."""


def undo(editor: Editor, block: Block, pk: int | None = None) -> Step | None:
    """Take back the last step, or put back the question that step `pk` deleted. None when that is not possible any more."""
    draft = editor.drafts.get(block)
    if draft is None:
        return None
    last = drafts.last_step(draft)
    step = last if pk is None else draft.steps.filter(pk=pk).first()
    if step is None or last is None or (step.pk != last.pk and step.code != "question_deleted"):
        return None
    editor.edit(block, lambda work: _back(work, step))
    Step.objects.filter(pk=step.pk).delete()
    return step


def _back(work: Working, step: Step) -> Made | None:
    before = None if step.before is None else store.unpacked(step.before)
    if step.place.get(WHOLE):
        values = before if isinstance(before, dict) else {}
        handles = step.place.get("handles")
        return Made(
            values, "", handles=handles if isinstance(handles, list) else None, choice=str(step.place.get("choice", ""))
        )
    questions, handles = list(work.questions), list(work.handles)
    handle, index = str(step.place.get("handle")), int(step.place.get("index") or 0)
    if not _put_back(step.code, handle, index, before, questions, handles):
        return None
    return Made({**work.values, QUESTIONS: questions}, "", handles=handles)


def _put_back(code: str, handle: str, index: int, before: JSON, questions: list[JSON], handles: list[str]) -> bool:
    """Undo one question's step in place; False when there is nothing to be done."""
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


def whole(work: Working) -> dict[str, JSON]:
    """The place of a step that is taken back by putting the whole block as it was."""
    return {WHOLE: True, "handles": list(work.handles), "choice": work.draft.choice if work.draft else ""}


def discard(editor: Editor, block: Block) -> None:
    """Let go of a draft; it is kept among the versions."""
    drafts.discard(editor.request, editor.document, block)
    editor.__dict__.pop("drafts", None)

"""Edits of the quiz: each builds the new list of questions, and its undo step."""

from dashboard.ai_content.editor import BlockContent, Edit, StaleForm, describe_block
from dashboard.ai_content.quiz.forms import QuestionForm
from dashboard.ai_content.rules import languages, quiz
from dashboard.ai_content.rules.difference import get_excerpt
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.ai_content.rules.quiz import QUESTIONS
from dashboard.platform_api.values import JSON


class QuestionGone(Exception):
    """The question was deleted."""


def find_question(content: BlockContent, handle: str) -> tuple[int, JSON]:
    """The place of the question with this handle, and the question. Raises `QuestionGone`."""
    place = content.place(handle)
    if place is None:
        raise QuestionGone
    return place, content.questions[place]


def edit_question(
    content: BlockContent,
    handle: str,
    form: QuestionForm,
) -> Edit | None:
    """Change a question. Raises `QuestionGone`, and `StaleForm` where another window changed it."""
    place, question = find_question(content, handle)
    after = quiz.edit_question(question, form.text, form.new_options, form.explanation)
    if is_same(after, question):
        return None
    if form.mark and form.mark != quiz.get_question_mark(question):
        raise StaleForm
    questions = _replace_at(content.questions, place, after)
    return Edit(
        {**content.values, QUESTIONS: questions},
        "question_edited",
        get_excerpt(after),
        place={"handle": handle, "index": place},
        before=question,
        field=handle if form.action == "keep" else "",
    )


def replace_question(content: BlockContent, handle: str, value: JSON) -> Edit | None:
    """Replace a question by another value, edited as JSON. Raises `QuestionGone`."""
    place, question = find_question(content, handle)
    if is_same(value, question):
        return None
    return Edit(
        {**content.values, QUESTIONS: _replace_at(content.questions, place, value)},
        "question_edited",
        get_excerpt(value),
        place={"handle": handle, "index": place},
        before=question,
    )


def _replace_at(questions: list[JSON], place: int, value: JSON) -> list[JSON]:
    return [*questions[:place], value, *questions[place + 1 :]]


def insert_question(content: BlockContent, handle: str, place: int, question: JSON, code: str) -> Edit:
    """Add a question at a place."""
    place = max(0, min(place, len(content.questions)))
    questions = [*content.questions[:place], question, *content.questions[place:]]
    handles = [*content.handles[:place], handle, *content.handles[place:]]
    return Edit(
        {**content.values, QUESTIONS: questions},
        code,
        get_excerpt(question),
        handles=handles,
        place={"handle": handle, "index": place},
    )


def add_question(content: BlockContent, handle: str, after: str) -> Edit:
    """Add an empty question, behind the one with the handle `after` or at the end."""
    place = content.place(after)
    at = len(content.questions) if place is None else place + 1
    return insert_question(content, handle, at, dict(quiz.build_question()), "question_added")


def duplicate_question(content: BlockContent, handle: str, copy: str) -> Edit:
    """Add a copy behind a question. Raises `QuestionGone`."""
    place, question = find_question(content, handle)
    return insert_question(content, copy, place + 1, quiz.copy_question(question), "question_duplicated")


def delete_question(content: BlockContent, handle: str) -> Edit:
    """Take a question out. Raises `QuestionGone`."""
    place, question = find_question(content, handle)
    return Edit(
        {**content.values, QUESTIONS: [q for at, q in enumerate(content.questions) if at != place]},
        "question_deleted",
        get_excerpt(question),
        handles=[h for h in content.handles if h != handle],
        place={"handle": handle, "index": place},
        before=question,
    )


def move_question(content: BlockContent, handle: str, to: int) -> Edit | None:
    """Move a question to a place, from 0. Raises `QuestionGone`."""
    place, question = find_question(content, handle)
    to = max(0, min(to, len(content.questions) - 1))
    if to == place:
        return None
    questions, handles = list(content.questions), list(content.handles)
    questions.insert(to, questions.pop(place))
    handles.insert(to, handles.pop(place))
    return Edit(
        {**content.values, QUESTIONS: questions},
        "question_moved",
        get_excerpt(question),
        handles=handles,
        place={"handle": handle, "index": place},
    )


def edit_settings(content: BlockContent, config: Package) -> Edit | None:
    """Write the settings."""
    if is_same(config, content.values.get(quiz.CONFIG)):
        return None
    return Edit(
        {**content.values, quiz.CONFIG: config}, "settings", place=describe_block(content), before=content.values
    )


def copy_structure(content: BlockContent, source: list[JSON], label: str) -> Edit | None:
    """Copy the structure of the quiz in another language."""
    questions = languages.copy_structure(source, content.questions)
    if is_same(questions, content.questions):
        return None
    handles = quiz.carry_handles(content.questions, content.handles, questions)
    return Edit(
        {**content.values, QUESTIONS: questions},
        "structure_copied",
        label,
        handles=handles,
        place=describe_block(content),
        before=content.values,
    )

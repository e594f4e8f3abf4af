"""Edits of the quiz's draft: what each does to the list of questions, and how it is written down for undo."""

from dataclasses import dataclass

from dashboard.ai_content.editor import BlockContent, Edit, StaleForm, describe_block
from dashboard.ai_content.rules import languages, quiz
from dashboard.ai_content.rules.difference import get_excerpt
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.ai_content.rules.quiz import QUESTIONS, TypedOption
from dashboard.platform_api.values import JSON


class QuestionGone(Exception):
    """The question is not there any more."""


@dataclass(frozen=True)
class PlacedQuestion:
    """A question found by its handle."""

    place: int
    question: JSON


def find_question(work: BlockContent, handle: str) -> PlacedQuestion:
    """The question with this handle. Raises `Gone`."""
    place = work.place(handle)
    if place is None:
        raise QuestionGone
    return PlacedQuestion(place, work.questions[place])


def edit_question(
    work: BlockContent, handle: str, text: str, options: tuple[TypedOption, ...], form_mark: str, code: str
) -> Edit | None:
    """Change text and alternatives of a question. Raises `Gone`, and `Stale` when another window changed it meanwhile."""
    placed = find_question(work, handle)
    after = quiz.edit_question(placed.question, text, options)
    if is_same(after, placed.question):
        return None
    if form_mark and form_mark != quiz.get_question_mark(placed.question):
        raise StaleForm
    questions = _replace_at(work.questions, placed.place, after)
    return Edit(
        {**work.values, QUESTIONS: questions},
        "question_edited",
        get_excerpt(after),
        place={"handle": handle, "index": placed.place},
        before=placed.question,
        field=f"{handle}" if code == "keep" else "",
    )


def replace_question(work: BlockContent, handle: str, value: JSON) -> Edit | None:
    """Put another value in the question's place: edited as JSON. Raises `Gone`."""
    placed = find_question(work, handle)
    if is_same(value, placed.question):
        return None
    return Edit(
        {**work.values, QUESTIONS: _replace_at(work.questions, placed.place, value)},
        "question_edited",
        get_excerpt(value),
        place={"handle": handle, "index": placed.place},
        before=placed.question,
    )


def _replace_at(questions: list[JSON], place: int, value: JSON) -> list[JSON]:
    return [*questions[:place], value, *questions[place + 1 :]]


def insert_question(work: BlockContent, handle: str, place: int, question: JSON, code: str) -> Edit:
    """Add a question at a place."""
    place = max(0, min(place, len(work.questions)))
    questions = [*work.questions[:place], question, *work.questions[place:]]
    handles = [*work.handles[:place], handle, *work.handles[place:]]
    return Edit(
        {**work.values, QUESTIONS: questions},
        code,
        get_excerpt(question),
        handles=handles,
        place={"handle": handle, "index": place},
    )


def add_question(work: BlockContent, handle: str, after: str) -> Edit:
    """Add an empty question, behind the one with the handle `after` or at the end."""
    place = work.place(after)
    at = len(work.questions) if place is None else place + 1
    return insert_question(work, handle, at, dict(quiz.build_question()), "question_added")


def duplicate_question(work: BlockContent, handle: str, copy: str) -> Edit:
    """Add a copy behind a question. Raises `Gone`."""
    placed = find_question(work, handle)
    return insert_question(work, copy, placed.place + 1, quiz.copy_question(placed.question), "question_duplicated")


def delete_question(work: BlockContent, handle: str) -> Edit:
    """Take a question out. Raises `Gone`."""
    placed = find_question(work, handle)
    return Edit(
        {**work.values, QUESTIONS: [q for at, q in enumerate(work.questions) if at != placed.place]},
        "question_deleted",
        get_excerpt(placed.question),
        handles=[h for h in work.handles if h != handle],
        place={"handle": handle, "index": placed.place},
        before=placed.question,
    )


def move_question(work: BlockContent, handle: str, to: int) -> Edit | None:
    """Move a question to a place, from 0. Raises `Gone`."""
    placed = find_question(work, handle)
    to = max(0, min(to, len(work.questions) - 1))
    if to == placed.place:
        return None
    questions, handles = list(work.questions), list(work.handles)
    questions.insert(to, questions.pop(placed.place))
    handles.insert(to, handles.pop(placed.place))
    return Edit(
        {**work.values, QUESTIONS: questions},
        "question_moved",
        get_excerpt(placed.question),
        handles=handles,
        place={"handle": handle, "index": placed.place},
    )


def edit_settings(work: BlockContent, config: Package) -> Edit | None:
    """Write the settings."""
    if is_same(config, work.values.get(quiz.CONFIG)):
        return None
    return Edit({**work.values, quiz.CONFIG: config}, "settings", place=describe_block(work), before=work.values)


def copy_structure(work: BlockContent, source: list[JSON], label: str) -> Edit | None:
    """Take over the structure of the quiz in another language."""
    questions = languages.copy_structure(source, work.questions)
    if is_same(questions, work.questions):
        return None
    handles = quiz.carry_handles(work.questions, work.handles, questions)
    return Edit(
        {**work.values, QUESTIONS: questions},
        "structure_copied",
        label,
        handles=handles,
        place=describe_block(work),
        before=work.values,
    )

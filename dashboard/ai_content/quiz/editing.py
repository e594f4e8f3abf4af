"""Edits of the quiz's draft: what each does to the list of questions, and how it is written down for undo."""

from dataclasses import dataclass

from dashboard.ai_content import drafts, undo_steps
from dashboard.ai_content.drafts import Made, Stale, Working
from dashboard.ai_content.rules import languages, quiz
from dashboard.ai_content.rules.package import JSON, Package, same
from dashboard.ai_content.rules.quiz import QUESTIONS, TypedOption
from dashboard.ai_content.summaries import excerpt


class Gone(Exception):
    """The question is not there any more."""


@dataclass(frozen=True)
class Position:
    """A question found by its handle."""

    place: int
    question: JSON


def find(work: Working, handle: str) -> Position:
    """The question with this handle. Raises `Gone`."""
    place = work.place(handle)
    if place is None:
        raise Gone
    return Position(place, work.questions[place])


def edited(
    work: Working, handle: str, text: str, options: tuple[TypedOption, ...], seen: str, code: str
) -> Made | None:
    """Change text and alternatives of a question. Raises `Gone`, and `Stale` when another window changed it meanwhile."""
    found = find(work, handle)
    after = quiz.edited(found.question, text, options)
    if same(after, found.question):
        return None
    if seen and seen != quiz.seen_mark(found.question):
        raise Stale
    questions = _with(work.questions, found.place, after)
    return Made(
        {**work.values, QUESTIONS: questions},
        "question_edited",
        excerpt(after),
        place={"handle": handle, "index": found.place},
        before=found.question,
        one_place=f"{handle}" if code == "keep" else "",
    )


def replaced(work: Working, handle: str, value: JSON) -> Made | None:
    """Put another value in the question's place: edited as JSON. Raises `Gone`."""
    found = find(work, handle)
    if same(value, found.question):
        return None
    return Made(
        {**work.values, QUESTIONS: _with(work.questions, found.place, value)},
        "question_edited",
        excerpt(value),
        place={"handle": handle, "index": found.place},
        before=found.question,
    )


def _with(questions: list[JSON], place: int, value: JSON) -> list[JSON]:
    return [*questions[:place], value, *questions[place + 1 :]]


def inserted(work: Working, handle: str, place: int, question: JSON, code: str) -> Made:
    """Add a question at a place."""
    place = max(0, min(place, len(work.questions)))
    questions = [*work.questions[:place], question, *work.questions[place:]]
    handles = [*work.handles[:place], handle, *work.handles[place:]]
    return Made(
        {**work.values, QUESTIONS: questions},
        code,
        excerpt(question),
        handles=handles,
        place={"handle": handle, "index": place},
    )


def added(work: Working, handle: str, after: str) -> Made:
    """Add an empty question, behind the one with the handle `after` or at the end."""
    place = work.place(after)
    at = len(work.questions) if place is None else place + 1
    return inserted(work, handle, at, dict(quiz.new_question()), "question_added")


def duplicated(work: Working, handle: str, copy: str) -> Made:
    """Add a copy behind a question. Raises `Gone`."""
    found = find(work, handle)
    return inserted(work, copy, found.place + 1, quiz.duplicate(found.question), "question_duplicated")


def deleted(work: Working, handle: str) -> Made:
    """Take a question out. Raises `Gone`."""
    found = find(work, handle)
    return Made(
        {**work.values, QUESTIONS: [q for at, q in enumerate(work.questions) if at != found.place]},
        "question_deleted",
        excerpt(found.question),
        handles=[h for h in work.handles if h != handle],
        place={"handle": handle, "index": found.place},
        before=found.question,
    )


def moved(work: Working, handle: str, to: int) -> Made | None:
    """Move a question to a place, from 0. Raises `Gone`."""
    found = find(work, handle)
    to = max(0, min(to, len(work.questions) - 1))
    if to == found.place:
        return None
    questions, handles = list(work.questions), list(work.handles)
    questions.insert(to, questions.pop(found.place))
    handles.insert(to, handles.pop(found.place))
    return Made(
        {**work.values, QUESTIONS: questions},
        "question_moved",
        excerpt(found.question),
        handles=handles,
        place={"handle": handle, "index": found.place},
    )


def with_settings(work: Working, config: Package) -> Made | None:
    """Write the settings."""
    if same(config, work.values.get(quiz.CONFIG)):
        return None
    return Made({**work.values, quiz.CONFIG: config}, "settings", place=undo_steps.whole(work), before=work.values)


def structured(work: Working, source: list[JSON], label: str) -> Made | None:
    """Take over the structure of the quiz in another language."""
    questions = languages.copy_structure(source, work.questions)
    if same(questions, work.questions):
        return None
    handles = quiz.carried(work.questions, work.handles, questions)
    return Made(
        {**work.values, QUESTIONS: questions},
        "structure_copied",
        label,
        handles=handles,
        place=undo_steps.whole(work),
        before=work.values,
    )


def new_handle() -> str:
    """A handle for a new question."""
    return drafts.new_handle()

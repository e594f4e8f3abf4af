"""Forms of the quiz, and its edits: each builds the new list of questions, and its undo step."""

from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import QueryDict

from dashboard.ai_content.editor import BlockContent, Edit, StaleForm, replace_block
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.difference import get_excerpt
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.ai_content.rules.quiz import QUESTIONS, TypedOption, normalize_line_ends
from dashboard.platform_api.values import JSON
from dashboard.shared.http import whole_number

PLACE_MOST: Final = 999_999
"""The last place in a list that a form can name."""
ACTIONS: Final = ("keep", "add", "delete", "up", "down", "copy", "only", "first")


@dataclass(frozen=True)
class QuestionForm:
    """A question as it was sent. `mark` is the mark of the question the form was made from."""

    text: str
    options: tuple[TypedOption, ...]
    mark: str
    action: str
    at: int
    """The alternative an action is about."""
    explanation: str | None = None
    """None: the form does not have it."""

    @property
    def new_options(self) -> tuple[TypedOption, ...]:
        """The alternatives after the action."""
        listed = list(self.options)
        if self.action == "add":
            return (*listed, TypedOption(None, "", correct=not listed))
        if not 0 <= self.at < len(listed):
            return self.options
        if self.action == "delete":
            del listed[self.at]
        elif self.action == "copy":
            listed.insert(self.at + 1, TypedOption(None, listed[self.at].text, correct=False))
        elif self.action == "only":
            return tuple(replace(option, correct=at == self.at) for at, option in enumerate(listed))
        elif self.action == "first":
            listed.insert(0, listed.pop(self.at))
        elif self.action in ("up", "down"):
            to = self.at + (1 if self.action == "down" else -1)
            if 0 <= to < len(listed):
                listed.insert(to, listed.pop(self.at))
        return tuple(listed)

    @property
    def focus(self) -> int | None:
        """The answer to focus after the action."""
        if self.action == "add":
            return len(self.options)
        moves = {
            "first": 0,
            "only": self.at,
            "delete": max(0, self.at - 1),
            "copy": self.at + 1,
            "up": max(0, self.at - 1),
            "down": self.at + 1,
        }
        return moves.get(self.action)


def parse_question_form(posted: QueryDict) -> QuestionForm:
    """Read a question form. The order of the alternatives is that of their fields `option`.

    Those are called by their place when the form was made; new ones begin with n.
    """
    action, _, at = posted.get("do", "keep").partition(":")
    rows = posted.getlist("option")
    correct = set(posted.getlist("correct"))
    texts = posted.getlist("text")
    options = tuple(
        TypedOption(whole_number(row, PLACE_MOST), normalize_line_ends(text), row in correct)
        for row, text in zip(rows, texts, strict=False)
    )
    return QuestionForm(
        text=normalize_line_ends(posted.get("enunciate", "")),
        options=options,
        mark=posted.get("seen", "")[:64],
        action=action if action in ACTIONS else "keep",
        explanation=posted.get("explanation"),
        at=-1 if (place := whole_number(at, PLACE_MOST)) is None else place,
    )


class QuestionGone(Exception):
    """The question was deleted."""


def find_question(content: BlockContent, handle: str) -> tuple[int, JSON]:
    """The place of the question with this handle, and the question. Raises `QuestionGone`."""
    place = content.place(handle)
    if place is None:
        raise QuestionGone
    return place, content.questions[place]


def _edit_list(
    content: BlockContent, questions: list[JSON], code: str, handle: str, place: int, question: JSON, **more: Any
) -> Edit:
    """An edit of the list that is about one question, which is or was at `place`; `more` are fields of `Edit`."""
    values = {**content.values, QUESTIONS: questions}
    return Edit(values, code, get_excerpt(question), place={"handle": handle, "index": place}, **more)


def edit_question(content: BlockContent, handle: str, form: QuestionForm) -> Edit | None:
    """Change a question. Raises `QuestionGone`, and `StaleForm` where another window changed it."""
    _place, question = find_question(content, handle)
    after = quiz.edit_question(question, form.text, form.new_options, form.explanation)
    if not is_same(after, question) and form.mark and form.mark != quiz.get_question_mark(question):
        raise StaleForm
    return replace_question(content, handle, after, field=handle if form.action == "keep" else "")


def replace_question(content: BlockContent, handle: str, value: JSON, field: str = "") -> Edit | None:
    """Replace a question by another value. Raises `QuestionGone`."""
    place, question = find_question(content, handle)
    if is_same(value, question):
        return None
    questions = [*content.questions[:place], value, *content.questions[place + 1 :]]
    return _edit_list(content, questions, "question_edited", handle, place, value, before=question, field=field)


def insert_question(content: BlockContent, handle: str, place: int, question: JSON, code: str) -> Edit:
    """Add a question at a place."""
    place = max(0, min(place, len(content.questions)))
    questions = [*content.questions[:place], question, *content.questions[place:]]
    handles = [*content.handles[:place], handle, *content.handles[place:]]
    return _edit_list(content, questions, code, handle, place, question, handles=handles)


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
    questions, handles = list(content.questions), list(content.handles)
    del questions[place], handles[place]
    return _edit_list(content, questions, "question_deleted", handle, place, question, handles=handles, before=question)


def move_question(content: BlockContent, handle: str, to: int) -> Edit | None:
    """Move a question to a place, from 0. Raises `QuestionGone`."""
    place, question = find_question(content, handle)
    to = max(0, min(to, len(content.questions) - 1))
    if to == place:
        return None
    questions, handles = list(content.questions), list(content.handles)
    questions.insert(to, questions.pop(place))
    handles.insert(to, handles.pop(place))
    return _edit_list(content, questions, "question_moved", handle, place, question, handles=handles)


def edit_settings(content: BlockContent, config: Package) -> Edit | None:
    """Write the settings."""
    if is_same(config, content.values.get(quiz.CONFIG)):
        return None
    return replace_block(content, {**content.values, quiz.CONFIG: config}, "settings")


def copy_structure(content: BlockContent, source: list[JSON], label: str) -> Edit | None:
    """Copy the structure of the quiz in another language."""
    questions = quiz.copy_structure(source, content.questions)
    if is_same(questions, content.questions):
        return None
    handles = quiz.carry_handles(content.questions, content.handles, questions)
    values = {**content.values, QUESTIONS: questions}
    return replace_block(content, values, "structure_copied", label, handles=handles)

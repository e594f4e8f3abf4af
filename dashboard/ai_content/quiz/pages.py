"""What the quiz's templates get: rows, one question, settings."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import drafts, messages
from dashboard.ai_content.drafts import Working
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.models import Step
from dashboard.ai_content.quiz.forms import QuestionForm
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.lint import Finding
from dashboard.ai_content.rules.package import JSON, Package, mark, written
from dashboard.ai_content.rules.quiz import Question, TypedOption
from dashboard.shared import formats

PLACEHOLDER = "xxxxxx"
"""Looking up an address costs more than putting one together: for hundreds of rows it is looked up once."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question in the list."""

    handle: str
    address: str
    text: str
    answers: str
    notes: str
    wrong: bool
    changed: bool
    current: bool


@dataclass(frozen=True)
class OptionRow:
    """One alternative in the form."""

    name: str
    letter: str
    text: str
    correct: bool
    focus: bool
    first: bool
    last: bool
    at: int


@dataclass(frozen=True)
class QuestionPage:
    """templates/ai_content/_question.html: the form of one question."""

    handle: str
    number: int
    count: int
    address: str
    text: str
    options: tuple[OptionRow, ...]
    seen: str
    notes: tuple[str, ...]
    extra: str
    json: str
    previous: str
    next: str
    list: str
    refusal: str
    stale: str
    focus: bool
    broken: bool
    json_error: str


@dataclass(frozen=True)
class Notes:
    """templates/ai_content/_quiz_notes.html: how many questions have notes, and the filter that shows them alone."""

    text: str
    only: bool
    all: str
    noted: str


@dataclass(frozen=True)
class Restorable:
    """A question that was deleted and can be put back."""

    step: int
    label: str


@dataclass(frozen=True)
class QuizPage:
    """templates/ai_content/quiz.html."""

    rows: tuple[Row, ...]
    count: str
    notes: Notes
    add: str
    settings: str
    compare: str
    preview: str
    deleted: tuple[Restorable, ...]
    undo: str
    readable: bool
    there: bool
    json: str
    question: QuestionPage | None


def quiz_page(editor: Editor, work: Working, handle: str, question: QuestionPage | None) -> QuizPage:
    """The list, with the question in hand beside it."""
    found = lint.lint(work.values)
    only = editor.request.GET.get("show") == "notes"
    rows = rows_of(editor, work, found, handle)
    return QuizPage(
        rows=tuple(row for row in rows if row.notes or not only),
        count=_count(len(work.questions)),
        notes=notes_of(editor, found),
        add=editor.address("add"),
        settings=editor.address("settings"),
        compare=editor.address("compare"),
        preview=editor.address("preview"),
        deleted=tuple(Restorable(step.pk, step.label or _("without text")) for step in _deleted(work)),
        undo=editor.address("undo"),
        readable=quiz.readable(work.values),
        there=quiz.QUESTIONS in work.values,
        json=written(dict(work.values), indent=2) if not quiz.readable(work.values) else "",
        question=question,
    )


def _deleted(work: Working) -> list[Step]:
    return [s for s in drafts.deleted_questions(work.draft) if s.place.get("handle") not in set(work.handles)]


def _count(count: int) -> str:
    return ngettext("%(count)s question", "%(count)s questions", count) % {"count": formats.number(count)}


def notes_of(editor: Editor, found: Sequence[Finding]) -> Notes:
    """The filter above the list; whether it is on is in the address of the page, also for a part of it."""
    shown = editor.request.headers.get("HX-Current-URL", "") or editor.request.get_full_path()
    only = "show=notes" in shown.partition("?")[2]
    count = len(lint.by_question(found))
    text = ngettext("%(count)s question to look at", "%(count)s questions to look at", count)
    said = text % {"count": formats.number(count)} if count else _("Nothing to look at") if only else ""
    return Notes(said, only, editor.address("quiz"), editor.address("quiz") + "?show=notes")


def rows_of(
    editor: Editor, work: Working, found: Sequence[Finding], current: str = "", only: set[str] | None = None
) -> list[Row]:
    """The rows of the list; with `only`, those of some handles."""
    noted = lint.by_question(found)
    base = {mark(question) for question in quiz.questions_of(work.base)} if work.draft else None
    stem = editor.address("question", PLACEHOLDER).removesuffix(f"{PLACEHOLDER}/")
    rows = []
    for place, (handle, question) in enumerate(zip(work.handles, work.questions, strict=True)):
        if only is None or handle in only:
            changed = base is not None and mark(question) not in base
            rows.append(_row(handle, f"{stem}{handle}/", question, noted.get(place, []), changed, handle == current))
    return rows


def _row(handle: str, address: str, question: JSON, noted: list[Finding], changed: bool, current: bool) -> Row:
    shown = quiz.reading(question)
    return Row(
        handle=handle,
        address=address,
        text=shown.text or _("Without text"),
        answers=_answers(shown),
        notes=messages.findings(noted[:3]),
        wrong=any(each.wrong for each in noted),
        changed=changed,
        current=current,
    )


def _answers(question: Question) -> str:
    letters = ", ".join(messages.letter(place) for place in question.correct)
    count = len(question.options)
    text = ngettext("%(count)s answer", "%(count)s answers", count) % {"count": count}
    return f"{text}, {_('correct: %(letters)s') % {'letters': letters}}" if letters else text


def question_page(
    editor: Editor,
    work: Working,
    handle: str,
    *,
    typed: QuestionForm | None = None,
    stale: bool = False,
    focus: int | None = None,
    whole: bool = False,
    json: str | None = None,
    json_error: str = "",
) -> QuestionPage:
    """The form of one question. `typed` is what was sent and could not be kept; `focus` an alternative to write in next."""
    place = work.handles.index(handle)
    question = work.questions[place]
    shown = quiz.reading(question)
    noted = [each for each in lint.lint(work.values) if each.question == place]
    text = typed.text if typed else shown.text
    options = typed.options if typed else _options(shown)
    return QuestionPage(
        handle=handle,
        number=place + 1,
        count=len(work.questions),
        address=editor.address("question", handle),
        text=text,
        options=tuple(_option_rows(options, focus)),
        seen=quiz.seen_mark(question),
        notes=tuple(messages.finding(each) for each in noted),
        extra=_extra(question),
        json=json if json is not None else written(question, indent=2),
        previous=editor.address("question", work.handles[place - 1]) if place else "",
        next=editor.address("question", work.handles[place + 1]) if place + 1 < len(work.handles) else "",
        list=editor.address("quiz"),
        refusal=_refusal(editor, handle),
        stale=shown.text if stale else "",
        focus=whole,
        broken=shown.broken is not None,
        json_error=json_error,
    )


def _options(question: Question) -> tuple[TypedOption, ...]:
    return tuple(TypedOption(at, option.text, option.correct) for at, option in enumerate(question.options))


def _option_rows(options: Sequence[TypedOption], focus: int | None) -> list[OptionRow]:
    return [
        OptionRow(
            name=str(option.origin) if option.origin is not None else f"n{at}",
            letter=messages.letter(at),
            text=option.text,
            correct=option.correct,
            focus=at == focus,
            first=at == 0,
            last=at == len(options) - 1,
            at=at,
        )
        for at, option in enumerate(options)
    ]


def _extra(question: JSON) -> str:
    """Keys of the question that the form does not show: they stay as they are."""
    known = ("id", "enunciate", "options")
    rest: Package = {k: v for k, v in question.items() if k not in known} if isinstance(question, dict) else {}
    return ", ".join(rest)


def _refusal(editor: Editor, handle: str) -> str:
    refusal = editor.document.refusal
    if not refusal or refusal.get("handle") != handle:
        return ""
    return _("The platform refused this question. It says: “%(words)s”.") % {"words": refusal.get("message") or "…"}


@dataclass(frozen=True)
class SwitchRow:
    """A switch of the settings."""

    key: str
    name: str
    hint: str
    on: bool


@dataclass(frozen=True)
class SettingsPage:
    """templates/ai_content/settings.html."""

    address: str
    number: str
    number_error: str
    switches: tuple[SwitchRow, ...]
    other: str
    quiz: str


def settings_page(editor: Editor, work: Working, typed: str | None = None) -> SettingsPage:
    """The settings; `typed` is a number that could not be kept."""
    found = quiz.settings_of(work.values.get(quiz.CONFIG))
    number = str(found.number) if found.number is not None else ""
    error = _("Write a whole number from 1 to 100, or nothing.") if typed is not None else ""
    if found.number_odd and typed is None:
        error = _("The file holds something here that is no whole number. It stays until you write one.")
    return SettingsPage(
        address=editor.address("settings"),
        number=number if typed is None else typed,
        number_error=error,
        switches=tuple(_switch(each) for each in found.switches),
        other=written(dict(found.other), indent=2) if found.other else "",
        quiz=editor.address("quiz"),
    )


def _switch(found: quiz.Switch) -> SwitchRow:
    names = {"show_results": _("Show results at the end")}
    hint = "" if found.explicit else _("Not in the file yet, which counts as on.")
    return SwitchRow(found.key, names.get(found.key, found.key), hint, found.on)

"""Pages of the quiz: rows, one question, settings."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import drafts, messages
from dashboard.ai_content.editor import BlockContent, Editor, get_handles
from dashboard.ai_content.models import Step, Version, get_content
from dashboard.ai_content.quiz.forms import QuestionForm
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.lint import Finding
from dashboard.ai_content.rules.package import Package, format_json, get_mark
from dashboard.ai_content.rules.quiz import QuizQuestion, TypedOption
from dashboard.platform_api.values import JSON
from dashboard.shared import formats

VERSIONS_COMPARED = 10
"""Versions that are looked through for the one in which an explanation was written."""
PLACEHOLDER = "xxxxxx"
"""Looking up an address costs more than putting one together: for hundreds of rows it is looked up once."""


@dataclass(frozen=True, slots=True)
class QuestionRow:
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
    explanation: str
    options: tuple[OptionRow, ...]
    right: tuple[OptionRow, ...]
    """Where several answers are marked as correct those; players take the first one alone (gaps 15, A5)."""
    mark: str
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
class QuizNotes:
    """templates/ai_content/_quiz_notes.html: how many questions have notes, and the filter that shows them alone."""

    text: str
    only: bool
    all: str
    noted: str


@dataclass(frozen=True)
class DeletedQuestion:
    """A question that was deleted and can be put back."""

    step: int
    label: str


@dataclass(frozen=True)
class QuizPage:
    """templates/ai_content/quiz.html."""

    rows: tuple[QuestionRow, ...]
    count: str
    notes: QuizNotes
    add: str
    settings: str
    compare: str
    preview: str
    deleted: tuple[DeletedQuestion, ...]
    undo: str
    readable: bool
    there: bool
    json: str
    question: QuestionPage | None


def build_quiz_page(editor: Editor, content: BlockContent, handle: str, question: QuestionPage | None) -> QuizPage:
    """Build the list, with the open question beside it."""
    findings = lint.lint_quiz(content.values)
    only = editor.request.GET.get("show") == "notes"
    rows = build_rows(editor, content, findings, handle)
    return QuizPage(
        rows=tuple(row for row in rows if row.notes or not only),
        count=_format_count(len(content.questions)),
        notes=build_notes(editor, findings),
        add=editor.address("add"),
        settings=editor.address("settings"),
        compare=editor.address("compare"),
        preview=editor.address("preview"),
        deleted=tuple(DeletedQuestion(step.pk, step.label or _("without text")) for step in _list_deleted(content)),
        undo=editor.address("undo"),
        readable=quiz.is_readable(content.values),
        there=quiz.QUESTIONS in content.values,
        json=format_json(dict(content.values), indent=2) if not quiz.is_readable(content.values) else "",
        question=question,
    )


def _list_deleted(content: BlockContent) -> list[Step]:
    return [
        s for s in drafts.list_deleted_questions(content.draft) if s.place.get("handle") not in set(content.handles)
    ]


def _format_count(count: int) -> str:
    return ngettext("%(count)s question", "%(count)s questions", count) % {"count": formats.number(count)}


def build_notes(editor: Editor, findings: Sequence[Finding]) -> QuizNotes:
    """The filter above the list; whether it is on is in the address of the page, also for a part of it."""
    address = editor.request.headers.get("HX-Current-URL", "") or editor.request.get_full_path()
    only = "show=notes" in address.partition("?")[2]
    count = len(lint.group_by_question(findings))
    text = ngettext("%(count)s question with notes", "%(count)s questions with notes", count)
    sentence = text % {"count": formats.number(count)} if count else _("No notes") if only else ""
    return QuizNotes(sentence, only, editor.address("quiz"), editor.address("quiz") + "?show=notes")


def build_rows(
    editor: Editor, content: BlockContent, findings: Sequence[Finding], current: str = "", only: set[str] | None = None
) -> list[QuestionRow]:
    """The rows of the list; with `only`, those of some handles."""
    noted = lint.group_by_question(findings)
    base = {get_mark(question) for question in quiz.get_questions(content.base)} if content.draft else None
    stem = editor.address("question", PLACEHOLDER).removesuffix(f"{PLACEHOLDER}/")
    rows = []
    for place, (handle, question) in enumerate(zip(content.handles, content.questions, strict=True)):
        if only is None or handle in only:
            changed = base is not None and get_mark(question) not in base
            rows.append(
                _build_row(handle, f"{stem}{handle}/", question, noted.get(place, []), changed, handle == current)
            )
    return rows


def _build_row(
    handle: str, address: str, question: JSON, noted: list[Finding], changed: bool, current: bool
) -> QuestionRow:
    parsed = quiz.parse_question(question)
    return QuestionRow(
        handle=handle,
        address=address,
        text=parsed.text or _("Without text"),
        answers=_format_answers(parsed),
        notes=messages.format_findings(noted[:3]),
        wrong=any(each.wrong for each in noted),
        changed=changed,
        current=current,
    )


def _format_answers(question: QuizQuestion) -> str:
    letters = ", ".join(messages.get_letter(place) for place in question.correct)
    count = len(question.options)
    text = ngettext("%(count)s answer", "%(count)s answers", count) % {"count": count}
    return f"{text}, {_('correct: %(letters)s') % {'letters': letters}}" if letters else text


def build_question_page(
    editor: Editor,
    content: BlockContent,
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
    place = content.handles.index(handle)
    question = content.questions[place]
    parsed = quiz.parse_question(question)
    noted = [each for each in lint.lint_quiz(content.values) if each.question == place]
    text = typed.text if typed else parsed.text
    options = tuple(_build_option_rows(typed.options if typed else _build_options(parsed), focus))
    right = tuple(option for option in options if option.correct)
    notes = [messages.format_finding(each) for each in noted]
    if _is_explanation_stale(editor, handle, question):
        notes.append(_("The explanation is older than the question or its answers. Check whether it still fits."))
    return QuestionPage(
        handle=handle,
        number=place + 1,
        count=len(content.questions),
        address=editor.address("question", handle),
        text=text,
        explanation=(typed.explanation if typed else None) or parsed.explanation,
        options=options,
        right=right if len(right) > 1 else (),
        mark=quiz.get_question_mark(question),
        notes=tuple(notes),
        extra=_list_other_keys(question),
        json=json if json is not None else format_json(question, indent=2),
        previous=editor.address("question", content.handles[place - 1]) if place else "",
        next=editor.address("question", content.handles[place + 1]) if place + 1 < len(content.handles) else "",
        list=editor.address("quiz"),
        refusal=_format_refusal(editor, handle),
        stale=parsed.text if stale else "",
        focus=whole,
        broken=parsed.broken is not None,
        json_error=json_error,
    )


def _is_explanation_stale(editor: Editor, handle: str, question: JSON) -> bool:
    """Whether text or answers changed after the explanation was written, as far as the last versions show it."""
    written = parsed = quiz.parse_question(question)
    sure = editor.document.versions.filter(kind__in=(Version.Kind.LOADED, Version.Kind.SAVED)).select_related("blob")
    for version in sure.order_by("-id")[:VERSIONS_COMPARED] if parsed.explanation else ():
        package = get_content(version.blob)
        handles = get_handles(version, package)
        found = quiz.get_questions(package)[handles.index(handle) :][:1] if handle in handles else []
        older = quiz.parse_question(found[0]) if found else None
        if older is None or older.explanation != parsed.explanation:
            break
        written = older
    return (written.text, written.options) != (parsed.text, parsed.options)


def _build_options(question: QuizQuestion) -> tuple[TypedOption, ...]:
    return tuple(TypedOption(at, option.text, option.correct) for at, option in enumerate(question.options))


def _build_option_rows(options: Sequence[TypedOption], focus: int | None) -> list[OptionRow]:
    return [
        OptionRow(
            name=str(option.origin) if option.origin is not None else f"n{at}",
            letter=messages.get_letter(at),
            text=option.text,
            correct=option.correct,
            focus=at == focus,
            first=at == 0,
            last=at == len(options) - 1,
            at=at,
        )
        for at, option in enumerate(options)
    ]


def _list_other_keys(question: JSON) -> str:
    """Keys of the question that the form does not show: they stay as they are."""
    known = ("id", "enunciate", "options", *((quiz.EXPLANATION,) if _has_text_or_none(question) else ()))
    rest: Package = {k: v for k, v in question.items() if k not in known} if isinstance(question, dict) else {}
    return ", ".join(rest)


def _has_text_or_none(question: JSON) -> bool:
    """Whether the form shows the explanation of a question whole."""
    return not isinstance(question, dict) or isinstance(question.get(quiz.EXPLANATION, ""), str | None)


def _format_refusal(editor: Editor, handle: str) -> str:
    refusal = editor.document.refusal
    if not refusal or refusal.get("handle") != handle:
        return ""
    explained = messages.explain_refusal(refusal)
    return f"{_('The platform refused this question.')} {explained.next_step} {explained.quoted}"


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


def build_settings_page(editor: Editor, content: BlockContent, typed: str | None = None) -> SettingsPage:
    """The settings; `typed` is a number that could not be kept."""
    settings = quiz.parse_settings(content.values.get(quiz.CONFIG))
    number = str(settings.number) if settings.number is not None else ""
    error = _("Write a whole number from 1 to 100, or nothing.") if typed is not None else ""
    if settings.number_odd and typed is None:
        error = _("The file has a value here that is not a whole number. It stays until you enter one.")
    return SettingsPage(
        address=editor.address("settings"),
        number=number if typed is None else typed,
        number_error=error,
        switches=tuple(_build_switch(each) for each in settings.switches),
        other=format_json(dict(settings.other), indent=2) if settings.other else "",
        quiz=editor.address("quiz"),
    )


def _build_switch(switch: quiz.QuizSwitch) -> SwitchRow:
    names = {"show_results": _("Show results at the end")}
    hint = "" if switch.explicit else _("Not in the file yet. The default is on.")
    return SwitchRow(switch.key, names.get(switch.key, switch.key), hint, switch.on)

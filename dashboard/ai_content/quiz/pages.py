"""Pages of the quiz: rows, and one question."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import drafts, messages
from dashboard.ai_content.editor import BlockContent, Editor, get_handles
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.quiz.forms import QuestionForm
from dashboard.ai_content.rules import lint, quiz
from dashboard.ai_content.rules.lint import Finding
from dashboard.ai_content.rules.package import Package, format_json, get_mark
from dashboard.ai_content.rules.quiz import QuizQuestion, TypedOption
from dashboard.platform_api.values import JSON

VERSIONS_COMPARED = 10
"""Versions that are looked through for the one in which an explanation was written."""


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question in the list, with its answers and notes in words."""

    handle: str
    text: str
    answers: str
    notes: str
    wrong: bool
    changed: bool


def build_quiz(editor: Editor, content: BlockContent) -> dict[str, Any]:
    """What templates/ai_content/quiz.html shows beside the open question."""
    findings = lint.lint_quiz(content.values)
    notes, is_readable = build_notes(editor, findings), quiz.is_readable(content.values)
    deleted = drafts.list_deleted_questions(content.draft)
    return {
        "rows": [
            row for row in build_rows(content, findings) if row.notes or editor.request.GET.get("show") != "notes"
        ],
        "stem": editor.address("quiz"),
        "total": len(content.questions),
        "notes": notes,
        "deleted": [step for step in deleted if step.place.get("handle") not in set(content.handles)],
        "is_readable": is_readable,
        "is_there": quiz.QUESTIONS in content.values,
        "json": "" if is_readable else format_json(dict(content.values), indent=2),
    }


def build_notes(editor: Editor, findings: Sequence[Finding]) -> dict[str, Any]:
    """How many questions have notes, and whether the list shows them alone, by the address of the page."""
    address = editor.request.headers.get("HX-Current-URL", "") or editor.request.get_full_path()
    return {
        "count": len(lint.group_by_question(findings)),
        "only": "show=notes" in address.partition("?")[2],
        "stem": editor.address("quiz"),
    }


def build_rows(
    content: BlockContent, findings: Sequence[Finding], only: Collection[str] | None = None
) -> list[QuestionRow]:
    """The rows of the list; with `only`, those of some handles."""
    noted = lint.group_by_question(findings)
    base = {get_mark(question) for question in quiz.get_questions(content.base)} if content.draft else None
    rows = []
    for place, (handle, question) in enumerate(zip(content.handles, content.questions, strict=True)):
        if only is None or handle in only:
            parsed, notes = quiz.parse_question(question), noted.get(place, [])
            rows.append(
                QuestionRow(
                    handle=handle,
                    text=parsed.text,
                    answers=_format_answers(parsed),
                    notes=messages.format_findings(notes[:3]),
                    wrong=any(each.wrong for each in notes),
                    changed=base is not None and get_mark(question) not in base,
                )
            )
    return rows


def _format_answers(question: QuizQuestion) -> str:
    letters = ", ".join(messages.get_letter(place) for place in question.correct)
    count = len(question.options)
    text = ngettext("%(count)s answer", "%(count)s answers", count) % {"count": count}
    return f"{text}, {_('correct: %(letters)s') % {'letters': letters}}" if letters else text


def build_question(
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
) -> dict[str, Any]:
    """What templates/ai_content/_question.html shows of one question.

    `typed` is what was sent and could not be kept; `focus` an answer to write in next, `whole` the question. `right` are
    the correct answers where there are several; players take the first one alone (gaps 15, A5).
    """
    place = content.handles.index(handle)
    question = content.questions[place]
    parsed = quiz.parse_question(question)
    options = typed.options if typed else [TypedOption(at, o.text, o.correct) for at, o in enumerate(parsed.options)]
    right = [(at, messages.get_letter(at)) for at, option in enumerate(options) if option.correct]
    notes = [messages.format_finding(each) for each in lint.lint_quiz(content.values) if each.question == place]
    if _is_explanation_stale(editor, handle, question):
        notes.append(_("The explanation is older than the question or its answers. Check whether it still fits."))
    return {
        "handle": handle,
        "number": place + 1,
        "count": len(content.questions),
        "address": editor.address("question", handle),
        "text": typed.text if typed else parsed.text,
        "explanation": (typed.explanation if typed else None) or parsed.explanation,
        "options": [
            (f"n{at}" if option.origin is None else option.origin, messages.get_letter(at), option)
            for at, option in enumerate(options)
        ],
        "right": right if len(right) > 1 else [],
        "mark": quiz.get_question_mark(question),
        "notes": notes,
        "extra": _list_other_keys(question),
        "json": format_json(question, indent=2) if json is None else json,
        "previous": content.handles[place - 1] if place else "",
        "next": content.handles[place + 1] if place + 1 < len(content.handles) else "",
        "refusal": _format_refusal(editor, handle),
        "stale": parsed.text if stale else "",
        "focus": whole,
        "focused_answer": focus,
        "broken": parsed.broken,
        "json_error": json_error,
    }


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

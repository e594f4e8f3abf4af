"""The quiz: its list, one question, its settings, its comparison with another language, and its preview for viewers.

Every edit is stored in the draft and can be undone.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import push_url

from dashboard.ai_content import pages, quiz_edits, versions
from dashboard.ai_content.editor import (
    BlockContent,
    Edit,
    EditBuilder,
    Editor,
    StaleForm,
    build_handle,
    get_handles,
)
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.rules import quiz as rules
from dashboard.ai_content.rules.package import Block, NotAPackage, format_json, get_mark, parse_package
from dashboard.ai_content.rules.quiz import Finding, QuizQuestion, StructureDifference, TypedOption
from dashboard.ai_content.versions import LEGACY, list_languages
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.platform_api.values import JSON
from dashboard.shared import refusals
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number

OPTIONS_MOST: Final = 100
"""Answers that a player can be told to show."""
VERSIONS_COMPARED: Final = 10
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
    findings = rules.lint_quiz(content.values)
    notes, is_readable = build_notes(editor, findings), rules.is_readable(content.values)
    deleted = versions.list_deleted_questions(content.draft)
    return {
        "rows": [
            row for row in build_rows(content, findings) if row.notes or editor.request.GET.get("show") != "notes"
        ],
        "stem": editor.address("quiz"),
        "total": len(content.questions),
        "notes": notes,
        "deleted": [step for step in deleted if step.place.get("handle") not in set(content.handles)],
        "is_readable": is_readable,
        "is_there": rules.QUESTIONS in content.values,
        "json": "" if is_readable else format_json(dict(content.values), indent=2),
    }


def build_notes(editor: Editor, findings: Sequence[Finding]) -> dict[str, Any]:
    """How many questions have notes, and whether the list shows them alone, by the address of the page."""
    address = editor.request.headers.get("HX-Current-URL", "") or editor.request.get_full_path()
    return {
        "count": len(rules.group_by_question(findings)),
        "only": "show=notes" in address.partition("?")[2],
        "stem": editor.address("quiz"),
    }


def build_rows(
    content: BlockContent, findings: Sequence[Finding], only: Collection[str] | None = None
) -> list[QuestionRow]:
    """The rows of the list; with `only`, those of some handles."""
    noted = rules.group_by_question(findings)
    base = {get_mark(question) for question in rules.get_questions(content.base)} if content.draft else None
    rows = []
    for place, (handle, question) in enumerate(zip(content.handles, content.questions, strict=True)):
        if only is None or handle in only:
            parsed, notes = rules.parse_question(question), noted.get(place, [])
            rows.append(
                QuestionRow(
                    handle=handle,
                    text=parsed.text,
                    answers=_format_answers(parsed),
                    notes=pages.format_findings(notes[:3]),
                    wrong=any(each.wrong for each in notes),
                    changed=base is not None and get_mark(question) not in base,
                )
            )
    return rows


def _format_answers(question: QuizQuestion) -> str:
    letters = ", ".join(pages.get_letter(place) for place in question.correct)
    count = len(question.options)
    text = ngettext("%(count)s answer", "%(count)s answers", count) % {"count": count}
    return f"{text}, {_('correct: %(letters)s') % {'letters': letters}}" if letters else text


def build_question(
    editor: Editor,
    content: BlockContent,
    handle: str,
    *,
    typed: quiz_edits.QuestionForm | None = None,
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
    parsed = rules.parse_question(question)
    options = typed.options if typed else [TypedOption(at, o.text, o.correct) for at, o in enumerate(parsed.options)]
    right = [(at, pages.get_letter(at)) for at, option in enumerate(options) if option.correct]
    notes = [pages.format_finding(each) for each in rules.lint_quiz(content.values) if each.question == place]
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
            (f"n{at}" if option.origin is None else option.origin, pages.get_letter(at), option)
            for at, option in enumerate(options)
        ],
        "right": right if len(right) > 1 else [],
        "mark": rules.get_question_mark(question),
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
    written = parsed = rules.parse_question(question)
    sure = editor.document.versions.filter(kind__in=(Version.Kind.LOADED, Version.Kind.SAVED)).select_related("blob")
    for version in sure.order_by("-id")[:VERSIONS_COMPARED] if parsed.explanation else ():
        package = get_content(version.blob)
        handles = get_handles(version, package)
        found = rules.get_questions(package)[handles.index(handle) :][:1] if handle in handles else []
        older = rules.parse_question(found[0]) if found else None
        if older is None or older.explanation != parsed.explanation:
            break
        written = older
    return (written.text, written.options) != (parsed.text, parsed.options)


def _list_other_keys(question: JSON) -> str:
    """Keys of the question that the form does not show: they stay as they are."""
    values = question if isinstance(question, dict) else {}
    known = ["id", "enunciate", "options"]
    if isinstance(values.get(rules.EXPLANATION), str | None):
        known.append(rules.EXPLANATION)
    return ", ".join(key for key in values if key not in known)


def _format_refusal(editor: Editor, handle: str) -> str:
    refusal = editor.document.refusal
    if not refusal or refusal.get("handle") != handle:
        return ""
    explained = pages.explain_refusal(refusal)
    return f"{_('The platform refused this question.')} {explained.next_step} {explained.quoted}"


def _list_changed_rows(editor: Editor, before: BlockContent, after: BlockContent, handle: str) -> list[pages.Part]:
    """The row of a question, the rows whose notes changed with it, and the count of notes."""
    old, new = _list_notes(before), _list_notes(after)
    handles = {each for each in after.handles if old.get(each) != new.get(each)} | {handle}
    findings = rules.lint_quiz(after.values)
    shared = {"stem": editor.address("quiz"), "current": handle, "answer": True}
    rows = [("ai_content/_quiz_row.html", {**shared, "row": row}) for row in build_rows(after, findings, handles)]
    return [*rows, ("ai_content/_quiz_notes.html", {"notes": build_notes(editor, findings), "answer": True})]


def _list_notes(content: BlockContent) -> dict[str, list[str]]:
    """The notes of each question, by its handle."""
    notes = rules.group_by_question(rules.lint_quiz(content.values))
    return {
        handle: [f"{finding.code}{finding.option}" for finding in notes.get(place, [])]
        for place, handle in enumerate(content.handles)
    }


@require_safe
@pages.with_fresh_document
def quiz(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The list of questions."""
    return _render_page(editor, editor.get_content(Block.QUIZ))


@require_http_methods(["GET", "POST"])
@pages.with_stored_document
def question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """One question: its form, and what its form sends."""
    show = _save_question if request.method == "POST" else _render_question
    return show(request, editor, handle)


def _render_question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """The form of the question for htmx, else the whole page with it."""
    content = editor.get_content(Block.QUIZ)
    if content.place(handle) is None:
        messages.info(request, _("This question is not there any more. It was deleted, or never saved."))
        return pages.redirect_to(editor, "quiz")
    if request.htmx and request.htmx.target == "question":
        page = build_question(editor, content, handle, whole=True)
        return render(request, "ai_content/_question.html", {"question": page})
    return _render_page(editor, content, handle)


def _save_question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Store the form of a question in the draft; nothing typed is lost where another window changed or deleted it."""
    form = quiz_edits.parse_question_form(request.POST)
    before = editor.get_content(Block.QUIZ)
    try:
        after = editor.edit(Block.QUIZ, lambda content: quiz_edits.edit_question(content, handle, form))
    except StaleForm:
        return _render_stale(editor, handle, form)
    except quiz_edits.QuestionGone:
        return _add_typed_question(editor, form)
    if not request.htmx:
        return redirect(_get_next_address(editor, after, handle))
    template = "ai_content/_kept.html" if form.action == "keep" else "ai_content/_question.html"
    part = {"question": build_question(editor, after, handle, focus=form.focus), "answer": True}
    return pages.render_parts(editor, (template, part), *_list_changed_rows(editor, before, after, handle))


def _get_next_address(editor: Editor, content: BlockContent, handle: str) -> str:
    """The page after a form that was sent without htmx: the next question where the button says so, else the same one."""
    step = 1 if editor.request.POST.get("then", "") == "next" else 0
    place = content.handles.index(handle) + step
    return editor.address("question", content.handles[min(place, len(content.handles) - 1)])


def _render_stale(editor: Editor, handle: str, form: quiz_edits.QuestionForm) -> HttpResponse:
    """422: another window changed the question. Shows what was typed here, and the question's text now."""
    content = editor.get_content(Block.QUIZ)
    if content.place(handle) is None:
        return _add_typed_question(editor, form)
    page = build_question(editor, content, handle, typed=form, stale=True)
    if not editor.request.htmx:
        return _render_page(editor, content, handle, page, status=422)
    return pages.render_parts(editor, ("ai_content/_question.html", {"question": page, "answer": True}), status=422)


def _add_typed_question(editor: Editor, form: quiz_edits.QuestionForm) -> HttpResponse:
    """Store what was typed as a new question: another window deleted the one it was typed in."""
    handle = build_handle()

    def insert(content: BlockContent) -> Edit:
        question = rules.edit_question({}, form.text, form.options, form.explanation)
        return quiz_edits.insert_question(content, handle, len(content.questions), question, "question_added")

    editor.edit(Block.QUIZ, insert)
    messages.warning(
        editor.request,
        _("The question you were writing in was deleted in another window. What you typed is a new question now."),
    )
    return pages.redirect_to(editor, "question", handle)


@require_POST
@pages.with_stored_document
def add(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Add a question after the one that is open, or at the end."""
    handle = build_handle()
    previous = request.POST.get("after", "")
    return _edit_list(editor, handle, lambda content: quiz_edits.add_question(content, handle, previous))


@require_POST
@pages.with_stored_document
def duplicate(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Add a copy after the question."""
    copy = build_handle()
    return _edit_list(editor, copy, lambda content: quiz_edits.duplicate_question(content, handle, copy))


@require_POST
@pages.with_stored_document
def move(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Move a question: `to` is a number from 1, or `up` or `down`."""

    def edit(content: BlockContent) -> Edit | None:
        place, _question = quiz_edits.find_question(content, handle)
        return quiz_edits.move_question(content, handle, _parse_target(request, place))

    return _edit_list(editor, handle, edit, listed=True)


def _parse_target(request: OwnerRequest, place: int) -> int:
    """The place that the form asks for, from 0; the question's own where it names none."""
    target = request.POST.get("to", "")
    if target in ("up", "down"):
        return place - 1 if target == "up" else place + 1
    return place if (number := whole_number(target, quiz_edits.PLACE_MOST)) is None else number - 1


@require_POST
@pages.with_stored_document
def delete(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Delete a question; a message and the list offer to put it back."""
    before = editor.get_content(Block.QUIZ)
    try:
        after = editor.edit(Block.QUIZ, lambda content: quiz_edits.delete_question(content, handle))
    except quiz_edits.QuestionGone:
        return pages.redirect_to(editor, "quiz")
    place = before.place(handle) or 0
    neighbour = after.handles[min(place, len(after.handles) - 1)] if after.handles else ""
    if not request.htmx:
        messages.success(request, _("Question deleted. You can restore it below the list."))
        return redirect(editor.address("question", neighbour) if neighbour else editor.address("quiz"))
    if not neighbour:
        return pages.redirect_to(editor, "quiz")
    page, step = build_question(editor, after, neighbour, whole=True), versions.get_last_step(after.draft)
    sentence = _("Question %(number)s deleted.") % {"number": place + 1}
    response = pages.render_parts(
        editor,
        ("ai_content/_question.html", {"question": page, "answer": True}),
        ("ai_content/_quiz_row_gone.html", {"handle": handle}),
        *_list_changed_rows(editor, before, after, neighbour),
        ("ai_content/_toast.html", {"sentence": sentence, "step": step}),
    )
    return push_url(response, page["address"])


def _edit_list(editor: Editor, handle: str, edit: EditBuilder, *, listed: bool = False) -> HttpResponse:
    """Apply an edit of the list and open the question. `listed`: the page already has its row, which is moved."""
    try:
        after = editor.edit(Block.QUIZ, edit)
    except quiz_edits.QuestionGone:
        return pages.redirect_to(editor, "quiz")
    if not editor.request.htmx or editor.request.POST.get("plain"):
        return pages.redirect_to(editor, "question", handle)
    page, place = build_question(editor, after, handle, whole=True), after.handles.index(handle)
    row = {
        "row": build_rows(after, rules.lint_quiz(after.values), {handle})[0],
        "stem": editor.address("quiz"),
        "current": handle,
        "after": after.handles[place - 1] if place else "",
    }
    gone: list[pages.Part] = [("ai_content/_quiz_row_gone.html", {"handle": handle})]
    response = pages.render_parts(
        editor,
        *(gone if listed else []),
        ("ai_content/_quiz_row_put.html", row),
        ("ai_content/_question.html", {"question": page, "answer": True}),
    )
    return push_url(response, page["address"])


@require_POST
@pages.with_stored_document
def json(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """A question as JSON: for what the form cannot show."""
    typed = request.POST.get("json", "")
    content = editor.get_content(Block.QUIZ)
    if content.place(handle) is None:
        return pages.redirect_to(editor, "quiz")
    try:
        value = parse_package(typed)
    except NotAPackage as error:
        page = build_question(editor, content, handle, json=typed, json_error=pages.format_reason(error.code))
        return _render_page(editor, content, handle, page, status=422)
    editor.edit(Block.QUIZ, lambda content: quiz_edits.replace_question(content, handle, value))
    return pages.redirect_to(editor, "question", handle)


@require_http_methods(["GET", "POST"])
@pages.with_stored_document
def settings(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """How the quiz behaves: every switch written out, absent ones shown as on."""
    known = rules.parse_settings(editor.get_content(Block.QUIZ).values.get(rules.CONFIG))
    if request.method == "GET":
        return _render_settings(editor, known)
    typed, on = request.POST.get("num_answers", "").strip(), request.POST.getlist("on")
    number = whole_number(typed, OPTIONS_MOST) or None
    if typed and number is None:
        return _render_settings(editor, known, typed, status=422)
    switches = {switch.key: switch.key in on for switch in known.switches}  # those that the page showed

    def edit(content: BlockContent) -> Edit | None:
        before = content.values.get(rules.CONFIG)
        set_number = not known.number_odd or number is not None
        return quiz_edits.edit_settings(content, rules.apply_settings(before, number, switches, set_number=set_number))

    editor.edit(Block.QUIZ, edit)
    messages.success(request, _("Settings saved to your draft. They are sent with the next save."))
    return pages.redirect_to(editor, "settings")


def _render_settings(
    editor: Editor, known: rules.QuizSettings, typed: str | None = None, status: int = 200
) -> HttpResponse:
    """The settings; `typed` is a number that could not be kept."""
    other = format_json(dict(known.other), indent=2) if known.other else ""
    context = {"settings": known, "typed": typed, "wrong": known.number_odd or typed is not None, "other": other}
    return pages.render_page(editor, "quiz", "ai_content/settings.html", status, **context)


@require_POST
@pages.with_known_document
def put_back(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Put back a deleted question from the toast: the row returns where it was."""
    pk = request.POST.get("step", "")
    step = editor.undo(Block.QUIZ, whole_number(pk, ROW_MOST))
    handle = str(step.place.get("handle", "")) if step else ""
    content = editor.get_content(Block.QUIZ)
    if step is None or content.place(handle) is None:
        messages.info(request, _("Nothing left to undo."))
        return pages.redirect_to(editor, "quiz")
    return _edit_list(editor, handle, lambda _content: None)


def _render_page(
    editor: Editor,
    content: BlockContent,
    handle: str = "",
    question: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    if question is None and handle:
        question = build_question(editor, content, handle)
    page = build_quiz(editor, content)
    return pages.render_page(editor, "quiz", "ai_content/quiz.html", status, question=question, current=handle, **page)


Side: TypeAlias = dict[str, Any]
DIFFERENCES = {
    StructureDifference.MISSING: lambda: _("Missing there"),
    StructureDifference.EXTRA: lambda: _("Missing here"),
    StructureDifference.MOVED: lambda: _("In a different position"),
    StructureDifference.OPTIONS: lambda: _("Different number of answers"),
    StructureDifference.CORRECT: lambda: _("Different correct answers"),
    StructureDifference.SAME_TEXT: lambda: _("Identical text, probably not translated"),
}


@require_http_methods(["GET", "POST"])
@pages.with_fresh_document
def compare(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Two languages side by side; POST copies the structure of the other one into this one's draft."""
    words = _list_other_words(editor)
    word = request.POST.get("with") or request.GET.get("with") or (words[0] if words else "")
    if word and word not in words:
        raise Http404
    theirs, trouble = _load_other(editor, word) if word else (None, "")
    if request.method == "POST" and theirs is not None:
        source = list(theirs.questions)
        editor.edit(Block.QUIZ, lambda w: quiz_edits.copy_structure(w, source, pages.get_language_name(word)))
        messages.success(request, _("Structure copied into your draft. Translate the new texts."))
        return pages.redirect_to(editor, "quiz")
    pairs = _list_pairs(editor.get_content(Block.QUIZ), theirs) if theirs else []
    return pages.render_page(
        editor,
        "quiz",
        "ai_content/compare.html",
        other=word,
        other_name=pages.get_language_name(word) if word else "",
        other_lang="" if word == LEGACY else word,
        others=[(each, pages.get_language_name(each)) for each in words],
        is_loaded=theirs is not None,
        pairs=pairs,
        different=sum(1 for _ours, _theirs, apart in pairs if apart),
        trouble=trouble,
    )


def _list_other_words(editor: Editor) -> list[str]:
    try:
        video = versions.get_video(editor.request, editor.document.video_id)
    except CallError:
        return []
    return [word for word in list_languages(video) if word != editor.word]


def _load_other(editor: Editor, word: str) -> tuple[BlockContent | None, str]:
    """Load the quiz in the other language, or the error message."""
    try:
        other = pages.open_editor(editor.request, editor.document.video_id, word)
    except PlatformError as error:
        return None, refusals.explain(error).sentence
    except NotAPackage as error:
        return None, pages.format_reason(error.code)
    return other.get_content(Block.QUIZ), ""


def _list_pairs(ours: BlockContent, theirs: BlockContent) -> list[tuple[Side | None, Side | None, list[str]]]:
    """The questions of both languages, one row each, and how they differ."""
    return [
        (_build_side(ours, row.ours), _build_side(theirs, row.theirs), [DIFFERENCES[each]() for each in row.apart])
        for row in rules.compare_questions(ours.questions, theirs.questions)
    ]


def _build_side(content: BlockContent, place: int | None) -> Side | None:
    """A question in one language: its number, its handle, its text, and its answers, each with its letter."""
    if place is None:
        return None
    parsed = rules.parse_question(content.questions[place])
    options = [(pages.get_letter(at), option) for at, option in enumerate(parsed.options)]
    return {"number": place + 1, "handle": content.handles[place], "text": parsed.text, "options": options}


@require_http_methods(["GET", "POST"])
@pages.with_stored_document
def preview(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The quiz as viewers take it, with drafts. Nothing is stored."""
    content, is_done = editor.get_content(Block.QUIZ), request.method == "POST"
    switches = {each.key: each.on for each in rules.parse_settings(content.values.get(rules.CONFIG)).switches}
    parsed = [rules.parse_question(question) for question in content.questions]
    questions = [
        _build_question(place, question, request.POST)
        for place, question in enumerate(parsed)
        if question.broken is None and question.text.strip() and question.options
    ]
    return pages.render_page(
        editor,
        "quiz",
        "ai_content/preview.html",
        questions=questions,
        is_done=is_done,
        shows_results=switches.get("show_results", True),
        right=sum(1 for each in questions if is_done and each["is_right"]),
        skipped=len(parsed) - len(questions),
    )


def _build_question(place: int, question: rules.QuizQuestion, posted: QueryDict) -> dict[str, Any]:
    """A question as a viewer sees it: its answers with whether each is chosen and whether it counts as correct."""
    places = {whole_number(value, quiz_edits.PLACE_MOST) for value in posted.getlist(f"a{place}")} - {None}
    right = question.correct[:1]
    choices = [(at, option.text, at in places, at in right) for at, option in enumerate(question.options)]
    return {"place": place, "question": question, "choices": choices, "is_right": places == set(right)}

"""The quiz: its forms and edits, its list, one question, its settings, its comparison with another language, and its preview.

Every edit is stored in the draft and can be undone.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import push_url

from dashboard.ai_content import pages, versions
from dashboard.ai_content.editor import (
    BlockContent,
    Edit,
    EditBuilder,
    Editor,
    StaleForm,
    build_handle,
    get_handles,
    replace_block,
)
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.rules import quiz as rules
from dashboard.ai_content.rules.difference import get_excerpt
from dashboard.ai_content.rules.package import (
    Block,
    NotAPackage,
    Package,
    format_json,
    get_mark,
    is_same,
    parse_package,
)
from dashboard.ai_content.rules.quiz import (
    QUESTIONS,
    Finding,
    QuizQuestion,
    StructureDifference,
    TypedOption,
    normalize_line_ends,
)
from dashboard.ai_content.versions import LEGACY, list_languages
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.platform_api.values import JSON
from dashboard.shared import refusals
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number

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
    after = rules.edit_question(question, form.text, form.new_options, form.explanation)
    if not is_same(after, question) and form.mark and form.mark != rules.get_question_mark(question):
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
    return insert_question(content, handle, at, dict(rules.build_question()), "question_added")


def duplicate_question(content: BlockContent, handle: str, copy: str) -> Edit:
    """Add a copy behind a question. Raises `QuestionGone`."""
    place, question = find_question(content, handle)
    return insert_question(content, copy, place + 1, rules.copy_question(question), "question_duplicated")


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
    if is_same(config, content.values.get(rules.CONFIG)):
        return None
    return replace_block(content, {**content.values, rules.CONFIG: config}, "settings")


def copy_structure(content: BlockContent, source: list[JSON], label: str) -> Edit | None:
    """Copy the structure of the quiz in another language."""
    questions = rules.copy_structure(source, content.questions)
    if is_same(questions, content.questions):
        return None
    handles = rules.carry_handles(content.questions, content.handles, questions)
    values = {**content.values, QUESTIONS: questions}
    return replace_block(content, values, "structure_copied", label, handles=handles)


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
                    notes=" ".join(map(pages.format_finding, notes[:3])),
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
        context = {"question": page, "video_id": editor.document.video_id, "word": editor.word}
        return render(request, "ai_content/_question.html", context)
    return _render_page(editor, content, handle)


def _save_question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Store the form of a question in the draft; nothing typed is lost where another window changed or deleted it."""
    form = parse_question_form(request.POST)
    before = editor.get_content(Block.QUIZ)
    try:
        after = editor.edit(Block.QUIZ, lambda content: edit_question(content, handle, form))
    except StaleForm:
        return _render_stale(editor, handle, form)
    except QuestionGone:
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


def _render_stale(editor: Editor, handle: str, form: QuestionForm) -> HttpResponse:
    """422: another window changed the question. Shows what was typed here, and the question's text now."""
    content = editor.get_content(Block.QUIZ)
    if content.place(handle) is None:
        return _add_typed_question(editor, form)
    page = build_question(editor, content, handle, typed=form, stale=True)
    if not editor.request.htmx:
        return _render_page(editor, content, handle, page, status=422)
    return pages.render_parts(editor, ("ai_content/_question.html", {"question": page, "answer": True}), status=422)


def _add_typed_question(editor: Editor, form: QuestionForm) -> HttpResponse:
    """Store what was typed as a new question: another window deleted the one it was typed in."""
    handle = build_handle()

    def insert(content: BlockContent) -> Edit:
        question = rules.edit_question({}, form.text, form.options, form.explanation)
        return insert_question(content, handle, len(content.questions), question, "question_added")

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
    return _apply_edit(editor, handle, lambda content: add_question(content, handle, previous))


@require_POST
@pages.with_stored_document
def duplicate(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Add a copy after the question."""
    copy = build_handle()
    return _apply_edit(editor, copy, lambda content: duplicate_question(content, handle, copy))


@require_POST
@pages.with_stored_document
def move(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Move a question: `to` is a number from 1, or `up` or `down`."""

    def edit(content: BlockContent) -> Edit | None:
        place, _question = find_question(content, handle)
        return move_question(content, handle, _parse_target(request, place))

    return _apply_edit(editor, handle, edit, listed=True)


def _parse_target(request: OwnerRequest, place: int) -> int:
    """The place that the form asks for, from 0; the question's own where it names none."""
    target = request.POST.get("to", "")
    if target in ("up", "down"):
        return place - 1 if target == "up" else place + 1
    return place if (number := whole_number(target, PLACE_MOST)) is None else number - 1


@require_POST
@pages.with_stored_document
def delete(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Delete a question; a message and the list offer to put it back."""
    before = editor.get_content(Block.QUIZ)
    try:
        after = editor.edit(Block.QUIZ, lambda content: delete_question(content, handle))
    except QuestionGone:
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


def _apply_edit(editor: Editor, handle: str, edit: EditBuilder, *, listed: bool = False) -> HttpResponse:
    """Apply an edit of the list and open the question. `listed`: the page already has its row, which is moved."""
    try:
        after = editor.edit(Block.QUIZ, edit)
    except QuestionGone:
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
    editor.edit(Block.QUIZ, lambda content: replace_question(content, handle, value))
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
        return edit_settings(content, rules.apply_settings(before, number, switches, set_number=set_number))

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
    return _apply_edit(editor, handle, lambda _content: None)


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
        editor.edit(Block.QUIZ, lambda w: copy_structure(w, source, pages.get_language_name(word)))
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
    places = {whole_number(value, PLACE_MOST) for value in posted.getlist(f"a{place}")} - {None}
    right = question.correct[:1]
    choices = [(at, option.text, at in places, at in right) for at, option in enumerate(question.options)]
    return {"place": place, "question": question, "choices": choices, "is_right": places == set(right)}

"""The quiz: its list, one question, its settings. Every edit is stored in the draft and can be undone."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import push_url

from dashboard.ai_content import drafts, undo_steps
from dashboard.ai_content.decorators import with_fresh_document, with_known_document, with_stored_document
from dashboard.ai_content.editor import BlockContent, Edit, EditBuilder, Editor, StaleForm, build_handle
from dashboard.ai_content.messages import format_reason
from dashboard.ai_content.models import Step
from dashboard.ai_content.pages import Part, redirect_to, render_page, render_parts
from dashboard.ai_content.quiz import edits, pages
from dashboard.ai_content.quiz.edits import QuestionGone
from dashboard.ai_content.quiz.forms import PLACE_MOST, QuestionForm, parse_question_form, parse_settings_form
from dashboard.ai_content.rules import lint
from dashboard.ai_content.rules import quiz as rules
from dashboard.ai_content.rules.package import Block, NotAPackage, format_json, parse_package
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number


class QuizPatch:
    """The parts of the page that an edit of the quiz changes, for htmx: each is swapped in its own place."""

    def __init__(self, editor: Editor, content: BlockContent) -> None:
        self.editor = editor
        self.content = content
        self.parts: list[Part] = []

    def add_question(self, question: dict[str, Any]) -> None:
        """Show the form of a question."""
        self.parts.append(("ai_content/_question.html", {"question": question, "answer": True}))

    def add_saved(self, question: dict[str, Any]) -> None:
        """Show in the question's form that it is saved."""
        self.parts.append(("ai_content/_kept.html", {"question": question, "answer": True}))

    def insert_row(self, handle: str) -> None:
        """Insert the row of a question at its place."""
        place = self.content.handles.index(handle)
        row = pages.build_rows(self.content, lint.lint_quiz(self.content.values), {handle})[0]
        previous = self.content.handles[place - 1] if place else ""
        self.parts.append(
            ("ai_content/_quiz_row_put.html", self._build_context(row=row, current=handle, after=previous))
        )

    def remove_row(self, handle: str) -> None:
        """Remove the row of a question."""
        self.parts.append(("ai_content/_quiz_row_gone.html", {"handle": handle}))

    def update_rows(self, handle: str, before: BlockContent) -> None:
        """Replace the row of a question, the rows whose notes changed with it, and the count of notes."""
        old, new = _list_notes(before), _list_notes(self.content)
        handles = {each for each in self.content.handles if old.get(each) != new.get(each)} | {handle}
        findings = lint.lint_quiz(self.content.values)
        for row in pages.build_rows(self.content, findings, handles):
            context = self._build_context(row=row, current=handle, answer=True)
            self.parts.append(("ai_content/_quiz_row.html", context))
        notes = pages.build_notes(self.editor, findings)
        self.parts.append(("ai_content/_quiz_notes.html", {"notes": notes, "answer": True}))

    def add_toast(self, sentence: str, step: Step | None) -> None:
        """Show a message with an undo button for the step."""
        self.parts.append(("ai_content/_toast.html", {"sentence": sentence, "step": step}))

    def _build_context(self, **context: object) -> dict[str, object]:
        return {"stem": self.editor.address("quiz"), **context}

    def render(self, status: int = 200) -> HttpResponse:
        """Render the parts in the order in which they were added."""
        return render_parts(self.editor, *self.parts, status=status)


def _list_notes(content: BlockContent) -> dict[str, list[str]]:
    """The notes of each question, by its handle."""
    notes = lint.group_by_question(lint.lint_quiz(content.values))
    return {
        handle: [f"{finding.code}{finding.option}" for finding in notes.get(place, [])]
        for place, handle in enumerate(content.handles)
    }


@require_safe
@with_fresh_document
def quiz(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The list of questions."""
    return _render_page(editor, editor.get_content(Block.QUIZ))


@require_http_methods(["GET", "POST"])
def question(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """One question: its form, and what its form sends."""
    view = _save_question if request.method == "POST" else _render_question
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@with_stored_document
def _render_question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """The form of the question for htmx, else the whole page with it."""
    content = editor.get_content(Block.QUIZ)
    if content.place(handle) is None:
        messages.info(request, _("This question is not there any more. It was deleted, or never saved."))
        return redirect_to(editor, "quiz")
    if request.htmx and request.htmx.target == "question":
        page = pages.build_question(editor, content, handle, whole=True)
        return render(request, "ai_content/_question.html", {"question": page})
    return _render_page(editor, content, handle)


@with_stored_document
def _save_question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Store the form of a question in the draft; nothing typed is lost where another window changed or deleted it."""
    form = parse_question_form(request.POST)
    before = editor.get_content(Block.QUIZ)
    try:
        after = editor.edit(Block.QUIZ, lambda content: edits.edit_question(content, handle, form))
    except StaleForm:
        return _render_stale(editor, handle, form)
    except QuestionGone:
        return _add_typed_question(editor, form)
    if not request.htmx:
        return redirect(_get_next_address(editor, after, handle))
    patch = QuizPatch(editor, after)
    if form.action == "keep":
        patch.add_saved(pages.build_question(editor, after, handle))
    else:
        patch.add_question(pages.build_question(editor, after, handle, focus=form.focus))
    patch.update_rows(handle, before)
    return patch.render()


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
    page = pages.build_question(editor, content, handle, typed=form, stale=True)
    if not editor.request.htmx:
        return _render_page(editor, content, handle, page, status=422)
    patch = QuizPatch(editor, content)
    patch.add_question(page)
    return patch.render(status=422)


def _add_typed_question(editor: Editor, form: QuestionForm) -> HttpResponse:
    """Store what was typed as a new question: another window deleted the one it was typed in."""
    handle = build_handle()

    def insert(content: BlockContent) -> Edit:
        question = rules.edit_question({}, form.text, form.options, form.explanation)
        return edits.insert_question(content, handle, len(content.questions), question, "question_added")

    editor.edit(Block.QUIZ, insert)
    messages.warning(
        editor.request,
        _("The question you were writing in was deleted in another window. What you typed is a new question now."),
    )
    return redirect_to(editor, "question", handle)


@require_POST
@with_stored_document
def add(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Add a question after the one that is open, or at the end."""
    handle = build_handle()
    previous = request.POST.get("after", "")
    return _edit_list(editor, handle, lambda content: edits.add_question(content, handle, previous))


@require_POST
@with_stored_document
def duplicate(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Add a copy after the question."""
    copy = build_handle()
    return _edit_list(editor, copy, lambda content: edits.duplicate_question(content, handle, copy))


@require_POST
@with_stored_document
def move(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Move a question: `to` is a number from 1, or `up` or `down`."""

    def edit(content: BlockContent) -> Edit | None:
        place, _question = edits.find_question(content, handle)
        return edits.move_question(content, handle, _parse_target(request, place))

    return _edit_list(editor, handle, edit, listed=True)


def _parse_target(request: OwnerRequest, place: int) -> int:
    """The place that the form asks for, from 0; the question's own where it names none."""
    target = request.POST.get("to", "")
    if target in ("up", "down"):
        return place - 1 if target == "up" else place + 1
    return place if (number := whole_number(target, PLACE_MOST)) is None else number - 1


@require_POST
@with_stored_document
def delete(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Delete a question; a message and the list offer to put it back."""
    before = editor.get_content(Block.QUIZ)
    try:
        after = editor.edit(Block.QUIZ, lambda content: edits.delete_question(content, handle))
    except QuestionGone:
        return redirect_to(editor, "quiz")
    place = before.place(handle) or 0
    neighbour = after.handles[min(place, len(after.handles) - 1)] if after.handles else ""
    if not request.htmx:
        messages.success(request, _("Question deleted. You can restore it below the list."))
        return redirect(editor.address("question", neighbour) if neighbour else editor.address("quiz"))
    if not neighbour:
        return redirect_to(editor, "quiz")
    patch, page = QuizPatch(editor, after), pages.build_question(editor, after, neighbour, whole=True)
    patch.add_question(page)
    patch.remove_row(handle)
    patch.update_rows(neighbour, before)
    patch.add_toast(_("Question %(number)s deleted.") % {"number": place + 1}, drafts.get_last_step(after.draft))
    return push_url(patch.render(), page["address"])


def _edit_list(editor: Editor, handle: str, edit: EditBuilder, *, listed: bool = False) -> HttpResponse:
    """Apply an edit of the list and open the question. `listed`: the page already has its row, which is moved."""
    try:
        after = editor.edit(Block.QUIZ, edit)
    except QuestionGone:
        return redirect_to(editor, "quiz")
    if not editor.request.htmx or editor.request.POST.get("plain"):
        return redirect_to(editor, "question", handle)
    patch, page = QuizPatch(editor, after), pages.build_question(editor, after, handle, whole=True)
    if listed:
        patch.remove_row(handle)
    patch.insert_row(handle)
    patch.add_question(page)
    return push_url(patch.render(), page["address"])


@require_POST
@with_stored_document
def json(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """A question as JSON: for what the form cannot show."""
    typed = request.POST.get("json", "")
    content = editor.get_content(Block.QUIZ)
    if content.place(handle) is None:
        return redirect_to(editor, "quiz")
    try:
        value = parse_package(typed)
    except NotAPackage as error:
        page = pages.build_question(editor, content, handle, json=typed, json_error=format_reason(error.code))
        return _render_page(editor, content, handle, page, status=422)
    editor.edit(Block.QUIZ, lambda content: edits.replace_question(content, handle, value))
    return redirect_to(editor, "question", handle)


@require_http_methods(["GET", "POST"])
@with_stored_document
def settings(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """How the quiz behaves: every switch written out, absent ones shown as on."""
    content = editor.get_content(Block.QUIZ)
    if request.method == "GET":
        return _render_settings(editor, content)
    config = content.values.get(rules.CONFIG)
    known = rules.parse_settings(config)
    form = parse_settings_form(request.POST, known)
    if form.error:
        return _render_settings(editor, content, form.typed, status=422)
    number_stays = known.number_odd and form.number is None
    editor.edit(
        Block.QUIZ,
        lambda content: edits.edit_settings(
            content,
            rules.apply_settings(
                content.values.get(rules.CONFIG), form.number, form.switches, set_number=not number_stays
            ),
        ),
    )
    messages.success(request, _("Settings saved to your draft. They are sent with the next save."))
    return redirect_to(editor, "settings")


def _render_settings(
    editor: Editor, content: BlockContent, typed: str | None = None, status: int = 200
) -> HttpResponse:
    known = rules.parse_settings(content.values.get(rules.CONFIG))
    other = format_json(dict(known.other), indent=2) if known.other else ""
    context = {"settings": known, "typed": typed, "wrong": known.number_odd or typed is not None, "other": other}
    return render_page(editor, "quiz", "ai_content/settings.html", status, **context)


@require_POST
@with_known_document
def put_back(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Put back a deleted question from the toast: the row returns where it was."""
    pk = request.POST.get("step", "")
    step = undo_steps.undo_step(editor, Block.QUIZ, whole_number(pk, ROW_MOST))
    handle = str(step.place.get("handle", "")) if step else ""
    content = editor.get_content(Block.QUIZ)
    if step is None or content.place(handle) is None:
        messages.info(request, _("Nothing left to undo."))
        return redirect_to(editor, "quiz")
    return _edit_list(editor, handle, lambda _content: None)


def _render_page(
    editor: Editor,
    content: BlockContent,
    handle: str = "",
    question: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    if question is None and handle:
        question = pages.build_question(editor, content, handle)
    page = pages.build_quiz(editor, content)
    return render_page(editor, "quiz", "ai_content/quiz.html", status, question=question, current=handle, **page)

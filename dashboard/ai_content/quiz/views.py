"""The quiz: its list, one question, its settings; every edit is kept as a draft and can be taken back."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import push_url

from dashboard.ai_content import drafts, undo_steps
from dashboard.ai_content import pages as frames
from dashboard.ai_content.decorators import with_fresh_document, with_known_document, with_stored_document
from dashboard.ai_content.editor import BlockContent, Edit, Editor, StaleForm, build_handle
from dashboard.ai_content.messages import format_reason
from dashboard.ai_content.pages import Part, build_toast, redirect_to, render_parts
from dashboard.ai_content.quiz import editing, pages
from dashboard.ai_content.quiz.editing import QuestionGone
from dashboard.ai_content.quiz.forms import PLACE_MOST, QuestionForm, parse_question_form, parse_settings_form
from dashboard.ai_content.rules import lint
from dashboard.ai_content.rules import quiz as rules
from dashboard.ai_content.rules.package import Block, NotAPackage, parse_package
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number


@require_safe
@with_fresh_document
def quiz(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The list of questions."""
    return _page(editor, editor.get_content(Block.QUIZ))


@require_http_methods(["GET", "POST"])
def question(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """One question: its form, and what its form sends."""
    view = _keep_question if request.method == "POST" else _show_question
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@with_stored_document
def _show_question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """The form alone where only that is asked for, else the whole page with it."""
    work = editor.get_content(Block.QUIZ)
    if work.place(handle) is None:
        messages.info(request, _("This question is not there any more. It was deleted, or never saved."))
        return redirect_to(editor, "quiz")
    if request.htmx and request.htmx.target == "question":
        shown = pages.build_question_page(editor, work, handle, whole=True)
        return render(request, "ai_content/_question.html", {"question": shown})
    return _page(editor, work, handle)


@with_stored_document
def _keep_question(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Keep what was typed. A question that is gone or was changed elsewhere is shown with what was typed, nothing lost."""
    form = parse_question_form(request.POST)
    before = editor.get_content(Block.QUIZ)
    try:
        work = editor.edit(
            Block.QUIZ, lambda w: editing.edit_question(w, handle, form.text, form.acted, form.seen, form.action)
        )
    except StaleForm:
        return _typed(editor, editor.get_content(Block.QUIZ), handle, form)
    except QuestionGone:
        return _gone(editor, form)
    if not request.htmx:
        return redirect(_next(editor, work, handle))
    if form.action == "keep":
        return render_parts(editor, *_after_keep(editor, before, work, handle))
    shown = pages.build_question_page(editor, work, handle, focus=form.focus)
    part = ("ai_content/_question.html", {"question": shown, "answer": True})
    return render_parts(editor, part, *_changed_rows(editor, before, work, handle))


def _next(editor: Editor, work: BlockContent, handle: str) -> str:
    """After a plain form: the question the person asked for, else the same one."""
    wanted = editor.request.POST.get("then", "")
    place = work.handles.index(handle) + (1 if wanted == "next" else 0)
    return editor.address("question", work.handles[min(place, len(work.handles) - 1)])


def _after_keep(editor: Editor, before: BlockContent, work: BlockContent, handle: str) -> list[Part]:
    """The mark of what is kept, the question's notes, and the rows that read differently now."""
    shown = pages.build_question_page(editor, work, handle)
    return [
        ("ai_content/_kept.html", {"question": shown, "answer": True}),
        *_changed_rows(editor, before, work, handle),
    ]


def _changed_rows(editor: Editor, before: BlockContent, work: BlockContent, handle: str) -> list[Part]:
    """The row of the question, and those of others whose notes changed with it."""
    old, new = _noted(before), _noted(work)
    touched = {h for h in work.handles if old.get(h) != new.get(h)} | {handle}
    found = lint.lint_quiz(work.values)
    rows = pages.build_rows(editor, work, found, handle, touched)
    listed: list[Part] = [("ai_content/_quiz_row.html", {"row": row, "answer": True}) for row in rows]
    return [*listed, ("ai_content/_quiz_notes.html", {"notes": pages.build_notes(editor, found), "answer": True})]


def _noted(work: BlockContent) -> dict[str, list[str]]:
    found = lint.group_by_question(lint.lint_quiz(work.values))
    return {handle: [f"{f.code}{f.option}" for f in found.get(at, [])] for at, handle in enumerate(work.handles)}


def _typed(editor: Editor, work: BlockContent, handle: str, form: QuestionForm) -> HttpResponse:
    """Another window changed the question: what was typed here, and what it says there now."""
    if work.place(handle) is None:
        return _gone(editor, form)
    shown = pages.build_question_page(editor, work, handle, typed=form, stale=True)
    if editor.request.htmx:
        return render_parts(editor, ("ai_content/_question.html", {"question": shown, "answer": True}), status=422)
    return _page(editor, work, handle, shown, status=422)


def _gone(editor: Editor, form: QuestionForm) -> HttpResponse:
    """The question was deleted meanwhile: what was typed becomes a new one, said openly and easily undone."""
    handle = build_handle()

    def put(work: BlockContent) -> Edit:
        question = rules.edit_question({}, form.text, form.options)
        return editing.insert_question(work, handle, len(work.questions), question, "question_added")

    editor.edit(Block.QUIZ, put)
    messages.warning(
        editor.request,
        _("The question you were writing in was deleted in another window. What you typed is a new question now."),
    )
    return redirect_to(editor, "question", handle)


@require_POST
@with_stored_document
def add(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """A new question, behind the one in hand or at the end."""
    handle = build_handle()
    return _structural(editor, handle, lambda work: editing.add_question(work, handle, request.POST.get("after", "")))


@require_POST
@with_stored_document
def duplicate(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """A copy behind the question."""
    copy = build_handle()
    return _structural(editor, copy, lambda work: editing.duplicate_question(work, handle, copy))


@require_POST
@with_stored_document
def move(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """To another place: `to` counts from 1; `up` and `down` by one."""

    def change(work: BlockContent) -> Edit | None:
        return editing.move_question(work, handle, _target(request, editing.find_question(work, handle).place))

    return _structural(editor, handle, change, listed=True)


def _target(request: OwnerRequest, place: int) -> int:
    to = request.POST.get("to", "")
    if to in ("up", "down"):
        return place - 1 if to == "up" else place + 1
    return place if (number := whole_number(to, PLACE_MOST)) is None else number - 1


@require_POST
@with_stored_document
def delete(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """Take a question out; a toast and the list offer to put it back."""
    before = editor.get_content(Block.QUIZ)
    try:
        work = editor.edit(Block.QUIZ, lambda w: editing.delete_question(w, handle))
    except QuestionGone:
        return redirect_to(editor, "quiz")
    place = before.handles.index(handle) if handle in before.handles else 0
    left = work.handles[min(place, len(work.handles) - 1)] if work.handles else ""
    step = drafts.get_last_step(work.draft)
    if not request.htmx:
        messages.success(request, _("Question deleted. You can put it back below the list."))
        return redirect(editor.address("question", left) if left else editor.address("quiz"))
    number = place + 1
    sentence = _("Question %(number)s deleted.") % {"number": number}
    said = build_toast(editor, sentence, step.pk if step else None, "quiz")
    if not left:
        return redirect_to(editor, "quiz")
    shown = pages.build_question_page(editor, work, left, whole=True)
    removed = ("ai_content/_quiz_row_gone.html", {"handle": handle})
    row = _changed_rows(editor, before, work, left)
    form = ("ai_content/_question.html", {"question": shown, "answer": True})
    return push_url(render_parts(editor, form, removed, *row, said), shown.address)


def _structural(
    editor: Editor, handle: str, change: Callable[[BlockContent], Edit | None], *, listed: bool = False
) -> HttpResponse:
    """An edit of the list: the row at its new place, and the question in hand. `listed`: the page shows the row already."""
    try:
        work = editor.edit(Block.QUIZ, change)
    except QuestionGone:
        return redirect_to(editor, "quiz")
    if not editor.request.htmx or editor.request.POST.get("plain"):
        return redirect_to(editor, "question", handle)
    place = work.handles.index(handle)
    rows = pages.build_rows(editor, work, lint.lint_quiz(work.values), handle, {handle})
    before = work.handles[place - 1] if place else ""
    shown = pages.build_question_page(editor, work, handle, whole=True)
    gone: list[Part] = [("ai_content/_quiz_row_gone.html", {"handle": handle})] if listed else []
    parts = render_parts(
        editor,
        *gone,
        ("ai_content/_quiz_row_put.html", {"row": rows[0], "after": before}),
        ("ai_content/_question.html", {"question": shown, "answer": True}),
    )
    return push_url(parts, shown.address)


@require_POST
@with_stored_document
def json(request: OwnerRequest, editor: Editor, handle: str) -> HttpResponse:
    """A question as JSON: for what the form cannot show."""
    typed = request.POST.get("json", "")
    work = editor.get_content(Block.QUIZ)
    if work.place(handle) is None:
        return redirect_to(editor, "quiz")
    try:
        value = parse_package(typed)
    except NotAPackage as error:
        shown = pages.build_question_page(editor, work, handle, json=typed, json_error=format_reason(error.code))
        return _page(editor, work, handle, shown, status=422)
    editor.edit(Block.QUIZ, lambda w: editing.replace_question(w, handle, value))
    return redirect_to(editor, "question", handle)


@require_http_methods(["GET", "POST"])
@with_stored_document
def settings(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """How the quiz behaves: every switch written out, absent ones shown as on."""
    work = editor.get_content(Block.QUIZ)
    if request.method == "GET":
        return _settings(editor, work)
    config = work.values.get(rules.CONFIG)
    known = rules.parse_settings(config)
    form = parse_settings_form(request.POST, known)
    if form.error:
        return _settings(editor, work, form.typed, status=422)
    number_stays = known.number_odd and form.number is None
    editor.edit(
        Block.QUIZ,
        lambda w: editing.edit_settings(
            w, rules.apply_settings(w.values.get(rules.CONFIG), form.number, form.switches, set_number=not number_stays)
        ),
    )
    messages.success(request, _("Settings kept. They are sent with the next save."))
    return redirect_to(editor, "settings")


def _settings(editor: Editor, work: BlockContent, typed: str | None = None, status: int = 200) -> HttpResponse:
    context = {"shell": frames.build_frame(editor, "quiz"), "page": pages.build_settings_page(editor, work, typed)}
    return render(editor.request, "ai_content/settings.html", context, status=status)


@require_POST
@with_known_document
def put_back(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Put back a deleted question from the toast: the row returns where it was."""
    pk = request.POST.get("step", "")
    step = undo_steps.undo_step(editor, Block.QUIZ, whole_number(pk, ROW_MOST))
    handle = str(step.place.get("handle", "")) if step else ""
    work = editor.get_content(Block.QUIZ)
    if step is None or work.place(handle) is None:
        messages.info(request, _("There is nothing to undo any more."))
        return redirect_to(editor, "quiz")
    return _structural(editor, handle, lambda w: None)


def _page(
    editor: Editor,
    work: BlockContent,
    handle: str = "",
    question: pages.QuestionPage | None = None,
    status: int = 200,
) -> HttpResponse:
    if question is None and handle:
        question = pages.build_question_page(editor, work, handle)
    shown = pages.build_quiz_page(editor, work, handle, question)
    context = {"shell": frames.build_frame(editor, "quiz"), "page": shown}
    return render(editor.request, "ai_content/quiz.html", context, status=status)

"""The quiz compared with another language, and its preview for viewers."""

from typing import Any, TypeAlias

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.ai_content import sync
from dashboard.ai_content.decorators import open_editor, with_fresh_document, with_stored_document
from dashboard.ai_content.editor import BlockContent, Editor
from dashboard.ai_content.languages import LEGACY, list_languages
from dashboard.ai_content.messages import format_reason, get_language_name, get_letter
from dashboard.ai_content.pages import redirect_to, render_page
from dashboard.ai_content.quiz import edits
from dashboard.ai_content.quiz.forms import PLACE_MOST
from dashboard.ai_content.rules import languages, quiz
from dashboard.ai_content.rules.languages import StructureDifference
from dashboard.ai_content.rules.package import Block, NotAPackage
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest, whole_number

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
@with_fresh_document
def compare(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Two languages side by side; POST copies the structure of the other one into this one's draft."""
    words = _list_other_words(editor)
    word = request.POST.get("with") or request.GET.get("with") or (words[0] if words else "")
    if word and word not in words:
        raise Http404
    theirs, trouble = _load_other(editor, word) if word else (None, "")
    if request.method == "POST" and theirs is not None:
        source = list(theirs.questions)
        editor.edit(Block.QUIZ, lambda w: edits.copy_structure(w, source, get_language_name(word)))
        messages.success(request, _("Structure copied into your draft. Translate the new texts."))
        return redirect_to(editor, "quiz")
    pairs = _list_pairs(editor.get_content(Block.QUIZ), theirs) if theirs else []
    return render_page(
        editor,
        "quiz",
        "ai_content/compare.html",
        other=word,
        other_name=get_language_name(word) if word else "",
        other_lang="" if word == LEGACY else word,
        others=[(each, get_language_name(each)) for each in words],
        is_loaded=theirs is not None,
        pairs=pairs,
        different=sum(1 for _ours, _theirs, apart in pairs if apart),
        trouble=trouble,
    )


def _list_other_words(editor: Editor) -> list[str]:
    try:
        video = sync.get_video(editor.request, editor.document.video_id)
    except CallError:
        return []
    return [word for word in list_languages(video) if word != editor.word]


def _load_other(editor: Editor, word: str) -> tuple[BlockContent | None, str]:
    """Load the quiz in the other language, or the error message."""
    try:
        other = open_editor(editor.request, editor.document.video_id, word)
    except PlatformError as error:
        return None, refusals.explain(error).sentence
    except NotAPackage as error:
        return None, format_reason(error.code)
    return other.get_content(Block.QUIZ), ""


def _list_pairs(ours: BlockContent, theirs: BlockContent) -> list[tuple[Side | None, Side | None, list[str]]]:
    """The questions of both languages, one row each, and how they differ."""
    return [
        (_build_side(ours, row.ours), _build_side(theirs, row.theirs), [DIFFERENCES[each]() for each in row.apart])
        for row in languages.compare_questions(ours.questions, theirs.questions)
    ]


def _build_side(content: BlockContent, place: int | None) -> Side | None:
    """A question in one language: its number, its handle, its text, and its answers, each with its letter."""
    if place is None:
        return None
    parsed = quiz.parse_question(content.questions[place])
    options = [(get_letter(at), option) for at, option in enumerate(parsed.options)]
    return {"number": place + 1, "handle": content.handles[place], "text": parsed.text, "options": options}


@require_http_methods(["GET", "POST"])
@with_stored_document
def preview(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The quiz as viewers take it, with drafts. Nothing is stored."""
    content, is_done = editor.get_content(Block.QUIZ), request.method == "POST"
    switches = {each.key: each.on for each in quiz.parse_settings(content.values.get(quiz.CONFIG)).switches}
    parsed = [quiz.parse_question(question) for question in content.questions]
    questions = [
        _build_question(place, question, request.POST)
        for place, question in enumerate(parsed)
        if question.broken is None and question.text.strip() and question.options
    ]
    return render_page(
        editor,
        "quiz",
        "ai_content/preview.html",
        questions=questions,
        is_done=is_done,
        shows_results=switches.get("show_results", True),
        right=sum(1 for each in questions if is_done and each["is_right"]),
        skipped=len(parsed) - len(questions),
    )


def _build_question(place: int, question: quiz.QuizQuestion, posted: QueryDict) -> dict[str, Any]:
    """A question as a viewer sees it: its answers with whether each is chosen and whether it counts as correct."""
    places = {whole_number(value, PLACE_MOST) for value in posted.getlist(f"a{place}")} - {None}
    right = question.correct[:1]
    choices = [(at, option.text, at in places, at in right) for at, option in enumerate(question.options)]
    return {"place": place, "question": question, "choices": choices, "is_right": places == set(right)}

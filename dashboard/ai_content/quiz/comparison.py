"""The quiz compared with another language, and its preview for viewers."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.ai_content import sync
from dashboard.ai_content.decorators import open_editor, with_fresh_document, with_stored_document
from dashboard.ai_content.editor import BlockContent, Editor
from dashboard.ai_content.languages import LEGACY, PageLink, list_languages
from dashboard.ai_content.messages import format_reason, get_language_name, get_letter
from dashboard.ai_content.pages import build_frame, redirect_to
from dashboard.ai_content.quiz import edits
from dashboard.ai_content.quiz.forms import PLACE_MOST
from dashboard.ai_content.rules import languages, quiz
from dashboard.ai_content.rules.languages import StructureDifference
from dashboard.ai_content.rules.package import Block, NotAPackage
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.platform_api.values import JSON
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest, whole_number

DIFFERENCES = {
    StructureDifference.MISSING: lambda: _("Missing there"),
    StructureDifference.EXTRA: lambda: _("Missing here"),
    StructureDifference.MOVED: lambda: _("In a different position"),
    StructureDifference.OPTIONS: lambda: _("Different number of answers"),
    StructureDifference.CORRECT: lambda: _("Different correct answers"),
    StructureDifference.SAME_TEXT: lambda: _("Identical text, probably not translated"),
}


@dataclass(frozen=True)
class QuestionSide:
    """A question in one language."""

    number: int
    text: str
    options: tuple[tuple[str, str, bool], ...]
    """Letter, text, correct."""
    address: str


@dataclass(frozen=True)
class QuestionPair:
    """A question in both languages, and how they differ."""

    ours: QuestionSide | None
    theirs: QuestionSide | None
    apart: tuple[str, ...]


@dataclass(frozen=True)
class ComparePage:
    """templates/ai_content/compare.html."""

    ours: str
    ours_lang: str
    theirs: str
    theirs_lang: str
    others: tuple[PageLink, ...]
    pairs: tuple[QuestionPair, ...]
    summary: str
    copy: str
    word: str
    trouble: str
    quiz: str


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
    page = _build_compare_page(editor, editor.get_content(Block.QUIZ), word, words, theirs, trouble)
    context = {"shell": build_frame(editor, "quiz"), "page": page}
    return render(request, "ai_content/compare.html", context)


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


def _build_compare_page(
    editor: Editor, content: BlockContent, word: str, words: list[str], theirs: BlockContent | None, trouble: str
) -> ComparePage:
    rows = languages.compare_questions(content.questions, theirs.questions) if theirs else ()
    pairs = tuple(
        QuestionPair(
            _build_side(editor, content, row.ours, editor.word),
            _build_side(editor, theirs, row.theirs, word),
            tuple(DIFFERENCES[each]() for each in row.apart),
        )
        for row in rows
        if theirs is not None
    )
    count = sum(1 for pair in pairs if pair.apart)
    if count:
        text = ngettext("%(count)s question differs.", "%(count)s questions differ.", count) % {"count": count}
    else:
        text = _("Same questions, same order, same correct answers.") if theirs else ""
    return ComparePage(
        ours=get_language_name(editor.word),
        ours_lang=editor.document.lang,
        theirs=get_language_name(word) if word else "",
        theirs_lang="" if word == LEGACY else word,
        others=tuple(
            PageLink(get_language_name(each), f"{editor.address('compare')}?with={each}", each == word)
            for each in words
        ),
        pairs=pairs,
        summary=text,
        copy=editor.address("compare") if count and theirs is not None else "",
        word=word,
        trouble=trouble,
        quiz=editor.address("quiz"),
    )


def _build_side(editor: Editor, content: BlockContent | None, place: int | None, word: str) -> QuestionSide | None:
    if content is None or place is None:
        return None
    parsed = quiz.parse_question(content.questions[place])
    options = tuple((get_letter(at), option.text, option.correct) for at, option in enumerate(parsed.options))
    address = reverse("ai_content:question", args=(editor.document.video_id, word, content.handles[place]))
    return QuestionSide(place + 1, parsed.text or _("Without text"), options, address)


@dataclass(frozen=True)
class PreviewAnswer:
    """An alternative as a viewer sees it, and after the end what it was."""

    name: str
    letter: str
    text: str
    selected: bool
    correct: bool


@dataclass(frozen=True)
class PreviewQuestion:
    """A question as a viewer sees it."""

    name: str
    number: int
    text: str
    choices: tuple[PreviewAnswer, ...]
    right: bool
    explanation: str


@dataclass(frozen=True)
class PreviewPage:
    """templates/ai_content/preview.html."""

    address: str
    quiz: str
    questions: tuple[PreviewQuestion, ...]
    is_done: bool
    shows_results: bool
    result: str
    skipped: str


@require_http_methods(["GET", "POST"])
@with_stored_document
def preview(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The quiz as viewers take it, with drafts. Nothing is stored."""
    page = _build_preview_page(editor, editor.get_content(Block.QUIZ), request.POST, is_done=request.method == "POST")
    return render(request, "ai_content/preview.html", {"shell": build_frame(editor, "quiz"), "page": page})


def _build_preview_page(editor: Editor, content: BlockContent, posted: QueryDict, *, is_done: bool) -> PreviewPage:
    switches = {each.key: each.on for each in quiz.parse_settings(content.values.get(quiz.CONFIG)).switches}
    takeable = [(at, q) for at, q in enumerate(content.questions) if _is_complete(q)]
    questions = tuple(_build_question(at, q, posted, is_done) for at, q in takeable)
    right, skipped = sum(1 for each in questions if each.right), len(content.questions) - len(takeable)
    left_out = ngettext("%(count)s question cannot be shown yet.", "%(count)s questions cannot be shown yet.", skipped)
    return PreviewPage(
        address=editor.address("preview"),
        quiz=editor.address("quiz"),
        questions=questions,
        is_done=is_done,
        shows_results=switches.get("show_results", True),
        result=_("%(right)s of %(count)s right") % {"right": right, "count": len(questions)},
        skipped=left_out % {"count": skipped} if skipped else "",
    )


def _is_complete(question: JSON) -> bool:
    parsed = quiz.parse_question(question)
    return parsed.broken is None and bool(parsed.text.strip()) and bool(parsed.options)


def _build_question(place: int, question: JSON, posted: QueryDict, is_done: bool) -> PreviewQuestion:
    parsed = quiz.parse_question(question)
    places = {whole_number(value, PLACE_MOST) for value in posted.getlist(f"a{place}")} - {None}
    choices = tuple(
        PreviewAnswer(str(at), get_letter(at), option.text, at in places, at in parsed.correct[:1])
        for at, option in enumerate(parsed.options)
    )
    right = is_done and places == set(parsed.correct[:1])
    explanation = parsed.explanation if is_done else ""
    return PreviewQuestion(f"a{place}", place + 1, parsed.text, choices, right, explanation)

"""The quiz beside its other languages, and as a viewer takes it."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.ai_content import messages as sentences
from dashboard.ai_content import pages as frames
from dashboard.ai_content import responses, sync
from dashboard.ai_content.decorators import opened, resumed
from dashboard.ai_content.drafts import Working
from dashboard.ai_content.editor import Editor, enter
from dashboard.ai_content.quiz import editing
from dashboard.ai_content.quiz.forms import PLACE_MOST
from dashboard.ai_content.rules import languages, quiz
from dashboard.ai_content.rules.languages import Apart
from dashboard.ai_content.rules.package import JSON, Block, NotAPackage
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest, whole_number

APART = {
    Apart.MISSING: lambda: _("Missing there"),
    Apart.EXTRA: lambda: _("Missing here"),
    Apart.MOVED: lambda: _("At another place"),
    Apart.OPTIONS: lambda: _("Another number of answers"),
    Apart.CORRECT: lambda: _("Other answers are correct"),
    Apart.SAME_TEXT: lambda: _("Word for word the same"),
}


@dataclass(frozen=True)
class Side:
    """A question in one language."""

    number: int
    text: str
    options: tuple[tuple[str, str, bool], ...]
    """Letter, text, correct."""
    address: str


@dataclass(frozen=True)
class Pair:
    """A question in both languages, and how they differ."""

    ours: Side | None
    theirs: Side | None
    apart: tuple[str, ...]


@dataclass(frozen=True)
class ComparePage:
    """templates/ai_content/compare.html."""

    ours: str
    ours_lang: str
    theirs: str
    theirs_lang: str
    others: tuple[frames.Link, ...]
    pairs: tuple[Pair, ...]
    summary: str
    copy: str
    word: str
    trouble: str
    quiz: str


@require_http_methods(["GET", "POST"])
@opened
def compare(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Two languages side by side; POST copies the structure of the other one into this one's draft."""
    words = _other_words(editor)
    word = request.POST.get("with") or request.GET.get("with") or (words[0] if words else "")
    if word and word not in words:
        raise Http404
    theirs, trouble = _other(editor, word) if word else (None, "")
    if request.method == "POST" and theirs is not None:
        source = list(theirs.questions)
        editor.edit(Block.QUIZ, lambda w: editing.structured(w, source, sentences.language(word)))
        messages.success(request, _("Structure copied into your draft. What came over is still to be translated."))
        return responses.go(editor, "quiz")
    page = _compare_page(editor, editor.working(Block.QUIZ), word, words, theirs, trouble)
    context = {"shell": frames.frame(editor, "quiz"), "page": page}
    return render(request, "ai_content/compare.html", context)


def _other_words(editor: Editor) -> list[str]:
    try:
        video = sync.video_of(editor.request, editor.document.video_id)
    except PlatformError:
        return []
    return [word for word in frames.languages_of(video) if word != editor.word]


def _other(editor: Editor, word: str) -> tuple[Working | None, str]:
    """The quiz in the other language, or why it cannot be had."""
    try:
        other = enter(editor.request, editor.document.video_id, word)
    except BadToken:
        raise
    except PlatformError as error:
        return None, refusals.explain(error).sentence
    except NotAPackage as error:
        return None, sentences.reason(error.code)
    return other.working(Block.QUIZ), ""


def _compare_page(
    editor: Editor, work: Working, word: str, words: list[str], theirs: Working | None, trouble: str
) -> ComparePage:
    rows = languages.compare(work.questions, theirs.questions) if theirs else ()
    pairs = tuple(
        Pair(
            _side(editor, work, row.ours, editor.word),
            _side(editor, theirs, row.theirs, word),
            tuple(APART[each]() for each in row.apart),
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
        ours=sentences.language(editor.word),
        ours_lang=editor.document.lang,
        theirs=sentences.language(word) if word else "",
        theirs_lang="" if word == sync.LEGACY else word,
        others=tuple(
            frames.Link(sentences.language(each), f"{editor.address('compare')}?with={each}", each == word)
            for each in words
        ),
        pairs=pairs,
        summary=text,
        copy=editor.address("compare") if count and theirs is not None else "",
        word=word,
        trouble=trouble,
        quiz=editor.address("quiz"),
    )


def _side(editor: Editor, work: Working | None, place: int | None, word: str) -> Side | None:
    if work is None or place is None:
        return None
    shown = quiz.reading(work.questions[place])
    options = tuple((sentences.letter(at), option.text, option.correct) for at, option in enumerate(shown.options))
    address = reverse("ai_content:question", args=(editor.document.video_id, word, work.handles[place]))
    return Side(place + 1, shown.text or _("Without text"), options, address)


@dataclass(frozen=True)
class Choice:
    """An alternative as a viewer sees it, and after the end what it was."""

    name: str
    letter: str
    text: str
    chosen: bool
    correct: bool


@dataclass(frozen=True)
class Asked:
    """A question as a viewer sees it."""

    name: str
    number: int
    text: str
    several: bool
    choices: tuple[Choice, ...]
    right: bool


@dataclass(frozen=True)
class PreviewPage:
    """templates/ai_content/preview.html."""

    address: str
    quiz: str
    questions: tuple[Asked, ...]
    done: bool
    shows_results: bool
    result: str
    skipped: str


@require_http_methods(["GET", "POST"])
@resumed
def preview(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The quiz as it would be taken, drafts included. Nothing is stored."""
    page = _preview_page(editor, editor.working(Block.QUIZ), request.POST, done=request.method == "POST")
    return render(request, "ai_content/preview.html", {"shell": frames.frame(editor, "quiz"), "page": page})


def _preview_page(editor: Editor, work: Working, posted: QueryDict, *, done: bool) -> PreviewPage:
    switches = {each.key: each.on for each in quiz.settings_of(work.values.get(quiz.CONFIG)).switches}
    takeable = [(at, q) for at, q in enumerate(work.questions) if _takeable(q)]
    asked = tuple(_asked(at, q, posted, done) for at, q in takeable)
    right, skipped = sum(1 for each in asked if each.right), len(work.questions) - len(takeable)
    left_out = ngettext("%(count)s question cannot be shown yet.", "%(count)s questions cannot be shown yet.", skipped)
    return PreviewPage(
        address=editor.address("preview"),
        quiz=editor.address("quiz"),
        questions=asked,
        done=done,
        shows_results=switches.get("show_results", True),
        result=_("%(right)s of %(count)s right") % {"right": right, "count": len(asked)},
        skipped=left_out % {"count": skipped} if skipped else "",
    )


def _takeable(question: JSON) -> bool:
    shown = quiz.reading(question)
    return shown.broken is None and bool(shown.text.strip()) and bool(shown.options)


def _asked(place: int, question: JSON, posted: QueryDict, done: bool) -> Asked:
    shown = quiz.reading(question)
    chosen = {whole_number(value, PLACE_MOST) for value in posted.getlist(f"a{place}")} - {None}
    choices = tuple(
        Choice(str(at), sentences.letter(at), option.text, at in chosen, option.correct)
        for at, option in enumerate(shown.options)
    )
    right = done and chosen == set(shown.correct)
    return Asked(f"a{place}", place + 1, shown.text, len(shown.correct) > 1, choices, right)

"""How the editor's views are entered: with the language read anew, or resumed from what is kept; and the ways it fails."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render

from dashboard.ai_content import messages, sync
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.languages import PageLink, get_lang, list_languages
from dashboard.ai_content.rules.package import NotAPackage
from dashboard.ai_content.versions import store
from dashboard.ai_content.versions.store import build_opened
from dashboard.platform_api.errors import Missing, PlatformError
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads

P = ParamSpec("P")
Inner = Callable[Concatenate[OwnerRequest, Editor, P], HttpResponse]
Outer = Callable[Concatenate[OwnerRequest, UUID, str, P], HttpResponse]


def with_fresh_document(view: Inner[P]) -> Outer[P]:
    """The view gets the language as the platform has it now, or as it was last known."""
    return _with_editor(view, open_editor)


def with_stored_document(view: Inner[P]) -> Outer[P]:
    """The view gets the language as it is known here: for edits, which must not wait for the platform."""
    return _with_editor(view, resume_editor)


def with_known_document(view: Inner[P]) -> Outer[P]:
    """Like `resumed`, and 404 where nothing is kept."""
    return _with_editor(view, get_known_editor)


def _with_editor(view: Inner[P], open_: Callable[[OwnerRequest, UUID, str], Editor]) -> Outer[P]:
    @wraps(view)
    def wrapper(request: OwnerRequest, video_id: UUID, lang: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            editor = open_(request, video_id, lang)
        except NotAPackage as error:
            return _render_unreadable(request, video_id, lang, error)
        except Missing as error:
            if error.operation != "ai_workflow.read_package":
                raise
            return _render_no_file(request, video_id, lang)
        _check_public(request, editor)
        return view(request, editor, *args, **kwargs)

    return cast(Outer[P], wrapper)


def _check_public(request: OwnerRequest, editor: Editor) -> None:
    """A page that is opened says how far the last save has come."""
    if reads.is_page(request):
        sync.check_public(request, editor.opened)


def _render_unreadable(request: OwnerRequest, video_id: UUID, lang: str, error: NotAPackage) -> HttpResponse:
    """A file that would lose something if it were edited is not opened at all."""
    context = {
        "title": sync.get_video(request, video_id).title,
        "language": messages.get_language_name(lang),
        "reason": messages.format_reason(error.code),
        "again": request.get_full_path(),
    }
    return render(request, "ai_content/unreadable.html", context, status=502)


def _render_no_file(request: OwnerRequest, video_id: UUID, lang: str) -> HttpResponse:
    """The video is there, its file of this language is not."""
    try:
        video = sync.get_video(request, video_id)
    except PlatformError:
        video = None
    words = list_languages(video) if video else []
    links = [
        PageLink(messages.get_language_name(word), place, False)
        for word in words
        if word != lang and (place := address("ai_content:language", video_id, word))
    ]
    context = {
        "title": video.title if video else "",
        "language": messages.get_language_name(lang),
        "announced": lang in words,
        "links": links,
        "again": request.get_full_path(),
        "generate": address("ai_content:generate", video_id, lang=get_lang(lang)) if video else "",
    }
    return render(request, "ai_content/no_file.html", context, status=404)


def open_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Open a language for a page: the file is read. Raises a `PlatformError`, or `NotAPackage`."""
    return Editor(request, sync.open_language(request, video_id, get_lang(lang)), lang)


def resume_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Go on with a language that was opened before: nothing is read. Opens it where that never happened."""
    document = sync.get_document(request, video_id, get_lang(lang))
    version = None if document is None else store.get_settled(document)
    if document is None or version is None:
        return open_editor(request, video_id, lang)
    return Editor(request, build_opened(document, version, store.get_last_sent(document)), lang)


def get_known_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """A language of which something is kept here already; 404 for any other."""
    document = sync.get_document(request, video_id, get_lang(lang))
    if document is None:
        raise Http404
    return resume_editor(request, video_id, lang)

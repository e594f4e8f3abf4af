"""Load the editor: functions, decorators for views, and the error pages when loading fails."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render

from dashboard.ai_content import messages, sync, versions
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules.package import NotAPackage
from dashboard.ai_content.sync import get_lang, list_languages
from dashboard.ai_content.versions import build_opened
from dashboard.platform_api.errors import CallError, Missing
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads

P = ParamSpec("P")
Inner = Callable[Concatenate[OwnerRequest, Editor, P], HttpResponse]
Outer = Callable[Concatenate[OwnerRequest, UUID, str, P], HttpResponse]


def with_fresh_document(view: Inner[P]) -> Outer[P]:
    """Call the view with the editor after the file was read, or with its newest stored version where it cannot be."""
    return _with_editor(view, open_editor)


def with_stored_document(view: Inner[P]) -> Outer[P]:
    """Call the view with the editor at the newest stored version: for edits, which do not wait for the platform."""
    return _with_editor(view, resume_editor)


def with_known_document(view: Inner[P]) -> Outer[P]:
    """Like `with_stored_document`; 404 where no document is stored."""
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
    """Read in the background, for a page, whether viewers get the last save."""
    if reads.is_page(request):
        sync.check_public(request, editor.opened)


def _render_unreadable(request: OwnerRequest, video_id: UUID, lang: str, error: NotAPackage) -> HttpResponse:
    """502: the file cannot be edited without losing something."""
    context = {
        "title": sync.get_video(request, video_id).title,
        "language": messages.get_language_name(lang),
        "reason": messages.format_reason(error.code),
        "again": request.get_full_path(),
    }
    return render(request, "ai_content/unreadable.html", context, status=502)


def _render_no_file(request: OwnerRequest, video_id: UUID, lang: str) -> HttpResponse:
    """404: the video has no file of this language."""
    try:
        video = sync.get_video(request, video_id)
    except CallError:
        video = None
    words = list_languages(video) if video else []
    links = [
        (messages.get_language_name(word), place)
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
    """Read the file and return the editor. Raises a `CallError`, or `NotAPackage`."""
    return Editor(request, sync.open_language(request, video_id, get_lang(lang)), lang)


def resume_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Return the editor at the newest stored version; reads the file where none is stored."""
    document = sync.get_document(request, video_id, get_lang(lang))
    version = None if document is None else versions.get_settled(document)
    if document is None or version is None:
        return open_editor(request, video_id, lang)
    return Editor(request, build_opened(document, version), lang)


def get_known_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Like `resume_editor`; 404 where no document is stored."""
    document = sync.get_document(request, video_id, get_lang(lang))
    if document is None:
        raise Http404
    return resume_editor(request, video_id, lang)

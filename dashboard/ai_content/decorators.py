"""How the editor's views are entered: with the language read anew, or resumed from what is kept; and the ways it fails."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from dashboard.ai_content import messages, pages, sync
from dashboard.ai_content.editor import Editor, enter, known, resume
from dashboard.ai_content.rules.package import NotAPackage
from dashboard.platform_api.errors import Missing, PlatformError
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads

P = ParamSpec("P")
Inner = Callable[Concatenate[OwnerRequest, Editor, P], HttpResponse]
Outer = Callable[Concatenate[OwnerRequest, UUID, str, P], HttpResponse]


def opened(view: Inner[P]) -> Outer[P]:
    """The view gets the language as the platform has it now, or as it was last known."""
    return _door(view, enter)


def resumed(view: Inner[P]) -> Outer[P]:
    """The view gets the language as it is known here: for edits, which must not wait for the platform."""
    return _door(view, resume)


def kept(view: Inner[P]) -> Outer[P]:
    """Like `resumed`, and 404 where nothing is kept."""
    return _door(view, known)


def _door(view: Inner[P], open_: Callable[[OwnerRequest, UUID, str], Editor]) -> Outer[P]:
    @wraps(view)
    def wrapper(request: OwnerRequest, video_id: UUID, lang: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            editor = open_(request, video_id, lang)
        except NotAPackage as error:
            return _unreadable(request, video_id, lang, error)
        except Missing as error:
            if error.operation != "ai_workflow.read_package":
                raise
            return _no_file(request, video_id, lang)
        _look(request, editor)
        return view(request, editor, *args, **kwargs)

    return cast(Outer[P], wrapper)


def _look(request: OwnerRequest, editor: Editor) -> None:
    """A page that is opened says how far the last save has come."""
    if reads.is_page(request):
        sync.look(request, editor.opened)


def _unreadable(request: OwnerRequest, video_id: UUID, lang: str, error: NotAPackage) -> HttpResponse:
    """A file that would lose something if it were edited is not opened at all."""
    context = {
        "title": sync.video_of(request, video_id).title,
        "language": messages.language(lang),
        "reason": messages.reason(error.code),
        "again": request.get_full_path(),
    }
    return render(request, "ai_content/unreadable.html", context, status=502)


def _no_file(request: OwnerRequest, video_id: UUID, lang: str) -> HttpResponse:
    """The video is there, its file of this language is not."""
    try:
        video = sync.video_of(request, video_id)
    except PlatformError:
        video = None
    words = pages.languages_of(video) if video else []
    links = [
        pages.Link(messages.language(word), place, False)
        for word in words
        if word != lang and (place := address("ai_content:language", video_id, word))
    ]
    context = {
        "title": video.title if video else "",
        "language": messages.language(lang),
        "announced": lang in words,
        "links": links,
        "again": request.get_full_path(),
        "generate": address("ai_content:generate", video_id, lang=sync.lang_of(lang)) if video else "",
    }
    return render(request, "ai_content/no_file.html", context, status=404)

"""The library of AI content, and the overview, poll, undo and discard of one language."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.ai_content import language_page, library, pages, presence, sync, undo_steps
from dashboard.ai_content import messages as messages_of
from dashboard.ai_content.decorators import with_fresh_document, with_known_document
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.languages import list_languages
from dashboard.ai_content.models import Draft
from dashboard.ai_content.pages import Part, redirect_to, render_page, render_parts
from dashboard.ai_content.resources.writes import DELETE
from dashboard.ai_content.rules.package import Block
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import ROW_MOST, OwnerRequest, page_number, unchanged, whole_number
from dashboard.upstream import reads
from dashboard.upstream.library import load_ai_resources
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.writes.pages import load_notices


@require_safe
def ai_content(request: OwnerRequest) -> HttpResponse:
    """Which videos have which resources in which languages."""
    scope = library.LibraryFilter(
        page=page_number(request.GET.get("page", "1")),
        title=request.GET.get("title", "").strip()[:200].replace("\0", ""),
        show=request.GET.get("show", ""),
    )
    try:
        listed = library.load_list(request, scope)
    except PlatformError as error:
        explained = refusals.explain(error)
        page = library.build_empty_page(explained.sentence, explained.next_step)
        return render(request, "ai_content/ai_content.html", {"page": page}, status=refusals.status_of(error))
    details = _load_details(request, [entry.id for entry in listed.entries])
    page = library.build_library_page(listed, details, _list_drafts(request), scope)
    return render(request, "ai_content/ai_content.html", {"page": page})


def _load_details(request: OwnerRequest, ids: list[str]) -> dict[str, Outcome]:
    """Read each video in parallel: the list does not contain AI content."""
    outcomes = reads.of(request).spare(**{video: sync.build_video_query(video, sync.LIBRARY_SECONDS) for video in ids})
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, BadToken):
            raise outcome.error
    known = [outcome.value for outcome in outcomes.values() if isinstance(outcome, Ready)]
    told = load_ai_resources(reads.of(request), request.account.pullzone, known)
    return {key: Ready(told[key]) if isinstance(outcome, Ready) else outcome for key, outcome in outcomes.items()}


def _list_drafts(request: OwnerRequest) -> set[tuple[str, str]]:
    """List pairs of video and language with unsent drafts."""
    rows = Draft.objects.filter(document__account_id=request.account.pk)
    return {(str(video), lang) for video, lang in rows.values_list("document__video_id", "document__lang")}


@require_safe
def row(request: OwnerRequest, video_id: UUID) -> HttpResponse:
    """One row of the library, for a video whose read was late."""
    words = [word for word in request.GET.get("langs", "").split(",") if word][:60]
    columns = [library.LanguageColumn(word, "", "") for word in words]
    video = sync.get_told_video(request, video_id)
    part = library.build_row(video, Ready(video), columns, _list_drafts(request))
    return render(request, "ai_content/_row.html", {"row": part})


@require_safe
def video(request: OwnerRequest, video_id: UUID) -> HttpResponse:
    """Redirect to the first language of a video, or a page without any."""
    loaded = sync.get_told_video(request, video_id)
    for word in list_languages(loaded):
        if page := address("ai_content:language", video_id, word):
            return HttpResponseRedirect(page)
    return render(
        request,
        "ai_content/video.html",
        {
            "title": loaded.title or loaded.id,
            "video_id": video_id,
            "note": library.format_note(loaded),
            "kinds": [messages_of.get_block_name(resource.kind) for resource in loaded.ai_resources],
            "languages": [
                (subtitle.lang, page)
                for subtitle in loaded.config_subtitles
                if (page := address("ai_content:language", video_id, subtitle.lang))
            ],
        },
    )


@require_safe
@with_fresh_document
def language(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The overview of one language."""
    notices = load_notices(request.account, DELETE, back=request.path, subject=str(editor.document.video_id))
    page = language_page.build_language_page(editor)
    return render_page(editor, "language", "ai_content/language.html", page=page, writes=notices)


@require_safe
@with_known_document
def pulse(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The polled part: 204 while nothing changed."""
    tab, shown_version = presence.get_tab(request), request.GET.get("v", "")
    presence.note_window(request, editor.document.pk, tab)
    sync.check_public(request, editor.opened)
    since = shown_version.partition("-")[0]
    current = pages.build_pulse(editor, tab, whole_number(since, ROW_MOST))
    if current.version == shown_version:
        return unchanged()
    listed: list[Part] = [("ai_content/_pulse.html", {"pulse": current})]
    if current.elsewhere:
        listed.append(("ai_content/_elsewhere.html", {"pulse": current, "oob": True}))
    return render_parts(editor, *listed)


@require_POST
@with_known_document
def undo(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Undo the last edit of a block, or put back a deleted question."""
    block, step = _get_posted_block(request), request.POST.get("step", "")
    done = undo_steps.undo_step(editor, block, whole_number(step, ROW_MOST))
    messages.success(request, _("Undone.") if done else _("Nothing left to undo."))
    return redirect_to(editor, str(block) if block is not Block.OTHER else "language")


@require_POST
@with_known_document
def discard(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Discard the draft of a block; its content is kept as a version."""
    block = _get_posted_block(request)
    editor.discard(block)
    messages.success(request, _("Discarded. You can restore it in Versions."))
    return redirect_to(editor, str(block) if block is not Block.OTHER else "language")


def _get_posted_block(request: OwnerRequest) -> Block:
    name = request.POST.get("block", "")
    if name not in {str(block) for block in Block}:
        raise Http404
    return Block(name)

"""The library of AI content; the overview of one language, its versions, its import and export, its poll, undo and discard."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.activity.recorder import actor_of
from dashboard.ai_content import ebook_html, exchange, library, pages
from dashboard.ai_content.ebook_html import has_drift
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.models import Draft, Version, get_content
from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules.difference import list_changes, load_summaries
from dashboard.ai_content.rules.package import Block, NotAPackage, Package, get_block, get_part, get_text
from dashboard.ai_content.versions import (
    LIBRARY_SECONDS,
    NOT_THERE,
    FileState,
    add_version,
    build_video_query,
    check_public,
    get_saved_at,
    get_tab,
    get_told_video,
    list_languages,
    list_versions,
    note_window,
)
from dashboard.ai_content.writes import DELETE
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import csv, formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.formats import number
from dashboard.shared.http import ROW_MOST, OwnerRequest, page_number, unchanged, whole_number
from dashboard.upstream import clients, reads
from dashboard.upstream.library import build_config_query, build_document_query, load_ai_resources
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
        context = {"scope": scope, "trouble": refusals.explain(error)}
        return render(request, "ai_content/ai_content.html", context, status=refusals.status_of(error))
    details = _load_details(request, [entry.id for entry in listed.entries])
    context = library.build_library(listed, details, _list_drafts(request), scope)
    return render(request, "ai_content/ai_content.html", context)


def _load_details(request: OwnerRequest, ids: list[str]) -> dict[str, Outcome]:
    """Read each video in parallel: the list does not contain AI content."""
    outcomes = reads.of(request).spare(**{video: build_video_query(video, LIBRARY_SECONDS) for video in ids})
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
    video = get_told_video(request, video_id)
    part = library.build_row(video, Ready(video), words, _list_drafts(request))
    return render(request, "ai_content/_row.html", {"row": part})


@require_safe
def video(request: OwnerRequest, video_id: UUID) -> HttpResponse:
    """Redirect to the first language of a video, or a page without any."""
    loaded = get_told_video(request, video_id)
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
            "kinds": [pages.get_block_name(resource.kind) for resource in loaded.ai_resources],
            "languages": [
                (subtitle.lang, page)
                for subtitle in loaded.config_subtitles
                if (page := address("ai_content:language", video_id, subtitle.lang))
            ],
        },
    )


@require_safe
@pages.with_fresh_document
def language(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The overview of one language."""
    notices = load_notices(request.account, DELETE, back=request.path, subject=str(editor.document.video_id))
    page = build_overview(editor)
    return pages.render_page(editor, "language", "ai_content/language.html", **page, writes=notices)


@require_safe
@pages.with_known_document
def pulse(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The polled part: 204 while nothing changed."""
    tab, shown_version = get_tab(request), request.GET.get("v", "")
    note_window(request, editor.document.pk, tab)
    check_public(request, editor.opened)
    since = shown_version.partition("-")[0]
    current = pages.build_pulse(editor, tab, whole_number(since, ROW_MOST))
    if current["version"] == shown_version:
        return unchanged()
    listed: list[pages.Part] = [("ai_content/_pulse.html", {"pulse": current})]
    if current["elsewhere"]:
        listed.append(("ai_content/_elsewhere.html", {"pulse": current, "oob": True}))
    return pages.render_parts(editor, *listed)


@require_POST
@pages.with_known_document
def undo(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Undo the last edit of a block, or put back a deleted question."""
    block, step = _get_posted_block(request), request.POST.get("step", "")
    done = editor.undo(block, whole_number(step, ROW_MOST))
    messages.success(request, _("Undone.") if done else _("Nothing left to undo."))
    return pages.redirect_to(editor, str(block) if block is not Block.OTHER else "language")


@require_POST
@pages.with_known_document
def discard(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Discard the draft of a block; its content is kept as a version."""
    block = _get_posted_block(request)
    editor.discard(block)
    messages.success(request, _("Discarded. You can restore it in Versions."))
    return pages.redirect_to(editor, str(block) if block is not Block.OTHER else "language")


def _get_posted_block(request: OwnerRequest) -> Block:
    name = request.POST.get("block", "")
    if name not in {str(block) for block in Block}:
        raise Http404
    return Block(name)


TYPED = "typed"


@require_safe
@pages.with_fresh_document
def versions(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Every version of this language, newest first."""
    rows = [
        (
            version,
            pages.format_changes(load_summaries(version.changes), version.changes_count),
            formats.file_size(version.blob.size),
        )
        for version in list_versions(editor.document)
    ]
    return pages.render_page(editor, "versions", "ai_content/versions.html", rows=rows)


@require_safe
@pages.with_known_document
def version(request: OwnerRequest, editor: Editor, pk: int) -> HttpResponse:
    """One version, compared with the one before, the draft, or any other."""
    compared = _get_version(editor, pk)
    against = request.GET.get("with", "")
    default = TYPED if compared.kind in (Version.Kind.IMPORTED, Version.Kind.ASIDE) else _get_previous(editor, compared)
    other = against or default
    changes = list_changes(_get_content(editor, other), get_content(compared.blob))
    listed = list_versions(editor.document)[:60]
    return pages.render_page(
        editor,
        "versions",
        "ai_content/version.html",
        version=compared,
        size=formats.file_size(compared.blob.size),
        other=other,
        choices=[(str(each.pk), each, formats.moment(each.at)) for each in listed if each.pk != compared.pk],
        # what restoring would do reads from what is there to what comes back; a history reads from old to new
        restores=other == TYPED or int(other) > compared.pk or compared.kind == Version.Kind.IMPORTED,
        groups=pages.group_changes(changes),
    )


def _get_version(editor: Editor, pk: int | None) -> Version:
    return get_object_or_404(editor.document.versions.select_related("blob"), pk=pk)


def _get_previous(editor: Editor, version: Version) -> str:
    """The version before this one that the platform had; the draft where there is none."""
    older = editor.document.versions.filter(pk__lt=version.pk).exclude(kind__in=NOT_THERE).order_by("-id").first()
    return str(older.pk) if older else TYPED


def _get_content(editor: Editor, which: str) -> Package:
    if which == TYPED:
        return editor.get_typed_package()
    return get_content(_get_version(editor, whole_number(which, ROW_MOST)).blob)


@require_POST
@pages.with_known_document
def restore(request: OwnerRequest, editor: Editor, pk: int) -> HttpResponse:
    """Restore a version into the drafts; it is sent with the next save."""
    stored_version = _get_version(editor, pk)
    label = stored_version.label or formats.moment(stored_version.at)
    if not editor.restore(stored_version, label):
        messages.info(request, _("No changes: your draft is already the same."))
        return pages.redirect_to(editor, "version", pk)
    messages.success(request, _("Added to your draft. Review the changes, then save."))
    return pages.redirect_to(editor, "save")


TOLD_MOST: Final = 20
"""Attributes left out that are named one by one: a message has to fit into a cookie."""
Upload: TypeAlias = "UploadedFile[bytes] | None"
KINDS: Final = ("json", "csv", "md", "opml", "outline")
ENDINGS: Final = {"json": "json", "csv": "csv", "tsv": "csv", "md": "md", "markdown": "md", "txt": "md", "opml": "opml"}
OUTLINE_ENDING: Final = "outline.txt"
CONTENT_TYPES: Final = {
    "json": "application/json",
    "csv": "text/csv",
    "md": "text/markdown",
    "opml": "text/x-opml",
    "outline": "text/plain",
}


def _list_kinds() -> list[tuple[str, str]]:
    return [
        ("", _("Detect from the file name")),
        ("json", _("Whole language (JSON)")),
        ("csv", _("Quiz (CSV)")),
        ("md", _("eBook (Markdown)")),
        ("opml", _("Mind map (OPML)")),
        ("outline", _("Mind map (outline as text)")),
    ]


@require_http_methods(["GET", "POST"])
@pages.with_stored_document
def import_(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Read a file and show what it would change. Nothing is taken over yet."""
    if request.method == "GET":
        return _render_page(editor)
    upload = request.FILES.get("file")
    pasted, posted_kind = request.POST.get("text", ""), request.POST.get("kind", "")
    kind = posted_kind if posted_kind in KINDS else _guess_kind(upload)
    try:
        text = _read_text(upload, pasted)
        package = exchange.import_package(text, kind, editor.get_typed_package())
        elsewhere = exchange.parse_origin(text, kind).is_elsewhere(_get_origin(editor))
    except exchange.UnusableFile as error:
        return _render_page(editor, posted_kind, pasted, pages.format_reason(error.code, error.detail, error.line))
    except NotAPackage as error:
        return _render_page(editor, posted_kind, pasted, pages.format_reason(error.code))
    version = add_version(
        editor.document,
        package,
        Version.Kind.IMPORTED,
        actor=actor_of(request, request.account),
        parent=editor.get_typed_package(),
        label=(upload.name if upload and upload.name else dict(_list_kinds()).get(kind, "")),
    )
    if elsewhere:
        sentence = _(
            "This file was exported from another video or language. Check the changes before you take it over."
        )
        messages.warning(request, sentence)
    if left_out := exchange.list_left_out(text, kind):
        messages.warning(request, _format_left_out(left_out))
    return pages.redirect_to(editor, "version", version.pk)


def _format_left_out(left_out: Sequence[tuple[str, str]]) -> str:
    named = "; ".join(f"“{label[:60]}”: {name[:60]}" for label, name in left_out[:TOLD_MOST])
    if len(left_out) > TOLD_MOST:
        named += " " + _("and %(count)s more") % {"count": number(len(left_out) - TOLD_MOST)}
    return _("Left out of the import, because a mind map has no place for it: %(named)s") % {"named": named}


def _guess_kind(upload: Upload) -> str:
    name = upload.name if upload is not None and upload.name else ""
    if name.lower().endswith(f".{OUTLINE_ENDING}"):
        return "outline"
    return ENDINGS.get(name.rpartition(".")[2].lower(), "") if "." in name else ""


def _read_text(upload: Upload, pasted: str) -> str:
    """What was uploaded, else what was pasted. Raises `UnusableFile`."""
    if upload is not None:
        if pasted.strip():
            raise exchange.UnusableFile("two_sources")
        if (upload.size or 0) > exchange.FILE_MOST:
            raise exchange.UnusableFile("too_large")
        return exchange.decode_file(upload.read())
    if not pasted.strip():
        raise exchange.UnusableFile("empty")
    if len(pasted) > exchange.FILE_MOST:
        raise exchange.UnusableFile("too_large")
    return pasted


@require_safe
@pages.with_fresh_document
def export(request: OwnerRequest, editor: Editor, kind: str) -> HttpResponse:
    """The language, or a part of it, as a file: what is typed included; `?version=` for an older one."""
    if kind not in KINDS:
        raise Http404
    package = editor.get_typed_package()
    if version := request.GET.get("version", ""):
        pk = whole_number(version, ROW_MOST)
        package = get_content(get_object_or_404(editor.document.versions.select_related("blob"), pk=pk).blob)
    name = csv.file_name(
        f"{editor.document.title} {editor.word}", extension=OUTLINE_ENDING if kind == "outline" else kind
    )
    content = exchange.export_package(package, kind, _get_origin(editor))
    if content is None:
        raise Http404
    return csv.download(content, name, CONTENT_TYPES[kind])


def _get_origin(editor: Editor) -> exchange.Origin:
    return exchange.Origin(str(editor.document.video_id), editor.word)


def _render_page(editor: Editor, kind: str = "", text: str = "", error: str = "") -> HttpResponse:
    """The form, with what was pasted and why it cannot be read."""
    context = {"kinds": _list_kinds(), "kind": kind, "text": text, "error": error}
    return pages.render_page(editor, "language", "ai_content/import.html", 422 if error else 200, **context)


SHAPES = {
    FileState.SETTLED: "finished",
    FileState.SPREADING: "running",
    FileState.UNCONFIRMED: "unknown",
    FileState.UNREAD: "warning",
}
CLOCKS_APART: Final = timedelta(minutes=1)
"""How much the platform's clock and ours may differ before a PDF is called older than a save."""


@dataclass(frozen=True)
class Pdf:
    """A PDF that the platform has made of this video. `made_at`: None where that is not known."""

    name: str
    address: str
    made_at: datetime | None
    is_older: bool
    """Than the last save from here."""


def _list_pdfs(editor: Editor, saved_at: datetime | None) -> tuple[tuple[Pdf, ...], bool]:
    """The PDFs where the player's file says that there are some (gaps 15, A4), and whether nothing says how old they are."""
    zone, external_id = editor.document.pullzone, editor.document.external_id
    if not zone or not external_id:
        return (), False
    reader = reads.of(editor.request)
    outcome = reader.spare(config=build_config_query(zone, external_id))["config"]
    if not isinstance(outcome, Ready) or not outcome.value.has_pdfs:
        return (), False
    kinds = {"ebook": ("abstract", _("eBook")), "mindmap": ("mindmap", _("Mind map"))}
    names = dict(names for kind, names in kinds.items() if kind in outcome.value.ai_kinds)
    ages = reader.spare(**{name: build_document_query(zone, external_id, name) for name in names})
    made = {name: age.value for name, age in ages.items() if isinstance(age, Ready)}
    stem = f"{clients.public_config_url()}/{zone}/{external_id}"
    pdfs = tuple(
        Pdf(words, f"{stem}/{name}.pdf", at := made.get(name), bool(at and saved_at and at + CLOCKS_APART < saved_at))
        for name, words in names.items()
    )
    return pdfs, len(made) == len(names) and not any(made.values())


def build_overview(editor: Editor) -> dict[str, Any]:
    """What templates/ai_content/language.html shows."""
    saved_at = get_saved_at(editor.document)
    pdfs, are_pdfs_undated = _list_pdfs(editor, saved_at)
    return {
        "cards": (_build_ebook_card(editor), _build_mindmap_card(editor), _build_quiz_card(editor)),
        "state": pages.get_state_name(editor.opened.state),
        "shape": SHAPES[editor.opened.state],
        "since": formats.moment(editor.opened.version.at),
        "other": ", ".join(key for key in editor.package if get_block(key) is Block.OTHER),
        "pdfs": pdfs,
        "are_pdfs_undated": are_pdfs_undated,
        "saved_at": saved_at,
    }


def _build_card(
    editor: Editor, block: Block, *, is_there: bool, facts: list[str], title: str = "", note: str = ""
) -> dict[str, Any]:
    """One resource; `export` is the kind of its file, and what that is called."""
    kinds = {Block.EBOOK: ("md", _("Markdown")), Block.MINDMAP: ("opml", "OPML"), Block.QUIZ: ("csv", "CSV")}
    return {
        "block": block,
        "name": pages.get_block_name(block),
        "address": editor.address(str(block)),
        "is_there": is_there,
        "title": title,
        "facts": facts,
        "note": note,
        "is_draft": block in editor.drafts,
        "export": kinds[block],
    }


def _build_ebook_card(editor: Editor) -> dict[str, Any]:
    content = editor.get_content(Block.EBOOK)
    text = get_text(content.values.get("abstract"))
    count, is_short = ebook_html.count_words(text), len(text) < ebook_html.PREVIEW_MOST
    facts = [ngettext("%(count)s word", "%(count)s words", count) % {"count": formats.number(count)}]
    if is_short and (headings := len(ebook_html.render_blocks(text).headings)):
        facts.append(ngettext("%(count)s heading", "%(count)s headings", headings) % {"count": headings})
    is_apart = is_short and has_drift(get_part(content.base, Block.EBOOK))
    return _build_card(
        editor,
        Block.EBOOK,
        is_there=bool(content.values),
        facts=facts,
        title=ebook_html.get_cover(content.values)["title"],
        note=_("Text and HTML differ: choose which to keep.") if is_apart else "",
    )


def _build_mindmap_card(editor: Editor) -> dict[str, Any]:
    values = editor.get_content(Block.MINDMAP).values
    value = values.get("mindmap")
    shape = mindmap.find_shape(value)
    if shape is None:
        note = _("Cannot be shown as an outline. You can edit it as JSON.") if value else ""
        return _build_card(editor, Block.MINDMAP, is_there=bool(value), facts=[], note=note)
    root = mindmap.build_tree(value, shape)
    count, depth = sum(1 for _node in mindmap.walk(root)), mindmap.get_depth(root)
    facts = [
        ngettext("%(count)s topic", "%(count)s topics", count) % {"count": formats.number(count)},
        ngettext("%(count)s level", "%(count)s levels", depth) % {"count": depth},
    ]
    return _build_card(editor, Block.MINDMAP, is_there=True, facts=facts, title=root.label)


def _build_quiz_card(editor: Editor) -> dict[str, Any]:
    values = editor.get_content(Block.QUIZ).values
    count, findings = len(quiz.get_questions(values)), quiz.lint_quiz(values)
    facts = [ngettext("%(count)s question", "%(count)s questions", count) % {"count": formats.number(count)}]
    note = ""
    if findings:
        note = ngettext("%(count)s note", "%(count)s notes", len(findings)) % {"count": len(findings)}
    return _build_card(editor, Block.QUIZ, is_there=quiz.QUESTIONS in values, facts=facts, note=note)

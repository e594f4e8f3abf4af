"""Import and export: a whole language as JSON, its parts in the formats of other programs."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.activity.recorder import actor_of
from dashboard.ai_content.decorators import with_fresh_document, with_stored_document
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.exchange import FILE_MOST, Origin, UnusableFile, formats
from dashboard.ai_content.messages import format_reason
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.pages import redirect_to, render_page
from dashboard.ai_content.rules.package import NotAPackage
from dashboard.ai_content.versions import store
from dashboard.shared import csv
from dashboard.shared.formats import number
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number

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
@with_stored_document
def import_(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Read a file and show what it would change. Nothing is taken over yet."""
    if request.method == "GET":
        return _render_page(editor)
    upload = request.FILES.get("file")
    pasted, posted_kind = request.POST.get("text", ""), request.POST.get("kind", "")
    kind = posted_kind if posted_kind in KINDS else _guess_kind(upload)
    try:
        text = _read_text(upload, pasted)
        package = formats.import_package(text, kind, editor.get_typed_package())
        elsewhere = formats.parse_origin(text, kind).is_elsewhere(_get_origin(editor))
    except UnusableFile as error:
        return _render_page(editor, posted_kind, pasted, format_reason(error.code, error.detail, error.line))
    except NotAPackage as error:
        return _render_page(editor, posted_kind, pasted, format_reason(error.code))
    version = store.add_version(
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
    if left_out := formats.list_left_out(text, kind):
        messages.warning(request, _format_left_out(left_out))
    return redirect_to(editor, "version", version.pk)


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
            raise UnusableFile("two_sources")
        if (upload.size or 0) > FILE_MOST:
            raise UnusableFile("too_large")
        return formats.decode_file(upload.read())
    if not pasted.strip():
        raise UnusableFile("empty")
    if len(pasted) > FILE_MOST:
        raise UnusableFile("too_large")
    return pasted


@require_safe
@with_fresh_document
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
    content = formats.export_package(package, kind, _get_origin(editor))
    if content is None:
        raise Http404
    return csv.download(content, name, CONTENT_TYPES[kind])


def _get_origin(editor: Editor) -> Origin:
    return Origin(str(editor.document.video_id), editor.word)


def _render_page(editor: Editor, kind: str = "", text: str = "", error: str = "") -> HttpResponse:
    """The form, with what was pasted and why it cannot be read."""
    context = {"kinds": _list_kinds(), "kind": kind, "text": text, "error": error}
    return render_page(editor, "language", "ai_content/import.html", 422 if error else 200, **context)

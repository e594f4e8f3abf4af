"""Import and export: a whole language as JSON, its parts in the formats of other programs."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.activity.recorder import actor_of
from dashboard.ai_content import messages as sentences
from dashboard.ai_content import pages as frames
from dashboard.ai_content import responses, restore
from dashboard.ai_content.decorators import opened, resumed
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.exchange import FILE_MOST, Origin, Unusable, formats
from dashboard.ai_content.models import Version
from dashboard.ai_content.rules.package import NotAPackage
from dashboard.ai_content.versions import store
from dashboard.shared import csv
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number

Upload: TypeAlias = "UploadedFile[bytes] | None"
KINDS: Final = ("json", "csv", "md", "opml")
ENDINGS: Final = {"json": "json", "csv": "csv", "tsv": "csv", "md": "md", "markdown": "md", "txt": "md", "opml": "opml"}
CONTENT_TYPES: Final = {"json": "application/json", "csv": "text/csv", "md": "text/markdown", "opml": "text/x-opml"}


@dataclass(frozen=True)
class Kind:
    """What a file can be."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True)
class ImportPage:
    """templates/ai_content/import.html."""

    address: str
    kinds: tuple[Kind, ...]
    text: str
    error: str
    exports: tuple[frames.Link, ...]


def import_page(editor: Editor, kind: str = "", text: str = "", error: str = "") -> ImportPage:
    """The form, with what was pasted and why it cannot be read."""
    return ImportPage(
        address=editor.address("import"),
        kinds=tuple(Kind(value, words, value == kind) for value, words in _kinds()),
        text=text,
        error=error,
        exports=tuple(frames.Link(words, editor.address("export", value), False) for value, words in _kinds() if value),
    )


def _kinds() -> list[tuple[str, str]]:
    return [
        ("", _("As the name of the file says")),
        ("json", _("Whole language (JSON)")),
        ("csv", _("Quiz (CSV)")),
        ("md", _("eBook (Markdown)")),
        ("opml", _("Mind map (OPML)")),
    ]


@require_http_methods(["GET", "POST"])
@resumed
def import_(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Read a file and show what it would change. Nothing is taken over yet."""
    if request.method == "GET":
        return _page(editor, import_page(editor))
    upload = request.FILES.get("file")
    pasted, asked = request.POST.get("text", ""), request.POST.get("kind", "")
    kind = asked if asked in KINDS else _kind_of(upload)
    try:
        text = _text(upload, pasted)
        package = formats.imported(text, kind, restore.working_package(editor))
        elsewhere = formats.origin_of(text, kind).is_elsewhere(_origin(editor))
    except Unusable as error:
        said = sentences.reason(error.code, error.detail, error.line)
        return _page(editor, import_page(editor, asked, pasted, said), 422)
    except NotAPackage as error:
        return _page(editor, import_page(editor, asked, pasted, sentences.reason(error.code)), 422)
    version = store.remember(
        editor.document,
        package,
        Version.Kind.IMPORTED,
        actor=actor_of(request, request.account),
        parent=restore.working_package(editor),
        label=(upload.name if upload and upload.name else dict(_kinds()).get(kind, "")),
    )
    if elsewhere:
        said = _("This file was exported from another video or language. Check the changes before you take it over.")
        messages.warning(request, said)
    return responses.go(editor, "version", version.pk)


def _kind_of(upload: Upload) -> str:
    name = upload.name if upload is not None and upload.name else ""
    return ENDINGS.get(name.rpartition(".")[2].lower(), "") if "." in name else ""


def _text(upload: Upload, pasted: str) -> str:
    """What was uploaded, else what was pasted. Raises `Unusable`."""
    if upload is not None:
        if (upload.size or 0) > FILE_MOST:
            raise Unusable("too_large")
        return formats.read(upload.read())
    if not pasted.strip():
        raise Unusable("empty")
    if len(pasted) > FILE_MOST:
        raise Unusable("too_large")
    return pasted


@require_safe
@opened
def export(request: OwnerRequest, editor: Editor, kind: str) -> HttpResponse:
    """The language, or a part of it, as a file: what is typed included; `?version=` for an older one."""
    if kind not in KINDS:
        raise Http404
    package = restore.working_package(editor)
    if wanted := request.GET.get("version", ""):
        pk = whole_number(wanted, ROW_MOST)
        package = store.content(get_object_or_404(editor.document.versions.select_related("blob"), pk=pk).blob)
    name = csv.file_name(f"{editor.document.title} {editor.word}", extension=kind)
    content = formats.exported(package, kind, _origin(editor))
    if content is None:
        raise Http404
    return csv.download(content, name, CONTENT_TYPES[kind])


def _origin(editor: Editor) -> Origin:
    return Origin(str(editor.document.video_id), editor.word)


def _page(editor: Editor, page: ImportPage, status: int = 200) -> HttpResponse:
    context = {"shell": frames.frame(editor, "language"), "page": page}
    return render(editor.request, "ai_content/import.html", context, status=status)

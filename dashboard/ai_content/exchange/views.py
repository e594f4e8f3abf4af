"""Import and export: a whole language as JSON, its parts in the formats of other programs."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.activity.recorder import actor_of
from dashboard.ai_content import answers, sentences, store, taking
from dashboard.ai_content import pages as frames
from dashboard.ai_content.doors import opened, resumed
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.exchange import Unusable, ebook_markdown, opml, quiz_csv
from dashboard.ai_content.models import Version
from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules.package import Block, NotAPackage, Package, part, read, with_part, written
from dashboard.shared import csv
from dashboard.shared.http import OwnerRequest

Upload: TypeAlias = "UploadedFile[bytes] | None"
BYTES_MOST: Final = 5_000_000
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


def import_page(hand: Editor, kind: str = "", text: str = "", error: str = "") -> ImportPage:
    """The form, with what was pasted and why it cannot be read."""
    return ImportPage(
        address=hand.address("import"),
        kinds=tuple(Kind(value, words, value == kind) for value, words in _kinds()),
        text=text,
        error=error,
        exports=tuple(frames.Link(words, hand.address("export", value), False) for value, words in _kinds() if value),
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
def import_(request: OwnerRequest, hand: Editor) -> HttpResponse:
    """Read a file and show what it would change. Nothing is taken over yet."""
    if request.method == "GET":
        return _page(hand, import_page(hand))
    upload = request.FILES.get("file")
    pasted, asked = request.POST.get("text", ""), request.POST.get("kind", "")
    kind = asked if asked in KINDS else _kind_of(upload)
    try:
        text = _text(upload, pasted)
        package = _imported(hand, kind, text)
    except Unusable as error:
        said = sentences.reason(error.code, error.detail, error.line)
        return _page(hand, import_page(hand, asked, pasted, said), 422)
    except NotAPackage as error:
        return _page(hand, import_page(hand, asked, pasted, sentences.reason(error.code)), 422)
    version = store.remember(
        hand.document,
        package,
        Version.Kind.IMPORTED,
        actor=actor_of(request, request.account),
        parent=taking.working_package(hand),
        label=(upload.name if upload and upload.name else dict(_kinds()).get(kind, "")),
    )
    return answers.go(hand, "version", version.pk)


def _kind_of(upload: Upload) -> str:
    name = upload.name if upload is not None and upload.name else ""
    return ENDINGS.get(name.rpartition(".")[2].lower(), "") if "." in name else ""


def _text(upload: Upload, pasted: str) -> str:
    """What was uploaded, else what was pasted. Raises `Unusable`."""
    if upload is None:
        if not pasted.strip():
            raise Unusable("empty")
        if len(pasted) > BYTES_MOST:
            raise Unusable("too_large")
        return pasted
    if (upload.size or 0) > BYTES_MOST:
        raise Unusable("too_large")
    try:
        text = str(upload.read().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Unusable("not_text") from error
    if not text.strip():
        raise Unusable("empty")
    return text.replace("\0", "\ufffd")


def _imported(hand: Editor, kind: str, text: str) -> Package:
    """The language as the file would make it. Raises `Unusable`, `NotAPackage`."""
    package = taking.working_package(hand)
    if kind == "json":
        return _without_address(read(text), package)
    if kind == "csv":
        values = part(package, Block.QUIZ)
        return with_part(
            package, Block.QUIZ, {**values, quiz.QUESTIONS: quiz_csv.merged(text, quiz.questions_of(values))}
        )
    if kind == "md":
        return with_part(package, Block.EBOOK, ebook_markdown.merged(text, part(package, Block.EBOOK)))
    if kind == "opml":
        value = package.get("mindmap")
        tree = opml.merged(opml.read(text), value, mindmap.shape_of(value))
        return with_part(package, Block.MINDMAP, {"mindmap": tree})
    raise Unusable("unknown_kind")


def _without_address(imported: Package, package: Package) -> Package:
    """An export of another video or language carries its address: the one of this file stays."""
    address: Package = {key: package[key] for key in ("video_id", "lang") if key in package}
    return {**{k: v for k, v in imported.items() if k not in ("video_id", "lang")}, **address}


@require_safe
@opened
def export(request: OwnerRequest, hand: Editor, kind: str) -> HttpResponse:
    """The language, or a part of it, as a file: what is typed included; `?version=` for an older one."""
    if kind not in KINDS:
        raise Http404
    package = taking.working_package(hand)
    if wanted := request.GET.get("version", ""):
        if not wanted.isdigit():
            raise Http404
        package = store.content(get_object_or_404(hand.document.versions.select_related("blob"), pk=int(wanted)).blob)
    name = csv.file_name(f"{hand.document.title} {hand.word}", extension=kind)
    return csv.download(_exported(package, kind).encode("utf-8", "replace"), name, CONTENT_TYPES[kind])


def _exported(package: Package, kind: str) -> str:
    if kind == "json":
        return written(dict(package), indent=2) + "\n"
    if kind == "csv":
        return quiz_csv.written(quiz.questions_of(package))
    if kind == "md":
        return ebook_markdown.written(part(package, Block.EBOOK))
    value = package.get("mindmap")
    shape = mindmap.shape_of(value)
    if shape is None:
        raise Http404
    return opml.written(mindmap.tree(value, shape))


def _page(hand: Editor, page: ImportPage, status: int = 200) -> HttpResponse:
    context = {"shell": frames.frame(hand, "language"), "page": page}
    return render(hand.request, "ai_content/import.html", context, status=status)

"""A whole language, or one part of it, to and from the bytes of a file."""

from dashboard.ai_content.exchange import Origin, UnusableFile, ebook_markdown, opml, quiz_csv
from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules.package import (
    TEXT_MOST,
    Block,
    Package,
    check_package,
    get_part,
    get_text,
    is_same,
    replace_part,
)
from dashboard.shared.csv import decode


def decode_file(content: bytes) -> str:
    """The text of a file. Raises `UnusableFile`: not_text, empty."""
    try:
        text = decode(content)
    except UnicodeDecodeError as error:
        raise UnusableFile("not_text") from error
    if not text.strip():
        raise UnusableFile("empty")
    return text.replace("\0", "\ufffd")


def export_package(package: Package, kind: str, origin: Origin) -> bytes | None:
    """The file of a kind; None where the mind map is no outline."""
    if kind == "json":
        text = packages.format_json(dict(package), indent=2) + "\n"
    elif kind == "csv":
        text = quiz_csv.format_csv(quiz.get_questions(package))
    elif kind == "md":
        text = ebook_markdown.format_markdown(get_part(package, Block.EBOOK), origin)
    else:
        shape = mindmap.find_shape(package.get("mindmap"))
        if shape is None:
            return None
        value = package["mindmap"]
        text = opml.format_opml(value, shape, origin) if kind == "opml" else opml.format_outline(value, shape)
    return text.encode("utf-8", "replace")


def import_package(text: str, kind: str, package: Package) -> Package:
    """The language as the file would make it. Raises `UnusableFile`, `NotAPackage`."""
    imported = _import_file(text, kind, package)
    changed = {key: value for key, value in imported.items() if not is_same(value, package.get(key))}
    if max(len(get_text(changed.get(key))) for key in ("abstract", "abstract_summary")) > TEXT_MOST:
        raise UnusableFile("text_too_long")
    if len(quiz.get_questions(changed)) > quiz_csv.ROWS_MOST:
        raise UnusableFile("too_many_questions", detail=str(quiz_csv.ROWS_MOST))
    return imported


def _import_file(text: str, kind: str, package: Package) -> Package:
    if kind == "json":
        return _keep_address(packages.parse_package(text), package)
    if kind == "csv":
        before = quiz.get_questions(package)
        after = quiz_csv.merge_csv(text, before)
        return package if is_same(after, before) else _replace_keys(package, Block.QUIZ, {quiz.QUESTIONS: after})
    if kind == "md":
        return replace_part(package, Block.EBOOK, ebook_markdown.merge_markdown(text, get_part(package, Block.EBOOK)))
    if kind in ("opml", "outline"):
        value = package.get("mindmap")
        shape = mindmap.find_shape(value)
        title = mindmap.get_label(mindmap.get_root(value, shape)) if shape else ""
        outline = opml.parse_opml(text) if kind == "opml" else opml.parse_outline(text, title)
        tree = opml.merge_opml(outline.root, value, shape)
        return _replace_keys(package, Block.MINDMAP, {"mindmap": tree})
    raise UnusableFile("unknown_kind")


def _replace_keys(package: Package, block: Block, values: Package) -> Package:
    return check_package(replace_part(package, block, {**get_part(package, block), **values}))


def _keep_address(imported: Package, package: Package) -> Package:
    """An export of another video or language carries its address: the one of this file stays."""
    address: Package = {key: package[key] for key in ("video_id", "lang") if key in package}
    return {**packages.remove_address(imported), **address}


def parse_origin(text: str, kind: str) -> Origin:
    """Where a file says it was exported. Raises `UnusableFile`."""
    if kind == "md":
        return ebook_markdown.parse_origin(text)
    if kind == "opml":
        return opml.parse_opml(text).origin
    if kind == "json":
        package = packages.parse_package(text)
        return Origin(get_text(package.get("video_id")), get_text(package.get("lang")))
    return Origin()


def list_left_out(text: str, kind: str) -> tuple[tuple[str, str], ...]:
    """What an OPML file says that a mind map has no place for: the label of the topic, and the attribute."""
    return opml.parse_opml(text).left_out if kind == "opml" else ()

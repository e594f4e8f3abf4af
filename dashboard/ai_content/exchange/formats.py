"""A whole language, or one part of it, to and from the bytes of a file."""

from dashboard.ai_content.exchange import Origin, Unusable, ebook_markdown, opml, quiz_csv
from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules.package import TEXT_MOST, Block, Package, checked, part, same, text_of, with_part


def read(content: bytes) -> str:
    """The text of a file. Raises `Unusable`: not_text, empty."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable("not_text") from error
    if not text.strip():
        raise Unusable("empty")
    return text.replace("\0", "\ufffd")


def exported(package: Package, kind: str, origin: Origin) -> bytes | None:
    """The file of a kind; None where the mind map is no outline."""
    if kind == "json":
        text = packages.written(dict(package), indent=2) + "\n"
    elif kind == "csv":
        text = quiz_csv.written(quiz.questions_of(package))
    elif kind == "md":
        text = ebook_markdown.written(part(package, Block.EBOOK), origin)
    else:
        shape = mindmap.shape_of(package.get("mindmap"))
        if shape is None:
            return None
        text = opml.written(package["mindmap"], shape, origin)
    return text.encode("utf-8", "replace")


def imported(text: str, kind: str, package: Package) -> Package:
    """The language as the file would make it. Raises `Unusable`, `NotAPackage`."""
    made = _imported(text, kind, package)
    brought = {key: value for key, value in made.items() if not same(value, package.get(key))}
    if max(len(text_of(brought.get(key))) for key in ("abstract", "abstract_summary")) > TEXT_MOST:
        raise Unusable("text_too_long")
    if len(quiz.questions_of(brought)) > quiz_csv.ROWS_MOST:
        raise Unusable("too_many_questions", detail=str(quiz_csv.ROWS_MOST))
    return made


def _imported(text: str, kind: str, package: Package) -> Package:
    if kind == "json":
        return _without_address(packages.read(text), package)
    if kind == "csv":
        before = quiz.questions_of(package)
        after = quiz_csv.merged(text, before)
        return package if same(after, before) else _with(package, Block.QUIZ, {quiz.QUESTIONS: after})
    if kind == "md":
        return with_part(package, Block.EBOOK, ebook_markdown.merged(text, part(package, Block.EBOOK)))
    if kind == "opml":
        value = package.get("mindmap")
        tree = opml.merged(opml.read(text).root, value, mindmap.shape_of(value))
        return _with(package, Block.MINDMAP, {"mindmap": tree})
    raise Unusable("unknown_kind")


def _with(package: Package, block: Block, values: Package) -> Package:
    return checked(with_part(package, block, {**part(package, block), **values}))


def _without_address(found: Package, package: Package) -> Package:
    """An export of another video or language carries its address: the one of this file stays."""
    address: Package = {key: package[key] for key in ("video_id", "lang") if key in package}
    return {**packages.without_address(found), **address}


def origin_of(text: str, kind: str) -> Origin:
    """Where a file says it was exported. Raises `Unusable`."""
    if kind == "md":
        return ebook_markdown.origin_of(text)
    if kind == "opml":
        return opml.read(text).origin
    if kind == "json":
        found = packages.read(text)
        return Origin(text_of(found.get("video_id")), text_of(found.get("lang")))
    return Origin()

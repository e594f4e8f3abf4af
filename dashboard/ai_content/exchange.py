"""A language, or a part of it, as files of other programs, both ways: JSON, quiz as CSV, eBook as Markdown, mind map as OPML.

Each reader raises `UnusableFile` with a code and, where there is one, the line it stumbled over. A file that comes back as
it left changes nothing: what a format cannot hold is left out of the file and kept where the file says the same as before.

Markdown has where it comes from, summary and cover in front matter, the text after it:

    ---
    video: "7b1f…"
    language: "en"
    kicker: "Coffee school"
    title: "From cherry to cup"
    cover: {"image_id": 7}
    summary: "…"
    ---
    # Text

CSV has one row per question, two columns per alternative:

    id, question, explanation, answer 1, correct 1, answer 2, correct 2, …

The explanation has a column where any question has one, and may be left out. Questions that a row cannot say (broken ones,
and those that would be an empty row) stay where they are.

OPML is the outline format that mind map and outline programs share. What an outline has no word for (ids, notes, colours)
travels with each topic as JSON in the attribute `reelroom:data`, its time and its note as attributes of their own. Programs
that drop them lose nothing: a topic that is found again keeps what it had. Attributes of other programs become keys of the
topic, or are listed as left out. The outline in plain text has one line for each topic, indented, with its time at the end:

    - Coffee
      - Beans [00:02:48.075]
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from re import compile as pattern
from typing import Final, TypeAlias
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from dashboard.ai_content.ebook_html import COVER_KEYS
from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules.mindmap import Shape
from dashboard.ai_content.rules.quiz import (
    EXPLANATION,
    QuizOption,
    TypedOption,
    edit_question,
    normalize_line_ends,
    parse_question,
)
from dashboard.platform_api.values import JSON
from dashboard.shared.csv import decode, fold_heading, read_rows, read_text, written

FILE_MOST: Final = 5_000_000
"""Bytes of an uploaded file, characters of a pasted one."""


class UnusableFile(ValueError):
    """A file that cannot be imported: `code` says why, `line` where (0: nowhere in particular)."""

    def __init__(self, code: str, line: int = 0, detail: str = "") -> None:
        super().__init__(code, line, detail)
        self.code = code
        self.line = line
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a file was exported: video id and language as in addresses. Empty: unknown."""

    video: str = ""
    language: str = ""

    def is_elsewhere(self, here: "Origin") -> bool:
        """Whether the file says that it comes from another place than `here`."""
        return self.video not in ("", here.video) or self.language not in ("", here.language)


def normalize_portable(text: str) -> str:
    """Text as it comes back from a file: UTF-8, line ends as \\n, without NUL."""
    return normalize_line_ends(text).encode("utf-8", "replace").decode().replace("\0", "\ufffd")


OTHER: Final = "cover"
"""Whatever else the cover holds, as one JSON object."""
ORIGIN: Final = ("video", "language")
_FRONT: Final = re.compile(r"\A---[ \t]*\r?\n(?:(.*?)\r?\n)??---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LINE: Final = re.compile(r"([a-z_]+):[ \t]*(.*)")


def format_markdown(values: packages.Package, origin: Origin = Origin()) -> str:
    """Markdown with front matter; keys that the eBook lacks are left out."""
    cover = values.get("abstract_cover")
    known = cover if isinstance(cover, dict) else {}
    pairs: list[tuple[str, JSON]] = [(key, value) for key in ORIGIN if (value := getattr(origin, key))]
    lines = {key: value for key, value in known.items() if key in COVER_KEYS and isinstance(value, str)}
    other: packages.Package = {key: value for key, value in known.items() if key not in lines}
    pairs += lines.items()
    pairs += [(OTHER, other)] if other else []
    if isinstance(values.get("abstract_summary"), str):
        pairs.append(("summary", values["abstract_summary"]))
    front = [f"{key}: {packages.format_json(value)}" for key, value in pairs]
    text = packages.get_text(values.get("abstract"))
    if not front and not text.startswith(("---", "\ufeff")):
        return text
    return "\n".join(["---", *front, "---", ""]) + text


def parse_markdown_origin(text: str) -> Origin:
    """Where a file says it was exported. Raises `UnusableFile`: front_matter."""
    front, _body = _split_front(text)
    return Origin(*(packages.get_text(front.get(key)) for key in ORIGIN))


def merge_markdown(text: str, values: packages.Package) -> packages.Package:
    """The eBook with the text, summary and cover of a Markdown file; what the file does not say stays as it is.

    The HTML is left out where the text changed: it is made from the text when the file is sent. Raises `UnusableFile`:
    front_matter.
    """
    front, body = _split_front(text)
    changed = dict(values)
    if normalize_portable(body) != normalize_portable(packages.get_text(values.get("abstract"))):
        changed["abstract"] = normalize_line_ends(body)
        changed.pop("abstract_html", None)
    if "summary" in front:
        changed["abstract_summary"] = front["summary"]
    cover = values.get("abstract_cover")
    known = cover if isinstance(cover, dict) else {}
    other = front.get(OTHER)
    lines: packages.Package = dict(other) if isinstance(other, dict) else {}
    lines |= {key: front[key] for key in COVER_KEYS if key in front}
    if not packages.is_same({**known, **lines}, known):
        changed["abstract_cover"] = {**known, **lines}
    return changed


def _split_front(text: str) -> tuple[packages.Package, str]:
    """The front matter and the text after it."""
    text = text.removeprefix("\ufeff")
    match = _FRONT.match(text)
    return (_parse_front(match.group(1) or ""), text[match.end() :]) if match else ({}, text)


def _parse_front(block: str) -> packages.Package:
    values: packages.Package = {}
    for number, line in enumerate(block.split("\n"), start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or match.group(1) not in (*ORIGIN, *COVER_KEYS, OTHER, "summary") or match.group(1) in values:
            raise UnusableFile("front_matter", number, line.strip()[:60])
        values[match.group(1)] = _parse_value(match.group(1), match.group(2), number)
    return values


def _parse_value(key: str, written_value: str, number: int) -> JSON:
    try:
        if key == OTHER:
            return packages.parse_package(written_value)
        return str(json.loads(written_value)) if written_value.startswith('"') else written_value.strip().strip("'")
    except ValueError as error:
        raise UnusableFile("front_matter", number, written_value[:60]) from error


_HEADING: Final = re.compile(r"(\D+?)\s*([0-9]{1,6})?")
_HEADINGS: Final = {
    "id": ("id",),
    "question": ("question", "pergunta", "questao", "pregunta", "enunciado", "enunciate"),
    "explanation": ("explanation", "explicacao", "explicacion"),
    "answer": ("answer", "option", "resposta", "alternativa", "opcao", "respuesta", "opcion"),
    "correct": ("correct", "correta", "correto", "certa", "correcta", "correcto"),
}
"""Each column, and what it is called in our three languages, as `fold_heading` gives it."""
YES: Final = frozenset(
    ("1", "true", "yes", "x", "y", "sim", "s", "sí", "si", "correct", "✓", "verdadeiro", "verdadero")
)
NO: Final = frozenset(("", "0", "false", "no", "n", "não", "nao", "falso", "wrong"))
ROWS_MOST: Final = 5000
FAR: Final = 1 << 30
"""A column beyond every line."""
CsvRow: TypeAlias = tuple[str, str, list[tuple[str, bool]], str | None]
"""Id, text, the alternatives with whether they are correct, and the explanation; None where the file has no column for it."""


def format_csv(questions: Sequence[JSON]) -> str:
    """CSV text, with a byte order mark so that spreadsheets read it as UTF-8."""
    sound = [question for question in questions if _has_row(question)]
    rows = [_build_row(question) for question in sound]
    width = max((len(row) // 2 - 1 for row in rows), default=2) or 1
    explanations = [parse_question(question).explanation for question in sound]
    if any(explanations):
        rows = [[*row[:2], explanation, *row[2:]] for row, explanation in zip(rows, explanations, strict=True)]
    heads = [
        "id",
        "question",
        *(["explanation"] if any(explanations) else []),
        *(f"{n} {i}" for i in range(1, width + 1) for n in ("answer", "correct")),
    ]
    return written(heads, rows)


def _build_row(question: JSON) -> list[str]:
    parsed = parse_question(question)
    cells = [_get_identifier(question), parsed.text]
    for option in parsed.options:
        cells += [option.text, "1" if option.correct else "0"]
    return cells


def _has_row(question: JSON) -> bool:
    """Whether a row says everything that the form of this question does."""
    return not parse_question(question).broken and any(cell.strip() for cell in _build_row(question))


def _get_identifier(question: JSON) -> str:
    identifier = question.get("id") if isinstance(question, dict) else None
    return "" if identifier is None else str(identifier)


def merge_csv(text: str, questions: Sequence[JSON]) -> list[JSON]:
    """The questions of a CSV: those that are there already keep what the file cannot say.

    Raises `UnusableFile`: no_rows, no_question_column, no_answer_columns, not_yes_or_no, column_twice, too_many_rows,
    not_csv.
    """
    if normalize_portable(text).removeprefix("\ufeff") == normalize_portable(format_csv(questions)).removeprefix(
        "\ufeff"
    ):
        return list(questions)
    ids: dict[str, list[JSON]] = {}
    for question in questions:
        if isinstance(question, dict) and question.get("id") is not None:
            ids.setdefault(normalize_portable(_get_identifier(question)).strip(), []).append(question["id"])
    rows = _parse_rows(text)
    imported = [_build_question(row, ids) for row in rows]
    sound = [question for question in questions if _has_row(question)]
    partner = {
        new: old
        for old, new in packages.pair_elements(sound, imported, packages.name_by_keys("enunciate"))
        if new is not None
    }
    behind: dict[int, list[JSON]] = {}
    at = -1
    for question in questions:
        if _has_row(question):
            at += 1
        else:
            behind.setdefault(at, []).append(question)
    result = behind.pop(-1, [])
    for place, question in enumerate(imported):
        old = partner.get(place)
        result.append(question if old is None else _merge_question(sound[old], question, rows[place][3]))
        result += [] if old is None else behind.pop(old, [])
    return result + [question for rest in behind.values() for question in rest]


def _merge_question(existing: JSON, imported: JSON, explanation: str | None) -> JSON:
    new, old = parse_question(imported), parse_question(existing)
    pairs = {
        place: at
        for at, place in packages.pair_elements(_list_texts(old.options), _list_texts(new.options), str)
        if place is not None
    }
    options = []
    for place, each in enumerate(new.options):
        at = pairs.get(place)
        options.append(
            TypedOption(at, each.text if at is None else _keep_text(old.options[at].text, each.text), each.correct)
        )
    if explanation is not None:
        explanation = _keep_text(old.explanation, explanation)
    return edit_question(existing, _keep_text(old.text, new.text), options, explanation)


def _keep_text(before: str, imported: str) -> str:
    """The text that is there, where the file says the same as far as a file can."""
    return before if normalize_portable(before) == normalize_portable(imported) else normalize_line_ends(imported)


def _list_texts(options: Sequence[QuizOption]) -> list[JSON]:
    return [normalize_portable(option.text) for option in options]


def _build_question(row: CsvRow, ids: Mapping[str, list[JSON]]) -> JSON:
    """An id that the quiz does not have names nothing: the platform gives a new one [4.3]."""
    identifier, text, options, explanation = row
    question: dict[str, JSON] = {"id": ids[identifier].pop(0)} if ids.get(identifier) else {}
    question |= {"enunciate": text, "options": [{"text": t, "correct": correct} for t, correct in options]}
    return question | ({EXPLANATION: explanation} if explanation else {})


def _parse_rows(text: str) -> list[CsvRow]:
    try:
        lines = list(islice(read_rows(text, strict=True), ROWS_MOST + 1))
    except csv.Error as error:
        raise UnusableFile("not_csv", detail=str(error)) from error
    if len(lines) > ROWS_MOST:
        raise UnusableFile("too_many_rows", detail=str(ROWS_MOST))
    if len(lines) < 2:
        raise UnusableFile("no_rows")
    head = [_read_heading(cell) for cell in lines[0]]
    if twice := next((name for name, count in Counter(head).items() if name and count > 1), ""):
        named = dict.fromkeys(cell.strip() for cell, name in zip(lines[0], head, strict=True) if name == twice)
        raise UnusableFile("column_twice", 1, " / ".join(named))
    if "question" not in head:
        raise UnusableFile("no_question_column", 1)
    answer_columns = _find_answer_columns(head)
    if not answer_columns:
        raise UnusableFile("no_answer_columns", 1)
    at_id, at_question = head.index("id") if "id" in head else None, head.index("question")
    at_explanation = head.index("explanation") if "explanation" in head else None
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if any(cell.strip() for cell in line):
            columns = takewhile(lambda places: min(places) < len(line), answer_columns)  # noqa: B023  (used up here)
            answers = [_parse_answer(line, at, mark, number) for at, mark in columns]
            options = [answer for answer in answers if answer is not None]
            question_id = read_text(_get_cell(line, at_id)).strip()
            explanation = None if at_explanation is None else read_text(_get_cell(line, at_explanation))
            rows.append((question_id, read_text(_get_cell(line, at_question)), options, explanation))
    return rows


def _read_heading(cell: str) -> str:
    """The name of a column whose heading means it in one of our languages; "" for any other column."""
    match = _HEADING.fullmatch(fold_heading(cell)[:60])
    name = next((name for name, words in _HEADINGS.items() if match and match[1] in words), "")
    return f"{name} {int(match[2])}" if match and match[2] and name in ("answer", "correct") else name


def _find_answer_columns(head: list[str]) -> list[tuple[int, int]]:
    """The columns of the alternatives, each with that of its mark, those that begin first in front; no mark is far out."""
    marks: dict[str, int] = {}
    for at, name in enumerate(head):
        marks.setdefault(name, at)
    named = [(at, marks.get(f"correct {name[7:]}", FAR)) for at, name in enumerate(head) if name.startswith("answer ")]
    return sorted(named, key=min) if all(at < mark for at, mark in named) else named


def _parse_answer(line: list[str], at: int, mark: int, number: int) -> tuple[str, bool] | None:
    text, mark_text = read_text(_get_cell(line, at)), _get_cell(line, mark).strip().casefold()
    if mark_text not in YES and mark_text not in NO:
        raise UnusableFile("not_yes_or_no", number, mark_text)
    return (text, mark_text in YES) if text or mark_text in YES or _get_cell(line, mark).strip() else None


def _get_cell(line: list[str], at: int | None) -> str:
    return line[at] if at is not None and at < len(line) else ""


NAMESPACE: Final = "urn:reelroom:mind-map"
DATA: Final = "reelroom:data"
TIME: Final = "reelroom:time"
VIDEO: Final = "reelroom:video"
LANGUAGE: Final = "reelroom:language"
NOTE: Final = "_note"
ATTRIBUTES: Final = frozenset({DATA, VIDEO, LANGUAGE, "text", "title"})
"""Those that are ours and no key of a topic, and the words."""
OTHERS_MOST: Final = 50
"""Attributes of other programs that are kept of one topic."""
_NOT_IN_XML: Final = pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BULLET: Final = pattern(r"^[-*+•](?:\s+|$)")
_MARKED: Final = pattern(r"(.*?)\s*\[([^\[\]]*)\]")
_ENTITIES: Final = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclass(slots=True)
class Topic:
    """A topic of a file. `data` are its other keys, None where the file says nothing about them; `attributes` come on top."""

    label: str
    data: packages.Package | None = None
    children: "list[Topic]" = field(default_factory=list)
    attributes: Mapping[str, str] = field(default_factory=dict)
    is_plain: bool = False
    """Of an outline in plain text: a label of one line, and a time or none."""

    @property
    def keys(self) -> packages.Package:
        """Its other keys, as far as the file says them."""
        return {**(self.data or {}), **self.attributes}

    def build_keys(self, old: Mapping[str, JSON]) -> packages.Package:
        """Its other keys; a time that is the moment of before, or that plain text could not say, is written as it was."""
        keys = self.keys
        moment = maps.parse_time(maps.get_time(keys))
        is_same_time = moment == maps.parse_time(maps.get_time(dict(old))) and (moment is not None or self.is_plain)
        if maps.TIME in keys and is_same_time:
            keys = {key: value for key, value in keys.items() if key != maps.TIME}
            keys |= {maps.TIME: old[maps.TIME]} if maps.TIME in old else {}
        return keys


@dataclass(frozen=True, slots=True)
class Outline:
    """What an OPML file holds."""

    root: Topic
    origin: Origin
    left_out: tuple[tuple[str, str], ...] = ()
    """Attributes that a mind map has no place for, each with the label of its topic."""


def format_opml(mindmap: JSON, shape: Shape, origin: Origin = Origin()) -> str:
    """OPML 2.0: the root is the title and the one outline at the top."""
    root = maps.get_root(mindmap, shape)
    title = _remove_illegal(maps.get_label(root)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    known = "".join(
        f" {name}={quoteattr(value)}" for name, value in ((VIDEO, origin.video), (LANGUAGE, origin.language)) if value
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<opml version="2.0" xmlns:reelroom="{NAMESPACE}"{known}>',
        f"<head><title>{title}</title></head>",
        "<body>",
        *_format_outline(root, 0),
        "</body>",
        "</opml>",
    ]
    return "\n".join(lines) + "\n"


def _remove_illegal(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _NOT_IN_XML.sub("", text)


def _format_outline(node: JSON, depth: int) -> list[str]:
    attributes = f"text={quoteattr(_remove_illegal(maps.get_label(node)), _ENTITIES)}"
    if data := maps.get_other_keys(node):
        if maps.parse_time(time := maps.get_time(node)) is not None:
            attributes += f" {TIME}={quoteattr(time, _ENTITIES)}"
            del data[maps.TIME]
        if (note := packages.get_text(data.get(NOTE))) and _remove_illegal(note) == note:
            attributes += f" {NOTE}={quoteattr(note, _ENTITIES)}"
            del data[NOTE]
        attributes += f" {DATA}={quoteattr(_format_data(data))}"
    pad, children = "  " * depth, maps.get_children(node)
    if not children:
        return [f"{pad}<outline {attributes}/>"]
    inner = [line for child in children for line in _format_outline(child, depth + 1)]
    return [f"{pad}<outline {attributes}>", *inner, f"{pad}</outline>"]


def _format_data(data: packages.Package) -> str:
    """JSON that XML can hold whatever is in it."""
    text = packages.format_json(data)
    return _NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def parse_opml(text: str) -> Outline:
    """The tree of an OPML file; several outlines at the top go under its title.

    Raises `UnusableFile`: not_xml, document_type, not_opml, no_outline, too_deep, too_many_nodes.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(text.lstrip().encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise UnusableFile("not_xml", error.lineno) from error
    if not reader.is_opml:
        raise UnusableFile("not_opml")
    tops = reader.tops
    if not tops:
        raise UnusableFile("no_outline")
    root = tops[0] if len(tops) == 1 else Topic("".join(reader.title).strip(), None, tops)
    return Outline(root, reader.origin, tuple(reader.left_out))


class _Reader:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate(encoding="UTF-8")
        self.parser.ordered_attributes = True  # listed, because a table of 100,000 names costs more than in proportion
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.is_opml = False
        self.title: list[str] = []
        """In whatever pieces it came."""
        self.origin = Origin()
        self.tops: list[Topic] = []
        self.left_out: list[tuple[str, str]] = []
        self._open: list[Topic] = []
        self._in_title = False
        self._count = 0

    def _start(self, tag: str, listed: list[str]) -> None:
        pairs = list(zip(listed[::2], listed[1::2], strict=True))
        attributes = {name: value for name, value in pairs if name in ATTRIBUTES}
        if tag == "opml":
            self.is_opml = True
            self.origin = Origin(attributes.get(VIDEO, ""), attributes.get(LANGUAGE, ""))
        self._in_title = tag == "title"
        if tag != "outline":
            return
        self._count += 1
        if self._count > maps.NODES_MAX:
            raise UnusableFile("too_many_nodes", self.parser.CurrentLineNumber, str(maps.NODES_MAX))
        if len(self._open) > packages.DEPTH_MAX // 2:
            raise UnusableFile("too_deep", self.parser.CurrentLineNumber)
        label = attributes.get("text") or attributes.get("title") or ""
        topic = Topic(label, _parse_data(attributes.get(DATA, "")), attributes=dict(self._list_others(label, pairs)))
        (self._open[-1].children if self._open else self.tops).append(topic)
        self._open.append(topic)

    def _list_others(self, label: str, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """The attributes of other programs; one that is named like the label or the children gets another name."""
        count = 0
        for name, value in pairs:
            if name in ATTRIBUTES and (name != "title" or value == label):
                continue
            count += 1
            key = maps.TIME if name == TIME else f"_{name}" if name in (*maps.LABELS, *maps.CHILDREN) else name
            if ":" in key or count > OTHERS_MOST or (key == maps.TIME and maps.parse_time(value) is None):
                self.left_out.append((label, name))
            else:
                yield key, value

    def _end(self, tag: str) -> None:
        self._in_title = False
        if tag == "outline":
            self._open.pop()

    def _data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)

    def _doctype(self, *_: object) -> None:
        """Entities, which can grow without end, need a document type."""
        raise UnusableFile("document_type", self.parser.CurrentLineNumber)


def format_outline(mindmap: JSON, shape: Shape) -> str:
    """An outline in plain text."""
    lines = []
    for node in maps.walk(maps.build_tree(mindmap, shape)):
        label, has_time = _format_line(node.label), maps.parse_time(node.time) is not None
        marked = f"{label} [{node.time.strip()}]" if has_time else f"{label} []" if label.endswith("]") else label
        lines.append(f"{'  ' * len(node.path)}- {marked}".rstrip())
    return "\n".join(lines) + "\n"


def _format_line(label: str) -> str:
    return " ".join(normalize_portable(label).split())


def parse_outline(text: str, title: str) -> Outline:
    """The tree of an outline in plain text, with or without bullets; several topics at the top go under `title`.

    Raises `UnusableFile`: no_outline, too_deep, too_many_nodes.
    """
    top = Topic(title, is_plain=True)
    opened: list[tuple[int, Topic]] = [(-1, top)]
    lines = [(number, line.expandtabs(4)) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise UnusableFile("no_outline")
    if len(lines) > maps.NODES_MAX:
        raise UnusableFile("too_many_nodes", lines[maps.NODES_MAX][0], str(maps.NODES_MAX))
    for number, line in lines:
        words = _BULLET.sub("", line.strip())
        marked = _MARKED.fullmatch(words)
        label, time = (
            (marked[1], marked[2])
            if marked and (not marked[2] or maps.parse_time(marked[2]) is not None)
            else (words, "")
        )
        indent = len(line) - len(line.lstrip())
        while opened[-1][0] >= indent:
            opened.pop()
        if len(opened) > packages.DEPTH_MAX // 2:
            raise UnusableFile("too_deep", number)
        topic = Topic(label.strip(), attributes={maps.TIME: time}, is_plain=True)
        opened[-1][1].children.append(topic)
        opened.append((indent, topic))
    return Outline(top.children[0] if len(top.children) == 1 else top, Origin())


def _parse_data(text: str) -> packages.Package | None:
    """The other keys of a topic; None for what another program made of them."""
    try:
        return packages.parse_package(text) if text else None
    except packages.NotAPackage:
        return None


def merge_opml(root: Topic, mindmap: JSON, shape: Shape | None) -> JSON:
    """The imported tree in the spelling of the mind map that is there; nodes that exist keep what the file leaves out."""
    if shape is None:
        return _build_node(root, maps.Shape((), maps.THEME, maps.CHILDREN[0], is_platform=True))
    return maps.replace_node(mindmap, shape, (), lambda old: _merge_topic(old, root, shape))


def _merge_topic(old: JSON, topic: Topic, shape: Shape) -> JSON:
    before = maps.get_children(old)
    partner, like = _match_topics(before, topic.children), _get_shape(before, shape.inner)
    children: list[JSON] = []
    for place, child in enumerate(topic.children):
        at = partner.get(place)
        children.append(_build_node(child, like) if at is None else _merge_topic(before[at], child, shape.inner))
    if not isinstance(old, dict):
        label = old if isinstance(old, str) and _is_same_label(old, topic) else normalize_line_ends(topic.label)
        return label if not children and not topic.build_keys({}) else _build_node(topic, shape)
    key, label_key = maps.find_children_key(old) or shape.children, maps.find_label_key(old) or shape.label
    changed, keys = dict(old), topic.build_keys(old)
    if topic.data is not None:
        changed = {name: value for name, value in old.items() if name in (key, label_key) or name in keys}
    changed |= {name: value for name, value in keys.items() if name not in (key, label_key)}
    if topic.is_plain and keys.get(maps.TIME) == "" != old.get(maps.TIME):
        del changed[maps.TIME]
    if not _is_same_label(maps.get_label(old), topic):
        changed[label_key] = normalize_line_ends(topic.label)
    return changed if not children and not before else changed | {key: children}


def _is_same_label(before: str, topic: Topic) -> bool:
    """Whether a topic is called as before, as far as the file can say it."""
    if topic.is_plain:
        return _format_line(before) == _format_line(topic.label)
    return normalize_portable(_remove_illegal(before)) == normalize_portable(topic.label)


def _match_topics(before: Sequence[JSON], topics: Sequence[Topic]) -> dict[int, int | None]:
    """Which node each topic is: by what it holds and its label, by the label alone where the file holds no more."""
    bare = all(topic.data is None and (topic.is_plain or not topic.attributes) for topic in topics)
    known = [
        _describe_topic(_remove_illegal(maps.get_label(node)), {} if bare else maps.get_other_keys(node))
        for node in before
    ]
    imported = [_describe_topic(topic.label, {} if bare else topic.keys) for topic in topics]
    return {new: old for old, new in packages.pair_elements(known, imported, _get_name) if new is not None}


def _describe_topic(label: str, data: packages.Package) -> JSON:
    time: packages.Package = {maps.TIME: maps.get_time(data)} if maps.TIME in data else {}
    return {"id": data.get("id"), "label": normalize_portable(label), "data": data | time}


def _get_name(described: JSON) -> str:
    return packages.normalize_text(str(described["label"])) if isinstance(described, dict) else ""


def _get_shape(siblings: Sequence[JSON], shape: Shape) -> Shape:
    label = next((key for key in map(maps.find_label_key, siblings) if key), shape.label)
    children = next((key for key in map(maps.find_children_key, siblings) if key), shape.children)
    return replace(shape, where=(), label=label, children=children)


def _build_node(topic: Topic, shape: Shape) -> JSON:
    node: packages.Package = {**topic.build_keys({}), shape.label: normalize_line_ends(topic.label)}
    if maps.find_label_key(node) != shape.label:  # a key that counts before it would be taken for the label
        node |= {maps.LABELS[0]: node.pop(shape.label)}
    if topic.children or shape.is_platform:
        node[shape.children] = [_build_node(child, shape.inner) for child in topic.children]
    return node


def decode_file(content: bytes) -> str:
    """The text of a file. Raises `UnusableFile`: not_text, empty."""
    try:
        text = decode(content)
    except UnicodeDecodeError as error:
        raise UnusableFile("not_text") from error
    if not text.strip():
        raise UnusableFile("empty")
    return text.replace("\0", "\ufffd")


def export_package(package: packages.Package, kind: str, origin: Origin) -> bytes | None:
    """The file of a kind; None where the mind map is no outline."""
    if kind == "json":
        text = packages.format_json(dict(package), indent=2) + "\n"
    elif kind == "csv":
        text = format_csv(quiz.get_questions(package))
    elif kind == "md":
        text = format_markdown(packages.get_part(package, packages.Block.EBOOK), origin)
    else:
        shape = mindmap.find_shape(package.get("mindmap"))
        if shape is None:
            return None
        value = package["mindmap"]
        text = format_opml(value, shape, origin) if kind == "opml" else format_outline(value, shape)
    return text.encode("utf-8", "replace")


def import_package(text: str, kind: str, package: packages.Package) -> packages.Package:
    """The language as the file would make it. Raises `UnusableFile`, `NotAPackage`."""
    imported = _import_file(text, kind, package)
    changed = {key: value for key, value in imported.items() if not packages.is_same(value, package.get(key))}
    if max(len(packages.get_text(changed.get(key))) for key in ("abstract", "abstract_summary")) > packages.TEXT_MOST:
        raise UnusableFile("text_too_long")
    if len(quiz.get_questions(changed)) > ROWS_MOST:
        raise UnusableFile("too_many_questions", detail=str(ROWS_MOST))
    return imported


def _import_file(text: str, kind: str, package: packages.Package) -> packages.Package:
    if kind == "json":
        return _keep_address(packages.parse_package(text), package)
    if kind == "csv":
        before = quiz.get_questions(package)
        after = merge_csv(text, before)
        return (
            package
            if packages.is_same(after, before)
            else _replace_keys(package, packages.Block.QUIZ, {quiz.QUESTIONS: after})
        )
    if kind == "md":
        return packages.replace_part(
            package, packages.Block.EBOOK, merge_markdown(text, packages.get_part(package, packages.Block.EBOOK))
        )
    if kind in ("opml", "outline"):
        value = package.get("mindmap")
        shape = mindmap.find_shape(value)
        title = mindmap.get_label(mindmap.get_root(value, shape)) if shape else ""
        outline = parse_opml(text) if kind == "opml" else parse_outline(text, title)
        tree = merge_opml(outline.root, value, shape)
        return _replace_keys(package, packages.Block.MINDMAP, {"mindmap": tree})
    raise UnusableFile("unknown_kind")


def _replace_keys(package: packages.Package, block: packages.Block, values: packages.Package) -> packages.Package:
    return packages.check_package(
        packages.replace_part(package, block, {**packages.get_part(package, block), **values})
    )


def _keep_address(imported: packages.Package, package: packages.Package) -> packages.Package:
    """An export of another video or language carries its address: the one of this file stays."""
    address: packages.Package = {key: package[key] for key in ("video_id", "lang") if key in package}
    return {**packages.remove_address(imported), **address}


def parse_origin(text: str, kind: str) -> Origin:
    """Where a file says it was exported. Raises `UnusableFile`."""
    if kind == "md":
        return parse_markdown_origin(text)
    if kind == "opml":
        return parse_opml(text).origin
    if kind == "json":
        package = packages.parse_package(text)
        return Origin(packages.get_text(package.get("video_id")), packages.get_text(package.get("lang")))
    return Origin()


def list_left_out(text: str, kind: str) -> tuple[tuple[str, str], ...]:
    """What an OPML file says that a mind map has no place for: the label of the topic, and the attribute."""
    return parse_opml(text).left_out if kind == "opml" else ()

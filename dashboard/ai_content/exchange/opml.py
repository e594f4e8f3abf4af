"""The mind map as OPML, the outline format that mind map and outline programs share, and as an outline in plain text.

What an outline has no word for (ids, notes, colours) travels with each topic as JSON in the attribute `reelroom:data`, its
time and its note as attributes of their own. Programs that drop them lose nothing: a topic that is found again keeps what it
had. Attributes of other programs become keys of the topic, or are listed as left out.

The outline in plain text has one line for each topic, indented, with its time at the end:

    - Coffee
      - Beans [00:02:48.075]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from re import compile as pattern
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from dashboard.ai_content.exchange import Origin, UnusableFile, normalize_portable
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules.mindmap import Shape
from dashboard.ai_content.rules.package import DEPTH_MAX, NotAPackage, Package, get_text, normalize_text, pair_elements
from dashboard.ai_content.rules.quiz import normalize_line_ends
from dashboard.platform_api.values import JSON

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
    data: Package | None = None
    children: "list[Topic]" = field(default_factory=list)
    attributes: Mapping[str, str] = field(default_factory=dict)
    is_plain: bool = False
    """Of an outline in plain text: a label of one line, and a time or none."""

    @property
    def keys(self) -> Package:
        """Its other keys, as far as the file says them."""
        return {**(self.data or {}), **self.attributes}

    def build_keys(self, old: Mapping[str, JSON]) -> Package:
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


def format_opml(mindmap: JSON, shape: Shape, origin: Origin = Origin()) -> str:  # noqa: B008  (frozen)
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
        if (note := get_text(data.get(NOTE))) and _remove_illegal(note) == note:
            attributes += f" {NOTE}={quoteattr(note, _ENTITIES)}"
            del data[NOTE]
        attributes += f" {DATA}={quoteattr(_format_data(data))}"
    pad, children = "  " * depth, maps.get_children(node)
    if not children:
        return [f"{pad}<outline {attributes}/>"]
    inner = [line for child in children for line in _format_outline(child, depth + 1)]
    return [f"{pad}<outline {attributes}>", *inner, f"{pad}</outline>"]


def _format_data(data: Package) -> str:
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
        if len(self._open) > DEPTH_MAX // 2:
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
        label, time = (marked[1], marked[2]) if marked and _is_time_or_none(marked[2]) else (words, "")
        indent = len(line) - len(line.lstrip())
        while opened[-1][0] >= indent:
            opened.pop()
        if len(opened) > DEPTH_MAX // 2:
            raise UnusableFile("too_deep", number)
        topic = Topic(label.strip(), attributes={maps.TIME: time}, is_plain=True)
        opened[-1][1].children.append(topic)
        opened.append((indent, topic))
    return Outline(top.children[0] if len(top.children) == 1 else top, Origin())


def _is_time_or_none(text: str) -> bool:
    return not text or maps.parse_time(text) is not None


def _parse_data(text: str) -> Package | None:
    """The other keys of a topic; None for what another program made of them."""
    try:
        return packages.parse_package(text) if text else None
    except NotAPackage:
        return None


def merge_opml(root: Topic, mindmap: JSON, shape: Shape | None) -> JSON:
    """The imported tree in the spelling of the mind map that is there; nodes that exist keep what the file leaves out."""
    if shape is None:
        return _build_node(root, maps.Shape((), maps.THEME, maps.CHILDREN[0], is_platform=True))
    return _replace_at(mindmap, shape.where, lambda old: _merge_topic(old, root, shape))


def _replace_at(value: JSON, where: Sequence[str], change: maps.NodeEdit) -> JSON:
    if not where:
        return change(value)
    whole = value if isinstance(value, dict) else {}
    return whole | {where[0]: _replace_at(whole.get(where[0]), where[1:], change)}


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
    return {new: old for old, new in pair_elements(known, imported, _get_name) if new is not None}


def _describe_topic(label: str, data: Package) -> JSON:
    time: Package = {maps.TIME: maps.get_time(data)} if maps.TIME in data else {}
    return {"id": data.get("id"), "label": normalize_portable(label), "data": data | time}


def _get_name(described: JSON) -> str:
    return normalize_text(str(described["label"])) if isinstance(described, dict) else ""


def _get_shape(siblings: Sequence[JSON], shape: Shape) -> Shape:
    label = next((key for key in map(maps.find_label_key, siblings) if key), shape.label)
    children = next((key for key in map(maps.find_children_key, siblings) if key), shape.children)
    return replace(shape, where=(), label=label, children=children)


def _build_node(topic: Topic, shape: Shape) -> JSON:
    node: Package = {**topic.build_keys({}), shape.label: normalize_line_ends(topic.label)}
    if maps.find_label_key(node) != shape.label:  # a key that counts before it would be taken for the label
        node |= {maps.LABELS[0]: node.pop(shape.label)}
    if topic.children or shape.is_platform:
        node[shape.children] = [_build_node(child, shape.inner) for child in topic.children]
    return node

"""The mind map as OPML, the outline format that mind map and outline programs share."""

from collections.abc import Sequence
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from dashboard.ai_content.exchange import Unusable
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.mindmap import Node, Shape
from dashboard.ai_content.rules.package import DEPTH_MAX, JSON
from dashboard.ai_content.rules.pairing import by_key, pair

_name: Final = by_key(*maps.LABELS)
_CONTROL: Final = {code: None for code in range(32) if chr(code) not in "\t\n\r"}


def written(root: Node) -> str:
    """OPML 2.0: the root is the title and the one outline at the top."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<opml version="2.0">',
        f"<head><title>{_text(root.label)}</title></head>",
        "<body>",
        *_outline(root, 0),
        "</body>",
        "</opml>",
    ]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return text.translate(_CONTROL).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _outline(node: Node, depth: int) -> list[str]:
    label = quoteattr(node.label.translate(_CONTROL), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
    pad = "  " * depth
    if not node.children:
        return [f"{pad}<outline text={label}/>"]
    inner = [line for child in node.children for line in _outline(child, depth + 1)]
    return [f"{pad}<outline text={label}>", *inner, f"{pad}</outline>"]


def read(text: str) -> Node:
    """The tree of an OPML file; several outlines at the top go under its title.

    Raises `Unusable`: not_xml, document_type, not_opml, no_outline, too_deep, too_many_nodes.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise Unusable("not_xml", error.lineno) from error
    if not reader.is_opml:
        raise Unusable("not_opml")
    tops = reader.tops
    if not tops:
        raise Unusable("no_outline")
    root = tops[0] if len(tops) == 1 else _Raw(reader.title, tops)
    return root.node(())


class _Raw:
    """A node while it is being read."""

    def __init__(self, label: str, children: "list[_Raw] | None" = None) -> None:
        self.label = label
        self.children: list[_Raw] = children or []

    def node(self, path: maps.Path) -> Node:
        return Node(path, self.label, tuple(child.node((*path, i)) for i, child in enumerate(self.children)))


class _Reader:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate(encoding="UTF-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.is_opml = False
        self._title: list[str] = []
        self.tops: list[_Raw] = []
        self._open: list[_Raw] = []
        self._in_title = False
        self._count = 0

    @property
    def title(self) -> str:
        """The title, in whatever pieces it came."""
        return "".join(self._title).strip()

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.is_opml = self.is_opml or tag == "opml"
        self._in_title = tag == "title"
        if tag != "outline":
            return
        self._count += 1
        if self._count > maps.NODES_MAX:
            raise Unusable("too_many_nodes", self.parser.CurrentLineNumber, str(maps.NODES_MAX))
        if len(self._open) > DEPTH_MAX // 2 - 4:
            raise Unusable("too_deep", self.parser.CurrentLineNumber)
        raw = _Raw(attributes.get("text") or attributes.get("title") or "")
        (self._open[-1].children if self._open else self.tops).append(raw)
        self._open.append(raw)

    def _end(self, tag: str) -> None:
        self._in_title = False
        if tag == "outline":
            self._open.pop()

    def _data(self, data: str) -> None:
        if self._in_title:
            self._title.append(data)

    def _doctype(self, *_: object) -> None:
        """Entities, which can grow without end, need a document type."""
        raise Unusable("document_type", self.parser.CurrentLineNumber)


def merged(root: Node, mindmap: JSON, shape: Shape | None) -> JSON:
    """The imported tree in the spelling of the mind map that is there; nodes that exist keep their other keys."""
    if shape is None:
        return _fresh(root, maps.Shape((), "label", "children"))
    return _put(mindmap, shape.where, lambda old: _onto(old, root, shape))


def _put(value: JSON, where: Sequence[str], change: maps.Change) -> JSON:
    if not where:
        return change(value)
    whole = value if isinstance(value, dict) else {}
    return whole | {where[0]: _put(whole.get(where[0]), where[1:], change)}


def _onto(old: JSON, node: Node, shape: Shape) -> JSON:
    before = maps.children_of(old)
    imported: list[JSON] = [child.label for child in node.children]
    partner = {new: at for at, new in pair(before, imported, _name) if new is not None}
    like = _shape_like(before, shape)
    children: list[JSON] = []
    for place, child in enumerate(node.children):
        at = partner.get(place)
        children.append(_fresh(child, like) if at is None else _onto(before[at], child, shape))
    if not isinstance(old, dict):
        return node.label if not children else _fresh(node, shape)
    changed: JSON = old if maps.label_of(old) == node.label else old | {maps.label_key(old) or shape.label: node.label}
    key = maps.children_key(old) or shape.children
    if not isinstance(changed, dict) or (not children and not before):
        return changed
    return changed | {key: children}


def _shape_like(siblings: Sequence[JSON], shape: Shape) -> Shape:
    label = next((found for found in map(maps.label_key, siblings) if found), shape.label)
    children = next((found for found in map(maps.children_key, siblings) if found), shape.children)
    return Shape((), label, children)


def _fresh(node: Node, shape: Shape) -> JSON:
    made: dict[str, JSON] = {shape.label: node.label}
    if node.children:
        made[shape.children] = [_fresh(child, shape) for child in node.children]
    return made

"""Small wrong changes of a module's source, one at a time."""

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
QUERIES = {"filter", "exclude", "get", "update"}
"""Methods of a queryset: each keyword is a condition, and one that is missing often goes unnoticed."""
SENTENCES = {"_", "gettext", "ngettext", "pgettext", "npgettext", "gettext_lazy", "pgettext_lazy", "ngettext_lazy"}
"""Their strings are kept by the catalogues (`manage.py messages`) and are not changed here."""
LOGGING = {"debug", "info", "warning", "error", "exception", "critical"}
ANNOTATIONS = {"annotation", "returns", "type_params"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Mutant:
    """One change: the place by number in the order of `_places`, and how a person reads it."""

    place: int
    change: int
    line: int
    function: str
    """"" for what runs when the module is imported."""
    before: str
    after: str


@dataclass(frozen=True)
class Place:
    node: ast.AST
    function: str


def list_mutants(source: str) -> list[Mutant]:
    """Every mutant of a module."""
    mutants = []
    for number, place in enumerate(_places(ast.parse(source))):
        for index, (attribute, value) in enumerate(_changes(place.node)):
            before = _text(place.node, attribute)
            original = getattr(place.node, attribute)
            setattr(place.node, attribute, value)
            line = _line(place.node)
            mutants.append(Mutant(number, index, line, place.function, before, _text(place.node, attribute)))
            setattr(place.node, attribute, original)
    return mutants


def mutate(source: str, mutant: Mutant) -> ast.Module:
    """The module's tree with this one change."""
    tree = ast.parse(source)
    node = list(_places(tree))[mutant.place].node
    attribute, value = _changes(node)[mutant.change]
    setattr(node, attribute, value)
    return ast.fix_missing_locations(tree)


def draw_sample(mutants: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """`size` of them (0: all), the same ones for the same seed."""
    if not size or size >= len(mutants):
        return mutants
    return sorted(random.Random(seed).sample(mutants, size), key=lambda mutant: (mutant.line, mutant.place))


def _places(tree: ast.AST, function: str = "") -> Iterator[Place]:
    """Every node that may be changed, always in the same order."""
    for name, child in _children(tree):
        if _is_left_alone(tree, name, child):
            continue
        inside = function
        if isinstance(tree, FUNCTIONS) and name == "body":
            inside = f"{function}.{getattr(tree, 'name', '<lambda>')}".lstrip(".")
        yield Place(child, inside)
        yield from _places(child, inside)


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield name, child


def _is_left_alone(parent: ast.AST, name: str, child: ast.AST) -> bool:
    """Annotations, docstrings, sentences for people and log lines."""
    if name in ANNOTATIONS or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
        return True
    if isinstance(parent, ast.FormattedValue) and name == "format_spec":
        return True
    if not isinstance(parent, ast.Call):
        return isinstance(child, ast.Expr) and isinstance(child.value, ast.Call) and _is_logging(child.value)
    called = parent.func
    return name == "args" and isinstance(called, ast.Name) and called.id in SENTENCES


def _is_logging(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute)
        and call.func.attr in LOGGING
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in {"log", "logger", "LOG"}
    )


def _changes(node: ast.AST) -> list[tuple[str, object]]:
    """What may go wrong here: an attribute of the node and its new value."""
    match node:
        case ast.Compare():
            return [("ops", _with(node.ops, at, SWAPPED[type(op)]())) for at, op in enumerate(node.ops)]
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign():
            return [("op", SWAPPED[type(node.op)]())] if type(node.op) in SWAPPED else []
        case ast.UnaryOp(op=ast.Not()):
            return [("operand", ast.UnaryOp(ast.Not(), node.operand))]
        case ast.Constant():
            return [("value", value) for value in _other_values(node.value)]
        case ast.If() | ast.While() | ast.IfExp() if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            return [("test", ast.UnaryOp(ast.Not(), node.test))]
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            return [("value", ast.Constant(None))]
        case ast.Expr(value=ast.Call()):
            return [("value", ast.Constant(...))]
        case ast.Call(func=ast.Attribute(attr=name)) if name in QUERIES and len(node.keywords) + len(node.args) > 1:
            return [("keywords", _without(node.keywords, at)) for at in range(len(node.keywords))]
        case ast.comprehension(ifs=[_, *_]):
            return [("ifs", _without(node.ifs, at)) for at in range(len(node.ifs))]
    return []


def _other_values(value: object) -> list[object]:
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [value + 1]
        case str():
            return [f"XX{value}"]
    return []


def _line(node: ast.AST) -> int:
    """The line on which it runs; the condition of a comprehension has none of its own."""
    return node.target.lineno if isinstance(node, ast.comprehension) else int(getattr(node, "lineno", 0))


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _with(items: list[ast.cmpop], at: int, item: object) -> list[object]:
    return [*items[:at], item, *items[at + 1 :]]


def _without(items: list[ast.keyword] | list[ast.expr], at: int) -> list[object]:
    return [*items[:at], *items[at + 1 :]]


def _text(node: ast.AST, attribute: str) -> str:
    """The changed expression, on one line."""
    value = node if isinstance(node, ast.expr | ast.comprehension | ast.AugAssign) else getattr(node, attribute)
    return " ".join(ast.unparse(ast.fix_missing_locations(value)).split())[:200]

"""Small wrong changes that mutmut does not make: in the queries of a module, its limits, and its constants."""

import ast
import gc
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import CodeType, FunctionType

EDGES = {"lt": "lte", "lte": "lt", "gt": "gte", "gte": "gt"}
NARROWING = {"filter", "exclude", "get", "update", "Q"}


@dataclass(frozen=True)
class Change:
    """One change of `module`, in `lines` of its source, which becomes `source`, or of a constant, by `factor`."""

    module: str
    lines: range
    told: str
    source: str = ""
    constant: str = ""
    factor: float = 0


def list_changes(module: str, file: Path) -> list[Change]:
    """All that can be made in the functions of a module, and of its constants, from its first line to its last."""
    source = file.read_bytes()
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    unchanged = _codes(source.decode(), str(file))

    def edit(node: ast.AST, begin: tuple[int, int], end: tuple[int, int], new: str) -> Iterator[Change]:
        """`new` in the place of what stands from `begin` to `end` (line and byte), unless that is no Python."""
        first, last = (starts[line - 1] + column for line, column in (begin, end))
        old = source[first:last].decode()
        changed = (
            source[:first] + (new + "\n" * (old.count("\n") - new.count("\n"))).encode() + source[last:]
        ).decode()
        try:
            codes = _codes(changed, str(file))
        except SyntaxError:
            return
        if any(code.co_freevars != codes[key].co_freevars for key, code in unchanged.items() if key in codes):
            return  # a function that lives cannot get another closure
        lines = range(begin[0], max(end[0], getattr(node, "end_lineno", 0)) + 1)
        yield Change(module, lines, " ".join(f"{old} → {new}".split()), changed)

    def place(node: ast.expr | ast.keyword) -> tuple[tuple[int, int], tuple[int, int]]:
        return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)

    def of_call(call: ast.Call) -> Iterator[Change]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        begin, end = place(call)
        for keyword in call.keywords:
            field, _, lookup = (keyword.arg or "").rpartition("__")
            if lookup in EDGES:
                start = place(keyword)[0]
                after = start[0], start[1] + len(keyword.arg or "")
                yield from edit(call, start, after, f"{field}__{EDGES[lookup]}")
            if name in NARROWING and keyword.arg:
                yield from edit(call, *place(keyword), "**{}")
        if name in {"filter", "exclude"} and isinstance(call.func, ast.Attribute):
            for argument in call.args:
                yield from edit(call, *place(argument), "*()")
        if name == "order_by" and call.args:
            first, last = call.args[0], call.args[-1]
            yield from edit(call, place(first)[0], place(last)[1], "*()")
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                other = first.value.removeprefix("-") if first.value.startswith("-") else f"-{first.value}"
                yield from edit(call, *place(first), f'"{other}"')
        if name == "distinct" and isinstance(call.func, ast.Attribute):
            yield from edit(call, place(call.func.value)[1], end, "")
        if name == "exists" and isinstance(call.func, ast.Attribute) and not call.args:
            text = ast.get_source_segment(source.decode(), call) or ""
            yield from edit(call, begin, end, f"(not {text})")

    def of_slice(limit: ast.expr) -> Iterator[Change]:
        text = ast.get_source_segment(source.decode(), limit) or ""
        yield from edit(limit, *place(limit), "")
        yield from edit(limit, *place(limit), f"({text}) - 1")

    def of_constant(name: str, line: int) -> Iterator[Change]:
        value = getattr(sys.modules[module], name, None)
        if isinstance(value, int | float | timedelta) and not isinstance(value, bool):
            for factor in (2, 0.5):
                yield Change(module, range(line, line + 1), f"{name} × {factor}", constant=name, factor=factor)

    def all_changes() -> Iterator[Change]:
        for top in tree.body:
            target = top.targets[0] if isinstance(top, ast.Assign) else getattr(top, "target", None)
            if isinstance(target, ast.Name) and re.fullmatch("_?[A-Z][A-Z0-9_]*", target.id):
                yield from of_constant(target.id, top.lineno)
        inside = {
            id(node): node
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef)
            for statement in function.body
            for node in ast.walk(statement)
        }
        for node in inside.values():
            if isinstance(node, ast.Call):
                yield from of_call(node)
            elif isinstance(node, ast.Slice) and isinstance(node.upper, ast.Constant | ast.Name | ast.BinOp):
                yield from of_slice(node.upper)

    return sorted(all_changes(), key=lambda change: change.lines.start)


def apply(change: Change) -> None:
    """Make a change in this process, for all that imported the module: its functions get other code, a constant its value."""
    if change.constant:
        old = getattr(sys.modules[change.module], change.constant)
        new = type(old)(old * change.factor) if isinstance(old, int | float) else old * change.factor
        for module in list(sys.modules.values()):
            value = getattr(module, "__dict__", {}).get(change.constant)
            if type(value) is type(old) and value == old:
                setattr(module, change.constant, new)
        return
    file = sys.modules[change.module].__file__ or ""
    codes = _codes(change.source, file)
    gc.unfreeze()
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == file:  # a lazy object would wake up
            code = function.__code__
            function.__code__ = codes.get((code.co_qualname, code.co_firstlineno), code)


def _codes(source: str, file: str) -> dict[tuple[str, int], CodeType]:
    """The code of every function, by name and first line."""
    codes, waiting = {}, [compile(source, file, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        codes[code.co_qualname, code.co_firstlineno] = code
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return codes

"""Names in the product are nouns for what is held and verbs for what is done: a list of words that are neither."""

import ast
from collections.abc import Iterator

from tests.house.sources import assert_none, list_modules, read_text, relative_name

VAGUE = frozenset({"found", "one", "shown", "hand", "kept", "said", "made", "wanted", "chosen"})
"""Participles that name a video here and a form there. A field may have one, since it is read beside its owner: `row.chosen`."""
BARE = frozenset({"_row", "read", "listed", "of", "look", "whole"}) | VAGUE
"""Functions of a module that their name tells nothing about."""
EXCUSED = {
    "dashboard/upstream/reads.py: of": "`reads.of(request)` is a phrase, which every view says",
}


def list_bare_functions(tree: ast.Module) -> Iterator[str]:
    """Functions of the module whose name is in `BARE`; a method is read beside its class."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in BARE:
            yield node.name


def list_fields(tree: ast.Module) -> Iterator[ast.expr]:
    """What the classes of the module declare."""
    for node in ast.walk(tree):
        for statement in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(statement, ast.AnnAssign):
                yield statement.target
            elif isinstance(statement, ast.Assign):
                yield from statement.targets


def list_vague_variables(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of variables and parameters in `VAGUE`."""
    fields = set(map(id, list_fields(tree)))
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.arg in VAGUE:
            yield node.lineno, node.arg
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and node.id in VAGUE
            and id(node) not in fields
        ):
            yield node.lineno, node.id


def test_no_function_has_a_name_that_tells_nothing() -> None:
    names = {
        f"{relative_name(path)}: {name}"
        for path in list_modules().values()
        for name in list_bare_functions(ast.parse(read_text(path)))
    }
    assert EXCUSED.keys() <= names, "excused, but not there"
    assert_none(sorted(names - EXCUSED.keys()))


def test_no_variable_is_a_participle() -> None:
    assert_none(
        f"{relative_name(path)}:{line}: {name}"
        for path in list_modules().values()
        for line, name in list_vague_variables(ast.parse(read_text(path)))
    )


def test_the_rules_see_what_they_forbid() -> None:
    tree = ast.parse(
        "def look(kept): ...\nclass Row:\n    chosen: bool\n    def read(self): ...\nfor found in [one for one in []]: ..."
    )
    assert list(list_bare_functions(tree)) == ["look"]
    assert sorted(list_vague_variables(tree)) == [(1, "kept"), (5, "found"), (5, "one")]

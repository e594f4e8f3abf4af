"""Scripts that tests and benches give to another process as a string: ruff and mypy do not read them."""

import ast
import builtins
import importlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
OURS = {"dashboard", "review_portal", "tests"}
FEWEST = 15
"""There are more; fewer would mean that they are not found any more."""


class _Zeros(dict[str, int]):
    """What every placeholder of a script is filled with."""

    def __missing__(self, _name: str) -> int:
        return 0


def _parse(text: str) -> ast.Module | None:
    """A script as it stands or with its placeholders filled; None of text that is none."""
    for fill in (_fill, str):
        with suppress(SyntaxError, ValueError, TypeError, LookupError, AttributeError):
            script = ast.parse(fill(text))
            if any(isinstance(node, ast.Import | ast.ImportFrom) for node in script.body):
                return script
    return None


def _fill(template: str) -> str:
    return template.format_map(_Zeros())


def _list_scripts() -> Iterator[tuple[str, ast.Module]]:
    """The scripts among the constants of test modules, with where they stand."""
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            value = getattr(node, "value", None)
            script = _parse(value.value) if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
            if script is not None:
                yield f"{path.relative_to(TESTS)}:{node.lineno}", script


def _list_unbound(script: ast.Module) -> set[str]:
    """Names that are used and bound nowhere in the script; none where it imports everything of a module."""
    bound, loaded = set(dir(builtins)), set()
    for node in ast.walk(script):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.alias(name="*"):
                return set()
            case ast.alias(name=name, asname=other):
                bound.add(other or name.partition(".")[0])
    return loaded - bound


def _list_missing_imports(script: ast.Module) -> set[str]:
    """What a script imports of this project's modules and they do not have."""
    missing = set()
    for node in ast.walk(script):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in OURS:
            module = importlib.import_module(str(node.module))
            for alias in node.names:
                with suppress(ModuleNotFoundError):  # a submodule is an attribute once it is imported
                    importlib.import_module(f"{node.module}.{alias.name}")
                if alias.name != "*" and not hasattr(module, alias.name):
                    missing.add(f"{node.module}.{alias.name}")
    return missing


def test_scripts_in_strings_use_no_name_that_they_do_not_bind() -> None:
    unbound = {place: _list_unbound(script) for place, script in _list_scripts()}
    assert len(unbound) >= FEWEST
    assert {place: names for place, names in unbound.items() if names} == {}


def test_scripts_in_strings_import_only_what_the_project_has() -> None:
    missing = {place: _list_missing_imports(script) for place, script in _list_scripts()}
    assert {place: names for place, names in missing.items() if names} == {}

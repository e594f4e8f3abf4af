"""The client stands alone: it needs the standard library and httpx, and only one place in it sends."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dashboard.platform_api
from dashboard.platform_api import Operations
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.request import Request
from tests.house.sources import assert_none

FOLDER = Path(dashboard.platform_api.__file__).parent
SOURCES = sorted(FOLDER.rglob("*.py"))


def test_it_is_imported_without_django() -> None:
    code = "import sys, dashboard.platform_api; print([n for n in sys.modules if n.split('.')[0] == 'django'])"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=FOLDER.parents[1], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


def list_modules(path: Path) -> set[str]:
    """What a file imports."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or ".")
    return modules


def test_it_imports_the_standard_library_httpx_and_itself() -> None:
    allowed = {*sys.stdlib_module_names, "httpx"}
    assert len(SOURCES) > 20
    assert_none(
        f"{path.relative_to(FOLDER)}: {name}"
        for path in SOURCES
        for name in sorted(list_modules(path))
        if name.split(".")[0] not in allowed and not name.startswith("dashboard.platform_api")
    )


def test_one_place_sends() -> None:
    calls = [
        f"{path.name}:{node.func.attr}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) in ("httpx", "http", "self.http", "client")
        and node.func.attr in ("get", "post", "put", "patch", "delete", "head", "request", "stream", "send")
    ]
    assert calls == ["sending.py:send"]


GROUPS = [
    (path, node)
    for path in SOURCES
    for node in ast.parse(path.read_text()).body
    if isinstance(node, ast.ClassDef) and "self._send = send" in ast.unparse(node)
]
"""The classes of operations, with their files."""


def _never_sends(request: Request, read: Callable[[Answer], object]) -> Any:
    raise AssertionError(request)


def test_there_is_a_class_for_each_group_of_operations() -> None:
    assert len(GROUPS) == len(vars(Operations(_never_sends, review_reads=True)))


@pytest.mark.parametrize(("path", "group"), GROUPS, ids=lambda value: getattr(value, "name", ""))
def test_every_operation_says_method_path_and_section(path: Path, group: ast.ClassDef) -> None:
    for node in ast.walk(group):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            first_line = (ast.get_docstring(node) or "").splitlines()[0]
            assert first_line.startswith(("GET {", "HEAD {", "POST {", "PUT {", "DELETE {")), node.name
            assert "[" in first_line or "guess" in first_line or "assumed" in first_line or "4.16" in path.read_text()

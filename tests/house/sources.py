"""The project's files as the rules of the house look at them: each is read and parsed once per process."""

import ast
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN_PACKAGES = ("dashboard", "review_portal")


def assert_none(offenders: Iterable[str]) -> None:
    """Fail with every offender on a line of its own."""
    __tracebackhide__ = True
    lines = list(offenders)
    if lines:
        raise AssertionError("\n".join([f"{len(lines)} wrong:", *lines]))


def relative_name(path: Path) -> str:
    """The path as it is written in a list of offenders."""
    return str(path.relative_to(ROOT))


@cache
def read_text(path: Path) -> str:
    """The text of a file."""
    return path.read_text()


@cache
def list_project_files() -> tuple[Path, ...]:
    """Every file that is committed or would be: those that git ignores are left out."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return tuple(ROOT / name for name in names if name and (ROOT / name).is_file())


@cache
def list_templates() -> tuple[Path, ...]:
    """Every template."""
    return tuple(sorted((ROOT / "templates").rglob("*.html")))


@cache
def list_modules() -> dict[str, Path]:
    """Every Python module of the product by its dotted name, migrations left out."""
    modules = {}
    for package in OWN_PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                modules[name] = path
    return modules


@cache
def list_imports(path: Path) -> frozenset[str]:
    """The dotted names that a file imports, those only for type checking left out."""
    tree = ast.parse(read_text(path))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    imports: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(imports)

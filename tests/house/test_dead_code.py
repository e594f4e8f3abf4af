"""What nothing uses any more is deleted: functions, classes of the style sheets, and what scripts export."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from tests.house.sources import ROOT, assert_none, list_modules, read_text, relative_name

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r'url\([^)]*\)|"[^"\n]*"')
DECLARATION = re.compile(r"^\s*[\w-]+:\s.*$", re.MULTILINE)
CLASS = re.compile(r"\.(-?[a-zA-Z_][\w-]*)")
WORD = re.compile(r"[\w-]+")
BEGINNING = re.compile(r"""([a-zA-Z][\w-]*(?:-|__))(?=\{|\$|%|["'`])""")
"""How a class begins whose end is computed: `is-{{ kind }}`, `f"line--{number}"`."""
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
CALLED_BY_OTHERS = {
    "htmx-request": "htmx sets it while a request is under way",
    **{
        f"s{shade}": "shades of a table's cells: dashboard/shared/charts/week.py computes them" for shade in range(1, 6)
    },
}
"""Classes that no text of ours has, with who sets them."""
CALLED_BY_NAME = {"dashboard/gunicorn.py": "gunicorn calls these functions at the start and end of its processes"}
"""Modules whose functions are called from outside, with who calls them."""


@cache
def list_scripts() -> tuple[Path, ...]:
    """Every script of the pages."""
    return tuple(sorted((ROOT / "static" / "js").rglob("*.js")))


@cache
def list_writers() -> tuple[Path, ...]:
    """The files that write classes: templates, Python modules of the product, scripts."""
    folders = ("templates", "dashboard", "review_portal")
    return tuple(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in {".html", ".py"})


def list_classes(sheet: str) -> set[str]:
    """The classes that the rules of a style sheet name."""
    return set(CLASS.findall(DECLARATION.sub("", QUOTED.sub("", COMMENT.sub("", sheet)))))


def test_every_function_of_a_module_is_used() -> None:
    names = Counter(name for path in list_writers() for name in re.findall(r"\w+", read_text(path)))
    functions = [
        (relative_name(path), node.name)
        for path in list_modules().values()
        for node in ast.parse(read_text(path)).body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list
    ]
    assert len(functions) > 3000
    assert_none(
        f"{module}: {name}"
        for module, name in functions
        if names[name] == 1 and module not in CALLED_BY_NAME and not name.startswith("__")
    )


def test_every_class_of_a_style_sheet_is_used() -> None:
    texts = [read_text(path) for path in (*list_writers(), *list_scripts())]
    words = {word for text in texts for word in WORD.findall(text)} | CALLED_BY_OTHERS.keys()
    beginnings = tuple({word for text in texts for word in BEGINNING.findall(text)} - {"x-", "data-"})
    sheets = sorted((ROOT / "static" / "css").rglob("*.css"))
    classes = {(relative_name(path), name) for path in sheets for name in list_classes(read_text(path))}
    assert len(classes) > 700
    assert_none(
        f"{sheet}: .{name}" for sheet, name in sorted(classes) if name not in words and not name.startswith(beginnings)
    )


def test_every_export_of_a_script_is_imported() -> None:
    importers = (*list_scripts(), *sorted((ROOT / "tests" / "javascript").rglob("*.*js")))
    offenders = []
    for path in list_scripts():
        others = "\n".join(read_text(other) for other in importers if other != path)
        offenders += [
            f"{relative_name(path)}: {name}"
            for name in EXPORT.findall(read_text(path))
            if not re.search(rf"\b{name}\b", others)
        ]
    assert_none(offenders)


def test_the_rules_see_what_they_forbid() -> None:
    sheet = '.used:not(.other) > .third {\n  transition: opacity .2s;\n  background: url("a.svg");\n}'
    assert list_classes(sheet) == {"used", "other", "third"}
    assert BEGINNING.findall('<b class="is-{{ kind }} line--{% now %}">') == ["is-", "line--"]
    assert EXPORT.findall("export const a = 1;\nexport async function b() {}") == ["a", "b"]

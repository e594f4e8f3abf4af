"""Text becomes markup only where Django escapes it, and at the places that are listed here, each with its reason."""

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.house.sources import assert_none, list_modules, list_templates, read_text, relative_name

PLACES: Final = {
    "dashboard.ai_content.ebook_views._join_blocks": "nh3 has cleaned the blocks",
    "dashboard.ai_content.mindmap_views._draw_nodes": "boxes of a large map: labels are escaped one by one",
    "dashboard.notices.letters.LetterPage": "the style of e-mails, a constant",
    "dashboard.shared.charts.prepared.Chart.table_body": "1,000 rows; every word is escaped",
    "dashboard.shared.charts.drawing.on_page": "attributes and titles are escaped one by one",
    "dashboard.shared.charts.week.WeekChart.table_body": "a number and a word of ours in each cell",
    "dashboard.shared.marks.draw_change": "hundreds in a long table; every word is escaped",
    "dashboard.shared.marks.draw_qr_code": "segno draws it: the address is in its modules alone, the title is escaped",
}
TEMPLATE_AT: Final = {"mark_safe": 0, "SafeString": 0, "format_html": 0, "format_html_join": 1, "_fill": 0}
"""What makes markup, and which of its arguments is taken as it is."""
NOWHERE: Final = re.compile(
    r"autoescape['\"]?\s*[:=]\s*False|autoescape off|\|\s*safe\b|safeseq|is_safe=True|__html__|html_safe|SafeText"
    r"|import .*\b(?:mark_safe|SafeString|format_html|format_html_join) as\b"
)
"""Ways around that nothing needs."""


def find_places(source: str, module: str = "module") -> Iterator[str]:
    """The functions and classes in which text that is no literal becomes markup."""
    tree = ast.parse(source)
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                values.setdefault(ast.unparse(target), []).append(node.value)

    def is_literal(value: ast.expr) -> bool:
        if isinstance(value, ast.IfExp):
            return is_literal(value.body) and is_literal(value.orelse)
        if isinstance(value, ast.Name):
            return bool(values.get(value.id)) and all(isinstance(one, ast.Constant) for one in values[value.id])
        return isinstance(value, ast.Constant)

    def walk(node: ast.AST, place: str) -> Iterator[str]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            place = f"{place}.{node.name}"
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            taken = node.args[TEMPLATE_AT[name] :][:1] if name in TEMPLATE_AT else []
            passed_on = [arg for arg in node.args if ast.unparse(arg).rpartition(".")[2] in TEMPLATE_AT]
            if (name != "isinstance" and passed_on) or not all(map(is_literal, taken)):
                yield place
        for child in ast.iter_child_nodes(node):
            yield from walk(child, place)

    return walk(tree, module)


def test_text_becomes_markup_only_at_listed_places() -> None:
    sources = {name: read_text(path) for name, path in list_modules().items()}
    makers = re.compile("|".join(TEMPLATE_AT))
    found = {place for name, text in sources.items() if makers.search(text) for place in find_places(text, name)}
    assert_none(f"{place} is {'not listed' if place in found else 'listed'}" for place in found ^ PLACES.keys())


def test_nothing_goes_round_escaping() -> None:
    files = [*list_modules().values(), *list_templates()]
    assert_none(f"{relative_name(path)}: {found[0]}" for path in files for found in NOWHERE.finditer(read_text(path)))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("mark_safe(x)", 1),
        ("safestring.mark_safe('a' + x)", 1),
        ("SafeString(f'<b>{x}</b>')", 1),
        ("format_html(f'<b>{x}</b>', y)", 1),
        ("format_html(x, y)", 1),
        ("format_html_join('', x, y)", 1),
        ("map(mark_safe, x)", 1),
        ("X = '<b>'\nX = y\nformat_html(X, y)", 1),
        ("X = '<b>{}</b>'\nformat_html(X, y)", 0),
        ("format_html('<b>' '{}</b>', y)", 0),
        ("format_html_join(x, '<b>{}</b>', y)", 0),
        ("SafeString(' open' if x else '')", 0),
        ("SafeString()", 0),
        ("isinstance(x, SafeString)", 0),
        ("def f(x: SafeString) -> SafeString: return x", 0),
    ],
)
def test_literals_are_no_places_and_all_else_is(source: str, found: int) -> None:
    assert len(list(find_places(source))) == found


@pytest.mark.parametrize(
    "source", ["{{ a|safe }}", "{{ a | safe }}", "{% autoescape off %}", "register.filter(f, is_safe=True)"]
)
def test_ways_round_escaping_are_found(source: str) -> None:
    assert NOWHERE.search(source)

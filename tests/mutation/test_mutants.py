"""What is changed in a module's source, and what is left alone."""

import ast

import pytest

from tests.mutation.code import Functions
from tests.mutation.modules import ROOT, list_modules, list_tests
from tests.mutation.mutants import draw_sample, list_mutants, mutate
from tests.mutation.report import accepted


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("return a < 3", {"a <= 3", "4", "None"}),
        ("return a in b and c", {"a not in b", "a in b or c", "None"}),
        ("if not a: b += 1", {"not not a", "b -= 1", "2"}),
        ("if a: pass", {"not a"}),
        ("a.filter(b=c, d=e)", {"a.filter(d=e)", "a.filter(b=c)", "..."}),
        ("return [x for x in a if x.b]", {"for x in a", "None"}),
        ('return "word"', {"'XXword'", "None"}),
        ('"""A docstring."""', set()),
        ('return _("A sentence")', {"None"}),
        ('log.info("A line %s", 3)', set()),
        ("x: Literal['a'] = b", set()),
    ],
)
def test_mutants_of_a_line_are_its_small_wrong_changes(line: str, after: set[str]) -> None:
    assert {mutant.after for mutant in list_mutants(f"def f(a, b, c):\n    {line}\n")} == after


def test_mutant_changes_one_place_and_knows_its_function() -> None:
    source = "LIMIT = 3\nclass A:\n    def m(self):\n        return self.x > LIMIT\n"
    changed = {mutant.function: ast.unparse(mutate(source, mutant)) for mutant in list_mutants(source)[:2]}
    assert "LIMIT = 4" in changed[""]
    assert "LIMIT = 3" in changed["m"] and "return self.x >" not in changed["m"]


def test_sample_is_the_same_for_the_same_seed() -> None:
    mutants = list_mutants("def f(a):\n    return a + 1 + 2 + 3 + 4 + 5 + 6\n")
    assert draw_sample(mutants, 4, seed=1) == draw_sample(mutants, 4, seed=1)
    assert len(draw_sample(mutants, 4, seed=1)) == 4 and draw_sample(mutants, 0, seed=1) == mutants


def test_functions_take_the_changed_code_and_lose_it_with_their_own() -> None:
    functions = Functions(__file__)
    tree = ast.parse((ROOT / "tests/mutation/test_mutants.py").read_text().replace("return 41 + a", "return 43 + a"))
    original = _answer.__code__
    assert functions.replace(tree) and _answer(0) == 43
    _answer.__code__ = original
    assert _answer(0) == 41


def test_every_module_has_tests_that_exist_and_every_accepted_mutant_a_reason() -> None:
    modules = list_modules([])
    assert len(modules) > 50
    assert [path for module in modules for path in list_tests(module) if not (ROOT / path).exists()] == []
    assert [mutant for mutant, reason in accepted().items() if len(reason) < 15] == []
    stale = {mutant.split(" ")[0] for mutant in accepted()} - set(modules)
    assert not stale, "These modules are gone or have another name"


def _answer(a: int) -> int:
    return 41 + a

"""Every change between two files, with its subject, its place, its kind and both values."""

from typing import Any

import pytest

from dashboard.ai_content.rules.difference import (
    EXCERPT,
    SUMMARIES_MOST,
    Change,
    ChangeKind,
    ChangeSubject,
    ChangeSummary,
    dump_summaries,
    get_excerpt,
    list_changes,
    load_summaries,
    summarize,
)
from dashboard.ai_content.rules.package import Block

ADDED, REMOVED, CHANGED, MOVED = ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.CHANGED, ChangeKind.MOVED
QUIZ, MINDMAP = Block.QUIZ, Block.MINDMAP
A: Any = {"text": "Arabica", "correct": True}
B: Any = {"text": "Robusta", "correct": False}
C: Any = {"text": "Liberica", "correct": False}
FIRST: Any = {"enunciate": "Which kind?", "options": [A, B]}
SECOND: Any = {"enunciate": "Where?", "options": [A]}
THIRD: Any = {"enunciate": "When?", "options": [B]}


def quiz(*questions: Any) -> dict[str, Any]:
    return {"questions": list(questions)}


def ask(*options: Any, **more: Any) -> dict[str, Any]:
    return {"enunciate": "Which kind?", "options": list(options), **more}


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (quiz(FIRST), quiz(FIRST), []),
        (quiz(FIRST), quiz(FIRST, SECOND), [Change(QUIZ, ChangeSubject.QUESTION, ADDED, None, SECOND, 2)]),
        (quiz(FIRST, SECOND), quiz(FIRST), [Change(QUIZ, ChangeSubject.QUESTION, REMOVED, SECOND, None, 2)]),
        ({}, quiz(FIRST), [Change(QUIZ, ChangeSubject.QUESTION, ADDED, None, FIRST, 1)]),
        (quiz(FIRST), {}, [Change(QUIZ, ChangeSubject.QUESTION, REMOVED, FIRST, None, 1)]),
        ({}, quiz(), [Change(QUIZ, ChangeSubject.VALUE, ADDED, None, [], path=("questions",))]),
        (quiz(), {}, [Change(QUIZ, ChangeSubject.VALUE, REMOVED, [], None, path=("questions",))]),
        (quiz(FIRST), {"questions": "x"}, [
            Change(QUIZ, ChangeSubject.VALUE, CHANGED, [FIRST], "x", path=("questions",)),
        ]),
        (quiz(FIRST, SECOND, THIRD), quiz(SECOND, THIRD, FIRST), [
            Change(QUIZ, ChangeSubject.QUESTION_PLACE, MOVED, 1, 3, 3),
        ]),
        (quiz("x"), quiz(FIRST), [Change(QUIZ, ChangeSubject.VALUE, CHANGED, "x", FIRST, 1)]),
        (quiz(FIRST), quiz({**FIRST, "enunciate": "What?"}), [
            Change(QUIZ, ChangeSubject.QUESTION_TEXT, CHANGED, "Which kind?", "What?", 1, path=("enunciate",)),
        ]),
        (quiz(ask(A)), quiz(ask(A, hint="Mild")), [
            Change(QUIZ, ChangeSubject.VALUE, ADDED, None, "Mild", 1, path=("hint",)),
        ]),
        (quiz(ask(A, hint="Mild")), quiz(ask(A)), [
            Change(QUIZ, ChangeSubject.VALUE, REMOVED, "Mild", None, 1, path=("hint",)),
        ]),
        (quiz(SECOND, ask(A)), quiz(SECOND, {"enunciate": "Which kind?", "options": "x"}), [
            Change(QUIZ, ChangeSubject.VALUE, CHANGED, [A], "x", 2, path=("options",)),
        ]),
    ],
)  # fmt: skip
def test_changes_of_questions(before: Any, after: Any, changes: list[Change]) -> None:
    assert list(list_changes(before, after)) == changes


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([A], [A, B], [Change(QUIZ, ChangeSubject.OPTION, ADDED, None, B, 2, 2)]),
        ([A, B], [A], [Change(QUIZ, ChangeSubject.OPTION, REMOVED, B, None, 2, 2)]),
        ([A, B, C], [B, C, A], [Change(QUIZ, ChangeSubject.OPTION_PLACE, MOVED, 1, 3, 2, 3)]),
        ([A, B], [A, {**B, "correct": True}], [
            Change(QUIZ, ChangeSubject.OPTION_CORRECT, CHANGED, False, True, 2, 2, ("correct",)),
        ]),
        ([A, B], [A, {**B, "text": "Conilon"}], [
            Change(QUIZ, ChangeSubject.OPTION_TEXT, CHANGED, "Robusta", "Conilon", 2, 2, ("text",)),
        ]),
        ([A], [{**A, "note": 1}], [Change(QUIZ, ChangeSubject.VALUE, ADDED, None, 1, 2, 1, ("note",))]),
        ([{**A, "note": 1}], [A], [Change(QUIZ, ChangeSubject.VALUE, REMOVED, 1, None, 2, 1, ("note",))]),
        (["x"], [A], [Change(QUIZ, ChangeSubject.VALUE, CHANGED, "x", A, 2, 1)]),
    ],
)  # fmt: skip
def test_changes_of_answers(before: list[Any], after: list[Any], changes: list[Change]) -> None:
    assert list(list_changes(quiz(SECOND, ask(*before)), quiz(SECOND, ask(*after)))) == changes


def branch(label: str, *children: Any, **more: Any) -> dict[str, Any]:
    return {"name": label, "children": list(children), **more}


def mindmap(tree: Any, **more: Any) -> dict[str, Any]:
    return {"mindmap": {"root": tree, **more}}


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (mindmap(branch("Coffee")), mindmap(branch("Tea")), [
            Change(MINDMAP, ChangeSubject.NODE_LABEL, CHANGED, "Coffee", "Tea"),
        ]),
        (mindmap(branch("Coffee")), mindmap(branch("Coffee", branch("Roast", branch("Light")))), [
            Change(MINDMAP, ChangeSubject.NODE, ADDED, None, "Roast\n  Light", path=("Coffee", "Roast")),
        ]),
        (mindmap(branch("Coffee", branch("Roast"))), mindmap(branch("Coffee")), [
            Change(MINDMAP, ChangeSubject.NODE, REMOVED, "Roast", None, path=("Coffee", "Roast")),
        ]),
        (mindmap(branch("C", branch("1"), branch("2"), branch("3"))),
         mindmap(branch("C", branch("2"), branch("3"), branch("1"))), [
            Change(MINDMAP, ChangeSubject.NODE_PLACE, MOVED, 1, 3, path=("C", "1")),
        ]),
        (mindmap(branch("C", branch("1"))), mindmap(branch("C", branch("1", note="x"))), [
            Change(MINDMAP, ChangeSubject.VALUE, ADDED, None, "x", path=("C", "1", "note")),
        ]),
        (mindmap(branch("C", note="x")), mindmap(branch("C")), [
            Change(MINDMAP, ChangeSubject.VALUE, REMOVED, "x", None, path=("C", "note")),
        ]),
        (mindmap(branch("C"), zoom=1), mindmap(branch("C"), zoom=2), [
            Change(MINDMAP, ChangeSubject.VALUE, CHANGED, {"root": None, "zoom": 1}, {"root": None, "zoom": 2},
                   path=("mindmap",)),
        ]),
        ({"mindmap": {"data": {"root": branch("C"), "zoom": 1}}}, {"mindmap": {"data": {"root": branch("C"), "zoom": 2}}}, [
            Change(MINDMAP, ChangeSubject.VALUE, CHANGED, {"data": {"root": None, "zoom": 1}},
                   {"data": {"root": None, "zoom": 2}}, path=("mindmap",)),
        ]),
        ({"mindmap": "x"}, mindmap(branch("C")), [
            Change(MINDMAP, ChangeSubject.VALUE, CHANGED, "x", {"root": branch("C")}, path=("mindmap",)),
        ]),
        (mindmap(branch("C")), {"mindmap": branch("C")}, [
            Change(MINDMAP, ChangeSubject.VALUE, CHANGED, {"root": branch("C")}, branch("C"), path=("mindmap",)),
        ]),
        ({}, mindmap(branch("C")), [
            Change(MINDMAP, ChangeSubject.VALUE, ADDED, None, {"root": branch("C")}, path=("mindmap",)),
        ]),
    ],
)  # fmt: skip
def test_changes_of_mind_maps(before: Any, after: Any, changes: list[Change]) -> None:
    assert list(list_changes(before, after)) == changes


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("abstract", ChangeSubject.EBOOK_TEXT),
        ("abstract_html", ChangeSubject.EBOOK_HTML),
        ("abstract_summary", ChangeSubject.SUMMARY),
        ("something", ChangeSubject.VALUE),
    ],
)
def test_changes_of_whole_values_are_in_the_order_of_the_file(key: str, what: ChangeSubject) -> None:
    first, second, third = list_changes({key: "a", "gone": 1}, {"new": 2, key: "b"})
    assert (first.what, first.kind, first.before, first.after, first.path) == (what, CHANGED, "a", "b", (key,))
    assert (second.kind, second.path, third.kind, third.path) == (REMOVED, ("gone",), ADDED, ("new",))


@pytest.mark.parametrize(
    ("key", "what"), [("questions_config", ChangeSubject.SETTING), ("abstract_cover", ChangeSubject.COVER)]
)
def test_changes_of_settings_and_cover_are_told_by_each_of_their_values(key: str, what: ChangeSubject) -> None:
    changes = list_changes({key: {"a": 1, "b": 2, "same": 0}}, {key: {"a": 9, "c": 3, "same": 0}})
    assert [(c.what, c.kind, c.before, c.after, c.path) for c in changes] == [
        (what, CHANGED, 1, 9, ("a",)), (what, REMOVED, 2, None, ("b",)), (what, ADDED, None, 3, ("c",)),
    ]  # fmt: skip
    (whole,) = list_changes({key: {"a": 1}}, {key: "x"})
    assert whole.path == (key,) and whole.before == {"a": 1}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("  two\n words ", "two words"),
        ({"enunciate": "Which kind?"}, "Which kind?"),
        ({"options": []}, ""),
        ({"text": "Arabica", "correct": True}, "Arabica"),
        (["x"], '["x"]'),
        ("x" * EXCERPT, "x" * EXCERPT),
        ("x" * (EXCERPT + 1), "x" * (EXCERPT - 1) + "…"),
    ],
)
def test_excerpt_is_one_line_that_people_can_read(value: Any, text: str) -> None:
    assert get_excerpt(value) == text


def test_summary_says_what_changed_where_and_how() -> None:
    change = Change(QUIZ, ChangeSubject.OPTION_TEXT, CHANGED, " a  b ", {"text": "c"}, 2, 3, ("text",))
    assert summarize(change) == ChangeSummary("quiz", "option_text", "changed", 2, 3, ("text",), "a b", "c")


def test_first_changes_are_kept_as_they_were_summarized() -> None:
    changes = list_changes(quiz(*(ask(A) for _n in range(20))), quiz())
    assert load_summaries(dump_summaries(changes)) == [summarize(change) for change in changes[:SUMMARIES_MOST]]

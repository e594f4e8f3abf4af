"""Every change between two files, with its subject, its place, its kind and both values."""

from dataclasses import replace
from typing import Any

import pytest

from dashboard.ai_content.pages import format_change
from dashboard.ai_content.rules.difference import (
    EXCERPT,
    SUMMARIES_MOST,
    Change,
    ChangeKind,
    ChangeSubject,
    dump_summaries,
    get_excerpt,
    list_changes,
    load_summaries,
    summarize,
)
from dashboard.ai_content.rules.package import Block, Package
from dashboard.platform_api.values import JSON
from tests.ai_content.packages import package, question

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
    assert summarize(change) == replace(change, before="a b", after="c")


def test_first_changes_are_kept_as_they_were_summarized() -> None:
    changes = list_changes(quiz(*(ask(A) for _n in range(20))), quiz())
    assert load_summaries(dump_summaries(changes)) == [summarize(change) for change in changes[:SUMMARIES_MOST]]


def whats(before: Package, after: Package) -> list[tuple[ChangeSubject, ChangeKind, int, int]]:
    return [(c.what, c.kind, c.question, c.option) for c in list_changes(before, after)]


def edited_option(number: int, place: int, **values: JSON) -> JSON:
    made = question(number)
    options = made["options"]
    assert isinstance(options, list)
    options[place] = {**options[place], **values}  # type: ignore[dict-item]  # an object
    return made


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ([question(1, enunciate="New?"), question(2)], [(ChangeSubject.QUESTION_TEXT, ChangeKind.CHANGED, 1, 0)]),
        ([question(2), question(1)], [(ChangeSubject.QUESTION_PLACE, ChangeKind.MOVED, 1, 0)]),
        ([question(1)], [(ChangeSubject.QUESTION, ChangeKind.REMOVED, 2, 0)]),
        ([question(1), question(5), question(2)], [(ChangeSubject.QUESTION, ChangeKind.ADDED, 2, 0)]),
        ([edited_option(1, 1, text="Other"), question(2)], [(ChangeSubject.OPTION_TEXT, ChangeKind.CHANGED, 1, 2)]),
        ([edited_option(1, 1, correct=True), question(2)], [(ChangeSubject.OPTION_CORRECT, ChangeKind.CHANGED, 1, 2)]),
        ([question(1, options=[]), question(2)], [(ChangeSubject.OPTION, ChangeKind.REMOVED, 1, n) for n in (1, 2, 3)]),
        ([question(1, hint="x"), question(2)], [(ChangeSubject.VALUE, ChangeKind.ADDED, 1, 0)]),
    ],
)
def test_changes_of_a_quiz_are_named(
    after: list[JSON], expected: list[tuple[ChangeSubject, ChangeKind, int, int]]
) -> None:
    assert whats(quiz(question(1), question(2)), quiz(*after)) == expected


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("abstract", "# New\n", ChangeSubject.EBOOK_TEXT),
        ("abstract_html", "<p>x</p>", ChangeSubject.EBOOK_HTML),
        ("abstract_summary", "Short", ChangeSubject.SUMMARY),
        (
            "abstract_cover",
            {"kicker": "Coffee school", "title": "New", "subtitle": "", "edition_label": "1"},
            ChangeSubject.COVER,
        ),
        ("questions_config", {"num_answers": 4, "shuffle": True, "theme": {"accent": "#0a6"}}, ChangeSubject.SETTING),
        ("generated", None, ChangeSubject.VALUE),
    ],
)
def test_changes_of_other_parts_are_named(key: str, value: JSON, what: ChangeSubject) -> None:
    assert [change.what for change in list_changes(package(), {**package(), key: value})] == [what]


def test_changes_of_a_mind_map_are_named_by_the_labels_that_lead_there() -> None:
    after = package()
    root = after["mindmap"]
    assert isinstance(root, dict)
    root["children"] = [
        {"id": "n4", "label": "Cup", "color": "#000"},
        {"id": "n1", "label": "Cherries", "children": [{"id": "n2", "label": "Harvest"}, {"label": "Sort"}]},
    ]
    changes = [(c.what, c.kind, c.path) for c in list_changes(package(), after)]
    assert (ChangeSubject.NODE_LABEL, ChangeKind.CHANGED, ("Coffee",)) in changes
    assert (ChangeSubject.NODE, ChangeKind.ADDED, ("Coffee", "Cherries", "Sort")) in changes
    assert (ChangeSubject.NODE, ChangeKind.REMOVED, ("Coffee", "Cherries", "Wash")) in changes
    assert (ChangeSubject.VALUE, ChangeKind.CHANGED, ("Coffee", "Cup", "color")) in changes
    assert any(what is ChangeSubject.NODE_PLACE for what, _, _ in changes)


def timed(*time: JSON) -> dict[str, Any]:
    return {"mindmap": {"theme": "Coffee", "children": [{"text": "Beans", **({"time": time[0]} if time else {})}]}}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (["00:02:48.075"], ["03:10.000"], "time of “Beans” changed from 2:48 to 3:10"),
        (["00:02:48.075"], ["00:02:48.500"], "time of “Beans” changed from 00:02:48.075 to 00:02:48.500"),
        ([168], ["01:00:00.000"], "time of “Beans” changed from 2:48 to 1:00:00"),
        ([], ["00:00.500"], "time 0:00 added to “Beans”"),
        (["00:02:48.075"], [], "time 2:48 removed from “Beans”"),
        (["soon"], ["02:48"], "“Coffee › Beans › time”: changed"),
        ([168], ["00:02:48"], "“Coffee › Beans › time”: changed"),
    ],
)
def test_changed_time_of_a_topic_is_a_moment_in_words(before: list[Any], after: list[Any], said: str) -> None:
    (change,) = list_changes(timed(*before), timed(*after))
    assert format_change(summarize(change)).removeprefix("Mind map: ") == said
    assert load_summaries(dump_summaries([change])) == [summarize(change)]


def test_added_topic_is_shown_with_its_moment() -> None:
    (change,) = list_changes({"mindmap": {"theme": "Coffee", "children": []}}, timed("00:02:48.075"))
    assert change.after == "Beans (2:48)"

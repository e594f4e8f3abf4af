"""Two people's changes become one: nothing of either is lost, and nothing that both changed is decided for them."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules.difference import ChangeKind, ChangeSubject, list_changes
from dashboard.ai_content.rules.merge import Side, merge_packages, split_paragraphs
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import package, question


def changed(**values: JSON) -> Package:
    return {**package(), **values}


def questions(*listed: JSON) -> Package:
    return {"questions": list(listed)}


@some.few
@given(some.packages, some.packages)
def test_when_one_side_did_nothing_the_other_side_is_the_result(base: Package, other: Package) -> None:
    for mine, theirs in ((base, other), (other, base)):
        merged = merge_packages(base, mine, theirs)
        assert is_same(merged.value, other)
        assert merged.conflicts == ()


@some.few
@given(some.packages, some.packages)
def test_when_both_did_the_same_nothing_is_asked(base: Package, both: Package) -> None:
    merged = merge_packages(base, both, copy.deepcopy(both))
    assert is_same(merged.value, both)
    assert merged.conflicts == ()


@some.few
@given(some.packages, some.packages, some.packages)
def test_every_choice_has_a_name_of_its_own_and_can_be_made(base: Package, mine: Package, theirs: Package) -> None:
    first = merge_packages(base, mine, theirs)
    keys = [conflict.key for conflict in first.conflicts]
    assert len(set(keys)) == len(keys)
    again = merge_packages(base, mine, theirs, dict.fromkeys(keys, Side.THEIRS))
    assert {conflict.key for conflict in again.conflicts if not conflict.order} <= set(keys)


def test_changes_to_different_questions_fit_together() -> None:
    base = questions(question(1), question(2), question(3))
    mine = questions(question(1, enunciate="Mine?"), question(2), question(3))
    theirs = questions(question(1), question(2), question(3, enunciate="Theirs?"))
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert is_same(
        merged.value, questions(question(1, enunciate="Mine?"), question(2), question(3, enunciate="Theirs?"))
    )


def test_changes_to_different_fields_of_one_question_fit_together() -> None:
    base = questions(question(1))
    mine = questions(question(1, enunciate="Mine?"))
    theirs = questions(question(1, hint="theirs"))
    assert merge_packages(base, mine, theirs).conflicts == ()
    assert is_same(merge_packages(base, mine, theirs).value, questions(question(1, enunciate="Mine?", hint="theirs")))


def test_a_question_moved_by_one_and_edited_by_the_other_is_both() -> None:
    base = questions(question(1), question(2), question(3))
    mine = questions(question(3), question(1), question(2))
    theirs = questions(question(1), question(2), question(3, enunciate="Theirs?"))
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert is_same(merged.value, questions(question(3, enunciate="Theirs?"), question(1), question(2)))


def test_additions_of_both_stay_behind_their_neighbours() -> None:
    base = questions(question(1), question(2))
    mine = questions(question(1), question(10), question(2))
    theirs = questions(question(1), question(2), question(20))
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert is_same(merged.value, questions(question(1), question(10), question(2), question(20)))


def test_the_same_question_changed_by_both_is_asked_and_either_answer_is_taken_whole() -> None:
    base, mine, theirs = (questions(question(1, enunciate=text), question(2)) for text in ("Old?", "Mine?", "Theirs?"))
    merged = merge_packages(base, mine, theirs)
    assert [(c.place[0], c.place[-1], c.base, c.mine, c.theirs) for c in merged.conflicts] == [
        ("questions", "enunciate", "Old?", "Mine?", "Theirs?")
    ]
    assert is_same(merged.value, mine)
    assert is_same(merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS}).value, theirs)


def test_a_question_deleted_by_one_and_edited_by_the_other_is_asked() -> None:
    base, mine = questions(question(1), question(2)), questions(question(2))
    theirs = questions(question(1, enunciate="Theirs?"), question(2))
    merged = merge_packages(base, mine, theirs)
    assert len(merged.conflicts) == 1
    assert is_same(merged.value, mine)
    assert is_same(merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS}).value, theirs)


def test_a_question_deleted_by_one_and_left_alone_by_the_other_is_gone() -> None:
    base = questions(question(1), question(2))
    assert is_same(merge_packages(base, questions(question(2)), base).value, questions(question(2)))
    assert is_same(merge_packages(base, base, questions(question(2))).value, questions(question(2)))


def test_two_orders_are_asked_about_once() -> None:
    base = questions(question(1), question(2), question(3))
    mine, theirs = questions(question(2), question(1), question(3)), questions(question(1), question(3), question(2))
    merged = merge_packages(base, mine, theirs)
    assert [conflict.order for conflict in merged.conflicts] == [True]
    assert is_same(merged.value, mine)
    assert is_same(merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS}).value, theirs)


def test_branches_of_a_mind_map_merge_on_their_own() -> None:
    def mapped(first: str, second: str) -> Package:
        return {"mindmap": {"label": "A", "children": [{"label": "b", "note": first}, {"label": "c", "note": second}]}}

    merged = merge_packages(mapped("", ""), mapped("mine", ""), mapped("", "theirs"))
    assert merged.conflicts == ()
    assert is_same(merged.value, mapped("mine", "theirs"))


def test_unknown_structure_that_both_changed_is_asked_about() -> None:
    merged = merge_packages({"x": {"deep": [1]}}, {"x": {"deep": [2]}}, {"x": {"deep": [3]}})
    assert [conflict.place for conflict in merged.conflicts] == [("x", "deep")]


BOOK = "# One\n\nFirst.\n\n# Two\n\nSecond.\n"


def test_paragraphs_of_a_text_merge_on_their_own() -> None:
    base: Package = {"abstract": BOOK, "abstract_html": "old"}
    mine: Package = {"abstract": BOOK.replace("First", "My first"), "abstract_html": "mine"}
    theirs: Package = {"abstract": BOOK.replace("Second", "Their second"), "abstract_html": "theirs"}
    merged = merge_packages(base, mine, theirs)
    assert merged.conflicts == ()
    assert merged.value["abstract"] == "# One\n\nMy first.\n\n# Two\n\nTheir second.\n"
    assert "abstract_html" not in merged.value, "the text is neither's, so neither's HTML goes with it"


def test_a_paragraph_that_both_changed_is_asked_about_alone() -> None:
    base: Package = {"abstract": BOOK}
    mine: Package = {"abstract": BOOK.replace("First", "My first").replace("Second", "My second")}
    theirs: Package = {"abstract": BOOK.replace("Second", "Their second")}
    merged = merge_packages(base, mine, theirs)
    assert [(c.mine, c.theirs) for c in merged.conflicts] == [("My second.\n", "Their second.\n")]
    chosen = merge_packages(base, mine, theirs, {merged.conflicts[0].key: Side.THEIRS})
    assert chosen.value["abstract"] == BOOK.replace("First", "My first").replace("Second", "Their second")


@some.few
@given(st.text("ab \n", max_size=40))
def test_paragraphs_joined_are_the_text(text: str) -> None:
    assert "".join(split_paragraphs(text)) == text


def test_html_that_differs_beside_the_same_text_is_a_question_of_its_own() -> None:
    old, mine, theirs = ({"abstract": "same", "abstract_html": html} for html in ("old", "mine", "theirs"))
    assert [conflict.place for conflict in merge_packages({**old}, {**mine}, {**theirs}).conflicts] == [
        ("abstract_html",)
    ]


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
    assert whats(questions(question(1), question(2)), questions(*after)) == expected


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
    assert [change.what for change in list_changes(package(), changed(**{key: value}))] == [what]


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

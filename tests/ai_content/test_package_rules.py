"""A package is opaque JSON: whatever one edit does, nothing else changes."""

import copy
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules.difference import difference
from dashboard.ai_content.rules.package import (
    JSON,
    Block,
    NotAPackage,
    Package,
    block_of,
    canonical,
    checked,
    digest,
    grown,
    part,
    payload,
    read,
    same,
    with_part,
    written,
)
from tests.ai_content import packages as some


@some.few
@given(some.packages)
def test_reading_what_was_written_gives_the_same_package(package: Package) -> None:
    assert canonical(read(written(package))) == canonical(package)
    assert list(read(written(package))) == list(package)


@some.few
@given(some.packages)
def test_a_package_taken_apart_and_put_together_is_the_same_in_the_same_order(package: Package) -> None:
    again = package
    for block in Block:
        again = with_part(again, block, part(package, block))
    assert written(again) == written(package)


@some.few
@given(some.packages, some.values)
def test_replacing_one_key_leaves_every_other_in_its_place(package: Package, value: JSON) -> None:
    before = copy.deepcopy(package)
    for key in package:
        block = block_of(key)
        changed = with_part(package, block, part(package, block) | {key: value})
        assert list(changed) == list(package)
        assert all(written(changed[other]) == written(package[other]) for other in package if other != key)
    assert written(package) == written(before)


@some.few
@given(some.packages, st.data())
def test_editing_one_question_changes_that_question_and_nothing_else(package: Package, data: st.DataObject) -> None:
    questions = quiz.questions_of(package)
    sound = [place for place, found in enumerate(questions) if quiz.reading(found).broken is None]
    assume(sound)
    place = data.draw(st.sampled_from(sound))
    text = data.draw(some.text)
    before = copy.deepcopy(package)
    shown = quiz.reading(questions[place])
    typed = [quiz.TypedOption(at, option.text, option.correct) for at, option in enumerate(shown.options)]
    changed = with_part(
        package,
        Block.QUIZ,
        part(package, Block.QUIZ)
        | {"questions": [*questions[:place], quiz.edited(questions[place], text, typed), *questions[place + 1 :]]},
    )
    for key in package:
        if key != "questions":
            assert written(changed[key]) == written(package[key])
    after = quiz.questions_of(changed)
    for at, question in enumerate(questions):
        if at != place:
            assert written(after[at]) == written(question)
    old, new = questions[place], after[place]
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    assert {k: written(v) for k, v in old.items() if k != "enunciate"} == {
        k: written(v) for k, v in new.items() if k != "enunciate"
    }
    assert written(package) == written(before)


@some.few
@given(some.questions)
def test_sending_a_question_back_as_it_was_shown_changes_nothing(question: Package) -> None:
    shown = quiz.reading(question)
    assume(shown.broken is None)
    crlf = [quiz.TypedOption(i, o.text.replace("\n", "\r\n"), o.correct) for i, o in enumerate(shown.options)]
    assert quiz.edited(question, shown.text.replace("\n", "\r\n"), crlf) is question


@some.few
@given(some.questions, st.data())
def test_moving_alternatives_keeps_what_each_of_them_holds(question: Package, data: st.DataObject) -> None:
    shown = quiz.reading(question)
    assume(shown.broken is None and shown.options)
    order = data.draw(st.permutations(range(len(shown.options))))
    typed = [quiz.TypedOption(at, shown.options[at].text, shown.options[at].correct) for at in order]
    before, after = question["options"], quiz.edited(question, shown.text, typed)
    assert isinstance(before, list)
    assert isinstance(after, dict)
    assert written(after["options"]) == written([before[at] for at in order])


@some.few
@given(some.nodes, st.data())
def test_renaming_a_node_changes_that_label_alone(root: Package, data: st.DataObject) -> None:
    shape = mindmap.shape_of(root)
    assume(shape is not None)
    assert shape is not None
    node = data.draw(st.sampled_from(list(mindmap.walk(mindmap.tree(root, shape)))))
    label = data.draw(some.text)
    changed = mindmap.relabelled(root, shape, node.path, label)
    back = mindmap.relabelled(changed, shape, node.path, node.label)
    assert written(back) == written(root)
    assert mindmap.label_of(mindmap.node_at(changed, shape, node.path)) == label


@some.few
@given(some.packages, some.packages)
def test_there_is_a_difference_exactly_when_there_is_one(one: Package, other: Package) -> None:
    assert difference(one, one) == ()
    assert bool(difference(one, other)) == (not same(one, other))


@some.few
@given(some.packages)
def test_the_payload_is_the_whole_package_with_its_address(package: Package) -> None:
    sent = payload(package, "video-1", "pt-BR")
    assert (sent["video_id"], sent["lang"]) == ("video-1", "pt-BR")
    assert {key: value for key, value in sent.items() if key not in ("video_id", "lang")} == {
        key: value for key, value in package.items() if key not in ("video_id", "lang")
    }


def test_the_legacy_file_leaves_without_a_language() -> None:
    assert "lang" not in payload({"lang": "es", "abstract": "x"}, "video-1", None)


@pytest.mark.parametrize(
    ("one", "other"),
    [({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({"a": 1.0}, {"a": 1}), ({"a": "e\u0301"}, {"a": "\u00e9"})],
)
def test_spellings_of_the_same_value_have_one_digest(one: Package, other: Package) -> None:
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"), [(True, 1), (0, False), ("1", 1), (None, False), ([], {}), ("", None), (1.5, 1)]
)
def test_values_that_only_look_alike_differ(one: JSON, other: JSON) -> None:
    assert not same(one, other)
    assert digest([one]) != digest([other])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[1]", "not_object"),
        ("null", "not_object"),
        ("{", "not_json"),
        ("", "not_json"),
        ('{"a": NaN}', "not_finite"),
        ('{"a": 1e999}', "not_finite"),
        ('{"a": [-1e999]}', "not_finite"),
        ('{"a":' + "[" * 101 + "]" * 101 + "}", "too_deep"),
        ('{"a":' + "[" * 200_000 + "]" * 200_000 + "}", "too_deep"),
    ],
)
def test_what_cannot_be_kept_whole_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(NotAPackage) as refused:
        read(text)
    assert refused.value.code == code


def test_nesting_just_inside_the_limit_is_a_package() -> None:
    assert checked(json.loads('{"a":' + "[" * 98 + "]" * 98 + "}"))


@some.few
@given(some.packages)
def test_a_file_has_grown_from_itself_and_from_what_gained_keys(package: Package) -> None:
    richer = {**package, "stamp": 1, "questions": [
        {**q, "given_id": "x"} if isinstance(q, dict) else q for q in quiz.questions_of(package)
    ]}  # fmt: skip
    assert grown(package, package)
    if "questions" in package:
        assert grown(package, richer)


@pytest.mark.parametrize(
    "seen", [{"questions": [{"enunciate": "B"}]}, {"questions": []}, {}, {"questions": [{"enunciate": "A"}, {}]}]
)
def test_a_file_that_lost_or_changed_something_has_not_grown(seen: Package) -> None:
    assert not grown({"questions": [{"enunciate": "A"}]}, seen)

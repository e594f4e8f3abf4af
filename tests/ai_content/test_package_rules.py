"""A package is opaque JSON: whatever one edit does, nothing else changes."""

import copy
import hashlib
import json
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dashboard.ai_content.rules import mindmap, quiz
from dashboard.ai_content.rules.difference import list_changes
from dashboard.ai_content.rules.package import (
    Block,
    NotAPackage,
    Package,
    build_payload,
    format_canonical,
    format_json,
    get_block,
    get_digest,
    get_fingerprint,
    get_mark,
    get_part,
    get_text,
    is_extended,
    is_same,
    list_blocks,
    normalize_unicode,
    parse_package,
    remove_address,
    replace_part,
)
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some


@some.few
@given(some.packages)
def test_reading_what_was_written_gives_the_same_package(package: Package) -> None:
    assert format_canonical(parse_package(format_json(package))) == format_canonical(package)
    assert list(parse_package(format_json(package))) == list(package)


@some.few
@given(some.packages)
def test_a_package_taken_apart_and_put_together_is_the_same_in_the_same_order(package: Package) -> None:
    again = package
    for block in Block:
        again = replace_part(again, block, get_part(package, block))
    assert format_json(again) == format_json(package)


@some.few
@given(some.packages, some.values)
def test_replacing_one_key_leaves_every_other_in_its_place(package: Package, value: JSON) -> None:
    before = copy.deepcopy(package)
    for key in package:
        block = get_block(key)
        changed = replace_part(package, block, get_part(package, block) | {key: value})
        assert list(changed) == list(package)
        assert all(format_json(changed[other]) == format_json(package[other]) for other in package if other != key)
    assert format_json(package) == format_json(before)


@some.few
@given(some.packages, st.data())
def test_editing_one_question_changes_that_question_and_nothing_else(package: Package, data: st.DataObject) -> None:
    questions = quiz.get_questions(package)
    sound = [place for place, changes in enumerate(questions) if quiz.parse_question(changes).broken is None]
    assume(sound)
    place = data.draw(st.sampled_from(sound))
    text = data.draw(some.text)
    before = copy.deepcopy(package)
    parsed = quiz.parse_question(questions[place])
    typed = [quiz.TypedOption(at, option.text, option.correct) for at, option in enumerate(parsed.options)]
    changed = replace_part(
        package,
        Block.QUIZ,
        get_part(package, Block.QUIZ)
        | {
            "questions": [
                *questions[:place],
                quiz.edit_question(questions[place], text, typed),
                *questions[place + 1 :],
            ]
        },
    )
    for key in package:
        if key != "questions":
            assert format_json(changed[key]) == format_json(package[key])
    after = quiz.get_questions(changed)
    for at, question in enumerate(questions):
        if at != place:
            assert format_json(after[at]) == format_json(question)
    old, new = questions[place], after[place]
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    assert {k: format_json(v) for k, v in old.items() if k != "enunciate"} == {
        k: format_json(v) for k, v in new.items() if k != "enunciate"
    }
    assert format_json(package) == format_json(before)


@some.few
@given(some.questions)
def test_sending_a_question_back_as_it_was_shown_changes_nothing(question: Package) -> None:
    parsed = quiz.parse_question(question)
    assume(parsed.broken is None)
    crlf = [quiz.TypedOption(i, o.text.replace("\n", "\r\n"), o.correct) for i, o in enumerate(parsed.options)]
    assert quiz.edit_question(question, parsed.text.replace("\n", "\r\n"), crlf) is question


@some.few
@given(some.questions, st.data())
def test_moving_alternatives_keeps_what_each_of_them_holds(question: Package, data: st.DataObject) -> None:
    parsed = quiz.parse_question(question)
    assume(parsed.broken is None and parsed.options)
    order = data.draw(st.permutations(range(len(parsed.options))))
    typed = [quiz.TypedOption(at, parsed.options[at].text, parsed.options[at].correct) for at in order]
    before, after = question["options"], quiz.edit_question(question, parsed.text, typed)
    assert isinstance(before, list)
    assert isinstance(after, dict)
    assert format_json(after["options"]) == format_json([before[at] for at in order])


@some.few
@given(some.nodes, st.data())
def test_renaming_a_node_changes_that_label_alone(root: Package, data: st.DataObject) -> None:
    shape = mindmap.find_shape(root)
    assume(shape is not None)
    assert shape is not None
    node = data.draw(st.sampled_from(list(mindmap.walk(mindmap.build_tree(root, shape)))))
    label = data.draw(some.text)
    changed = mindmap.rename_node(root, shape, node.path, label)
    back = mindmap.rename_node(changed, shape, node.path, node.label)
    assert format_json(back) == format_json(root)
    assert mindmap.get_label(mindmap.get_node(changed, shape, node.path)) == label


@some.few
@given(some.packages, some.packages)
def test_there_is_a_difference_exactly_when_there_is_one(left: Package, right: Package) -> None:
    assert list_changes(left, left) == ()
    assert bool(list_changes(left, right)) == (not is_same(left, right))


@some.few
@given(some.packages)
def test_the_payload_is_the_whole_package_with_its_address(package: Package) -> None:
    sent = build_payload(package, "video-1", "pt-BR")
    assert (sent["video_id"], sent["lang"]) == ("video-1", "pt-BR")
    assert {key: value for key, value in sent.items() if key not in ("video_id", "lang")} == {
        key: value for key, value in package.items() if key not in ("video_id", "lang")
    }


def test_the_address_of_a_payload_is_where_it_goes_and_not_what_the_file_said() -> None:
    sent = build_payload({"video_id": "other", "lang": "es", "abstract": "x"}, "video-1", "en")
    assert sent == {"video_id": "video-1", "lang": "en", "abstract": "x"}


def test_the_legacy_file_leaves_without_a_language() -> None:
    assert "lang" not in build_payload({"lang": "es", "abstract": "x"}, "video-1", None)


@pytest.mark.parametrize(
    ("value", "text", "indented"),
    [
        ({"b": [1, True], "a": "é 👩"}, '{"b":[1,true],"a":"é 👩"}', '{\n "b": [\n  1,\n  true\n ],\n "a": "é 👩"\n}'),
        ({}, "{}", "{}"),
        ("\ud83d \udc69x", '"\\ud83d \\udc69x"', '"\\ud83d \\udc69x"'),
    ],
)
def test_json_is_written_short_or_indented_and_halves_of_letters_escaped(value: JSON, text: str, indented: str) -> None:
    assert (format_json(value), format_json(value, indent=1)) == (text, indented)
    assert json.loads(text) == value


EXACT = 2**53


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": {"d": None, "c": [2, "x"]}}, '{"a":{"c":[2,"x"],"d":null},"b":1}'),
        ([1.0, -1.0, 1.5, float(EXACT - 1), 1.0 - EXACT], f"[1,-1,1.5,{EXACT - 1},{1 - EXACT}]"),
        ([float(EXACT), -float(EXACT)], f"[{EXACT}.0,-{EXACT}.0]"),
        ({"e\u0301": "\ufb01 e\u0301"}, '{"é":"\ufb01 é"}'),
    ],
)
def test_canonical_form_sorts_keys_and_spells_letters_and_numbers_one_way(value: JSON, text: str) -> None:
    assert format_canonical(value) == text
    assert get_digest(value) == hashlib.sha256(text.encode()).hexdigest()
    assert get_mark(value) == get_digest(value)[:16]


@pytest.mark.parametrize("write", [format_json, format_canonical])
def test_number_that_json_does_not_have_is_never_written(write: Callable[[JSON], str]) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write([float("nan")])


def test_halves_of_letters_have_digests_of_their_own() -> None:
    assert len({get_digest(text) for text in ("\ud83d", "\ud83e", "?", "")}) == 4


@pytest.mark.parametrize(("count", "is_ordered"), [(30, True), (31, False)])
def test_endless_marks_on_a_letter_stay_as_they_are_and_the_rest_gets_its_normal_form(
    count: int, is_ordered: bool
) -> None:
    marks = ("\u0301\u0316" * 16)[:count]
    text = f"e\u0301 x{marks} e\u0301"
    ordered = "".join(sorted(marks, key=unicodedata.combining))
    assert normalize_unicode(text) == f"é x{ordered if is_ordered else marks} é"
    assert normalize_unicode(f"\ufb01{text}\ufb01", "NFKC") == f"fi{normalize_unicode(text)}fi"


def test_blocks_are_told_by_their_keys_and_every_other_key_belongs_to_none() -> None:
    package: Package = {"x": 1, "abstract_cover": {}, "questions_config": {}, "questions": [], "video_id": "v"}
    assert list_blocks(package) == {Block.EBOOK, Block.QUIZ}
    assert get_part(package, Block.OTHER) == {"x": 1, "video_id": "v"}
    assert list_blocks({"x": 1}) == set()


def test_part_replaces_its_keys_in_their_places_and_no_key_of_another_block() -> None:
    package: Package = {"questions": [], "x": 1, "mindmap": {}, "questions_config": {}}
    values: Package = {"mindmap": {"label": "no"}, "questions_config": {"a": 1}, "x": 2}
    replaced = replace_part(package, Block.QUIZ, values)
    assert list(replaced.items()) == [("x", 1), ("mindmap", {}), ("questions_config", {"a": 1})]
    replaced = replace_part(replaced, Block.EBOOK, {"abstract_html": "h", "questions": [1], "abstract": "t"})
    assert list(replaced.items())[3:] == [("abstract_html", "h"), ("abstract", "t")]


def test_address_in_a_file_is_no_content() -> None:
    package: Package = {"video_id": "v", "lang": "en", "abstract": "x"}
    assert remove_address(package) == {"abstract": "x"}
    assert get_fingerprint(package) == get_fingerprint({"abstract": "x", "lang": "es"}) == get_digest({"abstract": "x"})
    assert get_fingerprint({"abstract": "y"}) != get_fingerprint(package)


@pytest.mark.parametrize(("value", "text"), [(" a ", " a "), ("", ""), (None, ""), (5, ""), (["a"], "")])
def test_text_is_a_string_as_it_is_and_nothing_else(value: JSON, text: str) -> None:
    assert get_text(value) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({"a": 1.0}, {"a": 1}), ({"a": "e\u0301"}, {"a": "\u00e9"})],
)
def test_spellings_of_the_same_value_have_one_digest(one: Package, other: Package) -> None:
    assert get_digest(one) == get_digest(other)


def test_texts_are_the_same_in_any_spelling_of_their_letters_and_no_other() -> None:
    assert is_same("Caf\u00e9", "Cafe\u0301")
    assert not is_same("Caf\u00e9", "Cafe")
    assert not is_same("1", 1)


@pytest.mark.parametrize(
    ("one", "other"), [(True, 1), (0, False), ("1", 1), (None, False), ([], {}), ("", None), (1.5, 1)]
)
def test_values_that_only_look_alike_differ(one: JSON, other: JSON) -> None:
    assert not is_same(one, other)
    assert get_digest([one]) != get_digest([other])


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
        parse_package(text)
    assert (refused.value.code, str(refused.value)) == (code, code)


@pytest.mark.parametrize(("levels", "fits"), [(98, True), (99, True), (100, False)])
def test_nesting_up_to_the_limit_is_a_package(levels: int, fits: bool) -> None:
    text = '{"a":' + "[" * levels + "]" * levels + "}"
    if fits:
        assert parse_package(text) == json.loads(text)
    else:
        with pytest.raises(NotAPackage, match="too_deep"):
            parse_package(text)


@some.few
@given(some.packages)
def test_a_file_has_grown_from_itself_and_from_what_gained_keys(package: Package) -> None:
    richer = {**package, "stamp": 1, "questions": [
        {**q, "given_id": "x"} if isinstance(q, dict) else q for q in quiz.get_questions(package)
    ]}  # fmt: skip
    assert is_extended(package, package)
    if "questions" in package:
        assert is_extended(package, richer)


@pytest.mark.parametrize(
    "received", [{"questions": [{"enunciate": "B"}]}, {"questions": []}, {}, {"questions": [{"enunciate": "A"}, {}]}]
)
def test_a_file_that_lost_or_changed_something_has_not_grown(received: Package) -> None:
    assert not is_extended({"questions": [{"enunciate": "A"}]}, received)


@pytest.mark.parametrize(("sent", "received"), [({}, []), ([], {}), ({}, None), ([], None), ([1], [1, 2]), ("a", {})])
def test_value_of_another_kind_or_length_has_not_grown(sent: JSON, received: JSON) -> None:
    assert not is_extended({"x": sent}, {"x": received})

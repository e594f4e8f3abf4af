"""A file that is exported and imported as it left changes nothing, for any content; what it would change is listed."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dashboard.ai_content import exchange
from dashboard.ai_content.exchange import Origin, UnusableFile
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.difference import ChangeKind, ChangeSubject, list_changes
from dashboard.ai_content.rules.package import Package, is_same
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import package, question

HERE = Origin("7b1f0d6e-0000-4000-8000-000000000000", "en")
KINDS = ("json", "csv", "md", "opml", "outline")
TRAPS = [
    "",
    " ",
    "---",
    "---\n---\n",
    "\ufeff",
    "\x00",
    "\x0b\x1f",
    "\ufffe",
    "\ud800",
    "a\r\nb\rc",
    "=1",
    "'=1",
    "\n=1",
]
TRAPS += ["＋5511", "''=1", "-1", "@x", "＝1", "<&>\"'", "]]>", '"quoted"', "title: x", "```", "\u2028", "\x85", "x"]
traps = st.one_of(st.sampled_from(TRAPS), st.text(st.characters(exclude_categories=[]), max_size=8))
few = settings(max_examples=25 if settings().derandomize else 2000, deadline=None)


def respelled(value: JSON, trap: str, whole: bool) -> JSON:
    """The value with every text in it ending in `trap`, or being nothing else: then siblings are alike."""
    if isinstance(value, str):
        return trap if whole else value + trap
    if isinstance(value, list):
        return [respelled(each, trap, whole) for each in value]
    return {key: respelled(each, trap, whole) for key, each in value.items()} if isinstance(value, dict) else value


contents = st.builds(respelled, some.packages, traps, st.booleans())


def again(content: Package, kind: str, change: Any = None, pasted: bool = False) -> Package:
    """The content after a file of it was imported, uploaded or pasted; `change` edits the text in between."""
    sent = exchange.export_package(content, kind, HERE)
    if sent is None:
        return content  # no tree of labels: there is nothing to export
    text = exchange.decode_file(sent)
    if pasted:
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    return exchange.import_package(change(text) if change else text, kind, content)


def every_trap(test: Any) -> Any:
    """Each trap, in every text of a whole package."""
    for trap in TRAPS:
        for whole in (True, False):
            test = example(respelled(package(), trap, whole))(test)
    return test


@few
@every_trap
@given(contents)
def test_importing_an_unchanged_export_changes_nothing(content: Package) -> None:
    for kind in KINDS:
        for pasted in (False, True):
            back = again(content, kind, pasted=pasted)
            assert list_changes(content, back) == (), (kind, pasted)
            assert is_same(back, content), (kind, pasted)


@few
@given(some.nodes, traps, st.booleans())
def test_a_map_whose_outline_program_dropped_our_attributes_keeps_everything(
    root: Package, trap: str, whole: bool
) -> None:
    content: Package = {"mindmap": respelled(root, trap, whole)}

    def stripped(text: str) -> str:
        return text.replace("reelroom:data=", "other:data=")

    assert is_same(again(content, "opml", stripped), content)


def test_siblings_of_one_label_keep_their_ids_notes_and_colours_in_opml() -> None:
    twins: list[JSON] = [
        {"id": 1, "label": "Cup", "color": "#111", "children": [{"label": "Rim", "note": "thin"}]},
        {"id": 2, "label": "Cup", "color": "#222"},
        {"label": "Cup", "note": "a third"},
        "Cup",
    ]
    content: Package = {"mindmap": {"label": "Coffee", "children": twins}}
    assert list_changes(content, again(content, "opml")) == ()
    swapped = again(content, "opml", lambda text: text.replace('text="Cup"', 'text="Mug"', 1))
    assert [(c.what, c.kind, c.before, c.after) for c in list_changes(content, swapped)] == [
        (ChangeSubject.NODE_LABEL, ChangeKind.CHANGED, "Cup", "Mug")
    ]


def test_a_topic_that_moves_to_another_parent_takes_its_id_note_and_colour_along() -> None:
    content = package()
    wash = '<outline text="Wash"'

    def moved(text: str) -> str:
        line = next(line for line in text.splitlines() if 'text="Cup"' in line)
        assert "n4" in line and "#321" in line
        return text.replace(line + "\n", "").replace(wash, line.strip() + wash)

    root = again(content, "opml", moved)["mindmap"]
    shape = maps.find_shape(root)
    assert shape is not None
    assert maps.get_node(root, shape, (0, 1)) == {"id": "n4", "label": "Cup", "color": "#321"}


def test_a_topic_without_its_data_in_the_file_is_new_and_what_it_held_is_listed_as_gone() -> None:
    content = package()
    imported = exchange.import_package('<opml><body><outline text="Coffee"/></body></opml>', "opml", content)
    gone = [change.before for change in list_changes(content, imported) if change.kind is ChangeKind.REMOVED]
    assert gone == [
        'Cherry {"id":"n1"}\n  Harvest {"id":"n2"}\n  Wash {"id":"n3"}',
        'Cup {"id":"n4","color":"#321"}',
    ]


def test_the_other_keys_of_the_cover_travel_in_front_matter() -> None:
    cover: Package = {"title": "Cup", "image_id": 7, "video": "x", "subtitle": None}
    sent = exchange.export_package({"abstract": "# A", "abstract_cover": cover}, "md", HERE)
    assert sent is not None
    values = exchange.import_package(exchange.decode_file(sent), "md", {"abstract": "", "abstract_cover": {}})
    assert values == {"abstract": "# A", "abstract_cover": cover}
    assert exchange.parse_origin(exchange.decode_file(sent), "md") == HERE


def test_a_file_knows_where_it_was_exported() -> None:
    for kind in ("md", "opml"):
        sent = exchange.export_package(package(), kind, HERE)
        assert sent is not None
        origin = exchange.parse_origin(exchange.decode_file(sent), kind)
        assert not origin.is_elsewhere(HERE)
        assert origin.is_elsewhere(Origin(HERE.video, "pt-BR"))
    assert not Origin().is_elsewhere(HERE)


def test_questions_that_csv_has_no_row_for_stay_behind_the_question_before_them() -> None:
    broken: JSON = {"id": "b", "enunciate": ["?"], "options": 7}
    empty: Package = {"enunciate": "", "options": []}
    content: Package = {"questions": [broken, question(1), empty, question(2), question(3)]}

    def without_the_second(text: str) -> str:
        return "".join(line for line in text.splitlines(keepends=True) if "number 2" not in line)

    questions = again(content, "csv", without_the_second)["questions"]
    assert questions == [broken, question(1), empty, question(3)]


def test_a_map_as_deep_as_a_file_can_be_comes_back_and_a_deeper_one_is_refused() -> None:
    def deep(levels: int) -> Package:
        node: Package = {"label": "x", "note": "n"}
        for _ in range(levels):
            node = {"label": "x", "children": [node]}
        return {"mindmap": node}

    assert is_same(again(deep(48), "opml"), deep(48))
    with pytest.raises((UnusableFile, ValueError)):
        exchange.import_package("<opml>" + "<outline text='x'>" * 60 + "</outline>" * 60 + "</opml>", "opml", {})


moments = st.builds("{:02}:{:02}:{:02}.{:03}".format, *(st.integers(0, top) for top in (99, 59, 59, 999)))
times = st.one_of(moments, moments.map(lambda time: time[3:]), some.text, st.integers())
topics: st.SearchStrategy[Package] = st.recursive(
    st.fixed_dictionaries({"text": some.text, "children": st.just([])}, optional={"time": times, "note": some.text}),
    lambda inner: st.fixed_dictionaries({"text": some.text, "children": st.lists(inner)}, optional={"time": times}),
    max_leaves=8,
)


@few
@given(some.text, st.lists(topics, max_size=4))
def test_the_platforms_own_map_comes_back_from_opml(theme: str, children: list[JSON]) -> None:
    content: Package = {"mindmap": {"theme": theme, "children": children}}
    assert is_same(again(content, "opml"), content)


def test_times_leave_and_come_back_as_an_attribute() -> None:
    leaf: JSON = {"text": "Y", "time": "00:02:48.075", "children": []}
    content: Package = {"mindmap": {"theme": "X", "children": [leaf]}}
    sent = exchange.export_package(content, "opml", HERE)
    assert sent is not None and 'time="00:02:48.075"' in sent.decode()
    assert exchange.import_package(sent.decode(), "opml", {}) == content, "a new map has the platform's shape"
    moved = again(content, "opml", lambda text: text.replace("02:48.075", "03:00.000"))
    assert moved == {"mindmap": {"theme": "X", "children": [{"text": "Y", "time": "00:03:00.000", "children": []}]}}
    plain = (
        '<opml><body><outline text="X"><outline text="Y" time="03:00.5"/><outline text="Z"/></outline></body></opml>'
    )
    assert exchange.import_package(plain, "opml", content) == {
        "mindmap": {
            "theme": "X",
            "children": [{"text": "Y", "time": "03:00.5", "children": []}, {"text": "Z", "children": []}],
        }
    }


@few
@given(some.text, st.lists(topics, max_size=4))
def test_the_platforms_own_map_comes_back_from_an_outline_as_text(theme: str, children: list[JSON]) -> None:
    content: Package = {"mindmap": {"theme": theme, "children": children}}
    assert is_same(again(content, "outline"), content)


OUTLINE = """- Coffee
  - Beans [00:02:48.075]
    - Washed
  - Water [01:05.500]
"""


def test_times_leave_and_come_back_in_an_outline_as_text() -> None:
    washed: JSON = {"text": "Washed", "children": [], "id": 7}
    beans: JSON = {"text": "Beans", "time": 168.075, "children": [washed]}
    content: Package = {
        "mindmap": {"theme": "Coffee", "children": [beans, {"text": "Water", "time": "01:05.500", "children": []}]}
    }
    assert exchange.export_package(content, "outline", HERE) == OUTLINE.encode()
    assert again(content, "outline") == content, "a number of seconds stays one"
    moved = again(content, "outline", lambda text: text.replace("02:48.075", "03:00.000").replace(" [01:05.500]", ""))
    assert moved == {
        "mindmap": {
            "theme": "Coffee",
            "children": [
                {"text": "Beans", "time": "00:03:00.000", "children": [washed]},
                {"text": "Water", "children": []},
            ],
        }
    }


def test_an_outline_of_another_program_becomes_a_map_of_the_platforms_shape() -> None:
    typed = "Coffee\n\tBeans [2:48]\n\t\t* Washed [soon]\n\n\tWater []\n"
    assert exchange.import_package(typed, "outline", {}) == {
        "mindmap": {
            "theme": "Coffee",
            "children": [
                {"text": "Beans", "time": "2:48", "children": [{"text": "Washed [soon]", "children": []}]},
                {"text": "Water", "children": []},
            ],
        }
    }
    several = exchange.import_package("- A\n- B", "outline", {"mindmap": {"theme": "Coffee", "children": []}})
    assert several == {
        "mindmap": {"theme": "Coffee", "children": [{"text": "A", "children": []}, {"text": "B", "children": []}]}
    }


DEEP_OUTLINE = "".join(f"{' ' * depth}- x\n" for depth in range(60))


@pytest.mark.parametrize(
    ("text", "code"), [(" \n", "no_outline"), ("- x\n" * 2001, "too_many_nodes"), (DEEP_OUTLINE, "too_deep")]
)
def test_an_outline_as_text_that_is_too_large_is_refused(text: str, code: str) -> None:
    with pytest.raises(UnusableFile) as refused:
        exchange.import_package(text, "outline", {})
    assert refused.value.code == code

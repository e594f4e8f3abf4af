"""Mind maps: trees of labels are found in many shapes, moved like an outline; everything else is left alone."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.mindmap import Move, NoSuchNode, Path, Shape
from dashboard.ai_content.rules.package import Package, format_json
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some

MAP: Package = {
    "label": "Coffee",
    "children": [
        {"label": "Cherry", "id": 1, "children": [{"label": "Harvest"}, {"label": "Wash", "note": "cold"}]},
        {"label": "Cup", "id": 2},
        {"label": "Shop", "id": 3},
    ],
}


def shape(mindmap: JSON) -> Shape:
    result = maps.find_shape(mindmap)
    assert result is not None
    return result


def outline(mindmap: JSON) -> list[str]:
    return ["·" * len(node.path) + node.label for node in maps.walk(maps.build_tree(mindmap, shape(mindmap)))]


@pytest.mark.parametrize(
    ("mindmap", "expected"),
    [
        (MAP, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop"]),
        ({"title": "A", "topics": ["b", {"title": "c", "topics": ["d"]}]}, ["A", "·b", "·c", "··d"]),
        ({"meta": {"v": 1}, "format": "x", "data": {"id": "r", "topic": "A", "children": []}}, ["A"]),
        ({"name": "file", "root": {"text": "A", "nodes": [{"text": "b"}]}}, ["A", "·b"]),
        ({"mindmap": {"nodeData": {"topic": "A", "children": [{"topic": "b"}]}}}, ["A", "·b"]),
        ({"central_topic": "A", "branches": [{"topic": "b", "subtopics": ["c"]}]}, ["A", "·b", "··c"]),
        ({"label": "only"}, ["only"]),
    ],
)
def test_a_tree_of_labels_is_found_under_many_names(mindmap: JSON, expected: list[str]) -> None:
    assert outline(mindmap) == expected


@pytest.mark.parametrize(
    "mindmap",
    [
        {},
        [],
        "text",
        None,
        {"nodes": [{"id": 1, "label": "A"}], "edges": [[1, 2]]},
        {"label": "A", "children": [{"label": "b"}, 5]},
        {"label": "A", "children": [{"caption": "b"}]},
        {"label": "A", "children": [{"label": "b", "children": {"x": 1}}]},
        {"label": "A", "children": [{"label": "b"}], "nodes": [{"label": "c"}]},
        {"label": "A", "graph": {"x": [1]}},
        {"label": "A", "children": [{"label": str(n)} for n in range(maps.NODES_MAX)]},
    ],
)
def test_what_is_no_tree_of_labels_is_not_taken_for_one(mindmap: JSON) -> None:
    assert maps.find_shape(mindmap) is None


def test_a_map_of_the_most_nodes_is_still_a_tree() -> None:
    most: list[JSON] = [{"label": str(number)} for number in range(maps.NODES_MAX - 1)]
    assert maps.find_shape({"label": "A", "children": most}) is not None


@pytest.mark.parametrize(
    ("path", "move", "expected", "cursor"),
    [
        ((1,), Move.INDENT, ["Coffee", "·Cherry", "··Harvest", "··Wash", "··Cup", "·Shop"], (0, 2)),
        ((0,), Move.INDENT, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop"], (0,)),
        ((0, 1), Move.OUTDENT, ["Coffee", "·Cherry", "··Harvest", "·Wash", "·Cup", "·Shop"], (1,)),
        ((1,), Move.OUTDENT, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop"], (1,)),
        ((1,), Move.UP, ["Coffee", "·Cup", "·Cherry", "··Harvest", "··Wash", "·Shop"], (0,)),
        ((0,), Move.UP, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop"], (0,)),
        ((0,), Move.DOWN, ["Coffee", "·Cup", "·Cherry", "··Harvest", "··Wash", "·Shop"], (1,)),
        ((2,), Move.DOWN, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop"], (2,)),
        ((0,), Move.DELETE, ["Coffee", "·Cup", "·Shop"], (0,)),
        ((2,), Move.DELETE, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup"], (1,)),
        ((0, 0), Move.ADD_BELOW, ["Coffee", "·Cherry", "··Harvest", "··", "··Wash", "·Cup", "·Shop"], (0, 1)),
        ((1,), Move.ADD_INSIDE, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "··", "·Shop"], (1, 0)),
        ((), Move.ADD_BELOW, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop", "·"], (3,)),
        ((), Move.DELETE, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop"], ()),
        ((2,), Move.DUPLICATE, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop", "·Shop"], (3,)),
    ],
)
def test_nodes_move_as_in_an_outline(path: Path, move: Move, expected: list[str], cursor: Path) -> None:
    moved = maps.move_node(MAP, shape(MAP), path, move)
    assert outline(moved.mindmap) == expected
    assert moved.path == cursor


@some.few
@given(some.nodes, st.data())
def test_no_move_loses_or_changes_any_node(root: Package, data: st.DataObject) -> None:
    labels = maps.find_shape(root)
    assume(labels is not None)
    assert labels is not None
    node = data.draw(st.sampled_from(list(maps.walk(maps.build_tree(root, labels)))))
    what = data.draw(st.sampled_from([Move.INDENT, Move.OUTDENT, Move.UP, Move.DOWN]))
    before = format_json(root)
    moved = maps.move_node(root, labels, node.path, what)
    assert format_json(root) == before
    assert sorted(own(maps.get_root(root, labels))) == sorted(own(maps.get_root(moved.mindmap, labels)))
    assert maps.get_label(maps.get_node(moved.mindmap, labels, moved.path)) == node.label


def own(node: JSON) -> list[str]:
    """Every node without its children, as text."""
    rest = {k: v for k, v in node.items() if k != maps.find_children_key(node)} if isinstance(node, dict) else node
    return [format_json(rest), *(line for child in maps.get_children(node) for line in own(child))]


def test_new_nodes_are_spelled_like_their_neighbours() -> None:
    mixed: Package = {"central_topic": "A", "branches": [{"topic": "b", "subtopics": ["c"]}, {"topic": "d"}]}
    node = shape(mixed)
    below = maps.move_node(mixed, node, (0,), Move.ADD_BELOW).mindmap
    assert maps.get_node(below, node, (1,)) == {"topic": ""}
    inside = maps.move_node(mixed, node, (1,), Move.ADD_INSIDE).mindmap
    assert maps.get_node(inside, node, (1,)) == {"topic": "d", "subtopics": [{"topic": ""}]}


def test_a_plain_text_that_gets_a_child_becomes_an_object() -> None:
    plain: Package = {"title": "A", "topics": ["b", "c"]}
    moved = maps.move_node(plain, shape(plain), (1,), Move.INDENT)
    assert moved.mindmap == {"title": "A", "topics": [{"title": "b", "topics": ["c"]}]}


@pytest.mark.parametrize("path", [(9,), (0, 5), (1, 0), (-1,)])
def test_a_path_that_leads_nowhere_is_said(path: Path) -> None:
    with pytest.raises(NoSuchNode):
        maps.move_node(MAP, shape(MAP), path, Move.UP)
    with pytest.raises(NoSuchNode):
        maps.rename_node(MAP, shape(MAP), path, "x")

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
    ("mindmap", "expected"),
    [
        ({"label": "A"}, Shape((), "label", "children")),
        ({"text": "A", "title": "B"}, Shape((), "text", "children")),
        ({"title": "A", "children": [], "topics": ["b"]}, Shape((), "title", "topics")),
        ({"title": "A", "items": [], "ideas": []}, Shape((), "title", "items")),
        ({"label": 5, "name": "A", "nodes": []}, Shape((), "name", "nodes")),
        ({"title": "file", "data": {"topic": "A", "branches": ["b"]}}, Shape(("data",), "topic", "branches")),
        ({"a": {"b": {"label": "A"}}}, Shape(("a", "b"), "label", "children")),
        ({"a": {"x": 1, "b": {"label": "deep"}}, "c": {"label": "A"}}, Shape(("c",), "label", "children")),
        ({"a": {"b": {"c": {"label": "A"}}}}, None),
        ({"title": "A", "tags": ["b"]}, None),
    ],
)
def test_shape_is_where_the_tree_is_and_how_its_root_is_spelled(mindmap: JSON, expected: Shape | None) -> None:
    assert maps.find_shape(mindmap) == expected


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
        {"theme": "dark", "children": [{"caption": "b"}]},
        {"theme": "dark", "nodes": [{"id": 1}, {"id": 2}]},
        {"label": "A", "children": [{"label": "b", "children": {"x": 1}}]},
        {"label": "A", "children": [{"label": "b"}], "nodes": [{"label": "c"}]},
        {"label": "A", "graph": {"x": [1]}},
        {"label": "A", "children": [{"label": str(n)} for n in range(maps.NODES_MAX)]},
    ],
)
def test_what_is_no_tree_of_labels_is_not_taken_for_one(mindmap: JSON) -> None:
    assert maps.find_shape(mindmap) is None


@pytest.mark.parametrize("leaf", ["plain", {"label": "object"}])
def test_a_map_of_the_most_nodes_is_still_a_tree(leaf: JSON) -> None:
    most: list[JSON] = [leaf] * (maps.NODES_MAX - 1)
    assert maps.find_shape({"label": "A", "children": most}) is not None
    assert maps.find_shape({"label": "A", "children": [*most, leaf]}) is None
    assert maps.find_shape({"label": "A", "children": [{"label": "b", "children": most}]}) is None


def test_tree_is_as_deep_as_its_longest_branch() -> None:
    root = maps.build_tree(MAP, shape(MAP))
    assert [maps.get_depth(node) for node in maps.walk(root)] == [3, 2, 1, 1, 1, 1]
    assert [node.path for node in maps.walk(root)] == [(), (0,), (0, 0), (0, 1), (1,), (2,)]


@pytest.mark.parametrize(
    ("node", "label", "children", "other"),
    [
        ("text", "text", [], {}),
        (5, "", [], {}),
        (None, "", [], {}),
        ({"label": 5, "id": 1}, "", [], {"label": 5, "id": 1}),
        ({"label": "A", "title": "B", "children": 5}, "A", [], {"title": "B", "children": 5}),
        ({"title": "B", "nodes": [], "items": ["x"], "note": "n"}, "B", ["x"], {"nodes": [], "note": "n"}),
        ({"children": ["x"]}, "", ["x"], {}),
    ],
)
def test_node_has_a_label_children_and_what_else_it_holds(
    node: JSON, label: str, children: list[JSON], other: Package
) -> None:
    assert (maps.get_label(node), maps.get_children(node), maps.get_other_keys(node)) == (label, children, other)


@pytest.mark.parametrize("mindmap", ["text", None, {}, {"data": "x"}, {"data": []}])
def test_map_that_lost_its_tree_has_no_root_and_no_nodes(mindmap: JSON) -> None:
    inside = Shape(("data", "root"), "label", "children")
    assert maps.get_root(mindmap, inside) is None
    with pytest.raises(NoSuchNode):
        maps.rename_node(mindmap, inside, (), "x")
    with pytest.raises(NoSuchNode):
        maps.get_node(mindmap, inside, (0,))


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
        ((1,), Move.DOWN, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Shop", "·Cup"], (2,)),
        ((2,), Move.DOWN, ["Coffee", "·Cherry", "··Harvest", "··Wash", "·Cup", "·Shop"], (2,)),
        ((0,), Move.DELETE, ["Coffee", "·Cup", "·Shop"], (0,)),
        ((0, 1), Move.DELETE, ["Coffee", "·Cherry", "··Harvest", "·Cup", "·Shop"], (0, 0)),
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


ONLY: Package = {"label": "A", "children": [{"label": "b", "children": [{"label": "c"}]}]}


@pytest.mark.parametrize(
    ("path", "move", "expected", "cursor"),
    [
        ((0, 0), Move.DELETE, ["A", "·b"], (0,)),
        ((0,), Move.DELETE, ["A"], ()),
        ((0, 0), Move.OUTDENT, ["A", "·b", "·c"], (1,)),
        ((), Move.ADD_INSIDE, ["A", "·b", "··c", "·"], (1,)),
        ((0,), Move.ADD_INSIDE, ["A", "·b", "··c", "··"], (0, 1)),
        ((), Move.DUPLICATE, ["A", "·b", "··c"], ()),
        ((), Move.DOWN, ["A", "·b", "··c"], ()),
        ((0,), Move.DUPLICATE, ["A", "·b", "··c", "·b", "··c"], (1,)),
        ((0,), Move.ADD_BELOW, ["A", "·b", "··c", "·"], (1,)),
    ],
)
def test_only_child_and_root_move_as_in_an_outline(path: Path, move: Move, expected: list[str], cursor: Path) -> None:
    moved = maps.move_node(ONLY, shape(ONLY), path, move)
    assert (outline(moved.mindmap), moved.path) == (expected, cursor)


def test_duplicate_keeps_everything_but_the_ids() -> None:
    node: Package = {"id": 1, "label": "b", "note": {"id": 5}, "children": ["c", {"id": 2, "label": "d"}]}
    mindmap: Package = {"title": "A", "topics": [node, "last"]}
    copied = maps.move_node(mindmap, shape(mindmap), (0,), Move.DUPLICATE).mindmap
    assert copied == {
        "title": "A",
        "topics": [node, {"label": "b", "note": {"id": 5}, "children": ["c", {"label": "d"}]}, "last"],
    }
    plain = maps.move_node(mindmap, shape(mindmap), (1,), Move.DUPLICATE)
    assert plain == maps.MoveResult({"title": "A", "topics": [node, "last", "last"]}, (2,))


def test_move_inside_a_wrapper_leaves_the_wrapper_and_the_other_branches_alone() -> None:
    mindmap: Package = {"meta": {"v": 1}, "data": {"root": MAP, "theme": "warm"}}
    moved = maps.move_node(mindmap, shape(mindmap), (2,), Move.UP)
    cherry, cup, shop = maps.get_children(MAP)
    assert moved.mindmap == {
        "meta": {"v": 1},
        "data": {"root": {"label": "Coffee", "children": [cherry, shop, cup]}, "theme": "warm"},
    }
    assert maps.get_node(moved.mindmap, shape(mindmap), (0,)) is cherry, "only what is on its way is copied"


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("plain", "New"),
        ({"topic": "b", "note": "n"}, {"topic": "New", "note": "n"}),
        ({"note": "n"}, {"note": "n", "label": "New"}),
    ],
)
def test_renamed_node_keeps_how_it_is_spelled(node: JSON, expected: JSON) -> None:
    wrapped: Package = {"root": {"label": "A", "children": ["first", node]}}
    renamed = maps.rename_node(wrapped, Shape(("root",), "label", "children"), (1,), "New")
    assert renamed == {"root": {"label": "A", "children": ["first", expected]}}


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


@pytest.mark.parametrize(
    ("mindmap", "parent", "expected"),
    [
        ({"title": "A", "topics": ["b", {"text": "c"}, {"name": "d"}]}, (), {"text": ""}),
        ({"title": "A", "topics": ["b", "c"]}, (), {"title": ""}),
        ({"title": "A"}, (), {"title": ""}),
        ({"title": "A", "topics": [{"text": "b"}, {"text": "c", "items": [{"name": "d"}]}]}, (0,), {"name": ""}),
        ({"title": "A", "topics": [{"text": "b"}, {"text": "c", "items": ["d"]}]}, (0,), {"text": ""}),
        ({"title": "A", "topics": ["b"]}, (0,), {"title": ""}),
        ({"title": "A", "topics": [{"text": "b", "items": [{"name": "c"}, {"topic": "d"}]}]}, (0, 0), {"name": ""}),
        (
            {
                "title": "A",
                "topics": [{"text": "b", "items": [{"name": "c"}, {"name": "d", "items": [{"topic": "e"}]}]}],
            },
            (0, 0),
            {"topic": ""},
        ),
    ],
)
def test_new_node_is_spelled_like_the_nearest_that_has_a_label(mindmap: JSON, parent: Path, expected: JSON) -> None:
    assert maps.build_new_node(mindmap, shape(mindmap), parent) == expected


@pytest.mark.parametrize(
    ("mindmap", "parent", "key"),
    [
        ({"title": "A", "ideas": []}, (), "ideas"),
        ({"title": "A"}, (), "children"),
        ({"title": "A", "topics": ["b", {"text": "c", "items": ["d"]}]}, (0,), "items"),
        ({"title": "A", "topics": ["b"]}, (0,), "topics"),
        ({"title": "A", "topics": [{"text": "b", "nodes": []}, {"text": "c", "items": ["d"]}]}, (0,), "nodes"),
        ({"title": "A", "topics": [{"text": "b", "nodes": []}, {"text": "c", "items": []}]}, (1,), "items"),
    ],
)
def test_first_child_goes_under_the_key_that_its_parent_or_the_nodes_beside_use(
    mindmap: JSON, parent: Path, key: str
) -> None:
    grown = maps.insert_node(mindmap, shape(mindmap), (*parent, 0), {"label": "new"})
    assert maps.find_children_key(maps.get_node(grown, shape(mindmap), parent)) == key
    assert maps.get_node(grown, shape(mindmap), (*parent, 0)) == {"label": "new"}


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


def test_topics_of_the_platforms_map_may_have_no_words() -> None:
    mindmap: JSON = {
        "theme": None,
        "children": [{"time": "00:01:00.000", "children": None}, {"text": None, "time": None}],
    }
    found = maps.find_shape(mindmap)
    assert found is not None and [node.label for node in maps.walk(maps.build_tree(mindmap, found))] == ["", "", ""]
    for path, name in (((), "A"), ((0,), "B"), ((1,), "C")):
        mindmap = maps.rename_node(mindmap, found, path, name)
    assert mindmap == {
        "theme": "A",
        "children": [{"time": "00:01:00.000", "children": None, "text": "B"}, {"text": "C", "time": None}],
    }
    inside = maps.move_node(mindmap, found, (0,), Move.ADD_INSIDE).mindmap
    assert maps.get_children(maps.get_node(inside, found, (0,))) == [{"text": "", "children": []}]

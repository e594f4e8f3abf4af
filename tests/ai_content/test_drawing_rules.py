"""The picture of a mind map: nothing lies on anything else, every parent stands by its children, every label is legible."""

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ai_content.rules.mindmap import (
    GAP_ACROSS,
    GAP_DOWN,
    LETTERS_MOST,
    LINE,
    PADDING,
    Drawing,
    LabelLine,
    Node,
    NodeBox,
    draw_tree,
    wrap_label,
)
from tests.ai_content import packages as some

WORD = "x" * LETTERS_MOST
labels = st.text("ab ", max_size=4 * LETTERS_MOST)


def tree(label: str, *children: Node) -> Node:
    """A node; its path and those below follow from where it is put."""
    return Node((), label, tuple(_put(child, (place,)) for place, child in enumerate(children)))


def _put(node: Node, path: tuple[int, ...]) -> Node:
    return Node(path, node.label, tuple(_put(child, (*path, at)) for at, child in enumerate(node.children)))


trees = st.recursive(
    labels.map(tree),
    lambda inner: st.tuples(labels, st.lists(inner, min_size=1, max_size=4)).map(lambda both: tree(both[0], *both[1])),
    max_leaves=12,
)


@dataclass
class Placed:
    """A box with the boxes of its children."""

    box: NodeBox
    children: "list[Placed]"

    @property
    def middle(self) -> int:
        return self.box.y + self.box.height // 2

    def walk(self) -> "list[Placed]":
        return [self, *(below for child in self.children for below in child.walk())]


def place(root: Node, picture: Drawing) -> Placed:
    """The boxes as the tree they show; a picture lists children before their parent."""
    boxes = iter(picture.boxes)

    def take(node: Node) -> Placed:
        children = [take(child) for child in node.children]
        return Placed(next(boxes), children)

    placed = take(root)
    assert next(boxes, None) is None
    return placed


def lies_on(one: NodeBox, other: NodeBox) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


@some.few
@given(trees)
def test_no_box_lies_on_another_and_the_picture_is_as_large_as_they_are(root: Node) -> None:
    picture = draw_tree(root)
    boxes = picture.boxes
    assert not any(lies_on(one, other) for at, one in enumerate(boxes) for other in boxes[at + 1 :])
    assert (min(box.x for box in boxes), min(box.y for box in boxes)) == (1, 1)
    assert max(box.x + box.width for box in boxes) == picture.width - 1
    assert max(box.y + box.height for box in boxes) == picture.height - 1


@some.few
@given(trees)
def test_parent_stands_left_of_its_children_and_in_their_middle(root: Node) -> None:
    for parent in place(root, draw_tree(root)).walk():
        for child in parent.children:
            assert parent.box.x + parent.box.width + GAP_ACROSS <= child.box.x
        if parent.children and parent.box.height <= min(child.box.height for child in parent.children):
            assert parent.middle == (parent.children[0].middle + parent.children[-1].middle) // 2
        for upper, lower in pairwise(parent.children):
            assert upper.box.y + upper.box.height + GAP_DOWN <= lower.box.y


@some.few
@given(trees)
def test_boxes_of_a_level_begin_behind_the_widest_of_the_level_before(root: Node) -> None:
    level, start = [place(root, draw_tree(root))], 1
    while level:
        assert {placed.box.x for placed in level} == {start}
        start += max(placed.box.width for placed in level) + GAP_ACROSS
        level = [child for placed in level for child in placed.children]


@some.few
@given(trees)
def test_every_child_is_linked_from_the_edge_of_its_parent_to_its_own(root: Node) -> None:
    picture = draw_tree(root)
    links = []
    for parent in place(root, picture).walk():
        start = parent.box.x + parent.box.width
        for child in parent.children:
            half = (start + child.box.x) // 2
            curve = f"C{half} {parent.middle} {half} {child.middle} {child.box.x} {child.middle}"
            links.append(f"{start} {parent.middle}{curve}")
    assert sorted(picture.links.split("M")[1:]) == sorted(links)


@some.few
@given(trees)
def test_every_box_holds_the_lines_of_its_label(root: Node) -> None:
    for box in draw_tree(root).boxes:
        assert tuple(line.text for line in box.lines) == wrap_label(box.label)
        assert {line.x for line in box.lines} == {box.x + PADDING}
        assert all(lower.y - upper.y == LINE for upper, lower in pairwise(box.lines))
        assert box.y < box.lines[0].y - LINE // 2
        assert box.lines[-1].y < box.y + box.height


def test_node_alone_is_drawn_in_bold_letters_with_a_margin() -> None:
    assert draw_tree(tree("Coffee")) == Drawing(
        69, 29, (NodeBox(1, 1, 67, 27, 0, "Coffee", (LabelLine(11, 19, "Coffee"),)),), ""
    )


def test_short_parent_of_two_is_drawn_between_them() -> None:
    picture = draw_tree(tree("Cup", tree("Bean"), tree("Milk and sugar for those who like it")))
    assert picture == Drawing(
        269,
        83,
        (
            NodeBox(80, 1, 48, 27, 1, "Bean", (LabelLine(90, 19, "Bean"),)),
            NodeBox(
                80, 38, 188, 44, 1, "Milk and sugar for those who like it",
                (LabelLine(90, 56, "Milk and sugar for those"), LabelLine(90, 73, "who like it")),
            ),
            NodeBox(1, 24, 43, 27, 0, "Cup", (LabelLine(11, 42, "Cup"),)),
        ),
        "M44 37C62 37 62 14 80 14M44 37C62 37 62 60 80 60",
    )  # fmt: skip


def test_children_of_a_tall_parent_stand_in_its_middle() -> None:
    root = tree(f"{WORD} {WORD} {WORD}", tree("Bean"))
    child, parent = draw_tree(root).boxes
    assert (parent.y, parent.height, child.y) == (1, 61, 18)


def test_levels_are_told_apart_down_to_the_fourth() -> None:
    root = tree("a", tree("b", tree("c", tree("d", tree("e", tree("f"))))))
    assert [box.level for box in draw_tree(root).boxes] == [3, 3, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("", ("…",)),
        ("  two   words ", ("two words",)),
        (WORD, (WORD,)),
        (WORD + "x", (WORD[:-1] + "…",)),
        ("x" * 12 + " " + "y" * 13, ("x" * 12 + " " + "y" * 13,)),
        ("x" * 13 + " " + "y" * 13, ("x" * 13, "y" * 13)),
        ("one two three four five six seven", ("one two three four five", "six seven")),
        (f"{WORD} {WORD} {WORD}", (WORD, WORD, WORD)),
        (f"{WORD} one two {WORD} more", (WORD, "one two", WORD[:-2] + " …")),
        (f"{WORD} {WORD} short {WORD}", (WORD, WORD, "short …")),
    ],
)
def test_label_is_wrapped_at_words_and_cut_with_an_ellipsis(label: str, lines: tuple[str, ...]) -> None:
    assert wrap_label(label) == lines


@some.few
@given(some.text)
def test_labels_wrap_into_at_most_three_lines_that_fit(label: str) -> None:
    lines = wrap_label(label * 5)
    assert 1 <= len(lines) <= 3
    assert all(0 < len(line) <= LETTERS_MOST for line in lines)


def test_a_box_shows_the_moment_of_its_topic_where_it_fits() -> None:
    words = ("Cup", "Cup", WORD, "Cup")
    times = ("00:01:05.412", "", "00:01:05.412", "soon")
    children = tuple(Node((at,), word, (), time) for at, (word, time) in enumerate(zip(words, times, strict=True)))
    boxes = draw_tree(Node((), "Coffee", children)).boxes
    assert [box.moment.text if box.moment else "" for box in boxes] == ["1:05", "", "", "", ""]
    assert boxes[0].moment is not None and boxes[0].moment.x == boxes[0].x + boxes[0].width - PADDING
    assert boxes[0].moment.y == boxes[0].lines[-1].y and boxes[0].width > boxes[1].width

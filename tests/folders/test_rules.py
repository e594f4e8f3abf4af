"""A forest out of nodes in any order: nothing is lost, loops end, names are found."""

import pytest

from dashboard.folders import rules
from dashboard.folders.rules import Forest, Node
from dashboard.platform_api.folders import Folder


def node(id: str, parent: str = "", name: str = "") -> Node:
    return Node(id, name or id, parent, 0, True)


def names(forest: Forest, parent: str = "") -> list[str]:
    return [one.name for one in forest.children(parent)]


@pytest.mark.parametrize(("count", "read"), [("12", 12), (12, 12), (None, None), ("many", None)])
def test_counts_are_read_as_text_or_number(count: object, read: int | None) -> None:
    assert rules.build_node(Folder.from_json({"id": "a", "videos_count": count})).videos == read  # type: ignore[dict-item]


def test_children_stand_under_their_parents_by_name() -> None:
    forest = rules.build_forest([node("c", "a", "zebra"), node("b", "a", "Água"), node("a"), node("d", "a", "abril")])
    assert names(forest) == ["a"]
    assert names(forest, "a") == ["abril", "Água", "zebra"]
    assert forest.whole


def test_a_list_of_roots_alone_is_not_the_whole_tree() -> None:
    assert not rules.build_forest([node("a"), node("b")]).whole


def test_a_folder_whose_parent_is_not_there_can_be_reached_from_the_root() -> None:
    assert names(rules.build_forest([node("a", "gone")])) == ["a"]


def test_folders_that_name_each_other_as_parents_are_reachable_and_the_way_up_ends() -> None:
    forest = rules.build_forest([node("a", "b"), node("b", "a"), node("root")])
    assert set(names(forest)) == {"root", "a"}
    assert names(forest, "a") == ["b"]
    assert [one.id for one in forest.path("b")] == ["a", "b"]


def test_a_folder_that_is_its_own_parent_is_reachable() -> None:
    forest = rules.build_forest([node("a", "a")])
    assert names(forest) == ["a"]
    assert [one.id for one in forest.path("a")] == ["a"]


def test_the_way_leads_from_the_root_through_twelve_levels() -> None:
    forest = rules.build_forest(node(str(n), str(n - 1) if n else "") for n in range(12))
    assert [one.id for one in forest.path("11")] == [str(n) for n in range(12)]
    assert forest.path("nowhere") == ()


def test_names_are_found_without_regard_to_case_and_accents_beginnings_first() -> None:
    forest = rules.build_forest(
        [
            node("a", name="Lançamento"),
            node("b", name="Ao lancamento"),
            node("c", name="Outro"),
            node("d", name="Lança"),
        ]
    )
    found = rules.find_by_name(forest, " LANÇA ")
    assert [one.id for one in found.nodes] == ["d", "a", "b"]
    assert rules.find_by_name(forest, "  ").count == 0


def test_only_the_first_found_are_shown_and_all_are_counted() -> None:
    found = rules.find_by_name(rules.build_forest(node(f"folder {n}") for n in range(120)), "folder")
    assert (len(found.nodes), found.count) == (rules.FOUND_MOST, 120)


@pytest.mark.parametrize(("text", "start"), [("", 0), ("99", 0), ("100", 100), ("250", 200), ("-1", 0), ("1e3", 0)])
def test_a_level_is_cut_at_hundreds(text: str, start: int) -> None:
    assert rules.parse_start(text) == start


@pytest.mark.parametrize(
    ("levels", "said"),
    [(0, ""), (1, "A"), (4, "A / B / C / D"), (5, "A / … / D / E"), (11, "A / … / J / K")],
)
def test_a_long_way_is_said_by_its_beginning_and_its_end(levels: int, said: str) -> None:
    above = [rules.Node(letter, letter, "", None, True) for letter in "ABCDEFGHIJK"[:levels]]
    assert rules.format_path(above) == said

"""A map of 2,000 topics opens as one branch at a time: a light page, every topic reachable, moves as anywhere."""

import html
import re

import pytest

from dashboard.ai_content.rules import mindmap
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.mindmap import Node
from dashboard.ai_content.rules.package import Package
from dashboard.platform_api.values import JSON
from tests.ai_content.conftest import Hands

both = pytest.mark.django_db(databases=["default", "sandbox"])


def leaf(label: str) -> JSON:
    return {"id": label, "label": label, "note": "a note that a platform keeps with a topic"}


def branched() -> Package:
    """1,998 topics: 97 branches of 20, the last topics alone."""
    parts: list[JSON] = [
        {"label": f"Branch {one}", "children": [leaf(f"Topic {one}.{two}") for two in range(19)]} for one in range(97)
    ]
    return {"label": "Root", "children": parts + [leaf(f"Alone {one}") for one in range(57)]}


def flat() -> Package:
    return {"label": "Root", "children": [leaf(f"Topic {one}") for one in range(1990)]}


def chain() -> Package:
    """40 levels, each with 48 topics beside the one that goes on."""
    node: Package = {"label": "Deepest"}
    for level in range(40):
        node = {"label": f"Level {level}", "children": [*(leaf(f"Beside {level}.{one}") for one in range(48)), node]}
    return node


def tree(value: Package) -> Node:
    shape = maps.find_shape(value)
    assert shape is not None
    return maps.build_tree(value, shape)


@pytest.mark.parametrize("make", [branched, flat, chain])
def test_every_topic_of_a_large_map_is_reachable_by_the_links_of_its_parts(make: object) -> None:
    root = tree(make())  # type: ignore[operator]  # one of three functions
    reached: set[maps.Path] = set()
    parts: list[tuple[maps.Path, int]] = [((), 0)]
    while parts:
        at, start = parts.pop()
        branch = mindmap.get_branch(root, at, start)
        topics = list(maps.walk(branch.root))
        assert len(topics) <= mindmap.ROWS_MOST
        reached |= {node.path for node in topics}
        parts += [(path, 0) for path in branch.hidden or {}]
        parts += [(at, branch.start + mindmap.WINDOW)] if branch.later else []
    assert reached == {node.path for node in maps.walk(root)}


def test_a_small_map_is_shown_whole_and_a_chosen_topic_always_is() -> None:
    small = tree({"label": "Root", "children": [leaf(str(one)) for one in range(200)]})
    assert mindmap.get_branch(small, (5,), 0) == mindmap.Branch(small)
    for selected in ((1989,), (0,), (400,)):
        branch = mindmap.get_branch(tree(flat()), (), 0, selected)
        assert selected in {node.path for node in maps.walk(branch.root)}
    nowhere = mindmap.get_branch(tree(branched()), (500, 3), 10_000)
    assert nowhere.root.path == ()


def send(hands: Hands, page: str, **more: str) -> str:
    fields = dict(re.findall(r'<input type="hidden" name="(seen|at|from)"[^>]* value="([^"]*)"', page))
    return str(hands.part("mindmap/", {**fields, **more}).content.decode())


@both
@pytest.mark.parametrize("make", [branched, flat, chain])
def test_page_of_a_map_of_2000_topics_weighs_at_most_300_kb(hands: Hands, make: object) -> None:
    hands.overwrite({"mindmap": make()})  # type: ignore[operator]  # one of three functions
    page = hands.text("mindmap/")
    assert len(page.encode()) <= 300_000
    assert "Edit the whole map as JSON" in page
    assert "Topic 3.7" in html.unescape(hands.text("mindmap/json/")) or make is not branched


@both
def test_topic_in_a_branch_is_renamed_and_moved_and_stays_in_view(hands: Hands) -> None:
    hands.overwrite({"mindmap": branched()})
    page = hands.text("mindmap/?at=3")
    assert "Topic 3.7" in page
    assert "Topic 4.7" not in page
    answer = send(hands, page, **{"label:3.7": "Renamed", "do": "keep", "node": "3.7"})
    assert "Renamed" in answer
    answer = send(hands, hands.text("mindmap/?at=3"), node="3.7", do="outdent")
    assert "Renamed" in answer
    assert "Branch 4" in answer, "the part that the topic is in now"
    hands.save()
    assert hands.file["mindmap"]["children"][4]["label"] == "Renamed"
    assert hands.file["mindmap"]["children"][3]["children"][7] == leaf("Topic 3.8")


@both
def test_flat_map_leads_on_to_its_later_topics(hands: Hands) -> None:
    hands.overwrite({"mindmap": flat()})
    page = hands.text("mindmap/")
    assert "Topics after these (1,790)" in page
    later = html.unescape(re.findall(r'href="([^"]+from=200[^"]*)"', page)[0])
    assert 'value="Topic 200"' in hands.client.get(later).content.decode()
    assert hands.get("mindmap/?at=x&from=y").status_code == 200

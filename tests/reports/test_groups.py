"""The parts of a report are all of its numbers, each once, whatever the folders look like."""

from hypothesis import given
from hypothesis import strategies as st

from dashboard.reports.rules import GONE, HERE, Figures, FolderTree, GroupKind, VideoFigures, build_groups, build_rest
from dashboard.shared.entries import Entry, Shelf, below

IDS = "abcdefgh"
SHELVES = st.lists(st.builds(Shelf, st.sampled_from(IDS), st.just("Folder"), st.sampled_from(["", *IDS])), max_size=8)
COUNTS = st.dictionaries(st.sampled_from(["1", "2", "3", "4", "5"]), st.integers(0, 1_000).map(float))


def build_entry(video: str, folder: str) -> Entry:
    return Entry(video, f"Video {video}", "CONVERTED", folder, 1.0, 0.0, 0.0, 1, "", False)


ENTRIES = st.dictionaries(st.sampled_from(["1", "2", "3"]), st.sampled_from(["", *IDS])).map(
    lambda places: [build_entry(video, folder) for video, folder in places.items()]
)


@given(ENTRIES, SHELVES, st.sampled_from(["", *IDS]), COUNTS, st.none() | COUNTS, st.none() | COUNTS)
def test_parts_are_every_video_once_and_add_up_to_the_totals(
    entries: list[Entry],
    shelves: list[Shelf],
    root: str,
    now: dict[str, float],
    past: dict[str, float] | None,
    traffic: dict[str, float] | None,
) -> None:
    figures, bytes_used = VideoFigures(now, past), None if traffic is None else VideoFigures(traffic)
    groups = build_groups(entries, {}, FolderTree(shelves, root), figures, bytes_used)
    total = figures.total()
    assert sum(group.figures.now for group in groups) == total.now
    if total.past is not None:
        assert sum(group.figures.past or 0.0 for group in groups) == total.past
    if traffic is not None:
        assert sum(group.traffic.now for group in groups if group.traffic) == sum(traffic.values())
    videos = {entry.id for entry in entries} | set(now) | set(past or {}) | set(traffic or {})
    assert sum(group.count or 0 for group in groups) == len(videos)


@given(SHELVES, st.sampled_from(IDS))
def test_folder_belongs_to_the_part_that_has_it_below(shelves: list[Shelf], folder: str) -> None:
    shelves = list({shelf.id: shelf for shelf in shelves}.values())
    key = FolderTree(shelves).get_key(folder)
    by_id = {shelf.id: shelf for shelf in shelves}
    if key.kind is GroupKind.FOLDER:
        assert folder in below(key.id, shelves) and by_id[key.id].parent not in by_id
    else:
        assert key == HERE and not any(folder in below(top, shelves) for top in by_id if by_id[top].parent not in by_id)


def test_videos_of_a_folder_are_split_by_its_own_folders() -> None:
    shelves = [Shelf("a", "Course", ""), Shelf("b", "Module", "a"), Shelf("c", "Extras", "b")]
    entries = [build_entry("1", "a"), build_entry("2", "b"), build_entry("3", "c")]
    figures = VideoFigures({"1": 1.0, "2": 2.0, "3": 4.0, "4": 8.0}, {})
    groups = build_groups(entries, {}, FolderTree(shelves, "a"), figures, None)
    assert {group.key.name or group.key.kind: group.figures.now for group in groups} == {
        HERE.kind: 1.0,
        "Module": 6.0,
        GONE.kind: 8.0,
    }


def test_what_no_part_has_is_a_part_of_its_own() -> None:
    groups = build_groups([build_entry("1", "")], {}, None, VideoFigures({"1": 5.0}, {"1": 5.0}), None)
    assert build_rest(Figures(5.0, 5.0), groups) is None
    rest = build_rest(Figures(5.0, 6.0), groups)
    assert rest is not None and rest.key.kind is GroupKind.REST and rest.figures == Figures(0.0, 1.0)
    assert build_rest(Figures(7.0, None), groups) is not None

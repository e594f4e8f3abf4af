"""Folders within folders, and the videos of all of them."""

import pytest

from dashboard.shared.entries import ROOT, Entry, Shelf, Wanted, below

TREE = (
    Shelf("course", "Course", ""),
    Shelf("b", "b", "course"),
    Shelf("a", "A", "course"),
    Shelf("deep", "Deep", "a"),
    Shelf("other", "Other", ""),
)


def video(name: str, folder: str) -> Entry:
    return Entry(name, name, "", folder, None, None, None, None, "", False)


def test_a_folder_stands_before_those_in_it_and_siblings_by_name_whatever_their_case() -> None:
    assert list(below("course", TREE)) == ["course", "a", "deep", "b"]


def test_folders_that_hold_each_other_end() -> None:
    ring = (Shelf("one", "One", "two"), Shelf("two", "Two", "one"))
    assert list(below("one", ring)) == ["one", "two"]


def test_a_folder_that_nobody_listed_holds_itself() -> None:
    assert list(below("gone", TREE)) == ["gone"]


def test_videos_come_folder_by_folder_and_in_their_order_within_one() -> None:
    listed = [video("1", "b"), video("2", "deep"), video("3", "course"), video("4", "other"), video("5", "deep")]
    assert [one.id for one in Wanted(folder="course").cut(listed, TREE)] == ["3", "2", "5", "1"]


@pytest.mark.parametrize("folder", ["", ROOT])
def test_what_the_platform_cuts_itself_is_not_cut_again(folder: str) -> None:
    wanted = Wanted("title", "CONVERTED", folder)
    listed = [video("1", "")]
    assert wanted.without_folder() == wanted
    assert wanted.cut(listed, TREE) == listed

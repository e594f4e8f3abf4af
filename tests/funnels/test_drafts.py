"""The draft of a funnel: what differs and nothing else, kept apart by account and funnel, gone with what was sent."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from dashboard.funnels import models, rules
from dashboard.funnels.models import Draft
from dashboard.funnels.rules import Card, Changes
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.videos import Video
from tests.funnels.test_rules import TWO, funnel

pytestmark = pytest.mark.django_db

ACCOUNT = UUID("3f2b6c1e-1111-4222-8333-444455556666")
OTHER = UUID("3f2b6c1e-1111-4222-8333-444455557777")
EMPTY = replace(TWO, videos=())
ABOUT = {"title": "C", "thumbnail": "/c.webp", "length": 65.0}


def board(changes: Changes, of: Funnel = TWO) -> tuple[Card, ...]:
    return rules.build_board(of, changes)


def keep(changes: Changes, account: UUID = ACCOUNT, funnel_id: str = "f") -> Draft | None:
    return models.save_draft(account, funnel_id, board(changes))


def kept(account: UUID = ACCOUNT, funnel_id: str = "f") -> Changes:
    return models.parse_changes(models.get_draft(account, funnel_id))


def video(video_id: str, **about: Any) -> Video:
    return Video.from_json({"id": video_id, "title": video_id.upper(), **about})


def item(video_id: str, x: float, y: float, *, first: bool = False) -> dict[str, Any]:
    return rules.build_item(video_id, (float(x), float(y)), is_first=first)


ARRANGED = [
    Changes({"b": (320.0, 60.5)}, {}),
    Changes({"a": (1.0, 2.0), "b": (3.0, 4.0)}, {}, "b"),
    Changes({}, {}, "b"),
    Changes({"c": (560.0, 40.0)}, {"c": ABOUT}),
    Changes({"c": (560.0, 40.0)}, {"c": ABOUT}, "c"),
]


@pytest.mark.parametrize("changes", ARRANGED)
def test_what_is_kept_is_exactly_what_was_arranged(changes: Changes) -> None:
    draft = keep(changes)
    assert draft is not None and draft == models.get_draft(ACCOUNT, "f")
    assert kept() == changes
    assert board(kept()) == board(changes)


@pytest.mark.parametrize("changes", ARRANGED)
def test_keeping_replaces_what_was_kept_of_this_funnel_alone(changes: Changes) -> None:
    other = Changes({"a": (9.0, 9.0)}, {"d": {"title": "D", "thumbnail": "", "length": None}}, "d")
    keep(other)
    keep(other, OTHER)
    keep(other, funnel_id="g")
    beside = kept(OTHER), kept(funnel_id="g")
    keep(changes)
    assert kept() == changes
    assert (kept(OTHER), kept(funnel_id="g")) == beside


def test_without_a_difference_there_is_no_draft_and_the_others_stay() -> None:
    for account, funnel_id in ((ACCOUNT, "f"), (OTHER, "f"), (ACCOUNT, "g")):
        keep(ARRANGED[0], account, funnel_id)
    assert keep(Changes({"b": (300.0, 40.0)}, {})) is None
    assert models.get_draft(ACCOUNT, "f") is None
    assert kept() == Changes({}, {})
    assert kept(OTHER) == kept(funnel_id="g") == ARRANGED[0]


def test_videos_join_the_draft_once_with_what_their_cards_show() -> None:
    keep(ARRANGED[0])
    new = [video("a"), video("c", thumbnail="/c.webp", length=65), video("d")]
    assert models.add_to_draft(ACCOUNT, TWO, new) == 2
    assert models.add_to_draft(ACCOUNT, TWO, [*new, video("e")]) == 1
    assert kept().places == ARRANGED[0].places
    assert kept().added == {
        "c": ABOUT,
        "d": {"title": "D", "thumbnail": "", "length": None},
        "e": {"title": "E", "thumbnail": "", "length": None},
    }
    assert kept().entry == "", "the funnel has one"


def test_adding_only_what_is_there_leaves_no_draft() -> None:
    assert models.add_to_draft(ACCOUNT, TWO, [video("a")]) == 0
    assert models.get_draft(ACCOUNT, "f") is None


@pytest.mark.parametrize(
    ("of", "entry"),
    [
        (EMPTY, "c"),  # it can only be its entry
        (replace(EMPTY, are_videos_told=False), ""),  # nobody knows whether it has one
        (funnel(("a", 40, 40, False)), ""),
    ],
)
def test_the_first_video_of_an_empty_funnel_is_its_entry(of: Funnel, entry: str) -> None:
    models.add_to_draft(ACCOUNT, of, [video("c"), video("d")])
    assert (list(kept().added), kept().entry) == (["c", "d"], entry)
    models.add_to_draft(ACCOUNT, of, [video("e")])
    assert (list(kept().added), kept().entry) == (["c", "d", "e"], entry)


def test_an_empty_funnel_s_entry_that_was_chosen_stays() -> None:
    Draft.objects.create(account_id=ACCOUNT, funnel_id="f", entry="x")
    models.add_to_draft(ACCOUNT, EMPTY, [video("c")])
    assert kept().entry == "x"


ALL = Changes({"b": (320.0, 60.0), "c": (560.0, 40.0)}, {"c": ABOUT}, "b")


@pytest.mark.parametrize(
    ("sent", "left"),
    [
        ([item("b", 320, 60, first=True), item("c", 560, 40)], None),
        ([item("c", 560, 40)], Changes({"b": (320.0, 60.0)}, {}, "b")),
        ([item("b", 320, 60), item("c", 560, 40)], Changes({}, {}, "b")),  # the entry was chosen after it
        ([item("b", 300, 60, first=True), item("c", 560, 40)], Changes({"b": (320.0, 60.0)}, {})),  # moved on since
        ([item("b", 320, 40, first=True), item("c", 560, 40)], Changes({"b": (320.0, 60.0)}, {})),
        ([item("a", 40, 40, first=True), item("b", 320, 60)], Changes({"c": (560.0, 40.0)}, {"c": ABOUT}, "b")),
        ([], ALL),
    ],
)
def test_what_was_sent_leaves_the_draft_and_what_came_after_it_stays(
    sent: Sequence[dict[str, Any]], left: Changes | None
) -> None:
    for account, funnel_id in ((ACCOUNT, "f"), (OTHER, "f"), (ACCOUNT, "g")):
        keep(ALL, account, funnel_id)
    models.discard_sent_items(ACCOUNT, "f", sent)
    assert (models.get_draft(ACCOUNT, "f") is None) is (left is None)
    assert kept() == (left or Changes({}, {}))
    assert kept(OTHER) == kept(funnel_id="g") == ALL


def test_without_a_draft_nothing_is_taken_out_of_it() -> None:
    models.discard_sent_items(ACCOUNT, "f", [item("a", 40, 40, first=True)])
    assert not Draft.objects.exists()

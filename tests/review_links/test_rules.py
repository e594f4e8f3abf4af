"""What a link may be: inside, at the edge, outside."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dashboard.platform_api.reviews import ReviewLink
from dashboard.platform_api.vocabulary import LINK_NAME, USER_NAME_MAX
from dashboard.review_links import rules
from dashboard.review_links.rules import Problem, Reason, State

NOW = datetime(2026, 11, 20, 15, 0, 30, tzinfo=UTC)


@dataclass
class Link:
    name: str = "Cut 3"
    status: str = "active"
    expires_at: datetime | None = NOW + timedelta(days=3)
    allow_comment: bool = True
    allow_status_edit: bool = True
    show_resolved: bool = True


@pytest.mark.parametrize("name", ["a", "Cut 3", "Cut_3-final.v2", "Revisão 3", "x" * 255, "."])
def test_a_name_of_allowed_characters_is_taken(name: str) -> None:
    assert rules.check_name(name) == []


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("", [Problem(Reason.NAME_EMPTY)]),
        ("x" * 256, [Problem(Reason.NAME_TOO_LONG, place=256, limit=255)]),
        ("Cut 3/final", [Problem(Reason.NAME_FORBIDDEN, "/", 6)]),
        ("a@b", [Problem(Reason.NAME_FORBIDDEN, "@", 2)]),
        ("a\tb", [Problem(Reason.NAME_FORBIDDEN, "\t", 2)]),
        ("a\u00a0b", [Problem(Reason.NAME_FORBIDDEN, "\u00a0", 2)]),
        ("👍", [Problem(Reason.NAME_FORBIDDEN, "👍", 1)]),
    ],
)
def test_a_refused_character_is_named_with_its_place(name: str, problems: list[Problem]) -> None:
    assert rules.check_name(name) == problems


def test_at_most_three_characters_are_named_at_once() -> None:
    assert [problem.place for problem in rules.check_name("a/b/c/d/e/f")] == [2, 4, 6]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Serra Alta, launch film", "Serra Alta launch film"),
        ("Cut 3 (final).mp4", "Cut 3 final"),
        ("Revisão: é já!", "Revisão é já"),
        ("???", ""),
        ("a" * 400, "a" * 255),
    ],
)
def test_a_title_becomes_a_name_that_is_allowed(title: str, name: str) -> None:
    assert rules.suggest_name(title) == name
    assert not name or LINK_NAME.fullmatch(name)


def test_every_preset_is_allowed_when_it_is_sent_ten_minutes_later() -> None:
    for days, at in rules.list_presets(NOW):
        assert rules.check_closes(at, NOW) is None, days
        assert at <= NOW + timedelta(days=30) - rules.MARGIN


def test_presets_are_whole_minutes_after_whole_days() -> None:
    assert [days for days, _at in rules.list_presets(NOW)] == [1, 3, 7, 14, 30]
    assert dict(rules.list_presets(NOW))[7] == datetime(2026, 11, 27, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ahead", "reason"),
    [
        (timedelta(days=-1), Reason.CLOSES_PAST),
        (timedelta(), Reason.CLOSES_PAST),
        (timedelta(minutes=5, milliseconds=-1), Reason.CLOSES_PAST),
        (timedelta(minutes=5), None),
        (timedelta(days=30), None),
        (timedelta(days=30, milliseconds=1), Reason.CLOSES_TOO_FAR),
        (timedelta(days=400), Reason.CLOSES_TOO_FAR),
    ],
)
def test_a_link_closes_between_five_minutes_and_thirty_days_from_now(ahead: timedelta, reason: Reason | None) -> None:
    problem = rules.check_closes(NOW + ahead, NOW)
    assert (problem.reason if problem else None) == reason


def test_the_body_says_milliseconds_and_every_switch() -> None:
    switches = {"allow_comment": True, "allow_status_edit": False, "show_resolved": True}
    assert rules.build_payload("Cut 3", datetime(2026, 11, 27, 15, 0, tzinfo=UTC), switches) == {
        "link_name": "Cut 3", "expires_at": 1_795_791_600_000, **switches,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("link", "state"),
    [
        (Link(), State.OPEN),
        (Link(expires_at=None), State.OPEN),
        (Link(expires_at=NOW + timedelta(hours=24)), State.CLOSING),
        (Link(expires_at=NOW + timedelta(hours=24, seconds=1)), State.OPEN),
        (Link(expires_at=NOW), State.CLOSED),
        (Link(expires_at=NOW - timedelta(days=1), status="inactive"), State.INACTIVE),
        (Link(status="inactive"), State.INACTIVE),
        (Link(status="paused"), State.INACTIVE),
    ],
)
def test_a_link_stands_as_its_status_and_its_time_say(link: Link, state: State) -> None:
    assert rules.state_of(link, NOW) == state


def test_a_change_goes_through_the_first_open_link_that_lets_status_be_changed() -> None:
    closed, locked, good = Link(expires_at=NOW), Link(allow_status_edit=False), Link(name="good")
    assert rules.select_usable([closed, locked, good, Link()], NOW) is good
    assert rules.select_usable([closed, locked], NOW) is Reason.STATUS_LOCKED
    assert rules.select_usable([closed, Link(status="inactive")], NOW) is Reason.ALL_CLOSED
    assert rules.select_usable([], NOW) is Reason.ALL_CLOSED


SENT = rules.build_payload("Cut 3", NOW + timedelta(days=7), dict.fromkeys(rules.SWITCHES, True))
MADE = ReviewLink(
    id="l1",
    video_id="v1",
    name="Cut 3",
    status="active",
    expires_at=NOW + timedelta(days=7),
    allow_comment=True,
    allow_status_edit=True,
    show_resolved=True,
    created_at=NOW + timedelta(seconds=1),
    updated_at=None,
    url=None,
)


def test_the_link_of_an_unanswered_call_is_the_one_that_is_exactly_what_was_sent() -> None:
    assert rules.find_created(SENT, NOW, [replace(MADE, name="Cut 2"), MADE]) is MADE
    assert rules.find_created(SENT, NOW, [replace(MADE, created_at=None)]) is not None


@pytest.mark.parametrize(
    "other",
    [
        replace(MADE, name="Cut 3 "),
        replace(MADE, allow_comment=False),
        replace(MADE, show_resolved=False),
        replace(MADE, expires_at=NOW + timedelta(days=7, seconds=1)),
        replace(MADE, expires_at=None),
        replace(MADE, created_at=NOW - timedelta(hours=1)),
    ],
)
def test_a_link_that_differs_or_is_older_is_another_one(other: ReviewLink) -> None:
    assert rules.find_created(SENT, NOW, [other]) is None


@pytest.mark.parametrize(
    ("name", "signed"),
    [
        ("Ana Prado", "Ana Prado"),
        ("  Ana <b>  Prado ", "Ana b Prado"),
        ("👍", ""),
        ("x" * 300, "x" * USER_NAME_MAX),
        (f"{'x' * (USER_NAME_MAX - 1)} y", "x" * (USER_NAME_MAX - 1)),
    ],
)
def test_a_name_is_signed_with_what_a_comment_may_carry(name: str, signed: str) -> None:
    assert rules.clean_person_name(name) == signed


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"expires_at": 1_795_000_300_000}, True),
        ({"expires_at": 1_794_999_700_000}, True),
        ({"expires_at": 1_795_000_300_001}, False),
        ({"link_name": "Cut 4"}, False),
        *(({name: False}, False) for name in rules.SWITCHES),
    ],
)
def test_two_calls_ask_for_the_same_link_within_five_minutes(changes: dict[str, Any], same: bool) -> None:
    now = 1_795_000_000_000
    payload = {"link_name": "Cut 3", "expires_at": now} | dict.fromkeys(rules.SWITCHES, True)
    assert rules.is_same(payload, payload | changes) is same

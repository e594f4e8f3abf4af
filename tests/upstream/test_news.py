"""A page that was drawn from what was known says how old that is, follows what is read anew, and shows it."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.sandbox import models as platform
from dashboard.upstream import page_sources, parallel
from dashboard.upstream import page_sources as uses
from dashboard.upstream import page_sources as work_beside
from dashboard.upstream.models import KnownAnswer
from tests.conftest import signed_in
from tests.forgetting import make_old
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PLAYLISTS = "/dashboard/playlists/"


def known_part(page: str) -> str:
    """What a page says of its age; "" where it says nothing."""
    found = re.search(r'<p class="known".*?</p>', page, re.DOTALL)
    return found[0] if found else ""


def poll_of(page: str) -> str:
    """The address that the page asks."""
    return unescape(re.search(r'data-news="([^"]+)"', known_part(page))[1])  # type: ignore[index]  # every follower has it


@pytest.fixture
def followed(owner: Client, beside: list[Callable[[], Any]]) -> str:
    """A page drawn from what was read an hour ago."""
    read_page(owner, PLAYLISTS)
    make_old()
    return read_page(owner, PLAYLISTS)


def test_page_of_what_was_just_read_says_nothing_of_its_age(owner: Client, beside: list[Any]) -> None:
    assert known_part(read_page(owner, PLAYLISTS)) == ""


def test_page_of_older_readings_says_how_old_they_are_and_that_it_follows(followed: str) -> None:
    assert "Last updated 1 h ago." in known_part(followed)
    assert "Updating…" in known_part(followed)


def test_followed_page_is_told_nothing_until_all_has_been_read_anew(
    owner: Client, followed: str, beside: list[Callable[[], Any]]
) -> None:
    assert owner.get(poll_of(followed)).status_code == 204
    for read in beside:
        read()
    answer = owner.get(poll_of(followed))
    assert answer.status_code == 200
    assert "hx-get" not in answer.content.decode()


def test_news_lead_to_the_page_and_without_news_it_stays_as_it_is(
    owner: Client, followed: str, beside: list[Callable[[], Any]], cast: dict[str, Any]
) -> None:
    while beside:
        beside.pop()()
    same = owner.get(poll_of(followed)).content.decode()
    assert "There is newer data" not in same
    make_old()
    followed = read_page(owner, PLAYLISTS)
    platform.Playlist.objects.filter(pk=next(iter(cast["playlists"].values()))).update(name="Renamed elsewhere")
    while beside:
        beside.pop()()
    changed = owner.get(poll_of(followed)).content.decode()
    assert "There is newer data" in changed
    assert f'data-newer="{PLAYLISTS}"' in changed
    assert f'<a href="{PLAYLISTS}">Show</a>' in changed
    assert "Renamed elsewhere" in read_page(owner, PLAYLISTS)


def test_reading_that_ended_before_its_page_was_written_is_told_at_the_first_look(
    owner: Client, followed: str, beside: list[Callable[[], Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_old()
    monkeypatch.setattr(parallel, "start_meanwhile", lambda read: read())
    page = read_page(owner, PLAYLISTS)
    assert "Updating…" in known_part(page)
    assert f'<noscript><a href="{PLAYLISTS}">Reload the page</a></noscript>' in known_part(page), "nothing else follows"
    assert owner.get(poll_of(page)).status_code == 200


def test_page_whose_platform_does_not_answer_says_so_after_half_a_minute(owner: Client, followed: str) -> None:
    address = poll_of(followed)
    long_ago = (timezone.now() - timedelta(seconds=31)).isoformat()
    late = re.sub(r"since=[^&]+", f"since={long_ago.replace('+', '%2B')}", address)
    assert "The platform did not answer just now." in owner.get(late).content.decode()


def test_page_whose_reading_failed_says_so_and_follows_nothing(
    owner: Client, followed: str, beside: list[Callable[[], Any]], faults: Any
) -> None:
    faults.set("playlists.list", status=500)
    while beside:
        beside.pop()()
    said = known_part(read_page(owner, PLAYLISTS))
    assert "The platform did not answer just now." in said
    assert "hx-get" not in said


def test_another_account_learns_nothing_from_the_address_of_a_page(
    followed: str, cast: dict[str, Any], beside: list[Callable[[], Any]]
) -> None:
    while beside:
        beside.pop()()
    other = signed_in(Client(), cast["tokens"]["other"])
    assert other.get(poll_of(followed)).status_code == 204


def test_nobody_signed_out_is_told(client: Client) -> None:
    assert client.get("/dashboard/upstream/news/").status_code == 302


@pytest.mark.parametrize("since", ["", "yesterday", "2026-02-30T00:00:00Z", "2026-02-03T04:05:06"])
def test_moment_that_is_none_ends_the_following(owner: Client, since: str) -> None:
    assert owner.get("/dashboard/upstream/news/", {"since": since, "known": "x"}).status_code == 200


def test_page_is_named_only_where_it_is_one_of_ours(owner: Client) -> None:
    account, name = owner.session["account"], "0" * 32
    work_beside._run(work_beside._key(account, name), lambda: True)
    for page, shown in (
        ("/dashboard/lives/", True),
        ("//elsewhere.example/", False),
        ("https://elsewhere.example", False),
    ):
        asked = {"since": timezone.now().isoformat(), "work": name, "page": page}
        assert (page in owner.get("/dashboard/upstream/news/", asked).content.decode()) == shown


def test_work_beside_a_page_is_followed_to_its_end(owner: Client, beside: list[Callable[[], Any]], rf: Any) -> None:
    KnownAnswer.objects.all().delete()
    used = uses.watch()
    work_beside.begin_work("an-account", lambda: True)  # type: ignore[arg-type]  # its name is all that counts
    assert len(used.works) == 1
    part = page_sources.known_part(rf.get("/dashboard/"), used)
    assert part is not None
    assert part.sentence == "Updating…"
    assert work_beside.list_ended("an-account", used.works) == []  # type: ignore[arg-type]
    beside.pop()()
    assert work_beside.list_ended("an-account", used.works) == [True]  # type: ignore[arg-type]

"""Who is here and who watched how far: only of those who chose it, and nothing of anybody who does not."""

import json
import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from review_portal import tasks, viewings
from review_portal.models import ReviewLink, Viewing
from review_portal.reviewers import get_or_create_owner
from tests.conftest import signed_in
from tests.moments import replace_time
from tests.pages import page_of
from tests.review_portal.conftest import PART, Reviewer, World, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def guest(link: ReviewLink) -> Reviewer:
    """Somebody who has written nothing."""
    return Reviewer(link.pk, "")


def choose(reviewer: Reviewer, **choices: str) -> Any:
    return reviewer.client.post(f"/{reviewer.link}/people", choices, **PART)


def watch(reviewer: Reviewer, played: str, **fields: str) -> None:
    assert reviewer.client.post(f"/{reviewer.link}/watched", {"spans": played, **fields}).status_code == 204


def poll(reviewer: Reviewer, at: str = "") -> Any:
    """A poll with nothing new to get: its answer has no body."""
    token = re.search(r'id="live" data-v="(\w+)"', page_of(reviewer.open()))[1]  # type: ignore[index]
    cache.delete(f"review-merge:{reviewer.link}")  # also a poll that has the platform read names who is here
    response = reviewer.poll(token, f"&after={token}{at and '&at=' + at}")
    assert response.status_code == 204
    return response


def here(reviewer: Reviewer, at: str = "") -> list[int]:
    header = poll(reviewer, at).headers.get("Reelroom-Here")
    seconds: list[int] = json.loads(header) if header else []
    return seconds


def spans_of(name: str) -> list[list[int]]:
    kept: list[list[int]] = Viewing.objects.get(reviewer__name=name).spans
    return kept


def test_nobody_is_shown_until_they_choose_it_and_then_with_the_moment_they_are_at(
    ana: Reviewer, guest: Reviewer
) -> None:
    assert here(ana, "12") == [] and here(guest) == []
    assert "checked" not in re.findall(r'name="is_seen"([^>]*)>', page_of(choose(ana)))[0]
    assert "checked" in re.findall(r'name="is_seen"([^>]*)>', page_of(choose(ana, is_seen="on")))[0]
    assert here(ana, "12") == []  # oneself is not among the others
    assert here(guest) == [12]
    people = page_of(guest.client.get(f"/{guest.link}/people", **PART))
    assert 'href="?t=12"' in people and "Ana Prado" in people and "is_seen" not in people


def test_who_hides_or_leaves_is_gone_at_once_and_who_falls_silent_after_a_while(
    ana: Reviewer, guest: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(ana, is_seen="on")
    here(ana, "12")
    choose(ana, is_seen="off")
    assert here(guest) == [] and here(ana, "13") == [] and here(guest) == []
    choose(ana, is_seen="on")
    here(ana, "14")
    watch(ana, "", left="1")
    assert here(guest) == []
    here(ana, "15")
    assert here(guest) == [15]
    now = time.time()
    replace_time(monkeypatch, "review_portal.viewings", time=lambda: now + viewings.GONE_SECONDS)
    assert here(guest) == []


def test_a_place_is_written_at_most_every_fifteen_seconds_and_never_as_a_new_version(
    ana: Reviewer, guest: Reviewer, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(ana, is_seen="on")
    here(ana, "12")
    version = ReviewLink.objects.get().version
    written = cache.get(f"review-here:{ana.link}")
    ana.poll(str(version), f"&after={version}&at=13")
    with django_assert_num_queries(1):
        ana.poll(str(version), f"&after={version}&at=13")
    assert cache.get(f"review-here:{ana.link}") == written
    now = time.time()
    replace_time(monkeypatch, "review_portal.viewings", time=lambda: now + viewings.BEAT_SECONDS)
    here(ana, "14")
    assert here(guest) == [14]
    for nonsense in ("-1", "x", "²", "9" * 30):
        here(ana, nonsense)
    assert here(guest) == [14] and ReviewLink.objects.get().version == version


def test_a_cookie_of_somebody_else_or_of_another_link_shows_nobody(
    ana: Reviewer, world: World, account: Account
) -> None:
    choose(ana, is_seen="on")
    other = Reviewer(imported(account, world.link(), world.video.pk).pk, "Eve")
    other.client.cookies["reviewer"] = ana.client.cookies["reviewer"].value
    assert here(other, "5") == []
    other.client.cookies["reviewer"] = "forged:thing"
    assert here(other, "5") == [] and cache.get(f"review-here:{other.link}") is None


def test_all_who_are_here_are_counted_in_a_short_header_without_their_names(ana: Reviewer, guest: Reviewer) -> None:
    here_now = {f"{n:02}": ("\U0001f3ac" * 50, 100_000 + n, time.time()) for n in range(120)}
    cache.set(f"review-here:{ana.link}", here_now)
    header = poll(guest).headers["Reelroom-Here"]
    assert len(json.loads(header)) == 99 and len(header) < 1_000
    people = guest.client.get(f"/{guest.link}/people", **PART).content.decode()
    assert people.count("<li>") == 99


def test_an_answer_with_news_names_who_is_here_as_well(ana: Reviewer, guest: Reviewer) -> None:
    choose(ana, is_seen="on")
    here(ana, "12")
    response = guest.poll()
    assert response.status_code == 200 and json.loads(response.headers["Reelroom-Here"]) == [12]


def test_what_a_reviewer_watches_is_joined_and_kept_within_the_video(ana: Reviewer) -> None:
    watch(ana, "0-12,40-61")
    watch(ana, "10-20,160-9999,nonsense,30-20,5000-6000")
    assert spans_of("Ana Prado") == [[0, 20], [40, 61], [160, 169]]


def test_nothing_is_kept_of_somebody_without_a_name(guest: Reviewer) -> None:
    watch(guest, "0-12")
    choose(guest, is_seen="on", shares="on")
    assert not Viewing.objects.exists()
    page = page_of(guest.open())
    assert "The owner sees this." not in page and "data-shares" not in page


def test_switching_off_deletes_what_was_kept_and_stops_what_is_still_under_way(ana: Reviewer) -> None:
    watch(ana, "0-12")
    assert "The owner sees this." in page_of(ana.open())
    choose(ana, shares="off")
    watch(ana, "20-30")
    assert spans_of("Ana Prado") == []
    assert "The owner sees this." not in page_of(ana.open())
    choose(ana, shares="on")
    watch(ana, "40-50")
    assert spans_of("Ana Prado") == [[40, 50]]  # nothing of before


def test_a_browser_that_sends_too_much_is_not_listened_to(ana: Reviewer) -> None:
    for second in range(0, 80, 2):
        watch(ana, f"{second}-{second + 1}")
    assert 25 <= len(spans_of("Ana Prado")) <= 30


def test_owner_sees_how_far_each_reviewer_watched_and_what_not(ana: Reviewer, world: World) -> None:
    other = Reviewer(ana.link, "Jonas Weber")
    other.post("Later.", "0:09")
    watch(ana, "0-120,130-168")
    desk = signed_in(Client(), world.token.value)
    page = page_of(desk.get(f"/dashboard/review-links/{ana.link}/"))
    panel = page.split('id="watched-title"')[1].split("</section>")[0]
    assert '<th scope="row" dir="auto">Ana Prado</th>' in panel
    assert "<b>94%</b>" in panel and "<td>2:00–2:10</td>" in panel and 'x="0" width="714"' in panel
    assert "Jonas Weber" not in panel
    choose(ana, shares="off")
    assert "watched-title" not in page_of(desk.get(f"/dashboard/review-links/{ana.link}/"))


def test_what_the_owners_own_people_watched_is_not_listed_for_the_owner(ana: Reviewer, account: Account) -> None:
    link = ReviewLink.objects.get()
    watch(ana, "0-12")
    viewings.add_watched(get_or_create_owner(link, account), [(0, 60)])
    assert [viewing.reviewer.name for viewing in viewings.list_viewings(link)] == ["Ana Prado"]


def test_another_account_and_another_reviewer_never_see_what_somebody_watched(
    ana: Reviewer, guest: Reviewer, stranger: Account
) -> None:
    watch(ana, "0-120")
    assert signed_in(Client(), stranger.token).get(f"/dashboard/review-links/{ana.link}/").status_code == 404
    assert "2:00" not in page_of(guest.client.get(f"/{guest.link}/people", **PART))


def test_what_was_watched_is_deleted_when_its_link_has_been_closed_for_thirty_days(ana: Reviewer) -> None:
    watch(ana, "0-12")
    for days, left in ((29, 1), (31, 0)):
        ReviewLink.objects.update(expires_at=timezone.now() - timedelta(days=days))
        tasks.delete_old_viewings.call()
        assert Viewing.objects.count() == left


def test_what_was_watched_is_deleted_as_well_where_a_link_without_an_end_was_switched_off(ana: Reviewer) -> None:
    watch(ana, "0-12")
    for status, days, left in (("active", 31, 1), ("inactive", 29, 1), ("inactive", 31, 0)):
        closed = timezone.now() - timedelta(days=days)
        ReviewLink.objects.update(status=status, expires_at=None, updated_at=closed)
        tasks.delete_old_viewings.call()
        assert Viewing.objects.count() == left


def test_parts_are_joined_bounded_and_have_gaps_between_them() -> None:
    assert viewings.join_spans([(5, 9), (0, 5)], [(8, 12), (20, 20), (30, 25)]) == [(0, 12)]
    assert len(viewings.join_spans((at, at + 1) for at in range(0, 4_000, 2))) == viewings.SPANS_MOST
    assert viewings.parse_spans("0-5,9-99", 10) == [(0, 5), (9, 11)]
    assert viewings.parse_spans("0-5,11-12", 10) == [(0, 5)] and viewings.parse_spans("7-9", None) == [(7, 9)]
    assert viewings.list_gaps([(3, 5), (6, 10)], 12) == [(0, 3), (10, 12)]
    assert viewings.list_gaps([], 5) == [(0, 5)] and viewings.list_gaps([(0, 9)], 5) == []
    assert viewings.count_seconds([(0, 3), (5, 6)]) == 4


def test_two_who_say_where_they_are_in_the_same_moment_are_both_here(
    ana: Reviewer, guest: Reviewer, link: ReviewLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    jonas = Reviewer(link.pk, "Jonas")
    jonas.post()
    choose(ana, is_seen="on")
    choose(jonas, is_seen="on")
    key, turn = f"review-here:{link.pk}", f"review-here-turn:{link.pk}"
    others = {"j": ("Jonas", 9, time.time())}
    cache.set(turn, 1, 60)  # Jonas's request is between reading and writing

    def end_the_turn(_seconds: float) -> None:
        cache.set(key, others, 60)
        cache.delete(turn)

    replace_time(monkeypatch, "dashboard.shared.locks", sleep=end_the_turn)
    poll(ana, at="30")
    assert json.loads(poll(guest).headers[viewings.HERE]) == [30, 9]
    assert cache.get(turn) is None


def test_request_that_died_in_its_turn_holds_up_nobody_for_long(
    ana: Reviewer, guest: Reviewer, link: ReviewLink
) -> None:
    choose(ana, is_seen="on")
    cache.set(f"review-here-turn:{link.pk}", 1, 60)
    poll(ana, at="30")
    assert json.loads(poll(guest).headers[viewings.HERE]) == [30]


def test_switches_pressed_too_often_are_refused_and_nothing_changes(ana: Reviewer) -> None:
    for _press in range(30):
        assert choose(ana, is_seen="off").status_code == 200
    refused = choose(ana, is_seen="on")
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    assert not Viewing.objects.get().is_seen

"""The room opens from the copy, for anybody, in every state of its link."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.sandbox import models as platform
from review_portal.models import ReviewLink
from tests.pages import page_of
from tests.review_portal.conftest import Reviewer, World, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_link_never_seen_here_opens_with_video_and_comments(world: World, reviewer: Reviewer) -> None:
    world.comment("The fade is too long.")
    response = reviewer.open()
    assert response.status_code == 200
    assert "Serra Alta, launch film" in page_of(response)
    assert "The fade is too long." in page_of(response)
    assert f"/sandbox/media/{world.video.external_id}/film.mp4" in page_of(response)


def test_opening_asks_for_nothing_and_leaves_no_cookie_that_says_who_it_was(reviewer: Reviewer) -> None:
    response = reviewer.open()
    assert "reviewer" not in response.cookies
    assert "autoplay" not in page_of(response).split("<video")[1].split(">")[0]


def test_a_second_opening_calls_nobody(reviewer: Reviewer) -> None:
    reviewer.open()
    with CaptureQueriesContext(connections["sandbox"]) as upstream:
        assert reviewer.open().status_code == 200
        assert len(upstream) == 0


def test_it_opens_and_reads_with_the_platform_down(
    world: World, reviewer: Reviewer, faults: ModuleType, later: Callable[[], None]
) -> None:
    world.comment("Still readable.")
    reviewer.open()
    later()
    faults.set("*", status=500)
    response = reviewer.open()
    assert response.status_code == 200
    assert "Still readable." in page_of(response)
    assert "The platform cannot be reached." in page_of(reviewer.poll())


def test_a_link_nobody_knows_is_not_found(world: World) -> None:
    response = Client().get(f"/{uuid.uuid4()}")
    assert response.status_code == 404
    assert "Review link not found" in page_of(response)


def test_a_link_first_opened_at_its_finish_page_waits_for_its_comments(world: World) -> None:
    world.comment("Louder here.")
    page = page_of(Client().get(f"/{world.link()}/finish"))
    assert "Louder here." in page
    assert "Nothing is open" not in page


def test_a_link_first_opened_at_one_of_its_comments_leads_there(world: World) -> None:
    comment = world.comment("Louder here.")
    response = Client().get(f"/{world.link()}/comments/{comment.pk}")
    assert response.status_code == 302
    assert "?t=7" in response["Location"]


def test_a_link_never_seen_here_with_the_platform_away_says_so(world: World, faults: ModuleType) -> None:
    link = world.link()
    faults.set("*", broken="refused")
    response = Client().get(f"/{link}")
    assert response.status_code == 503
    assert "This review cannot be opened right now" in page_of(response)


def test_one_network_cannot_make_us_ask_for_links_without_end(world: World, one_window: None) -> None:
    client = Client()
    for _ in range(60):
        client.get(f"/{uuid.uuid4()}")
    with CaptureQueriesContext(connections["sandbox"]) as upstream:
        assert client.get(f"/{uuid.uuid4()}").status_code == 404
        assert len(upstream) == 0


@pytest.mark.parametrize("spelling", ["upper", "slash", "both"])
def test_any_spelling_of_a_link_leads_to_it(reviewer: Reviewer, spelling: str) -> None:
    address = str(reviewer.link)
    address = address.upper() if spelling != "slash" else address
    address += "/" if spelling != "upper" else ""
    response = reviewer.client.get(f"/{address}?t=5")
    assert response.status_code == 301
    assert response["Location"] == f"/{reviewer.link}?t=5"


def test_an_expired_link_has_its_own_page_and_stays_readable(world: World) -> None:
    world.comment("Written in time.")
    link = world.link(expires_at=timezone.now() - timedelta(minutes=1))
    client = Client()
    response = client.get(f"/{link}")
    assert response.status_code == 410
    assert "This review link has closed" in page_of(response)
    assert "<video" not in page_of(response)
    reading = client.get(f"/{link}?read=1")
    assert reading.status_code == 200
    assert "Written in time." in page_of(reading)
    assert "<textarea" not in page_of(reading)


def test_a_link_that_was_switched_off_shows_nothing(world: World) -> None:
    world.comment("Not for you any more.")
    link = world.link(status="inactive")
    client = Client()
    for address in (f"/{link}", f"/{link}?read=1", f"/{link}/finish"):
        response = client.get(address)
        assert response.status_code == 403
        assert "This review link was switched off" in page_of(response)
        assert "Not for you any more." not in page_of(response)


def test_a_link_for_viewing_has_no_composer_and_says_why(world: World) -> None:
    world.comment("Read me.")
    page = page_of(Client().get(f"/{world.link(allow_comment=False)}"))
    assert "This link is view-only." in page
    assert 'name="text"' not in page.split('<template id="reply-form"')[0]
    assert " data-reply>" not in page.split('<template id="reply-form"')[0]


def test_a_link_with_locked_status_says_so_and_offers_none(world: World) -> None:
    world.comment("Read me.")
    page = page_of(Client().get(f"/{world.link(allow_status_edit=False)}"))
    assert "Only the owner resolves comments on this link." in page
    assert 'value="resolved"' not in page


def test_resolved_comments_are_hidden_where_the_link_hides_them(world: World) -> None:
    world.comment("Open one.")
    world.comment("Resolved one.", status="resolved")
    page = page_of(Client().get(f"/{world.link(show_resolved=False)}"))
    assert "Open one." in page
    assert "Resolved one." not in page
    assert "Resolved comments are hidden on this link." in page


def test_the_last_day_is_told_in_amber_with_both_zones(world: World) -> None:
    client = Client()
    client.cookies["zone"] = "America/Sao_Paulo"
    page = page_of(client.get(f"/{world.link(expires_at=timezone.now() + timedelta(hours=5, minutes=1))}"))
    assert "expiry--soon" in page
    assert ">5 h</time>" in page or ">5 h " in page
    assert "America/Sao Paulo" in page
    assert "UTC" in page


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["Ana one", "Bruno two", "Carla three"]),
        ("?show=open", ["Ana one", "Carla three"]),
        ("?show=resolved", ["Bruno two"]),
        ("?by=Carla", ["Carla three"]),
        ("?q=TWÓ", ["Bruno two"]),
        ("?q=carla", ["Carla three"]),
        ("?sort=newest", ["Carla three", "Bruno two", "Ana one"]),
        ("?show=open&by=Bruno", []),
        ("?show=nonsense&sort=sideways&since=x", ["Ana one", "Bruno two", "Carla three"]),
    ],
)
def test_filter_order_and_search_are_in_the_address(world: World, query: str, shown: list[str]) -> None:
    now = timezone.now()
    for place, (name, said, status) in enumerate(
        [("Ana", "one", "open"), ("Bruno", "two", "resolved"), ("Carla", "three", "open")]
    ):
        at = now - timedelta(minutes=30 - place)
        world.comment(f"{name} {said}", user_name=name, time=place * 10, status=status, created_at=at, updated_at=at)
    page = page_of(Client().get(f"/{world.link()}{query}")).split('id="threads"')[1].split("<noscript>")[0]
    found = sorted((page.index(words), words) for words in ("Ana one", "Bruno two", "Carla three") if words in page)
    assert [words for _, words in found] == shown


def test_counts_stand_on_every_chip(world: World) -> None:
    world.comment("a")
    world.comment("b", status="resolved")
    page = page_of(Client().get(f"/{world.link()}"))
    for label, count in (("All", 2), ("Open", 1), ("Resolved", 1)):
        assert f'>{label}<span class="chip__count">{count}</span>' in page


def test_the_time_of_the_address_is_the_composers(reviewer: Reviewer) -> None:
    page = page_of(reviewer.open("?t=75"))
    assert 'data-start="75"' in page
    assert 'name="time" value="1:15"' in page
    assert "film.mp4#t=75" in page  # where the browser's own player begins, script or not
    assert "#t=" not in page_of(reviewer.open())


@pytest.mark.parametrize("typed", ["65", "1:05", "1m5s", "00:01:05", "00:01:05:12"])
def test_an_address_may_name_its_moment_the_way_people_write_it(reviewer: Reviewer, typed: str) -> None:
    page = page_of(reviewer.open(f"?t={typed}"))
    assert 'data-start="65"' in page
    assert 'name="time" value="1:05"' in page


def test_what_people_write_is_text_and_never_markup(world: World) -> None:
    world.comment("1 & 2 \"quoted\" 'single'", user_name="A & B")
    platform.ReviewComment.objects.create(
        video=world.video, token=uuid.uuid4(), user_name="<b>x</b>", text="<script>alert(1)</script>", time=1
    )
    page = Client().get(f"/{world.link()}").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>x</b>" not in page


def test_times_and_addresses_in_a_text_are_links(world: World) -> None:
    world.comment("Like 1:12, see https://example.org/a?b=1&c=2. Not javascript:alert(1) or 9:99.", time=3)
    page = page_of(Client().get(f"/{world.link()}?show=open"))
    assert '<a href="?show=open&t=72">1:12</a>' in page
    assert '<a href="https://example.org/a?b=1&c=2" rel="nofollow ugc noopener" target="_blank">' in page
    assert 'href="javascript' not in page


def test_the_meter_is_quiet_until_25_and_at_30_only_replies_are_left(world: World) -> None:
    for n in range(25):
        world.comment(f"c{n}")
    page = page_of(Client().get(f"/{world.link()}"))
    assert "25 of 30 used" in page and re.search(r'<progress [^>]*max="30"\s+value="25"', page)
    assert "meter--near" in page
    for n in range(5):
        world.comment(f"d{n}")
    page = page_of(Client().get(f"/{world.link(name='Second')}"))
    assert "meter--full" in page
    assert "All comments of this video are used." in page
    assert " data-reply>" in page


def test_every_form_of_a_thread_opens_by_its_address(world: World, reviewer: Reviewer) -> None:
    reviewer.open()
    reviewer.post("Mine.")
    mine = theirs().get().pk
    for word, part in (("reply", 'id="reply"'), ("edit", 'id="edit"'), ("withdraw", 'id="withdraw"')):
        before_templates = page_of(reviewer.open(f"?{word}={mine}")).split('<template id="reply-form"')[0]
        assert part in before_templates
    foreign = Client().get(f"/{reviewer.link}?edit={mine}").content.decode().split('<template id="reply-form"')[0]
    assert 'id="edit"' not in foreign


@pytest.mark.parametrize(
    "query",
    ["?reply=x", "?edit=", "?withdraw=27781160-967b-4202-9a07-ac1e55d090e3", "?t=abc", "?again=1", "?resolved=no"],
)
def test_an_address_that_means_nothing_shows_the_room(reviewer: Reviewer, query: str) -> None:
    assert reviewer.open(query).status_code == 200


def test_a_comments_own_address_leads_to_its_place(world: World, reviewer: Reviewer) -> None:
    comment = world.comment("Here.", time=9)
    reviewer.open()
    response = reviewer.client.get(f"/{reviewer.link}/comments/{comment.pk}")
    assert response["Location"] == f"/{reviewer.link}?t=9#c-{comment.pk}"
    assert reviewer.client.get(f"/{reviewer.link}/comments/{uuid.uuid4()}").status_code == 404


@pytest.mark.parametrize(("language", "words"), [("pt-br", "Comentários"), ("es", "Comentarios"), ("en", "Comments")])
def test_it_speaks_the_readers_language(reviewer: Reviewer, language: str, words: str) -> None:
    reviewer.client.cookies["language"] = language
    assert words in page_of(reviewer.open())


def test_a_video_whose_platform_gives_only_a_player_gets_that_player(world: World, reviewer: Reviewer) -> None:
    reviewer.open()
    link = ReviewLink.objects.get()
    link.video |= {"mp4_url": "", "hls_url": "", "player_url": "https://player.example/embed/?v=1"}
    link.save()
    response = reviewer.open()
    assert '<iframe src="https://player.example/embed/?v=1&saveProgress=false' in page_of(response)
    assert "startTime" not in page_of(response)
    assert page_of(reviewer.open("?t=75")).count("&startTime=75") == 2  # for script, and without
    assert "frame-src 'self' https://player.example" in response["Content-Security-Policy"]
    link.video |= {"player_url": ""}
    link.save()
    assert "The video is not available here." in page_of(reviewer.open())

"""Two cuts compared: which ones, at which moment, and what is said where they cannot be kept in step."""

import re
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.models import Account
from review_portal.models import ReviewLink
from tests.review_portal.conftest import World
from tests.review_portal.test_cuts import close, make_cut
from tests.review_portal.test_cuts import three as three
from tests.review_portal.test_from_cut import Checker, write_on

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def kept(settings: Settings) -> None:
    """What is kept of the links stays as the test has set it."""
    settings.PLATFORM_REVIEW_READS = False


def compare(link: ReviewLink, query: str = "") -> Any:
    return Client().get(f"/{link.pk}/compare{query}")


def page(link: ReviewLink, query: str = "") -> str:
    return " ".join(compare(link, query).content.decode().split())


def play(link: ReviewLink, **video: Any) -> None:
    """Let a link have a video that plays as `video` says."""
    ReviewLink.objects.filter(pk=link.pk).update(
        video=link.video | {"mp4_url": "", "hls_url": "", "player_url": ""} | video
    )


def test_earlier_cut_comes_first_and_both_begin_at_the_same_moment(three: list[ReviewLink], kept: None) -> None:
    for link in three:
        play(link, mp4_url=f"https://media.example/{link.pk}.mp4")
    said = page(three[2], f"?with={three[0].pk}&t=0:07")
    first, second = (said.index(f"https://media.example/{link.pk}.mp4#t=7") for link in (three[0], three[2]))
    assert first < second
    assert f'href="/{three[0].pk}?t=7"' in said and f'href="/{three[2].pk}?t=7"' in said
    assert "https://media.example" in compare(three[2]).headers["Content-Security-Policy"]


def test_without_a_name_the_cut_before_is_compared_or_the_next_one(three: list[ReviewLink]) -> None:
    assert "Compare cut 2 and cut 3" in page(three[2])
    assert "Compare cut 1 and cut 2" in page(three[0])


def test_only_cuts_of_the_same_series_are_compared(three: list[ReviewLink], world: World, account: Account) -> None:
    other = make_cut(world, account, "Other")
    for named in (other.pk, three[2].pk, uuid.uuid4(), "x"):
        assert compare(three[2], f"?with={named}").status_code == 404
    assert compare(other).status_code == 404


def test_closed_cut_is_said_to_be_closed_and_its_video_is_not_shown(three: list[ReviewLink]) -> None:
    play(three[1], mp4_url="https://media.example/closed.mp4")
    play(three[2], mp4_url="https://media.example/open.mp4")
    close(three[1])
    said = page(three[2], f"?with={three[1].pk}")
    assert "Cut 2 has closed, so it cannot be played." in said
    assert "closed.mp4" not in said and "open.mp4" in said


def test_platforms_player_gets_a_caution_and_no_wipe(three: list[ReviewLink], kept: None) -> None:
    play(three[1], player_url="https://player.example/embed/?v=1")
    play(three[2], mp4_url="https://media.example/3.mp4")
    said = page(three[2])
    assert "Cut 2 plays in the platform's player. Play, pause and seek are shared;" in said.replace("&#x27;", "'")
    assert 'value="wipe" autocomplete="off" aria-keyshortcuts="W" disabled' in said
    play(three[2], player_url="https://player.example/embed/?v=2")
    assert "Both cuts play in the platform" in page(three[2])


def test_cut_without_a_video_does_not_take_the_other_with_it(three: list[ReviewLink], kept: None) -> None:
    play(three[1])
    play(three[2], mp4_url="https://media.example/3.mp4")
    said = page(three[2])
    assert "Cut 2 has no video here." in said and "3.mp4" in said


def test_different_lengths_are_said(three: list[ReviewLink], kept: None) -> None:
    ReviewLink.objects.filter(pk=three[2].pk).update(video=three[2].video | {"length": 64.0})
    assert "Cut 3 is 4 s longer than cut 2." in page(three[2])
    assert "Cut 3 is 4 s longer than cut 1." in page(three[0], f"?with={three[2].pk}")
    ReviewLink.objects.filter(pk=three[2].pk).update(video=three[2].video | {"length": 56.0})
    assert "Cut 3 is 4 s shorter than cut 2." in page(three[2])


def test_list_of_the_cut_before_stands_beside_it_and_leads_back(three: list[ReviewLink]) -> None:
    comment = write_on(three[1], "Lower the wordmark.", 38)
    said = page(three[2])
    assert "Open on cut 2" in said and f"compare?with={three[1].pk}&amp;t=38" in said
    checker = Checker(three[2])
    response = checker.save({comment: "fixed"}, **{"with": str(three[1].pk)})
    assert response.url == f"/{three[2].pk}/compare?with={three[1].pk}&saved=1#checks"
    assert "Your answers are saved." in checker.client.get(response.url).content.decode()
    refused = checker.save({write_on(three[1], "Louder.", 3): "not"}, user_name="<", **{"with": str(three[1].pk)})
    assert refused.status_code == 422 and "data-compare" in refused.content.decode()


def test_cut_that_is_not_the_one_before_has_the_comments_of_this_cut_beside_it(three: list[ReviewLink]) -> None:
    write_on(three[2], "Here it is.", 12)
    said = page(three[2], f"?with={three[0].pk}")
    assert "Open on cut" not in said and f"compare?with={three[0].pk}&amp;t=12" in said


def test_sheet_of_keys_lists_what_script_takes_and_only_what_these_cuts_can(
    three: list[ReviewLink], kept: None
) -> None:
    """ "?" is taken by `sheet.js`; Y by `checks.js`."""
    script = (settings.BASE_DIR / "static/js/review_portal/compare.js").read_text()
    taken = set(re.findall(r'^  "?([^"\s]+| )"?: "', script.split("const keys = {")[1].split("};")[0], re.M))
    for link in three:
        play(link, mp4_url=f"https://media.example/{link.pk}.mp4")
    listed = re.findall(r'<kbd data-key="([^"]+)">', page(three[2]))
    keys = {key.lower().replace("space", " ") for key in listed}
    assert keys == {key.lower() for key in taken} | {"y", "shift+y", "?"}
    assert "y" in listed and "y" not in re.findall(r'<kbd data-key="([^"]+)">', page(three[2], f"?with={three[0].pk}"))
    play(three[1], player_url="https://player.example/embed/?v=1")
    assert not {"w", "[", ","} & set(re.findall(r'<kbd data-key="([^"]+)">', page(three[2])))

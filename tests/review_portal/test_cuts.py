"""Cuts of one video: which cut a room shows, the way to the others, and what nobody learns of other links."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from review_portal import cuts, sync
from review_portal.cuts import CutRefusal
from review_portal.models import Cut, CutSeries, ReviewLink
from tests.conftest import signed_in
from tests.pages import page_of, read_page
from tests.review_portal.conftest import World, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def make_cut(world: World, account: Account, name: str, **fields: Any) -> ReviewLink:
    """A link of a video of its own, imported by the account."""
    length = fields.pop("length", 60.0)
    video = platform.Video.objects.create(
        organization=world.organization, user=world.user, title=f"Launch, {name}", length=length
    )
    return imported(account, world.link(video=video, name=name, **fields), video.pk)


@pytest.fixture
def three(world: World, account: Account) -> list[ReviewLink]:
    """Three cuts in order."""
    links = [make_cut(world, account, f"Version {number}") for number in (1, 2, 3)]
    assert cuts.place_after(account, links[1], links[0]) is None
    assert cuts.place_after(account, links[2], links[1]) is None
    return links


def numbers(link: ReviewLink) -> list[str]:
    return [cut.link.name for cut in cuts.list_cuts(link)]


def change(link: ReviewLink, **fields: Any) -> None:
    """Change a link here and on the platform."""
    ReviewLink.objects.filter(pk=link.pk).update(**fields)
    platform.ReviewLink.objects.filter(pk=link.pk).update(**fields)


def close(link: ReviewLink) -> None:
    change(link, expires_at=timezone.now() - timedelta(hours=1))


def test_files_and_paper_name_the_cut_for_reviewers_and_the_owner(three: list[ReviewLink], world: World) -> None:
    link = three[1]
    desk = signed_in(Client(), world.token.value)
    for client, base in ((Client(), f"/{link.pk}"), (desk, f"/dashboard/review-links/{link.pk}")):
        assert client.get(f"{base}/export.json").json()["cut"] == {"number": 2, "of": 3}
        lines = client.get(f"{base}/export.txt").content.decode().splitlines()
        assert lines[:4] == ["Launch, Version 2", "Version 2", "Cut 2 of 3", ""]
        assert "<p>Cut 2 of 3</p>" in client.get(f"{base}/print", follow=True).content.decode()


def test_files_of_a_link_that_is_no_cut_name_none(world: World, account: Account) -> None:
    link = make_cut(world, account, "Alone")
    assert "cut" not in Client().get(f"/{link.pk}/export.json").json()
    assert "Cut " not in Client().get(f"/{link.pk}/export.txt").content.decode()
    assert "Cut " not in Client().get(f"/{link.pk}/print").content.decode()


def test_room_names_its_cut_and_leads_to_the_others(three: list[ReviewLink]) -> None:
    page = read_page(Client(), f"/{three[2].pk}")
    assert page.count('class="cuts__link"') == 3
    assert f'href="/{three[2].pk}" aria-current="page"' in page
    assert f'href="/{three[0].pk}"' in page and f'href="/{three[1].pk}"' in page
    assert "You are on cut" not in page


def test_room_of_an_older_cut_leads_to_the_newest_with_one_press(three: list[ReviewLink]) -> None:
    page = " ".join(read_page(Client(), f"/{three[0].pk}").split())
    assert "<b>You are on cut 1.</b> Cut 3 is the newest." in page
    assert f'href="/{three[2].pk}">Open cut 3</a>' in page
    assert "From cut" not in page  # there is none before it


def test_closed_newest_cut_is_not_offered_and_its_link_says_that_it_is_closed(three: list[ReviewLink]) -> None:
    close(three[2])
    page = " ".join(read_page(Client(), f"/{three[0].pk}").split())
    assert "Cut 2 is the newest." in page
    assert page.count('<span class="visually-hidden">, closed</span>') == 1
    assert Client().get(f"/{three[2].pk}").status_code == 410


def test_closed_cut_leads_to_the_newest_and_a_switched_off_one_shows_no_other(three: list[ReviewLink]) -> None:
    close(three[0])
    assert f'href="/{three[2].pk}"' in page_of(Client().get(f"/{three[0].pk}"))
    change(three[0], expires_at=timezone.now() + timedelta(days=1), status="inactive")
    assert str(three[2].pk) not in page_of(Client().get(f"/{three[0].pk}"))


def test_room_of_a_link_in_no_series_says_nothing_of_cuts(
    three: list[ReviewLink], world: World, account: Account
) -> None:
    """Another link of the newest cut's own video is not a cut either."""
    beside = imported(account, world.link(video=platform.Video.objects.get(pk=three[2].video_id)), three[2].video_id)
    for link in (beside, make_cut(world, account, "Other")):
        page = read_page(Client(), f"/{link.pk}")
        assert "cuts__link" not in page
        assert not [cut for cut in three if str(cut.pk) in page]


def test_cut_that_its_account_no_longer_owns_is_not_shown(three: list[ReviewLink], stranger: Account) -> None:
    three[1].accounts.set([stranger])
    assert numbers(three[2]) == ["Version 1", "Version 3"]
    assert numbers(three[1]) == []


def test_cut_whose_video_the_platform_corrects_leaves_its_series(three: list[ReviewLink]) -> None:
    sync.correct_video(three[1], uuid.uuid4())
    assert numbers(three[2]) == ["Version 1", "Version 3"]


def test_cuts_are_numbered_by_their_order_and_renumbered_when_one_moves(
    three: list[ReviewLink], account: Account
) -> None:
    assert cuts.move(account, three[2], -1)
    assert numbers(three[0]) == ["Version 1", "Version 3", "Version 2"]
    assert not cuts.move(account, three[0], -1)
    assert not cuts.move(account, three[1], 1)
    assert cuts.load_numbers(account) == {three[0].pk: (1, 3), three[2].pk: (2, 3), three[1].pk: (3, 3)}


def test_cut_is_put_between_two_others(three: list[ReviewLink], world: World, account: Account) -> None:
    between = make_cut(world, account, "Version 1b")
    assert cuts.place_after(account, between, three[0]) is None
    assert numbers(between) == ["Version 1", "Version 1b", "Version 2", "Version 3"]


def test_removed_cut_is_gone_and_one_that_is_left_alone_is_no_cut(three: list[ReviewLink], account: Account) -> None:
    assert cuts.remove(account, three[1])
    assert numbers(three[0]) == ["Version 1", "Version 3"]
    assert cuts.remove(account, three[0])
    assert not Cut.objects.exists() and not CutSeries.objects.exists()
    assert not cuts.remove(account, three[0])


def test_same_cut_asked_for_twice_is_one(three: list[ReviewLink], account: Account) -> None:
    assert cuts.place_after(account, three[2], three[1]) is None
    assert Cut.objects.count() == 3 and CutSeries.objects.count() == 1


def test_link_is_refused_where_it_cannot_be_the_next_cut(
    three: list[ReviewLink], world: World, account: Account, stranger: Account
) -> None:
    beside = imported(account, world.link(video=platform.Video.objects.get(pk=three[0].video_id)), three[0].video_id)
    other = make_cut(world, account, "Other")
    assert cuts.place_after(account, other, other) == CutRefusal.SAME_LINK
    assert cuts.place_after(account, beside, three[2]) == CutRefusal.SAME_VIDEO
    assert cuts.place_after(account, three[0], three[2]) == CutRefusal.IN_SERIES
    assert cuts.place_after(account, three[2], other) == CutRefusal.IN_SERIES
    CutSeries.objects.update(account=stranger)
    assert cuts.place_after(account, other, three[2]) == CutRefusal.OF_OTHERS
    assert not cuts.move(account, three[0], 1) and not cuts.remove(account, three[0])


def test_series_has_twenty_cuts_at_most(
    three: list[ReviewLink], world: World, account: Account, series_takes: Callable[[int], None]
) -> None:
    series_takes(4)
    assert cuts.place_after(account, make_cut(world, account, "Version 4"), three[2]) is None
    assert cuts.place_after(account, make_cut(world, account, "Version 5"), three[2]) == CutRefusal.TOO_MANY


def test_candidates_are_the_accounts_own_links_of_other_videos(
    three: list[ReviewLink], world: World, account: Account, stranger: Account
) -> None:
    other = make_cut(world, account, "Other")
    assert set(cuts.list_candidates(account, other, other.video_id)) == set(three)
    assert not cuts.list_candidates(stranger, None, other.video_id)
    CutSeries.objects.update(account=stranger)
    assert not cuts.list_candidates(account, other, other.video_id)

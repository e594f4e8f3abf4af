"""Whose a link is: whoever the platform says, and nobody by being the first to type its id."""

import uuid
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.platform_api.videos import Video
from dashboard.sandbox import models as platform
from dashboard.upstream import clients
from review_portal import imports, owners, sync
from review_portal.imports import ImportProblem, ImportRefused
from review_portal.models import Claim, Comment, ReviewLink
from tests.review_portal.conftest import Reviewer, World, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def own_video(stranger: Account) -> platform.Video:
    """A video of the other account's."""
    user = platform.User.objects.get(organization__name="Other")
    organization = platform.Organization.objects.get(name="Other")
    return platform.Video.objects.create(organization=organization, user=user, title="Not the film", length=60)


@pytest.fixture
def unread(settings: Settings) -> None:
    """The platform cannot be asked about links, as is the default with a real one."""
    settings.PLATFORM_REVIEW_READS = False


def created(world: World, account: Account) -> ReviewLink:
    """A link that the account creates here, with its own token."""
    closes = int((timezone.now() + timedelta(days=2)).timestamp() * 1000)
    payload = {"link_name": "Cut 3", "expires_at": closes}
    link = imports.save_link(account, clients.platform_for(account).review_links.create(world.video.pk, payload))
    imports.complete_video(account, link)
    return link


def test_an_import_that_cannot_be_confirmed_opens_no_page_and_is_on_its_own_desk_alone(
    world: World, account: Account, stranger: Account, own_video: platform.Video, unread: None
) -> None:
    link = world.link()
    taken = imports.import_link(stranger, link, own_video.pk)
    assert isinstance(taken, Claim)
    assert (taken.video_id, taken.video["title"]) == (own_video.pk, "Not the film")
    answer = Client().get(f"/{link}")
    assert answer.status_code == 404
    assert "Not the film" not in answer.content.decode()
    assert not ReviewLink.objects.exists()
    assert list(sync.list_claims(stranger)) == [taken]
    assert list(sync.list_claims(account)) == []
    assert list(owners.list_links(stranger)) == []


def test_claims_stand_side_by_side_and_importing_again_corrects_ones_own(
    world: World, account: Account, stranger: Account, own_video: platform.Video, unread: None
) -> None:
    link = world.link()
    imports.import_link(stranger, link, own_video.pk)
    imports.import_link(account, link, world.video.pk)
    other = platform.Video.objects.create(organization=world.organization, user=world.user, title="Other", length=10)
    imports.import_link(account, link, other.pk)
    claimed = Claim.objects.order_by("claimed_at").values_list("account__name", "video__title")
    assert list(claimed) == [("Other", "Not the film"), ("Estúdio Maré", "Other")]


def test_a_claim_takes_nothing_from_a_link_that_was_created_here(
    world: World, account: Account, stranger: Account, own_video: platform.Video, unread: None
) -> None:
    link = created(world, account)
    Reviewer(link.pk).post("For the studio only.")
    with pytest.raises(ImportRefused) as refused:
        imports.import_link(stranger, link.pk, own_video.pk)
    assert refused.value.reason == ImportProblem.OTHER_VIDEO
    assert "Serra Alta, launch film" in Client().get(f"/{link.pk}").content.decode()
    assert owners.list_comments_of_video(stranger, own_video.pk) == []
    assert owners.list_comments_of_video(stranger, world.video.pk) == []
    assert owners.count_comments_by_video(stranger) == {}


def test_an_earlier_claim_never_blocks_who_proves_the_link(
    world: World, account: Account, stranger: Account, own_video: platform.Video, settings: Settings
) -> None:
    link = world.link()
    settings.PLATFORM_REVIEW_READS = False
    imports.import_link(stranger, link, own_video.pk)
    imports.import_link(account, link, world.video.pk)
    settings.PLATFORM_REVIEW_READS = True
    world.comment("Said to the studio.")
    room = Client().get(f"/{link}").content.decode()  # the platform's own word on the link, read for a visitor
    assert "Serra Alta, launch film" in room
    assert "Said to the studio." in room
    assert (
        owners.get_link(account, link).video_id == world.video.pk
    )  # claimed by the very video that the platform names
    with pytest.raises(ReviewLink.DoesNotExist):
        owners.get_link(stranger, link)
    assert [claim.account for claim in Claim.objects.all()] == [stranger]
    assert owners.list_comments_of_video(stranger, own_video.pk) == []
    with pytest.raises(ImportRefused):
        imports.import_link(stranger, link, own_video.pk)


def test_a_second_token_of_the_same_studio_owns_what_it_can_get_the_video_of(
    world: World, account: Account, unread: None
) -> None:
    link = created(world, account)
    platform.Token.objects.create(value="second-token", user=world.user)
    second = Account.objects.create(name="Same studio", fingerprint="second", sealed_token="")
    second.keep_token("second-token")
    second.save()
    assert imports.import_link(second, link.pk, world.video.pk) == link
    assert {owner.name for owner in link.accounts.all()} == {"Estúdio Maré", "Same studio"}


@pytest.mark.parametrize(("status", "answer"), [(403, "refuses"), (404, "has none")])
def test_where_the_link_cannot_be_read_the_video_s_list_of_links_is_proof(
    world: World, account: Account, stranger: Account, own_video: platform.Video, faults: ModuleType,
    status: int, answer: str,
) -> None:  # fmt: skip
    link = world.link()
    faults.set("public_review.read_link", status=status)
    assert imported(account, link, world.video.pk).name == "Cut 3"
    with pytest.raises(ImportRefused) as refused:
        imports.import_link(stranger, link, own_video.pk)
    assert refused.value.reason == ImportProblem.LINK_MISSING, answer


def test_a_list_says_nothing_about_links_of_other_videos(world: World) -> None:
    video = Video.from_json({"id": str(world.video.pk)})
    rows = [{"id": "1", "video_id": str(world.video.pk).upper()}, {"id": "2"}, {"id": "3", "video_id": "another"}]
    listed = [ReviewLinkRecord.from_json(row) for row in rows]
    kept = imports.select_links_of_video(listed, video)
    assert [(link.id, link.video_id) for link in kept] == [("1", video.id), ("2", video.id)]


def test_the_platform_s_word_corrects_whose_a_link_was_believed_to_be(
    world: World, account: Account, stranger: Account, own_video: platform.Video
) -> None:
    link = ReviewLink.objects.create(id=world.link(), video_id=own_video.pk, video={"title": "Not the film"})
    link.accounts.add(stranger)
    sync.store_link(sync.read_link(link.pk))
    link.refresh_from_db()
    assert (link.video_id, link.video["title"]) == (world.video.pk, "Serra Alta, launch film")
    assert list(link.accounts.all()) == []
    assert [(claim.account, claim.video_id) for claim in Claim.objects.all()] == [(stranger, own_video.pk)]


def carried_over(video: uuid.UUID, *owners: Account, **fields: Any) -> ReviewLink:
    """A link as the version before kept it."""
    link = ReviewLink.objects.create(id=uuid.uuid4(), video_id=video, video={"title": "Kept"}, **fields)
    link.accounts.add(*owners)
    return link


def test_what_was_written_through_an_unconfirmed_link_is_there_for_who_proves_it(
    world: World, account: Account, stranger: Account, own_video: platform.Video
) -> None:
    link = ReviewLink.objects.create(id=world.link(), video_id=own_video.pk, confirmed=False)
    said = world.comment("Written before.")
    Comment.objects.create(
        link=link, comment_id=said.pk, user_name="Ana", text="Written before.", time=7, born=1, version=1,
        written_at=timezone.now(),
    )  # fmt: skip
    assert owners.list_comments_of_video(stranger, own_video.pk) == []
    proven = imported(account, link.pk, world.video.pk)
    assert (proven.video_id, proven.confirmed) == (world.video.pk, True)
    assert [row.text for row in owners.list_comments_of_video(account, world.video.pk)] == ["Written before."]

"""An imported link that the platform has not confirmed: what its page says, and that it leads to nobody else's comments."""

import uuid
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.review_links.urls import urlpatterns
from dashboard.sandbox.models import ReviewLink as PlatformLink
from review_portal import imports, owners, sync
from review_portal.models import Claim, Comment, ReviewLink
from tests.pages import page_of, words_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
IMPORT = "/dashboard/review-links/import/"
LIST = "/dashboard/review-links/"
WORD = "Cassowary"
"""What the owner's reviewers wrote."""


@pytest.fixture
def made_elsewhere(cast: dict[str, Any]) -> PlatformLink:
    """A link of the owner's that Reelroom has never seen."""
    link: PlatformLink = PlatformLink.objects.get(pk=cast["review_links"]["open"])
    return link


@pytest.fixture
def claimed(owner: Client, made_elsewhere: PlatformLink, settings: Settings) -> str:
    """The page of the owner's import, where the platform cannot be asked."""
    settings.PLATFORM_REVIEW_READS = False
    answer = owner.post(IMPORT, {"video": str(made_elsewhere.video_id), "link": str(made_elsewhere.pk)})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.fixture
def told(account: Account, made_elsewhere: PlatformLink) -> ReviewLink:
    """The same link, confirmed as the owner's, with comments that hold the word."""
    link = imports.import_link(account, made_elsewhere.pk, made_elsewhere.video_id)
    assert isinstance(link, ReviewLink)
    sync.merge(link)
    link.comments.update(text=WORD, user_name=WORD)
    return link


def test_where_the_platform_cannot_be_asked_the_import_says_so_before_and_after(
    owner: Client, claimed: str, made_elsewhere: PlatformLink, settings: Settings
) -> None:
    before = words_of(page_of(owner.get(IMPORT, {"video": str(made_elsewhere.video_id)})))
    assert "Only you will see the import, as not confirmed" in before
    assert "did not confirm that it is yours" in before  # the message, on the first page after the import
    page = words_of(page_of(owner.get(claimed)))
    assert "Imported link, not confirmed" in page
    assert str(made_elsewhere.pk) in page
    assert "PLATFORM_REVIEW_READS=on" in page
    for unknown in ("Name and closing time", "Whether there are comments, and how many"):
        assert unknown in page
    for false in ("0 of 30", "No comments yet", "can resolve", "Copy address", "Check again"):
        assert false not in page
    assert f"{reverse('review_links:create')}?video={made_elsewhere.video_id}" in owner.get(claimed).content.decode()


def test_the_platform_s_own_page_of_the_link_is_offered_where_its_address_is_known(
    owner: Client, claimed: str, made_elsewhere: PlatformLink, settings: Settings
) -> None:
    assert "Open on the platform" not in words_of(page_of(owner.get(claimed)))
    settings.PLATFORM_REVIEW_URL = "https://review.example/"
    assert f'href="https://review.example/{made_elsewhere.pk}"' in owner.get(claimed).content.decode()


def test_lists_and_the_search_lead_to_it(owner: Client, claimed: str, made_elsewhere: PlatformLink) -> None:
    video = f"/dashboard/review-links/videos/{made_elsewhere.video_id}/"
    found = f"/dashboard/search/?q={made_elsewhere.pk}"
    for address in (LIST, video, f"/dashboard/videos/{made_elsewhere.video_id}/", found):
        page = owner.get(address, follow=True).content.decode()
        assert (address, f'href="{claimed}"' in page) == (address, True)
    assert f'href="{claimed}"' not in owner.get(LIST, {"state": "open"}).content.decode()


def test_reads_confirm_it_when_they_are_allowed(
    owner: Client, account: Account, claimed: str, made_elsewhere: PlatformLink, settings: Settings
) -> None:
    answer = owner.post(claimed, {"do": "check"})
    assert answer.status_code == 422
    assert "The link is still not confirmed." in words_of(page_of(answer))
    settings.PLATFORM_REVIEW_READS = True
    assert "Check again" in words_of(page_of(owner.get(claimed)))
    answer = owner.post(claimed, {"do": "check"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/dashboard/review-links/{made_elsewhere.pk}/"
    assert "The platform confirmed that the link is yours." in words_of(page_of(answer))
    assert not Claim.objects.exists()


def test_the_list_of_links_confirms_it_by_itself_once_reads_are_allowed(
    owner: Client, account: Account, claimed: str, made_elsewhere: PlatformLink, settings: Settings
) -> None:
    settings.PLATFORM_REVIEW_READS = True
    owner.get(LIST)
    assert owners.get_link(account, made_elsewhere.pk).confirmed
    assert not Claim.objects.exists()


def test_a_claim_to_another_account_s_link_is_told_what_the_platform_says(
    enter: Callable[[str], Client], cast: dict[str, Any], made_elsewhere: PlatformLink, settings: Settings
) -> None:
    settings.PLATFORM_REVIEW_READS = False
    stranger = enter("other")
    claimed = stranger.post(IMPORT, {"video": cast["videos"]["other_account"], "link": str(made_elsewhere.pk)})
    settings.PLATFORM_REVIEW_READS = True
    answer = stranger.post(claimed["Location"], {"do": "check"})
    assert answer.status_code == 422
    assert "This link shows another video." in words_of(page_of(answer))
    assert Claim.objects.count() == 1


def test_it_can_be_removed_and_is_found_by_its_account_alone(
    owner: Client, claimed: str, enter: Callable[[str], Client]
) -> None:
    stranger = enter("other")
    for do in ("", "check", "remove"):
        assert stranger.post(claimed, {"do": do}).status_code == 404
    assert stranger.get(claimed).status_code == 404
    answer = owner.post(claimed, {"do": "remove"}, follow=True)
    assert "The import was removed." in words_of(page_of(answer))
    assert not Claim.objects.exists()


def filled(claim: Claim, link: ReviewLink, video: uuid.UUID, attempt: uuid.UUID) -> list[str]:
    """Each address of the desk, out of the URL configuration; an argument nobody knows here fails."""
    comment = Comment.objects.filter(link=link, reply_to=None).values_list("comment_id", flat=True)[0]
    known = {
        "link_id": link.pk, "video_id": video, "comment_id": comment, "claim_id": claim.pk, "key": attempt,
        "extension": "csv", "kind": "svg", "item_id": comment, "answer_id": 1,
    }  # fmt: skip
    return [
        reverse(f"review_links:{one.name}", kwargs={name: known[name] for name in one.pattern.converters})
        for one in urlpatterns
    ]


def body(answer: HttpResponseBase) -> str:
    return b"".join(answer).decode(errors="replace")


def test_no_address_of_the_desk_shows_a_claimant_anything_of_the_owner_s_link(
    enter: Callable[[str], Client], cast: dict[str, Any], told: ReviewLink
) -> None:
    stranger, own = enter("other"), uuid.UUID(cast["videos"]["other_account"])
    claim = Claim.objects.create(account=Account.objects.get(name="other"), link_id=told.pk, video_id=own)
    before = set(told.comments.values_list("comment_id", "status", "text"))
    forms: tuple[dict[str, str], ...] = (
        {},
        {"status": "resolved"},
        {"text": "Changed."},
        {"text": "Mine.", "user_name": "B", "key": str(own)},
    )
    extra = [LIST, "/dashboard/", f"/dashboard/search/?q={told.pk}"]
    shown = []
    for video in (own, told.video_id):
        for address in [*filled(claim, told, video, uuid.uuid4()), *extra]:
            answers = [stranger.get(address), *(stranger.post(address, form) for form in forms)]
            shown += [address for answer in answers if WORD in body(answer)]
            if str(told.pk) in address and "?" not in address:
                assert {answer.status_code for answer in answers} <= {302, 404, 405}, address
    assert shown == []
    assert set(told.comments.values_list("comment_id", "status", "text")) == before


KNOWN = {
    "do": "say", "name": "Cut 3 for Ana", "closes_at": "2026-12-20T18:00",
    "allow_comment": "on", "allow_status_edit": "off", "show_resolved": "",
}  # fmt: skip


def test_what_the_owner_knows_of_the_link_is_kept_and_shown_as_theirs(owner: Client, claimed: str) -> None:
    answer = owner.post(claimed, KNOWN)
    assert answer["Location"] == claimed
    page = words_of(page_of(owner.get(claimed)))
    for said in ("Name, as you said", "Closes, as you said", "Reviewers write comments and replies."):
        assert said in page
    assert "Cut 3 for Ana" in page and "Dec 20, 2026" in page
    assert "Reviewers see what is resolved but cannot change it." in page
    assert "Whether resolved comments stay visible" in page, "that stays not known"
    assert "Cut 3 for Ana, as you said" in words_of(page_of(owner.get(LIST)))
    found = Claim.objects.get()
    assert (found.allow_comment, found.allow_status_edit, found.show_resolved) == (True, False, None)
    owner.post(claimed, {"do": "say", "name": "", "closes_at": ""})
    assert "Name and closing time" in words_of(page_of(owner.get(claimed))), "taken back"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [({"closes_at": "soon"}, "Choose when the link closes"), ({"name": "x" * 256}, "at most 255 characters")],
)
def test_what_cannot_be_kept_is_said_at_its_field_with_everything_typed(
    owner: Client, claimed: str, typed: dict[str, str], sentence: str
) -> None:
    answer = owner.post(claimed, KNOWN | typed)
    assert answer.status_code == 422
    assert sentence in words_of(page_of(answer))
    assert next(iter(typed.values())) in answer.content.decode()
    assert Claim.objects.get().name == ""


def test_importing_it_again_keeps_what_the_owner_said(
    owner: Client, claimed: str, made_elsewhere: PlatformLink
) -> None:
    owner.post(claimed, KNOWN)
    owner.post(IMPORT, {"video": str(made_elsewhere.video_id), "link": str(made_elsewhere.pk)})
    assert Claim.objects.get().name == "Cut 3 for Ana"


def test_no_page_of_the_video_claims_what_was_not_read(
    owner: Client, claimed: str, made_elsewhere: PlatformLink
) -> None:
    video = made_elsewhere.video_id
    for address in (
        claimed,
        LIST,
        f"{LIST}videos/{video}/",
        f"{LIST}create/?video={video}",
        f"{LIST}videos/{video}/print/",
    ):
        page = words_of(page_of(owner.get(address)))
        for false in (
            "0 of 30",
            "0/30",
            "No comments yet",
            "Every reviewer can",
            "0 open",
            "0 of 0",
            "this video yet",
            "links yet",
        ):
            assert false not in page, (address, false)


def test_a_platform_without_reads_of_links_takes_an_import_as_not_confirmed(
    owner: Client, made_elsewhere: PlatformLink, faults: ModuleType
) -> None:
    faults.set("public_review.read_link", status=404)
    faults.set("review_links.list", status=404)
    answer = owner.post(IMPORT, {"video": str(made_elsewhere.video_id), "link": str(made_elsewhere.pk)})
    assert "/claims/" in answer["Location"]

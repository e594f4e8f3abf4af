"""Where the platform cannot be read, a change whose answer was lost is marked on every screen that shows its comment."""

from types import ModuleType

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.upstream import clients
from dashboard.writes.models import Write
from review_portal.models import Comment, ReviewLink
from tests.conftest import signed_in
from tests.review_portal.conftest import Reviewer, World, copies, over

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_without_reads_a_lost_edit_is_marked_for_everybody_until_its_writer_settles_it(
    world: World, settings: Settings, faults: ModuleType
) -> None:
    settings.PLATFORM_REVIEW_READS = True
    reviewer, owner = Reviewer(world.link()), signed_in(Client(), world.token.value)
    reviewer.post("Old words.")
    owner.get("/dashboard/review-links/")  # finds the link
    settings.PLATFORM_REVIEW_READS = False
    clients.forget()
    faults.set("public_review.update_comment", broken="lost")
    reviewer.change(Comment.objects.get().comment_id, text="New words.")
    faults.clear()
    over(600)
    stranger = Reviewer(reviewer.link, "Bruno")
    pages = {
        page: stranger.client.get(f"/{reviewer.link}{page}").content.decode() for page in ("", "/print", "/finish")
    }
    pages["own room"] = reviewer.open().content.decode()
    video, desk = ReviewLink.objects.get().video_id, "/dashboard/review-links"
    for place in (reviewer.link, f"videos/{video}"):
        for address in (f"{desk}/{place}/", f"{desk}/{place}/print/"):
            pages[address] = owner.get(address).content.decode()
    assert [page for page, text in pages.items() if "Old words." not in text] == []
    assert [page for page, text in pages.items() if "Change not confirmed" not in text] == []
    assert "It arrived" in reviewer.open().content.decode()
    reviewer.act(Write.objects.get(operation="public_review.update_comment"), "again")
    assert copies(reviewer.link) == ["New words."]
    assert "Change not confirmed" not in stranger.open().content.decode()


def test_without_reads_a_lost_edit_is_marked_through_the_other_links_of_the_video(
    world: World, settings: Settings, faults: ModuleType
) -> None:
    settings.PLATFORM_REVIEW_READS = True
    reviewer = Reviewer(world.link())
    reviewer.post("Old words.")
    other = Reviewer(world.link(name="Second"), "Bruno", script=True)
    other.open()  # its copy has the comment
    settings.PLATFORM_REVIEW_READS = False
    clients.forget()
    seen = ReviewLink.objects.get(pk=other.link).version
    faults.set("public_review.update_comment", broken="lost")
    reviewer.change(Comment.objects.filter(link=reviewer.link).get().comment_id, text="New words.")
    faults.clear()
    for page in (other.poll(str(seen)), other.open()):
        assert "Change not confirmed" in page.content.decode()
    seen = ReviewLink.objects.get(pk=other.link).version
    reviewer.act(Write.objects.get(operation="public_review.update_comment"), "again")
    assert copies(other.link) == ["New words."]
    for page in (other.poll(str(seen)), other.open()):
        assert "New words." in page.content.decode()
        assert "Change not confirmed" not in page.content.decode()

"""What the desk asks of the portal: whose a link is, what was said on it and on its video, each once and in order."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.platform_api.values import JSON
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.sandbox import models as platform
from dashboard.upstream import clients
from dashboard.upstream.reads import Reads
from review_portal import imports, owners, sync
from review_portal.imports import ImportProblem, ImportRefused
from review_portal.models import Comment, ReviewLink
from tests.conftest import AtPlatform
from tests.forgetting import forget
from tests.pages import one_line, page_of
from tests.review_portal.conftest import Reviewer, World, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def kept(world: World, account: Account) -> ReviewLink:
    """A link of the account, known here."""
    return imported(account, world.link(), world.video.pk)


def test_a_link_is_shown_to_its_account_alone(kept: ReviewLink, account: Account, stranger: Account) -> None:
    assert owners.get_link(account, kept.pk) == kept
    assert list(owners.list_links(account)) == [kept]
    with pytest.raises(ReviewLink.DoesNotExist):
        owners.get_link(stranger, kept.pk)
    assert list(owners.list_links(stranger)) == []
    assert owners.list_comments_of_video(stranger, kept.video_id) == []
    assert owners.count_comments_by_video(stranger) == {}


@pytest.mark.parametrize(
    ("which", "reason"),
    [
        ("no such video", ImportProblem.VIDEO_MISSING),
        ("no such link", ImportProblem.LINK_MISSING),
        ("another video", ImportProblem.OTHER_VIDEO),
    ],
)
def test_what_cannot_be_taken_in_is_refused_and_not_kept(
    world: World, account: Account, which: str, reason: ImportProblem
) -> None:
    other = platform.Video.objects.create(organization=world.organization, user=world.user, title="Other", length=10)
    link, video = {
        "no such video": (world.link(), uuid.uuid4()),
        "no such link": (uuid.uuid4(), world.video.pk),
        "another video": (world.link(), other.pk),
    }[which]
    with pytest.raises(ImportRefused) as refused:
        imports.import_link(account, link, video)
    assert refused.value.reason == reason
    assert not account.review_links.exists()


def test_a_stranger_s_video_is_not_there_to_take_a_link_by(world: World, kept: ReviewLink, stranger: Account) -> None:
    with pytest.raises(ImportRefused) as refused:
        imports.import_link(stranger, kept.pk, world.video.pk)
    assert refused.value.reason == ImportProblem.VIDEO_MISSING


def test_an_older_answer_about_a_link_changes_nothing(kept: ReviewLink, account: Account) -> None:
    before = kept.updated_at
    assert before is not None

    def told(hours: int) -> ReviewLink:
        at = (before + timedelta(hours=hours)).isoformat()
        about: dict[str, JSON] = {
            "id": str(kept.pk),
            "video_id": str(kept.video_id),
            "allow_comment": False,
            "updated_at": at,
        }
        return imports.save_link(account, ReviewLinkRecord.from_json(about))

    assert told(-1).allow_comment is True
    assert told(1).allow_comment is False


@pytest.fixture
def listed(world: World, account: Account) -> Callable[[], tuple[list[ReviewLink], bool]]:
    """Takes in what the platform lists of the video now."""

    def take_in() -> tuple[list[ReviewLink], bool]:
        upstream = clients.platform_for(account)
        video_id = str(world.video.pk)
        return imports.save_links(account, upstream.review_links.list(video_id), upstream.videos.get(video_id))

    return take_in


def test_links_that_are_kept_as_they_are_listed_cost_the_same_however_many_they_are(
    world: World,
    account: Account,
    listed: Callable[[], tuple[list[ReviewLink], bool]],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    ids = {world.link(name=f"Cut {number}") for number in range(5)}
    links, is_new = listed()
    assert is_new and {link.pk for link in links} == ids == {link.pk for link in owners.list_links(account)}
    rows = ReviewLink.objects.values_list("version", "read_at").order_by("pk")
    before = list(rows)
    upstream, video_id = clients.platform_for(account), str(world.video.pk)
    answered, video = upstream.review_links.list(video_id), upstream.videos.get(video_id)
    with django_assert_num_queries(2):
        links, is_new = imports.save_links(account, answered, video)
    assert not is_new and [link.pk for link in links] == [uuid.UUID(record.id) for record in answered]
    for (version, read_at), (version_now, read_now) in zip(before, rows.all(), strict=True):
        assert version_now == version and read_at and read_now and read_now > read_at


def test_video_without_links_is_not_looked_up(
    account: Account, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert imports.save_links(account, [], Video.from_json({"id": "7", "title": "No uuid"})) == ([], False)


def test_link_that_is_not_kept_as_it_is_listed_is_saved_and_nothing_else(
    world: World, listed: Callable[[], tuple[list[ReviewLink], bool]]
) -> None:
    changed, same = world.link(name="Cut 1"), world.link(name="Cut 2")
    listed()
    versions = dict(ReviewLink.objects.values_list("pk", "version"))
    platform.ReviewLink.objects.filter(pk=changed).update(name="Cut 1b", updated_at=timezone.now())
    assert listed()[1]
    assert ReviewLink.objects.get(pk=changed).name == "Cut 1b"
    assert ReviewLink.objects.get(pk=changed).version == versions[changed] + 1
    assert ReviewLink.objects.get(pk=same).version == versions[same]


def test_link_that_another_account_lost_is_proven_anew_by_a_list(
    world: World, account: Account, stranger: Account, listed: Callable[[], tuple[list[ReviewLink], bool]]
) -> None:
    link = world.link()
    listed()
    ReviewLink.objects.get(pk=link).accounts.set([stranger])
    assert listed()[1]
    assert list(owners.list_links(account).values_list("pk", flat=True)) == [link]


def test_video_that_has_another_title_is_kept_with_each_of_its_links(
    world: World, listed: Callable[[], tuple[list[ReviewLink], bool]]
) -> None:
    world.link(), world.link()
    listed()
    platform.Video.objects.filter(pk=world.video.pk).update(title="Serra Alta, final cut")
    assert listed()[1]
    assert {link.video["title"] for link in ReviewLink.objects.all()} == {"Serra Alta, final cut"}


def test_a_list_of_videos_which_leaves_out_subtitles_changes_none(
    world: World, kept: ReviewLink, account: Account
) -> None:
    spoken: JSON = {"subtitles": [{"srclang": "pt-BR", "label": "Português", "url": "/sandbox/media/pt.vtt"}]}
    link = ReviewLinkRecord.from_json({"id": str(kept.pk), "video_id": str(kept.video_id)})

    def save(**fields: JSON) -> list[str]:
        video = Video.from_json({"id": str(kept.video_id), "title": "New title", **fields})
        saved = imports.save_link(account, link, video).video
        assert saved["title"] == "New title"
        return [caption["lang"] for caption in saved["captions"]]

    assert save(config={"subtitles": []}) == []
    assert save(config=spoken) == ["pt-BR"]
    assert save() == ["pt-BR"], "a list"
    assert save(config={"subtitles": []}) == [], "the video itself has none any more"


def test_a_link_that_a_list_brings_reads_its_video_for_the_subtitles(world: World, account: Account) -> None:
    platform.Subtitle.objects.create(video=world.video, lang="es", label="Español", vtt="WEBVTT")
    link = ReviewLinkRecord.from_json({"id": str(world.link()), "video_id": str(world.video.pk)})
    listed = Video.from_json({"id": str(world.video.pk), "title": "Serra Alta"})
    saved = imports.save_link(account, link, listed)
    imports.complete_video(account, saved)
    assert [caption["lang"] for caption in saved.video["captions"]] == ["es"]


def test_all_links_of_a_listed_video_are_served_by_one_read_of_it(
    world: World, account: Account, calls: Callable[[str], int]
) -> None:
    platform.Subtitle.objects.create(video=world.video, lang="es", label="Español", vtt="WEBVTT")
    listed = Video.from_json({"id": str(world.video.pk), "title": "Serra Alta"})
    for name in ("First", "Second", "Third"):
        link = ReviewLinkRecord.from_json({"id": str(world.link(name=name)), "video_id": str(world.video.pk)})
        saved = imports.save_link(account, link, listed)
        imports.complete_video(account, saved)
        assert [caption["lang"] for caption in saved.video["captions"]] == ["es"]
    assert calls("videos.get") == 1


def test_a_link_takes_its_video_from_what_a_page_has_read_of_it(
    world: World, account: Account, calls: Callable[[str], int]
) -> None:
    Reads(account).get(lambda platform: platform.videos.get(str(world.video.pk)))
    link = ReviewLinkRecord.from_json({"id": str(world.link()), "video_id": str(world.video.pk)})
    saved = imports.save_link(account, link)
    imports.complete_video(account, saved)
    assert saved.video["title"] and calls("videos.get") == 1


def test_what_changes_of_a_link_while_its_video_is_read_stays(
    world: World, account: Account, at_platform: AtPlatform
) -> None:
    link = ReviewLinkRecord.from_json({"id": str(world.link()), "video_id": str(world.video.pk), "name": "Cut 3"})
    saved = imports.save_link(account, link)
    at_platform.arrives("videos.get", lambda _request: sync.raise_version(saved.pk))
    before = saved.version
    imports.complete_video(account, saved)
    assert saved.video["title"] and ReviewLink.objects.get().version == before + 2


def test_a_link_whose_video_cannot_be_read_is_kept_and_tries_again_later(
    world: World, account: Account, faults: ModuleType
) -> None:
    link = ReviewLinkRecord.from_json({"id": str(world.link()), "video_id": str(world.video.pk)})
    saved = imports.save_link(account, link)
    faults.set("videos.get", status=500)
    imports.complete_video(account, saved)
    assert ReviewLink.objects.get().video == {}
    faults.clear()
    imports.complete_video(account, saved)
    assert ReviewLink.objects.get().video["title"]


def test_a_link_without_a_uuid_is_no_link(account: Account) -> None:
    with pytest.raises(ValueError, match="badly formed"):
        imports.save_link(account, ReviewLinkRecord.from_json({"id": "7", "video_id": "8"}))


def test_a_video_s_comments_are_each_shown_once_as_they_were_last_seen(
    world: World, kept: ReviewLink, account: Account
) -> None:
    said = world.comment("Said once.")
    second = imported(account, world.link(name="Second"), world.video.pk)
    sync.merge(kept)
    sync.merge(second)
    assert Comment.objects.filter(comment_id=said.pk).count() == 2
    said.text, said.updated_at = "Changed since.", timezone.now() + timedelta(seconds=5)
    said.save()
    forget()
    sync.merge(second)
    assert [row.text for row in owners.list_comments_of_video(account, world.video.pk)] == ["Changed since."]
    assert owners.count_comments_by_video(account) == {world.video.pk: 1}


def test_a_link_counts_its_threads_by_state_and_no_replies(world: World, kept: ReviewLink, account: Account) -> None:
    top = world.comment("Open.")
    world.comment("Done.", status="resolved")
    world.comment("Reply.", reply_to=top)
    sync.merge(kept)
    listed = owners.list_links(account).get()
    assert (listed.open_count, listed.resolved_count) == (1, 1)


def test_in_order_puts_replies_under_their_comment_and_keeps_those_whose_comment_is_not_there(
    world: World, kept: ReviewLink
) -> None:
    late, early = world.comment("Late.", time=50), world.comment("Early.", time=3)
    world.comment("Under late.", time=50, reply_to=late)
    sync.merge(kept)
    Comment.objects.filter(comment_id=early.pk).update(reply_to=uuid.uuid4())
    rows = list(kept.comments.all())
    assert [row.text for row in owners.order_comments(reversed(rows))] == ["Early.", "Late.", "Under late."]


def test_a_read_that_fails_says_so_beside_what_is_kept(world: World, kept: ReviewLink, faults: ModuleType) -> None:
    world.comment("Kept.")
    assert sync.merge(kept) is None
    faults.set("public_review.comments", status=500)
    forget()
    error = sync.merge(kept)
    assert [row.text for row in kept.comments.all()] == ["Kept."]
    assert isinstance(error, errors.PlatformDown)
    assert isinstance(sync.get_last_error(kept), errors.PlatformDown)
    assert sync.get_read_at(kept) is not None


def test_only_comments_written_here_name_the_link_they_came_through(
    world: World, kept: ReviewLink, account: Account
) -> None:
    outside = world.comment("Outside.")
    Reviewer(kept.pk).post("Inside.")
    sync.merge(kept)
    mine = Comment.objects.get(text="Inside.")
    assert owners.load_link_names(account, world.video.pk) == {mine.comment_id: "Cut 3"}
    assert outside.pk not in owners.load_link_names(account, world.video.pk)


def test_the_owner_s_status_reaches_every_copy_of_a_comment_and_nobody_else_s(
    world: World, kept: ReviewLink, account: Account
) -> None:
    said = world.comment("Everywhere.")
    second = imported(account, world.link(name="Second"), world.video.pk)
    for link in (kept, second):
        sync.merge(link)
    before = second.version
    owners.set_status(account, kept, said.pk, CommentStatus.RESOLVED, key=uuid.uuid4())
    assert set(Comment.objects.values_list("status", flat=True)) == {"resolved"}
    second.refresh_from_db()
    assert second.version > before  # whoever watches the other link is told
    with pytest.raises(Comment.DoesNotExist):
        owners.set_status(account, kept, uuid.uuid4(), CommentStatus.OPEN, key=uuid.uuid4())


def test_room_offers_the_bookmarks_of_the_video_as_chapters(world: World, account: Account, faults: ModuleType) -> None:
    marks = [
        {"time": 0, "title": "Serra"},
        {"time": 12.5, "title": "<b>Colheita</b>"},
        {"time": 9000, "title": "Later"},
    ]
    platform.Video.objects.filter(pk=world.video.pk).update(bookmarks=marks, length=60)
    link = ReviewLinkRecord.from_json({"id": str(world.link()), "video_id": str(world.video.pk)})
    saved = imports.save_link(account, link)
    faults.set("public_files.video", status=500)
    imports.complete_video(account, saved)
    assert "bookmarks" not in saved.video and saved.video["title"], "what could not be read is read later"
    faults.clear()
    forget()
    imports.complete_video(account, saved)
    page = one_line(Reviewer(saved.pk).open().content.decode())
    assert "Chapters" in page and "Later" not in page, "a chapter behind the end is none"
    assert '<a class="chapters__link" href="?t=12.5">' in page and "&lt;b&gt;Colheita&lt;/b&gt;" in page
    assert page.count('class="bar-lane__chapter"') == 2
    sync.store_video(saved, Video.from_json({"id": str(world.video.pk), "title": "Serra Alta"}))
    assert len(saved.video["bookmarks"]) == 3, "a list that does not tell them takes none away"


@pytest.mark.parametrize("status", [404, 403])
def test_room_of_a_video_without_public_file_has_no_chapters_and_does_not_ask_again(
    world: World, account: Account, faults: ModuleType, calls: Callable[[str], int], status: int
) -> None:
    link = ReviewLinkRecord.from_json({"id": str(world.link()), "video_id": str(world.video.pk)})
    saved = imports.save_link(account, link)
    faults.set("public_files.video", status=status)
    imports.complete_video(account, saved)
    imports.complete_video(account, saved)
    assert saved.video["bookmarks"] == [] and calls("public_files.video") == 1
    assert "chapters__link" not in page_of(Reviewer(saved.pk).open())

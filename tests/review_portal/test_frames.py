"""The exact frame of a comment: kept here beside it, exactly once, and never believed where it cannot be."""

import json
import uuid
from fractions import Fraction
from types import ModuleType

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.writes.models import State, Write
from review_portal import videos
from review_portal.models import Comment, CommentFrame
from review_portal.videos import FrameTime
from tests.conftest import signed_in
from tests.pages import page_of
from tests.review_portal.conftest import Reviewer, World, imported, over, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def reviewer(opened: Reviewer) -> Reviewer:
    measure(opened, "25")
    return opened


def measure(reviewer: Reviewer, rate: str) -> None:
    """As the browser has measured the film."""
    reviewer.client.cookies["film_rates"] = f"{str(reviewer.link)[:8]}:{rate}"


def test_comment_shows_its_frame_and_leads_to_the_middle_of_it_while_the_platform_gets_the_second(
    reviewer: Reviewer,
) -> None:
    reviewer.post("Here.", "0:42", frame="42440000")
    assert theirs().get().time == 42
    page = page_of(reviewer.open(""))
    assert '<a class="comment__frame" href="?t=42.46">00:00:42:11</a>' in page
    assert "</svg>0:42</a>" in page, "the chip keeps the second"
    assert 'data-at="42.46"' in page


@pytest.mark.parametrize(
    "typed",
    ["-1", "1e3", "42.5", "４２４４００００", "nonsense", "", "9" * 16, "41999999", "43000000", "168900000", "\x00"],
)
def test_what_is_no_frame_of_the_second_is_ignored(reviewer: Reviewer, typed: str) -> None:
    reviewer.post("Here.", "0:42", frame=typed)
    assert theirs().get().text == "Here."
    assert not CommentFrame.objects.exists()


def test_frame_beyond_the_video_is_refused_with_its_second(reviewer: Reviewer) -> None:
    answer = reviewer.post("Here.", "2:49", frame="169000000")
    assert "Choose a time up to 2:48" in answer.content.decode()
    assert 'name="frame" value="169000000"' in answer.content.decode(), "everything typed is still there"


@pytest.mark.parametrize("rate", ["999", "0", "25.1", "x"])
def test_rate_that_nothing_measures_is_ignored_and_the_frame_is_told_in_milliseconds(
    reviewer: Reviewer, rate: str
) -> None:
    measure(reviewer, rate)
    reviewer.post("Here.", "0:42", frame="42440000")
    assert '<a class="comment__frame" href="?t=42.44">00:00:42.440</a>' in page_of(reviewer.open(""))


def test_rate_that_another_reviewer_measured_is_that_of_the_video(world: World, reviewer: Reviewer) -> None:
    reviewer.post("Here.", "0:42", frame="42440000")
    other = Reviewer(reviewer.link, "Bruno")
    other.post("And here.", "0:50", frame="50080000")
    assert "00:00:50:02" in page_of(other.open(""))


def test_frame_is_kept_once_whatever_happens_to_the_answer(reviewer: Reviewer, faults: ModuleType) -> None:
    key = str(uuid.uuid4())
    faults.set("public_review.create_comment", broken="lost")
    reviewer.post("Lost answer.", "0:42", key=key, frame="42440000")
    over()
    faults.clear()
    reviewer.post("Lost answer.", "0:42", key=key, frame="42440000")
    over(30)
    assert theirs().count() == 1
    assert CommentFrame.objects.get().comment_id == theirs().get().pk


def test_held_comment_brings_its_frame_when_it_is_sent_and_gives_it_back_when_it_is_undone(reviewer: Reviewer) -> None:
    reviewer.script = True
    reviewer.post("Held.", "0:42", frame="42440000", hold="1")
    held = Write.objects.get(state=State.HELD)
    assert not CommentFrame.objects.exists()
    reviewer.script = False
    answer = reviewer.act(held, "undo")
    assert 'name="frame" value="42440000"' in reviewer.client.get(answer["Location"].split("#")[0]).content.decode()
    reviewer.post("Held.", "0:42", frame="42440000", hold="1")
    over()
    assert CommentFrame.objects.get().microseconds == 42_440_000


def test_comments_of_one_second_stand_in_the_order_of_their_frames(reviewer: Reviewer) -> None:
    for text, frame in (("Third.", "42800000"), ("Second.", "42440000"), ("First, by the second.", "")):
        reviewer.post(text, "0:42", frame=frame)
    page = page_of(reviewer.open(""))
    assert page.index("First, by the second.") < page.index("Second.") < page.index("Third.")


def test_comment_moved_to_another_second_has_no_frame_until_it_comes_back(reviewer: Reviewer) -> None:
    reviewer.post("Here.", "0:42", frame="42440000")
    comment = Comment.objects.get().comment_id
    reviewer.change(comment, text="Here.", time="0:50")
    assert "comment__frame" not in page_of(reviewer.open(""))
    reviewer.change(comment, text="Changed.", time="0:42")
    assert "00:00:42:11" in page_of(reviewer.open(""))


def test_every_link_of_the_video_and_the_desk_know_the_frame(
    world: World, reviewer: Reviewer, account: Account
) -> None:
    reviewer.post("Here.", "0:42", frame="42440000")
    assert "00:00:42:11" in page_of(Reviewer(world.link(name="Second")).open(""))
    imported(account, reviewer.link, world.video.pk)
    desk = signed_in(Client(), world.token.value)
    for page in (f"/dashboard/review-links/{reviewer.link}/", f"/dashboard/review-links/videos/{world.video.pk}/"):
        files = desk.get(f"{page}export.json?fps=25&start=00:00:00:00")
        assert json.loads(files.content)["comments"][0]["timecode"] == "00:00:42:11"


def test_address_of_a_comment_leads_to_its_frame(reviewer: Reviewer) -> None:
    reviewer.post("Here.", "0:42", frame="42440000")
    comment = Comment.objects.get().comment_id
    address = reviewer.client.get(f"/{reviewer.link}/comments/{comment}")["Location"]
    assert address == f"/{reviewer.link}?t=42.46#c-{comment}"
    page = reviewer.client.get(address.split("#")[0]).content.decode()
    assert 'data-start="42.46"' in page and 'name="time" value="0:42"' in page


@pytest.mark.parametrize(
    ("rate", "seen"),
    [("25", "01:00:42:11"), ("24", "01:00:42:10"), ("23.976", "01:00:42:09"), ("29.97df", "01:00:42;11")],
)
def test_files_name_the_frame_at_the_rate_of_their_timeline(reviewer: Reviewer, rate: str, seen: str) -> None:
    reviewer.post("Here.", "0:42", frame="42440000")
    query = f"?fps={rate}&start=01:00:00:00"
    get = reviewer.client.get
    record = json.loads(get(f"/{reviewer.link}/export.json{query}").content)["comments"][0]
    assert (record["timecode"], record["microseconds"], record["time"]) == (seen, 42_440_000, 42)
    for extension in ("csv", "txt", "edl"):
        assert seen in get(f"/{reviewer.link}/export.{extension}{query}").content.decode()
    frame = {"25": 1061, "24": 1018, "23.976": 1017, "29.97df": 1271}[rate]
    assert f"<in>{frame}</in>" in get(f"/{reviewer.link}/export.xml{query}").content.decode()
    assert (
        f'start="{frame * (1001 if "." in rate else 100)}/'
        in get(f"/{reviewer.link}/export.fcpxml{query}").content.decode()
    )
    assert "00:00:42:11" in get(f"/{reviewer.link}/print").content.decode()


@pytest.mark.parametrize("rate", sorted(videos.MEASURED_RATES))
def test_every_frame_of_a_second_is_named_once_and_its_middle_lies_within_it(rate: str) -> None:
    exact = videos._parse_rate(rate)
    for number in range(int(exact) * 3):
        begin = FrameTime(int(number / exact * videos.SECOND), rate)  # rounded down, as a browser may
        assert videos.count_frames(begin.microseconds, exact) == number
        middle = Fraction(videos.format_middle(begin))
        assert number / exact < middle < (number + 1) / exact
    named = {videos.format_timecode(FrameTime(int(n / exact * videos.SECOND), rate)) for n in range(int(exact))}
    assert len(named) == int(exact)

"""Posting: checked first, sent once, and nothing typed is ever lost."""

import uuid
from types import ModuleType

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.sandbox import models as platform
from dashboard.writes.models import State, Write
from review_portal.models import Comment, ReviewLink
from tests.due import run_due
from tests.moments import replace_time
from tests.review_portal.conftest import Reviewer, World, copies, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_without_script_a_comment_is_sent_at_once_and_shown_at_its_place(world: World, reviewer: Reviewer) -> None:
    response = reviewer.post("The logo is late.", "1:05")
    made = theirs().get()
    assert (made.text, made.time, made.user_name) == ("The logo is late.", 65, "Ana Prado")
    assert response["Location"] == f"/{reviewer.link}#c-{made.pk}"
    assert copies(reviewer.link) == ["The logo is late."]
    assert "(you)" in reviewer.open().content.decode()


def test_the_name_is_remembered_and_can_change(reviewer: Reviewer) -> None:
    reviewer.post("One.")
    assert "Posting as <b>Ana Prado</b>" in reviewer.open().content.decode()
    reviewer.name = "Ana P."
    reviewer.post("Two.")
    assert list(Comment.objects.order_by("pk").values_list("user_name", flat=True)) == ["Ana Prado", "Ana P."]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": ""}, "Write your comment."),
        ({"text": "x" * 501}, "Shorten it to 500 characters. It has 501."),
        ({"text": "a -> b"}, "Write “→” instead of “&gt;” (character 4)"),
        ({"user_name": ""}, "Write your name."),
        ({"user_name": "x" * 101}, "Shorten your name to 100 characters."),
        ({"user_name": "O'Neil"}, "from your name (character 2)"),
        ({"time": ""}, "Write the time the comment is about"),
        ({"time": "soon"}, "Write the time as minutes and seconds"),
        ({"time": "2:49"}, "Choose a time up to 2:48"),
        ({"reply_to": "nonsense"}, "The comment you are replying to is not on this link."),
        ({"reply_to": str(uuid.uuid4())}, "The comment you are replying to is not on this link."),
    ],
)
@pytest.mark.parametrize("script", [True, False])
def test_what_cannot_be_sent_is_named_and_everything_typed_is_still_there(
    world: World, reviewer: Reviewer, fields: dict[str, str], sentence: str, script: bool
) -> None:
    reviewer.script = script
    reviewer.open()
    typed = {"text": "Everything typed.", "time": "0:07", "user_name": "Ana Prado"} | fields
    response = reviewer.post(**typed)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    if not script:
        for value in (typed["text"], typed["time"], typed["user_name"]):
            assert value.replace(">", "&gt;").replace("'", "&#x27;") in response.content.decode()
    assert not theirs().exists()
    assert not Write.objects.exists()


@pytest.mark.parametrize(
    ("made", "status"),
    [({"allow_comment": False}, 403), ({"status": "inactive"}, 403), ({"expires_at": timezone.now()}, 410)],
)
@pytest.mark.parametrize("script", [True, False])
def test_a_link_that_takes_nothing_says_so_and_keeps_the_text(
    world: World, made: dict[str, object], status: int, script: bool
) -> None:
    reviewer = Reviewer(world.link(**made), script=script)
    response = reviewer.post("Too late, but not lost.")
    assert response.status_code == status
    if not script and status == 410:
        assert "Too late, but not lost." in response.content.decode()
    assert not theirs().exists()


def test_the_same_attempt_twice_is_one_comment(world: World, reviewer: Reviewer) -> None:
    key = str(uuid.uuid4())
    for _ in range(3):
        reviewer.post("Once.", key=key)
    assert world.texts() == ["Once."]


def test_the_back_button_and_other_words_are_another_comment(world: World, reviewer: Reviewer) -> None:
    key = str(uuid.uuid4())
    reviewer.post("First.", key=key)
    reviewer.post("Second.", key=key)
    assert world.texts() == ["First.", "Second."]


def test_the_same_words_of_two_people_are_two_comments(world: World, reviewer: Reviewer) -> None:
    reviewer.post("Me too.")
    Reviewer(reviewer.link, "Bruno").post("Me too.")
    assert world.texts() == ["Me too.", "Me too."]


def test_a_reply_hangs_on_its_comment_and_has_its_time(world: World, reviewer: Reviewer) -> None:
    top = world.comment("Top.", time=40)
    reviewer.open()
    reviewer.post("Reply.", "9:99", reply_to=str(top.pk))
    reply = theirs().get(text="Reply.")
    assert (reply.reply_to_id, reply.time) == (top.pk, 40)


def test_a_reply_to_a_reply_goes_to_the_parent_with_the_name_in_front(world: World, reviewer: Reviewer) -> None:
    top = world.comment("Top.")
    reply = world.comment("First reply.", user_name="Bruno", reply_to=top)
    reviewer.open()
    reviewer.post("Agreed.", reply_to=str(reply.pk))
    made = theirs().get(text="@Bruno Agreed.")
    assert made.reply_to_id == top.pk


def test_a_reply_to_another_links_comment_is_refused(world: World, reviewer: Reviewer) -> None:
    other = platform.Video.objects.create(organization=world.organization, user=world.user, title="Other", length=60)
    foreign = world.comment("Foreign.", video=other)
    Client().get(f"/{world.link(video=other)}")
    reviewer.open()
    assert reviewer.post("Hello?", reply_to=str(foreign.pk)).status_code == 422
    assert world.texts() == ["Foreign."]


def test_thirty_comments_of_the_video_are_the_limit_over_all_its_links(world: World, reviewer: Reviewer) -> None:
    for n in range(29):
        world.comment(f"c{n}")
    reviewer.open()
    assert reviewer.post("The thirtieth.").status_code == 302
    response = reviewer.post("The thirty-first.")
    assert response.status_code == 422
    assert "This video has 30" in response.content.decode()
    second = Reviewer(world.link(name="Second"))
    second.open()
    assert second.post("Elsewhere.").status_code == 422


def test_a_limit_that_only_the_platform_knows_gives_the_text_back(world: World, reviewer: Reviewer) -> None:
    reviewer.open()
    for n in range(30):
        world.comment(f"c{n}")
    response = reviewer.post("One too many.")
    assert response["Location"] == f"/{reviewer.link}#outbox"
    page = reviewer.open().content.decode()
    assert "Not posted" in page
    assert "Limit of 30 main comments reached" in page
    assert "One too many." in page
    key = Write.objects.get().key
    assert ">One too many.</textarea>" in reviewer.open(f"?again={key}").content.decode()


def test_thirty_replies_are_the_limit_of_a_thread(world: World, reviewer: Reviewer) -> None:
    top = world.comment("Top.")
    for n in range(30):
        world.comment(f"r{n}", reply_to=top)
    reviewer.open()
    response = reviewer.post("Another.", reply_to=str(top.pk))
    assert response.status_code == 422
    assert "This thread has 30 replies" in response.content.decode()


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is counted falls into the same minute."""
    replace_time(monkeypatch, "dashboard.shared.callers", time=lambda: 1_800_000_010.0)


@pytest.mark.usefixtures("one_minute")
def test_somebody_who_posts_like_a_machine_is_asked_to_wait(world: World, reviewer: Reviewer) -> None:
    reviewer.script = True
    top = world.comment("Top.")
    reviewer.open()
    reviewer.post("The first one makes a person of an address.", reply_to=str(top.pk))
    *inside, last = [reviewer.post(f"Reply {n}.", reply_to=str(top.pk)) for n in range(21)]
    assert {answer.status_code for answer in inside} == {200}
    assert last.status_code == 429
    assert 0 < int(last["Retry-After"]) <= 60
    assert "then send it again" in last.content.decode()
    assert theirs().count() == 22


@pytest.mark.usefixtures("one_minute")
def test_one_network_cannot_use_up_the_video_with_many_cookies(world: World) -> None:
    tops = [world.comment(f"Top {n}.") for n in range(4)]
    link = world.link()
    Client().get(f"/{link}")
    for n in range(91):
        answer = Reviewer(link, script=True).post(f"Reply {n}.", reply_to=str(tops[n % 4].pk))
        if answer.status_code == 429:
            break
    assert answer.status_code == 429


def test_the_write_is_recorded_under_the_reviewers_name(world: World, account: Account, reviewer: Reviewer) -> None:
    reviewer.open()
    ReviewLink.objects.get().accounts.add(account)
    reviewer.post("Recorded.")
    entry = Entry.objects.get(operation="public_review.create_comment")
    assert (entry.account_id, entry.actor, entry.outcome) == (account.pk, "Ana Prado", "done")
    assert "token" not in str(entry.after)


def test_our_copy_holds_the_platforms_own_times(world: World, reviewer: Reviewer) -> None:
    reviewer.post("Timed.")
    there, here = theirs().get(), Comment.objects.get()
    assert (here.created_at, here.updated_at, here.comment_id) == (there.created_at, there.updated_at, there.pk)


def test_without_a_connection_it_is_kept_and_sent_when_the_platform_is_back(
    world: World, reviewer: Reviewer, faults: ModuleType
) -> None:
    reviewer.open()
    faults.set("public_review.create_comment", broken="refused")
    assert reviewer.post("Kept.")["Location"] == f"/{reviewer.link}#outbox"
    page = reviewer.open().content.decode()
    assert "<b>Waiting</b>" in page
    assert "It is saved here and will be sent automatically." in page
    faults.clear()
    run_due(6)
    assert world.texts() == ["Kept."]
    assert Write.objects.get().state == State.DONE
    assert "<b>Waiting</b>" not in reviewer.open().content.decode()

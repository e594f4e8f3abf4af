"""What was open on the cut before: what is listed, what saving does, and that it is done once whoever answers."""

import re
import sys
import uuid
from dataclasses import dataclass, field
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from dashboard.writes.models import State, Write
from review_portal import cuts, reviewers, sync
from review_portal.cuts import Answer, CheckAnswer, CheckItem, NumberedCut
from review_portal.models import Comment, CutCheck, ReviewLink
from tests.due import run_due
from tests.moments import at_statement
from tests.review_portal.conftest import World
from tests.review_portal.test_cuts import change, close, make_cut

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@dataclass
class Checker:
    """A browser at the list of a cut: `save` sends what its form sends."""

    link: ReviewLink
    name: str = "Ana Prado"
    client: Client = field(default_factory=Client)

    def page(self, query: str = "") -> str:
        response = self.client.get(f"/{self.link.pk}/from-cut{query}")
        assert response.status_code == 200
        return " ".join(unescape(response.content.decode()).split())

    def save(self, answers: dict[uuid.UUID, str], **fields: str) -> Any:
        data = {"key": str(uuid.uuid4()), "user_name": self.name, **fields}
        data |= {f"answer-{comment}": answer for comment, answer in answers.items()}
        data = {f"was-{comment}": "" for comment in answers} | data
        return self.client.post(f"/{self.link.pk}/from-cut", data)


@pytest.fixture
def pair(world: World, account: Account) -> tuple[ReviewLink, ReviewLink]:
    before, after = make_cut(world, account, "Version 2"), make_cut(world, account, "Version 3", length=50.0)
    assert cuts.place_after(account, after, before) is None
    return before, after


@pytest.fixture
def ana(pair: tuple[ReviewLink, ReviewLink]) -> Checker:
    return Checker(pair[1])


def write_on(link: ReviewLink, text: str, time: int = 7, **fields: Any) -> uuid.UUID:
    """A comment on the video of a link, known here."""
    video = platform.Video.objects.get(pk=link.video_id)
    fields = {"token": uuid.uuid4(), "user_name": "Priya Nair", **fields}
    comment = platform.ReviewComment.objects.create(video=video, text=text, time=time, **fields)
    sync.merge(link, at_once=True)
    return comment.pk


def texts(link: ReviewLink) -> list[str]:
    """What the platform holds for the video of a link."""
    rows = platform.ReviewComment.objects.filter(video_id=link.video_id).order_by("created_at")
    return list(rows.values_list("text", flat=True))


def status_of(comment: uuid.UUID) -> str:
    return str(platform.ReviewComment.objects.get(pk=comment).status)


def test_list_has_what_was_open_on_the_cut_before_and_nothing_else(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    comment = write_on(pair[0], "Lower the wordmark.", 38)
    write_on(pair[0], "Longer.", reply_to_id=comment)
    write_on(pair[0], "Too green.", status="resolved")
    page = ana.page()
    assert "1 comment, 0 checked" in page and "Lower the wordmark." in page and "Not checked" in page
    assert "1 reply on cut 1" in page and "Too green." not in page
    room = " ".join(Client().get(f"/{pair[1].pk}").content.decode().split())
    assert f'href="/{pair[1].pk}/from-cut"> From cut 1 <span class="chip__count">1</span>' in room


def test_there_is_no_list_without_a_cut_before(pair: tuple[ReviewLink, ReviewLink], world: World) -> None:
    assert Client().get(f"/{pair[0].pk}/from-cut").status_code == 404
    assert Client().post(f"/{pair[0].pk}/from-cut").status_code == 404


def test_a_time_that_was_changed_at_a_fixed_comment_is_asked_about(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    hills = write_on(pair[0], "Too green.", 12)
    answer = ana.save({hills: "fixed"}, **{f"time-{hills}": "0:20"})
    page = unescape(answer.content.decode())
    assert answer.status_code == 422 and "Choose “Not fixed”, or empty this field." in page and 'value="0:20"' in page
    assert status_of(hills) == "open"
    ana.save({hills: "fixed"}, **{f"time-{hills}": "0:12"})
    assert status_of(hills) == "resolved", "the time that the page brought is no question"


def test_saving_adds_what_is_not_fixed_and_resolves_what_is(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    ridge, hills = write_on(pair[0], "Lower the wordmark.", 38), write_on(pair[0], "Too green.", 12)
    left = write_on(pair[0], "Louder.", 20)
    response = ana.save({ridge: "not", hills: "fixed"})
    assert (response.status_code, response.url) == (302, f"/{pair[1].pk}/from-cut?saved=1#checks")
    assert texts(pair[1]) == ["0:38 in cut 1, Priya Nair: Lower the wordmark."]
    added = platform.ReviewComment.objects.get(video_id=pair[1].video_id)
    assert (added.user_name, added.time, added.status) == ("Ana Prado", 38, "open")
    assert (status_of(ridge), status_of(hills), status_of(left)) == ("open", "resolved", "open")
    page = ana.page("?saved=1")
    assert "3 comments, 2 checked" in page and "Your answers are saved." in page
    assert "Resolved on cut 1" in page and f"/comments/{added.pk}" in page
    assert page.count("Ana Prado (you), just now") == 2


def test_comment_goes_where_the_reviewer_says_and_never_beyond_the_end(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    moved, beyond = write_on(pair[0], "Sound.", 38), write_on(pair[0], "End card.", 58)
    assert "This cut ends before that time." in ana.page()
    ana.save({moved: "not", beyond: "not"}, **{f"time-{moved}": "0:42"})
    added = platform.ReviewComment.objects.filter(video_id=pair[1].video_id)
    assert dict(added.values_list("text", "time")) == {
        "0:38 in cut 1, Priya Nair: Sound.": 42,
        "0:58 in cut 1, Priya Nair: End card.": 50,
    }
    page = ana.page()
    assert "0:38 in cut 1" in page and "0:58 in cut 1" in page


@pytest.mark.parametrize("typed", ["0:51", "soon", ""])
def test_time_that_is_not_in_this_cut_is_refused_with_every_answer(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, typed: str
) -> None:
    comment, other = write_on(pair[0], "Sound.", 38), write_on(pair[0], "Hills.", 12)
    response = ana.save({comment: "not", other: "fixed"}, **{f"time-{comment}": typed})
    page = " ".join(response.content.decode().split())
    assert response.status_code == 422 and f'value="{typed}"' in page
    assert page.split("<dialog")[0].count(" checked ") == 2 and 'value="Ana Prado"' in page
    assert not CutCheck.objects.exists() and status_of(other) == "open"


def test_pressing_twice_adds_once(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    ridge, hills = write_on(pair[0], "Lower the wordmark."), write_on(pair[0], "Too green.")
    form = {"key": str(uuid.uuid4())}
    for client in (ana.client, ana.client, Client()):  # the last one lost its cookie
        Checker(pair[1], client=client).save({ridge: "not", hills: "fixed"}, **form)
    assert len(texts(pair[1])) == 1
    assert CutCheck.objects.count() == 2 and Write.objects.count() == 2


def test_second_reviewer_sees_what_the_first_answered_and_changes_nothing(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    ridge, hills = write_on(pair[0], "Lower the wordmark.", 38), write_on(pair[0], "Too green.", 12)
    ana.save({ridge: "not", hills: "fixed"})
    jonas = Checker(pair[1], "Jonas Weber")
    response = jonas.save({ridge: "fixed", hills: "not"})  # from a form that was opened before
    page = " ".join(unescape(jonas.client.get(response.url).content.decode()).split())
    assert "Somebody else answered first, so your answer was not saved: Priya Nair (0:12), Priya Nair (0:38)." in page
    assert page.count("Ana Prado, just now") == 2
    assert len(texts(pair[1])) == 1
    assert set(CutCheck.objects.values_list("fixed", "name")) == {(False, "Ana Prado"), (True, "Ana Prado")}


def test_two_reviewers_who_answer_alike_add_once(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    ridge = write_on(pair[0], "Lower the wordmark.")
    ana.save({ridge: "not"})
    response = Checker(pair[1], "Jonas Weber").save({ridge: "not"})
    assert response.url == f"/{pair[1].pk}/from-cut?saved=1#checks"
    assert len(texts(pair[1])) == 1


def test_what_was_fixed_can_turn_out_not_to_be(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    ridge = write_on(pair[0], "Lower the wordmark.")
    ana.save({ridge: "fixed"})
    Checker(pair[1], "Jonas Weber").save({ridge: "not"}, **{f"was-{ridge}": "fixed"})
    assert len(texts(pair[1])) == 1
    check = CutCheck.objects.get()
    assert (check.fixed, check.name) == (False, "Jonas Weber")


def test_comment_that_came_from_an_earlier_cut_says_only_where_it_is_now(
    world: World, account: Account, pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    third = make_cut(world, account, "Version 4")
    assert cuts.place_after(account, third, pair[1]) is None
    ana.save({write_on(pair[0], "Lower the wordmark.", 38): "not"})
    carried = Comment.objects.get(link=pair[1]).comment_id
    page = Checker(third).page()
    assert "Lower the wordmark." in page and "in cut 1" not in page
    Checker(third).save({carried: "not"})
    assert texts(third) == ["0:38 in cut 2, Ana Prado: Lower the wordmark."]


@pytest.mark.parametrize(("length", "is_whole"), [(473, True), (474, False), (500, False)])
def test_comment_without_room_for_where_it_comes_from_is_shortened_and_that_is_said_before(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, length: int, is_whole: bool
) -> None:
    opening, text = "0:38 in cut 1, Priya Nair: ", ("ab " * 200)[:length].strip().ljust(length, "x")
    assert len(opening) + 473 == 500
    comment = write_on(pair[0], text, 38)
    page = ana.page()
    ana.save({comment: "not"})
    (added,) = texts(pair[1])
    assert len(added) <= 500 and added.startswith(opening + "ab ab")
    lost = length - len(added.removeprefix(opening).removesuffix("…"))
    assert (f"the last {lost} characters are left out" in page) != is_whole
    assert added.endswith("…") != is_whole


def test_characters_that_the_platform_refuses_are_replaced_and_that_is_said_before(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    comment = write_on(pair[0], "Fade -> black, [longer] <here>")
    page = ana.page()
    assert "“->” becomes “→”" in page and "“[” becomes “(”" in page
    ana.save({comment: "not"})
    assert texts(pair[1]) == ["0:07 in cut 1, Priya Nair: Fade → black, (longer) ‹here›"]


def test_more_than_the_video_can_take_is_refused_as_a_whole(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    for number in range(28):
        write_on(pair[1], f"Here {number}")
    asked = {write_on(pair[0], f"There {number}"): "not" for number in range(3)}
    assert "Cut 2 can take 2 more comments." in ana.page()
    response = ana.save(asked)
    assert response.status_code == 422
    assert "This cut can take 2 more comments, and 3 are not fixed." in response.content.decode()
    assert len(texts(pair[1])) == 28 and not CutCheck.objects.exists()
    ana.save(dict(list(asked.items())[:2]))
    assert len(texts(pair[1])) == 30
    assert "nothing more can be added" in ana.page()


def test_name_is_asked_and_the_owners_is_refused(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    comment = write_on(pair[0], "Sound.")
    for name, said in (("", "Write your name."), ("Estúdio Maré", "This is the name of the link's owner.")):
        response = Checker(pair[1], name).save({comment: "fixed"})
        assert response.status_code == 422 and said in unescape(response.content.decode())
    assert not CutCheck.objects.exists()


def test_form_without_an_answer_changes_nothing(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    comment = write_on(pair[0], "Sound.")
    assert ana.save({comment: ""}, user_name="").status_code == 302
    assert ana.save({uuid.uuid4(): "not"}).status_code == 302
    assert not CutCheck.objects.exists() and not Write.objects.exists()


def test_closed_cut_before_is_readable_and_what_is_fixed_is_only_noted_here(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    comment = write_on(pair[0], "Sound.")
    close(pair[0])
    assert "Cut 1 has closed: what is fixed is noted here and stays open there." in ana.page()
    ana.save({comment: "fixed"})
    assert status_of(comment) == "open" and not Write.objects.exists()
    assert "Noted here, still open on cut 1" in ana.page()


def test_cut_before_that_lets_only_its_owner_resolve_says_so(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    comment = write_on(pair[0], "Sound.")
    change(pair[0], allow_status_edit=False)
    assert "On cut 1 only the owner resolves comments" in ana.page()
    ana.save({comment: "fixed"})
    assert status_of(comment) == "open" and CutCheck.objects.get().fixed


def test_switched_off_cut_before_shows_nothing(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    write_on(pair[0], "Secret words.")
    change(pair[0], status="inactive")
    page = ana.page()
    assert "Secret words." not in page and "Cut 1 was switched off, so its comments are not shown." in page


def test_view_only_cut_shows_the_list_and_takes_no_answer(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    comment = write_on(pair[0], "Sound.")
    change(pair[1], allow_comment=False)
    page = ana.page()
    assert (
        "Sound." in page and "This link is view-only." in page and "Save answers" not in re.sub("data-.*?>", "", page)
    )
    assert ana.save({comment: "not"}).status_code == 403
    assert not CutCheck.objects.exists()


def test_nothing_left_says_so(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    write_on(pair[0], "Too green.", status="resolved")
    assert "Nothing is open on cut 1." in ana.page()


def test_platform_that_is_away_gets_the_comment_later_once(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, faults: ModuleType
) -> None:
    comment = write_on(pair[0], "Sound.")
    faults.set("public_review.create_comment", status=429)
    assert ana.save({comment: "not"}).status_code == 302
    page = ana.page()
    assert "Being added to cut 2." in page and "It is saved here and will be sent automatically." in page
    ana.save({comment: "not"})
    faults.clear()
    run_due(3600)
    assert len(texts(pair[1])) == 1
    assert CutCheck.objects.get().added_id == Comment.objects.get(link=pair[1]).comment_id


def test_refused_comment_is_asked_again_and_says_why(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, faults: ModuleType
) -> None:
    comment = write_on(pair[0], "Sound.")
    faults.set("public_review.create_comment", status=422)
    ana.save({comment: "not"})
    page = ana.page()
    assert "Not checked" in page and "The platform did not accept it." in page
    faults.clear()
    ana.save({comment: "not"})
    ana.save({comment: "not"})
    assert len(texts(pair[1])) == 1


def test_answer_whose_end_is_unknown_is_not_sent_again(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, faults: ModuleType
) -> None:
    comment = write_on(pair[0], "Sound.")
    faults.set("public_review.create_comment", status=500)
    ana.save({comment: "not"})
    faults.clear()
    assert Write.objects.get().state == State.UNCONFIRMED
    ana.save({comment: "not"})
    assert Write.objects.count() == 1 and "Being added to cut 2." in ana.page()


def test_comment_withdrawn_before_it_left_is_asked_again(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    comment = write_on(pair[0], "Sound.")
    ana.save({comment: "not"})
    Write.objects.update(state=State.CANCELLED, settled_at=timezone.now())
    CutCheck.objects.update(added_id=None)
    assert "Not checked" in ana.page()


def test_of_two_answers_at_the_same_time_the_second_is_not_kept(pair: tuple[ReviewLink, ReviewLink]) -> None:
    write_on(pair[0], "Sound.")
    before, (item,) = list_before(pair)
    ana, jonas = (reviewers.create_reviewer(pair[1], name, uuid.uuid4()) for name in ("Ana", "Jonas"))
    first, second = CheckAnswer(item, Answer.NOT_FIXED, 7), CheckAnswer(item, Answer.FIXED, 7)
    assert cuts.save_answers(pair[1], before, [first], ana, uuid.uuid4()) == []
    assert cuts.save_answers(pair[1], before, [second], jonas, uuid.uuid4()) == [second]
    assert len(texts(pair[1])) == 1 and status_of(item.comment.comment_id) == "open"


def test_answer_whose_process_died_is_given_again_by_two_and_added_once(pair: tuple[ReviewLink, ReviewLink]) -> None:
    write_on(pair[0], "Sound.")
    before, (item,) = list_before(pair)
    ana, jonas = (reviewers.create_reviewer(pair[1], name, uuid.uuid4()) for name in ("Ana", "Jonas"))
    with at_statement('"writes_write"', sys.exit), pytest.raises(SystemExit):
        cuts.save_answers(pair[1], before, [CheckAnswer(item, Answer.NOT_FIXED, 7)], ana, uuid.uuid4())
    before, (item,) = list_before(pair)
    assert item.answer == Answer.NONE
    for person in (ana, jonas):
        cuts.save_answers(pair[1], before, [CheckAnswer(item, Answer.NOT_FIXED, 7)], person, uuid.uuid4())
    assert len(texts(pair[1])) == 1


def test_two_links_of_one_video_have_nothing_to_check(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    """The platform may correct which video a link shows: its comments would be added to where they are."""
    write_on(pair[0], "Sound.")
    ReviewLink.objects.filter(pk=pair[0].pk).update(video_id=pair[1].video_id)
    before = cuts.find_before(ReviewLink.objects.get(pk=pair[1].pk))
    assert before and cuts.list_items(ReviewLink.objects.get(pk=pair[1].pk), before.link, timezone.now()) == []


def list_before(pair: tuple[ReviewLink, ReviewLink]) -> tuple[NumberedCut, list[CheckItem]]:
    """The cut before, and its comments as they stand."""
    before = cuts.find_before(pair[1])
    assert before is not None
    return before, cuts.list_items(pair[1], before.link, timezone.now())

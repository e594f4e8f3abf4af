"""What is sent from the inbox: statuses, one or many, replies and saved replies; exactly once, and nothing typed is lost."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.review_links.inbox_views import SavedAnswerForm
from dashboard.review_links.models import InboxReader, SavedAnswer
from dashboard.sandbox.models import ReviewComment
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.writes.models import State, Write
from review_portal.models import ReviewLink
from tests.due import run_due
from tests.moments import hurry
from tests.review_links.inbox_rows import (
    HTMX,
    INBOX,
    act,
    chips,
    make_comment,
    make_link,
    raise_version,
    rows,
    text,
    undo,
)  # fmt: skip

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


# What is sent


def test_reply_and_resolve_sends_both_once_and_opens_the_next_row(
    owner: Client, seeded: ReviewLink, ridge: ReviewComment
) -> None:
    following = rows(owner)[rows(owner).index(str(ridge.pk)) + 1]
    form = {"text": "Lowered by 80 px.", "user_name": "Camila", "then": "resolve", "key": str(uuid.uuid4())}
    for _press in range(2):
        answer = owner.post(f"{INBOX}{ridge.pk}/answer/", form)
        assert answer.headers["Location"] == f"{INBOX}{following}/#thread"
    reply = ReviewComment.objects.get(text="Lowered by 80 px.")
    ridge.refresh_from_db()
    assert (reply.reply_to_id, reply.user_name, ridge.status) == (ridge.pk, "Camila", "resolved")
    assert Write.objects.filter(operation__startswith="public_review").count() == 2
    page = owner.get(answer.headers["Location"]).content.decode()
    assert "Reply posted. Resolved 1 comment." in page
    assert f'data-sent="{ridge.pk}"' in page


def test_reply_and_resolve_says_nothing_of_a_comment_that_is_resolved(owner: Client, ridge: ReviewComment) -> None:
    act(owner, "resolve", ridge.pk)
    owner.get(INBOX)
    owner.post(f"{INBOX}{ridge.pk}/answer/", {"text": "Done.", "user_name": "Camila", "then": "resolve"})
    page = text(owner)
    assert "Reply posted." in page and "Nothing was changed." not in page


def test_a_reply_is_posted_once_though_its_link_closes_between_two_presses(
    owner: Client, seeded: ReviewLink, ridge: ReviewComment
) -> None:
    soon = timezone.now() + timedelta(days=3)
    other = PlatformLink.objects.create(video_id=seeded.video_id, name="For legal", expires_at=soon)
    owner.get(f"/dashboard/review-links/videos/{seeded.video_id}/")
    owner.get(f"/dashboard/review-links/{other.pk}/")
    form = {"text": "Lowered by 80 px.", "user_name": "Camila", "then": "", "key": str(uuid.uuid4())}
    for _press in range(2):
        owner.post(f"{INBOX}{ridge.pk}/answer/", form)
        through = ReviewLink.objects.get(pk=Write.objects.get(operation="public_review.create_comment").scope)
        ReviewLink.objects.filter(pk=through.pk).update(status="inactive")
        raise_version(ReviewLink.objects.get(pk=through.pk))
    assert ReviewLink.objects.filter(video_id=seeded.video_id, status="active").exists()
    assert ReviewComment.objects.filter(text="Lowered by 80 px.").count() == 1


def test_a_reply_alone_stays_at_its_row_with_the_owner_s_mark(owner: Client, ridge: ReviewComment) -> None:
    answer = owner.post(f"{INBOX}{ridge.pk}/answer/", {"text": "Which frame?", "user_name": "Camila", "then": ""})
    assert answer.headers["Location"] == f"{INBOX}{ridge.pk}/#thread"
    page = owner.get(answer.headers["Location"]).content.decode()
    thread = page[page.index('class="replies"') :]
    assert '<span class="comment__owner">Owner</span>' in thread[: thread.index("Which frame?")]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_refused_reply_comes_back_with_everything_typed(
    owner: Client, ridge: ReviewComment, headers: dict[str, str]
) -> None:
    form = {"text": "x" * 501, "user_name": "Camila", "then": "resolve", "key": str(uuid.uuid4())}
    answer = owner.post(f"{INBOX}{ridge.pk}/answer/", form, headers=headers)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Shorten it to 500 characters. It has 501." in page
    assert "x" * 501 in page
    ridge.refresh_from_db()
    assert ridge.status == "open"


def test_a_name_that_cannot_be_sent_is_asked_for(owner: Client, ridge: ReviewComment) -> None:
    answer = owner.post(f"{INBOX}{ridge.pk}/answer/", {"text": "Done.", "user_name": "D'Ávila"})
    assert answer.status_code == 422
    assert 'id="answer-name"' in answer.content.decode()


def test_several_are_resolved_at_once_and_undone_at_once(
    owner: Client, seeded: ReviewLink, ridge: ReviewComment
) -> None:
    chosen = [row for row in rows(owner) if row][:3]
    answer = act(owner, "resolve", *chosen, query="?q=&sort=newest")
    assert answer.headers["Location"] == f"{INBOX}?sort=newest"
    page = owner.get(INBOX).content.decode()
    assert "Resolved 3 comments." in page
    assert set(ReviewComment.objects.filter(pk__in=chosen).values_list("status", flat=True)) == {"resolved"}
    undo = page[page.index('id="inbox-done"') :]
    picks = re.findall(r'name="pick" value="([^"]+)"', undo[: undo.index("</form>")])
    assert sorted(picks) == sorted(chosen)
    act(owner, "reopen", *picks)
    assert set(ReviewComment.objects.filter(pk__in=chosen).values_list("status", flat=True)) == {"open"}
    assert Entry.objects.filter(operation="public_review.update_comment").count() == 6


def test_the_same_form_sent_twice_changes_each_comment_once(owner: Client, seeded: ReviewLink) -> None:
    chosen, key = rows(owner)[:2], str(uuid.uuid4())
    for _press in range(2):
        act(owner, "resolve", *chosen, data={"key": key})
    assert Write.objects.filter(operation="public_review.update_comment").count() == 2
    assert "Resolved 2 comments." in text(owner)  # the browser shows the answer to the second press


def test_a_script_gets_the_changed_rows_counts_and_the_undo(owner: Client, ridge: ReviewComment) -> None:
    before = chips(owner)["Unanswered"]
    part = act(owner, "resolve", ridge.pk, headers=HTMX, data={"open": str(ridge.pk)}).content.decode()
    assert f'id="row-{ridge.pk}"' in part and "<main" not in part
    assert part.count('hx-swap-oob="true"') == 6  # the row, the chips, the sentence, the key, the number, the card
    assert part.index('id="count-inbox" hx-swap-oob="true"') < part.index(f">{before - 1} unanswered</span>")
    assert part.count('name="act" value="reopen"') == 2 + 1  # the toast's undo, the one for the key, the card's button
    again = act(owner, "reopen", ridge.pk, headers=HTMX, data={"undo": "1"}).content.decode()
    assert "beforeend:#inbox-undo" not in again


def test_a_row_opens_for_a_script_and_is_read(owner: Client, ridge: ReviewComment) -> None:
    unread = chips(owner)["Unread"]
    part = owner.get(f"{INBOX}{ridge.pk}/", headers=HTMX).content.decode()
    assert 'id="thread"' in part and "<main" not in part
    assert "inbox-row--unread" not in part
    assert chips(owner)["Unread"] == unread - 1


def test_what_waits_for_the_platform_is_said_and_sent_later(
    owner: Client, ridge: ReviewComment, faults: ModuleType
) -> None:
    faults.set("public_review.update_comment", status=429)
    act(owner, "resolve", ridge.pk)
    assert "1 change is saved here and will be sent automatically." in text(owner)
    assert Write.objects.get().state == State.HELD
    faults.clear()
    Write.objects.update(due_at=timezone.now())
    run_due()
    ridge.refresh_from_db()
    assert ridge.status == "resolved"


def test_a_second_press_while_the_first_one_waits_is_the_same_change(
    owner: Client, ridge: ReviewComment, faults: ModuleType
) -> None:
    faults.set("public_review.update_comment", status=429)
    key = str(uuid.uuid4())
    for _press in range(2):
        act(owner, "resolve", ridge.pk, data={"key": key})
    assert Write.objects.get().state == State.HELD


def test_what_waits_for_the_platform_can_be_undone(owner: Client, ridge: ReviewComment, faults: ModuleType) -> None:
    faults.set("public_review.update_comment", status=429)
    act(owner, "resolve", ridge.pk)
    undo(owner)
    assert "1 change is saved here and will be sent automatically." in text(owner)
    faults.clear()
    Write.objects.update(due_at=timezone.now())
    run_due()
    ridge.refresh_from_db()
    assert ridge.status == "open"


def test_only_what_was_changed_is_undone_after_a_partial_refusal(
    owner: Client, account: Account, seeded: ReviewLink, ridge: ReviewComment
) -> None:
    locked = make_comment(make_link(account, "Locked film", allow_status_edit=False))
    act(owner, "resolve", ridge.pk, locked.comment_id)
    undone = undo(owner)
    assert undone.status_code == 302
    assert "Reopened 1 comment." in text(owner)
    ridge.refresh_from_db()
    assert ridge.status == "open"


def test_a_refusal_is_said_and_changes_nothing(owner: Client, ridge: ReviewComment, faults: ModuleType) -> None:
    faults.set("public_review.update_comment", status=403)
    act(owner, "resolve", ridge.pk)
    assert "1 not changed: The platform does not allow this change" in text(owner)
    ridge.refresh_from_db()
    assert ridge.status == "open"


def test_a_bulk_of_many_leaves_the_rest_to_the_worker_when_the_platform_is_slow(
    owner: Client, seeded: ReviewLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch, "dashboard.review_links.inbox_pages")
    chosen = rows(owner)[:2]
    act(owner, "resolve", *chosen)
    assert "2 changes are saved here and will be sent automatically." in text(owner)
    Write.objects.update(due_at=timezone.now())
    run_due()
    assert set(ReviewComment.objects.filter(pk__in=chosen).values_list("status", flat=True)) == {"resolved"}


@pytest.mark.parametrize(
    ("switches", "sentence", "has_form"),
    [
        ({"allow_comment": False}, "The open links of this video don&#x27;t allow comments", False),
        ({"allow_status_edit": False}, "No open link of this video allows resolving comments.", True),
        ({"status": "inactive"}, "No link of this video is open, and replies go through an open link.", False),
    ],
)
def test_a_link_that_does_not_allow_something_says_so_instead_of_offering_it(
    owner: Client, link: ReviewLink, switches: dict[str, Any], sentence: str, has_form: bool
) -> None:
    comment = make_comment(link)
    ReviewLink.objects.update(**switches)
    raise_version(link)
    page = owner.get(f"{INBOX}{comment.comment_id}/").content.decode()
    assert sentence in page
    assert ('id="answer-text"' in page) == has_form
    assert ('data-do="resolve"' in page) == (sentence.startswith("The open"))


def test_what_was_typed_is_shown_where_the_link_closed_meanwhile(owner: Client, link: ReviewLink) -> None:
    comment = make_comment(link)
    ReviewLink.objects.update(expires_at=timezone.now())
    raise_version(link)
    answer = owner.post(f"{INBOX}{comment.comment_id}/answer/", {"text": "Lowered by 80 px.", "user_name": "Camila"})
    assert answer.status_code == 422
    assert "Lowered by 80 px." in answer.content.decode()


def test_nothing_chosen_and_unknown_actions(owner: Client, link: ReviewLink) -> None:
    act(owner, "resolve")
    assert "Select a comment first." in text(owner)
    act(owner, "read", "no-uuid")
    assert "Select a comment first." in text(owner)
    assert act(owner, "delete", uuid.uuid4()).status_code == 400


def test_rows_of_another_account_are_not_there(
    owner: Client, enter: Callable[[str], Client], ridge: ReviewComment
) -> None:
    stranger = enter("other")
    assert stranger.get(f"{INBOX}{ridge.pk}/").status_code == 404
    assert stranger.post(f"{INBOX}{ridge.pk}/answer/", {"text": "Hi", "user_name": "X"}).status_code == 404
    act(stranger, "resolve", ridge.pk)
    ridge.refresh_from_db()
    assert ridge.status == "open"
    assert chips(stranger)["All"] == 0


# Saved replies


def test_saved_replies_are_made_changed_deleted_and_put_back(owner: Client, account: Account) -> None:
    address = f"{INBOX}answers/"
    assert owner.post(address, {"text": "Fixed in the next cut."}).status_code == 302
    assert "Fixed in the next cut." in owner.get(address).content.decode()
    again = owner.post(address, {"text": " Fixed in the next cut.\r\n"})
    assert again.status_code == 422 and "This reply is saved already." in again.content.decode()
    assert "Write your comment." in owner.post(address, {"text": " "}).content.decode()
    one = SavedAnswer.objects.get().pk
    assert owner.post(address, changed(one, "x" * 501)).status_code == 422
    assert owner.post(address, changed(one, "Fixed in cut 4.")).status_code == 302
    for _press in range(2):
        assert owner.post(address, {"delete": str(one)}).status_code == 302
    page = owner.get(address).content.decode()
    assert "Reply deleted." in page and 'name="restore" value="Fixed in cut 4."' in page
    assert not SavedAnswer.objects.exists()
    for _press in range(2):
        assert owner.post(address, {"restore": "Fixed in cut 4."}).status_code == 302
    assert SavedAnswer.objects.get().text == "Fixed in cut 4."


def changed(pk: int, text: str, opened: str = "Fixed in the next cut.") -> dict[str, str]:
    """What the form sends of one saved reply, whose page was opened with `opened`."""
    return {f"{pk}-text": text, f"initial-{pk}-text": opened}


def save_two(account: Account) -> tuple[int, int]:
    first, second = (SavedAnswer.objects.create(account=account, text=text).pk for text in ("One.", "Two."))
    return first, second


def saved(account: Account) -> list[str]:
    return list(SavedAnswer.objects.filter(account=account).values_list("text", flat=True))


@pytest.mark.parametrize("press", ["save", "delete", "restore"])
def test_whichever_button_is_pressed_keeps_what_was_typed_in_every_reply(
    owner: Client, account: Account, press: str
) -> None:
    first, second = save_two(account)
    leaving = SavedAnswer.objects.create(account=account, text="Three.").pk
    typed = {**changed(first, "One!", "One."), **changed(second, "Two!", "Two."), "text": "New."}
    button = {"save": {}, "delete": {"delete": str(leaving)}, "restore": {"restore": "Old."}}[press]
    assert owner.post(f"{INBOX}answers/", {**typed, **button}).status_code == 302
    extra = {"save": ["Three.", "New."], "delete": ["New."], "restore": ["Three.", "New.", "Old."]}[press]
    assert saved(account) == ["One!", "Two!", *extra]


def test_reply_that_cannot_be_saved_keeps_all_others_as_they_were_typed(owner: Client, account: Account) -> None:
    first, second = save_two(account)
    typed = {**changed(first, "One!", "One."), **changed(second, "", "Two."), "text": "New."}
    answer = owner.post(f"{INBOX}answers/", typed)
    page = answer.content.decode()
    assert answer.status_code == 422 and page.count("aria-invalid") == 1
    assert "\nOne!</textarea>" in page and "\nNew.</textarea>" in page and saved(account) == ["One.", "Two."]


def test_two_replies_changed_to_the_same_words_are_refused(owner: Client, account: Account) -> None:
    first, second = save_two(account)
    typed = {**changed(first, "Same.", "One."), **changed(second, "Same.", "Two.")}
    assert owner.post(f"{INBOX}answers/", typed).status_code == 422
    assert saved(account) == ["One.", "Two."]


def test_reply_that_was_not_touched_keeps_what_a_colleague_made_of_it_meanwhile(
    owner: Client, account: Account
) -> None:
    first, second = save_two(account)
    SavedAnswer.objects.filter(pk=second).update(text="Two, by a colleague.")
    owner.post(f"{INBOX}answers/", {**changed(first, "One!", "One."), **changed(second, "Two.", "Two.")})
    assert saved(account) == ["One!", "Two, by a colleague."]


def test_a_saved_reply_is_saved_once_by_two_presses_at_the_same_moment(account: Account) -> None:
    presses = [SavedAnswerForm(account, {"text": "Fixed in the next cut."}) for _press in range(2)]
    assert all(form.is_valid() for form in presses)
    assert len({form.save().pk for form in presses}) == 1


def test_a_saved_reply_is_inserted_without_script_behind_what_was_typed(owner: Client, ridge: ReviewComment) -> None:
    here = f"{INBOX}{ridge.pk}/"
    saved = owner.post(f"{here}answer/", {"text": "Fixed in the next cut.", "user_name": "Camila", "save": "1"})
    assert ">Fixed in the next cut.</textarea>" in saved.content.decode()
    number = re.search(r'name="insert" value="(\d+)"', owner.get(here).content.decode())
    assert number
    answer = owner.post(f"{here}answer/", {"text": "Hi Priya.", "user_name": "Camila", "insert": number[1]})
    assert ">Hi Priya. Fixed in the next cut.</textarea>" in answer.content.decode()
    assert not ReviewComment.objects.filter(text__startswith="Hi Priya").exists()


def test_saved_replies_of_another_account_are_not_there(
    owner: Client, enter: Callable[[str], Client], account: Account, ridge: ReviewComment
) -> None:
    owner.post(f"{INBOX}answers/", {"text": "Ours."})
    ours = SavedAnswer.objects.get()
    stranger = enter("other")
    stranger.post(f"{INBOX}answers/", {"delete": str(ours.pk), **changed(ours.pk, "Theirs.", "Ours.")})
    assert saved(account) == ["Ours."] and not SavedAnswer.objects.exclude(account=account).exists()
    assert "Ours." not in stranger.get(f"{INBOX}answers/").content.decode()


def test_what_a_process_of_the_version_before_marked_as_read_is_not_counted(owner: Client, link: ReviewLink) -> None:
    make_comment(link, "First.")
    assert chips(owner)["Unread"] > 0
    InboxReader.objects.update(read_until=timezone.now())
    assert chips(owner)["Unread"] == 0

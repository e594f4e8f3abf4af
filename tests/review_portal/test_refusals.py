"""What the platform refuses after the room had taken it is said in our words, with the next step and the platform's own."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.platform_api import errors
from dashboard.writes.models import State, Write
from dashboard.writes.pages import build_notice
from review_portal import imports, messages
from review_portal.writes import CREATE, UPDATE
from tests.conftest import signed_in
from tests.review_portal.conftest import Reviewer, World, over

FULL = "This video has as many comments as the platform allows."
CLOSED = "This review link has closed or was switched off."
ASK = "Ask the link’s owner for a new one."

CREATED: list[tuple[type[errors.CallError], int, str, str, str]] = [
    (errors.Refused, 400, "Limit of 30 main comments reached", FULL, "Reply to one of the comments instead"),
    (errors.Refused, 400, "limit of 25 MAIN comments reached.", FULL, "ask the link’s owner"),
    (errors.Refused, 400, "Maximum of 30 main comments exceeded", FULL, "Reply to one of the comments"),
    (errors.Refused, 400, "Limit of 30 replies reached", "as many replies as", "Write a new comment instead."),
    (errors.Refused, 400, "limit of 30 main comments or 30 replies reached", "or the comment all the replies", "Reply"),
    (errors.Refused, 400, "time is required", "wants a time", "Write the time"),
    (errors.Refused, 400, "time missing on a top-level comment", "wants a time", "Write the time"),
    (errors.Refused, 400, "time cannot be greater than the video duration", "after the end", "earlier time"),
    (errors.Refused, 400, "Time greater than video duration.", "after the end", "earlier time"),
    (errors.Refused, 400, "reply_to is not a valid sibling comment", "not on this link any more", "as a new comment"),
    (errors.Refused, 400, "user_name has characters that are not allowed", "this name", "letters, digits"),
    (errors.Refused, 400, "text must not contain < >", "these words", "500 characters"),
    (errors.Refused, 400, "Invalid body", "as it was written", "Check your words"),
    (errors.NotAllowed, 403, "This link is expired or inactive", CLOSED, ASK),
    (errors.NotAllowed, 403, "link expired", "This review link has closed.", ASK),
    (errors.NotAllowed, 403, "Link is inactive.", "was switched off", ASK),
    (
        errors.NotAllowed,
        403,
        "This link does not allow comments",
        "switched off on this link",
        "for one that allows comments",
    ),
    (errors.NotAllowed, 403, "allow_comment is false", "switched off on this link", "for one that allows comments"),
    (errors.Missing, 404, "link not found", "does not know this link", ASK),
    (errors.BadToken, 401, "Unauthorized", "no longer knows who you are", "Open the link again"),
]
CHANGED: list[tuple[type[errors.CallError], int, str, str, str]] = [
    (errors.NotAllowed, 401, "Unauthorized", "Only the person who wrote this comment", "Reply to it instead."),
    (errors.NotAllowed, 401, "wrong token", "Only the person who wrote this comment", "Reply to it instead."),
    (errors.NotAllowed, 403, "This link does not allow status changes", "resolved or reopened", "Ask the link’s owner"),
    (errors.NotAllowed, 403, "allow_status_edit is false", "resolved or reopened", "Ask the link’s owner"),
    (errors.NotAllowed, 403, "This link is expired or inactive", CLOSED, ASK),
    (errors.Missing, 404, "Comment not found", "does not have this comment", "write it as a new comment"),
    (errors.Refused, 400, "invalid body", "as it was written", "Check your words"),
    (errors.Refused, 400, "time greater than the video duration", "after the end", "earlier time"),
]
ROWS = [(CREATE, *row) for row in CREATED] + [(UPDATE, *row) for row in CHANGED]


def refused(operation: str, kind: type[errors.CallError], status: int, words: str) -> Write:
    return Write(
        operation=operation, state=State.REFUSED, reason=kind.__name__, status=status, message=words, author="7"
    )


@pytest.mark.parametrize(("operation", "kind", "status", "words", "sentence", "step"), ROWS)
def test_refusal_that_the_specification_names_is_said_in_our_words(
    operation: str, kind: type[errors.CallError], status: int, words: str, sentence: str, step: str
) -> None:
    explained = messages.explain_write(refused(operation, kind, status, words))
    assert explained is not None
    assert sentence in explained.sentence and words not in explained.sentence
    assert step in explained.next_step
    assert explained.quoted == f"The platform says: “{words}”."
    notice = build_notice(refused(operation, kind, status, words), "/")
    assert notice.sentence.startswith(explained.sentence) and notice.quoted == explained.quoted


@pytest.mark.parametrize("language", ["pt-br", "es"])
@pytest.mark.parametrize(("operation", "kind", "status", "words", "sentence", "step"), ROWS)
def test_it_is_said_in_the_reader_s_language(
    operation: str, kind: type[errors.CallError], status: int, words: str, sentence: str, step: str, language: str
) -> None:
    with translation.override(language):
        explained = messages.explain_write(refused(operation, kind, status, words))
    assert explained is not None
    assert sentence not in explained.sentence and step not in explained.next_step


@pytest.mark.parametrize(
    "words",
    [
        "Quota of the month reached",
        "Comments about main roads are not taken",
        "Replies are read on Mondays",
        "Our context is required",
        "The timeline duration was recomputed",
    ],
)
@pytest.mark.parametrize(
    ("operation", "ours"),
    [(CREATE, "The platform did not accept it."), (UPDATE, "The platform did not accept the change.")],
)
def test_words_that_nobody_knows_are_shown_as_they_came(operation: str, ours: str, words: str) -> None:
    explained = messages.explain_write(refused(operation, errors.Refused, 400, words))
    assert explained is not None
    assert explained.whole == f"{ours} The platform says: “{words}”."


def test_owner_reads_what_an_owner_can_do() -> None:
    write = refused(CREATE, errors.NotAllowed, 403, "This link is expired or inactive")
    assert "Create a new review link." in messages.describe_write(write, guest=False)
    assert "Create a new review link." in build_notice(write, "/").sentence


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_comment_that_the_worker_could_not_post_says_what_to_do_in_its_card_and_in_activity(world: World) -> None:
    owner, link = signed_in(Client(), world.token.value), world.link()
    imports.import_link(Account.objects.get(), link, world.video.pk)
    ana = Reviewer(link, script=True)
    ana.open()
    ana.post("One too many.", hold="1")
    for second in range(30):
        world.comment(f"Comment {second}.", time=second)
    over(6)
    words = "Limit of 30 main comments reached"
    page = ana.open().content.decode()
    card = page.split('class="outbox__item')[1].split("</form>")[0]
    assert FULL in card and "Reply to one of the comments instead" in card
    assert card.index(FULL) < card.index(f"The platform says: “{words}”.")
    assert "did not accept" not in card and "One too many." in card
    page = owner.get(reverse("activity:entry", args=[Entry.objects.get().pk])).content.decode()
    assert FULL in page and "Reply to one of its comments instead." in page and words in page

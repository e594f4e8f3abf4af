"""Every reason that a write can carry is told in a sentence that is true of it, on every page that tells it."""

import uuid

import pytest

from dashboard.accounts.models import Account
from dashboard.custom_fields import pages
from dashboard.custom_fields.models import Line, LineState
from dashboard.platform_api import errors
from dashboard.subtitles import messages as wording
from dashboard.subtitles.queries import ParentTokenRefused
from dashboard.writes import failures
from dashboard.writes.models import State, Write
from dashboard.writes.pages import build_notice
from review_portal import messages
from review_portal.writes import CREATE, UPDATE

CLASSES = [name for name in vars(errors) if isinstance(kind := getattr(errors, name), type)
           and issubclass(kind, errors.CallError) and kind not in (errors.CallError, errors.PlatformError)]  # fmt: skip

HELD = {
    "Unreachable": "The platform didn't answer. Your change is saved here and will be sent automatically.",
    "RateLimited": "The platform received too many requests. Your change is saved here and will be sent automatically.",
    "OverBudget": "The platform received too many requests. Your change is saved here and will be sent automatically.",
    "BadToken": "The platform no longer accepts this account's token. Your change is saved here; sign in to send it.",
    "ParentTokenHeld": "The platform no longer accepts the parent account's token. Your change is saved here; "
    "connect the parent account again to send it.",
}
REFUSED = {
    "Unreachable": "The platform cannot be reached right now. Nothing was changed. Try again in a minute.",
    "RateLimited": "Too many requests. Try again in a minute.",
    "OverBudget": "Too many requests. Try again in a minute.",
    "NotAllowed": "This account may not do that. Ask the administrator of the account.",
    "Missing": "It was not found on the platform, or it belongs to another account. Go back to the list.",
    "Refused": "The platform refused. Check what was sent, then try again.",
    failures.NOT_RECEIVED: "It did not reach the platform. Nothing was changed.",
    failures.NOT_SENT: "It did not reach the platform. Nothing was changed.",
    "": "The platform refused.",
}
COMMENT = {
    "Refused": "The platform did not accept it.",
    "BadToken": "The platform did not accept it.",
    "NotAllowed": "The platform does not accept comments on this link any more: it has closed or is view-only. "
    "Ask the link’s owner for a new one.",
    "Missing": "The platform does not know this link. Ask the link’s owner for a new one.",
    failures.NOT_RECEIVED: "It did not arrive: we checked, and the platform does not have it.",
    failures.NOT_SENT: "It was not sent: the platform could not be reached for 7 days.",
}
CHANGE = {
    "Refused": "The platform did not accept the change.",
    "BadToken": "The platform did not accept the change.",
    "NotAllowed": "The platform does not allow this change: the link has closed, or the comment is not yours. "
    "Reload the page to see how it stands.",
    "Missing": "The platform does not have this comment. If it is still needed, write it as a new comment.",
    failures.NOT_RECEIVED: "The change did not arrive: we checked, and the comment is as it was.",
    failures.NOT_SENT: "It was not sent: the platform could not be reached for 7 days.",
}


def write(reason: str, state: State, operation: str = "lives.start", author: str = "") -> Write:
    return Write(operation=operation, reason=reason, state=state, label="L", author=author, attempt=1)


@pytest.mark.parametrize(("table", "state"), [(HELD, State.HELD), (REFUSED, State.REFUSED)])
def test_the_owner_s_notice_says_what_the_reason_means(table: dict[str, str], state: State) -> None:
    said = {reason: build_notice(write(reason, state), "/").sentence for reason in table}
    assert said == table


def test_an_unconfirmed_write_says_the_same_whatever_the_reason() -> None:
    reasons = [*CLASSES, failures.SENDER_DIED, failures.UNREADABLE]
    said = {build_notice(write(reason, State.UNCONFIRMED), "/").sentence for reason in reasons}
    assert said == {"The platform didn't answer, so this is not confirmed. Check on the platform whether it arrived."}


def test_what_a_backup_brought_back_says_why_it_is_not_sent() -> None:
    said = build_notice(write(failures.RESTORED, State.UNCONFIRMED), "/").sentence
    assert said.startswith("Reelroom was restored from a backup.")
    assert said.endswith("Check on the platform whether it arrived.")


def test_the_owner_is_not_asked_for_a_token_where_a_reviewer_s_session_was_refused() -> None:
    sentence = build_notice(write("BadToken", State.REFUSED, CREATE, author="7"), "/").sentence
    assert sentence == "The platform did not accept it."


@pytest.mark.parametrize(("table", "operation"), [(COMMENT, CREATE), (CHANGE, UPDATE)])
def test_the_portal_says_what_the_reason_means(table: dict[str, str], operation: str) -> None:
    said = {reason: messages.describe_write(write(reason, State.REFUSED, operation, author="7")) for reason in table}
    assert said == table


def test_a_line_of_a_file_says_what_the_reason_means() -> None:
    for reason, sentence in REFUSED.items():
        line = Line(state=LineState.FAILED, reason=reason)
        if reason:
            assert pages.format_reason(line) == sentence, reason


def test_a_cell_says_whose_token_was_refused() -> None:
    error = wording.kept_error(ParentTokenRefused.__name__, "")
    assert "parent account “Studio”" in wording.explain(error, Account(parent=Account(name="Studio"))).sentence


def test_every_word_that_a_write_can_carry_is_in_these_tables() -> None:
    words = {value for name, value in vars(failures).items() if name.isupper() and isinstance(value, str)}
    told = {*HELD, *REFUSED, failures.SENDER_DIED, failures.UNREADABLE, failures.CONFIRMED_BY_PERSON, "PlatformDown"}
    told |= {failures.RESTORED, failures.REPLACED}
    assert words | set(CLASSES) | {failures.ParentTokenHeld.__name__} <= told


def test_an_error_of_another_module_is_the_same_class_again() -> None:
    account = Account(pk=uuid.uuid4())
    held = Write(operation="ai_workflow.create", reason="ParentTokenHeld", state=State.HELD, account=account)
    assert type(held.error) is failures.ParentTokenHeld


def test_an_unconfirmed_write_with_an_unclear_answer_quotes_it() -> None:
    answered = write("PlatformDown", State.UNCONFIRMED)
    answered.status, answered.message = 200, "Try later, 100% sure"
    said = build_notice(answered, "/").sentence
    assert said.startswith("The platform gave no clear answer, so this is not confirmed.")
    assert said.endswith("The platform says: “Try later, 100% sure”.")

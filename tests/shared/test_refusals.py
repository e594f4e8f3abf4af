"""The platform's refusals become our sentences; unknown ones are shown as they came."""

import pytest
from django.utils import translation

from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import KNOWN, explain

NOT_FOR_PEOPLE = {
    Message.ROUTE_NOT_FOUND,
    Message.UNAUTHORIZED,
    Message.INTERNAL,
}


@pytest.mark.parametrize("message", [message for message in Message if message not in NOT_FOR_PEOPLE])
def test_every_message_of_the_specification_has_a_sentence_of_ours(message: Message) -> None:
    words = message.value.format(video_id="9f1c", live_id="9f1c")
    explained = explain(errors.Refused("operation", 400, words))
    assert message in KNOWN
    assert explained.sentence == KNOWN[message].sentence
    assert explained.raw == words


@pytest.mark.parametrize("language", ["pt-br", "es"])
def test_it_is_said_in_the_reader_s_language(language: str) -> None:
    error = errors.Refused("ai_workflow.create", 400, Message.TARGET_SUBTITLE_EXISTS)
    in_english = explain(error).sentence
    with translation.override(language):
        assert explain(error).sentence != in_english


def test_an_unknown_refusal_is_shown_as_it_came() -> None:
    assert "“Quota of the month reached”" in explain(errors.Refused("x", 400, "Quota of the month reached")).sentence


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (errors.Unreachable("x", sent=False), "Nothing was changed"),
        (errors.Unreachable("x", sent=True), "Check on the platform whether it was done"),
        (errors.PlatformDown("x", 500), "Try again"),
        (errors.RateLimited("x", 429, retry_after=12.0), "Try again after "),
        (errors.BadToken("x", 401), "Sign in"),
        (errors.NotAllowed("x", 403), "administrator"),
        (errors.Missing("x", 404), "list"),
    ],
)
def test_each_kind_of_trouble_has_a_next_step(error: errors.CallError, part: str) -> None:
    assert part in explain(error).next_step


@pytest.mark.parametrize("words", ["request entity too large", ""])
def test_a_body_that_is_too_large_is_said_so_whatever_the_platform_says(words: str) -> None:
    explained = explain(errors.Refused("ai_workflow.save_package", 413, words))
    assert explained.sentence.startswith("This is larger than the 10 MB that the platform takes at once.")
    assert explained.next_step and explained.raw == words
    with translation.override("pt-br"):
        assert "10 MB" in explain(errors.Refused("x", 413)).sentence != explained.sentence

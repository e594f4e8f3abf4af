"""What is kept of an answer, and what a later answer to the same question changes of it."""

from datetime import UTC, datetime, timedelta

import pytest

from dashboard.accounts.models import Account
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.platform import Question
from dashboard.upstream import store
from dashboard.upstream.models import KnownAnswer

pytestmark = pytest.mark.django_db

FIRST = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
LATER = FIRST + timedelta(minutes=1)
QUESTION = Question("videos.subtitles", "a-video", "digest")


@pytest.fixture
def account() -> Account:
    return Account.objects.create(name="Owner")


def keep(account: Account, body: bytes, at: datetime) -> None:
    store.keep(account.pk, QUESTION, Answer(200, {}, body), at)


def known(account: Account) -> store.Known:
    return store.load(account.pk, [QUESTION.digest])[QUESTION.digest]


def test_an_answer_is_known_as_it_came_with_the_moment_its_read_began(account: Account) -> None:
    keep(account, b"[1]", FIRST)
    answer = known(account)
    assert (answer.answer.body, answer.read_at, answer.changed_at) == (b"[1]", FIRST, FIRST)
    assert answer.condensed is None and not answer.is_outdated


def test_the_same_answer_again_is_newer_and_has_not_changed(account: Account) -> None:
    keep(account, b"[1]", FIRST)
    store.condense(account.pk, QUESTION.digest, known(account), b"condensed")
    keep(account, b"[1]", LATER)
    answer = known(account)
    assert (answer.read_at, answer.changed_at, answer.condensed) == (LATER, FIRST, b"condensed")


def test_another_answer_takes_the_place_of_the_one_before_and_of_what_was_made_of_it(account: Account) -> None:
    keep(account, b"[1]", FIRST)
    store.condense(account.pk, QUESTION.digest, known(account), b"condensed")
    keep(account, b"[1, 2]", LATER)
    answer = known(account)
    assert (answer.answer.body, answer.read_at, answer.changed_at) == (b"[1, 2]", LATER, LATER)
    assert answer.condensed is None
    assert KnownAnswer.objects.get().size == len(answer.packed)


def test_of_two_answers_of_one_moment_the_last_is_kept(account: Account) -> None:
    keep(account, b"[1]", FIRST)
    keep(account, b"[1, 2]", FIRST)
    assert known(account).answer.body == b"[1, 2]"


def test_an_answer_to_a_read_that_began_before_our_own_write_stays_outdated(account: Account) -> None:
    keep(account, b"[1]", FIRST)
    KnownAnswer.objects.update(outdated_at=LATER)
    assert known(account).is_outdated
    keep(account, b"[1]", LATER)
    assert known(account).is_outdated
    keep(account, b"[1, 2]", LATER + timedelta(microseconds=1))
    assert not known(account).is_outdated


def test_answers_are_loaded_of_one_account_and_of_the_questions_asked(account: Account) -> None:
    keep(account, b"[1]", FIRST)
    other = Account.objects.create(name="Other", fingerprint="other")
    assert store.load(other.pk, [QUESTION.digest]) == {}
    assert store.load(account.pk, ["another", QUESTION.digest, QUESTION.digest]).keys() == {QUESTION.digest}
    assert store.load(account.pk, []) == {}


def test_what_lets_anyone_broadcast_is_not_kept(account: Account) -> None:
    body = b'{"lives": [{"id": "1", "stream_key": "k3y", "encoder": {"rtmp_url": "rtmp://k3y"}}]}'
    store.keep(account.pk, Question("lives.list", "", QUESTION.digest), Answer(200, {}, body), FIRST)
    assert known(account).answer.json() == {"lives": [{"id": "1", "encoder": {}}]}

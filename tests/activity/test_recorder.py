"""A write is written down before it leaves, completed after, and never with a secret."""

import pytest
from django.test import RequestFactory

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import masked, recorded
from dashboard.platform_api import errors

pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    found = Account(name="Serra Alta")
    found.keep_token("a-token-of-the-tests")
    found.save()
    return found


def record(account: Account, error: Exception | None = None) -> Entry:
    request = RequestFactory().post("/")
    try:
        with recorded(
            request, "custom_fields.update", target="v1", before={"value": "red"}, account=account, actor="Ana"
        ):
            assert Entry.objects.get().outcome == Outcome.UNCONFIRMED, "the row is there before the call"
            if error:
                raise error
    except (errors.PlatformError, RuntimeError):
        pass
    return Entry.objects.get()


def test_a_write_that_was_taken_is_done(account: Account) -> None:
    entry = record(account)
    assert (entry.outcome, entry.actor, entry.before) == (Outcome.DONE, "Ana", {"value": "red"})
    assert entry.milliseconds is not None


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (errors.Refused("x", 400, "empty value"), Outcome.REFUSED),
        (errors.NotAllowed("x", 403), Outcome.REFUSED),
        (errors.Unreachable("x", sent=False), Outcome.REFUSED),
        (errors.Unreachable("x", sent=True), Outcome.UNCONFIRMED),
        (errors.PlatformDown("x", 500), Outcome.UNCONFIRMED),
        (RuntimeError("our own mistake"), Outcome.UNCONFIRMED),
    ],
)
def test_a_write_is_done_only_when_the_platform_said_so(account: Account, error: Exception, outcome: Outcome) -> None:
    entry = record(account, error)
    assert entry.outcome == outcome
    assert entry.message == (error.message if isinstance(error, errors.PlatformError) else "")


def test_secrets_never_enter_the_log() -> None:
    kept = masked({"token": "abc", "nested": [{"Authorization": "abc", "stream_key": "abc", "name": "fine"}]})
    assert "abc" not in str(kept)
    assert kept["nested"][0]["name"] == "fine"

"""An attempt without an answer: looked for where links can be read, decided by the owner where not."""

import re
import uuid
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.review_links import creating
from dashboard.review_links.models import Attempt, Progress
from dashboard.sandbox.models import ReviewLink as PlatformLink

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HERE = "/dashboard/review-links/create/"


@pytest.fixture
def sent(owner: Client, cast: dict[str, Any]) -> dict[str, str]:
    """A filled form."""
    video = str(cast["videos"]["plain"])
    page = owner.get(HERE, {"video": video}).content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(key|form_at|zone)" value="([^"]*)"', page))
    return {**hidden, "video": video, "name": "Cut 4", "closes": "7", "allow_comment": "on"}


def made() -> int:
    return PlatformLink.objects.filter(name="Cut 4").count()


@pytest.mark.parametrize("how", ["lost", "stalls"])
def test_a_link_whose_answer_was_lost_is_found_among_the_video_s_links(
    owner: Client, sent: dict[str, str], faults: ModuleType, settings: Settings, how: str
) -> None:
    settings.PLATFORM_TIMEOUT = 0.1
    faults.set("review_links.create", broken=how)
    answer = owner.post(HERE, sent)
    link = PlatformLink.objects.get(name="Cut 4")
    assert answer.headers["Location"] == f"/dashboard/review-links/{link.pk}/"
    assert Attempt.objects.get().progress == Progress.CREATED
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED


def unconfirmed(owner: Client, sent: dict[str, str], faults: ModuleType) -> str:
    faults.set("review_links.create", broken="dropped", times=1)
    return str(owner.post(HERE, sent).headers["Location"])


def test_a_link_that_is_not_there_stays_unconfirmed_and_both_facts_are_shown(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    page = owner.get(unconfirmed(owner, sent, faults)).content.decode()
    assert "It is not sure that the link was created" in page
    assert "no answer came. The link may exist." in page
    assert "it was not there." in page
    assert "Sent once more, the video may have two links with the same name." in page


def test_pressing_again_leads_to_the_same_attempt_and_sends_nothing(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    assert owner.post(HERE, sent).headers["Location"] == where
    assert made() == 0
    assert Entry.objects.count() == 1


def test_its_owner_may_send_it_once_more(owner: Client, sent: dict[str, str], faults: ModuleType) -> None:
    where = unconfirmed(owner, sent, faults)
    assert owner.post(where, {"again": "1"}).headers["Location"].startswith("/dashboard/review-links/")
    owner.post(where, {"again": "1"})
    assert made() == 1


def test_a_link_that_appears_late_is_found_by_looking_again(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    attempt = Attempt.objects.get()
    payload = dict(attempt.payload)
    link = PlatformLink.objects.create(
        video_id=attempt.video_id,
        name=payload.pop("link_name"),
        expires_at=datetime.fromtimestamp(payload.pop("expires_at") / 1000, tz=timezone.get_default_timezone()),
        **payload,
    )
    assert owner.post(where, {"look": "1"}).headers["Location"] == f"/dashboard/review-links/{link.pk}/"


def test_a_link_that_another_attempt_made_is_not_taken_for_this_one(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    owner.post(HERE, sent)
    Attempt.objects.update(started_at=timezone.now() - creating.SAME_WORDS)
    where = unconfirmed(owner, {**sent, "key": str(uuid.uuid4())}, faults)
    owner.post(where, {"look": "1"})
    assert Attempt.objects.get(link_id=None).progress == Progress.UNCONFIRMED


def test_where_links_cannot_be_read_the_owner_decides(
    owner: Client, sent: dict[str, str], faults: ModuleType, settings: Settings
) -> None:
    settings.PLATFORM_REVIEW_READS = False
    where = unconfirmed(owner, sent, faults)
    page = owner.get(where).content.decode()
    assert "This platform cannot be asked for its links, so only you can find out" in page
    assert "It exists: take it in" in page
    assert 'name="look"' not in page
    owner.post(where, {"look": "1"})
    assert Attempt.objects.get().progress == Progress.UNCONFIRMED


def test_a_platform_that_is_down_while_looking_is_said_and_nothing_changes(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    faults.set("*", status=500)
    answer = owner.post(where, {"look": "1"})
    assert answer.status_code == 503
    assert "The platform has trouble of its own." in answer.content.decode()
    assert Attempt.objects.get().progress == Progress.UNCONFIRMED


def test_an_attempt_whose_process_died_is_unconfirmed_after_a_while(owner: Client, account: Account) -> None:
    payload = {
        "link_name": "x",
        "expires_at": 1,
        "allow_comment": True,
        "allow_status_edit": True,
        "show_resolved": True,
    }
    attempt = Attempt.objects.create(
        account=account, video_id=uuid.uuid4(), payload=payload, started_at=timezone.now() - timedelta(seconds=100)
    )
    here = f"/dashboard/review-links/attempts/{attempt.pk}/"
    assert "Your first press of the button is still waiting" in owner.get(here).content.decode()
    Attempt.objects.update(started_at=timezone.now() - timedelta(seconds=151))
    assert "It is not sure that the link was created" in owner.get(here).content.decode()


def test_another_account_s_attempt_is_not_there(
    owner: Client, enter: Any, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    assert enter("other").get(where).status_code == 404
    assert owner.get(f"/dashboard/review-links/attempts/{uuid.uuid4()}/").status_code == 404

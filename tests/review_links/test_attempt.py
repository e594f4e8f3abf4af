"""A link whose creation got no answer: settled by reading where links can be read, decided by its owner where not."""

import re
import sys
import uuid
from collections.abc import Callable
from datetime import datetime
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.review_links.writes import get_link_id
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.writes.models import State, Write
from review_portal.models import ReviewLink as KeptLink
from tests.answering import change_answers
from tests.conftest import AtPlatform
from tests.due import run_due
from tests.moments import hurry

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HERE = "/dashboard/review-links/create/"


@pytest.fixture
def sent(owner: Client, cast: dict[str, Any]) -> dict[str, str]:
    """A filled form."""
    video = str(cast["videos"]["plain"])
    page = owner.get(HERE, {"video": video}).content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(write_key|form_at|zone)" value="([^"]*)"', page))
    return {**hidden, "video": video, "name": "Cut 4", "closes": "7", "allow_comment": "on"}


def made() -> int:
    return PlatformLink.objects.filter(name="Cut 4").count()


def unconfirmed(owner: Client, sent: dict[str, str], faults: ModuleType, broken: str = "dropped") -> str:
    faults.set("review_links.create", broken=broken, times=1)
    return str(owner.post(HERE, sent).headers["Location"])


def buttons(owner: Client, where: str) -> dict[str, str]:
    """The hidden fields of the form on the attempt's page."""
    (attempt,) = re.findall(r'name="attempt" value="(\d+)"', owner.get(where).content.decode())
    return {"attempt": attempt}


@pytest.mark.parametrize("broken", ["lost", "stalls"])
def test_a_link_whose_answer_was_lost_is_found_among_the_video_s_links_without_a_visitor(
    owner: Client, sent: dict[str, str], faults: ModuleType, settings: Settings, broken: str
) -> None:
    settings.PLATFORM_TIMEOUT = 0.1
    where = unconfirmed(owner, sent, faults, broken)
    assert Write.objects.get().state == State.UNCONFIRMED
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED
    run_due(3)
    link = PlatformLink.objects.get(name="Cut 4")
    assert owner.get(where).headers["Location"] == f"/dashboard/review-links/{link.pk}/"
    entry = Entry.objects.get()
    assert (entry.outcome, (entry.after or {})["id"]) == (Outcome.DONE, str(link.pk))
    assert KeptLink.objects.get(pk=link.pk).accounts.get().name == "owner"


def test_a_request_never_waits_for_the_read_that_settles(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    faults.set("review_links.list", status=500)
    page = owner.get(unconfirmed(owner, sent, faults)).content.decode()
    assert "We keep checking automatically." in page
    run_due(30)
    assert Write.objects.get().state == State.UNCONFIRMED


def test_a_link_that_is_not_there_was_not_created_and_can_be_sent_again(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    run_due(25)
    page = owner.get(where).content.decode()
    assert "The link was not created: we checked, and the video does not have it." in page
    assert Entry.objects.get().outcome == Outcome.REFUSED
    assert f"{HERE}?video=" in page
    form = buttons(owner, where)
    for _press in range(2):
        owner.post(where, {"do": "again", **form})
    assert made() == 1


def test_the_attempt_s_page_polls_itself_until_the_end_is_known(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults, "lost")
    (poll,) = re.findall(r'id="attempt"[^>]*\shx-get="([^"]*)"', owner.get(where).content.decode())
    script = {"HX-Request": "true"}
    assert owner.get(poll, headers=script).status_code == 204
    run_due(3)
    assert owner.get(poll, headers=script).headers["HX-Redirect"].startswith("/dashboard/review-links/")


def test_pressing_again_leads_to_the_same_attempt_and_sends_nothing(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    assert owner.post(HERE, sent).headers["Location"] == where
    assert made() == 0
    assert Entry.objects.count() == 1


def test_its_owner_may_send_it_again(owner: Client, sent: dict[str, str], faults: ModuleType) -> None:
    where = unconfirmed(owner, sent, faults)
    form = buttons(owner, where)
    for _press in range(2):
        assert owner.post(where, {"do": "again", **form}).headers["Location"].startswith("/dashboard/review-links/")
    assert made() == 1
    assert Entry.objects.get().outcome == Outcome.DONE


def test_two_presses_of_send_again_are_one_sending_where_it_ends_unconfirmed_again(
    owner: Client, sent: dict[str, str], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    where = unconfirmed(owner, sent, faults)
    faults.set("review_links.create", broken="dropped")
    form = buttons(owner, where)
    for _press in range(2):
        assert owner.post(where, {"do": "again", **form}).headers["Location"] == where
    assert (Write.objects.get().attempt, calls("review_links.create")) == (2, 2)


def test_a_refusal_of_the_second_sending_does_not_tell_how_the_first_one_ended(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    faults.set("review_links.create", status=400)
    owner.post(where, {"do": "again", **buttons(owner, where)}, follow=True)
    assert Write.objects.get().state == State.UNCONFIRMED
    run_due(60)
    assert Write.objects.get().state != State.UNCONFIRMED, "reading tells"


def test_its_owner_may_say_that_it_arrived_and_bring_its_address(
    owner: Client, sent: dict[str, str], faults: ModuleType, settings: Settings
) -> None:
    settings.PLATFORM_REVIEW_READS = False
    where = unconfirmed(owner, sent, faults)
    page = owner.get(where).content.decode()
    assert "Reelroom cannot read links on this platform, so it cannot check." in page
    run_due(60)
    assert Write.objects.get().state == State.UNCONFIRMED, "nobody can know, so nobody decides but its owner"
    answer = owner.post(where, {"do": "confirm", **buttons(owner, where)})
    assert answer.headers["Location"] == f"/dashboard/review-links/import/?video={sent['video']}"
    assert Entry.objects.get().outcome == Outcome.DONE
    assert owner.get(where).headers["Location"] == f"/dashboard/review-links/videos/{sent['video']}/"


def test_a_link_that_appears_late_is_found_by_a_later_read(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    unconfirmed(owner, sent, faults)
    run_due(5)
    write = Write.objects.get()
    payload = dict(write.request["payload"])
    link = PlatformLink.objects.create(
        video_id=write.subject,
        name=payload.pop("link_name"),
        expires_at=datetime.fromtimestamp(payload.pop("expires_at") / 1000, tz=timezone.get_default_timezone()),
        **payload,
    )
    run_due(10)
    assert get_link_id(Write.objects.get()) == link.pk


def test_a_link_that_another_attempt_made_is_not_taken_for_this_one(
    owner: Client, sent: dict[str, str], faults: ModuleType
) -> None:
    owner.post(HERE, sent)
    unconfirmed(owner, {**sent, "write_key": str(uuid.uuid4()), "twice": "1"}, faults)
    run_due(5)
    assert Write.objects.exclude(state=State.DONE).get().state == State.UNCONFIRMED


def without_videos(answer: Any) -> Any:
    """The same, of which no record says what video it is about."""
    if isinstance(answer, list):
        return [without_videos(row) for row in answer]
    return {
        name: without_videos(value) if isinstance(value, list) else value
        for name, value in answer.items()
        if name != "video_id"
    }


def test_a_link_is_found_where_the_platform_does_not_say_which_video_its_links_show(
    owner: Client, sent: dict[str, str], faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, without_videos, "review_links.list")
    unconfirmed(owner, sent, faults, "lost")
    run_due(3)
    assert Write.objects.get().state == State.DONE
    assert str(KeptLink.objects.get(name="Cut 4").video_id) == sent["video"]


@pytest.mark.parametrize("next_of", [None, "5e1d8f4a-0b7c-4d2e-9a63-8f1e2d3c4b5a"])
def test_a_link_is_settled_whose_release_knew_no_more_than_the_call_and_whose_earlier_cut_is_gone(
    owner: Client, sent: dict[str, str], faults: ModuleType, next_of: str | None
) -> None:
    unconfirmed(owner, sent, faults, "lost")
    write = Write.objects.get()
    write.request = {name: write.request[name] for name in ("video_id", "payload")}
    write.request |= {"next_of": next_of} if next_of else {}
    write.save()
    run_due(3)
    write.refresh_from_db()
    assert (write.state, (write.result or {}).get("cut_refusal", "")) == (State.DONE, "")
    assert (write.after or {})["id"] == str(PlatformLink.objects.get(name="Cut 4").pk)


def test_a_write_of_another_kind_is_no_attempt(owner: Client, sent: dict[str, str], faults: ModuleType) -> None:
    where = unconfirmed(owner, sent, faults)
    assert owner.get(where).status_code == 200
    Write.objects.update(operation="videos.rename")
    assert owner.get(where).status_code == 404


def test_an_attempt_whose_process_died_is_settled_by_reading(
    owner: Client, sent: dict[str, str], monkeypatch: pytest.MonkeyPatch, at_platform: AtPlatform
) -> None:
    at_platform.answers("review_links.create", lambda _request: sys.exit(), once=True)
    hurry(monkeypatch, "dashboard.writes.beside")
    with pytest.raises(SystemExit):
        owner.post(HERE, sent)
    where = owner.post(HERE, sent).headers["Location"]
    assert "The platform has not answered yet." in owner.get(where).content.decode()
    run_due(60)
    assert Write.objects.get().state == State.DONE
    assert made() == 1


def test_the_list_of_links_shows_what_is_not_confirmed(owner: Client, sent: dict[str, str], faults: ModuleType) -> None:
    where = unconfirmed(owner, sent, faults)
    assert f'Not confirmed: <a href="{where}">Cut 4</a>' in owner.get("/dashboard/review-links/").content.decode()
    Write.objects.update(account=Account.objects.create(name="Another"))
    assert where not in owner.get("/dashboard/review-links/").content.decode(), "it is another account's"


def test_another_account_s_attempt_is_not_there(
    owner: Client, enter: Any, sent: dict[str, str], faults: ModuleType
) -> None:
    where = unconfirmed(owner, sent, faults)
    assert enter("other").get(where).status_code == 404
    assert enter("other").post(where, {"do": "confirm"}).status_code == 404
    assert owner.get(f"/dashboard/review-links/attempts/{uuid.uuid4()}/").status_code == 404

"""Creating a link: once, with what was shown, and nothing typed lost."""

import re
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html import unescape
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.sandbox.models import Video as PlatformVideo
from dashboard.writes.models import State, Write
from review_portal import imports
from review_portal.models import ReviewLink as KeptLink
from tests.due import pass_by
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HERE = "/dashboard/review-links/create/"
Fill = Callable[..., dict[str, str]]


@pytest.fixture
def video(cast: dict[str, Any]) -> str:
    return str(cast["videos"]["plain"])


@pytest.fixture
def fill(owner: Client, video: str) -> Fill:
    """The form as a browser sends it, with some of it changed; None leaves a field out, as an empty checkbox is."""

    def fill(**changes: str | None) -> dict[str, str]:
        page = owner.get(HERE, {"video": video}).content.decode()
        hidden = dict(re.findall(r'<input type="hidden" name="(write_key|form_at|zone)" value="([^"]*)"', page))
        usual = {"video": video, "name": "Cut 4", "closes": "7", "closes_at": ""}
        switches = dict.fromkeys(("allow_comment", "allow_status_edit", "show_resolved"), "on")
        sent = {**hidden, **usual, **switches, **changes}
        return {name: value for name, value in sent.items() if value is not None}

    return fill


def made(name: str = "Cut 4") -> list[PlatformLink]:
    return list(PlatformLink.objects.filter(name=name))


def test_a_date_that_was_typed_while_another_choice_is_made_is_asked_about(owner: Client, fill: Fill) -> None:
    answer = owner.post(HERE, fill(closes="7", closes_at="2026-12-20T18:30", name="Cut 9"))
    page = unescape(answer.content.decode())
    assert answer.status_code == 422 and not made("Cut 9")
    assert "You filled this in, but something else is chosen. Choose “At another time”, or empty this field." in page
    assert 'value="2026-12-20T18:30"' in page and 'value="Cut 9"' in page
    assert re.search(r'name="closes" value="7" checked', page), "what was chosen stays chosen"
    assert 'data-chooses="closes=custom"' in page


def test_a_video_that_viewers_cannot_play_gets_no_link(owner: Client, fill: Fill, video: str) -> None:
    form = fill(name="Cut 9")
    PlatformVideo.objects.filter(pk=video).update(status="DRAFT")
    forget()
    page = unescape(owner.get(HERE).content.decode())
    assert "It is only a draft: viewers can't play it." in page and f"{HERE}?video={video}" not in page
    answer = owner.post(HERE, form)
    assert answer.status_code == 422 and not made("Cut 9")
    assert "It is only a draft" in unescape(answer.content.decode())


def test_the_video_is_chosen_first_from_the_library(owner: Client, video: str) -> None:
    page = owner.get(HERE).content.decode()
    assert "Which video do you want reviewed?" in page
    assert f"{HERE}?video=" in page


def test_videos_are_found_by_a_part_of_their_title(owner: Client, cast: dict[str, Any]) -> None:
    page = owner.get(HERE, {"q": "Serra Alta, launch film"}).content.decode()
    assert f"{HERE}?video={cast['videos']['reviewed']}" in page
    assert "No video has this in its title" in owner.get(HERE, {"q": "zzz"}).content.decode()


STRANGE = ["137f7d37-48ac-5e2b-8d7b-408661e5c2f5", "27781160-967b-4202-9a07-ac1e55d090e3", "x", "../videos"]


@pytest.mark.parametrize("video", STRANGE)
def test_a_video_that_is_not_the_account_s_is_not_there(owner: Client, video: str) -> None:
    assert owner.get(HERE, {"video": video}).status_code == 404
    assert owner.post(HERE, {"video": video}).status_code == 404


def test_the_form_begins_with_a_name_a_week_and_everything_allowed(owner: Client, video: str) -> None:
    page = owner.get(HERE, {"video": video}).content.decode()
    assert 'name="closes" value="7" checked' in page
    assert all(f'name="{name}" checked' in page for name in ("allow_comment", "allow_status_edit", "show_resolved"))
    assert "cannot change the link or close it early" in page


def test_a_link_is_created_kept_recorded_and_shown(owner: Client, fill: Fill, video: str) -> None:
    answer = owner.post(HERE, fill(), follow=True)
    (link,) = made()
    assert answer.redirect_chain[-1][0] == f"/dashboard/review-links/{link.pk}/"
    assert f"http://testserver/{link.pk}" in answer.content.decode()
    assert "Copy its address below." in answer.content.decode()
    entry = Entry.objects.get(operation="review_links.create")
    assert (entry.outcome, entry.target, entry.label, entry.actor) == (Outcome.DONE, video, "Cut 4", "Camila")
    assert entry.after is not None
    assert entry.after["id"] == str(link.pk)


def test_a_new_link_keeps_what_its_form_showed_of_the_video(owner: Client, fill: Fill) -> None:
    owner.post(HERE, fill())
    link = KeptLink.objects.get(name="Cut 4")
    assert link.video["title"] == PlatformVideo.objects.get(pk=link.video_id).title


def test_what_the_form_did_not_know_of_the_video_is_read_once_the_link_is_kept(
    owner: Client, fill: Fill, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "serialize_video", lambda video: {"title": video.title})
    with django_capture_on_commit_callbacks() as completions:
        owner.post(HERE, fill())
    assert "captions" not in KeptLink.objects.get(name="Cut 4").video
    for complete in completions:
        complete()
    assert "captions" in KeptLink.objects.get(name="Cut 4").video


def test_a_link_is_created_although_its_video_cannot_be_completed(
    owner: Client, fill: Fill, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "complete_video", Mock(side_effect=RuntimeError))
    with django_capture_on_commit_callbacks(execute=True):
        assert owner.post(HERE, fill()).status_code == 302
    assert Write.objects.get().state == State.DONE


def test_it_closes_when_the_page_said(owner: Client, fill: Fill) -> None:
    sent = fill(closes="30")
    owner.post(HERE, sent)
    shown = datetime.fromtimestamp(int(sent["form_at"]), UTC).replace(second=0)
    assert made()[0].expires_at == shown + timedelta(days=30) - timedelta(minutes=10)


def test_the_three_switches_are_sent_as_they_stand(owner: Client, fill: Fill) -> None:
    owner.post(HERE, fill(allow_comment=None, show_resolved=None))
    (link,) = made()
    assert (link.allow_comment, link.allow_status_edit, link.show_resolved) == (False, True, False)


def test_a_time_of_one_s_own_is_meant_in_the_zone_of_the_form(owner: Client, fill: Fill) -> None:
    local = (datetime.now(UTC) + timedelta(days=2)).replace(hour=18, minute=30, second=0, microsecond=0, tzinfo=None)
    owner.post(HERE, fill(closes="custom", closes_at=local.strftime("%Y-%m-%dT%H:%M"), zone="America/Sao_Paulo"))
    assert made()[0].expires_at == local.replace(tzinfo=UTC) + timedelta(hours=3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "Give the link a name."),
        ({"name": "Cut 3/final"}, "Remove “/” (character 6)."),
        ({"name": "a\u200bb"}, "Remove U+200B (character 2)."),
        ({"name": "x" * 256}, "Shorten the name by 1 characters. It can have 255."),
        ({"closes": ""}, "Choose when the link closes, as date and time."),
        ({"closes": "31"}, "Choose when the link closes, as date and time."),
        ({"closes": "custom", "closes_at": ""}, "Choose when the link closes, as date and time."),
        ({"closes": "custom", "closes_at": "soon"}, "Choose when the link closes, as date and time."),
        ({"closes": "custom", "closes_at": "2020-01-01T10:00"}, "Choose a time at least 5 minutes from now."),
        ({"closes": "custom", "closes_at": "2099-01-01T10:00"}, "Choose a time within the next 30 days."),
        ({"closes": "custom", "closes_at": "2027-03-28T02:30", "zone": "Europe/Berlin"}, "Choose another hour."),
    ],
)
def test_what_the_platform_would_refuse_is_said_at_the_field_before_it_leaves(
    owner: Client, fill: Fill, changes: dict[str, str], sentence: str
) -> None:
    sent = fill(allow_comment=None, **changes)
    answer = owner.post(HERE, sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert "thing to fix" in page
    assert 'name="allow_comment" checked' not in page
    assert made(sent["name"]) == []
    assert not Entry.objects.exists()


def test_a_second_press_creates_nothing_more(owner: Client, fill: Fill) -> None:
    sent = fill()
    first, second = owner.post(HERE, sent), owner.post(HERE, sent)
    assert first.headers["Location"] == second.headers["Location"]
    assert len(made()) == 1
    assert Entry.objects.count() == 1


def test_a_second_press_gets_the_first_outcome_although_the_platform_is_away_since(
    owner: Client, fill: Fill, faults: ModuleType
) -> None:
    sent = fill()
    first = owner.post(HERE, sent)
    faults.set("*", status=500)
    assert owner.post(HERE, sent).headers["Location"] == first.headers["Location"]


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_a_form_that_several_threads_send_at_once_creates_one_link(owner: Client, fill: Fill) -> None:
    sent = fill()

    def press(_place: int) -> str:
        browser = Client()
        browser.cookies = owner.cookies
        try:
            return str(browser.post(HERE, sent).headers["Location"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as threads:
        assert len(set(threads.map(press, range(3)))) == 1
    assert len(made()) == 1


def test_the_same_link_from_a_form_that_was_loaded_anew_is_asked_about_and_created_on_purpose(
    owner: Client, fill: Fill
) -> None:
    owner.post(HERE, fill())
    asked = owner.post(HERE, fill())
    page = asked.content.decode()
    assert asked.status_code == 409
    assert "You created the same link less than a minute ago." in page
    assert f"/dashboard/review-links/attempts/{Write.objects.get().key}/" in page
    assert len(made()) == 1
    owner.post(HERE, fill(twice="1"))
    assert len(made()) == 2
    owner.post(HERE, fill(allow_comment=None))  # another switch: another link
    assert len(made()) == 3
    pass_by(60)
    owner.post(HERE, fill())
    assert len(made()) == 4


def test_the_same_form_with_other_words_is_another_link(owner: Client, fill: Fill) -> None:
    sent = fill()
    owner.post(HERE, sent)
    owner.post(HERE, {**sent, "name": "Cut 5"})
    assert len(made("Cut 5")) == len(made("Cut 4")) == 1


def test_one_account_s_key_says_nothing_to_another(
    owner: Client, enter: Callable[[str], Client], fill: Fill, cast: dict[str, Any]
) -> None:
    sent = fill()
    owner.post(HERE, sent)
    answer = enter("other").post(HERE, {**sent, "video": cast["videos"]["other_account"]})
    assert answer.status_code == 302
    assert {link.video.organization_id for link in made()} == {
        made()[0].video.organization_id,
        made()[1].video.organization_id,
    }
    assert len(made()) == 2


def test_show_the_request_sends_nothing_and_loses_nothing(owner: Client, fill: Fill, video: str) -> None:
    page = owner.post(HERE, fill(name="Cut 9", _dry_run="1")).content.decode()
    assert "Nothing was sent." in page
    assert f"/video-review/{video}?action=link" in page
    assert "&quot;link_name&quot;: &quot;Cut 9&quot;" in page
    assert 'value="Cut 9"' in page
    assert "$PLATFORM_TOKEN" in page
    assert made("Cut 9") == []


@pytest.mark.parametrize(
    ("fault", "status", "sentence"),
    [
        ({"status": 400}, 422, "The platform refused."),
        ({"status": 403}, 422, "This account may not do that."),
        ({"status": 404}, 422, "It was not found on the platform"),
        ({"status": 429, "retry_after": 7}, 503, "Try again after "),
        ({"broken": "refused"}, 503, "The platform cannot be reached right now."),
    ],
)
def test_a_refusal_comes_back_to_the_form_with_everything_typed(
    owner: Client, fill: Fill, faults: ModuleType, fault: dict[str, Any], status: int, sentence: str
) -> None:
    sent = fill(name="Kept name", closes="14", allow_comment=None)
    faults.set("review_links.create", **fault)
    answer = owner.post(HERE, sent)
    page = answer.content.decode()
    assert answer.status_code == status
    assert sentence in page
    assert 'value="Kept name"' in page
    assert 'name="closes" value="14" checked' in page
    assert 'name="allow_comment" checked' not in page
    assert Entry.objects.get().outcome == Outcome.REFUSED


def test_after_a_refusal_the_form_as_it_came_back_can_be_sent(owner: Client, fill: Fill, faults: ModuleType) -> None:
    faults.set("review_links.create", status=400, times=1)
    refused = owner.post(HERE, fill())
    assert refused.status_code == 422
    (key,) = re.findall(r'name="write_key" value="([^"]*)"', refused.content.decode())
    assert owner.post(HERE, fill(write_key=key)).status_code == 302
    assert len(made()) == 1


def test_a_token_that_is_no_longer_accepted_keeps_what_was_typed(owner: Client, fill: Fill, faults: ModuleType) -> None:
    sent = fill(name="Kept over sign-in")
    faults.set("review_links.create", status=401)
    answer = owner.post(HERE, sent)
    assert answer.headers["Location"].startswith("/sign-in/?next=")
    assert ["name", "Kept over sign-in"] in [list(field) for field in owner.session["kept"]["fields"]]


def test_an_expired_link_is_recreated_with_its_settings(owner: Client, cast: dict[str, Any]) -> None:
    expired = cast["review_links"]["expired"]
    owner.get("/dashboard/review-links/")
    page = owner.get(f"/dashboard/review-links/{expired}/")
    video = KeptLink.objects.get(pk=expired).video_id
    assert f"{HERE}?video={video}&amp;like={expired}" in page.content.decode()
    form = owner.get(HERE, {"video": str(video), "like": expired}).content.decode()
    kept = KeptLink.objects.get(pk=expired)
    assert "Recreate review link" in form
    assert f'value="{kept.name}"' in form
    for name in ("allow_comment", "allow_status_edit", "show_resolved"):
        assert (f'name="{name}" checked' in form) == getattr(kept, name)


def test_another_account_s_link_lends_no_settings(owner: Client, cast: dict[str, Any], video: str) -> None:
    page = owner.get(HERE, {"video": video, "like": str(uuid.uuid4())}).content.decode()
    assert 'name="allow_comment" checked' in page


def test_a_form_that_waited_for_days_counts_from_now(owner: Client, fill: Fill) -> None:
    old = int((datetime.now(UTC) - timedelta(days=3)).timestamp())
    in_23_hours = datetime.now(UTC) + timedelta(hours=23)
    owner.post(HERE, fill(form_at=str(old), closes="1"))
    assert made()[0].expires_at > in_23_hours


@pytest.mark.parametrize("field", ["write_key", "form_at", "zone"])
def test_hidden_fields_that_were_tampered_with_do_no_harm(owner: Client, fill: Fill, field: str) -> None:
    answer = owner.post(HERE, fill(**{field: "../\x00"}))
    assert answer.status_code in (302, 422)


def test_without_reads_the_address_of_the_new_link_is_known_all_the_same(
    owner: Client, fill: Fill, settings: Settings
) -> None:
    sent = fill()
    settings.PLATFORM_REVIEW_READS = False
    settings.PLATFORM_REVIEW_URL = "https://review.example/"
    page = owner.post(HERE, sent, follow=True).content.decode()
    assert f'value="https://review.example/{made()[0].pk}"' in page
    assert "This platform does not let Reelroom read comments." in page

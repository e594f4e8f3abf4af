"""Creating a live: rules before sending, refusals at their field, never twice; and its stream key, behind a press alone."""

import re
from collections.abc import Callable
from html import unescape
from io import StringIO
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api.errors import CallError, Missing, Refused
from dashboard.platform_api.request import Request
from dashboard.sandbox.models import Live
from dashboard.upstream.models import KnownAnswer
from dashboard.writes.models import State, Write
from tests.answering import answer_with, count_calls
from tests.conftest import signed_in
from tests.due import run_due
from tests.forgetting import forget
from tests.pages import page_of, read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
CREATE = "/dashboard/lives/create/"
FORM: dict[str, Any] = {
    "write_key": "3f2b6c1e-1111-4222-8333-444455557777",
    "zone": "America/Sao_Paulo",
    "title": "Prova às 20 h",
    "scheduled_time": "2099-12-01T20:00",
    "latency_type": "low",
    "active_dvr": "on",
    "bitrate": ["720p", "1080p"],
}


def refuse(monkeypatch: pytest.MonkeyPatch, error: CallError) -> None:
    """The platform answers a creation with this error."""

    def fail(_request: Request) -> Any:
        raise error

    answer_with(monkeypatch, fail, "lives.create")


def post(client: Client, **changes: Any) -> Any:
    return client.post(CREATE, FORM | changes)


def test_what_was_chosen_is_sent_once_and_leads_to_the_new_live(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = count_calls(monkeypatch, "lives.create")
    before = set(Live.objects.values_list("pk", flat=True))
    answers = [post(owner, folder_id=cast["folders"]["root"]) for _press in range(2)]
    (live,) = Live.objects.exclude(pk__in=before)
    assert {answer["Location"] for answer in answers} == {f"/dashboard/lives/{live.pk}/"}
    assert [request.body for request in sent] == [
        {
            "title": "Prova às 20 h",
            "scheduled_time": "2099-12-01T23:00:00Z",
            "active_dvr": True,
            "bitrate": ["720p", "1080p"],
            "folder_id": cast["folders"]["root"],
            "latency_type": "low",
        }
    ]
    page = read_page(owner, f"/dashboard/lives/{live.pk}/")
    assert "Live “Prova às 20 h” was created." in page and "Start early" in page
    assert "Prova às 20 h" in read_page(owner, "/dashboard/lives/")
    entry = Entry.objects.get()
    assert (entry.outcome, entry.target, entry.label) == (Outcome.DONE, str(live.pk), "Prova às 20 h")
    assert "Live created" in read_page(owner, "/dashboard/activity/")


def test_the_palette_finds_creating_a_live(owner: Client) -> None:
    assert CREATE in read_page(owner, "/dashboard/search/?q=create+live")


def test_what_is_not_chosen_is_not_sent(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = count_calls(monkeypatch, "lives.create")
    owner.post(CREATE, {"title": "Só um título", "active_dvr": "", "latency_type": "", "folder_id": ""})
    assert [request.body for request in sent] == [{"title": "Só um título"}]


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"title": " "}, "title", "Write a title for the live."),
        ({"scheduled_time": "soon"}, "scheduled_time", "Choose a date and a time."),
        ({"scheduled_time": "2020-01-01T10:00"}, "scheduled_time", "Choose a time in the future."),
        ({"latency_type": "none"}, "latency_type", "Choose a latency from the list."),
        ({"active_dvr": "maybe"}, "active_dvr", "Choose Yes, No or the default."),
        ({"bitrate": ["721p"]}, "bitrate", "Choose resolutions from the list."),
        ({"folder_id": "gone"}, "folder_id", "This folder is not there any more."),
    ],
)
def test_what_cannot_be_is_said_at_its_field_before_anything_is_sent(
    owner: Client, calls: Callable[[str], int], change: dict[str, Any], field: str, sentence: str
) -> None:
    answer = post(owner, **change)
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert f'href="#id_{field}">{sentence}' in page
    assert "1 thing to fix" in page
    assert calls("lives.create") == 0


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ("title must have 1 to 255 characters", "title"),
        ("scheduled_time is in the past", "scheduled_time"),
        ("bitrate[0] must be one of: 720p", "bitrate"),
        ("latency_type is not available", "latency_type"),
        ("active_dvr is not available on this plan", "active_dvr"),
    ],
)
def test_a_refusal_stands_at_the_field_that_the_platform_names_with_its_own_words(
    owner: Client, monkeypatch: pytest.MonkeyPatch, told: str, field: str
) -> None:
    refuse(monkeypatch, Refused("lives.create", 400, told))
    answer = post(owner)
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert f'<a href="#id_{field}">The platform refused. The platform says: “{told}”.' in page
    assert 'value="Prova às 20 h"' in page, "nothing typed is lost"
    assert Entry.objects.get().outcome == Outcome.REFUSED


def test_a_title_that_only_the_platform_finds_too_long_is_refused_at_its_field(owner: Client) -> None:
    assert '<a href="#id_title">The platform refused.' in unescape(post(owner, title="a" * 256).content.decode())


def test_a_folder_that_went_meanwhile_is_named(
    owner: Client, monkeypatch: pytest.MonkeyPatch, cast: dict[str, Any]
) -> None:
    refuse(monkeypatch, Missing("lives.create", 404, "folder_id: folder not found"))
    assert '<a href="#id_folder_id">' in post(owner, folder_id=cast["folders"]["root"]).content.decode()


@pytest.mark.parametrize("status", [404, 405])
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This platform does not offer to create lives over its API, so no live was created."),
        ("pt-br", "Esta plataforma não permite criar lives pela API"),
        ("es", "Esta plataforma no permite crear directos por su API"),
    ],
)
def test_a_platform_that_creates_no_lives_is_named_with_where_to_do_it(
    owner: Client, faults: ModuleType, status: int, language: str, sentence: str
) -> None:
    faults.set("lives.create", status=status)
    owner.cookies["django_language"] = language
    page = unescape(owner.post(CREATE, FORM, headers={"accept-language": language}).content.decode())
    assert sentence in page
    assert "own pages" in page or "própria plataforma" in page or "propia plataforma" in page


def test_that_a_platform_creates_no_lives_is_said_before_the_next_try_and_until_one_succeeds(
    owner: Client, faults: ModuleType
) -> None:
    told = "does not offer this over its API"
    assert told not in owner.get(CREATE).content.decode()
    faults.set("lives.create", status=405, times=1)
    owner.post(CREATE, FORM)
    assert told in owner.get(CREATE).content.decode()
    assert owner.post(CREATE, {**FORM, "write_key": str(uuid4())}).status_code == 302
    assert told not in owner.get(CREATE).content.decode()


def test_creating_lives_where_the_setting_says(
    owner: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLATFORM_PATHS = {"lives.create": "/broadcasts/new"}
    page = unescape(owner.post(CREATE, FORM | {"_dry_run": "1"}).content.decode())
    assert "/broadcasts/new" in page


def test_the_dry_run_shows_the_request_and_sends_nothing(
    owner: Client, cast: dict[str, Any], calls: Callable[[str], int]
) -> None:
    page = unescape(post(owner, _dry_run="1").content.decode())
    assert "POST http" in page and "/live" in page and '"bitrate": [' in page
    assert cast["tokens"]["owner"] not in page
    assert 'value="Prova às 20 h"' in page
    assert calls("lives.create") == 0 and not Entry.objects.exists()


def test_a_lost_answer_is_found_in_the_list(owner: Client, faults: ModuleType, calls: Callable[[str], int]) -> None:
    faults.set("lives.create", broken="lost")
    assert post(owner)["Location"] == "/dashboard/lives/"
    assert "Live created: Prova às 20 h" in read_page(owner, "/dashboard/lives/")
    faults.clear()
    run_due(3)
    write = Write.objects.get()
    assert (write.state, write.subject) == (State.DONE, str(Live.objects.get(title="Prova às 20 h").pk))
    assert post(owner)["Location"] == f"/dashboard/lives/{write.subject}/"
    assert calls("lives.create") == 1


def test_a_creation_that_did_not_arrive_says_so_and_can_be_sent_again(owner: Client, faults: ModuleType) -> None:
    faults.set("lives.create", broken="dropped")
    post(owner)
    faults.clear()
    run_due(25)
    assert "It did not reach the platform." in read_page(owner, "/dashboard/lives/")
    write = Write.objects.get()
    for _press in range(2):
        owner.post(f"/dashboard/activity/writes/{write.pk}/", {"act": "send_again", "attempt": write.attempt})
    assert Live.objects.filter(title="Prova às 20 h").count() == 1


@pytest.mark.parametrize("told", [{}, {"created_at": "2020-01-01T00:00:00Z"}])
def test_an_older_live_of_the_same_name_is_not_taken_for_the_new_one(
    owner: Client, faults: ModuleType, monkeypatch: pytest.MonkeyPatch, told: dict[str, str]
) -> None:
    faults.set("lives.create", broken="dropped")
    post(owner)
    alike = {"id": "1", "title": FORM["title"], "scheduled_at": "2099-12-01T23:00:00Z", **told}
    answer_with(monkeypatch, lambda _request: {"lives": [alike]}, "lives.list")
    run_due(25)
    assert Write.objects.get().state == (State.REFUSED if told else State.UNCONFIRMED)


def test_two_lives_alike_are_two_and_the_first_is_not_taken_for_the_second(owner: Client, faults: ModuleType) -> None:
    post(owner)
    faults.set("lives.create", broken="dropped")
    post(owner, write_key="3f2b6c1e-1111-4222-8333-444455558888")
    run_due(25)
    assert sorted(Write.objects.values_list("state", flat=True)) == [State.DONE, State.REFUSED]


def test_without_folders_the_form_stands_and_keeps_what_it_names(owner: Client, faults: ModuleType) -> None:
    faults.set("folders.list", status=500)
    assert owner.get(CREATE).status_code == 200
    page = post(owner, folder_id="f-1", title="").content.decode()
    assert '<option value="f-1" selected>' in page


def test_a_folder_is_named_with_those_above_it(owner: Client) -> None:
    options = re.findall(
        r"<option value=\"[^\"]+\"[^>]*>([^<]+)</option>", read_page(owner, CREATE).split('name="folder_id"')[1]
    )
    assert any(" / " in option for option in options) and options == sorted(options, key=str.casefold)


SECRET = "stream_key_of_the_demo"


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    """What the platform tells as the stream key of each live, also in its list."""

    def make(request: Request) -> Any:
        told = {"id": LIVE, "title": "Prova", "status": "offline", "rtmp": "rtmp://in/x", "stream_key": SECRET}
        return {"lives": [told]} if request.operation == "lives.list" else told

    answer_with(monkeypatch, make, "lives.list", "lives.get", "lives.create")
    return SECRET


LIVE = "0d9e3e0c-9a3b-4c5d-8e7f-0123456789ab"


def test_the_stream_key_is_shown_to_whoever_presses_and_nowhere_else(
    owner: Client, secret: str, caplog: pytest.LogCaptureFixture
) -> None:
    created = post(owner)
    assert created["Location"] == f"/dashboard/lives/{LIVE}/"
    shown = owner.post(f"/dashboard/lives/{LIVE}/key/")
    assert secret in shown.content.decode() and "rtmp://in/x" in shown.content.decode()
    assert shown["Cache-Control"] == "private, no-store"
    entry = Entry.objects.get()
    seen = "".join(
        page_of(owner.get(address))
        for address in (
            "/dashboard/lives/", created["Location"], f"{created['Location']}start/", f"{created['Location']}finish/",
            "/dashboard/", "/dashboard/activity/", f"/dashboard/activity/{entry.pk}/", "/dashboard/activity/export.csv",
            "/dashboard/search/?q=Prova", f"{created['Location']}key/",
        )
    )  # fmt: skip
    kept = b"".join(known.answer.body for known in _kept())
    assert secret not in f"{seen}{kept!r}{caplog.text}{list(Write.objects.values())}{list(Entry.objects.values())}"


def _kept() -> "list[Any]":
    from dashboard.upstream import store

    rows = KnownAnswer.objects.values_list("account_id", "digest")
    return [known for account, digest in rows for known in store.load(account, [digest]).values()]


def test_a_stream_key_that_the_platform_does_not_give_is_said_with_where_it_is(
    owner: Client, monkeypatch: pytest.MonkeyPatch, faults: ModuleType, cast: dict[str, Any]
) -> None:
    live = cast["lives"]["scheduled"]
    faults.set("lives.get", status=404)
    assert "does not give the stream key" in unescape(owner.post(f"/dashboard/lives/{live}/key/").content.decode())
    faults.set("lives.get", status=500)
    answer = owner.post(f"/dashboard/lives/{live}/key/")
    assert answer.status_code == 502
    assert "trouble of its own" in answer.content.decode()


def test_the_stream_key_of_another_account_is_not_shown(client: Client, cast: dict[str, Any]) -> None:
    signed_in(client, cast["tokens"]["trial"])
    answer = client.post(f"/dashboard/lives/{cast['lives']['scheduled']}/key/")
    assert answer.status_code == 404
    assert 'id="stream-key"' not in answer.content.decode()


def test_a_reading_of_the_address_of_a_key_leads_to_its_live(owner: Client, cast: dict[str, Any]) -> None:
    live = cast["lives"]["scheduled"]
    assert owner.get(f"/dashboard/lives/{live}/key/")["Location"] == f"/dashboard/lives/{live}/"


def test_probing_keeps_no_stream_key(owner: Client, secret: str) -> None:
    call_command("probe", stdout=StringIO())
    forget()
    assert Account.objects.exists()
    assert secret not in str([vars(known) for known in KnownAnswer.objects.all()])

"""The first page of an account that is new here: what works, the address to allow, a video to try, links to bring."""

from dataclasses import replace
from html import unescape
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.getting_started.models import Setup
from dashboard.getting_started.pages import PARTS
from dashboard.health import probing
from dashboard.platform_api.config import ASSUMED
from dashboard.upstream import capabilities, clients
from dashboard.upstream.capabilities import Tried
from dashboard.upstream.models import CapabilityState
from tests.answering import answer_with
from tests.forgetting import forget
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

HERE = "/dashboard/getting-started/"


def sign_in(client: Client, cast: dict[str, Any], **form: str) -> str:
    answer = client.post("/sign-in/", {"token": cast["tokens"]["owner"], "name": "Serra Alta", **form})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.mark.usefixtures("platform_elsewhere")
def test_an_account_that_is_new_here_begins_with_it_and_one_that_is_known_does_not(
    client: Client, cast: dict[str, Any]
) -> None:
    assert sign_in(client, cast, next="/dashboard/") == HERE
    assert sign_in(Client(), cast) == "/dashboard/"


@pytest.mark.usefixtures("platform_elsewhere")
def test_somebody_on_the_way_to_a_page_is_led_to_that_page(client: Client, cast: dict[str, Any]) -> None:
    assert sign_in(client, cast, next="/dashboard/lives/") == "/dashboard/lives/"


def test_the_demo_begins_with_its_overview(client: Client, cast: dict[str, Any]) -> None:
    assert sign_in(client, cast) == "/dashboard/"
    assert "Set up this account" not in client.get("/dashboard/").content.decode()


@pytest.mark.usefixtures("platform_elsewhere")
def test_the_overview_leads_there_until_somebody_finishes_it(owner: Client) -> None:
    assert "Set up this account" in owner.get("/dashboard/").content.decode()
    finished = owner.post(f"{HERE}finish/", follow=True)
    assert finished.redirect_chain == [("/dashboard/", 302)]
    assert "This account is set up." in finished.content.decode()
    assert "Set up this account" not in owner.get("/dashboard/").content.decode()
    assert "Set up since" in read_page(owner, HERE)


def test_it_names_the_address_that_people_open(owner: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    page = owner.get(HERE, headers={"host": "review.example.com"}).content.decode()
    assert 'value="review.example.com"' in page


def test_until_the_platform_was_tried_the_table_says_so_and_follows(owner: Client) -> None:
    account = Account.objects.get()
    capabilities.forget_account(account.pk)
    assert "Being checked" in read_page(owner, HERE)
    assert owner.get(f"{HERE}works/").status_code == 204
    probing.probe(account)
    part = owner.get(f"{HERE}works/").content.decode()
    assert "Being checked" not in part
    assert part.count("Available") + part.count("Not known yet") == len(PARTS)
    assert part.count("Available") >= len(PARTS) - 2, "only what no video has can be unknown"
    assert "Subtitles are read from their public files" in part
    assert "The state of a live is read from its public file" in part
    assert "The state of an A/B test is read from its public file" in part


def test_what_is_absent_or_forbidden_says_what_is_so_without_it(owner: Client) -> None:
    account = Account.objects.get()
    absent = Tried("lives.list", CapabilityState.ABSENT, ASSUMED["lives.list"])
    forbidden = Tried("playlists.list", CapabilityState.FORBIDDEN, ASSUMED["playlists.list"])
    capabilities.keep(account.pk, [absent, forbidden])
    page = read_page(owner, HERE)
    assert "Not on this platform" in page and "Not allowed for this account" in page
    assert page.count("They are not listed. Open one by its id.") == 2


def test_funnels_that_only_their_folder_tells_count_as_available(owner: Client) -> None:
    account = Account.objects.get()
    absent = Tried("funnels.list", CapabilityState.ABSENT, ASSUMED["funnels.list"])
    found = Tried("folders.funnels", CapabilityState.FOUND, ASSUMED["folders.funnels"])
    capabilities.forget_account(account.pk)
    capabilities.keep(account.pk, [absent, found])
    page = read_page(owner, HERE)
    assert page.count("Available") == 1 and "Not on this platform" not in page


def test_public_files_say_in_words_what_works_and_what_is_missing(owner: Client, settings: Any) -> None:
    account, config = Account.objects.get(), clients.config()
    states = {"video": CapabilityState.FOUND, "subtitle": CapabilityState.ABSENT, "live": CapabilityState.UNTRIED}
    operations = {f"public_files.{name}": state for name, state in states.items()}
    capabilities.keep(
        account.pk, [Tried(name, state, capabilities.path_of(name, config)) for name, state in operations.items()]
    )
    page = unescape(read_page(owner, HERE))
    assert "Bookmarks, languages and AI content of a video are read from its public file." in page
    assert "Subtitles are read through the platform's API only." in page
    assert "None was found for the first videos" in page


def test_a_host_that_is_not_set_is_said_with_its_setting(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(clients.config(), subtitles_url="")
    monkeypatch.setattr(clients, "config", lambda: config)
    probing.probe(Account.objects.get())
    page = read_page(owner, HERE)
    assert page.count("Address not set on this installation") == 1
    assert "To change this, set PLATFORM_SUBTITLES_URL on the server." in page


def test_links_that_this_installation_does_not_read_are_said_to_be_switched_off(owner: Client, settings: Any) -> None:
    settings.PLATFORM_REVIEW_READS = False
    clients.forget()
    assert read_page(owner, HERE).count("Switched off on this installation") == 2


def test_a_video_that_played_is_kept_and_said(owner: Client) -> None:
    page = read_page(owner, HERE)
    assert "<iframe" in page and "It plays" in page
    answer = owner.post(f"{HERE}played/")
    assert (answer.status_code, answer["Location"]) == (302, f"{HERE}#check")
    assert Setup.objects.get().played_at is not None
    page = read_page(owner, HERE)
    assert "Seen" in page and "plays.js" not in page


def test_the_script_of_the_page_gets_the_state_alone(owner: Client) -> None:
    answer = owner.post(f"{HERE}played/", headers={"hx-request": "true"})
    assert answer.content.decode().strip().startswith('<div class="stack" id="played"')


def test_a_video_that_does_not_play_shows_what_helps(owner: Client) -> None:
    assert "data-fails hidden" in read_page(owner, HERE)
    assert "data-fails hidden" not in read_page(owner, f"{HERE}?plays=no")


def test_the_player_of_another_host_may_stand_on_this_page_and_on_no_other(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = {"id": str(uuid4()), "title": "Cut 3", "playable": True, "video_player": "https://player.example/embed/?v=1"}
    answer_with(monkeypatch, lambda request: {"videos": [film], "total": 1, "pages": 1}, "videos.list")
    assert "frame-src 'self' https://player.example" in owner.get(HERE)["Content-Security-Policy"]
    assert "player.example" not in owner.get("/dashboard/health/")["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"status": 404}, "The platform does not list its videos."),
        ({"status": 500}, "The platform has trouble of its own"),
    ],
)
def test_a_library_that_cannot_be_read_is_told_and_the_rest_stays(
    owner: Client, faults: ModuleType, fault: dict[str, Any], said: str
) -> None:
    forget()
    faults.set("videos.list", **fault)
    page = read_page(owner, HERE)
    assert said in page and "Allow this address" in page

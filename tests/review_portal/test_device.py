"""Going on as the same person on another device: by a code that works once, here only, for minutes, and by nobody's guess."""

import logging
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from review_portal import models, reviewers
from review_portal.models import Comment, Passage, ReviewLink
from tests.kept_rows import KeptRows
from tests.review_portal.conftest import Reviewer, World, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def ana(reviewer: Reviewer, kept_rows: KeptRows) -> Reviewer:
    """Somebody who wrote here."""
    kept_rows.take(lambda: reviewer.post("Mine.", "0:30"), reviewer.client)
    return reviewer


def shown(reviewer: Reviewer) -> str:
    """A fresh code, as the page shows it."""
    page = reviewer.client.post(f"/{reviewer.link}/device", {"do": "show"}).content.decode()
    found = re.search(r'class="device__typed">([0-9A-Z]{5}-[0-9A-Z]{5})<', page)
    assert found is not None
    return found[1]


def send(client: Client, link: uuid.UUID, do: str, code: str) -> Any:
    return client.post(f"/{link}/device", {"do": do, "code": code})


def test_the_other_device_is_the_same_person_and_edits_what_was_written_here(world: World, ana: Reviewer) -> None:
    phone = Reviewer(ana.link)
    code = shown(ana)
    looked = send(phone.client, ana.link, "look", code).content.decode()
    assert "Continue here as Ana Prado?" in looked
    assert "reviewer" not in phone.client.cookies  # looking is not going on
    gone = send(phone.client, ana.link, "go", code)
    assert gone["Location"] == f"/{ana.link}?device=new#talk"
    assert phone.client.cookies["reviewer"].value == ana.client.cookies["reviewer"].value
    assert phone.client.cookies["reviewer"]["httponly"]
    assert phone.client.cookies["reviewer"]["path"] == f"/{ana.link}"
    assert "You continue here as <b>Ana Prado</b>." in phone.open("?device=new").content.decode()
    assert phone.change(theirs().get().pk, text="Mine, from the phone.").status_code == 302
    assert theirs().get().text == "Mine, from the phone."
    phone.post("Also mine.")
    assert len(set(theirs().values_list("token", flat=True))) == 1
    assert models.Reviewer.objects.count() == 1


def test_the_scanned_address_leads_to_the_same_question(ana: Reviewer) -> None:
    code = shown(ana).replace("-", "")
    page = Client().get(f"/{ana.link}/device?code={code}").content.decode()
    assert "Continue here as Ana Prado?" in page
    assert Passage.objects.get().used_at is None  # a preview of the address uses nothing up


def test_a_new_secret_key_makes_no_stranger_of_a_reviewer_and_spoils_no_code(
    world: World, ana: Reviewer, settings: Settings
) -> None:
    code = shown(ana)
    settings.SECRET_KEY = "another-k9Zq4W1xT7_bR2mVs8Lh5Yd0Jc3Nf6Pg"
    assert ana.change(theirs().get().pk, text="Still mine.").status_code == 302
    phone = Reviewer(ana.link)
    assert send(phone.client, ana.link, "go", code).status_code == 302
    assert phone.change(theirs().get().pk, text="Mine here too.").status_code == 302
    assert theirs().get().text == "Mine here too." and models.Reviewer.objects.count() == 1


def test_a_cookie_of_the_release_before_is_believed_as_long_as_its_secret_key_and_renewed_by_writing(
    world: World, ana: Reviewer, settings: Settings
) -> None:
    me = models.Reviewer.objects.get()
    of_before = signing.Signer(salt=f"reviewer:{me.link_id}").sign(str(me.pk))

    def status(cookie: str) -> tuple[int, Reviewer]:
        browser = Reviewer(ana.link)
        browser.client.cookies["reviewer"] = cookie
        return browser.change(theirs().get().pk, text=f"Mine {uuid.uuid4()}").status_code, browser

    assert status(of_before)[0] == 302
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 9, [settings.SECRET_KEY]
    code, browser = status(of_before)
    settings.SECRET_KEY_FALLBACKS = []
    assert (code, status(of_before)[0]) == (302, 403)
    assert status(browser.client.cookies["reviewer"].value)[0] == 302


@pytest.mark.parametrize("typed", ["{0}-{1}", " {0} {1} ", "{0}{1}"])
@pytest.mark.parametrize("lower", [True, False])
def test_it_may_be_typed_as_people_type(ana: Reviewer, typed: str, lower: bool) -> None:
    written = typed.format(*shown(ana).split("-"))
    answer = send(Client(), ana.link, "go", written.lower() if lower else written)
    assert answer.status_code == 302


def refused(client: Client, link: uuid.UUID, code: str, status: int, sentence: str) -> None:
    for do in ("look", "go"):
        answer = send(client, link, do, code)
        assert answer.status_code == status
        assert sentence in answer.content.decode()
        assert "reviewer" not in client.cookies


def test_a_used_code_is_over(ana: Reviewer) -> None:
    code = shown(ana)
    assert send(Client(), ana.link, "go", code).status_code == 302
    refused(Client(), ana.link, code, 410, "This code was already used")


@pytest.mark.parametrize(("minutes", "works"), [(9, True), (10, False), (11, False)])
def test_it_works_for_ten_minutes(ana: Reviewer, minutes: int, works: bool) -> None:
    code = shown(ana)
    Passage.objects.update(expires_at=timezone.now() + timedelta(minutes=reviewers.MINUTES - minutes))
    if works:
        assert send(Client(), ana.link, "go", code).status_code == 302
    else:
        refused(Client(), ana.link, code, 410, "This code has expired after 10 minutes")


def test_another_link_s_code_is_not_known(world: World, ana: Reviewer) -> None:
    second = Reviewer(world.link(name="Second"))
    second.open()
    refused(second.client, second.link, shown(ana), 422, "This code does not work on this link")


@pytest.mark.parametrize("typed", ["", "ABCD", "ABCD-EFGH", "<script>", "x" * 500, "\u0000"])
def test_what_is_no_code_is_not_known_and_comes_back_harmless(ana: Reviewer, typed: str) -> None:
    shown(ana)
    refused(Client(), ana.link, typed, 422, "This code does not work on this link")


def test_a_newer_code_takes_the_place_of_the_one_before(ana: Reviewer) -> None:
    first, second = shown(ana), shown(ana)
    refused(Client(), ana.link, first, 422, "does not work")
    assert send(Client(), ana.link, "go", second).status_code == 302


def test_of_two_devices_at_once_one_goes_on(ana: Reviewer) -> None:
    code = shown(ana)
    found = reviewers.find_passage(ReviewLink.objects.get(), code, timezone.now())
    assert isinstance(found, Passage)
    assert [reviewers.use_passage(found, timezone.now()) for _device in range(2)] == [True, False]


def test_who_tries_many_codes_is_stopped_even_with_the_right_one(ana: Reviewer, one_window: None) -> None:
    code, guesser = shown(ana), Client()
    limit, _seconds = reviewers.TRIES_PER_ADDRESS
    assert {send(guesser, ana.link, "look", f"GUESS{n:03}").status_code for n in range(limit)} == {422}
    refused(guesser, ana.link, code, 429, "Too many codes were requested")
    assert int(send(guesser, ana.link, "go", code)["Retry-After"]) == 600
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert send(elsewhere, ana.link, "go", code).status_code == 302


def test_wrong_codes_of_others_never_stop_somebody_elsewhere(ana: Reviewer, one_window: None) -> None:
    code = shown(ana)
    for n in range(100):
        send(Client(REMOTE_ADDR=f"198.51.{n % 10}.9"), ana.link, "look", "GUESSED")
    colleague = Client(REMOTE_ADDR="198.51.1.10")  # in the network of one who guesses, at another address
    assert send(colleague, ana.link, "look", code).status_code == 200
    assert send(Client(REMOTE_ADDR="203.0.113.9"), ana.link, "go", code).status_code == 302


def test_one_network_s_guesses_are_too_few_to_find_a_code(ana: Reviewer, one_window: None) -> None:
    limit, _seconds = reviewers.TRIES_PER_NETWORK
    per_address, _seconds = reviewers.TRIES_PER_ADDRESS
    for n in range(limit):
        send(Client(REMOTE_ADDR=f"198.51.1.{n // per_address}"), ana.link, "look", "GUESSED")
    assert send(Client(REMOTE_ADDR="198.51.1.200"), ana.link, "go", shown(ana)).status_code == 429
    codes = len(reviewers.ALPHABET) ** reviewers.LENGTH
    assert 10_000 * 2 * limit / codes < 1e-8  # of 10,000 networks at once, while one code lives


def test_codes_are_not_shown_without_end(ana: Reviewer, one_window: None) -> None:
    limit, _seconds = reviewers.CODES_PER_REVIEWER
    for _time in range(limit):
        shown(ana)
    assert ana.client.post(f"/{ana.link}/device", {"do": "show"}).status_code == 429


def test_nobody_is_shown_a_code_without_being_somebody(ana: Reviewer) -> None:
    page = Client().post(f"/{ana.link}/device", {"do": "show"}).content.decode()
    assert "device__typed" not in page
    assert not Passage.objects.exists()


def test_who_is_somebody_else_here_is_told_what_is_given_up(ana: Reviewer) -> None:
    bruno = Reviewer(ana.link, "Bruno")
    bruno.post("His.")
    code = shown(ana)
    assert "You are Bruno on this device now" in send(bruno.client, ana.link, "look", code).content.decode()
    send(bruno.client, ana.link, "go", code)
    assert bruno.change(Comment.objects.get(text="His.").comment_id, text="Hers?").status_code == 403


def test_the_device_that_shows_the_code_is_sent_to_the_other(ana: Reviewer) -> None:
    page = send(ana.client, ana.link, "look", shown(ana)).content.decode()
    assert "Open it on the other one." in page
    assert 'value="go"' not in page


def test_neither_token_nor_code_is_where_it_does_not_belong(ana: Reviewer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    first = ana.client.post(f"/{ana.link}/device", {"do": "show"})
    code = re.search(r"[0-9A-Z]{5}-[0-9A-Z]{5}(?=<)", first.content.decode())[0]  # type: ignore[index]  # just shown
    phone = Client()
    answers = [first, send(phone, ana.link, "look", code), send(phone, ana.link, "go", code), phone.get(f"/{ana.link}")]
    token = models.Reviewer.objects.get().token
    for answer in answers:
        assert token not in answer.content.decode() + str(dict(answer.headers)) + str(answer.cookies)
    for answer in answers[:2]:
        assert (answer["Cache-Control"], answer["Referrer-Policy"]) == ("private, no-store", "same-origin")
    plain = code.replace("-", "")
    for spelling in (code, plain):
        assert spelling not in str(list(Passage.objects.values())) + caplog.text + str(answers[2].headers)


def test_going_on_needs_the_forms_own_token(ana: Reviewer) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.get(f"/{ana.link}/device")
    assert send(strict, ana.link, "go", shown(ana)).status_code == 403
    assert Passage.objects.get().used_at is None


@pytest.mark.parametrize(("change", "status"), [({"status": "inactive"}, 403), ({"expires_at": timezone.now()}, 410)])
def test_a_link_that_is_closed_lets_nobody_go_on(ana: Reviewer, change: dict[str, Any], status: int) -> None:
    code = shown(ana)
    ReviewLink.objects.update(**change)
    assert send(Client(), ana.link, "go", code).status_code == status
    assert Passage.objects.get().used_at is None


def test_old_codes_are_forgotten(ana: Reviewer) -> None:
    code = shown(ana)
    send(Client(), ana.link, "go", code)
    Passage.objects.update(expires_at=timezone.now() - reviewers.KEPT - timedelta(minutes=1))
    shown(ana)
    assert Passage.objects.count() == 1


def test_the_way_there_is_where_people_look(ana: Reviewer) -> None:
    way = f'href="/{ana.link}/device"'
    assert way in ana.open().content.decode()
    assert way in ana.client.get(f"/{ana.link}/finish").content.decode()
    stranger = Client()
    assert way not in stranger.get(f"/{ana.link}").content.decode()
    assert way in stranger.get(f"/{ana.link}/finish").content.decode()
    assert 'name="code"' in stranger.get(f"/{ana.link}/device").content.decode()
    assert stranger.get(f"/{uuid.uuid4()}/device").status_code == 404

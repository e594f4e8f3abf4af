"""The end of a review, and its way to another device: what was written, what is open, what was never watched."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from review_portal.models import Comment
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways, wait_until


@pytest.fixture
def ana(open_browser: OpenBrowser, link: str) -> Page:
    """Somebody who has written a comment and seen the first half minute."""
    page = open_browser(permissions=["clipboard-read", "clipboard-write"])
    page.goto(link)
    page.locator("#text").fill("The cup needs one more beat.")
    page.locator("#name").fill("Ana Prado")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(page.locator("#threads").get_by_text("The cup needs one more beat.")).to_be_visible()
    page.evaluate(
        "([key, value]) => localStorage.setItem(key, value)", [f"review:{link[1:]}:watched", json.dumps([[0, 30]])]
    )
    return page


def test_an_edit_is_taken_back_and_the_finished_review_is_read_copied_and_printed(
    ana: Page, axe: FindingsOf, speak: Speak, link: str
) -> None:
    mine = ana.locator("#threads article[data-mine]")
    mine.get_by_role("link", name="Edit").click()
    mine.locator("textarea").fill("The cup needs an hour.")
    mine.get_by_label("Time").fill("0:03")
    mine.get_by_role("button", name="Save changes").click()
    expect(mine.locator(".comment__text")).to_have_text("The cup needs an hour.")
    ana.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(mine.locator(".comment__text")).to_have_text("The cup needs one more beat.")
    assert Comment.objects.get(reviewer__name="Ana Prado").time == 0
    ana.goto(f"{link}/finish")
    expect(ana.locator("main")).to_contain_text("You wrote 1 comment and 0 replies.")
    expect(ana.locator("[data-drafts]")).to_be_hidden()  # it was sent: nothing of it is left over
    expect(ana.locator("[data-unwatched] a")).to_have_text("0:30–1:12")
    expect(ana.locator("[data-watched-part]")).to_have_text("41%")
    assert axe(ana) == []
    ana.get_by_role("button", name="Copy as text").click()
    expect(ana.get_by_role("button", name="Copied")).to_be_visible()
    copied = ana.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(
        "Serra Alta, launch film\n\nEverybody's decisions\n- Ana Prado 1 comment Not decided\n\n"
        "What you wrote\n- 0:00 Ana Prado The cup needs one more beat. Open\n"
    )
    assert "Never watched\n- 0:30–1:12" in copied
    ana.emulate_media(media="print")
    expect(ana.get_by_role("button", name="Print")).to_be_hidden()
    expect(ana.get_by_text("Priya Nair").first).to_be_visible()
    ana.emulate_media(media="screen")
    speak(ana, "es")
    ana.reload()
    assert sideways(ana) == []
    ana.locator("[data-unwatched] a").click()
    ana.wait_for_url(f"**{link}?t=30")


def test_a_decision_is_made_by_keyboard_survives_a_reload_and_can_be_changed(
    ana: Page, axe: FindingsOf, link: str
) -> None:
    ana.goto(link)
    ana.get_by_role("link", name="Finish review").click()
    decision = ana.locator("#decision")
    assert axe(ana) == []
    decision.get_by_role("radio", name="Approve with changes").focus()
    ana.keyboard.press("Space")
    ana.get_by_label("What must change").fill("Lower the wordmark.")
    ana.get_by_label("Your name").fill("Ana P. Prado")
    ana.reload()
    expect(ana.get_by_label("What must change")).to_have_value("Lower the wordmark.")
    expect(ana.get_by_label("Your name")).to_have_value("Ana P. Prado")
    expect(decision.get_by_role("radio", name="Approve with changes")).to_be_checked()
    decision.get_by_role("button", name="Send decision").press("Enter")
    expect(decision.get_by_role("heading")).to_have_text("You approved this video with changes")
    expect(decision.get_by_role("heading")).to_be_focused()
    expect(decision).to_contain_text("The owner has not opened it yet.")
    expect(ana.locator(".decisions")).to_contain_text("Ana P. Prado (you)")
    assert axe(ana) == []
    decision.get_by_role("link", name="Change decision").click()
    expect(ana.get_by_label("What must change")).to_have_value("Lower the wordmark.")
    decision.get_by_role("radio", name="The video can go out as it is.").check()
    decision.get_by_role("button", name="Send decision").click()
    expect(decision.get_by_role("heading")).to_have_text("You approved this video")
    decision.get_by_role("button", name="Withdraw decision").click()
    expect(decision.get_by_role("button", name="Send decision")).to_be_visible()
    expect(ana.get_by_label("What must change")).to_have_value("")


def test_a_decision_that_is_sent_without_a_connection_stays_until_there_is_one(
    open_browser: OpenBrowser, link: str, axe: FindingsOf
) -> None:
    phone = open_browser(viewport=PHONE, has_touch=True)
    phone.goto(f"{link}/finish")
    phone.get_by_text("You want to review the next cut.").tap()
    phone.get_by_label("What must change").fill("The end is missing.")
    phone.get_by_label("Your name").fill("Jonas Weber")
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Send decision").tap()
    expect(phone.get_by_role("alert")).to_contain_text("You are offline.")
    expect(phone.get_by_label("What must change")).to_have_value("The end is missing.")
    assert axe(phone) == [] and sideways(phone) == []
    phone.context.set_offline(False)
    expect(phone.get_by_role("alert")).to_have_count(0)
    phone.get_by_role("button", name="Send decision").tap()
    expect(phone.get_by_role("heading", name="You asked for another round")).to_be_visible()
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Withdraw decision").tap()
    expect(phone.get_by_role("alert")).to_contain_text("You are offline.")
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Withdraw decision").tap()
    expect(phone.get_by_role("button", name="Send decision")).to_be_visible()


def test_the_decision_fits_a_phone_in_every_language(
    open_browser: OpenBrowser, axe: FindingsOf, link: str, speak: Speak, complaints: Complaints
) -> None:
    complaints.expected.append("422")
    phone = open_browser(viewport={"width": 320, "height": 640}, has_touch=True)
    for language in ("es", "pt-BR", "en"):
        speak(phone, language)
        phone.goto(f"{link}/finish")
        assert sideways(phone) == [], language
        phone.locator("#decision button").tap()
        phone.locator("#decision [aria-invalid]").first.wait_for()
        assert sideways(phone) == [], language
        assert axe(phone) == [], language


def test_code_for_another_device_is_shown_with_a_picture_to_scan(ana: Page, axe: FindingsOf, link: str) -> None:
    ana.goto(f"{link}/finish")
    ana.get_by_role("link", name="Continue on another device").click()
    assert axe(ana) == []
    ana.get_by_role("button", name="Show a code").click()
    expect(ana.locator(".device__typed")).to_be_visible()
    expect(ana.get_by_role("img", name="QR code to continue as you on another device")).to_be_visible()
    assert axe(ana) == []
    assert sideways(ana) == []


def test_pages_of_links_that_are_closed_or_unknown_are_accessible_and_fit(
    open_browser: OpenBrowser, axe: FindingsOf, cast: dict[str, Any], speak: Speak, complaints: Complaints
) -> None:
    complaints.expected += ["410", "403", "404"]
    page, links = open_browser(), cast["review_links"]
    unknown = "00000000-0000-4000-8000-000000000000"
    for address in (links["expired"], f"{links['expired']}?read=1", links["inactive"], unknown):
        speak(page, "es")
        page.goto(f"/{address}")
        assert axe(page) == [], address
        assert sideways(page) == [], address


def test_a_first_visit_says_in_the_reader_s_own_zone_when_the_link_closes(
    open_browser: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("410")
    page = open_browser(timezone_id="America/Sao_Paulo", locale="pt-BR")
    page.goto(f"/{cast['review_links']['expired']}")
    moment = page.locator("time[data-moment]")
    expect(moment).to_contain_text("America/Sao Paulo, ")
    first = [int(part) for part in re.findall(r"(\d+):(\d+)", moment.inner_text())[0]]
    expect(moment).to_have_text(re.compile(r"\d\d:\d\d UTC$"))
    page.reload()
    again = [int(part) for part in re.findall(r"(\d+):(\d+)", moment.inner_text())[0]]
    assert first == again  # the browser wrote what the server says from now on


def test_what_waits_offline_is_shown_and_sent_on_the_finished_review_too(
    ana: Page, complaints: Complaints, link: str
) -> None:
    complaints.expected += ["ERR_FAILED", "ERR_INTERNET_DISCONNECTED"]
    ana.locator("#threads article[data-mine]").first.wait_for()
    ana.context.set_offline(True)
    ana.locator("#text").fill("From the tunnel.")
    ana.get_by_role("button", name="Post comment").click()
    resolve = ana.locator("#threads article[data-mine]").get_by_role("button", name="Resolve", exact=True)
    resolve.click()
    expect(ana.locator("#outbox [data-waits]")).to_have_count(2)
    ana.route("**/comments**", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    ana.context.set_offline(False)
    ana.goto(f"{link}/finish")
    expect(ana.locator("[data-drafts-list] li")).to_have_text([re.compile("From the tunnel"), re.compile("Resolve: “")])
    ana.unroute("**/comments**")
    ana.evaluate("dispatchEvent(new Event('online'))")
    expect(ana.locator("main")).to_contain_text("From the tunnel.")
    expect(ana.locator("main")).to_contain_text("You wrote 2 comments")
    expect(ana.locator("[data-drafts]")).to_be_hidden()
    assert Comment.objects.get(text="From the tunnel.").reviewer is not None
    assert Comment.objects.get(text="The cup needs one more beat.").status == "resolved"


def test_a_connection_that_is_back_before_an_attempt_has_failed_is_not_missed_on_the_finished_review(
    ana: Page, complaints: Complaints, link: str
) -> None:
    complaints.expected += ["ERR_FAILED", "ERR_INTERNET_DISCONNECTED"]
    ana.context.set_offline(True)
    ana.locator("#text").fill("From the tunnel.")
    ana.get_by_role("button", name="Post comment").click()
    expect(ana.locator("#outbox [data-waits]")).to_have_count(1)
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if not ana.url.endswith("/finish"):
            route.abort()
        elif held:
            route.continue_()
        else:
            held.append(route)

    ana.route("**/comments**", hold_the_first)
    ana.context.set_offline(False)
    ana.goto(f"{link}/finish")
    wait_until(ana, lambda: held, "the finished review sends nothing")
    ana.evaluate("dispatchEvent(new Event('online'))")
    held[0].abort()
    expect(ana.locator("main")).to_contain_text("You wrote 2 comments", timeout=4_000)


def test_an_edit_that_waits_since_an_earlier_visit_is_taken_back_into_its_box_without_a_connection(
    ana: Page, complaints: Complaints, link: str
) -> None:
    complaints.expected += ["ERR_FAILED", "ERR_INTERNET_DISCONNECTED"]
    mine = Comment.objects.get(reviewer__name="Ana Prado").comment_id
    fields = {"text": "The cup needs an hour.", "opened_text": "The cup needs one more beat.", "time": "0:00"}
    entry = {"action": f"{link}/comments/{mine}", "fields": fields, "label": "“The cup needs an hour.”",
             "edits": f"edit-{mine}", "at": 1}  # fmt: skip
    ana.evaluate("([k, v]) => localStorage.setItem(k, v)", [f"review:{link[1:]}:queue:x", json.dumps(entry)])
    ana.route("**/comments/**", lambda route: route.abort())
    ana.reload()
    expect(ana.locator("#outbox [data-waits]")).to_contain_text("The cup needs an hour.")
    ana.wait_for_load_state("networkidle")
    ana.context.set_offline(True)
    ana.evaluate("document.querySelector('#outbox [data-waits] button').click()")
    expect(ana.locator("#threads article[data-mine] textarea")).to_have_value("The cup needs an hour.")

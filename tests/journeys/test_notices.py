"""A reviewer leaves an address, the owner answers, and the e-mail opens the room at the moment; the bell; without script."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from dashboard.notices.models import Subscription
from tests.journeys.conftest import PHONE, sideways
from tests.notices.conftest import MAILBOX, work


def test_reviewer_leaves_an_address_and_the_mail_opens_the_room_at_the_moment(
    open_browser: Any, desk: Any, cast: dict[str, Any], axe: Any, complaints: Any
) -> None:
    complaints.expected.append("422")
    link = cast["review_links"]["open"]
    room: Page = open_browser(viewport=PHONE, color_scheme="dark")
    room.goto(f"/{link}?t=12")
    room.fill("#text", "Hold the cup one beat longer.")
    room.fill("#at", "0:12")
    room.fill("#name", "Ana Prado")
    room.get_by_role("button", name="Post comment").click()
    work(6)
    summary = room.locator("#email-offer summary")
    expect(summary).to_be_visible()
    summary.click()
    room.fill("#email-offer #address", "ana@example")
    room.locator("#email-offer").get_by_role("button", name="Get answers by e-mail").click()
    expect(room.locator("#email")).to_contain_text("This is no e-mail address")
    expect(room.locator("#address")).to_have_value("ana@example")
    room.fill("#address", "ana@example.com")
    room.locator("#email").get_by_role("button", name="Get answers by e-mail").click()
    expect(room.locator("#email")).to_contain_text("Press the button in the e-mail to a…@example.com")
    assert sideways(room) == [] and axe(room) == []
    work(2)

    owner: Page = desk()
    owner.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")  # the platform says whose link it is
    owner.goto(MAILBOX)
    owner.frame_locator("iframe").get_by_role("link", name="Confirm address").click()
    owner.get_by_role("button", name="Confirm address").click()
    expect(owner.locator("h1")).to_have_text("Your address is confirmed")
    assert Subscription.objects.get().is_on

    owner.goto(f"/dashboard/review-links/{link}/")
    owner.locator("article", has_text="Hold the cup one beat longer.").get_by_role("link", name="Reply").click()
    owner.fill("#answer-text", "Done in the next cut.")
    owner.get_by_role("button", name="Post reply").click()
    expect(owner.get_by_text("Done in the next cut.").first).to_be_visible()
    work(0)
    owner.goto(MAILBOX)
    expect(owner.locator(".mailbox__list")).to_contain_text("Waiting until")
    work(301)
    owner.goto(MAILBOX)
    mail = owner.frame_locator("iframe")
    expect(mail.locator("body")).to_contain_text("Done in the next cut.")
    mail.get_by_role("link", name="Open at 0:12").click()
    owner.wait_for_url(re.compile(rf"/{link}\?t=12"))
    owner.goto(MAILBOX)
    owner.frame_locator("iframe").get_by_role("link", name="Stop these e-mails").click()
    owner.get_by_role("button", name="Stop these e-mails").click()
    expect(owner.locator("h1")).to_have_text("E-mails are stopped")
    room.reload()
    expect(room.locator("#email")).to_contain_text("your address was deleted")


def test_bell_opens_the_newest_and_pages_fit_in_the_longest_words(
    desk: Any, cast: dict[str, Any], axe: Any, speak: Any
) -> None:
    page: Page = desk(color_scheme="dark")
    speak(page, "es")  # its words are the longest
    page.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    page.goto(f"/dashboard/review-links/{cast['review_links']['open']}/")
    work(0)
    page.goto("/dashboard/notices/")
    expect(page.locator(".told__item--new").first).to_be_visible()
    expect(page.locator("#bell-count")).not_to_have_text("")
    page.locator(".bell__more").click()
    expect(page.locator("#bell-lines .told__item").first).to_be_visible()
    assert axe(page) == []
    page.locator("#bell-lines").get_by_role("button").click()
    expect(page.locator(".told__item--new")).to_have_count(0)
    for path in ("", "settings/", "webhook/", "mailbox/"):
        page.goto(f"/dashboard/notices/{path}")
        assert sideways(page) == [] and axe(page) == [], path


TAB = """(allowed) => {
  window.shown = [];
  window.Notification = class extends EventTarget {
    static permission = allowed ? "granted" : "default";
    static requestPermission = async () => (Notification.permission = "granted");
    constructor(title, options) {
      super();
      window.shown.push(`${title}: ${options.body}`);
    }
  };
  Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away === true });
}"""
NEWS = """(count) => {
  const bell = document.getElementById("bell-count");
  [bell.dataset.new, bell.textContent] = [String(count), `${count} new`];
  document.dispatchEvent(new Event("htmx:afterSwap"));
}"""


def test_a_hidden_tab_counts_in_its_title_and_shows_a_browser_notice_only_where_it_was_allowed(desk: Any) -> None:
    page: Page = desk()
    page.add_init_script(f"({TAB})(false)")
    page.goto("/dashboard/notices/")
    title = page.title()
    page.evaluate("window.away = true")
    page.evaluate(NEWS, 2)
    assert (page.title(), page.evaluate("shown")) == (f"(2) {title}", [])
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.title() == title
    page.locator("[data-notify]").click()
    expect(page.locator("[data-notify]")).to_be_disabled()
    page.evaluate(NEWS, 3)
    assert (page.title(), page.evaluate("shown")) == (title, []), "whoever looks at the page needs no notice"
    page.evaluate("window.away = true")
    page.evaluate(NEWS, 4)
    assert page.evaluate("shown") == ["Reelroom: 4 new"]
    page.evaluate(NEWS, 1)
    assert (page.title(), page.evaluate("shown.length")) == (f"(1) {title}", 1), "less than before is no news"

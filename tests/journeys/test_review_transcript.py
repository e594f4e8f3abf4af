"""The transcript beside the video: by mouse, by keyboard, on a phone, without script, and three hours long."""

from playwright.sync_api import Page, Route, expect

from dashboard.sandbox import models as platform
from review_portal.models import Comment, ReviewLink
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, sideways, wait_until
from tests.review_portal.test_transcript import long_vtt

ROWS = "#transcript .sentence"


def now(page: Page) -> float:
    return float(page.locator("video").evaluate("video => video.currentTime"))


def is_paused(page: Page) -> bool:
    return bool(page.locator("video").evaluate("video => video.paused"))


def open_transcript(page: Page) -> None:
    page.get_by_role("link", name="Transcript").click()
    expect(page.locator(ROWS).first).to_be_visible()


def test_words_play_follow_are_found_and_become_a_comment(
    open_browser: OpenBrowser, axe: FindingsOf, link: str
) -> None:
    page = open_browser()
    page.goto(link)
    page.locator(".transport__play").click()
    open_transcript(page)
    expect(page).to_have_url(f"{page.url.split(link)[0]}{link}?tab=transcript")
    assert not is_paused(page)  # another tab is no reason to stop
    page.locator(f"{ROWS}[data-n='4'] .sentence__link").click()
    expect(page.locator(f"{ROWS}[data-n='4']")).to_have_attribute("aria-current", "true")
    wait_until(page, lambda: 18 <= now(page) < 30, "the video plays from the row")
    follow = page.get_by_role("button", name="Back to the words playing now")
    expect(follow).to_be_hidden()
    page.locator("[data-words-list]").hover()
    page.mouse.wheel(0, 400)
    expect(follow).to_be_visible()
    follow.click()
    expect(follow).to_be_hidden()
    page.keyboard.press("Control+Home")
    page.get_by_label("Search the transcript").fill("CEREJA")
    expect(page.locator(".find-row__count")).to_have_text("1 of 1")
    expect(page.locator(".hit--now")).to_have_text("cereja")
    expect(page.get_by_label("Search the transcript")).to_be_focused()
    assert axe(page) == []
    page.get_by_label("Search the transcript").fill("")
    expect(page.locator(".find-row__count")).to_have_text("")
    page.get_by_role("button", name="Comment on the words at 0:22").click()
    assert is_paused(page)
    expect(page.locator("#text")).to_be_focused()
    page.locator(f"{ROWS}[data-n='6'] [data-quote]").click(modifiers=["Shift"])
    expect(page.locator(".sentence--picked")).to_have_count(2)
    page.locator("#text").press("Control+End")
    page.locator("#text").type("Say it slower.")
    page.locator("#name").fill("Ana Prado")
    page.locator("#text").press("Control+Enter")
    expect(page.locator(".sentence--picked")).to_have_count(0)
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    mine = Comment.objects.filter(reviewer__name="Ana Prado")
    wait_until(page, mine.exists, "the comment is sent")
    before = page.locator(f"{ROWS}[data-n='5'] .sentence__talk")
    expect(before).to_contain_text("2")
    own = mine.get()
    assert own.time == 22
    assert own.text.startswith("0:22-0:32 “O verde espera mais uma semana no pé. No terreiro, ")
    assert own.text.endswith("”\nSay it slower.")
    before.click()
    expect(page.locator("#threads")).to_be_visible()
    expect(page.locator("#transcript")).to_be_hidden()
    page.get_by_role("link", name="Transcript").click()
    expect(page.locator("#transcript")).to_be_visible()
    page.go_back()


def test_keyboard_opens_reads_and_quotes_on_a_phone_as_on_a_desk(open_browser: OpenBrowser, link: str) -> None:
    page = open_browser()
    page.goto(link)
    page.locator(".transport__play").focus()
    page.keyboard.press("g")
    expect(page.locator(ROWS).first).to_be_visible()
    page.locator(f"{ROWS}[data-n='1'] [data-quote]").focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator(".sentence--picked")).to_have_count(3)
    page.keyboard.press("Shift+ArrowUp")
    expect(page.locator(".sentence--picked")).to_have_count(2)
    page.keyboard.press("c")
    expect(page.locator("#text")).to_be_focused()
    assert page.locator("#text").input_value().startswith("0:05-0:14 “O café já acordou faz tempo. Todo dia")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(page.locator("#threads")).to_be_visible()
    phone = open_browser(viewport=PHONE, has_touch=True)
    phone.goto(f"{link}?tab=transcript")
    assert sideways(phone) == []
    phone.locator(f"{ROWS}[data-n='2'] [data-quote]").tap()
    expect(phone.locator("#text")).to_have_value(
        "0:09-0:14 “Todo dia de colheita, Dalva desce a estrada com a caçamba vazia.”\n"
    )
    phone.locator(f"{ROWS}[data-n='2'] [data-quote]").evaluate("button => button.click()")
    expect(phone.locator("#text")).to_have_value("")
    small = phone.locator("#transcript :is(a, button, input, select):visible").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 40).map(one => one.outerHTML)"
    )
    assert small == []


def test_three_hours_of_words_keep_the_page_small(open_browser: OpenBrowser, link: str, complaints: Complaints) -> None:
    row = ReviewLink.objects.filter(pk=link[1:]).first()
    video = platform.ReviewLink.objects.get(pk=link[1:]).video
    assert row is None
    platform.Subtitle.objects.filter(video=video).update(vtt=long_vtt())
    page = open_browser()
    page.goto(f"{link}?tab=transcript&find=number+2000+is")
    expect(page.locator(".find-row__count")).to_have_text("1 of 1")
    expect(page.locator(".hit--now")).to_be_in_viewport()
    box = page.locator("[data-words-list]")

    def came_near() -> bool:
        box.evaluate("list => list.scrollBy(0, 3000)")
        return int(page.locator(ROWS).last.get_attribute("data-n") or 0) > 2150

    wait_until(page, came_near, "rows come when near")
    numbers = page.locator(ROWS).evaluate_all("rows => rows.map(row => Number(row.dataset.n))")
    assert len(numbers) <= 160
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    first = page.locator(ROWS).first.get_attribute("data-n")
    box.evaluate("list => list.scrollTo(0, 0)")
    wait_until(page, lambda: page.locator(ROWS).first.get_attribute("data-n") != first, "earlier rows come back")
    page.get_by_role("button", name="Back to the words playing now").click()
    expect(page.locator(f"{ROWS}[data-n='0']")).to_be_in_viewport()
    page.locator("#find").fill("number 2000 is")
    expect(page.locator(".hit--now")).to_be_in_viewport()
    asked: list[str] = []
    complaints.expected = ["Failed to load resource"]

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route("**/transcript?*", refuse)
    page.locator(".transport__play").click()
    page.get_by_role("button", name="Back to the words playing now").click()
    page.wait_for_timeout(3_000)
    assert len(asked) == 1, asked  # a server that is away is not asked with every tick of the video
    page.unroute("**/transcript?*")
    expect(page.locator(f"{ROWS}[aria-current]")).to_be_in_viewport()

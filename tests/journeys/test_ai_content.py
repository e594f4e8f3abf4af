"""The editor of AI content in a real browser: by keyboard, through conflicts and lost networks, without script, on a phone."""

import re
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from dashboard.sandbox.models import AiFile
from tests.ai_content.packages import package
from tests.ai_content.test_ebook_paste import WORD
from tests.ai_content.test_large_maps import branched
from tests.forgetting import forget
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways, wait_until


@pytest.fixture
def language(cast: dict[str, Any]) -> str:
    """The English content of the demo's video: a package of five questions with everything in it."""
    video = cast["videos"]["with_ai_content"]
    AiFile.objects.filter(video=video, lang="en").update(content=package(5))
    return f"/dashboard/ai-content/{video}/en/"


def newest(language: str) -> AiFile:
    """The newest file of the language."""
    return AiFile.objects.filter(video=UUID(language.split("/")[3]), lang="en").latest("id")


def platform(language: str) -> dict[str, Any]:
    """What the platform has now."""
    content: dict[str, Any] = newest(language).content
    return content


def kept(page: Page) -> None:
    """Wait until what was typed is on the server."""
    expect(page.locator("#bar")).to_contain_text("Not sent")


@pytest.mark.smoke
def test_a_quiz_is_edited_moved_and_saved_by_keyboard_alone(desk: OpenBrowser, language: str) -> None:
    page = desk()
    page.goto(f"{language}quiz/")
    page.locator(".quiz-row__link").first.focus()
    page.keyboard.press("ArrowDown")
    for order in ("1 3 2 4 5", "1 2 3 4 5", "2 1 3 4 5"):  # down, and with the same focus up again, twice
        page.keyboard.press("Alt+ArrowDown" if order == "1 3 2 4 5" else "Alt+ArrowUp")
        expect(page.locator(".quiz-row__text")).to_have_text([f"Question number {n}?" for n in order.split()])
        expect(page.get_by_role("link", name="Question number 2?")).to_be_focused()
    expect(page.get_by_role("heading", name="Question 1 of 5")).to_be_visible()
    page.locator("#answer-2").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("A fourth answer")
    page.keyboard.press("Tab")  # onto a button of the row: keeping what was typed must not press it
    kept(page)
    page.wait_for_timeout(900)
    expect(page.locator("#answer-3")).to_have_value("A fourth answer")
    page.keyboard.press("Control+s")
    expect(page.locator("#pulse")).to_contain_text("Viewers still get the previous version")
    first = platform(language)["questions"][0]
    assert first["enunciate"] == "Question number 2?"
    assert [option["text"] for option in first["options"]][-1] == "A fourth answer"


def test_by_mouse_a_question_is_dragged_to_its_place_and_a_deleted_one_comes_back_where_it_was(
    desk: OpenBrowser, language: str
) -> None:
    page = desk()
    page.goto(f"{language}quiz/")
    texts, rows = page.locator(".quiz-row__text"), page.locator(".quiz-row")
    drag(page, rows.nth(0), rows.nth(2), 0.8)
    expect(texts).to_have_text([f"Question number {n}?" for n in (2, 3, 1, 4, 5)])
    expect(rows.nth(2).locator("a")).to_be_focused()
    drag(page, rows.nth(4), rows.nth(1), 0.2)
    expect(texts).to_have_text([f"Question number {n}?" for n in (2, 5, 3, 1, 4)])
    expect(rows.nth(1).locator("a")).to_be_focused()  # its question has opened beside it
    expect(page.get_by_role("heading", name="Question 2 of 5")).to_be_visible()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Delete question").click()
    expect(rows).to_have_count(4)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(texts).to_have_text([f"Question number {n}?" for n in (2, 5, 3, 1, 4)])


def drag(page: Page, row: Locator, onto: Locator, part: float) -> None:
    """Drag a row with the mouse onto a part of another's height: above or below it."""
    begin, end = row.bounding_box(), onto.bounding_box()
    assert begin and end
    page.mouse.move(begin["x"] + 40, begin["y"] + begin["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 40, end["y"] + end["height"] / 2, steps=3)
    page.mouse.move(end["x"] + 40, end["y"] + end["height"] * part)
    page.mouse.up()


def test_what_is_typed_before_the_script_has_come_is_kept_when_it_comes(desk: OpenBrowser, language: str) -> None:
    page = desk()
    late: list[Route] = []
    page.route("**/js/ai_content/editor*", lambda route: late.append(route))
    with page.expect_request("**/js/ai_content/editor*"):
        page.goto(f"{language}ebook/", wait_until="commit")
    page.locator("#abstract").fill("Typed early.")
    for route in late:
        route.continue_()
    kept(page)


def test_somebody_elses_change_is_merged_by_choice(
    desk: OpenBrowser, axe: FindingsOf, language: str, complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto(f"{language}quiz/")
    page.locator(".quiz-row__link").first.click()
    page.locator("#enunciate").fill("Mine?")
    kept(page)
    theirs: dict[str, Any] = package(5)
    theirs["questions"][0]["enunciate"] = "Theirs?"
    AiFile.objects.filter(pk=newest(language).pk).update(content=theirs)
    forget()  # what was read a moment ago is believed for a moment
    page.locator("#save-button").click()
    expect(page.get_by_role("heading", name="1 conflicting change")).to_be_visible()
    assert axe(page) + sideways(page) == [], "the page of the merge"
    page.get_by_role("button", name="Merge and save").click()
    expect(page.locator("[data-error-summary]")).to_be_focused()
    assert axe(page) == [], "with a choice that was not made"
    page.get_by_role("radio", name="Yours").check()
    page.get_by_role("button", name="Merge and save").click()
    expect(page.locator("#toasts")).to_contain_text("Saved.")
    assert platform(language)["questions"][0]["enunciate"] == "Mine?"


def test_what_is_typed_without_a_network_is_there_after_a_reload(
    desk: OpenBrowser, language: str, complaints: Complaints
) -> None:
    complaints.expected += ["ERR_FAILED", "htmx:sendError"]
    page = desk()
    page.goto(f"{language}quiz/")
    page.locator(".quiz-row__link").first.click()
    expect(page.locator("#enunciate")).to_be_visible()

    def lost(route: Route) -> None:
        route.abort() if route.request.method == "POST" else route.continue_()

    page.route("**/quiz/questions/**", lost)
    page.locator("#enunciate").fill("Typed on a train?")
    expect(page.get_by_text("the server cannot be reached right now")).to_be_visible()
    page.unroute("**/quiz/questions/**")
    page.reload()
    expect(page.locator("#enunciate")).to_have_value("Typed on a train?")
    kept(page)


def test_a_version_is_restored(desk: OpenBrowser, axe: FindingsOf, language: str) -> None:
    page = desk()
    page.goto(f"{language}ebook/")
    page.locator("#abstract").fill("# Rewritten\n")
    expect(page.locator("#preview h1")).to_have_text("Rewritten")
    page.keyboard.press("Control+s")
    expect(page.locator("#pulse")).to_contain_text("Viewers still get")
    page.goto(f"{language}versions/")
    page.locator("tbody a").last.click()
    expect(page.get_by_role("button", name="Restore into the draft")).to_be_visible()
    assert axe(page) + sideways(page) == [], "the page of a version"
    page.get_by_role("button", name="Restore into the draft").click()
    page.locator("main").get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_text("Saved").first).to_be_visible()
    assert platform(language)["abstract"] == package()["abstract"]
    assert platform(language)["abstract_html"] == package()["abstract_html"]


def test_text_and_html_that_say_different_things_wait_for_a_choice(
    desk: OpenBrowser, axe: FindingsOf, language: str
) -> None:
    drifted = {
        **platform(language),
        "abstract": "# Book\n\nOld words.\n",
        "abstract_html": "<h1>Book</h1><p>New words.</p>",
    }
    AiFile.objects.filter(pk=newest(language).pk).update(content=drifted)
    page = desk()
    page.goto(f"{language}ebook/")
    expect(page.get_by_role("heading", name="Text and HTML differ")).to_be_visible()
    assert axe(page) + sideways(page) == []
    expect(page.locator(".drift mark")).to_have_text(["Old", "New"])  # the words, not the paragraphs
    page.get_by_role("button", name="Keep the HTML").click()
    expect(page.get_by_role("heading", name="Text and HTML differ")).to_have_count(0)
    expect(page.locator("#abstract")).to_have_value(re.compile("New words"))


def test_an_outline_grows_by_keyboard(desk: OpenBrowser, language: str) -> None:
    page = desk()
    page.goto(f"{language}mindmap/")
    page.locator("#node-1").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Table")
    expect(page.locator("#node-2")).to_have_value("Table")
    page.keyboard.press("Alt+ArrowRight")
    expect(page.locator("[id='node-1.0']")).to_be_focused()
    expect(page.locator("#drawing")).to_contain_text("Table")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#node-1")).to_be_focused()


def test_the_time_of_a_topic_is_typed_and_plays(desk: OpenBrowser, language: str, axe: FindingsOf) -> None:
    leaf = {"text": "Cup", "time": "00:00:09.500", "children": []}
    AiFile.objects.filter(pk=newest(language).pk).update(content={"mindmap": {"theme": "Coffee", "children": [leaf]}})
    page = desk()
    page.goto(f"{language}mindmap/")
    page.get_by_role("link", name="0:09").click()
    page.wait_for_function("document.querySelector('[data-film]').currentTime >= 9.5")
    page.get_by_label("Time of Cup").fill("soon")
    expect(page.get_by_role("alert").filter(has_text="is not a time")).to_be_visible()
    expect(page.get_by_label("Time of Cup")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Time of Cup").fill("0:15")
    expect(page.get_by_role("link", name="0:15")).to_have_attribute("data-seek", "15.000")
    expect(page.locator("#map-times")).to_be_empty()
    expect(page.get_by_label("Time of Cup")).to_have_attribute("aria-invalid", "false")
    assert axe(page) + sideways(page) == []


def test_the_time_of_a_topic_is_taken_from_the_player_beside_the_map(desk: OpenBrowser, language: str) -> None:
    leaves = [{"text": "Cup", "children": []}, {"text": "Beans", "time": "00:00:09.500", "children": []}]
    AiFile.objects.filter(pk=newest(language).pk).update(content={"mindmap": {"theme": "Coffee", "children": leaves}})
    page = desk()
    page.goto(f"{language}mindmap/")
    page.get_by_role("link", name="0:09").click()
    page.wait_for_function("document.querySelector('[data-film]').currentTime >= 9.5")
    page.get_by_label("Time of Cup").focus()
    page.get_by_role("button", name="Use the time of the video").click()
    expect(page.get_by_role("link", name=re.compile(r"0:09|0:1\d"))).to_have_count(2)
    kept(page)
    page.keyboard.press("Control+s")
    expect(page.locator("#pulse")).to_contain_text("Viewers still get the previous version")
    cup, beans = platform(language)["mindmap"]["children"]
    assert cup["time"] >= beans["time"] == "00:00:09.500"


def test_answer_that_counts_is_put_first_and_ebook_is_shown_as_viewers_see_it(
    desk: OpenBrowser, language: str, axe: FindingsOf
) -> None:
    content: dict[str, Any] = package(1)
    content["questions"][0]["options"] = [
        {"text": text, "correct": text != "Tea"} for text in ("Tea", "Coffee", "Milk")
    ]
    content["abstract"] = "#### Deep\n\nPlain **bold** and *italic*."
    AiFile.objects.filter(pk=newest(language).pk).update(content=content)
    page = desk()
    page.goto(f"{language}quiz/")
    page.locator(".quiz-row__link").first.click()
    page.get_by_role("button", name="Move C to the top").click()
    kept(page)
    expect(page.locator("#answer-0")).to_have_value("Milk")
    assert axe(page) + sideways(page) == []
    page.goto(f"{language}ebook/")
    page.get_by_role("link", name="As viewers see it").click()
    preview = page.locator("#preview-text")
    expect(preview).to_contain_text("#### Deep")
    expect(preview).to_contain_text("*italic*")
    expect(preview.locator("strong")).to_have_text("bold")
    expect(preview.get_by_text("Shown as signs:")).to_have_text(
        ["Shown as signs: heading below level 3", "Shown as signs: italics"]
    )
    assert axe(page) + sideways(page) == []


def test_a_long_outline_makes_its_page_no_longer_than_what_is_on_it(desk: OpenBrowser, language: str) -> None:
    leaves = [{"text": f"Topic {place}", "time": f"00:00:{place:02}.000", "children": []} for place in range(60)]
    AiFile.objects.filter(pk=newest(language).pk).update(content={"mindmap": {"theme": "Coffee", "children": leaves}})
    page = desk(viewport={"width": 390, "height": 844})
    page.goto(f"{language}mindmap/")
    last = page.evaluate("document.querySelector('main').getBoundingClientRect().bottom + scrollY")
    assert page.evaluate("document.documentElement.scrollHeight") - last < 200


def test_topic_of_a_large_map_is_moved_by_keyboard_out_of_its_branch(desk: OpenBrowser, language: str) -> None:
    AiFile.objects.filter(pk=newest(language).pk).update(content={"mindmap": branched()})
    page = desk()
    page.goto(f"{language}mindmap/?at=3")
    page.locator("[id='node-3.2']").focus()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.keyboard.press("Alt+ArrowLeft")
    assert len(sent.value.post_data or "") < 1000
    expect(page.locator("[id='node-4']")).to_be_focused()
    expect(page.locator("[id='node-4']")).to_have_value("Topic 3.2")


def test_preview_of_a_long_ebook_follows_changes_at_its_start_in_it_and_at_its_end(
    desk: OpenBrowser, language: str
) -> None:
    long = "".join(f"## Chapter {number}\n\n- one\n- two\n\nSome words of a long book.\n\n" for number in range(200))
    AiFile.objects.filter(pk=newest(language).pk).update(content={**package(), "abstract": long})
    page = desk()
    page.goto(f"{language}ebook/")
    text, preview = page.locator("#abstract"), page.locator("#preview")
    page.evaluate("document.querySelector('#preview-text').children[300].dataset.same = 'yes'")
    received: list[int] = []
    for old, new in (
        ("## Chapter 0\n", "New first words.\n\n# Chapter nought\n"),
        ("- one\n- two\n\nSome words of a long book.\n\n## Chapter 9\n", "> quoted\n\n## Chapter 9\n"),
        ("## Chapter 199\n\n- one\n- two\n\nSome words of a long book.\n\n", "The *end*."),
        ("The *end*.", ""),
    ):
        before = preview.inner_html()
        with page.expect_response(lambda response: response.request.method == "POST") as answered:
            write_over(text, old, new)
        received.append(len(answered.value.body()))
        wait_until(page, lambda: preview.inner_html() != before, "the preview stays as it was")  # noqa: B023  (at once)
        made = preview.inner_html()
        page.reload()
        assert tidied(preview.inner_html()) == tidied(made.replace(' data-same="yes"', ""))
        assert ('data-same="yes"' in made) == (len(received) == 1), "what is the same stays where it is"
    assert received[-1] < 3_000, received


def write_over(field: Locator, old: str, new: str) -> None:
    """Select `old` and write `new`: to fill in a long text anew takes the browser many seconds."""
    start = field.input_value().index(old)
    field.focus()
    field.evaluate("(field, [start, end]) => field.setSelectionRange(start, end)", [start, start + len(old)])
    if new:
        field.page.keyboard.insert_text(new)
    else:
        field.press("Delete")


def tidied(markup: str) -> str:
    """Markup of a preview without what htmx and white space leave on it."""
    return re.sub(r"\s+(?=<|$)|(?<=>)\s+", "", re.sub(r' class="(htmx-\S+)?"| hx-swap-oob="\w+"', "", markup))


def test_autosave_of_a_long_ebook_sends_what_changed_and_survives_another_window(
    desk: OpenBrowser, language: str, complaints: Complaints
) -> None:
    complaints.expected += ["409", "422"]
    long = "Some words of a long book. " * 4000
    AiFile.objects.filter(pk=newest(language).pk).update(content={**package(), "abstract": long})
    page = desk()
    sent: list[int] = []
    page.on("request", lambda request: sent.append(len(request.post_data or "")) if request.method == "POST" else None)
    page.goto(f"{language}ebook/")
    text = page.locator("#abstract")
    for words in ("One 👩.", "Two 👨."):
        sent.clear()
        with page.expect_response(lambda response: response.request.method == "POST"):
            text.press("Control+End")
            page.keyboard.insert_text(words)
        assert max(sent) < 1000, sent
    other = page.context.new_page()
    other.goto(f"{language}ebook/")
    with other.expect_response(lambda response: response.request.method == "POST"):
        other.locator("#abstract").press("Control+End")
        other.keyboard.insert_text("Theirs.")
    expect(other.locator("#abstract")).to_have_value(f"{long}One 👩.Two 👨.Theirs.")
    text.press("Control+End")
    page.keyboard.insert_text("Mine.")
    expect(page.get_by_text("The text was changed in another window while you typed.")).to_be_visible()
    expect(text).to_have_value(f"{long}One 👩.Two 👨.Mine.")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.get_by_role("button", name="Keep mine").click()
    page.goto(f"{language}ebook/")
    expect(page.locator("#abstract")).to_have_value(f"{long}One 👩.Two 👨.Mine.")


PASTE = """([html, plain]) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/html", html);
  clipboardData.setData("text/plain", plain);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  return document.getElementById("abstract").dispatchEvent(event);
}"""


def test_paste_from_word_processor_becomes_markdown_and_is_kept(
    desk: OpenBrowser, language: str, complaints: Complaints
) -> None:
    page = desk()
    page.goto(f"{language}ebook/")
    text = page.locator("#abstract")
    text.fill("Before.")
    assert page.evaluate(PASTE, [WORD, "From cherry\r\nPick"]) is False  # ours, not the browser's
    expect(text).to_have_value(re.compile(r"^Before\.\n\n# Coffee book\n\n# From cherry to cup\n\nSome \*\*bold\*\*, "))
    expect(page.locator("#preview .prose li")).to_have_text([re.compile("Pick"), "by hand", "Wash", "Roast", "Grind"])
    expect(page.locator("#preview table")).to_contain_text("Arabica washed")
    page.keyboard.press("Control+z")
    expect(text).to_have_value("Before.From cherry\nPick")
    complaints.expected += ["ERR_FAILED"]
    page.route("**/ebook/paste/", lambda route: route.abort())
    text.fill("")
    page.evaluate(PASTE, ["<b>bold</b>", "bold"])
    expect(text).to_have_value("bold")  # without a network the words are there all the same
    assert page.evaluate(PASTE, ["<div><span># code</span></div>", "# code"]) is True


PAGES = ["", "ebook/", "mindmap/", "quiz/", "versions/", "quiz/compare/", "import/"]


def test_no_page_has_a_finding_or_scrolls_sideways(desk: OpenBrowser, language: str, axe: FindingsOf) -> None:
    page = desk()
    for place in ["/dashboard/ai-content/", *(f"{language}{name}" for name in PAGES)]:
        page.goto(place)
        assert axe(page) + sideways(page) == [], place
    page.goto(f"{language}quiz/")
    page.goto(str(page.locator(".quiz-row__link").first.get_attribute("href")))
    assert axe(page) + sideways(page) == []

"""What Chromium enforces on each kind of page, whatever addresses the platform gives for its stills and players."""

import contextlib
from typing import Any

import pytest
from playwright.sync_api import Page, Route
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from dashboard.platform_api.videos import Video
from dashboard.videos import views
from review_portal.models import ReviewLink
from review_portal.videos import LinkVideo
from tests.journeys.conftest import Complaints, OpenBrowser

HOSTILE = (
    "https://bücher.example/still.jpg",
    "https://media.example;script-src-elem 'unsafe-inline' https:/still.jpg",
    "https://media.example\n/'unsafe-inline' *",
    "https://[media.example/still.jpg",
    "javascript:window.ran=true",
)
LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective: directive }) => {
  if (directive.startsWith("script-src")) window.refused.push(directive); // a frame of the page may be refused meanwhile
});"""
INJECTED = (
    "<script>window.ran = true</script><script src='//127.0.0.1/static/js/foreign.js'></script>"
    "<img alt='' src='data:,' onerror='window.ran = true'>"
)
TRIED = """() => [Boolean(window.ran), window.refused.sort()]"""
REFUSED = [False, ["script-src-attr", "script-src-elem", "script-src-elem"]]


def attacked(page: Page, address: str) -> Any:
    """Whether a script ran that came with this page, as if no text were escaped, and which ones the browser refused."""

    def inject(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</body>", f"{INJECTED}</body>"))

    page.route(f"**{address}", inject)
    page.goto(address, wait_until="domcontentloaded")
    page.unroute(f"**{address}")
    with contextlib.suppress(PlaywrightTimeout):
        page.wait_for_function("window.refused.length >= 3", timeout=5_000)
    return page.evaluate(TRIED)


def test_no_page_runs_a_script_that_was_put_into_it(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("Content Security Policy")
    page = desk()
    page.add_init_script(LISTEN)
    link = cast["review_links"]["open"]
    addresses = ("/sign-in/?add=1", "/dashboard/", "/accounts/", f"/{link}", f"/{link}/print", "/no-such-page")
    complaints.expected.append("404")
    assert {address: attacked(page, address) for address in addresses} == dict.fromkeys(addresses, REFUSED)


def test_no_address_of_the_platform_switches_the_policy_off(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.expected += ["Content Security Policy", "Failed to load resource", "Not allowed to"]
    page = desk()
    page.add_init_script(LISTEN)
    link = cast["review_links"]["open"]
    page.goto(f"/{link}")
    seen: dict[str, list[Any]] = {}
    for hostile in HOSTILE:
        video = {
            "id": cast["videos"]["plain"],
            "status": "CONVERTED",
            "thumbnail": hostile,
            "video_player": hostile,
            "playable": True,
        }
        record = Video.from_json(video)
        monkeypatch.setattr(views, "read_video", lambda request, video_id, record=record: record)
        kept = ReviewLink.objects.get(pk=link)
        kept.video = LinkVideo.from_record(record).to_kept()
        kept.save()
        seen[hostile] = [attacked(page, f"/{link}"), attacked(page, f"/dashboard/videos/{cast['videos']['plain']}/")]
    assert seen == {hostile: [REFUSED, REFUSED] for hostile in HOSTILE}


HARMFUL = (
    "<script>window.ran = true</script>",
    "<script type=module>window.ran = true</script>",
    "<script type='Application/ECMAScript'>window.ran = true</script>",
    "<script src='//127.0.0.1/foreign.js'></script>",
    "<img src=x onerror='window.ran = true'>",
    "<svg><script>window.ran = true</script></svg>",
    "<template><p onclick='window.ran = true'></p></template>",
    "<a href='java\tscript:window.ran = true'>Here</a>",
    "<form><button formaction=' JavaScript:window.ran = true'>Here</button></form>",
    "<iframe srcdoc='<script>window.ran = true</script>'></iframe>",
)
HARMLESS = (
    "<p class='lead'>onerror=1 <b>javascript:</b></p>",
    "<a href='/javascript:/'>Here</a>",
    "<script type='application/json'>{}</script>",
    "<script src='/static/js/copy.js'></script>",
    "<template><p>Later</p></template>",
)
PUT_IN = """(texts) => texts.filter((text) => {
  try {
    document.createElement("div").innerHTML = text;
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
})"""


def test_text_with_something_that_runs_becomes_no_elements_on_any_page(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    """Pages that take no text at all have no policy for it: there every text is refused."""
    complaints.expected += ["requires 'Trusted", "Content Security Policy"]
    page = desk()
    for address in ("/dashboard/", f"/{cast['review_links']['open']}", "/sign-in/?add=1"):
        page.goto(address, wait_until="load")
        page.wait_for_function("Boolean(window.trustedTypes.defaultPolicy)")
        assert page.evaluate(PUT_IN, [*HARMFUL, *HARMLESS]) == list(HARMLESS), address
    page.goto(f"/{cast['review_links']['open']}/print", wait_until="load")
    assert page.evaluate(PUT_IN, list(HARMLESS)) == []

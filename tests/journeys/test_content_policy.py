"""What Chromium enforces on each kind of page, whatever addresses the platform gives for its stills and players."""

from typing import Any

import pytest
from playwright.sync_api import Page

from dashboard.platform_api import records
from dashboard.videos import showing
from review_portal.models import ReviewLink
from review_portal.videos import Shown
from tests.journeys.conftest import Complaints, OpenBrowser

HOSTILE = (
    "https://bücher.example/still.jpg",
    "https://media.example;script-src-elem 'unsafe-inline' https:/still.jpg",
    "https://media.example\n/'unsafe-inline' *",
    "https://[media.example/still.jpg",
    "javascript:window.ran=true",
)
ATTACK = """async () => {
  const refused = [];
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective: directive }) => {
    if (directive.startsWith("script-src")) refused.push(directive); // a frame of the page may be refused meanwhile
  });
  const inline = document.createElement("script");
  inline.append("window.ran = true");
  const foreign = document.createElement("script");
  foreign.setAttribute("src", location.origin.replace("localhost", "127.0.0.1") + "/static/js/foreign.js");
  const image = document.createElement("img");
  image.setAttribute("onerror", "window.ran = true");
  document.body.append(inline, foreign, image);
  image.dispatchEvent(new Event("error"));
  for (let waited = 0; waited < 50 && refused.length < 3; waited += 1) await new Promise((go) => setTimeout(go, 20));
  return [Boolean(window.ran), refused.sort()];
}"""
REFUSED = [False, ["script-src-attr", "script-src-elem", "script-src-elem"]]


def attacked(page: Page, address: str) -> Any:
    """Whether a script ran on this page that was put into it, and which scripts the browser refused."""
    page.goto(address, wait_until="domcontentloaded")
    return page.evaluate(ATTACK)


def test_no_page_runs_a_script_that_was_put_into_it(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("Content Security Policy")
    page = desk()
    link = cast["review_links"]["open"]
    addresses = ("/sign-in/?add=1", "/dashboard/", "/accounts/", f"/{link}", f"/{link}/print", "/no-such-page")
    complaints.expected.append("404")
    assert {address: attacked(page, address) for address in addresses} == dict.fromkeys(addresses, REFUSED)


def test_no_address_of_the_platform_switches_the_policy_off(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.expected += ["Content Security Policy", "Failed to load resource", "Not allowed to"]
    page = desk()
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
        record = records.Video.from_json(video)
        monkeypatch.setattr(showing, "read_video", lambda request, video_id, record=record: record)
        kept = ReviewLink.objects.get(pk=link)
        kept.video = Shown.from_record(record).to_kept()
        kept.save()
        seen[hostile] = [attacked(page, f"/{link}"), attacked(page, f"/dashboard/videos/{cast['videos']['plain']}/")]
    assert seen == {hostile: [REFUSED, REFUSED] for hostile in HOSTILE}

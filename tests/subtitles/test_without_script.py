"""Three videos in four languages, planned, sent and watched without script."""

from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.clock import Frozen
from tests.forgetting import forget
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_three_videos_in_four_languages_are_followed_to_their_end(
    owner: Client, cast: dict[str, Any], clock: Frozen
) -> None:
    page = PlainBrowser(owner).open("/dashboard/subtitles/")
    for title in ("Meet Joaquim", "Serra Alta, launch film, cup cut", "Visita guiada à fazenda"):
        page.fill("Search titles", title).press("Show videos").check(title)
    for language in ("French", "German", "Italian", "Spanish"):
        page.check(language, near="Target languages")
    planned = page.document
    assert page.press("Check").has("h1", "Send 8 jobs?"), (
        "what is ticked counts also when the table was not shown again"
    )
    page.document, page.address = planned, "/dashboard/subtitles/"  # back
    assert page.press("Show videos").has("button", "Check 8 jobs") and page.has("a", "Transcribe it first")
    page.press("Check")
    assert "Each job uses AI credits of" in page.text
    assert "0 of 8 ended" in page.press("Send 8 jobs").text
    for seconds, said in ((6, "0 of 8 ended"), (60, "8 of 8 ended")):
        clock.travel(seconds)
        forget()  # what was read a moment ago is shown for a moment
        assert said in page.follow("Refresh now").text
    page.follow("Read : Meet Joaquim, French")
    assert page.has("h1", "Meet Joaquim") and page.has("a", "WebVTT")

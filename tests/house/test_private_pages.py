"""What answers say about caches: nobody keeps a page, a file or a part of somebody's work.

`test_visits.py` asks this of every address.
"""

from typing import Any

import pytest
from django.test import Client

from tests.house.test_addresses import NEVER

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

FOR_A_WHILE = {"review_portal:captions": "private, max-age=600"}
"""What a browser may keep, because it says nothing about who reads it: the words of a film that the link shows anyway."""


def test_pages_and_files_with_something_in_them_are_kept_by_nobody(owner: Client, cast: dict[str, Any]) -> None:
    link, video = cast["review_links"]["open"], cast["videos"]["with_subtitles"]
    listed = (
        "/dashboard/", "/dashboard/videos/", f"/dashboard/videos/{video}/", "/dashboard/activity/export.csv", "/no-such-page",
        "/dashboard/analytics/browsers.csv", "/dashboard/analytics/browsers.svg", "/dashboard/subtitles/coverage.csv",
        f"/{link}", f"/{link}/comments", f"/{link}/print", f"/{link}/export.csv", f"/{link}/export.edl", f"/{link}/device",
        f"/{link}/finish", f"/{link.upper()}", "/dashboard/videos", "/healthz", "/sign-in/",
    )  # fmt: skip
    assert {one: owner.get(one).headers.get("Cache-Control") for one in listed} == dict.fromkeys(listed, NEVER)


def test_captions_may_stay_in_the_browser_of_who_reads_them(client: Client, cast: dict[str, Any]) -> None:
    link = cast["review_links"]["open"]
    client.get(f"/{link}")
    answer = client.get(f"/{link}/captions/pt-BR.vtt")
    said = {200: FOR_A_WHILE["review_portal:captions"], 404: NEVER}
    assert answer.headers["Cache-Control"] == said[answer.status_code]


def test_films_and_stills_of_the_embedded_platform_are_kept_as_it_says(client: Client, cast: dict[str, Any]) -> None:
    page = client.get(f"/{cast['review_links']['open']}").content.decode()
    still = page.split('poster="')[1].split('"')[0]
    assert client.get(still).headers["Cache-Control"].startswith("public")

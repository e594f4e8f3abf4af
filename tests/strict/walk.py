"""Pages that anybody may open, for walks over all of them; with the parts that they load by themselves."""

import re
from html import unescape

from tests.presses.browser import Answer
from tests.strict import world as names
from tests.strict.drives import HERE
from tests.strict.person import Person
from tests.strict.reading_drives import DAYS

PARTS = re.compile(r'<[^>]*hx-trigger="(?:load|revealed)[^>]*>')
PAGES = (
    f"{HERE}/",
    f"{HERE}/videos/",
    f"{HERE}/videos/{names.SPOKEN}/",
    f"{HERE}/subtitles/?video={names.SPOKEN}",
    f"{HERE}/subtitles/videos/{names.SPOKEN}/jobs/",
    f"{HERE}/subtitles/videos/{names.SPOKEN}/pt-BR/",
    f"{HERE}/ai-content/",
    f"{HERE}/ai-content/{names.TAUGHT}/",
    f"{HERE}/ai-content/{names.TAUGHT}/en/",
    f"{HERE}/ai-content/{names.TAUGHT}/en/quiz/",
    f"{HERE}/custom-fields/videos/{names.SPOKEN}/",
    f"{HERE}/review-links/",
    f"{HERE}/review-links/create/?video={names.PLAIN}",
    f"{HERE}/ab-tests/",
    f"{HERE}/ab-tests/create/",
    f"{HERE}/ab-tests/{names.DRAFT}/",
    f"{HERE}/ab-tests/{names.DRAFT}/start/",
    f"{HERE}/ab-tests/{names.RUNNING}/",
    f"{HERE}/ab-tests/{names.RUNNING}/result/",
    f"{HERE}/ab-tests/{names.RUNNING}/finish/",
    f"{HERE}/lives/",
    f"{HERE}/lives/{names.LIVE}/",
    f"{HERE}/lives/{names.LIVE}/start/",
    f"{HERE}/funnels/",
    f"{HERE}/funnels/{names.FUNNEL}/",
    f"{HERE}/funnels/{names.FUNNEL}/add/",
    f"{HERE}/folders/",
    f"{HERE}/folders/{names.FOLDER}/children/",
    f"{HERE}/playlists/",
    f"{HERE}/playlists/{names.PLAYLIST}/",
    f"{HERE}/playlists/{names.PLAYLIST}/delete/",
    f"{HERE}/assistants/?of={names.PLAIN}",
    f"{HERE}/analytics/?{DAYS}",
    f"{HERE}/analytics/browsers/?{DAYS}",
    f"{HERE}/analytics/cities/?{DAYS}",
    f"{HERE}/analytics/referrers/?{DAYS}",
    f"{HERE}/analytics/ranking/?{DAYS}",
    f"{HERE}/analytics/retention/?video={names.PLAIN}&{DAYS}",
    f"{HERE}/analytics/traffic/?video={names.PLAIN}&{DAYS}",
    f"{HERE}/referrals/",
    f"{HERE}/search/?q=valley",
)


def open_whole(person: Person, path: str) -> list[Answer]:
    """A page, and the parts that it loads by itself, at once or when they come into view."""
    page = person.get(path)
    parts = (re.search(r'hx-get="([^"]+)"', tag) for tag in PARTS.findall(page.text))
    return [page, *(person.get(unescape(part[1])) for part in parts if part)]

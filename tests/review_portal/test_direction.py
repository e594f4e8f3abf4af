"""What people write runs in its own direction, on every page that shows it: Hebrew in an English page, and the other way."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from review_portal.models import Comment
from tests.conftest import signed_in
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
WORDS = "הלוגו מאוחר"
STYLES = (Path(settings.BASE_DIR) / "static/css/components/comment.css").read_text()
PLAIN = set(re.findall(r"\.([\w-]+)", re.search(r"[^}]*(?=\{\s*unicode-bidi: plaintext)", STYLES)[0])) - {"thread"}  # type: ignore[index]
"""The classes that `unicode-bidi: plaintext` is given to, in the lists that are too long for an attribute at each text."""
HIDDEN = "marker__gist"  # what the box over a marker takes its words from
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "use"}


class Finder(HTMLParser):
    """The elements that hold the words although nothing around them lets them choose their direction."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.count = 0
        self.fixed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            classes = set((dict(attrs).get("class") or "").split())
            free = tag == "bdi" or ("dir", "auto") in attrs or bool(classes & (PLAIN | {HIDDEN}))
            self.open.append((tag, free))

    def handle_endtag(self, tag: str) -> None:
        if tag in [name for name, _free in self.open]:
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if WORDS not in data or self.open[-1][0] in ("title", "option"):
            return
        self.count += 1
        if not any(free for _tag, free in self.open):
            self.fixed.append(" > ".join(tag for tag, _free in self.open[-4:]))


def test_words_choose_their_direction_in_the_room_and_at_the_desk(world: World) -> None:
    desk, reviewer = signed_in(Client(), world.token.value), Reviewer(world.link(), "Dana")
    desk.get("/dashboard/review-links/")  # finds the link
    reviewer.post(f"{WORDS} 1.")
    reviewer.post(f"{WORDS} 2.", reply_to=str(Comment.objects.get().comment_id))
    room, links = f"/{reviewer.link}", "/dashboard/review-links/"
    inbox = f"{links}inbox/{Comment.objects.get(text__contains='1').comment_id}/"
    pages = [(reviewer.client, f"{room}{part}") for part in ("", "/finish", "/print")]
    pages += [(desk, page) for page in (f"{links}{reviewer.link}/", f"{links}{reviewer.link}/print/", inbox)]
    pages += [(desk, f"{links}videos/{world.video.pk}/"), (desk, f"{links}inbox/"), (desk, "/dashboard/notices/")]
    found = []
    for client, address in pages:
        finder = Finder()
        finder.feed(client.get(address).content.decode())
        found += [f"{address}: {place}" for place in finder.fixed]
        found += [] if finder.count or "notices" in address else [f"{address}: shows no word of it"]
    assert found == [], "\n".join(found)

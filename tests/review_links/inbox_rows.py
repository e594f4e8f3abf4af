"""Rows that an inbox shows, without a platform behind them, and what its page says of them."""

import re
import uuid
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from review_portal.models import Comment, Decision, Reviewer, ReviewLink

INBOX = "/dashboard/review-links/inbox/"
HTMX = {"HX-Request": "true"}


def text(client: Client, query: str = "") -> str:
    """The page's words."""
    answer = client.get(f"{INBOX}{query}")
    assert answer.status_code == 200, query
    page = answer.content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<main") : page.index("</main")]).split())


def rows(client: Client, query: str = "") -> list[str]:
    """The identifiers of the rows, in their order."""
    return re.findall(r'data-row="([^"]+)"', client.get(f"{INBOX}{query}").content.decode())


def chips(client: Client, query: str = "") -> dict[str, int]:
    page = client.get(f"{INBOX}{query}").content.decode()
    nav = page[page.index('id="inbox-chips"') :]
    found = re.findall(r'class="chip"[^>]*>\s*([\w ]+?)\s*<span class="chip__count">(\d+)', nav[: nav.index("</nav>")])
    return {name: int(count) for name, count in found}


def act(client: Client, name: str, *picks: object, **more: Any) -> Any:
    data = {"act": name, "pick": [str(pick) for pick in picks], "key": str(uuid.uuid4())} | more.pop("data", {})
    return client.post(f"{INBOX}act/{more.pop('query', '')}", data, **more)


def make_link(account: Account, title: str = "Launch film", **fields: Any) -> ReviewLink:
    """A link of the account, open for a week unless it says something else."""
    now = timezone.now()
    usual = {"name": "Cut 1", "video_id": uuid.uuid4(), "expires_at": now + timedelta(days=7), "created_at": now}
    video = {
        "title": title,
        "length": 120.0,
        "poster": "",
        "player_url": "",
        "hls_url": "",
        "mp4_url": "",
        "captions": [],
    }
    link = ReviewLink.objects.create(id=uuid.uuid4(), **(usual | {"video": video} | fields))
    link.accounts.add(account)
    return link


def make_comment(link: ReviewLink, text: str = "Lower the wordmark.", **fields: Any) -> Comment:
    """A comment in the copy of a link, written an hour ago by Ana unless it says something else."""
    comment = build_comment(link, text, **fields)
    comment.save()
    raise_version(link)
    return comment


def build_comment(link: ReviewLink, text: str, **fields: Any) -> Comment:
    """The same, not saved."""
    at = timezone.now() - timedelta(hours=1)
    usual = {"comment_id": uuid.uuid4(), "user_name": "Ana", "time": 12, "created_at": at, "updated_at": at}
    return Comment(link=link, text=text, born=1, version=1, written_at=at, **(usual | fields))


def raise_version(link: ReviewLink) -> None:
    """What every change of a link does."""
    link.version += 1
    link.save(update_fields=["version"])


def make_decision(link: ReviewLink, name: str = "Jonas", verdict: str = "round", note: str = "New mix.") -> Decision:
    """A reviewer's decision."""
    reviewer = Reviewer.objects.create(link=link, name=name, sealed_token="-")
    decision = Decision.objects.create(
        link=link, reviewer=reviewer, key=uuid.uuid4(), verdict=verdict, note=note, name=name, version=link.version
    )
    raise_version(link)
    return decision


def make_library(account: Account, links: int, comments: int) -> None:
    """Many links, each of a video of its own, each with as many comments."""
    for number in range(links):
        link = make_link(account, f"Film {number:03}")
        Comment.objects.bulk_create(
            build_comment(link, f"Comment {place} on film {number}.", time=place, user_name=f"Ana {place % 8}")
            for place in range(comments)
        )
        raise_version(link)


def undo(client: Client) -> Any:
    """Press "Undo" on the page that an action led to."""
    page = client.get(INBOX).content.decode()
    form = page[page.index('id="inbox-done"') :]
    form = form[: form.index("</form>")]
    name = re.findall(r'name="act" value="(\w+)"', form)[0]
    return act(client, name, *re.findall(r'name="pick" value="([^"]+)"', form), data={"undo": "1"})

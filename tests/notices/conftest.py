"""A review link with an owner and a reviewer, and the e-mails that they get, over the embedded platform."""

from typing import Any

import pytest
from django.test import Client

from dashboard.notices.models import Mail, Subscription
from dashboard.writes.models import Write
from review_portal import news
from review_portal.models import ReviewLink
from tests.conftest import signed_in
from tests.due import run_due
from tests.kept_rows import KeptRows
from tests.review_portal.conftest import Reviewer, World, account, link, stranger, world, wrote

__all__ = ["account", "link", "stranger", "world"]


MAILBOX = "/dashboard/notices/mailbox/"


@pytest.fixture
def ana(link: ReviewLink, kept_rows: KeptRows) -> Reviewer:
    """Somebody who wrote a comment through the link, half a minute into the video."""
    return wrote(kept_rows, link.pk, "Lower the wordmark.", time="0:42")


@pytest.fixture
def desk(link: ReviewLink, world: World, kept_rows: KeptRows) -> Client:
    """The owner of the link, signed in."""
    client = Client()
    kept_rows.take(lambda: signed_in(client, world.token.value), client)
    return client


def leave_address(reviewer: Reviewer, address: str = "ana@example.com", **fields: str) -> Any:
    return reviewer.client.post(f"/{reviewer.link}/email", {"address": address, **fields})


def work(seconds: float = 0) -> None:
    """The worker tells of what is new, and sends what is due after `seconds`."""
    news.scan()
    run_due(seconds)


def confirm_all() -> None:
    """Everybody presses the button of their confirmation."""
    from dashboard.notices import letters

    for subscription in Subscription.objects.filter(confirmed_at=None).exclude(nonce=""):
        assert (
            Client().post(f"/dashboard/notices/confirm/{letters.build_confirmation(subscription)}/").status_code == 200
        )


def sent(kind: str = "news") -> list[Mail]:
    """The e-mails that left, oldest first."""
    done = Write.objects.filter(operation="notices.send_mail", state="done").values_list("key", flat=True)
    return list(Mail.objects.filter(kind=kind, pk__in=list(done)).order_by("created_at"))


def answer(desk: Client, link: ReviewLink, text: str = "Done, thank you.") -> None:
    """The owner answers the first comment of the link."""
    comment = link.comments.filter(reply_to=None).first()
    assert comment is not None
    data = {"reply_to": str(comment.comment_id), "text": text, "user_name": "Estudio"}
    response = desk.post(f"/dashboard/review-links/{link.pk}/answers/", data)
    assert response.status_code in (200, 302), response.content.decode()

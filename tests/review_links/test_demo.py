"""The demo's review links: three cuts of one film, with comments open on the one before, and a drawing among them."""

import uuid
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox.seed.demo import cast
from review_portal import cuts
from review_portal.models import CommentDrawing, Cut, ReviewLink
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def start_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo starts up to where it would become the server."""
    monkeypatch.setattr("dashboard.management.commands.demo.subprocess.run", lambda *_args, **_how: None)
    monkeypatch.setattr("os.execve", lambda *_args: None)
    monkeypatch.chdir(settings.BASE_DIR)
    call_command("demo", no_open=True)


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The links of a demo that was started, by role. It serves nothing."""
    start_demo(monkeypatch)
    links: dict[str, str] = cast()["review_links"]
    return links


def test_demo_has_three_cuts_and_what_was_open_on_the_second_with_a_drawing(links: dict[str, str]) -> None:
    room = read_page(Client(), f"/{links['open']}")
    assert "Cut 3" in room and f'href="/{links["open"]}/from-cut">From cut 2<span class="chip__count">3</span>' in room
    listed = read_page(Client(), f"/{links['open']}/from-cut")
    assert (
        "3 comments, 0 checked" in listed
        and "O mostrador do torrador" in listed
        and "Ellipse, in the upper right" in listed
    )
    compared = read_page(Client(), f"/{links['open']}/compare")
    assert "Comparing cut 2 and cut 3" in compared and "Cut 2 has closed" not in compared
    still = CommentDrawing.objects.get()
    assert "Drawing at 0:43 by Helena Vasques" in read_page(Client(), f"/{links['view_only']}/d/{still.short}")


def test_what_was_changed_in_the_demo_stays_changed_when_it_is_started_again(links: dict[str, str]) -> None:
    account, link = Account.objects.get(), ReviewLink.objects.get(pk=links["open"])
    assert cuts.remove(account, link)
    call_command("demo", no_open=True)
    assert not Cut.objects.filter(link_id=uuid.UUID(links["open"])).exists()


def test_demo_starts_without_its_cuts_while_its_platform_fails(
    monkeypatch: pytest.MonkeyPatch, faults: ModuleType, capsys: Any
) -> None:
    cast()
    faults.set("folders.list", status=500)
    start_demo(monkeypatch)
    assert "without its cuts" in capsys.readouterr().err and not Cut.objects.exists()

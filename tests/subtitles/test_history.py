"""Every batch that was sent, newest first."""

import re
from types import ModuleType

import pytest
from django.test import Client

from dashboard.sandbox.clock import Frozen
from dashboard.subtitles.models import Batch
from tests.pages import page_of
from tests.subtitles.conftest import Library, SignIn, address, later, planned, send, translation

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HISTORY = "/dashboard/subtitles/history/"


def test_batches_are_remembered_with_how_they_ended(owner: Client, library: Library, clock: Frozen) -> None:
    first = planned(owner, translation(library.source_only))
    send(owner, first)
    later(clock, 60)
    second = planned(owner, translation(library.second, to=("de",)))
    send(owner, second)
    page = page_of(owner.get(HISTORY))
    assert re.findall(r'batch__title" href="([^"]+)', page) == [address(second), address(first)]
    assert re.findall(r"<p>(\d of \d ended)", page) == ["0 of 1 ended", "2 of 2 ended"]


def test_a_plan_that_was_not_sent_is_no_history(owner: Client, library: Library) -> None:
    planned(owner, translation(library.source_only))
    assert "Nothing was sent yet" in page_of(owner.get(HISTORY))


def test_pages_hold_twenty(owner: Client, library: Library) -> None:
    batch = planned(owner, translation(library.source_only))
    send(owner, batch)
    batch.refresh_from_db()
    Batch.objects.bulk_create(
        Batch(account=batch.account, actor="Ana", label=f"Batch {number}", type="TRANSLATION", tier="pro",
              from_lang="pt-BR", sent_at=batch.sent_at)
        for number in range(25)
    )  # fmt: skip
    first, second = (page_of(owner.get(f"{HISTORY}{query}")) for query in ("", "?page=2"))
    assert [page.count("batch__title") for page in (first, second)] == [20, 6]
    assert [re.findall(r'pagination__link" href="([^"]+)', page) for page in (first, second)] == [
        ["?page=2"],
        ["?page=1"],
    ]


def test_another_account_has_its_own_history(owner: Client, sign_in: SignIn, library: Library) -> None:
    send(owner, planned(owner, translation(library.source_only)))
    assert "Meet Joaquim" not in page_of(sign_in("trial").get(HISTORY))


def test_it_can_be_read_while_the_platform_is_down(owner: Client, library: Library, faults: ModuleType) -> None:
    send(owner, planned(owner, translation(library.source_only)))
    faults.set("*", broken="refused")
    response = owner.get(HISTORY)
    assert response.status_code == 200
    assert "0 of 2 ended" in page_of(response)


def test_signed_out_people_sign_in_first(db: None) -> None:
    assert Client().get(HISTORY)["Location"].startswith("/sign-in/?next=")

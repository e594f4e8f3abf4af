"""Everything that was sent through Reelroom, by batch, with filters in the address."""

import re
from types import ModuleType

import pytest
from django.test import Client

from dashboard.sandbox.clock import Frozen
from dashboard.subtitles.models import Batch, PlannedCell
from tests.pages import one_line, page_of
from tests.subtitles.conftest import Library, SignIn, later, planned, send, translation
from tests.subtitles.test_live import ask, poll_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
JOBS = "/dashboard/subtitles/jobs/"


@pytest.fixture
def ended(owner: Client, library: Library, clock: Frozen) -> Batch:
    """A batch of which one cell finished, one failed, one was skipped."""
    batch = planned(owner, translation(library.source_only, to=("fr", "sw", "ta")))
    send(owner, batch)
    later(clock, 60)
    return batch


def test_ends_offer_what_can_be_done(owner: Client, ended: Batch) -> None:
    page = one_line(page_of(owner.get(JOBS)))
    assert "3 of 3 ended" in page
    assert page.count("Plan again<") == 2
    assert "Open subtitles<" in page
    assert ">Read<span" in page


@pytest.mark.parametrize(
    ("chosen", "languages"), [("finished", ["French"]), ("error", ["Swahili"]), ("skipped", ["Tamil"]), ("running", [])]
)
def test_a_filter_shows_its_kind(owner: Client, ended: Batch, chosen: str, languages: list[str]) -> None:
    response = owner.get(f"{JOBS}?job={chosen}")
    assert [job.target for group in response.context["groups"] for job in group.jobs] == languages
    counts = {"": 3, "queue": 0, "running": 0, "finished": 1, "error": 1, "skipped": 1}
    page = page_of(response)
    assert [int(count) for count in re.findall(r"chip__count.>(\d+)<", page)] == list(counts.values())
    assert re.findall(r'href="([^"]+)" aria-current="true"', page) == [f"?job={chosen}"]


def test_pages_hold_twenty_five(owner: Client, library: Library) -> None:
    batch = planned(owner, translation(library.source_only))
    send(owner, batch)
    PlannedCell.objects.bulk_create(
        PlannedCell(
            batch=batch, position=9 + number, video_id="x", title=f"Video {number}", kind="TRANSLATION", lang="fr",
            work="TRANSLATION:fr", status="FINISHED",
        )
        for number in range(30)
    )  # fmt: skip
    first, last = (page_of(owner.get(f"{JOBS}{query}")) for query in ("", "?page=2"))
    assert "Jobs 1 to 25 of 32" in first and "Jobs 26 to 32 of 32" in last
    assert [re.findall(r'pagination__link" href="([^"]+)', page) for page in (first, last)] == [
        ["?page=2"],
        ["?page=1"],
    ]


def test_it_watches_what_is_under_way(owner: Client, library: Library, clock: Frozen) -> None:
    send(owner, planned(owner, translation(library.source_only)))
    where = poll_of(owner.get(JOBS))
    assert ask(owner, where).status_code == 204
    later(clock, 60)
    page = page_of(ask(owner, where))
    assert page.count('<li class="job is-finished"') == 2
    assert "cell__state" not in page, "this page has no table"


def test_another_account_sees_nothing_of_it(sign_in: SignIn, ended: Batch) -> None:
    page = page_of(sign_in("trial").get(JOBS))
    assert "Meet Joaquim" not in page
    assert "No jobs yet" in page


def test_it_can_be_read_while_the_platform_is_down(owner: Client, library: Library, faults: ModuleType) -> None:
    send(owner, planned(owner, translation(library.source_only)))
    faults.set("*", status=500)
    response = owner.get(JOBS)
    assert response.status_code == 200
    assert "0 of 2 ended" in page_of(response)


def test_a_refused_token_leads_to_sign_in(owner: Client, library: Library, faults: ModuleType) -> None:
    send(owner, planned(owner, translation(library.source_only)))
    faults.set("*", status=401)
    assert owner.get(JOBS)["Location"].startswith("/sign-in/")


def test_signed_out_people_sign_in_first(db: None) -> None:
    assert Client().get(JOBS)["Location"].startswith("/sign-in/?next=")

"""The overview: what waits, how it goes, what happened; panels that fail or are late take nothing else with them."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.overview import pages, registry
from dashboard.overview.registry import Limit, Moving, Rank, Todo
from dashboard.platform_api import errors
from dashboard.sandbox.models import Live, Video
from dashboard.shared.http import OwnerRequest
from dashboard.writes.models import Write
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.overview.conftest import Offer
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture(autouse=True)
def links_are_not_read(settings: Any) -> None:
    """This is about the page. What links bring along is test_todo's, and reading them costs more than all the rest."""
    settings.PLATFORM_REVIEW_READS = False


def only(offer: Offer, **sources: registry.Source) -> None:
    offer({name: registry.Provider(source) for name, source in sources.items()})


def waiting(title: str, rank: Rank = Rank.ASKED, **values: Any) -> Todo:
    return Todo(rank, "open", "Open", title, "/dashboard/", **values)


def test_it_says_what_waits_how_it_goes_and_what_happened(owner: Client) -> None:
    text = read_page(owner, "/dashboard/")
    for title in ("Waiting for you", "Most watched", "What happened", "In progress"):
        assert title in text
    assert re.search(r'stat__link" href="[^"]+">Plays</a><span class="stat__value">[\d,]+<', text)
    assert "whole days in UTC" in text
    assert 'class="stat__spark spark"' in text


def test_a_failed_conversion_and_a_live_on_air_wait(owner: Client) -> None:
    text = read_page(owner, "/dashboard/")
    assert "could not be converted" in text
    assert "is on air" in text
    assert "Converting 1 video" in text


def test_a_live_of_today_waits_and_one_of_tomorrow_does_not(owner: Client, cast: dict[str, Any]) -> None:
    live = Live.objects.get(pk=cast["lives"]["scheduled"])
    Live.objects.filter(pk=live.pk).update(scheduled_at=timezone.now() + timedelta(days=2))
    assert f"{live.title}” is today" not in read_page(owner, "/dashboard/")
    forget()
    Live.objects.filter(pk=live.pk).update(scheduled_at=timezone.now())
    assert f"{live.title}” is today" in read_page(owner, "/dashboard/")


def test_a_write_that_was_never_confirmed_waits_and_one_that_just_left_does_not(owner: Client) -> None:
    account = Account.objects.get()
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="lives.start", label="Cupping", outcome=Outcome.UNCONFIRMED
    )
    assert "check whether it was done" not in read_page(owner, "/dashboard/")
    Entry.objects.update(at=timezone.now() - timedelta(hours=1))
    text = read_page(owner, "/dashboard/")
    assert "Live started: Cupping" in text and f"/dashboard/activity/{entry.pk}/" in text


def hold_deletion(account: Account) -> None:
    Write.objects.create(account=account, scope=str(account.pk), key=uuid4(), operation="playlists.delete", label="Old")


def test_a_held_deletion_waits_for_a_word(owner: Client) -> None:
    account = Account.objects.get()
    hold_deletion(account)
    assert "Deletion of the playlist “Old”" in read_page(owner, "/dashboard/")


def test_nothing_of_another_account_waits(client: Client, owner: Client, cast: dict[str, Any]) -> None:
    account = Account.objects.get()
    hold_deletion(account)
    other = signed_in(Client(), cast["tokens"]["other"])
    assert "Deletion of the playlist" not in read_page(other, "/dashboard/")


def test_what_ends_soon_stands_before_broken_things_and_the_nearest_first(owner: Client, offer: Offer) -> None:
    now = timezone.now()

    def say(request: OwnerRequest) -> Iterator[Todo]:
        yield waiting("closes later", Rank.CLOSING, at=now + timedelta(days=2))
        yield waiting("closes soon", Rank.CLOSING, at=now + timedelta(hours=2))
        yield waiting("failed long ago", Rank.BROKEN, at=now - timedelta(days=2))
        yield waiting("failed now", Rank.BROKEN, at=now - timedelta(minutes=2))

    only(offer, tests=say)
    found = re.findall(r'todo__title" href="[^"]+">([^<]+)<', read_page(owner, "/dashboard/"))
    assert found[:4] == ["closes soon", "closes later", "failed now", "failed long ago"]


def test_more_than_fits_is_counted(owner: Client, offer: Offer) -> None:
    only(offer, tests=lambda request: [waiting(str(n)) for n in range(pages.LISTED_MOST + 3)])
    text = read_page(owner, "/dashboard/")
    assert "and 3 more" in text and text.count('class="todo__item"') == pages.LISTED_MOST + 3, "it opens on a press"
    only(offer, tests=lambda request: [waiting(str(n)) for n in range(pages.LISTED_MOST)])
    assert "todo-rest" not in read_page(owner, "/dashboard/")


def test_a_state_is_drawn_as_steps_and_a_count_as_a_count(owner: Client, offer: Offer) -> None:
    moving = [Moving("Live", "/x", "waiting", 1, 3), Moving("Batch", "/y", "7 of 12 ended", 7, 12, counted=True)]
    only(offer, tests=lambda request: moving)
    text = read_page(owner, "/dashboard/")
    assert '<i class="track__done"></i><i class="track__now"></i><i></i>' in text
    assert '<progress class="meter" max="12" value="7" aria-label="Batch">' in text


def test_a_feature_that_fails_takes_only_its_own_lines_away(owner: Client, offer: Offer) -> None:
    def fail(request: OwnerRequest) -> Iterator[Todo]:
        raise errors.PlatformDown("tests", 500, "")
        yield

    only(offer, broken=fail, fine=lambda request: [waiting("still here")])
    text = read_page(owner, "/dashboard/")
    assert "still here" in text and "Not everything could be read." in text


def test_late_parts_leave_places_that_fetch_themselves(owner: Client, late: Callable[..., None]) -> None:
    late("*")
    text = read_page(owner, "/dashboard/")
    for part in ("waiting", "figures", "most-watched"):
        assert f'hx-get="/dashboard/{part}/" hx-trigger="load"' in text
    for part in ("waiting", "figures"):
        assert f'<a href="/dashboard/{part}/">' in text, "the same without script"
    assert "wait for you" not in text.split("page-head__meta")[1].split("</p>")[0], "a count nobody has is not said"


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("waiting", "could not be converted"),
        ("figures", "Cities with viewers"),
        ("most-watched", "of traffic by these"),
    ],
)
def test_each_part_comes_alone_for_htmx_and_as_a_page_without_script(owner: Client, part: str, says: str) -> None:
    alone = owner.get(f"/dashboard/{part}/", headers={"HX-Request": "true"}).content.decode()
    assert (says in alone and alone.lstrip().startswith(f'<section class="panel" id="{part}"')) or part == "figures"
    assert 'hx-trigger="load"' not in alone
    page = read_page(owner, f"/dashboard/{part}/")
    assert says in page and "<html" in page


@pytest.mark.parametrize(
    "operation", ["analytics.browser", "analytics.city", "analytics.ranking", "lives.list", "videos.list"]
)
def test_each_read_may_fail_and_the_page_still_opens(owner: Client, faults: ModuleType, operation: str) -> None:
    forget()
    faults.set(operation, status=500)
    text = read_page(owner, "/dashboard/")
    assert "Try again" in text


def test_a_refused_token_leads_to_sign_in(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("lives.list", status=401)
    assert owner.get("/dashboard/")["Location"].startswith("/sign-in/")


def test_what_happened_can_be_undone_from_here(owner: Client, offer: Offer) -> None:
    only(offer, nothing=lambda request: [])
    account = Account.objects.get()
    Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="lives.start", label="Cupping", outcome=Outcome.DONE
    )
    text = read_page(owner, "/dashboard/")
    assert ">Live started</a>Cupping" in text
    assert "The first three steps" in text, "one change does not end being new"
    Entry.objects.bulk_create(
        Entry(account_id=account.pk, actor="Ana", operation="lives.start", outcome=Outcome.DONE)
        for _n in range(pages.NEWCOMER_CHANGES - 1)
    )
    assert "The first three steps" not in read_page(owner, "/dashboard/"), (
        "somebody who has done many things is not new"
    )


def test_the_first_steps_end_when_all_are_done_and_show_what_is_done_until_then(owner: Client, offer: Offer) -> None:
    only(offer, nothing=lambda request: [])
    account = Account.objects.get()
    sent = {"account_id": account.pk, "actor": "Ana", "outcome": Outcome.DONE}
    Entry.objects.create(operation="ai_workflow.create", **sent)
    steps = read_page(owner, "/dashboard/").split('id="steps-title"')[1].split("</section>")[0]
    assert steps.count("Done") == 2 and steps.count("To do") == 1
    Entry.objects.create(operation="review_links.create", **sent)
    assert "The first three steps" not in read_page(owner, "/dashboard/")


def test_what_waits_stands_above_the_first_steps_and_they_lead_where_nothing_does(owner: Client, offer: Offer) -> None:
    only(offer, something=lambda request: [waiting("A job failed")])
    text = read_page(owner, "/dashboard/")
    assert text.index('id="waiting"') < text.index('id="steps-title"')
    only(offer, nothing=lambda request: [])
    text = read_page(owner, "/dashboard/")
    assert text.index('id="steps-title"') < text.index('id="waiting"')


@pytest.mark.parametrize(
    ("used", "drawn"),
    [(0, "meter"), (24, "meter"), (25, "meter meter--near"), (29, "meter meter--near"), (30, "meter meter--full")],
)
def test_a_limit_is_a_bar_that_warns_before_it_is_reached(owner: Client, used: int, drawn: str, offer: Offer) -> None:
    only(offer, tests=lambda request: [Limit("Comments", "/x", f"{used} of 30", used, 30)])
    assert f'<progress class="{drawn}" max="30" value="{used}" aria-label="Comments">' in read_page(
        owner, "/dashboard/"
    )


def test_a_limit_nobody_tells_is_said_and_not_drawn(owner: Client, faults: ModuleType, offer: Offer) -> None:
    faults.set("credits.history", status=404)
    only(offer, tests=lambda request: [Limit("AI credits", "/x", "2 jobs were sent")])
    limits = read_page(owner, "/dashboard/").split('id="limits"')[1].split("</section>")[0]
    assert "2 jobs were sent" in limits and "<progress" not in limits
    assert "does not tell how many AI credits are left" in limits
    part = owner.get("/dashboard/waiting/", headers={"HX-Request": "true"}).content.decode()
    assert 'id="limits" aria-labelledby="limits-title" hx-swap-oob="true"' in part, "late ones find their place"


@pytest.mark.parametrize("status", [404, 403])
def test_credits_are_untold_only_where_the_platform_was_asked_and_does_not_tell(
    owner: Client, faults: ModuleType, status: int
) -> None:
    untold = "does not tell how many AI credits are left"
    faults.set("credits.history", status=500)
    text = read_page(owner, "/dashboard/")
    assert untold not in text and "does not tell what the plan holds" in text and 'id="credits-title"' not in text
    faults.clear()
    faults.set("credits.history", status=status)
    forget()
    assert untold in read_page(owner, "/dashboard/")


def test_the_balance_and_what_changed_it_lately_are_shown(owner: Client, calls: Callable[[str], int]) -> None:
    panel = read_page(owner, "/dashboard/").split('id="credits-title"')[1].split("</section>")[0]
    assert re.search(r'stat__value">[\d,]+<', panel)
    assert "Translation, pt-BR to de" in panel and "−" in panel
    assert 'href="/dashboard/credits/"' in panel
    read_page(owner, "/dashboard/")
    assert calls("credits.history") == 1


def test_an_empty_account_gets_the_first_three_steps_and_no_empty_figures(client: Client, cast: dict[str, Any]) -> None:
    token = cast["tokens"]["no_permission"]
    Video.objects.filter(organization__users__tokens__value=token).delete()
    text = read_page(signed_in(client, token), "/dashboard/")
    assert "The first three steps" in text and "Upload a video on the platform" in text
    assert "Most watched" not in text and "To do" in text
    assert text.count("button--primary") == 1, "the first step is what can be done"


@pytest.mark.parametrize(
    ("hour", "said"),
    [(4, "evening"), (5, "morning"), (11, "morning"), (12, "afternoon"), (17, "afternoon"), (18, "evening")],
)
def test_the_greeting_goes_by_the_readers_clock(hour: int, said: str) -> None:
    assert pages.format_greeting(hour, "Téo") == f"Good {said}, Téo"
    assert pages.format_greeting(hour, "") == f"Good {said}"

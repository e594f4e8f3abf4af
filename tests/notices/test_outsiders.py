"""One outsider cannot use up what belongs to all: e-mails of a link, an address of somebody else, decisions, notices."""

import uuid
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from dashboard.notices.models import Mail, Notice, Subscription
from review_portal import news, rules
from review_portal.models import Decision, ReviewLink
from review_portal.models import Reviewer as Person
from tests.notices.conftest import leave_address
from tests.notices.test_notices import NOTICES, get_lines
from tests.pages import read_page
from tests.review_portal.conftest import Reviewer

pytestmark = [pytest.mark.django_db(databases=["default", "sandbox"]), pytest.mark.usefixtures("one_window")]


def come_from(network: str, link: ReviewLink, name: str) -> Reviewer:
    """Somebody who wrote a comment from an address of that network."""
    reviewer = Reviewer(link.pk, name, client=Client(REMOTE_ADDR=f"{network}.{len(name) % 250}"))
    assert reviewer.post(f"A note of {name}.").status_code == 302
    return reviewer


def decide(client: Client, link: ReviewLink, name: str, verdict: str = "approve") -> int:
    form = {"key": str(uuid.uuid4()), "verdict": verdict, "user_name": name}
    status: int = client.post(f"/{link.pk}/decision", form).status_code
    return status


def test_askings_of_an_outsider_from_three_networks_keep_nobody_s_e_mails_away(link: ReviewLink) -> None:
    for number, network in enumerate(("20.1.1", "20.2.2", "20.3.3")):
        outsider = come_from(network, link, f"Outsider {number}")
        for asked in range(10):
            leave_address(outsider, f"x{number}{asked}@example.com")
    ana = come_from("9.9.9", link, "Ana Prado")
    assert leave_address(ana).status_code == 302
    assert Mail.objects.filter(kind=Mail.Kind.CONFIRM, subscription__person=str(Person.objects.latest("created_at").pk))


def test_asking_with_somebody_s_address_does_not_keep_their_own_away(link: ReviewLink) -> None:
    for number, network in enumerate(("20.1.1", "20.2.2", "20.3.3")):
        outsider = come_from(network, link, f"Outsider {number}")
        for _time in range(4):
            leave_address(outsider, "ana@example.com")
            leave_address(outsider, "other@example.com")
    before = Mail.objects.filter(kind=Mail.Kind.CONFIRM).count()
    ana = come_from("9.9.9", link, "Ana Prado")
    assert leave_address(ana).status_code == 302
    assert Mail.objects.filter(kind=Mail.Kind.CONFIRM).count() == before + 1


def test_one_person_of_a_network_does_not_use_up_the_e_mails_of_its_neighbours(link: ReviewLink) -> None:
    outsider = come_from("20.1.1", link, "Outsider")
    answers = [leave_address(outsider, f"x{number}@example.com").status_code for number in range(20)]
    assert answers == [302] * 10 + [429] * 10
    assert leave_address(come_from("20.1.1", link, "Ana Prado")).status_code == 302


def test_a_hundred_browsers_of_one_network_leave_few_decisions_and_the_owner_is_told_once(
    desk: Client, link: ReviewLink
) -> None:
    people = Person.objects.count()
    answers = Counter(decide(Client(REMOTE_ADDR=f"20.1.1.{number}"), link, f"Nobody {number}") for number in range(100))
    limit = rules.DECISIONS_PER_NETWORK[0]
    assert answers == {302: limit, 429: 100 - limit}
    assert Decision.objects.count() == Person.objects.count() - people == limit
    assert decide(Client(REMOTE_ADDR="9.9.9.9"), link, "Ana Prado") == 302, "others decide as before"
    news.scan()
    assert Notice.objects.count() == 1
    assert get_lines(read_page(desk, NOTICES)) == [
        f"{limit + 1} people decided on “Cut 3”: many decisions within an hour. Check who they are from., new"
    ]
    assert decide(Client(REMOTE_ADDR="8.8.8.8"), link, "Teo") == 302
    news.scan()
    assert Notice.objects.count() == 1


def test_decisions_of_few_people_are_told_one_by_one(link: ReviewLink) -> None:
    for number in range(news.BURST):
        decide(Client(REMOTE_ADDR=f"20.1.{number}.1"), link, f"Person {number}")
    news.scan()
    assert Notice.objects.count() == news.BURST


def test_browsers_that_nobody_knows_yet_are_so_many_of_a_network_in_a_day(link: ReviewLink) -> None:
    limit = rules.NEW_REVIEWERS_PER_NETWORK[0]
    before = Person.objects.count()
    for number in range(limit + 20):
        form = {"key": str(uuid.uuid4()), "user_name": f"Nobody {number}", "text": "x", "time": "0:01"}
        Client(REMOTE_ADDR=f"20.1.1.{number}").post(f"/{link.pk}/comments", form)
    assert Person.objects.count() - before <= limit


def test_somebody_who_decides_again_and_again_is_asked_to_wait_until_tomorrow(link: ReviewLink, ana: Reviewer) -> None:
    answers = [decide(ana.client, link, "Ana Prado", verdict) for verdict in ["approve", "none", "none"] * 12]
    assert Decision.objects.filter(verdict="none").count() == Decision.objects.exclude(verdict="none").count() == 10
    assert 429 in answers
    form: dict[str, Any] = {"key": str(uuid.uuid4()), "verdict": "approve", "user_name": "Ana Prado"}
    assert " h, then send it again" in ana.client.post(f"/{link.pk}/decision", form).content.decode()
    assert not Subscription.objects.exists()

"""All sub-accounts on one page: a row each, what is not known is said, and nobody sees more than this browser may open."""

import csv
import io
from datetime import timedelta
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.runs.models import Run, RunState
from dashboard.sandbox import clock, reports
from dashboard.sandbox.audience import Period, read_account
from dashboard.sandbox.models import Organization, Token
from dashboard.shared import formats
from dashboard.sub_accounts import queries
from dashboard.sub_accounts.models import PlayRecord
from dashboard.sub_accounts.rules import get_period
from dashboard.upstream import parallel
from dashboard.upstream.models import KnownAnswer
from tests.answering import change_answers
from tests.conftest import signed_in
from tests.review_links.inbox_rows import make_comment, make_link
from tests.sub_accounts.family import CAFE, HERE, connect, plant_schools, rows, token_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
ALONE = ["Connect to see plays", "–"]


def make_due() -> None:
    """What was read is old enough to be read again."""
    old = timezone.now() - queries.FRESH
    PlayRecord.objects.update(tried_at=old)
    KnownAnswer.objects.filter(operation="analytics.browser").update(read_at=old)


def plays_of(name: str) -> float:
    """Plays of a sub-account in the page's period, as the embedded platform counts them."""
    days = get_period(timezone.now()).now
    answer = reports.ranking(
        read_account(Organization.objects.get(name=name), clock.now()), Period(days.start, days.end)
    )
    return float(sum(row["play"] for row in answer["data"]))


def test_every_sub_account_of_the_usage_has_one_row(owner: Client) -> None:
    plant_schools(12)
    names = set(Organization.objects.filter(parent__isnull=False).values_list("name", flat=True))
    table = rows(owner)
    assert len(names) == 12 and set(table) == {*names, "12 together"}
    assert unescape(owner.get(HERE).content.decode()).count("12 sub-accounts of ") == 1


def test_without_its_token_only_the_usage_of_a_sub_account_is_known(owner: Client) -> None:
    organization = Organization.objects.get(name=CAFE)
    usage = reports.account_traffic(
        read_account(organization, clock.now()),
        Period(timezone.now().date() - timedelta(days=30), timezone.now().date() - timedelta(days=1)),
    )
    assert usage > 0
    traffic = formats.file_size(usage)
    assert rows(owner)[CAFE] == [*ALONE, traffic, "–", "–", "Not connected", f"Connect : {CAFE}"]
    assert rows(owner)["1 together"][0] == "–", "what nobody knows adds up to nothing, not to 0"


def test_connected_sub_account_shows_exactly_its_plays(owner: Client) -> None:
    connect(owner, CAFE)
    assert plays_of(CAFE) > 0
    row = rows(owner)[CAFE]
    assert row[0] == formats.number(plays_of(CAFE)) and "%" in row[1]
    assert row[3:] == ["None", "None", "Connected", f"Open : {CAFE}"]


def test_totals_are_the_sums_of_the_rows_and_say_how_many_are_known(owner: Client) -> None:
    plant_schools(12)
    names = ["School 3", "School 7", CAFE]
    for name in names:
        connect(owner, name)
    table = rows(owner)
    assert table["12 together"][0] == f"{formats.number(sum(map(plays_of, names)))} 3 of 12 known"
    assert all(table[name][0] == formats.number(plays_of(name)) for name in names)
    with io.StringIO(owner.get(f"{HERE}export.csv").content.decode("utf-8-sig")) as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 12 and sum(float(line["plays"] or 0) for line in lines) == sum(map(plays_of, names))
    assert sum(line["plays"] == "" for line in lines) == 9, "what is not known is an empty cell"
    assert table["12 together"][2] == formats.file_size(sum(float(line["traffic_bytes"]) for line in lines))


def test_a_sub_account_without_videos_has_no_data_and_not_zero(owner: Client) -> None:
    plant_schools(6)
    connect(owner, "School 4")
    assert rows(owner)["School 4"][:2] == ["No data", "–"]


@pytest.mark.parametrize("way", ["another browser", "another parent"])
def test_a_sub_account_that_this_browser_did_not_connect_shows_nothing_of_its_own(
    owner: Client, cast: dict[str, Any], way: str
) -> None:
    account = connect(owner, CAFE)
    Run.objects.create(account=account, action="x", title="Secret", actor="Ana", state=RunState.RUNNING)
    rows(owner)
    if way == "another browser":
        stranger = signed_in(Client(), cast["tokens"]["owner"])
        assert rows(stranger)[CAFE][:2] == ALONE and rows(stranger)[CAFE][3:6] == ["–", "–", "Not connected"]
    else:
        stranger = signed_in(Client(), cast["tokens"]["other"])
        assert CAFE not in rows(stranger)
    assert stranger.post(f"/accounts/{account.pk}/use/", {"next": "/dashboard/"}).status_code == 404
    assert CAFE not in stranger.get("/accounts/").content.decode()


def test_disconnecting_takes_its_numbers_off_the_page(owner: Client) -> None:
    account = connect(owner, CAFE)
    rows(owner)
    owner.post(f"/accounts/{account.pk}/disconnect/")
    assert rows(owner)[CAFE][:2] == ALONE


def test_refused_token_is_said_with_the_day_its_numbers_end_and_a_new_one_mends_it(owner: Client) -> None:
    account = connect(owner, CAFE)
    total = rows(owner)[CAFE][0]
    Token.objects.filter(value=token_of(CAFE)).update(value="renewed")
    make_due()
    page = unescape(owner.get(HERE).content.decode())
    row = rows(owner)[CAFE]
    end = formats.day(get_period(timezone.now()).now.end)
    assert f"{CAFE} is disconnected." in page and f"Its numbers end on {end}." in page
    assert row[0].startswith(f"{total} read") and row[5:] == ["Refused", f"Replace token : {CAFE}"]
    assert "Need you <span" in " ".join(page.split()) and rows(owner, "?show=waiting").keys() == {CAFE, "1 together"}
    link = page.split("Replace token")[0].rpartition('href="')[2].split('"')[0]
    form = unescape(owner.get(link).content.decode())
    assert f'name="renew" value="{account.pk}"' in form and 'name="stay"' in form
    hidden = {"renew": account.pk, "parent": account.parent_id, "stay": "1", "next": HERE}
    assert owner.post("/sign-in/", {"token": "renewed", **hidden})["Location"] == HERE
    assert rows(owner)[CAFE][5] == "Connected" and Account.objects.filter(parent__isnull=False).count() == 1


def test_new_token_is_not_tried_at_every_look_while_the_platform_cannot_say(
    owner: Client, calls: Any, faults: ModuleType
) -> None:
    account = connect(owner, CAFE)
    rows(owner)
    PlayRecord.objects.update(refused="that of the token before", tried_at=timezone.now() - timedelta(hours=1))
    faults.set("analytics.browser", status=500)
    make_due()
    rows(owner)
    tried = calls("analytics.browser")
    make_due()
    PlayRecord.objects.update(tried_at=timezone.now())
    rows(owner)
    assert calls("analytics.browser") == tried and not PlayRecord.objects.get(account=account).refused


def test_refused_token_stays_refused_while_the_platform_cannot_say(owner: Client, faults: ModuleType) -> None:
    account = connect(owner, CAFE)
    rows(owner)
    PlayRecord.objects.update(refused=account.fingerprint)
    faults.set("analytics.browser", status=500)
    make_due()
    assert rows(owner)[CAFE][5] == "Refused"


@pytest.mark.parametrize("whose", ["parent", "sibling"])
def test_token_of_another_account_connects_no_sub_account(owner: Client, cast: dict[str, Any], whose: str) -> None:
    plant_schools(4)
    sibling = connect(owner, CAFE)
    parent, school = Account.objects.get(parent=None), Organization.objects.get(name="School 3")
    token = cast["tokens"]["owner"] if whose == "parent" else token_of(CAFE)
    form = {"token": token, "name": "School 3", "parent": parent.pk, "organization": school.pk, "stay": "1"}
    answer = owner.post("/sign-in/", {**form, "next": HERE})
    name = parent.name if whose == "parent" else CAFE
    assert answer.status_code == 422 and f"This is the token of “{name}”." in unescape(answer.content.decode())
    for account, before in ((parent, parent.name), (sibling, CAFE)):
        account.refresh_from_db()
        assert account.name == before
    assert sibling.organization_id == str(Organization.objects.get(name=CAFE).pk) and not parent.parent_id
    assert rows(owner)[CAFE][5] == "Connected" and rows(owner)["School 3"][5] == "Not connected"


def test_token_of_a_sibling_replaces_no_refused_one(owner: Client) -> None:
    plant_schools(4)
    refused, sibling = connect(owner, "School 3"), connect(owner, CAFE)
    hidden = {"renew": refused.pk, "parent": refused.parent_id, "stay": "1", "next": HERE}
    answer = owner.post("/sign-in/", {"token": token_of(CAFE), **hidden})
    assert answer.status_code == 422 and f"This is the token of “{CAFE}”." in unescape(answer.content.decode())
    assert owner.post("/sign-in/", {"token": token_of("School 3"), **hidden})["Location"] == HERE
    assert sibling.token == token_of(CAFE)


def test_the_same_token_again_connects_the_same_sub_account(owner: Client) -> None:
    assert connect(owner, CAFE) == connect(owner, CAFE)


def test_token_whose_key_is_gone_counts_as_refused(owner: Client) -> None:
    account = connect(owner, CAFE)
    Account.objects.filter(pk=account.pk).update(sealed_token="lost")
    assert rows(owner)[CAFE][5] == "Refused"


@pytest.mark.parametrize("fault", [{"status": 500}, {"status": 403}, {"status": 429}, {"broken": "refused"}])
def test_failed_read_keeps_what_was_known_with_its_age_and_refuses_no_token(
    owner: Client, faults: ModuleType, fault: dict[str, Any]
) -> None:
    connect(owner, CAFE)
    total = rows(owner)[CAFE][0]
    PlayRecord.objects.update(read_at=timezone.now() - timedelta(hours=3))
    faults.set("analytics.browser", **fault)
    make_due()
    assert owner.get(HERE).status_code == 200
    row = rows(owner)[CAFE]
    assert row[0].startswith(f"{total} read") and row[5] == "Connected"


def test_first_read_that_fails_says_so_and_gives_no_number(owner: Client, faults: ModuleType) -> None:
    faults.set("analytics.browser", status=500)
    connect(owner, CAFE)
    assert rows(owner)[CAFE][:2] == ["Not known: the last read failed", "–"]


def test_page_asks_no_sub_account_while_what_it_knows_is_fresh(owner: Client, calls: Any) -> None:
    connect(owner, CAFE)
    for _time in range(3):
        rows(owner)
    assert calls("analytics.browser") == 1
    make_due()
    PlayRecord.objects.update(tried_at=timezone.now() - queries.FRESH + timedelta(seconds=30))
    rows(owner)
    assert calls("analytics.browser") == 1
    make_due()
    rows(owner)
    assert calls("analytics.browser") == 2


def test_at_most_four_sub_accounts_are_read_at_a_time(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_schools(10)
    for number in range(1, 7):
        connect(owner, f"School {number}")
    sizes: list[int] = []
    gather = parallel.gather

    def counted(patience: float | None = None, **reads: Any) -> Any:
        sizes.append(len(reads))
        return gather(patience, **reads)

    monkeypatch.setattr(parallel, "gather", counted)
    queries.refresh(list(Account.objects.filter(parent__isnull=False)), get_period(timezone.now()))
    assert max(sizes) == 4 and sum(size for size in sizes if size > 1) == 6


def test_usage_without_traffic_is_not_zero(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [{"id": "1", "name": "Escola", "storage": 5}, {"id": "2", "name": "Marca", "bandwidth": 0}]
    change_answers(monkeypatch, lambda _answer: told, "organizations.usage")
    table = rows(owner)
    assert (table["Escola"][2], table["Marca"][2], table["2 together"][2]) == ("–", "0 B", "0 B 1 of 2 known")


def test_without_the_usage_connected_sub_accounts_are_still_there(owner: Client, faults: ModuleType) -> None:
    connect(owner, CAFE)
    faults.set("organizations.usage", status=404)
    row = rows(owner)[CAFE]
    assert row[0] == formats.number(plays_of(CAFE)) and row[2] == "–"
    assert "Traffic: not known." in owner.get(HERE).content.decode()


def test_renamed_sub_account_stays_one_row(owner: Client) -> None:
    account = connect(owner, CAFE)
    Account.objects.filter(pk=account.pk).update(name="Our café")
    assert set(rows(owner)) == {"Our café", "1 together"}


def test_one_that_was_connected_elsewhere_is_recognised_by_its_name_and_from_then_on_by_its_id(owner: Client) -> None:
    account = connect(owner, CAFE)
    organization_id, account.organization_id = account.organization_id, ""
    account.save()
    assert set(rows(owner)) == {CAFE, "1 together"}
    account.refresh_from_db()
    assert account.organization_id == organization_id


def test_two_of_one_name_are_not_mistaken_for_each_other(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    account = connect(owner, CAFE)
    Account.objects.filter(pk=account.pk).update(organization_id="")
    told = [{"id": "1", "name": CAFE, "traffic": 1}, {"id": "2", "name": CAFE, "traffic": 2}]
    change_answers(monkeypatch, lambda _answer: told, "organizations.usage")
    assert "3 together" in rows(owner)


def test_what_waits_is_counted_and_one_press_leads_there(owner: Client) -> None:
    account = connect(owner, CAFE)
    link = make_link(account)
    for _comment in range(3):
        make_comment(link)
    Run.objects.create(account=account, action="x", title="Run", actor="Ana", state=RunState.RUNNING)
    Run.objects.create(account=account, action="x", title="Run", actor="Ana", state=RunState.FINISHED)
    assert rows(owner)[CAFE][3:] == ["1 run", "3", "Connected", f"Open 3 waiting : {CAFE}"]
    assert rows(owner, "?show=running").keys() == rows(owner, "?show=waiting").keys() == {CAFE, "1 together"}
    answer = owner.post(f"/accounts/{account.pk}/use/", {"next": "/dashboard/review-links/inbox/"}, follow=True)
    assert answer.redirect_chain == [("/dashboard/review-links/inbox/", 302)]
    assert "3 unanswered" in answer.content.decode()


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "dashboard"])
def test_switching_leads_nowhere_else(owner: Client, elsewhere: str) -> None:
    account = connect(owner, CAFE)
    assert owner.post(f"/accounts/{account.pk}/use/", {"next": elsewhere})["Location"] == "/dashboard/"
    assert owner.get(f"/accounts/{account.pk}/use/").status_code != 200


def test_an_address_that_names_no_chip_shows_all(owner: Client) -> None:
    assert rows(owner, "?show=nothing&sort=%00") == rows(owner)


def test_report_has_sentences_before_numbers_and_the_next_steps(owner: Client) -> None:
    plant_schools(4)
    connect(owner, CAFE)
    page = unescape(owner.get(f"{HERE}report/").content.decode())
    total = formats.number(plays_of(CAFE))
    assert page.index(f"{total} plays. Known for 1 of 4 sub-accounts.") < page.index("portfolio__table")
    assert "<b>Connect to see plays</b>: School 1, School 2, School 3" in page and "<nav" not in page
    assert set(rows(owner, path=f"{HERE}report/")) == set(rows(owner))


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (100, "As many plays as in the 28 days before, 100, in the one that can be compared."),
        (80, "Plays rose by 25.0%, from 80 to 100, in the one that can be compared."),
        (200, "Plays fell by 50.0%, from 200 to 100, in the one that can be compared."),
    ],
)
def test_report_says_how_plays_moved(owner: Client, before: int, words: str) -> None:
    connect(owner, CAFE)
    rows(owner)
    period = get_period(timezone.now())
    days = {period.before.start: before, period.now.start: 50, period.now.end: 50}
    PlayRecord.objects.update(days={day.isoformat(): plays for day, plays in days.items()})
    assert words in unescape(owner.get(f"{HERE}report/").content.decode())


def test_report_without_anything_known_says_so(owner: Client, faults: ModuleType) -> None:
    faults.set("organizations.usage", status=500)
    page = owner.get(f"{HERE}report/").content.decode()
    assert "Plays are not known for any sub-account." in page and "No sub-account is known." in page


@pytest.mark.parametrize("page", ["report/", "export.csv"])
def test_a_sub_account_has_no_report_of_its_own(owner: Client, page: str) -> None:
    account = connect(owner, CAFE)
    owner.post(f"/accounts/{account.pk}/use/")
    assert owner.get(f"{HERE}{page}")["Location"] == HERE


@pytest.mark.parametrize(("ago", "due"), [(0, False), (1, False), (3, True), (-31 * 24 * 60, True)])
def test_figures_are_tried_again_also_after_a_clock_ran_ahead(ago: int, due: bool) -> None:
    now = timezone.now()
    record = PlayRecord(tried_at=now - timedelta(minutes=ago))
    assert queries._is_due(Account(), record, now) is due

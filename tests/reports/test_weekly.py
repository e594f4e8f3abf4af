"""A report by e-mail every Monday: confirmed, once, when its numbers are known, and stopped with one press."""

import sys
from datetime import UTC, date, datetime, timedelta
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.notices.models import Mail, Subscription
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from dashboard.reports.queries import Subject
from dashboard.shared.vault import seal
from dashboard.writes.models import Write
from dashboard.writes.recovery import restored
from tests.conftest import signed_in
from tests.due import run_due
from tests.forgetting import forget, make_old
from tests.moments import Freeze, at_statement
from tests.notices.conftest import confirm_all, sent
from tests.reports.conftest import WEEK, Audience

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
REPORT = "/dashboard/reports/"
SEND = f"{REPORT}weekly/"
MONDAY = datetime(2026, 11, 16, 11, tzinfo=UTC)
"""8:00 in São Paulo."""
FRIDAY = datetime(2026, 11, 13, 12, tzinfo=UTC)


def ask(owner: Client, about: str = "", address: str = "ana@example.com", **headers: str) -> Any:
    return owner.post(SEND, {"about": about, "address": address}, headers=headers)


@pytest.fixture
def asked(audience: Audience, owner: Client, clock: Freeze) -> WeeklyReport:
    """The report of the whole account, which a confirmed address asked for on Friday."""
    clock(FRIDAY)
    assert ask(owner).status_code == 302
    confirm_all()
    return WeeklyReport.objects.get()


def work(clock: Freeze, at: datetime) -> list[Mail]:
    """The worker looks at this moment; what has left by then."""
    clock(at)
    weekly.send_due()
    run_due(2)
    return sent("letter")


def test_new_address_gets_a_confirmation_that_names_the_report(audience: Audience, owner: Client) -> None:
    answer = ask(owner)
    assert answer.status_code == 302 and answer["Location"] == f"{REPORT}#weekly"
    run_due(2)
    (mail,) = sent("confirm")
    assert "asked for e-mails about the weekly report “" in mail.text and "comments and decisions" not in mail.text
    page = owner.get(REPORT).content.decode()
    assert "a…@example.com" in page and "Not confirmed yet" in page and "ana@example.com" not in page


def test_the_same_form_twice_is_one_report(audience: Audience, owner: Client) -> None:
    assert ask(owner).status_code == ask(owner, address=" ANA@example.com ").status_code == 302
    assert WeeklyReport.objects.count() == Subscription.objects.count() == 1


@pytest.mark.parametrize("address", ["", "ana", "ana@localhost", "a@[127.0.0.1]"])
def test_wrong_address_is_said_at_the_form_which_keeps_it(audience: Audience, owner: Client, address: str) -> None:
    answer = ask(owner, address=address)
    page = answer.content.decode()
    assert (answer.status_code == 422 and "field__error" in page and f'value="{address}"' in page) or not address
    assert not WeeklyReport.objects.exists()


def test_address_that_follows_review_links_keeps_its_rhythm_and_needs_no_second_confirmation(
    audience: Audience, owner: Client
) -> None:
    owner.post("/dashboard/notices/settings/", {"address": "ana@example.com", "every": "hour"})
    confirm_all()
    assert ask(owner).status_code == 302
    subscription = Subscription.objects.get()
    assert subscription.is_on and subscription.every == "hour"
    assert "Also gets the weekly report “" in owner.get("/dashboard/notices/settings/").content.decode()


def test_address_of_a_report_that_asks_for_notices_gets_them(asked: WeeklyReport, owner: Client) -> None:
    assert Subscription.objects.get().every == "none"
    owner.post("/dashboard/notices/settings/", {"address": "ana@example.com", "every": "hour"})
    subscription = Subscription.objects.get()
    assert subscription.is_on and subscription.every == "hour" and WeeklyReport.objects.exists()


@pytest.mark.parametrize(("seconds", "count"), [(-1, 0), (0, 1), (300, 1)])
def test_mail_leaves_on_monday_at_eight_in_the_zone_of_the_account(
    asked: WeeklyReport, clock: Freeze, seconds: int, count: int
) -> None:
    assert len(work(clock, MONDAY + timedelta(seconds=seconds))) == count


def test_mail_has_the_sentences_of_the_page_and_leads_to_it(asked: WeeklyReport, clock: Freeze, owner: Client) -> None:
    (mail,) = work(clock, MONDAY)
    assert mail.subject == f"{asked.name}: weekly report"
    sentence = "420 plays, 50.0% more than the week before (280 plays)."
    assert sentence in mail.text and sentence in mail.html and sentence in owner.get(REPORT).content.decode()
    assert "/dashboard/reports/?week=2026-11-09" in mail.text and "/dashboard/reports/stop/" in mail.text
    assert "color-scheme:light dark" in mail.html
    first = Client().get("/dashboard/reports/?week=2026-11-09")
    assert first.status_code == 302 and "/sign-in/" in first["Location"]
    assert mail.subject in owner.get(f"/dashboard/notices/mailbox/{mail.pk}/").content.decode()


def test_mail_leaves_once_however_often_and_by_whomever_it_is_looked_after(asked: WeeklyReport, clock: Freeze) -> None:
    assert len(work(clock, MONDAY)) == 1
    WeeklyReport.objects.update(
        week=date(2026, 11, 2)
    )  # as another worker read it, or one that died before it wrote it
    assert len(work(clock, MONDAY + timedelta(minutes=5))) == 1
    assert Write.objects.filter(operation="notices.send_mail").count() == 2  # with the confirmation
    assert len(work(clock, MONDAY + timedelta(days=1))) == 1


def test_worker_that_dies_between_its_steps_has_done_both_or_neither(asked: WeeklyReport, clock: Freeze) -> None:
    clock(MONDAY)
    with at_statement('UPDATE "reports_weeklyreport"', sys.exit), pytest.raises(SystemExit):
        weekly.send_due()
    assert not Mail.objects.filter(kind="letter").exists()
    assert len(work(clock, MONDAY)) == 1


def test_week_of_a_clock_that_ran_ahead_keeps_no_mail_back(asked: WeeklyReport, clock: Freeze) -> None:
    WeeklyReport.objects.update(week=date(2026, 12, 14))
    assert len(work(clock, MONDAY)) == 1
    assert WeeklyReport.objects.get().week == date(2026, 11, 9)


def test_next_week_brings_the_next_mail(asked: WeeklyReport, clock: Freeze, audience: Audience) -> None:
    work(clock, MONDAY)
    audience.plays |= {day + timedelta(days=7): {"someone": 1} for day in WEEK}
    first, second = work(clock, MONDAY + timedelta(days=7))
    assert "week=2026-11-09" in first.text and "week=2026-11-16" in second.text


def test_mail_waits_for_missing_days_and_says_them_when_they_do_not_come(
    asked: WeeklyReport, clock: Freeze, audience: Audience
) -> None:
    sunday = audience.plays.pop(WEEK[-1])
    assert not work(clock, MONDAY) and not work(clock, MONDAY + timedelta(hours=11, minutes=59))
    (mail,) = work(clock, MONDAY + timedelta(hours=12))
    assert "there is no data for Nov 15" in mail.text and sunday


def test_mail_leaves_later_the_same_day_when_the_days_are_known(
    asked: WeeklyReport, clock: Freeze, audience: Audience
) -> None:
    sunday = audience.plays.pop(WEEK[-1])
    assert not work(clock, MONDAY)
    make_old((datetime.now(UTC) - MONDAY).total_seconds())  # the store has a clock of its own
    audience.plays[WEEK[-1]] = sunday
    assert not work(clock, MONDAY + timedelta(minutes=14))
    (mail,) = work(clock, MONDAY + timedelta(minutes=20))
    assert "420 plays" in mail.text and "no data" not in mail.text


def test_nothing_is_sent_of_a_week_of_which_nothing_is_known(
    asked: WeeklyReport, clock: Freeze, audience: Audience
) -> None:
    plays = dict(audience.plays)
    audience.plays.clear()
    assert not work(clock, MONDAY) and not work(clock, MONDAY + timedelta(hours=23, minutes=59))
    assert not work(clock, MONDAY + timedelta(hours=24))
    audience.plays |= plays
    assert not work(clock, MONDAY + timedelta(hours=25))


def test_nothing_is_sent_while_the_platform_fails_and_it_is_sent_when_it_answers(
    asked: WeeklyReport, clock: Freeze, faults: ModuleType
) -> None:
    forget()
    faults.set("videos.list", status=500)
    assert not work(clock, MONDAY)
    faults.clear()
    assert len(work(clock, MONDAY + timedelta(minutes=5))) == 1


def test_mail_of_which_everything_was_forgotten_meanwhile_is_read_again_and_arrives_once(
    asked: WeeklyReport, clock: Freeze, faults: ModuleType
) -> None:
    clock(MONDAY)
    weekly.send_due()
    forget()
    faults.set("videos.list", status=500)
    run_due(2)
    assert not sent("letter")
    faults.clear()
    forget()
    run_due(60)
    (mail,) = sent("letter")
    assert "420 plays" in mail.text
    run_due(600)
    assert len(sent("letter")) == 1


def test_report_that_breaks_keeps_no_other_waiting(
    asked: WeeklyReport, owner: Client, clock: Freeze, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(owner, "search:has:quiz")
    read = weekly.read_report

    def break_first(report: WeeklyReport, week: Any) -> Any:
        if report == asked:
            raise ValueError
        return read(report, week)

    monkeypatch.setattr(weekly, "read_report", break_first)
    WeeklyReport.objects.filter(pk=asked.pk).update(week=date(2020, 1, 6))
    assert [mail.subject.partition(":")[0] for mail in work(clock, MONDAY)] == ["has"]


def test_letter_that_waits_is_not_sent_to_an_address_whose_confirmation_is_asked_for_again(
    asked: WeeklyReport, clock: Freeze
) -> None:
    clock(MONDAY)
    weekly.send_due()
    Subscription.objects.update(confirmed_at=None)
    run_due(2)
    assert not sent("letter")


@pytest.mark.parametrize("how", ["unconfirmed", "disconnected"])
def test_nothing_is_sent_to_an_unconfirmed_address_or_of_a_disconnected_account(
    audience: Audience, owner: Client, clock: Freeze, account: Account, how: str
) -> None:
    clock(FRIDAY)
    ask(owner)
    if how == "disconnected":
        confirm_all()
        account.forget_token()
        account.save()
    assert not work(clock, MONDAY)


def test_report_asked_for_on_monday_after_eight_begins_with_the_next_week(
    audience: Audience, owner: Client, clock: Freeze
) -> None:
    clock(MONDAY + timedelta(minutes=1))
    ask(owner)
    confirm_all()
    assert not work(clock, MONDAY + timedelta(hours=1))


def test_report_asked_for_on_monday_before_eight_is_sent_the_same_morning(
    audience: Audience, owner: Client, clock: Freeze
) -> None:
    clock(MONDAY - timedelta(minutes=1))
    ask(owner)
    confirm_all()
    assert len(work(clock, MONDAY)) == 1


def test_mail_speaks_the_language_of_its_reader(audience: Audience, owner: Client, clock: Freeze) -> None:
    clock(FRIDAY)
    owner.cookies["language"] = "pt-br"
    ask(owner)
    confirm_all()
    (mail,) = work(clock, MONDAY)
    assert "relatório semanal" in mail.subject and "420 reproduções, 50,0% a mais que na semana anterior" in mail.text


def test_press_on_the_page_stops_the_report_and_forgets_the_address(asked: WeeklyReport, owner: Client) -> None:
    answer = owner.post(f"{SEND}{asked.pk}/stop/")
    assert answer.status_code == 302 and not WeeklyReport.objects.exists() and not Subscription.objects.exists()
    again = owner.post(f"{SEND}{asked.pk}/stop/", {"about": "search:has:quiz"})
    assert again.status_code == 302 and again["Location"] == f"{REPORT}?about=search%3Ahas%3Aquiz#weekly"


def test_link_in_the_mail_stops_the_report_without_signing_in(asked: WeeklyReport, clock: Freeze) -> None:
    token = weekly.build_stop_token(asked)
    visitor = Client(enforce_csrf_checks=True)
    assert "Stop this report?" in visitor.get(f"{REPORT}stop/{token}/").content.decode()
    assert WeeklyReport.objects.exists()
    answer = visitor.post(f"{REPORT}stop/{token}/", {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200 and not WeeklyReport.objects.exists()
    assert "no longer gets" in visitor.get(f"{REPORT}stop/{token}/").content.decode()
    assert not work(clock, MONDAY)


@pytest.mark.parametrize("token", ["x", "00000000000000000000000000000000~x"])
def test_link_that_nobody_signed_stops_nothing(asked: WeeklyReport, token: str) -> None:
    assert Client().post(f"{REPORT}stop/{token}/").status_code == 200
    assert WeeklyReport.objects.exists()


def test_stopping_one_report_keeps_the_others_and_the_news(asked: WeeklyReport, owner: Client) -> None:
    ask(owner, "search:has:quiz")
    owner.post(f"{SEND}{asked.pk}/stop/")
    assert WeeklyReport.objects.get().query == "has:quiz" and Subscription.objects.exists()


def test_mail_that_waits_is_not_sent_after_the_report_was_stopped(
    asked: WeeklyReport, owner: Client, clock: Freeze
) -> None:
    ask(owner, "search:has:quiz")
    clock(MONDAY)
    weekly.send_due()
    weekly.stop(asked)
    run_due()
    assert all("has:quiz" in mail.subject for mail in sent("letter"))


def test_another_account_can_stop_nothing(asked: WeeklyReport, client: Client, cast: dict[str, Any]) -> None:
    other = signed_in(Client(), cast["tokens"]["sub_account"])
    assert other.post(f"{SEND}{asked.pk}/stop/").status_code == 404
    assert "a…@example.com" not in other.get(REPORT).content.decode()


@pytest.fixture
def others(asked: WeeklyReport, cast: dict[str, Any]) -> list[WeeklyReport]:
    """Of another account: its own report, that of `asked`'s account, and one that stopped, each of an address of its own."""
    other = Account.objects.get(pk=signed_in(Client(), cast["tokens"]["trial"]).session["account"])
    reports = []
    for name, account in (("beto", other), ("caio", asked.account), ("dora", other)):
        fields = {"origin": "http://testserver", "language": "en", "zone": "UTC", "every": "none"}
        address = Subscription.objects.create(
            account=other, sealed_address=seal(f"{name}@example.com"), fingerprint=name, confirmed_at=FRIDAY, **fields
        )
        reports.append(
            WeeklyReport.objects.create(
                pk=uuid4(), account=account, subscription=address, name=name, week=date(2026, 11, 2), created_at=FRIDAY
            )
        )
    return reports


def test_nobody_sees_the_addresses_and_troubles_of_another_account(
    asked: WeeklyReport, others: list[WeeklyReport], owner: Client
) -> None:
    WeeklyReport.objects.update(gone_at=FRIDAY)
    page = owner.get(REPORT).content.decode()
    assert [letter for letter in "abcd" if f"{letter}…@example.com" in page] == ["a"]
    assert [report for report, _trouble in weekly.list_unsent(asked.account)] == [asked]
    assert set(weekly.list_reports_of_children(others[0].account)) == {others[1]}


def test_who_asked_first_and_what_is_called_first_stands_first(asked: WeeklyReport, others: list[WeeklyReport]) -> None:
    own, of_child, last = others
    WeeklyReport.objects.filter(pk=last.pk).update(created_at=FRIDAY - timedelta(days=1), gone_at=FRIDAY)
    WeeklyReport.objects.filter(pk=own.pk).update(gone_at=FRIDAY)
    assert weekly.list_reports(own.account, Subject()) == [last, own]
    assert [report for report, _trouble in weekly.list_unsent(own.account)] == [last, own]
    WeeklyReport.objects.filter(pk__in=(own.pk, last.pk)).update(account=asked.account)
    assert weekly.list_reports_of_children(own.account) == [own, of_child, last]


def test_address_is_forgotten_with_its_last_report_whatever_others_get(
    asked: WeeklyReport, others: list[WeeklyReport], owner: Client
) -> None:
    owner.post(f"{SEND}{asked.pk}/stop/")
    assert {row.fingerprint for row in Subscription.objects.all()} == {"beto", "caio", "dora"}


def test_signed_link_stops_its_own_report_alone(asked: WeeklyReport, others: list[WeeklyReport]) -> None:
    token = weekly.build_stop_token(others[0])
    assert Client().post(f"{REPORT}stop/{token}/").status_code == 200
    assert set(WeeklyReport.objects.all()) == {asked, *others[1:]}


def test_nothing_is_sent_to_a_disconnected_account_about_another_one(
    asked: WeeklyReport, others: list[WeeklyReport], clock: Freeze
) -> None:
    own, of_child, _last = others
    Account.objects.filter(pk=asked.account_id).update(parent=own.account)
    assert of_child in weekly.list_sendable()
    own.account.forget_token()
    own.account.save()
    assert list(weekly.list_sendable()) == [asked]


def test_what_happens_to_one_report_happens_to_no_other(
    asked: WeeklyReport, others: list[WeeklyReport], owner: Client, clock: Freeze
) -> None:
    WeeklyReport.objects.filter(pk=asked.pk).update(folder="no-such-folder")
    clock(MONDAY)
    weekly.send_due()
    asked.refresh_from_db()
    assert asked.gone_at == MONDAY
    assert not WeeklyReport.objects.filter(pk__in=[other.pk for other in others]).exclude(gone_at=None).exists()
    WeeklyReport.objects.update(gone_at=FRIDAY, folder="", week=date(2026, 11, 2), stopped_at=None)
    Subscription.objects.exclude(pk=asked.subscription_id).update(confirmed_at=None)
    weekly.send_due()
    assert set(WeeklyReport.objects.filter(gone_at=None)) == {asked}
    assert set(WeeklyReport.objects.filter(week=date(2026, 11, 9))) == {asked}


def test_restored_backup_goes_back_to_no_earlier_week(
    asked: WeeklyReport, others: list[WeeklyReport], clock: Freeze
) -> None:
    WeeklyReport.objects.filter(pk=asked.pk).update(week=date(2026, 11, 16))
    clock(MONDAY + timedelta(hours=1))
    restored.send(None)
    weeks = [WeeklyReport.objects.get(pk=report.pk).week for report in (asked, others[0])]
    assert weeks == [date(2026, 11, 16), date(2026, 11, 9)]


def test_restored_backup_sends_no_week_twice(asked: WeeklyReport, clock: Freeze) -> None:
    clock(MONDAY + timedelta(hours=1))
    restored.send(None)
    confirm_all()
    assert not work(clock, MONDAY + timedelta(hours=2))


def test_without_a_mail_server_no_form_is_offered(audience: Audience, owner: Client, platform_elsewhere: None) -> None:
    assert "E-mail is not set up" in owner.get(REPORT).content.decode()
    assert ask(owner).status_code == 404

"""Signed-in browsers: each is listed, can be signed out from another one, and opens nothing afterwards."""

from datetime import timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.accounts import devices
from dashboard.accounts.devices import name_browser, name_system
from dashboard.accounts.models import Account, Device
from dashboard.accounts.sessions import hash_key
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.installation.locks import held_by_another_process
from tests.migrated import newest, schema_of
from tests.moments import measure_span
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
PIXEL = "Mozilla/5.0 (Linux; Android 10; K)"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
USER_AGENTS = {
    FIREFOX: ("Firefox", "Linux"),
    f"{WINDOWS} {WEBKIT} Chrome/142.0.0.0 Safari/537.36": ("Chrome", "Windows"),
    f"{WINDOWS} {WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0": ("Edge", "Windows"),
    f"{WINDOWS} {WEBKIT} Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0": ("Opera", "Windows"),
    f"{MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15": ("Safari", "macOS"),
    f"{IPHONE} Version/18.5 Mobile/15E148 Safari/604.1": ("Safari", "iPhone"),
    f"{IPHONE} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1": ("Chrome", "iPhone"),
    f"{IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15": ("Firefox", "iPhone"),
    f"{PIXEL} {WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36": ("Chrome", "Android"),
    f"{PIXEL} {WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": ("Samsung Internet", "Android"),
    f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {WEBKIT} Chrome/142.0.0.0 Safari/537.36": ("Chrome", "ChromeOS"),
    "Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18": ("", "Windows"),
    "curl/8.5.0": ("", ""),
    "": ("", ""),
}


@pytest.fixture
def laptop(client: Client, cast: dict[str, Any]) -> Client:
    """Firefox, in which Ana is signed in."""
    client.defaults["HTTP_USER_AGENT"] = FIREFOX
    client.post("/sign-in/", {"token": cast["tokens"]["owner"], "person": "Ana"})
    return client


@pytest.fixture
def phone(laptop: Client, cast: dict[str, Any]) -> Client:
    """A browser that does not say what it is, in which the same account is signed in."""
    return signed_in(Client(), cast["tokens"]["owner"])


def opens(client: Client, path: str = "/dashboard/activity/") -> bool:
    """Whether the cookies of `client` as they are now open a page; they stay as they are."""
    again = Client()
    again.cookies.update(client.cookies)
    return again.get(path).status_code == 200


def device_of(client: Client) -> Device:
    return Device.objects.get(session_key=hash_key(client.session.session_key))


def test_browsers_and_systems_are_named_in_plain_words() -> None:
    assert {one: (name_browser(one), name_system(one)) for one in USER_AGENTS} == USER_AGENTS


def test_every_signed_in_browser_is_listed_with_who_and_when_and_this_one_is_marked(
    laptop: Client, phone: Client
) -> None:
    listed = read_page(laptop, "/accounts/devices/")
    first, second = listed.split('row device"')[1:]
    assert "Firefox on Linux" in first and "Ana" in first and "This device" in first and "Signed in: " in first
    assert "Unknown browser" in second and "This device" not in second and "Last seen: just now" in second
    assert "127.0.0.1" not in listed
    assert listed.count("Sign out everywhere else") == 1


def test_a_signed_out_device_opens_nothing_whoever_replays_its_cookie(laptop: Client, phone: Client) -> None:
    assert opens(phone)
    answer = laptop.post(f"/accounts/devices/{device_of(phone).pk}/sign-out/", follow=True)
    assert "Signed out: Unknown browser." in answer.content.decode()
    paths = ("/dashboard/activity/", "/accounts/", "/accounts/devices/", "/dashboard/videos/")
    assert [opens(phone, path) for path in paths] == [False] * 4
    assert opens(laptop) and read_page(laptop, "/accounts/devices/").count('row device"') == 1


def test_signing_out_here_keeps_the_other_browsers_listed(laptop: Client, phone: Client) -> None:
    kept = device_of(laptop)
    phone.post("/sign-out/")
    assert Device.objects.get() == kept


def test_browser_seen_last_is_listed_first(laptop: Client, phone: Client) -> None:
    now, account = timezone.now(), Account.objects.get()
    for browser, minutes in ((laptop, 2), (phone, 1)):
        Device.objects.filter(pk=device_of(browser).pk).update(seen_at=now - timedelta(minutes=minutes))
    assert list(devices.list_devices(account)) == [device_of(phone), device_of(laptop)]
    Device.objects.filter(pk=device_of(laptop).pk).update(seen_at=now)
    assert list(devices.list_devices(account)) == [device_of(laptop), device_of(phone)]


def test_words_typed_on_a_device_that_was_signed_out_wait_behind_its_sign_in(
    laptop: Client, phone: Client, cast: dict[str, Any]
) -> None:
    account = Account.objects.get()
    laptop.post(f"/accounts/devices/{device_of(phone).pk}/sign-out/")
    answer = phone.post(f"/accounts/{account.pk}/", {"name": "Typed before"}, follow=True)
    carried = answer.content.decode().split('name="kept" value="')[1].split('"')[0]
    phone.post("/sign-in/", {"token": cast["tokens"]["owner"], "kept": carried, "next": "/accounts/"})
    assert "Typed before" in phone.get(f"/accounts/{account.pk}/").content.decode()


def test_signing_out_everywhere_else_asks_first_and_leaves_this_browser_alone(laptop: Client, phone: Client) -> None:
    assert "Stay signed in" in laptop.get("/accounts/devices/elsewhere/sign-out/").content.decode()
    assert opens(phone), "looking changes nothing"
    unlisted = signed_in(Client(), token_of(laptop))
    device_of(unlisted).delete()  # signed in by a process of the version before
    assert laptop.post("/accounts/devices/elsewhere/sign-out/")["Location"] == "/accounts/devices/"
    assert (opens(laptop), opens(phone), opens(unlisted)) == (True, False, False)
    assert Device.objects.count() == 1 and "Sign out everywhere else" not in read_page(laptop, "/accounts/devices/")


def test_signing_out_everywhere_ends_this_browser_too(laptop: Client, phone: Client) -> None:
    assert "including this one" in laptop.get("/accounts/devices/everywhere/sign-out/").content.decode()
    before = Client()
    before.cookies.update(laptop.cookies)
    assert laptop.post("/accounts/devices/everywhere/sign-out/")["Location"] == "/sign-in/"
    assert (opens(before), opens(phone), Device.objects.count()) == (False, False, 0)
    assert opens(signed_in(Client(), token_of(laptop))), "the token is still good"


def token_of(client: Client) -> str:
    return Account.objects.get().token


def test_a_device_of_another_account_is_not_there(laptop: Client, cast: dict[str, Any]) -> None:
    stranger = signed_in(Client(), cast["tokens"]["trial"])
    assert laptop.post(f"/accounts/devices/{device_of(stranger).pk}/sign-out/").status_code == 404
    assert opens(stranger) and read_page(laptop, "/accounts/devices/").count('row device"') == 1
    laptop.post("/accounts/devices/everywhere/sign-out/")
    assert opens(stranger)


def test_switching_accounts_keeps_a_browser_listed_once_for_each_of_them(client: Client, cast: dict[str, Any]) -> None:
    client.post("/sign-in/demo/")
    owner, child = Account.objects.get(parent=None), Account.objects.get(parent__isnull=False)
    signed_in_at = dict(Device.objects.values_list("account", "signed_in_at"))
    client.post(f"/accounts/{child.pk}/use/")
    assert read_page(client, "/accounts/devices/").count('row device"') == 1 and "This device" in read_page(
        client, "/accounts/devices/"
    )
    assert dict(Device.objects.values_list("account", "signed_in_at")) == signed_in_at
    client.post(f"/accounts/{child.pk}/disconnect/")
    assert list(Device.objects.values_list("account", flat=True)) == [owner.pk]
    client.post("/sign-out/")
    assert not Device.objects.exists()


def test_last_seen_is_written_every_few_minutes_and_by_reading_pages_alone_no_session_is(laptop: Client) -> None:
    def writes() -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            laptop.get("/accounts/")
        return [one["sql"].split()[1] for one in queries if one["sql"].startswith(("UPDATE", "INSERT"))]

    assert writes() == []
    Device.objects.update(seen_at=timezone.now() - devices.SEEN_EVERY - timedelta(seconds=1), browser="")
    forget()
    with measure_span() as span:
        assert writes() == ['"accounts_device"']
    assert (writes(), device_of(laptop).browser) == ([], "Firefox")
    assert span.holds(device_of(laptop).seen_at)


def test_a_session_of_before_is_listed_from_its_next_request(laptop: Client, phone: Client) -> None:
    Device.objects.all().delete()
    phone.get("/dashboard/activity/")
    listed = read_page(laptop, "/accounts/devices/")
    assert listed.count('row device"') == 2 and "This device" in listed and "Signed in: " not in listed


def test_the_worker_prunes_devices_whose_session_is_over(laptop: Client, phone: Client) -> None:
    Session.objects.filter(session_key=hash_key(phone.session.session_key)).update(expire_date=timezone.now())
    assert read_page(laptop, "/accounts/devices/").count('row device"') == 1, (
        "an expired one is not listed before that either"
    )
    call_command("clearsessions")
    devices.prune()
    assert Device.objects.get() == device_of(laptop)


@pytest.mark.django_db(transaction=True, databases=["default", "sandbox"])
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="holds SQLite's lock")
def test_a_page_does_not_wait_for_a_locked_database_to_note_who_was_here(laptop: Client) -> None:
    long_ago = timezone.now() - timedelta(days=1)
    Device.objects.update(seen_at=long_ago)
    before = timezone.now()
    with held_by_another_process(str(connection.settings_dict["NAME"])):
        assert laptop.get("/accounts/").status_code == 200
    assert device_of(laptop).seen_at == long_ago
    laptop.get("/accounts/")
    assert device_of(laptop).seen_at > before, "a later request writes it"


def key_of(client: Client) -> str:
    return client.cookies["sessionid"].value


def store_keys_as_they_are(*clients: Client) -> None:
    """As the version before stored sessions."""
    for client in clients:
        key = key_of(client)
        Session.objects.filter(session_key=hash_key(key)).update(session_key=key)
        assert Session.objects.filter(session_key=key).exists()


def test_the_database_has_no_key_that_a_cookie_could_be_made_of(laptop: Client, phone: Client) -> None:
    laptop.get("/accounts/devices/")
    stored = {*Session.objects.values_list("pk", flat=True), *Device.objects.values_list("session_key", flat=True)}
    assert stored == {hash_key(one.session.session_key) for one in (laptop, phone)}
    for key in stored:
        thief = Client()
        thief.cookies["sessionid"] = key
        assert thief.get("/dashboard/activity/").status_code == 302
    assert opens(laptop) and opens(phone)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  (our own tables)
            assert key_of(laptop) not in repr(cursor.fetchall()), table


def test_keys_that_are_hashed_already_stay_when_a_migration_that_was_interrupted_runs_again(laptop: Client) -> None:
    migration = import_module("dashboard.accounts.migrations.0002_hashed_session_keys")
    migration.hash_keys(apps, SimpleNamespace(connection=connection))
    assert opens(laptop) and device_of(laptop).session_key == hash_key(key_of(laptop))


def test_a_session_whose_time_is_over_opens_nothing(laptop: Client) -> None:
    assert opens(laptop)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not opens(laptop)


@pytest.mark.django_db(transaction=True, databases=["default", "sandbox"])
def test_nobody_is_signed_out_when_stored_keys_become_hashes(laptop: Client, phone: Client) -> None:
    account, now = Account.objects.get().pk, timezone.now()
    schema_of("accounts", "0001_schema")
    store_keys_as_they_are(laptop, phone)
    for key in map(key_of, (laptop, phone)):
        Device.objects.create(session_key=key, account_id=account, browser="Safari", seen_at=now)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = OFF")  # as some builds have it
    newest("accounts")
    assert opens(laptop) and opens(phone)
    assert {one.browser for one in (device_of(laptop), device_of(phone))} == {"Safari"}
    assert read_page(laptop, "/accounts/devices/").count('row device"') == 2
    file = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        kept = b"".join(path.read_bytes() for path in Path(file).parent.glob(f"{Path(file).name}*"))
        assert not [key for key in map(key_of, (laptop, phone)) if key.encode() in kept], "nor is one left behind"

"""What proxies say is believed as far as `TRUSTED_PROXIES` reaches, and from nobody else."""

import os
import subprocess
import sys

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from dashboard.shared import proxies
from tests.bytecode import KEPT
from tests.house.test_checks import ROOT, SAFE

ADDRESSES = [
    (0, "203.0.113.9", "", "203.0.113.9"),
    (0, "10.0.0.2", "198.51.100.1", "10.0.0.2"),  # private or not: nobody is believed who was not counted
    (0, "::ffff:203.0.113.9", "", "203.0.113.9"),
    (1, "10.0.0.2", "198.51.100.1", "198.51.100.1"),
    (1, "203.0.113.9", "198.51.100.1", "198.51.100.1"),  # a proxy may have a public address
    (1, "10.0.0.2", "1.1.1.1, 198.51.100.1", "198.51.100.1"),  # what the caller wrote stands further left
    (2, "10.0.0.2", "1.1.1.1, 198.51.100.1, 10.0.0.3", "198.51.100.1"),
    (2, "10.0.0.2", "198.51.100.1", "198.51.100.1"),  # straight to the inner proxy
    (1, "10.0.0.2", "198.51.100.1:5000", "198.51.100.1"),
    (1, "10.0.0.2", "[2001:db8::1]:5000", "2001:db8::1"),
    (1, "10.0.0.2", "2001:db8::1", "2001:db8::1"),
    (1, "10.0.0.2", "rubbish", "10.0.0.2"),
    (1, "10.0.0.2", "", "10.0.0.2"),
    (1, "", "", proxies.UNKNOWN),
]


@pytest.mark.parametrize(("hops", "direct", "forwarded", "address"), ADDRESSES)
def test_the_address_is_what_the_last_proxy_of_ours_saw(
    settings: Settings, hops: int, direct: str, forwarded: str, address: str
) -> None:
    settings.TRUSTED_PROXIES = hops
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert proxies.address_of(RequestFactory().get("/", REMOTE_ADDR=direct, headers=headers)) == address


def test_production_that_counts_no_proxy_is_warned_that_pages_would_lead_to_themselves(settings: Settings) -> None:
    settings.LOCAL = False
    assert [message.id for message in proxies.proxies_are_counted(None)] == ["reelroom.W013"]
    settings.TRUSTED_PROXIES = 1
    assert proxies.proxies_are_counted(None) == []
    settings.LOCAL, settings.TRUSTED_PROXIES = True, 0
    assert proxies.proxies_are_counted(None) == []


ASK = """
import django; django.setup()
from django.conf import settings
from django.test import Client
about = dict(headers={"host": "reelroom.example", "X-Forwarded-Proto": "https"})
print(Client().get("/healthz").status_code, Client().get("/", **about).headers.get("Location"))
"""


@pytest.mark.parametrize(("hops", "onward"), [("0", "https://reelroom.example/"), ("1", "/sign-in/")])
def test_only_a_proxy_that_was_counted_is_believed_that_a_request_came_encrypted(
    tmp_path_factory: pytest.TempPathFactory, hops: str, onward: str
) -> None:
    database = tmp_path_factory.mktemp("data") / "empty.sqlite3"
    environment = {
        "PATH": os.environ["PATH"], **KEPT, **SAFE, "TRUSTED_PROXIES": hops, "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "dashboard.settings", "ALLOWED_HOSTS": "reelroom.example,testserver",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["200", onward], done.stderr[-2000:]

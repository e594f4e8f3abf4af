"""What proxies say is believed as far as `TRUSTED_PROXIES` reaches, and from nobody else."""

import os
import subprocess
import sys

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from dashboard.shared import callers
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
    (1, "", "", callers.UNKNOWN),
]


@pytest.mark.parametrize(("hops", "direct", "forwarded", "address"), ADDRESSES)
def test_the_address_is_what_the_last_proxy_of_ours_saw(
    settings: Settings, hops: int, direct: str, forwarded: str, address: str
) -> None:
    settings.TRUSTED_PROXIES = hops
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert callers.address_of(RequestFactory().get("/", REMOTE_ADDR=direct, headers=headers)) == address


def test_production_that_counts_no_proxy_is_warned_that_pages_would_lead_to_themselves(settings: Settings) -> None:
    settings.LOCAL = False
    assert [message.id for message in callers.proxies_are_counted(None)] == ["reelroom.W013"]
    settings.TRUSTED_PROXIES = 1
    assert callers.proxies_are_counted(None) == []
    settings.LOCAL, settings.TRUSTED_PROXIES = True, 0
    assert callers.proxies_are_counted(None) == []


ASK = """
import sys
import django; django.setup()
from django.conf import settings
from django.test import Client
about = dict(headers={"host": "reelroom.example", "X-Forwarded-Proto": sys.argv[1]})
print(Client().get("/healthz").status_code, Client().get("/", **about).headers.get("Location"))
"""


HOME = "https://reelroom.example/"


@pytest.mark.parametrize(
    ("hops", "said", "onward"),
    [
        ("0", "https", HOME), ("1", "https", "/sign-in/"), ("2", "https, https", "/sign-in/"), ("1", "https,http", HOME),
        ("2", "https, http", HOME), ("1", "http,https", HOME), ("1", "http", HOME),
    ],
)  # fmt: skip
def test_only_a_proxy_that_was_counted_is_believed_that_a_request_came_encrypted(
    tmp_path_factory: pytest.TempPathFactory, hops: str, said: str, onward: str
) -> None:
    database = tmp_path_factory.mktemp("data") / "empty.sqlite3"
    environment = {
        "PATH": os.environ["PATH"], **KEPT, **SAFE, "TRUSTED_PROXIES": hops, "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "dashboard.settings", "ALLOWED_HOSTS": "reelroom.example,testserver",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", ASK, said], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["200", onward], done.stderr[-2000:]


HOSTS = [
    ("reelroom.example:9999", "https://reelroom.example"),
    ("reelroom.example:443", "https://reelroom.example"),
    ("reelroom.example", "https://reelroom.example"),
    ("reelroom.example:8443", "https://reelroom.example:8443"),
    ("[2001:db8::1]:9999", "https://[2001:db8::1]"),
    ("ana.studio.example:8443", "https://ana.studio.example:8443"),
    ("ana.studio.example:9999", "https://ana.studio.example"),
]


@pytest.mark.parametrize(("host", "address"), HOSTS)
def test_a_port_that_is_not_ours_is_in_no_redirect_and_in_no_link(
    settings: Settings, client: Client, host: str, address: str
) -> None:
    settings.ALLOWED_HOSTS = ["reelroom.example", "[2001:db8::1]", ".studio.example"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://reelroom.example:8443", "https://*.studio.example:8443"]
    settings.LOCAL, settings.TRUSTED_PROXIES, settings.SECURE_SSL_REDIRECT = False, 1, True
    assert client.get("/sign-in/", headers={"host": host})["Location"] == f"{address}/sign-in/"
    settings.SECURE_SSL_REDIRECT = False
    page = client.get("/sign-in/", headers={"host": host, "X-Forwarded-Proto": "https"}, secure=True)
    assert page.status_code == 200 and "9999" not in page.content.decode()
    assert page.wsgi_request.build_absolute_uri("/x") == f"{address}/x"


def test_without_a_proxy_the_port_where_we_listen_is_ours_and_in_a_demo_any_of_this_machine(
    settings: Settings, client: Client
) -> None:
    def host(name: str) -> str:
        return client.get("/healthz", headers={"host": name}, SERVER_PORT="8000").wsgi_request.get_host()

    settings.TRUSTED_PROXIES, settings.ALLOWED_HOSTS = 0, ["reelroom.example", "localhost"]
    assert (host("reelroom.example:8000"), host("reelroom.example:9000")) == (
        "reelroom.example:8000",
        "reelroom.example",
    )
    assert host("localhost:9000") == "localhost:9000", "as through a tunnel"
    settings.LOCAL = False
    assert host("localhost:9000") == "localhost"

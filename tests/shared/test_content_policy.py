"""The policy of every page: addresses of the platform let in their own host, and can change nothing else in it."""

import re
import subprocess
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from dashboard.middleware import content_security_policy
from dashboard.shared.http import allow_media, source_of

ROOT = Path(__file__).resolve().parents[2]

LET_IN = {
    "https://media.example/still.jpg": "https://media.example",
    "http://MEDIA.example:8080/still.jpg?a=b;c": "http://media.example:8080",
    "https://media.example:443/still 1.jpg": "https://media.example",
    "https://bücher.example/still.jpg": "https://xn--bcher-kva.example",
    "https://日本.example/still.jpg": "https://xn--wgv71a.example",
    "https://127.0.0.1/still.jpg": "https://127.0.0.1",
}
KEPT_OUT = (
    "", "/sandbox/media/still.jpg", "//media.example/still.jpg", "data:image/png;base64,AA", "javascript:alert(1)", "https:",
    "https:///still.jpg", "ftp://media.example/", "https://media.example;script-src-elem *.evil.example/", "https://*/",
    "https://*.example/", "https://a b.example/", "https://'unsafe-inline'/", 'https://"cdn".example/', "https://a,b/",
    "https://media.example\n.evil.example/", "https://media.example\r\nX-Evil: 1/", "https://ana:secret@media.example/",
    "https://good.example\\@evil.example/", "https://" + "a." * 200 + "example/", "https://" + "a" * 70_000, "https://a..b/",
    "https://media.example:99999/", "https://media.example:x/", "https://[::1/", "https://-.\u0000/", "https://\ud800.example/",
)  # fmt: skip


@pytest.mark.parametrize(("address", "source"), LET_IN.items())
def test_an_address_lets_in_its_host_in_the_letters_of_a_header(address: str, source: str) -> None:
    assert source_of(address) == source


@pytest.mark.parametrize("address", KEPT_OUT)
def test_what_is_no_plain_host_lets_in_nothing(address: str) -> None:
    assert source_of(address) == ""


def test_no_address_of_the_platform_changes_anything_else_in_the_policy(settings: Settings) -> None:
    def header(*addresses: str) -> str:
        answer = content_security_policy(lambda request: allow_media(HttpResponse(), *addresses))(
            RequestFactory().get("/")
        )
        said = answer.headers["Content-Security-Policy"]
        assert said.isascii() and "=?" not in said
        return said

    for embedded in (True, False):
        settings.PLATFORM_EMBEDDED = embedded
        plain = header()
        assert header(*KEPT_OUT) == plain
        everything = header(*KEPT_OUT, *LET_IN)
        for source in LET_IN.values():
            assert everything.count(f" {source}") >= 3
        without = re.sub("".join(f"(?: {re.escape(one)})?" for one in sorted(LET_IN.values())), "", everything)
        assert without == plain


def test_every_page_has_the_whole_policy(client: Client) -> None:
    said = client.get("/sign-in/").headers["Content-Security-Policy"]
    directives = dict(one.strip().partition(" ")[::2] for one in said.split(";"))
    assert directives["default-src"] == directives["base-uri"] == directives["frame-ancestors"] == "'none'"
    assert directives["script-src"] == directives["style-src"] == directives["connect-src"] == "'self'"
    assert "unsafe" not in said


def test_hosts_reach_the_policy_through_one_function() -> None:
    """Whoever sets `media_hosts` alone goes round the check of hosts."""
    found = subprocess.run(
        ["git", "grep", "-l", "media_hosts", "--", "dashboard", "review_portal"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sorted(found.stdout.split()) == ["dashboard/middleware.py", "dashboard/shared/http.py"]

"""Attempts are counted per key and window; the wait is told in seconds."""

import pytest
from django.test import RequestFactory

from dashboard.shared.rate_limit import address_of, network_of, wait_for


def test_the_last_allowed_attempt_passes_and_the_next_waits() -> None:
    assert [wait_for("a", limit=3, seconds=600) for _ in range(3)] == [0, 0, 0]
    assert 0 < wait_for("a", limit=3, seconds=600) <= 600


def test_keys_do_not_share_their_attempts() -> None:
    assert wait_for("a", limit=1, seconds=600) == 0
    assert wait_for("b", limit=1, seconds=600) == 0


@pytest.mark.parametrize(
    ("direct", "forwarded", "address"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),  # a stranger is not believed
        ("10.0.0.2", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.2", "1.1.1.1, 198.51.100.1", "198.51.100.1"),  # only what our own proxy added
        ("10.0.0.2", "rubbish", "10.0.0.2"),
    ],
)
def test_only_a_proxy_of_ours_is_believed_about_the_address(direct: str, forwarded: str, address: str) -> None:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=direct, headers=headers)) == address


@pytest.mark.parametrize(
    ("address", "network"),
    [("203.0.113.9", "203.0.113.0/24"), ("2001:db8:1:2:3::4", "2001:db8:1::/56"), ("unknown", "unknown")],
)
def test_neighbours_share_a_network(address: str, network: str) -> None:
    assert network_of(address) == network

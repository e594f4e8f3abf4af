"""Attempts are counted per key and window; the wait is told in seconds."""

import pytest

from dashboard.shared.rate_limit import caller_of, network_of, wait_for


@pytest.mark.usefixtures("one_window")
def test_the_last_allowed_attempt_passes_and_the_next_waits() -> None:
    assert [wait_for("a", limit=3, seconds=600) for _ in range(3)] == [0, 0, 0]
    assert wait_for("a", limit=3, seconds=600) == 590, "the window began ten seconds ago"


@pytest.mark.usefixtures("one_window")
def test_keys_do_not_share_their_attempts() -> None:
    assert wait_for("a", limit=1, seconds=600) == 0
    assert wait_for("b", limit=1, seconds=600) == 0


@pytest.mark.parametrize(
    ("address", "network"),
    [("203.0.113.9", "203.0.113.0/24"), ("2001:db8:1:2:3::4", "2001:db8:1::/56"), ("unknown", "unknown")],
)
def test_neighbours_share_a_network(address: str, network: str) -> None:
    assert network_of(address) == network


def test_an_ipv6_customer_is_one_caller_whatever_address_they_choose() -> None:
    assert caller_of("2001:db8:1:2::1") == caller_of("2001:db8:1:2:3::4") == "2001:db8:1::/56"
    assert caller_of("2001:db8:1:200::1") != caller_of("2001:db8:1:1ff::1")
    assert caller_of("203.0.113.9") == "203.0.113.9"

"""Attempts are counted per key and window; the wait is told in seconds."""

import pytest

from dashboard.shared.callers import caller_of, network_of, wait_for, wait_for_all


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
    [
        ("203.0.113.9", "203.0.113.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("unknown", "unknown"),
        ("fe80::1%one", "fe80::/48"),
        ("::1", "::/48"),
    ],
)
def test_neighbours_share_a_network(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.parametrize(
    "address",
    ["203.0.113.9", "::ffff:203.0.113.9", "2002:cb00:7109::1", "2002:cb00:7109:ff00::9", "64:ff9b::cb00:7109",
     "2001:0:c000:22d::34ff:8ef6"],
    ids=["IPv4", "mapped", "6to4", "another of 6to4", "NAT64", "Teredo"],
)  # fmt: skip
def test_an_ipv4_address_is_itself_however_it_comes(address: str) -> None:
    assert network_of(address) == "203.0.113.0/24"
    assert caller_of(address) == "203.0.113.9"


def test_who_has_used_up_an_own_limit_takes_nothing_of_what_belongs_to_all(one_window: None) -> None:
    for _time in range(20):
        wait_for_all(("mine", (2, 600)), ("all", (3, 600)))
    assert wait_for_all(("other", (2, 600)), ("all", (3, 600))) == 0
    assert wait_for_all(("third", (2, 600)), ("all", (3, 600))) > 0


def test_an_ipv6_customer_is_one_caller_whatever_address_they_choose() -> None:
    assert caller_of("2001:db8:1:2::1") == caller_of("2001:db8:1:2:3::4") == "2001:db8:1::/56"
    assert caller_of("2001:db8:1:200::1") != caller_of("2001:db8:1:1ff::1")
    assert caller_of("203.0.113.9") == "203.0.113.9"

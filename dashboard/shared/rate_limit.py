"""How often somebody may try something: per caller and per network, with the wait in seconds."""

import time
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from django.core.cache import cache

NAT64 = IPv6Network("64:ff9b::/96")


def wait_for(key: str, *, limit: int, seconds: int) -> int:
    """Count one attempt of `key` and return 0, or the whole seconds to wait when `limit` in `seconds` is used up."""
    now = time.time()
    window = int(now // seconds)
    name = f"attempts:{key}:{window}"
    cache.add(name, 0, seconds + 1)
    try:
        used = cache.incr(name)
    except ValueError:  # the entry was evicted between the two calls
        cache.set(name, 1, seconds + 1)
        used = 1
    return 0 if used <= limit else max(1, int((window + 1) * seconds - now))


def wait_for_all(*limits: tuple[str, tuple[int, int]]) -> int:
    """Count one attempt of each key (with its attempts and seconds) in turn, up to the first that has to wait; how long.

    What belongs to all comes last: who has used up an own limit takes nothing of it.
    """
    return next((wait for key, (limit, seconds) in limits if (wait := wait_for(key, limit=limit, seconds=seconds))), 0)


def caller_of(address: str) -> str:
    """What counts as one caller: an IPv4 address, or the /56 that one IPv6 customer has to choose addresses from."""
    return _network(address, 32, 56)


def network_of(address: str) -> str:
    """The /24 (IPv4) or /48 (IPv6) an address belongs to."""
    return _network(address, 24, 48)


def _network(address: str, of_4: int, of_6: int) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        parsed = _find_ipv4(parsed) or IPv6Address(int(parsed))  # without the name of an interface
    network = ip_network(f"{parsed}/{of_4 if parsed.version == 4 else of_6}", strict=False)
    return str(network.network_address if network.num_addresses == 1 else network)


def _find_ipv4(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that speaks through an IPv6 one: mapped, 6to4, Teredo, NAT64. One such has millions of those."""
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)

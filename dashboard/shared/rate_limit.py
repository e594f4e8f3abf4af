"""How often somebody may try something: per caller and per network, with the wait in seconds."""

import ipaddress
import time

from django.core.cache import cache


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


def caller_of(address: str) -> str:
    """What counts as one caller: an IPv4 address, or the /56 that one IPv6 customer has to choose addresses from."""
    return network_of(address) if ":" in address else address


def network_of(address: str) -> str:
    """The /24 (IPv4) or /56 (IPv6) an address belongs to."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network(f"{parsed}/{24 if parsed.version == 4 else 56}", strict=False))

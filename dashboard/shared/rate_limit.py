"""How often somebody may try something: per address and per network, with the wait in seconds."""

import ipaddress
import time

from django.core.cache import cache
from django.http import HttpRequest

OWN_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
)


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


def address_of(request: HttpRequest) -> str:
    """The client's address. A proxy on a private network is believed about whom it speaks for, nobody else."""
    direct = request.META.get("REMOTE_ADDR", "") or "0.0.0.0"  # noqa: S104  (a name for "unknown", nothing is bound)
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")[-1].strip()
    try:
        behind_proxy = any(ipaddress.ip_address(direct) in network for network in OWN_NETWORKS)
        return str(ipaddress.ip_address(forwarded)) if behind_proxy and forwarded else direct
    except ValueError:
        return direct


def network_of(address: str) -> str:
    """The /24 (IPv4) or /56 (IPv6) an address belongs to."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network(f"{parsed}/{24 if parsed.version == 4 else 56}", strict=False))

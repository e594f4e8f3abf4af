"""Who asks, and how often they may try something (`wait_for`: per caller and per network).

Proxies in front of this installation: `TRUSTED_PROXIES` says how many, and what they say is believed from there on.

A proxy adds, on the right of `X-Forwarded-For`, the address that spoke to it. So many entries from the right were written by
proxies of ours; what stands further left anybody can have written.

| code | variable |
|---|---|
| reelroom.W013 | TRUSTED_PROXIES is 0 in production: behind a proxy that ends TLS, every page leads to itself for ever |
"""

import ipaddress
import re
import time
import uuid
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.checks import CheckMessage, Warning, register
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.utils.http import is_same_domain

Answer = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = re.compile(r"[A-Za-z0-9._+/=-]{8,64}")
UNKNOWN = "0.0.0.0"  # noqa: S104  (a name for "unknown", nothing is bound)


def settle_address(get_response: Answer) -> Answer:
    """Addresses that we write are those that people reach us by, over https where every proxy says so.

    A port that is not ours leaves the `Host`: links in e-mails, redirects and pages would lead there. `https,http` is what a
    proxy makes of a request over http that says https of itself.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        meta = request.META
        if {part.strip() for part in meta.get("HTTP_X_FORWARDED_PROTO", "").split(",")} != {"https"}:
            meta.pop("HTTP_X_FORWARDED_PROTO", None)
        host, port = split_domain_port(meta.get("HTTP_HOST", ""))
        if port and not _is_our_port(host, port, meta.get("SERVER_PORT", "")):
            meta["HTTP_HOST"] = host
        return get_response(request)

    return middleware


def _is_our_port(host: str, port: str, listening: str) -> bool:
    """That at which we listen without a proxy, one that CSRF_TRUSTED_ORIGINS names, any on this machine in a demo."""
    trusted = [origin.removeprefix("https://").removeprefix("*") for origin in settings.CSRF_TRUSTED_ORIGINS]
    named = any(is_same_domain(f"{host}:{port}", origin) for origin in trusted)
    direct = not settings.TRUSTED_PROXIES and port == listening
    return named or direct or (settings.LOCAL and host in {"localhost", "127.0.0.1", "[::1]"})


def address_of(request: HttpRequest) -> str:
    """The address of whoever asks, as the proxies of ours tell it; without any, of whoever is connected."""
    direct = _address(request.META.get("REMOTE_ADDR", "")) or UNKNOWN
    hops = request.headers.get("X-Forwarded-For", "").split(",")[-settings.TRUSTED_PROXIES :]
    if not settings.TRUSTED_PROXIES:
        return direct
    return _address(hops[0]) or direct


def request_id_of(request: HttpRequest) -> str:
    """The id that proxies of ours gave the request in `X-Request-ID`; without any, or with another kind of text, a new one."""
    header = request.headers.get("X-Request-ID", "") if settings.TRUSTED_PROXIES else ""
    return header if REQUEST_ID.fullmatch(header) else uuid.uuid4().hex


def _address(text: str) -> str:
    """An address out of `203.0.113.9`, `203.0.113.9:443`, `2001:db8::1` or `[2001:db8::1]:443`; "" for anything else."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        parsed = ipaddress.ip_address(bare)
    except ValueError:
        return ""
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)


@register()
def proxies_are_counted(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Production over plain http is behind something that ends TLS: that has to be said, or nobody arrives."""
    if settings.LOCAL or settings.TRUSTED_PROXIES:
        return []
    hint = (
        "Set TRUSTED_PROXIES to the number of proxies in front, usually 1. Leave it at 0 only where gunicorn itself "
        "speaks TLS: behind a proxy that does, every page would lead to itself for ever."
    )
    return [Warning("TRUSTED_PROXIES is 0.", hint=hint, id="reelroom.W013")]


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

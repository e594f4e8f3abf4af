"""The content security policy as a header: fixed directives, and hosts of the platform where its films and stills are.

An address that came from outside becomes a source only as scheme, ASCII host and port. Anything else would change the rest
of the header: a `;` begins another directive, and one letter outside ASCII makes browsers ignore the whole policy.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

PRINTED = re.compile(r"[^\x00-\x1f\x7f]*")
"""Nothing that `urlsplit` takes out in silence: line ends and other control characters."""
HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", re.ASCII)
FIXED = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types default parsing",
)


def source_of(address: str) -> str:
    """`https://host` or `https://host:port` of an address, its host in ASCII; "" for ours and for what is no plain host."""
    if not PRINTED.fullmatch(address):
        return ""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc or not HOST.fullmatch(host) or port == 0:
        return ""
    plain = port is None or (parts.scheme, port) in {("http", 80), ("https", 443)}
    return f"{parts.scheme}://{host}" if plain else f"{parts.scheme}://{host}:{port}"


def header(sources: Iterable[str], *, any_https: bool) -> str:
    """The header. `sources` come from `source_of`; `any_https` lets stills and films in from every encrypted host."""
    hosts = "".join(f" {source}" for source in sorted(sources))
    media = (" https:" if any_https else "") + hosts
    return "; ".join(
        (*FIXED, f"img-src 'self' data: blob:{media}", f"media-src 'self' blob:{media}", f"frame-src 'self'{hosts}")
    )

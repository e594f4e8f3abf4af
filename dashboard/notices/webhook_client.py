"""Posting to an address that a person typed: the one other place, beside the platform client, that speaks HTTP.

It must not become a way into the network of this server. So the address is https, its host is resolved here, every address
that it has must be public, and the call goes to the very address that was checked; redirects are not followed, nothing of
the answer but its status is kept, and the whole call has a time.
"""

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import httpx
from django.conf import settings

TIMEOUT: Final = 10.0
"""Seconds for each of connecting, sending and waiting for the answer; the answer's body is not read."""
DEADLINE: Final = 30.0
"""Seconds for the whole call."""
LONGEST_ADDRESS: Final = 2000


class WrongAddress(ValueError):
    """Nothing was sent: the address is none that may be posted to. `reason` is a word of `webhooks.REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoAnswer(Exception):
    """It may have arrived: no answer came. `reason` as above."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def check_form(address: str) -> None:
    """Raise `WrongAddress` for an address that can be judged without asking anybody."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise WrongAddress("no-address") from None
    is_printed = address.isascii() and address.isprintable() and " " not in address
    if not parts.hostname or not is_printed or len(address) > LONGEST_ADDRESS or port == 0:
        raise WrongAddress("no-address")
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOKS_TO_THIS_NETWORK):
        raise WrongAddress("not-https")
    if parts.username or parts.password or parts.fragment:
        raise WrongAddress("no-address")


def resolve(address: str) -> str:
    """The public address of its host to connect to. Raises `WrongAddress` where any of them is not public."""
    parts = urlsplit(address)
    try:
        answers = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WrongAddress("unknown-host") from None
    hosts = [str(entry[4][0]).partition("%")[0] for entry in answers]
    if not hosts or not (settings.WEBHOOKS_TO_THIS_NETWORK or all(map(is_public, hosts))):
        raise WrongAddress("private")
    return hosts[0]


def is_public(host: str) -> bool:
    """Whether an IP address is one of the open internet, also inside of IPv6 forms that carry an IPv4 address."""
    address = ipaddress.ip_address(host)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if address in ipaddress.ip_network("64:ff9b::/96"):  # an IPv4 address behind a translator
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.is_site_local:  # fec0::/10, which Python counts as global
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def post(address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, int]:
    """Post `body`; the status of the answer and the milliseconds it took. Raises `WrongAddress` and `NoAnswer`."""
    check_form(address)
    host = resolve(address)
    url = httpx.URL(address)
    started = time.monotonic()
    client = httpx.Client(trust_env=False, follow_redirects=False, timeout=TIMEOUT, verify=ssl.create_default_context())
    deadline = threading.Timer(DEADLINE, client.close)  # an answer that comes byte by byte never times out by itself
    deadline.daemon = True
    deadline.start()
    whole = {**headers, "Host": url.netloc.decode("ascii")}
    try:
        with client.stream(
            "POST", url.copy_with(host=host), content=body, headers=whole, extensions={"sni_hostname": url.host}
        ) as answer:
            return answer.status_code, int((time.monotonic() - started) * 1000)
    except httpx.ConnectError:
        raise NoAnswer("no-connection") from None
    except httpx.TimeoutException:
        raise NoAnswer("time-out") from None
    except (httpx.HTTPError, RuntimeError, OSError, ValueError):  # the last three: closed under its hands
        raise NoAnswer("time-out" if time.monotonic() - started >= DEADLINE else "broken") from None
    finally:
        deadline.cancel()
        client.close()

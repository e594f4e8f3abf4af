"""The one place where settings, a token and a transport meet."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import httpx
from django.conf import settings
from django.core.signals import setting_changed
from django.http import HttpRequest
from django.utils.module_loading import import_string

from dashboard.monitoring import metrics
from dashboard.platform_api import Call, Circuits, Platform, PlatformConfig, errors, open_http
from dashboard.platform_api.config import HOSTS, Place, parse_paths
from dashboard.platform_api.platform import Keep
from dashboard.platform_api.sending import NOT_SENT
from dashboard.upstream import capabilities, parallel, platform_health, store
from dashboard.upstream.budget import Budget
from dashboard.upstream.capabilities import Capabilities

if TYPE_CHECKING:
    from dashboard.accounts.models import Account

IN_PROCESS = "http://platform.internal/sandbox"
"""Where the embedded platform lives when it is called in process: a name that never leaves the process."""

_lock = threading.Lock()
_rehearsing: ContextVar[bool] = ContextVar("rehearsing", default=False)


def embedded() -> bool:
    """Whether the platform is the embedded one, so that pages can say that their numbers are demo data."""
    return bool(settings.PLATFORM_EMBEDDED)


def public_config_url() -> str:
    """The address from which a browser reads public files; "" where nobody has set it."""
    return f"{settings.SANDBOX_PUBLIC_URL}/sandbox/config" if embedded() else config().config_url


@lru_cache(maxsize=1)
def config() -> PlatformConfig:
    """The platform's addresses and manners, from the settings."""
    base = f"{IN_PROCESS}/api" if embedded() else settings.PLATFORM_BASE_URL
    return PlatformConfig(
        base_url=base,
        data_url=f"{IN_PROCESS}/data" if embedded() else settings.PLATFORM_DATA_URL,
        traffic_url=f"{IN_PROCESS}/traffic" if embedded() else settings.PLATFORM_TRAFFIC_URL or base,
        config_url=f"{IN_PROCESS}/config" if embedded() else settings.PLATFORM_CONFIG_URL,
        review_url=settings.PLATFORM_REVIEW_URL,
        subtitles_url=f"{IN_PROCESS}/subtitles" if embedded() else settings.PLATFORM_SUBTITLES_URL,
        live_config_url=f"{IN_PROCESS}/live-config" if embedded() else settings.PLATFORM_LIVE_CONFIG_URL,
        traffic_auth="raw" if settings.PLATFORM_TRAFFIC_AUTH == "raw" else "bearer",
        timeout=settings.PLATFORM_TIMEOUT,
        review_reads=settings.PLATFORM_REVIEW_READS,
        paths=parse_paths(settings.PLATFORM_PATHS),
    )


@lru_cache(maxsize=1)
def _http() -> httpx.Client:
    transport = import_string(settings.SANDBOX_TRANSPORT)() if embedded() else None
    return open_http(config(), transport=transport)


def http() -> httpx.Client:
    """The process's one HTTP client (building one costs about 50 ms)."""
    with _lock:
        return _http()


@lru_cache(maxsize=1)
def circuits() -> Circuits:
    """What this process knows of operations that hang or fail."""
    return Circuits()


def platform_for(account: "Account", known_of: "Account | None" = None) -> Platform:
    """The platform as `account` sees it. What it answers is kept as known of `known_of` (default: of `account`)."""
    holder = (known_of or account).pk
    return _platform(account.token, keep=partial(store.keep, holder), places=capabilities_of(account).places())


def capabilities_of(account: "Account") -> Capabilities:
    """Which reads the platform has for `account`, looked up once for a request."""
    return parallel.made_once(("capabilities", account.pk), partial(capabilities.load, account.pk))


def platform_at(account: "Account", places: Mapping[str, Place]) -> Platform:
    """The platform as `account` sees it, with reads at these places. Nothing that it answers is kept."""
    return _platform(account.token, places=places)


def platform_with(token: str) -> Platform:
    """The platform as whoever holds `token` sees it. Nothing that it answers is kept."""
    return _platform(token)


def _platform(token: str, keep: Keep | None = None, places: Mapping[str, Place] | None = None) -> Platform:
    """`places`: where reads of this account live; what PLATFORM_PATHS says goes before."""
    settled = config()
    if places:
        settled = replace(settled, paths={**places, **settled.paths})
    return Platform(
        settled,
        http(),
        token,
        observe=_observe,
        rehearse=_rehearsing.get(),
        circuits=circuits(),
        budget=Budget(token) if settings.PLATFORM_CALLS_PER_MINUTE else None,
        leave=parallel.leave,
        keep=keep,
    )


def _observe(call: Call) -> None:
    if call.error is None and not parallel.made_once("trouble", platform_health.in_trouble):
        parallel.afterwards(platform_health.observe, call)
    elif call.error != NOT_SENT:
        platform_health.observe([call])  # at once: the page itself says whether the platform is in trouble
    metrics.count_call(call)


@contextmanager
def rehearsing() -> Iterator[None]:
    """Inside, every platform sends reads only: the first write raises `Rehearsed`, which says what would have been sent."""
    before = _rehearsing.set(True)
    try:
        yield
    finally:
        _rehearsing.reset(before)


def is_rehearsing() -> bool:
    """Whether writes are only shown now (`rehearsing`)."""
    return _rehearsing.get()


def platform(request: HttpRequest) -> Platform:
    """The platform as the signed-in account sees it."""
    account: Account = request.account  # type: ignore[attr-defined]  # set by AccountRequiredMiddleware
    return platform_for(account)


def reviewer_platform() -> Platform:
    """The platform without a token, for the public review operations and the public files."""
    return platform_with("")


def read_embedded_file(path: str) -> str:
    """A public text file of the embedded platform, whose address is on our own origin. Raises a `CallError`."""
    operation = "embedded.read_file"
    if not embedded():
        raise errors.Missing(operation)
    try:
        response = http().get(urljoin(IN_PROCESS, path))
    except httpx.HTTPError as error:
        raise errors.Unreachable(operation) from error
    if response.status_code != 200:
        raise errors.Missing(operation, response.status_code)
    return response.text


@dataclass(frozen=True)
class HostAnswer:
    """What a host of the platform answered: the error where it did not, and how many seconds our clock is ahead of its."""

    error: str = ""
    ahead: float | None = None


def hosts() -> dict[str, str]:
    """The addresses of the platform that are set, by the name of the setting."""
    names = [f"PLATFORM_{host.upper()}" for host in HOSTS]
    return {name: address for name in names if (address := getattr(settings, name))}


def ask_host(address: str) -> HostAnswer:
    """Whether anything answers at an address, within five seconds and without a token; what it says does not matter."""
    try:
        with http().stream("GET", address, timeout=5) as response:
            date = response.headers.get("date", "")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return HostAnswer(error=str(error) or type(error).__name__)
    try:
        return HostAnswer(ahead=time.time() - parsedate_to_datetime(date).timestamp())
    except ValueError:
        return HostAnswer()


def forget(**kwargs: object) -> None:
    """Build config and client anew: after a change of settings in tests, and in a forked worker."""
    config.cache_clear()
    _http.cache_clear()
    circuits.cache_clear()


setting_changed.connect(forget)

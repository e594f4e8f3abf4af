"""System checks: a wrong variable stops the start, with its code, what is wrong and what to write instead.

| code | variable |
|---|---|
| reelroom.E001 | any variable that could not be read |
| reelroom.E002 | SECRET_KEY missing, published, or easy to guess |
| reelroom.E003 | TOKEN_KEYS missing, malformed, published, or easy to guess |
| reelroom.E004 | ALLOWED_HOSTS missing, or hosts that belong to others |
| reelroom.E005 | a platform address that is not http(s), or not https in production |
| reelroom.E006 | the embedded platform in production without SANDBOX=on |
| reelroom.E007 | the embedded platform needed but switched off |
| reelroom.E008 | a platform address without the hosts that go with it |
| reelroom.E009 | DEMO with a real platform |
| reelroom.E010 | CSRF_TRUSTED_ORIGINS of strangers, or not https |
| reelroom.E011 | the embedded platform beside a real one |
| reelroom.E013 | DATABASE_URL of a database that only one process sees |
| reelroom.E014 | CACHE_URL that is no Redis |
| reelroom.E015 | SECRET_KEY_FALLBACKS easy to guess, or with a key that is in use |
| reelroom.E016 | METRICS_TOKEN easy to guess, or a secret that is used for something else |
| reelroom.E017 | SENTRY_DSN that is no DSN |
| reelroom.E018 | PLATFORM_PATHS that name no read, or no path for it |
| reelroom.E025 | EMAIL_URL without a sender, or a sender that is none |
| reelroom.W029 | data, database or .env that other users of the machine can read, or could until now |
| reelroom.W030 | DATABASE_URL or CACHE_URL of another machine without TLS |
| reelroom.W028 | EMAIL_URL that sends the password or people's words readable |
| reelroom.W026 | SENTRY_DSN without the package that reports |
| reelroom.W027 | METRICS for anybody who reaches this host |
| reelroom.W001 | PostgreSQL without Redis: one machine only |

`installation.py` has those of a running installation: E012, E020, E021, E024 and W021.
"""

import ipaddress
import os
from collections.abc import Sequence
from email.utils import getaddresses
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from dashboard.environment import ENOUGH, is_readable_by_others, key_bits, text_bits
from dashboard.monitoring import error_reports
from dashboard.platform_api.config import HOSTS, parse_paths

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ADDRESSES = tuple(f"PLATFORM_{host.upper()}" for host in (*HOSTS, "review_url"))


@register()
def variables_are_understood(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Each variable that could not be read is named with what may be written."""
    return [
        Error(f"{name} could not be understood.", hint=hint, id="reelroom.E001")
        for name, hint in settings.ENVIRONMENT.problems.items()
    ]


@register()
def secrets_are_safe(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Production has no default secrets, and none that can be guessed."""
    in_use, former = settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS
    found = (
        (
            text_bits(in_use) >= ENOUGH,
            "SECRET_KEY is missing or can be guessed.",
            "Set SECRET_KEY to at least 32 random characters, as manage.py init_env makes them, or from "
            'python -c "import secrets; print(secrets.token_urlsafe(50))".',
            "reelroom.E002",
        ),
        (
            settings.TOKEN_KEYS and all(_is_strong_key(key) for key in settings.TOKEN_KEYS),
            "TOKEN_KEYS is missing, or holds something that is no key, or a key that can be guessed.",
            "Set TOKEN_KEYS to one or more keys, newest first, separated by commas, none of them the SECRET_KEY. "
            'manage.py init_env makes one, or python -c "from cryptography.fernet import Fernet; '
            'print(Fernet.generate_key().decode())".',
            "reelroom.E003",
        ),
        (
            all(text_bits(secret) >= ENOUGH and secret != in_use for secret in former),
            "SECRET_KEY_FALLBACKS holds a secret that can be guessed, or the SECRET_KEY of today.",
            "Name earlier SECRET_KEYs only, separated by commas, and none that others may know: what they sign is "
            "believed. Without it, people sign in again.",
            "reelroom.E015",
        ),
    )
    return [Error(text, hint=hint, id=code) for is_safe, text, hint, code in found if not is_safe]


@register()
def monitoring_is_safe(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Nobody guesses what opens the metrics, and errors are reported where that is asked for."""
    messages: list[CheckMessage] = []
    token = settings.METRICS_TOKEN
    others = {settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS, *settings.TOKEN_KEYS}
    if token and (text_bits(token) < ENOUGH or token in others):
        hint = (
            "Set METRICS_TOKEN to at least 32 random characters that are used for nothing else, or leave it and METRICS unset: "
            "there is no /metrics then."
        )
        messages.append(Error("METRICS_TOKEN can be guessed, or is another secret.", hint=hint, id="reelroom.E016"))
    if settings.METRICS and not token:
        hint = "Set METRICS_TOKEN, or let nobody but your Prometheus reach /metrics."
        messages.append(Warning("/metrics answers anybody who reaches this host.", hint=hint, id="reelroom.W027"))
    if settings.SENTRY_DSN and not error_reports.is_dsn(settings.SENTRY_DSN):
        hint = "Write https://KEY@HOST/PROJECT, or leave SENTRY_DSN unset."
        messages.append(Error("SENTRY_DSN is not the address of a project.", hint=hint, id="reelroom.E017"))
    elif settings.SENTRY_DSN and not error_reports.is_installed():
        hint = "Install it with uv sync --extra sentry beside your other extras, or leave SENTRY_DSN unset."
        messages.append(Warning("SENTRY_DSN is set, and sentry-sdk is not installed.", hint=hint, id="reelroom.W026"))
    return messages


def _is_strong_key(key: str) -> bool:
    try:
        return key_bits(key) >= ENOUGH and key not in {settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS}
    except ValueError:
        return False


@register()
def hosts_are_named(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Production answers only for the hosts it was told."""
    if settings.LOCAL:
        return []
    hint = "Set ALLOWED_HOSTS to the names this installation is reached by, such as reelroom.example.com, separated by commas."
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        return [Error("ALLOWED_HOSTS is missing or allows every host.", hint=hint, id="reelroom.E004")]
    return [
        Error(f"ALLOWED_HOSTS: {host} {wrong}.", hint=hint, id="reelroom.E004")
        for host in settings.ALLOWED_HOSTS
        if (wrong := _wrong_with_host(host))
    ]


def _wrong_with_host(host: str) -> str:
    """What is wrong with an entry of ALLOWED_HOSTS, or nothing."""
    if host.startswith(".") and _is_everybodys(host[1:]):
        return "allows hosts that belong to other people"
    if "/" in host or "*" in host or (":" in host and not host.startswith("[")):
        return "is not the name of a host: write it without https://, port and path"
    return ""


def _is_everybodys(domain: str) -> bool:
    """Whether others can have a name below it, or below a name of that: `com.br`, `github.io`, `amazonaws.com`."""
    from publicsuffixlist import PSLFILE, PublicSuffixList  # a server does not keep it, and most have no use for it

    try:
        name = domain.strip(".").lower().encode("idna").decode()
    except UnicodeError:
        return True
    if "." not in name or name.startswith("blogspot.") or PublicSuffixList().is_public(name):
        return True  # the list has blogspot.com alone by now; blogs are still reached under its countries
    lines = Path(PSLFILE).read_text().splitlines()
    return any(line.endswith(f".{name}") for line in lines if not line.startswith("//"))


def _is_here(host: str) -> bool:
    """Whether what is sent there stays on this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOOPBACK


@register()
def trusted_origins_are_named(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Only pages of named hosts, over https, may send our forms."""
    hint = "Leave CSRF_TRUSTED_ORIGINS empty, or write whole origins, such as https://reelroom.example.com."
    messages: list[CheckMessage] = []
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        parts = _split(origin)
        host = parts.hostname or ""
        if not host or "@" in parts.netloc or parts.path.strip("/") or parts.query or parts.fragment:
            text = f"CSRF_TRUSTED_ORIGINS is no origin: {host or origin}"
        elif "*" in host and (not host.startswith("*.") or "*" in host[2:] or _is_everybodys(host[2:])):
            text = f"CSRF_TRUSTED_ORIGINS trusts pages of strangers: {origin}"
        elif parts.scheme != "https" and not _is_here(host) and not settings.LOCAL:
            text = f"CSRF_TRUSTED_ORIGINS is not encrypted: {origin}"
        else:
            continue
        messages.append(Error(text, hint=hint, id="reelroom.E010"))
    return messages


@register()
def files_are_private(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """What other users of this machine can read: the data folder, a database elsewhere, the file with the secrets.

    The data folder is closed at each start, so of that it is also said when it was open until now.
    """
    files, database = {settings.BASE_DIR / ".env", *settings.WAS_READABLE}, settings.DATABASES["default"]
    if database["ENGINE"] == settings.SQLITE:
        files.add(Path(database["NAME"]))
    still = sorted(str(path) for path in files if is_readable_by_others(path))
    messages: list[CheckMessage] = []
    if still:
        text = "Other users of this machine can read what is for this installation alone."
        messages.append(Warning(text, hint=f"Run chmod go= {' '.join(still)}", id="reelroom.W029"))
    if not {*map(str, settings.WAS_READABLE)} <= {*still}:
        hint = (
            "If somebody may have copied it, change SECRET_KEY without SECRET_KEY_FALLBACKS: everybody signs in again."
        )
        text = f"Other users of this machine could read {settings.DATA_DIR} until now. It is closed."
        messages.append(Warning(text, hint=hint, id="reelroom.W029"))
    return messages


@register()
def what_is_shared_can_be_shared(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Every process finds the same database and the same cache."""
    messages: list[CheckMessage] = []
    database = settings.DATABASES["default"]
    if str(database["NAME"]) in {"", ":memory:"}:
        hint = "Write sqlite:////path/to/file or postgres://name:password@host/database, or leave DATABASE_URL unset."
        messages.append(
            Error("DATABASE_URL names a database that ends with its process.", hint=hint, id="reelroom.E013")
        )
    if settings.CACHE_URL and urlsplit(settings.CACHE_URL).scheme not in {"redis", "rediss", "unix"}:
        hint = "Write redis://host:6379/0 or rediss://…, or leave CACHE_URL unset on a single machine."
        messages.append(Error("CACHE_URL is not the address of a Redis.", hint=hint, id="reelroom.E014"))
    elif not settings.CACHE_URL and database["ENGINE"] != settings.SQLITE:
        hint = "Fine for one machine. With more than one, set CACHE_URL: rate limits and reads are counted per machine now."
        messages.append(Warning("DATABASE_URL is set and CACHE_URL is not.", hint=hint, id="reelroom.W001"))
    hint = "Write {}. Without it, fine only in a network that nobody else reaches, such as that of docs/deploy/compose.yaml."
    if database["ENGINE"] != settings.SQLITE and not _is_postgresql_private(database):
        how = hint.format(
            "?sslmode=verify-full behind DATABASE_URL, with sslrootcert where the server has a CA of its own"
        )
        messages.append(Warning("DATABASE_URL is not encrypted.", hint=how, id="reelroom.W030"))
    cache = _split(settings.CACHE_URL)
    if cache.scheme == "redis" and not _is_here(cache.hostname or "localhost"):
        how = hint.format("rediss://")
        messages.append(Warning("CACHE_URL is not encrypted.", hint=how, id="reelroom.W030"))
    return messages


def _is_postgresql_private(database: dict[str, Any]) -> bool:
    """Whether nobody on the way reads what goes to it: it is on this machine, or TLS is required. `prefer` requires none."""
    options = database.get("OPTIONS", {})
    mode = options.get("sslmode") or os.environ.get("PGSSLMODE", "")
    named = (options.get("hostaddr"), database.get("HOST"), options.get("host"), os.environ.get("PGHOST"))
    hosts = str(next(filter(None, named), "")).split(",")
    here = all(not host or host.startswith(("/", "@")) or _is_here(host) for host in hosts)
    return here or mode in {"require", "verify-ca", "verify-full"}


def _split(address: str) -> SplitResult:
    """The parts of an address; none of what cannot be one."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return urlsplit("")
    return parts


@register()
def platform_addresses_are_addresses(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """A token only ever leaves over https, except to this machine."""
    messages: list[CheckMessage] = []
    for name in ADDRESSES:
        address = getattr(settings, name)
        parts = _split(address)
        if not address:
            continue
        host = parts.hostname or ""
        if parts.scheme not in {"http", "https"} or not host or "@" in parts.netloc or parts.query or parts.fragment:
            hint = "Write a whole address and nothing more, such as https://api.example.com"
            messages.append(Error(f"{name} is not an address.", hint=hint, id="reelroom.E005"))
        elif parts.scheme == "http" and not _is_here(host):
            hint = "Write https://. The API token would travel readable."
            messages.append(Error(f"{name} is not encrypted.", hint=hint, id="reelroom.E005"))
    if settings.PLATFORM_BASE_URL:
        missing = [name for name in ("PLATFORM_DATA_URL", "PLATFORM_CONFIG_URL") if not getattr(settings, name)]
        hint = "Set {} too: analytics and AI content live on hosts of their own."
        told = "{} is not set although PLATFORM_BASE_URL is."
        messages += [Error(told.format(name), hint=hint.format(name), id="reelroom.E008") for name in missing]
    return messages


@register()
def paths_of_reads_are_paths(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Only reads that the specification does not describe can be elsewhere than it says."""
    try:
        parse_paths(settings.PLATFORM_PATHS)
    except ValueError as error:
        hint = "Write operation=path pairs, such as lives.list=/live, separated by commas."
        return [Error(f"PLATFORM_PATHS: {error}.", hint=hint, id="reelroom.E018")]
    return []


@register()
def mail_is_safe(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """With a mail server, e-mails have a sender, and travel encrypted."""
    server, messages = settings.MAIL_SERVER, list[CheckMessage]()
    if not server.host:
        return messages
    try:
        (line,) = settings.EMAIL_FROM.splitlines(keepends=True)
        ((_name, sender),) = getaddresses([line])
        validate_email(sender if line == line.rstrip() else "")
    except (ValueError, ValidationError):
        hint = (
            'Set EMAIL_FROM="Reelroom <reelroom@example.com>" to the sender of e-mails, on one line and with the quotes: '
            "without them .env is read only up to that line. Or leave EMAIL_URL unset."
        )
        messages.append(Error("EMAIL_URL is set, and EMAIL_FROM is no address.", hint=hint, id="reelroom.E025"))
    if not server.is_encrypted and not _is_here(server.host):
        hint = "Write smtps:// or submission://: comments, addresses and the password would travel readable."
        messages.append(Warning("EMAIL_URL is not encrypted.", hint=hint, id="reelroom.W028"))
    return messages


@register()
def embedded_platform_is_meant(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Demo data never reaches production by accident, and a real platform is never served the way a demo is."""
    messages: list[CheckMessage] = []
    if settings.PLATFORM_EMBEDDED and not settings.SANDBOX:
        hint = "Set PLATFORM_BASE_URL to the platform's address, or SANDBOX=on to run on demo data on purpose."
        code = "reelroom.E007" if settings.DEBUG else "reelroom.E006"
        messages.append(Error("No platform is configured and the embedded one is off.", hint=hint, id=code))
    elif settings.SANDBOX and not settings.DEBUG and not settings.ENVIRONMENT.text("SANDBOX"):
        hint = "Set SANDBOX=on if demo data is meant, else SANDBOX=off."
        messages.append(Error("The embedded platform is on in production.", hint=hint, id="reelroom.E006"))
    if settings.DEMO and not settings.PLATFORM_EMBEDDED:
        hint = (
            "Leave DEMO unset: it serves over plain http, with the secrets of a trial. manage.py demo sets it itself."
        )
        messages.append(Error("DEMO is on with a real platform.", hint=hint, id="reelroom.E009"))
    if settings.SANDBOX and not settings.PLATFORM_EMBEDDED and not settings.LOCAL:
        hint = "Set SANDBOX=off: anybody could use the demo data under this installation's name."
        messages.append(Error("The embedded platform is on beside a real one.", hint=hint, id="reelroom.E011"))
    return messages

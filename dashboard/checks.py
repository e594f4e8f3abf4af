"""System checks: a wrong variable stops the start, with its code, what is wrong and what to write instead.

| code | variable |
|---|---|
| reelroom.E001 | any variable that could not be read |
| reelroom.E002 | SECRET_KEY missing or weak in production |
| reelroom.E003 | TOKEN_KEYS missing or malformed |
| reelroom.E004 | ALLOWED_HOSTS missing or `*` in production |
| reelroom.E005 | a platform address that is not http(s), or not https in production |
| reelroom.E006 | the embedded platform in production without SANDBOX=on |
| reelroom.E007 | the embedded platform needed but switched off |
| reelroom.E008 | a platform address without the hosts that go with it |
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ADDRESSES = (
    "PLATFORM_BASE_URL",
    "PLATFORM_DATA_URL",
    "PLATFORM_TRAFFIC_URL",
    "PLATFORM_CONFIG_URL",
    "PLATFORM_REVIEW_URL",
)


@register()
def variables_are_understood(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Each variable that could not be read is named with what may be written."""
    return [
        Error(f"{name} could not be understood.", hint=hint, id="reelroom.E001")
        for name, hint in settings.ENVIRONMENT.problems.items()
    ]


@register()
def secrets_are_safe(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Production has no default secrets."""
    found: list[CheckMessage] = []
    if len(settings.SECRET_KEY) < 32 or len(set(settings.SECRET_KEY)) < 8:
        found.append(
            Error(
                "SECRET_KEY is missing or too weak.",
                hint="Set SECRET_KEY to at least 32 random characters, for example from "
                'python -c "import secrets; print(secrets.token_urlsafe(50))".',
                id="reelroom.E002",
            )
        )
    if not settings.TOKEN_KEYS or not all(_is_fernet_key(key) for key in settings.TOKEN_KEYS):
        found.append(
            Error(
                "TOKEN_KEYS is missing or holds something that is not a key.",
                hint="Set TOKEN_KEYS to one or more keys, newest first, separated by commas. Make one with python -c "
                '"from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())".',
                id="reelroom.E003",
            )
        )
    return found


def _is_fernet_key(key: str) -> bool:
    try:
        Fernet(key)
    except ValueError:
        return False
    return True


@register()
def hosts_are_named(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Production answers only for the hosts it was told."""
    if settings.DEBUG or settings.DEMO or (settings.ALLOWED_HOSTS and "*" not in settings.ALLOWED_HOSTS):
        return []
    hint = "Set ALLOWED_HOSTS to the names this installation is reached by, separated by commas."
    return [Error("ALLOWED_HOSTS is missing or allows every host.", hint=hint, id="reelroom.E004")]


@register()
def platform_addresses_are_addresses(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """A token only ever leaves over https, except to this machine."""
    found: list[CheckMessage] = []
    for name in ADDRESSES:
        address = getattr(settings, name)
        parts = urlsplit(address)
        if not address:
            continue
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            hint = "Write a whole address, such as https://api.example.com"
            found.append(Error(f"{name} is not an address.", hint=hint, id="reelroom.E005"))
        elif parts.scheme == "http" and parts.hostname not in LOOPBACK:
            hint = "Write https://. The API token would travel readable."
            found.append(Error(f"{name} is not encrypted.", hint=hint, id="reelroom.E005"))
    if settings.PLATFORM_BASE_URL:
        missing = [name for name in ("PLATFORM_DATA_URL", "PLATFORM_CONFIG_URL") if not getattr(settings, name)]
        found += [
            Error(
                f"{name} is not set although PLATFORM_BASE_URL is.",
                hint=f"Set {name} too: analytics and AI content live on hosts of their own.",
                id="reelroom.E008",
            )
            for name in missing
        ]
    return found


@register()
def embedded_platform_is_meant(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Demo data never reaches production by accident."""
    if settings.PLATFORM_EMBEDDED and not settings.SANDBOX:
        hint = "Set PLATFORM_BASE_URL to the platform's address, or SANDBOX=on to run on demo data on purpose."
        code = "reelroom.E007" if settings.DEBUG else "reelroom.E006"
        return [Error("No platform is configured and the embedded one is off.", hint=hint, id=code)]
    if settings.SANDBOX and not settings.DEBUG and not settings.ENVIRONMENT.text("SANDBOX"):
        hint = "Set SANDBOX=on if demo data is meant, else SANDBOX=off."
        return [Error("The embedded platform is on in production.", hint=hint, id="reelroom.E006")]
    return []

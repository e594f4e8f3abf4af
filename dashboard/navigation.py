"""What every page's frame shows: places, accounts, languages, theme, kept work. A context processor."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard import clients
from dashboard.accounts import access, pages, pending_form
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.upstream import platform_health
from dashboard.upstream.pages import known_part


@dataclass(frozen=True)
class Place:
    """One link of the navigation."""

    name: str
    address: str
    icon: str
    current: bool


@dataclass(frozen=True)
class Group:
    """Links of the navigation under one title (the first has none)."""

    key: str
    title: str
    places: tuple[Place, ...]


PLACES: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
    ("", "", (("overview:overview", gettext_noop("Overview"), "home"),)),
    (
        "make",
        gettext_noop("Make"),
        (
            ("subtitles:subtitles", gettext_noop("Subtitles"), "subs"),
            ("ai_content:ai_content", gettext_noop("AI content"), "book"),
            ("assistants:assistants", gettext_noop("Assistants"), "users"),
            ("lives:lives", gettext_noop("Lives"), "live"),
        ),
    ),
    (
        "share",
        gettext_noop("Share"),
        (
            ("review_links:review_links", gettext_noop("Review links"), "talk"),
            ("funnels:funnels", gettext_noop("Funnels"), "funnel"),
            ("ab_tests:ab_tests", gettext_noop("A/B tests"), "ab"),
        ),
    ),
    (
        "measure",
        gettext_noop("Measure"),
        (
            ("analytics:analytics", gettext_noop("Analytics"), "chart"),
            ("analytics:traffic", gettext_noop("Traffic"), "traffic"),
            ("referrals:referrals", gettext_noop("Referrals"), "gift"),
        ),
    ),
    (
        "library",
        gettext_noop("Library"),
        (
            ("videos:videos", gettext_noop("Videos"), "play"),
            ("folders:folders", gettext_noop("Folders"), "folder"),
            ("playlists:playlists", gettext_noop("Playlists"), "list"),
            ("custom_fields:custom_fields", gettext_noop("Custom fields"), "tag"),
            ("sub_accounts:sub_accounts", gettext_noop("Sub-accounts"), "users"),
            ("activity:activity", gettext_noop("Activity"), "log"),
        ),
    ),
)


def frame(request: HttpRequest) -> dict[str, Any]:
    """Lazily: a fragment that shows no frame pays nothing for it."""
    return {
        "frame": SimpleLazyObject(lambda: _frame(request)),
        "theme": request.COOKIES.get("theme", ""),
        "demo_data": clients.embedded(),
    }


def _frame(request: HttpRequest) -> dict[str, Any]:
    account = getattr(request, "account", None)
    return {
        "groups": _groups(request.path),
        "account": pages.account_row(account, account) if account else None,
        "accounts": [pages.account_row(entry, account) for entry in access.connected(request)] if account else [],
        "kept": pending_form.kept(request) if account else None,
        "search": address("search:search"),
        "health": address("health:health"),
        "banner": address("health:banner") if account else "",
        "here": request.get_full_path(),
        "zone": formats.zone_name().replace("_", " "),
        "known": known_part(request, request.known) if account else None,  # type: ignore[attr-defined]  # set by middleware
        "trouble": platform_health.in_trouble(),
        "latency": formats.number(latency, 0) if (latency := platform_health.whole().milliseconds) is not None else "",
    }


def _groups(path: str) -> tuple[Group, ...]:
    """The places whose feature is installed; the longest address that begins this path is the current one."""
    addresses = {
        name: found for _key, _title, places in PLACES for name, _label, _icon in places if (found := address(name))
    }
    here = max(
        (a for a in addresses.values() if path.startswith(a) and (a != "/dashboard/" or path == a)), key=len, default=""
    )
    groups = []
    for key, title, places in PLACES:
        links = tuple(
            Place(_(label), addresses[name], icon, addresses[name] == here)
            for name, label, icon in places
            if name in addresses
        )
        if links:
            groups.append(Group(key, _(title) if title else "", links))
    return tuple(groups)

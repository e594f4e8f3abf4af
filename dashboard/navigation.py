"""What every page's frame shows: places, accounts, languages, theme. A context processor."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.feature import Count, Place, list_features
from dashboard.notices import history
from dashboard.shared import formats
from dashboard.shared.addresses import address, path_of
from dashboard.upstream import clients, parallel, platform_health
from dashboard.upstream.page_sources import known_part


@dataclass(frozen=True)
class NavigationLink:
    """One link of the navigation."""

    name: str
    address: str
    icon: str
    current: bool
    count: Count | None = None
    """How much waits there."""
    key: str = ""
    """What the place of its count is called in the page, where it has one."""


@dataclass(frozen=True)
class Group:
    """Links of the navigation under one title (the first has none)."""

    key: str
    title: str
    places: tuple[NavigationLink, ...]


GROUPS = {
    "": "",
    "make": gettext_noop("Make"),
    "share": gettext_noop("Share"),
    "measure": gettext_noop("Measure"),
    "library": gettext_noop("Library"),
}
"""The groups of the navigation in their order, with their titles (msgids)."""


DRAWN = {
    "head": "components/_head.html",
    "topbar": "components/_topbar.html",
    "places": "components/_places.html",
    "tools": "components/_tools.html",
    "time_zone": "components/_time_zone.html",
    "palette": "search/_palette.html",
}
"""Parts of the frame that show nothing of what reads bring: they are drawn while those are out."""


def list_places() -> list[Place]:
    """The places that the features declare in their `apps.py`, in the order of the navigation."""
    groups = list(GROUPS)
    places = [place for feature in list_features() for place in feature.places]
    return sorted(places, key=lambda place: (groups.index(place.group), place.order))


def frame(request: HttpRequest) -> dict[str, Any]:
    """Lazily: a fragment that shows no frame pays nothing for it."""
    return {
        "frame": SimpleLazyObject(lambda: _build_frame(request)),
        "theme": request.COOKIES.get("theme", ""),
        "demo_data": clients.embedded(),
    }


def prepare_frame(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware: while the reads of a page are out, what its frame shows whatever they bring is made and drawn."""

    def middleware(request: HttpRequest) -> HttpResponse:
        here = parallel.current_visit()
        if here is not None and getattr(request, "account", None) and request.method == "GET" and not _is_part(request):
            here.meanwhile(lambda: _prepare(request))
        return get_response(request)

    return middleware


def _is_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page, which has no frame."""
    return bool(getattr(request, "htmx", False))


def _prepare(request: HttpRequest) -> None:
    steady = _build_steady_part(request)
    for part in DRAWN:
        steady[part] = _draw(request, steady, part)
    request.steady_frame = steady  # type: ignore[attr-defined]  # read below


def _draw(request: HttpRequest, steady: dict[str, Any], part: str) -> SafeString:
    """One of `DRAWN` as HTML, of the steady part of the frame."""
    return render_to_string(DRAWN[part], {"frame": steady, "theme": request.COOKIES.get("theme", "")}, request)


def _build_steady_part(request: HttpRequest) -> dict[str, Any]:
    """What the frame shows whatever the platform answers."""
    account = getattr(request, "account", None)
    return {
        "groups": _build_groups(request.path, account),
        "account": account,
        "accounts": access.connected(request) if account else [],
        "search": address("search:search"),
        "health": address("health:health"),
        "banner": address("health:banner") if account else "",
        "notices": address("notices:notices") if account else "",
        "new_notices": history.count_new(account, str(request.session.get(access.PERSON) or "")) if account else 0,
        "here": request.get_full_path(),
        "zone": formats.zone_name().replace("_", " "),
    }


def _build_frame(request: HttpRequest) -> dict[str, Any]:
    account = getattr(request, "account", None)
    steady = getattr(request, "steady_frame", None) or _build_steady_part(request)
    return {
        **{part: partial(_draw, request, steady, part) for part in DRAWN},  # called by a template that shows it
        **steady,
        "known": known_part(request, request.known) if account else None,  # type: ignore[attr-defined]  # set by middleware
        "trouble": platform_health.in_trouble(),
        "latency": formats.number(latency, 0)
        if (latency := platform_health.load_whole().milliseconds) is not None
        else "",
    }


def find_current_place(path: str) -> NavigationLink:
    """The place that the page at `path` belongs to; the overview for a page of none."""
    links = [link for group in _build_groups(path, None) for link in group.places]
    return next((link for link in links if link.current), links[0])


def _build_groups(path: str, account: Account | None) -> tuple[Group, ...]:
    """The links by group; the longest address that begins this path is the current one."""
    places = list_places()
    addresses = {place.view: path_of(place.view) for place in places}
    current = max((link for link in addresses.values() if _is_within(path, link)), key=len, default="")
    groups = []
    for key, title in GROUPS.items():
        links = tuple(
            _build_link(place, addresses[place.view], account, current=addresses[place.view] == current)
            for place in places
            if place.group == key
        )
        if links:
            groups.append(Group(key, _(title) if title else "", links))
    return tuple(groups)


def _build_link(place: Place, link: str, account: Account | None, *, current: bool) -> NavigationLink:
    if not place.count:
        return NavigationLink(_(place.label), link, place.icon, current)
    count = import_string(place.count)(account) if account else None
    return NavigationLink(
        _(place.label), link, icon=place.icon, current=current, count=count, key=place.view.rpartition(":")[2]
    )


def _is_within(path: str, link: str) -> bool:
    """Whether the page at `path` belongs to this link. Every page is below the overview's address."""
    return path == link if link == path_of("overview:overview") else path.startswith(link)

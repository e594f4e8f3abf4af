"""What the search finds by itself: actions and pages."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from babel import Locale
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.accounts import access
from dashboard.feature import list_features
from dashboard.navigation import GROUPS, list_places
from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.search.registry import Found, find_by_name, finds
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import fold

LANGUAGES_SHOWN = 2
"""Each makes two lines, and some languages have five regions."""
PERIODS = (
    (gettext_noop("Analytics of today"), "today"),
    (gettext_noop("Analytics of the last 7 days"), "7d"),
    (gettext_noop("Analytics of the last 28 days"), "28d"),
    (gettext_noop("Analytics of the last 90 days"), "90d"),
    (gettext_noop("Analytics of this month"), "month"),
    (gettext_noop("Analytics of this year"), "year"),
)
THEMES = (
    (gettext_noop("Dark theme"), "dark"),
    (gettext_noop("Light theme"), "light"),
    (gettext_noop("Theme of the system"), "system"),
)


@finds("actions", title=gettext_noop("Actions"), order=10)
def actions(request: OwnerRequest, query: str) -> Iterator[Found]:
    """Things to do, and those that languages and countries make possible."""
    declared = sorted(
        (entry for feature in list_features() for entry in feature.actions), key=lambda entry: entry.order
    )
    links = [Found(address(entry.view, **entry.query), entry.icon, _(entry.label)) for entry in declared]
    periods = [Found(address("analytics:analytics", range=key), "chart", _(label)) for label, key in PERIODS]
    yield from find_by_name([*links, *_list_forms(request), *periods], query)
    if len(query) > 1:
        yield from _of_languages(query)
        yield from _of_countries(query)


def _list_forms(request: OwnerRequest) -> Iterator[Found]:
    """What a form does: the theme, another account, the end."""
    for label, value in THEMES:
        yield Found(address("theme"), "theme", _(label), posts=True, field=("theme", value))
    for account in access.connected(request):
        if account.pk != request.account.pk:
            label = _("Switch to %(account)s") % {"account": account.name}
            yield Found(address("accounts:use", account.pk), "users", label, posts=True)
    yield Found(address("accounts:sign_out"), "users", _("Sign out"), posts=True)


def _of_languages(query: str) -> Iterator[Found]:
    """Translate into a language, or look where it is missing: by its name in the reader's language or in its own."""
    for code in islice(_languages(query), LANGUAGES_SHOWN):
        language = {"language": formats.language_name(code)}
        if here := address("subtitles:subtitles", type="TRANSLATION", to_lang=code):
            yield Found(here, "subs", _("Translate to %(language)s") % language, _("Subtitles"))
        yield Found(
            address("videos:videos", missing=code),
            "play",
            _("Videos without subtitles in %(language)s") % language,
            _("Videos"),
        )


def _languages(query: str) -> Iterator[str]:
    for code in LANGUAGES:
        names = (formats.language_name(code), formats.language_name(code, own=True))
        if any(fold(name).startswith(fold(query)) for name in names) or code.lower() == query.lower():
            yield code


def _of_countries(query: str) -> Iterator[Found]:
    """Analytics of a country, by its name in the reader's language."""
    if not address("analytics:cities"):
        return
    territories: dict[str, Any] = dict(Locale.parse(str(formats.locale())).territories)
    for code, name in territories.items():
        if len(code) == 2 and code.isalpha() and fold(str(name)).startswith(fold(query)):
            here = address("analytics:cities", country=code)
            yield Found(here, "chart", _("Analytics for %(country)s") % {"country": name}, _("Analytics"))


@finds("pages", title=gettext_noop("Pages"), order=20)
def places(request: OwnerRequest, query: str) -> Iterator[Found]:
    """The places of the navigation."""
    links = (
        Found(address(place.view), place.icon, _(place.label), _(GROUPS[place.group]) if place.group else "")
        for place in list_places()
    )
    yield from find_by_name(links, query)

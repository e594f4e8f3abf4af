"""What the search finds by itself: actions, pages, and what the platform lists and no other feature offers."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from babel import Locale
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.accounts import access
from dashboard.navigation import PLACES
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.vocabulary import LANGUAGES, VideoStatus
from dashboard.search.registry import Found, finds, folded, matches, nearly_matches
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.reads import Query

Row: TypeAlias = tuple[str, str, str]
SECONDS = 30.0
LANGUAGES_SHOWN = 2
"""Each makes two lines, and some languages have five regions."""
ACTIONS: tuple[tuple[str, str, dict[str, str], str], ...] = (
    (gettext_noop("Make subtitles"), "subtitles:subtitles", {}, "subs"),
    (gettext_noop("Create review link"), "review_links:create", {}, "talk"),
    (gettext_noop("Create A/B test"), "ab_tests:create", {}, "ab"),
    (gettext_noop("Create live"), "lives:create", {}, "live"),
    (gettext_noop("Create sub-account"), "sub_accounts:create", {}, "users"),
    (gettext_noop("Take in a review link made elsewhere"), "review_links:import", {}, "talk"),
    (gettext_noop("Change custom fields from a file"), "custom_fields:changes", {}, "tag"),
    (
        gettext_noop("Show videos that could not be converted"),
        "videos:videos",
        {"status": VideoStatus.FAILED.value},
        "play",
    ),
    (gettext_noop("Show videos in no folder"), "videos:videos", {"folder": "root"}, "play"),
    (gettext_noop("Show inactive folders"), "folders:folders", {"inactive": "1"}, "folder"),
    (gettext_noop("Export activity as CSV"), "activity:export", {}, "log"),
    (gettext_noop("Export custom fields as CSV"), "custom_fields:export", {}, "tag"),
    (gettext_noop("Export A/B tests as CSV"), "ab_tests:tests", {}, "ab"),
    (gettext_noop("Look how the platform is doing"), "health:health", {}, "chart"),
    (gettext_noop("Connect another account"), "accounts:sign_in", {"add": "1"}, "users"),
    (gettext_noop("Connected accounts"), "accounts:accounts", {}, "users"),
)
"""What can be done from anywhere: its words, where it leads. Those whose feature is not installed are left out."""


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
def actions(request: OwnerRequest, wanted: str) -> Iterator[Found]:
    """Things to do, and those that languages and countries make possible."""
    links = [Found(here, icon, _(said)) for said, name, query, icon in ACTIONS if (here := address(name, **query))]
    periods = [Found(address("analytics:analytics", range=key), "chart", _(said)) for said, key in PERIODS]
    yield from _named([*links, *_posted(request), *periods], wanted)
    if len(wanted) > 1:
        yield from _of_languages(wanted)
        yield from _of_countries(wanted)


def _posted(request: OwnerRequest) -> Iterator[Found]:
    """What a form does: the theme, another account, the end."""
    for said, value in THEMES:
        yield Found(address("theme"), "theme", _(said), posts=True, field=("theme", value))
    for account in access.connected(request):
        if account.pk != request.account.pk:
            said = _("Switch to %(account)s") % {"account": account.name}
            yield Found(address("accounts:use", account.pk), "users", said, posts=True)
    yield Found(address("accounts:sign_out"), "users", _("Sign out"), posts=True)


def _named(found: Iterable[Found], wanted: str) -> Iterator[Found]:
    """Those whose name matches; where none does, those that a slip of the finger keeps from matching."""
    every = [one for one in found if one.address]
    exact = [one for one in every if matches(one.name, wanted)]
    yield from exact or (one for one in every if nearly_matches(one.name, wanted))


def _of_languages(wanted: str) -> Iterator[Found]:
    """Translate into a language, or look where it is missing: by its name in the reader's language or in its own."""
    for code in islice(_languages(wanted), LANGUAGES_SHOWN):
        said = {"language": formats.language_name(code)}
        if here := address("subtitles:subtitles", type="TRANSLATION", to_lang=code):
            yield Found(here, "subs", _("Translate to %(language)s") % said, _("Subtitles"))
        yield Found(
            address("videos:videos", missing=code),
            "play",
            _("Videos without subtitles in %(language)s") % said,
            _("Videos"),
        )


def _languages(wanted: str) -> Iterator[str]:
    for code in LANGUAGES:
        names = (formats.language_name(code), formats.language_name(code, own=True))
        if any(folded(name).startswith(folded(wanted)) for name in names) or code.lower() == wanted.lower():
            yield code


def _of_countries(wanted: str) -> Iterator[Found]:
    """Analytics of a country, by its name in the reader's language."""
    if not address("analytics:cities"):
        return
    territories: dict[str, Any] = dict(Locale.parse(str(formats.locale())).territories)
    for code, name in territories.items():
        if len(code) == 2 and code.isalpha() and folded(str(name)).startswith(folded(wanted)):
            here = address("analytics:cities", country=code)
            yield Found(here, "chart", _("Analytics for %(country)s") % {"country": name}, _("Analytics"))


@finds("pages", title=gettext_noop("Pages"), order=20)
def places(request: OwnerRequest, wanted: str) -> Iterator[Found]:
    """The places of the navigation."""
    every = (
        Found(address(name), icon, _(label), _(title) if title else "")
        for _key, title, group in PLACES
        for name, label, icon in group
    )
    yield from _named(every, wanted)


def _listed(request: OwnerRequest, call: Callable[[Operations], list[Row]]) -> list[Row]:
    """Id, name and a note of everything in a list; nothing where the platform has no such list."""
    try:
        return reads.of(request).get(Query(call, SECONDS, shape="found"))
    except Missing:
        return []


def _found(rows: list[Row], wanted: str, page: str, icon: str) -> Iterator[Found]:
    yield from _named((Found(address(page, key), icon, name, note) for key, name, note in rows), wanted)


@finds("ab_tests", title=gettext_noop("A/B tests"), order=50)
def ab_tests(request: OwnerRequest, wanted: str) -> Iterator[Found]:
    """By name."""
    rows = _listed(
        request,
        lambda platform: [
            (one.id, one.name or one.id, _state(one.status)) for one in platform.comparisons.list().comparisons
        ],
    )
    for found in _found(rows, wanted, "ab_tests:ab_test", "ab"):
        yield Found(found.address, found.icon, found.name, _(found.note) if found.note else "")


def _state(status: str) -> str:
    """A test's state as a msgid; one that nobody knows as it came."""
    known = {
        "DRAFT": gettext_noop("Draft"),
        "IN_PROGRESS": gettext_noop("Running"),
        "COMPLETED": gettext_noop("Finished"),
    }
    return known.get(status, status)


@finds("lives", title=gettext_noop("Lives"), order=70)
def lives(request: OwnerRequest, wanted: str) -> Iterator[Found]:
    """By title."""
    rows = _listed(request, lambda platform: [(one.id, one.title or one.id, "") for one in platform.lives.list()])
    yield from _found(rows, wanted, "lives:live", "live")


@finds("playlists", title=gettext_noop("Playlists"), order=80)
def playlists(request: OwnerRequest, wanted: str) -> Iterator[Found]:
    """By name."""
    rows = _listed(request, lambda platform: [(one.id, one.name or one.id, "") for one in platform.playlists.list()])
    yield from _found(rows, wanted, "playlists:playlist", "list")


@finds("funnels", title=gettext_noop("Funnels"), order=90)
def funnels(request: OwnerRequest, wanted: str) -> Iterator[Found]:
    """By name."""
    rows = _listed(request, lambda platform: [(one.id, one.name or one.id, "") for one in platform.funnels.list()])
    yield from _found(rows, wanted, "funnels:funnel", "funnel")

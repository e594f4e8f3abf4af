"""Which database a model is in, and what is said while one is locked, full or away: a 503 that offers again what was typed.

The page asks the database nothing: no session, no messages, no account. It is reached from a view (`process_exception`), and
from whatever else failed, such as reading the session before a view or keeping it after one, through `handler500` and
`handler400` (Django takes a session that could not be kept for one that somebody else ended).
"""

import logging
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import Error, InterfaceError, OperationalError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from dashboard.shared.http import own_path


class SandboxRouter:
    """Routes the models of `dashboard.sandbox` to the alias `sandbox`."""

    def _database(self, model: type[Model]) -> str | None:
        return "sandbox" if model._meta.app_label == "sandbox" else None

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        return self._database(model)

    def db_for_write(self, model: type[Model], **hints: Any) -> str | None:
        return self._database(model)

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return (db == "sandbox") == (app_label == "sandbox")


log = logging.getLogger(__name__)

Answer = Callable[[HttpRequest], HttpResponse]
Fields = tuple[tuple[str, str], ...]

NEVER_SHOWN = frozenset({"csrfmiddlewaretoken", "token"})
"""Fields that are typed again: no secret is ever on a page."""


PATIENCE = 5
"""Seconds for which a page waits for SQLite's lock. A write holds it for milliseconds, so whoever still waits then meets a
stuck process or a long command, and a person should rather have the words back than wait. Commands and the worker, where
nobody waits, have 20 (`settings.py`)."""


def wait_less_for_locks() -> None:
    """From now on this process waits as long as a page may; called where the web server loads the product."""
    for database in settings.DATABASES.values():
        if database["ENGINE"] == settings.SQLITE:
            database["OPTIONS"]["timeout"] = PATIENCE


class Trouble(StrEnum):
    """Why the database could not do what it was asked."""

    LOCKED = "locked"
    FULL = "full"
    AWAY = "away"


RETRY_AFTER = {Trouble.LOCKED: 5, Trouble.FULL: 60, Trouble.AWAY: 10}
"""Seconds after which another attempt makes sense: a lock is soon let go, a full disk needs somebody."""

SQLITE = {5: Trouble.LOCKED, 6: Trouble.LOCKED, 13: Trouble.FULL, 8: Trouble.AWAY, 10: Trouble.AWAY, 14: Trouble.AWAY}
"""By primary result code: BUSY, LOCKED, FULL, and READONLY, IOERR, CANTOPEN."""
POSTGRESQL = {"55P03": Trouble.LOCKED, "40P01": Trouble.LOCKED, "53100": Trouble.FULL, "25006": Trouble.AWAY}
"""By SQLSTATE: lock not available, deadlock, disk full, and a server that takes no writes."""
POSTGRESQL_AWAY = ("08", "53", "57P", "58")
"""The classes of lost connections, used up resources (too many connections), shutdowns and failures of its machine."""


def trouble_of(error: BaseException | None) -> Trouble | None:
    """What was wrong with the database, if that is why `error` was raised."""
    return next((trouble for cause in _causes(error) if isinstance(cause, Error) and (trouble := _judge(cause))), None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it was raised from or while handling."""
    visited: set[int] = set()
    while error is not None and id(error) not in visited:
        visited.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _judge(error: Error) -> Trouble | None:
    """Django's error carries the driver's as its cause."""
    driver = error.__cause__
    if (code := getattr(driver, "sqlite_errorcode", None)) is not None:
        return SQLITE.get(code & 0xFF)
    if state := getattr(driver, "sqlstate", None):
        return POSTGRESQL.get(state) or (Trouble.AWAY if state.startswith(POSTGRESQL_AWAY) else None)
    # Without a code: no connection was made, or it ended. Mistakes in a statement always have one.
    return Trouble.AWAY if isinstance(error, OperationalError | InterfaceError) and driver is not None else None


class DatabaseTroubleMiddleware:
    """Answers for views that met it."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The 503, or None for any other error."""
        return answer(request, exception)


def answer(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """The 503 for `error`, or None where the database was not the reason. The log has no word that was typed."""
    trouble = trouble_of(error)
    if trouble is None:
        return None
    view = request.resolver_match.view_name if request.resolver_match else "no view"
    log.error("%s: %s (%s %s)", trouble, _first_line(error), request.method, view)
    template = "errors/_database_toast.html" if getattr(request, "htmx", False) else "errors/database.html"
    text = render_to_string(template, _context(request, trouble))
    return HttpResponse(text, status=503, headers={"Retry-After": str(RETRY_AFTER[trouble])})


def _first_line(error: BaseException | None) -> str:
    """The database's own words; further lines of PostgreSQL's quote rows."""
    words = next((str(cause) for cause in _causes(error) if isinstance(cause, Error) and _judge(cause)), "")
    return words.strip().partition("\n")[0]


def _context(request: HttpRequest, trouble: Trouble) -> dict[str, object]:
    title, why = {
        Trouble.LOCKED: (_("Reelroom’s database is busy"), _("Something else has been writing to it for a while.")),
        Trouble.FULL: (
            _("Reelroom’s disk is full"),
            _("Nothing new can be saved. Please tell the administrator of this installation."),
        ),
        Trouble.AWAY: (_("Reelroom’s database doesn’t answer"), _("It may be restarting.")),
    }[trouble]
    fields = _fields(request)
    return {
        "title": title,
        "why": why,
        "posts": request.method == "POST",
        "fields": fields,
        "readable": tuple((name, value) for name, value in fields if value.strip() and not name.startswith("_")),
        "sendable": bool(fields) and not request.FILES and _is_our_form(request),
        "files": bool(fields) and bool(request.FILES),
        "action": request.get_full_path(),
        "back": own_path(request, request.headers.get("Referer", "")) or "/",
        "theme": request.COOKIES.get("theme", ""),
        "csrf_token": get_token(request),
    }


def _fields(request: HttpRequest) -> Fields:
    """What the form carried, in order; nothing where it could not be read."""
    try:
        posted = request.POST.lists()
    except (BadRequest, SuspiciousOperation, RawPostDataException, MultiPartParserError, OSError):
        return ()
    return tuple((name, str(value)) for name, values in posted for value in values if name not in NEVER_SHOWN)


class _Asked(CsrfViewMiddleware):
    """Says whether a form is ours instead of refusing it."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return HttpResponse(status=403)


def _is_our_form(request: HttpRequest) -> bool:
    """Whether it came from a page of ours: the words of another site's form are offered to nobody for sending.

    Asked again here, because reading the session fails before Django looks.
    """

    def page(_request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    check = _Asked(page)
    check.process_request(request)
    return check.process_view(request, page, (), {}) is None

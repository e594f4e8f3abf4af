"""Lines of the log, as JSON for machines or as text for people. Both keep to the same rules.

No token, no address (of a review link least of all), no query string and no word of a person is in a line: what Django says
about a request is replaced by its method and the name of its URL, and an exception is told by its class and where it was
raised, without its message, which may quote what was typed.
"""

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

from dashboard.monitoring.context import get_context

FORMATS: Final = ("json", "text")
EXTRAS: Final = ("operation", "status", "milliseconds")
"""What a caller may say beside the message (`extra=`); a text or a number."""
DETAILS: Final = ("operation", "status", "errno", "sqlstate", "sqlite_errorname")
"""What is told of an exception besides its class: names and numbers that no person typed."""
MOST_CAUSES: Final = 5

_LINK = re.compile(r"/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}[^\s\"'<>]*", re.IGNORECASE)
_ADDRESS = re.compile(r"\b([a-z][a-z0-9+.-]*://)(?:[^\s/@\"']*@)?([^\s/?#\"'<>]+)[^\s\"'<>]*", re.IGNORECASE)
_QUERY = re.compile(r"\?[^\s\"'<>=]+=[^\s\"'<>]*")
_SECRET = re.compile(
    r"\b(authorization|bearer|cookie|token|password|secret)\b([\"']?\s*[:=]\s*[\"']?(?:bearer\s+)?|\s+(?=\S{16}))[^\s\"',;&]+",
    re.IGNORECASE,
)
_UNREADABLE_REQUEST = re.compile(r"^(Invalid (?:HTTP )?request)\b.*", re.IGNORECASE | re.DOTALL)
"""The web server quotes what it could not read."""


def clean_text(text: str) -> str:
    """The text without addresses of links, paths and queries of addresses, and what follows the word for a secret."""
    text = _ADDRESS.sub(r"\1\2", text)
    text = _QUERY.sub("?…", _LINK.sub("/…", text))
    return _SECRET.sub(r"\1\2…", text)


def build_message(record: logging.LogRecord) -> str:
    """The message of a record as it may be read by operators."""
    request = getattr(record, "request", None)
    if hasattr(request, "resolver_match"):  # Django's lines on requests name the whole path
        match = request.resolver_match  # type: ignore[union-attr]  # looked at above
        view = match.view_name if match else "no view"
        return f"{_phrase(getattr(record, 'status_code', 0))}: {request.method} {view}"  # type: ignore[union-attr]  # as above
    if record.name.startswith("gunicorn"):
        return clean_text(_build_server_message(record))
    return clean_text(record.getMessage())


def _build_server_message(record: logging.LogRecord) -> str:
    """What gunicorn says, without the address that was asked for."""
    if isinstance(record.args, tuple) and isinstance(record.msg, str):
        args = tuple("…" if isinstance(arg, str) and arg.startswith("/") else arg for arg in record.args)
        return _UNREADABLE_REQUEST.sub(r"\1", record.msg % args if args else record.msg)
    return _UNREADABLE_REQUEST.sub(r"\1", record.getMessage())


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Request"


def describe_exception(error: BaseException | None) -> str:
    """Where an exception and its causes were raised, each with its class and never with its message."""
    lines: list[str] = []
    while error is not None and len(lines) < MOST_CAUSES:
        name = f"{type(error).__module__}.{type(error).__qualname__}"
        known = [f"{key}={getattr(error, key)}" for key in DETAILS if isinstance(getattr(error, key, None), int | str)]
        lines.append("".join([*traceback.format_tb(error.__traceback__), " ".join([name, *known])]))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\nfrom\n".join(lines)


class JsonFormatter(logging.Formatter):
    """One object a line; what is not known is left out."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps({name: value for name, value in build_fields(record).items() if value not in ("", None)})


def build_fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a line says, by the names of its JSON."""
    context = getattr(getattr(record, "request", None), "context", None) or get_context()
    fields = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": build_message(record),
        "request_id": context.request_id,
        "method": context.method,
        "view": context.view,
        "account": context.account,
    }
    extras = {name: getattr(record, name, None) for name in EXTRAS}
    fields |= {name: value for name, value in extras.items() if isinstance(value, str | int | float)}
    return fields | {"exception": describe_exception(record.exc_info[1]) if record.exc_info else ""}


class TextFormatter(logging.Formatter):
    """A line for people, and below it where an exception was raised; with `private` also its message (development)."""

    def __init__(self, *, private: bool = False) -> None:
        super().__init__()
        self.private = private

    def format(self, record: logging.LogRecord) -> str:
        fields = build_fields(record)
        line = f"{fields['time'][:19].replace('T', ' ')} {record.levelname} {record.name} {fields['message']}"
        if fields["request_id"]:
            line += f" [{fields['request_id']}]"
        trace = self.formatException(record.exc_info) if self.private and record.exc_info else fields["exception"]
        return f"{line}\n{trace}" if trace else line


def make_formatter(form: str, *, private: bool = False) -> logging.Formatter:
    """The formatter for LOG_FORMAT; `private` where only a developer reads."""
    return JsonFormatter() if form == "json" else TextFormatter(private=private)


def build_logging(level: str, form: str, *, private: bool = False) -> dict[str, Any]:
    """Django's LOGGING: everything goes to the standard error output through our formatter. `DEBUG` is for our own lines:
    libraries would quote bodies and addresses."""
    libraries = "INFO" if level == "DEBUG" else level
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": make_formatter, "form": form, "private": private}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": libraries},
        "loggers": {
            "dashboard": {"level": level},
            "review_portal": {"level": level},
            "httpx": {"level": "WARNING"},  # it logs whole addresses, tokens in the query included
            "httpcore": {"level": "WARNING"},
            "django": {"level": libraries},  # no handlers of its own: each line once, and through our formatter
            "django.request": {"level": "ERROR"},  # every answer has a line already; errors bring their exception
            "django.server": {"level": "WARNING"},
            "django_tasks_db": {"level": "WARNING"},  # each time that a thread has nothing to do any more
        },
    }

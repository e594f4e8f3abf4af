"""Reports of errors to a server that speaks Sentry's protocol. Only with SENTRY_DSN, and the extra `sentry` installed.

What leaves is written anew out of what is allowed: where an error was raised, of which class, in which view, and the id by which
its lines in the log are found. Nothing else that the library collects leaves: no request, cookie, header, address, local
variable, message of an exception or name of this machine.
"""

import logging
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings

from dashboard.monitoring.context import get_context
from dashboard.monitoring.logs import build_message

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
KEPT: Final = ("event_id", "timestamp", "platform", "level", "logger", "sdk")
FRAME: Final = ("filename", "function", "module", "lineno", "in_app", "pre_context", "context_line", "post_context")


def is_installed() -> bool:
    """Whether the package that reports is there."""
    return find_spec("sentry_sdk") is not None


def is_dsn(text: str) -> bool:
    """Whether it has the form `https://KEY@HOST/PROJECT`; http is for this machine alone."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return False
    encrypted = parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
    return bool(encrypted and host and parts.username and parts.path.strip("/"))


def start(transport: Any = None) -> bool:
    """Report what is logged as an error, and what ends a command. Returns whether anything will be reported."""
    if not is_dsn(settings.SENTRY_DSN) or not is_installed():
        return False
    import sentry_sdk
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.excepthook import ExcepthookIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(  # personal data is off unless asked for; saying so again warns in this version
        dsn=settings.SENTRY_DSN,
        transport=transport,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR),
            ExcepthookIntegration(),
            AtexitIntegration(callback=lambda pending, timeout: None),
        ],
        before_send=clean_event,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
    )
    return True


def clean_event(event: Any, hint: dict[str, Any]) -> Any:
    """The report that leaves in the place of what was collected."""
    report: dict[str, Any] = {name: event[name] for name in KEPT if name in event}
    record = hint.get("log_record")
    if record is not None:
        report["logentry"] = {"message": build_message(record)}
    if "exception" in event:
        report["exception"] = {"values": [_clean_exception(error) for error in event["exception"]["values"]]}
    context = getattr(getattr(record, "request", None), "context", None) or get_context()
    tags = {"request_id": context.request_id, "method": context.method, "view": context.view}
    return report | {"tags": {name: value for name, value in tags.items() if value}}


def _clean_exception(error: dict[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", [])
    cleaned = [{name: frame[name] for name in FRAME if name in frame} for frame in frames]
    return {"type": error.get("type"), "module": error.get("module"), "stacktrace": {"frames": cleaned}}

"""Around every request: its id, its line in the log, its place in the metrics."""

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from dashboard.monitoring import metrics
from dashboard.monitoring.context import RequestContext, get_context, use_context
from dashboard.shared.callers import request_id_of

log = logging.getLogger("dashboard.requests")

Answer = Callable[[HttpRequest], HttpResponse]

QUIET: Final = frozenset({"healthz", "readyz", "metrics"})
"""Asked every few seconds by machines: their lines are for LOG_LEVEL=debug."""
NO_VIEW: Final = "none"
"""What stands for the view of a request that met none: an address that there is not, or plain http led to https."""


class RequestMiddleware:
    """The outermost one: whatever happens inside is logged with the request's id, which the answer carries too.

    Static files are left out: they belong to nobody, and a page has thirty of them.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(settings.STATIC_URL):
            return self.get_response(request)
        began = time.perf_counter()
        with use_context(RequestContext(request_id_of(request), request.method or "")) as context:
            request.context = context  # type: ignore[attr-defined]  # for lines that Django writes around this
            response = self.get_response(request)
            _learn_view(request, context)
            _report(context, response.status_code, time.perf_counter() - began)
        response.headers["X-Request-ID"] = context.request_id
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Let the lines of the view say which it is and for whom."""
        if (context := get_context()).request_id:
            _learn_view(request, context)


def _learn_view(request: HttpRequest, context: RequestContext) -> None:
    match = request.resolver_match
    context.view = match.view_name if match else NO_VIEW
    account = getattr(request, "account", None)
    context.account = str(account.pk) if account else ""


def _report(context: RequestContext, status: int, seconds: float) -> None:
    metrics.count_request(context.view, context.method, status, seconds)
    level = logging.WARNING if status >= 500 else logging.DEBUG if context.view in QUIET else logging.INFO
    milliseconds = round(seconds * 1000)
    extra = {"status": status, "milliseconds": milliseconds}
    log.log(level, "%s %s %d %d ms", context.method, context.view, status, milliseconds, extra=extra)

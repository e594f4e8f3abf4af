"""What a page is drawn from is noted for the page to say, and what nobody waits for is done when its answer has gone."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from dashboard.upstream import used, visit

Answer = Callable[[HttpRequest], HttpResponse]


def note_what_is_known(get_response: Answer) -> Answer:
    """`request.known` is what the answer to this request uses of what was known (`used.Used`).

    What is left when a page has gone is done then (`visit.end`, by the signal of the end of a request). Any other answer leads
    somewhere else, to another process perhaps, where what was read is known already: it is kept before that answer goes.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request.known = used.watch()  # type: ignore[attr-defined]  # read by the frame of a page
        if not settings.READ_SIDE_BY_SIDE:
            return get_response(request)
        here = visit.begin()
        response = get_response(request)
        if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.streaming:
            here.end()
        return response

    return middleware

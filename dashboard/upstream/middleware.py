"""What a page is drawn from is noted for the page to say."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from dashboard.upstream import reads

Answer = Callable[[HttpRequest], HttpResponse]


def note_what_is_known(get_response: Answer) -> Answer:
    """`request.known` is what the answer to this request uses of what was known (`reads.Used`)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.known = reads.watch()  # type: ignore[attr-defined]  # read by the frame of a page
        return get_response(request)

    return middleware

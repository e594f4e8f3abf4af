"""The door of production servers."""

import os

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

from dashboard.database_trouble import wait_less_for_locks


class Request(WSGIRequest):
    """A request that ends with its answer, and is not kept until the collector of garbage comes by."""

    def close(self) -> None:
        """Let go of what refers back to the request (docs/decisions.md). Called when the answer is sent."""
        super().close()
        for name in ("htmx", "_messages"):
            self.__dict__.pop(name, None)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
application = get_wsgi_application()
application.request_class = Request
wait_less_for_locks()

from dashboard import running  # noqa: E402  (it needs the product to be loaded)

running.announce()

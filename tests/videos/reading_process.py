"""A worker's run of the reading of libraries, slowly: `python -m tests.videos.reading_process DATABASE SANDBOX`.

Prints the operation and the video of each call.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import django
from django.conf import settings


def main(database: str, sandbox: str) -> None:
    """One run on these SQLite files."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    for alias, name in (("default", database), ("sandbox", sandbox)):
        settings.DATABASES[alias]["NAME"] = name
    django.setup()
    from dashboard.platform_api.answers import Answer
    from dashboard.platform_api.request import Request
    from dashboard.platform_api.sending import Sender
    from dashboard.videos import tasks

    send = Sender.send

    def send_slowly(self: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
        time.sleep(0.02)
        value = send(self, request, read)
        print(request.operation, *request.path[1:2], flush=True)  # noqa: T201  (what the test reads)
        return value

    Sender.send = send_slowly  # type: ignore[method-assign]
    tasks.read_library.call()


if __name__ == "__main__":
    main(*sys.argv[1:])

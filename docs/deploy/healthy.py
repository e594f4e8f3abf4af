"""Ends with 0 while the container it runs in does its work: `healthy.py` asks the web server, `healthy.py worker` the queue."""

import os
import sys
import urllib.request
from pathlib import Path

QUIET_SECONDS = 60


def web_is_ready(address: str = "http://127.0.0.1:8000/readyz") -> bool:
    """Whether /readyz says 200; it answers for its own names only."""
    host = os.environ["ALLOWED_HOSTS"].split(",")[0].strip().lstrip(".")
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers={"Host": host}), timeout=5) as answer:  # noqa: S310  (our own address)
            return bool(answer.status == 200)
    except OSError:
        return False


def queue_is_looked_after() -> bool:
    """Whether a worker has taken its turn within the last minute."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    import django

    django.setup()
    from dashboard.writes import schedule

    quiet = schedule.quiet_seconds()
    return quiet is not None and quiet < QUIET_SECONDS


if __name__ == "__main__":
    sys.exit(0 if (queue_is_looked_after() if sys.argv[1:] == ["worker"] else web_is_ready()) else 1)

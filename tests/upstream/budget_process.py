"""A process that makes as many calls as the budget lets it.

`python -m tests.upstream.budget_process FILE LIMIT SECONDS KIND [REDIS]`: counted in the file, or in the Redis at that address.
Time passes SPEED times as fast. Prints when each call left, in its seconds.
"""

import sys
import time
from contextlib import nullcontext
from types import SimpleNamespace

from django.conf import settings

SPEED = 30.0


def now() -> float:
    """Seconds of a clock that runs fast, the same for all processes."""
    return time.time() * SPEED


def main(file: str, limit: str, seconds: str, kind: str, redis: str = "") -> None:
    """Calls of one kind, as fast as they may leave, until `seconds` of this clock are over."""
    machine = {"BACKEND": "dashboard.file_cache.FileCache", "LOCATION": file}
    settings.configure(
        CACHES={
            "default": {"BACKEND": "dashboard.redis_cache.RedisCache", "LOCATION": redis} if redis else machine,
            "machine": machine,
        },
        PLATFORM_CALLS_PER_MINUTE=int(limit),
        PLATFORM_CALLS_COUNTED_BY="address",
        METRICS=False,
    )
    from dashboard.platform_api.request import Request
    from dashboard.upstream import budget

    vars(budget)["time"] = SimpleNamespace(time=now)
    request = Request("videos.list", "POST" if kind == "write" else "GET", ("videos",))
    end = now() + float(seconds)
    with budget.background() if kind == "background" else nullcontext():
        calls = budget.Budget("a token")
        while now() < end:
            if calls.admit(request, "platform.example") is None:
                print(f"{now():.3f}", flush=True)  # noqa: T201  (what the test reads)
            else:
                time.sleep(0.002)


if __name__ == "__main__":
    main(*sys.argv[1:])

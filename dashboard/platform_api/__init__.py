"""The HTTP boundary: a typed client of the platform's specification. No Django; the only importer of httpx.

    http = open_http(config)                  # once per process
    platform = Platform(config, http, token)  # once per page
    platform.videos.get(video_id)             # a record, or one of `errors`

`vocabulary` holds the specification's words and numbers, a module per group of operations what is sent and the records of
what comes back, `errors` what can go wrong, `assumptions` what the specification does not show and what was assumed instead.

Records are frozen dataclasses. Every `from_json` takes an object in any state: what is absent or of another type becomes "",
None, 0 or an empty tuple, keys that are not known are kept in `.extra`, states that are not known stay as they came. Times are
aware and in UTC. Addresses are http(s) or paths, so that none of another kind ever lands in a link.
"""

from dashboard.platform_api import errors, vocabulary
from dashboard.platform_api.circuits import Circuits
from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.connection import open_http
from dashboard.platform_api.platform import Operations, Platform, Rehearsed
from dashboard.platform_api.request import Preview
from dashboard.platform_api.sending import Call, Observe

__all__ = [
    "Call",
    "Circuits",
    "Observe",
    "Operations",
    "Platform",
    "PlatformConfig",
    "Preview",
    "Rehearsed",
    "errors",
    "open_http",
    "vocabulary",
]

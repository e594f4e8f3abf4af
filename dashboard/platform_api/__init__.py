"""The HTTP boundary: a typed client of the platform's specification. No Django; the only importer of httpx.

    http = open_http(config)                  # once per process
    platform = Platform(config, http, token)  # once per page
    platform.videos.get(video_id)             # a record, or one of `errors`

`vocabulary` holds the specification's words and numbers, `records` what comes back, `errors` what can go wrong,
`assumptions` what the specification does not show and what was assumed instead.
"""

from dashboard.platform_api import errors, records, vocabulary
from dashboard.platform_api.circuits import Circuits
from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.connection import open_http
from dashboard.platform_api.operations import Operations
from dashboard.platform_api.platform import Platform, Rehearsed
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
    "records",
    "vocabulary",
]

"""Pages of the dashboard that people open most, one of each feature."""

import re
from typing import Any, Final

_PATHS: Final = (
    "/dashboard/",
    "/dashboard/videos/",
    "/dashboard/videos/{with_subtitles}/",
    "/dashboard/subtitles/",
    "/dashboard/ai-content/{with_ai_content}/pt-BR/",
    "/dashboard/review-links/",
    "/dashboard/ab-tests/",
    "/dashboard/analytics/",
    "/dashboard/analytics/ranking/",
    "/dashboard/analytics/retention/",
    "/dashboard/analytics/traffic/",
    "/dashboard/folders/",
    "/dashboard/funnels/",
    "/dashboard/playlists/",
    "/dashboard/lives/",
    "/dashboard/activity/",
    "/dashboard/custom-fields/",
    "/dashboard/assistants/",
)


def pages_of(cast: dict[str, Any]) -> dict[str, str]:
    """Their addresses for the demo's owner, by the address without its identifiers."""
    return {re.sub(r"/{\w+}", "/…", path): path.format(**cast["videos"]) for path in _PATHS}

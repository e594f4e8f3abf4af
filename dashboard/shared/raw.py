"""An answer as it came, for pages that cannot read it."""

import json
from typing import Final

from dashboard.platform_api.values import JSON

MOST: Final = 20_000
"""Letters of an answer that are shown as it came."""


def as_it_came(value: JSON) -> str:
    """The answer as indented JSON; the end of a long one is cut off."""
    raw = json.dumps(value, ensure_ascii=False, indent=2)
    return f"{raw[:MOST]}\n…" if len(raw) > MOST else raw

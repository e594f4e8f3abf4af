"""Where the platform is and how it is spoken to. Frozen: one per process, made from settings by `dashboard.upstream.clients`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import urlsplit

from dashboard.platform_api.paths import ASSUMED, Place

HOSTS: Final = ("base_url", "data_url", "traffic_url", "config_url", "subtitles_url", "live_config_url")
"""The hosts that are asked, by field; the setting of each is its name in capitals behind PLATFORM_."""


@dataclass(frozen=True, slots=True)
class PlatformConfig:
    """Addresses as the specification names them, without a trailing slash (one is removed), and the client's choices.

    `subtitles_url` and `live_config_url` serve public files of the player (gaps 15); "" where nobody has set them.
    `traffic_auth`: how the traffic operation carries the token; the specification says Bearer [5].
    `timeout`: seconds that one call may take, second tries included.
    `review_reads`: whether the assumed reads of review links and comments may be sent (see `assumptions`).
    `paths`: where assumed operations live that are elsewhere than `paths.ASSUMED` says, by operation.
    """

    base_url: str
    data_url: str
    traffic_url: str
    config_url: str
    review_url: str
    subtitles_url: str = ""
    live_config_url: str = ""
    traffic_auth: Literal["bearer", "raw"] = "bearer"
    timeout: float = 10.0
    review_reads: bool = True
    paths: Mapping[str, Place] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for name in (*HOSTS, "review_url"):
            object.__setattr__(self, name, getattr(self, name).rstrip("/"))
        if self.traffic_auth not in ("bearer", "raw"):
            raise ValueError(f"traffic_auth must be 'bearer' or 'raw', not {self.traffic_auth!r}")
        if not self.timeout > 0:
            raise ValueError("timeout must be more than 0 seconds")

    def is_elsewhere(self, operation: str) -> bool:
        """Whether an assumed operation lives at another path than `paths.ASSUMED` says."""
        return operation in self.paths and self.paths[operation].path != ASSUMED[operation]


PUBLIC_HOSTS: Final[Mapping[str, str]] = {
    "config_url": "config",
    "subtitles_url": "subtitles",
    "live_config_url": "config-live",
}
"""The hosts of public files, by the first word of their names (gaps 15)."""
_PLAYER: Final = re.compile(r"player-[a-z0-9][a-z0-9-]*\.(tv(?:\.[a-z0-9-]+)+)")


def derive_public_hosts(player_url: str) -> dict[str, str]:
    """The addresses of public files beside a player at `player-{pullzone}.tv.…`, by field; {} for any other address."""
    try:
        match = _PLAYER.fullmatch(urlsplit(player_url.strip()).hostname or "")
    except ValueError:
        return {}
    return {name: f"https://{word}.{match[1]}" for name, word in PUBLIC_HOSTS.items()} if match else {}

"""Where the platform is and how it is spoken to. Frozen: one per process, made from settings by `dashboard.upstream.clients`."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal
from urllib.parse import urlsplit

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.values import JSON, Unreadable

ASSUMED: Final[Mapping[str, str]] = {
    "videos.list": "/videos",
    "videos.subtitles": "/subtitles/{video_id}",
    "videos.read_subtitle": "/subtitles/{video_id}/{lang}",
    "custom_fields.list": "/videos/{video_id}",
    "review_links.list": "/video-review/{video_id}",
    "public_review.read_link": "/public-video-review/{link_id}",
    "public_review.comments": "/public-video-review/{link_id}/comments",
    "lives.list": "/lives",
    "lives.get": "/lives/{live_id}",
    "folders.funnels": "/folders/{folder_id}",
    "funnels.list": "/funnels",
    "funnels.get": "/funnels/{funnel_id}",
    "playlists.list": "/playlists",
    "playlists.get": "/playlists/{playlist_id}",
    "assistants.list": "/assist-ai",
    "assistants.get": "/assist-ai/assistant_by_id/{assistant_id}",
    "organizations.usage": "/organizations",
    "credits.history": "/credits",
    "lives.create": "/live",
    "lives.finish": "/lives/{live_id}/finish",
    "ai_workflow.generate_package": "/aiworkflow",
    "ai_workflow.delete_package": "/aiworkflow/aipackage",
}
"""By operation, from {base_url} on. What comes behind the `?` is the operation's own."""
WRITES: Final = frozenset(
    {"lives.create", "lives.finish", "ai_workflow.generate_package", "ai_workflow.delete_package"}
)
"""Of these, what writes: never tried to learn whether the platform has it."""
ALTERNATIVES: Final[Mapping[str, str]] = {
    "lives.list": "/live",
    "lives.get": "/live/{live_id}",
    "playlists.list": "/playlist",
    "playlists.get": "/playlist/{playlist_id}",
}
"""Other paths that are publicly known (gaps 6, 8), tried where the first one is absent."""
PUBLIC_FILES: Final[Mapping[str, str]] = {
    "public_files.video": "{config_url}/{pullzone}/{external_id}.json",
    "public_files.comparison": "{config_url}/{pullzone}/comparison/{id}.json",
    "public_files.live": "{live_config_url}/{pullzone}/{external_id}-live.json",
    "public_files.subtitle": "{subtitles_url}/{pullzone}/{external_id}/{lang}.vtt",
    "ai_workflow.read_package": "{config_url}/{pullzone}/{external_id}-ai.{lang}.json",
}
"""Files of the player (2.8, gaps 15), which are elsewhere where the setting of their host says so."""

_PATH = re.compile(r"(?:/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*|\{[a-z_]+\}))+")
_KEYS = re.compile(r"[^.#]+(?:\.[^.#]+)*")
_NAME = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Place:
    """A path with `{names}`, and the keys under which the answer holds what is wanted."""

    path: str
    keys: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Place":
        """A place as it is written. Raises `ValueError`."""
        path, mark, keys = text.partition("#")
        if not _PATH.fullmatch(path) or (mark and not _KEYS.fullmatch(keys)):
            raise ValueError(text)
        return cls(path, tuple(keys.split(".")) if keys else ())

    def segments(self, operation: str, arguments: Sequence[object]) -> list[object]:
        """The segments of this path, with the identifiers that `operation` has in its own."""
        usual = ASSUMED[operation].strip("/").split("/")
        values = {
            match[1]: value for word, value in zip(usual, arguments, strict=True) if (match := _NAME.fullmatch(word))
        }
        words = self.path.strip("/").split("/")
        return [values[match[1]] if (match := _NAME.fullmatch(word)) else word for word in words]

    def narrowed(self, answer: Answer) -> Answer:
        """The answer with what stands under the keys. Raises `Unreadable` where nothing does."""
        if not self.keys:
            return answer
        body: JSON = answer.json()
        for key in self.keys:
            if not isinstance(body, dict) or key not in body:
                raise Unreadable(f"no {key} in the answer")
            body = body[key]
        return replace(answer, body=json.dumps(body).encode())


def parse_paths(pairs: Mapping[str, str]) -> dict[str, Place]:
    """The places of operations. Raises `ValueError`, which says what is wrong with which pair."""
    places = {}
    for operation, text in pairs.items():
        if operation not in ASSUMED:
            raise ValueError(f"{operation} cannot be set: it is none of {', '.join(ASSUMED)}")
        try:
            places[operation] = Place.parse(text)
        except ValueError:
            raise ValueError(f"{operation}: write a path such as {ASSUMED[operation]}, not {text}") from None
        required, named = set(_NAME.findall(ASSUMED[operation])), set(_NAME.findall(places[operation].path))
        if required != named:
            raise ValueError(f"{operation}: its path has to name {', '.join(sorted(required)) or 'no identifier'}")
    return places


HOSTS: Final = ("base_url", "data_url", "traffic_url", "config_url", "subtitles_url", "live_config_url")
"""The hosts that are asked, by field; the setting of each is its name in capitals behind PLATFORM_."""


@dataclass(frozen=True, slots=True)
class PlatformConfig:
    """Addresses as the specification names them, without a trailing slash (one is removed), and the client's choices.

    `subtitles_url` and `live_config_url` serve public files of the player (gaps 15); "" where nobody has set them.
    `traffic_auth`: how the traffic operation carries the token; the specification says Bearer [5].
    `timeout`: seconds that one call may take, second tries included.
    `review_reads`: whether the assumed reads of review links and comments may be sent (see `assumptions`).
    `paths`: where assumed operations live that are elsewhere than `ASSUMED` says, by operation.
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
        """Whether an assumed operation lives at another path than `ASSUMED` says."""
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

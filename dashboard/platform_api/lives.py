"""Live broadcasts [2.9, 4.9], and where an encoder sends them to. Reading, creating and finishing them is only referred to [4.16]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self

from dashboard.platform_api.answers import Answer, drop_secrets
from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import (
    JSON,
    Unreadable,
    address,
    first,
    flag,
    mapping,
    moment,
    optional_text,
    rest,
    text,
)


@dataclass(frozen=True, slots=True)
class Live:
    """`status` in lower case: the specification writes `offline`, other parts of the platform `ONLINE`.

    `is_schedule_told`: whether the platform said when it is scheduled, or that it is not.
    """

    id: str
    title: str
    status: str
    scheduled_at: datetime | None
    created_at: datetime | None
    updated_at: datetime | None
    folder_id: str | None
    player_url: str | None
    hls_url: str | None
    thumbnail_url: str | None = None
    is_schedule_told: bool = False
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        scheduled_at = moment(first(source, "scheduled_at", "scheduled_time"))
        return cls(
            id=text(source.get("id")),
            title=text(first(source, "title", "name")),
            status=text(source.get("status")).lower(),
            scheduled_at=scheduled_at,
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            folder_id=optional_text(source.get("folder_id")),
            player_url=address(first(source, "live_player", "video_player")),
            hls_url=address(first(source, "live_hls", "video_hls")),
            thumbnail_url=address(first(source, "thumbnail", "thumb")),
            is_schedule_told=scheduled_at is not None or source.get("scheduled_at", "not told") in (None, ""),
            extra=mapping(drop_secrets(rest(source, _KNOWN))),
        )


_KNOWN: Final = (
    "id title name status scheduled_at scheduled_time created_at updated_at folder_id live_player video_player "
    "live_hls video_hls thumbnail thumb"
)


@dataclass(frozen=True, slots=True)
class Ingest:
    """Where an encoder sends a live to. Both are secret: they are shown to whoever presses for them, and nowhere else."""

    rtmp: str = field(repr=False)
    stream_key: str = field(repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        """What the platform tells of it; "" for what it does not."""
        return cls(
            rtmp=_first_text(first(source, "rtmp", "rtmp_url")),
            stream_key=_first_text(first(source, "stream_key", "streamKey")),
        )

    def __bool__(self) -> bool:
        return bool(self.rtmp or self.stream_key)


def _first_text(value: JSON) -> str:
    """A text as it came, or the first one in an object."""
    return text(value) or next((text(inner) for inner in mapping(value).values() if text(inner)), "")


class Lives:
    """Live broadcasts of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> tuple[Live, ...]:
        """GET {base_url}/lives (assumed path)."""
        return self._send(
            Request("lives.list", "GET", ("lives",)), lambda answer: identified(answer.json(), Live.from_json, "lives")
        )

    def get(self, live_id: Identifier) -> Live:
        """GET {base_url}/lives/{live_id} (assumed path)."""
        return self._send(
            Request("lives.get", "GET", ("lives", live_id)),
            lambda answer: Live.from_json(record(answer.json(), "live", requested_id=live_id)),
        )

    def start(self, live_id: Identifier) -> None:
        """POST {base_url}/lives/{live_id}/start, no body [4.9]: accepted, which is not yet on air."""
        self._send(Request("lives.start", "POST", ("lives", live_id, "start")), _read_acceptance)

    def create(self, payload: Mapping[str, Any]) -> Live:
        """POST {base_url}/live (assumed path and body). The secrets for the encoder that come with the answer are dropped."""
        return self._send(
            Request("lives.create", "POST", ("live",), body=payload),
            lambda answer: Live.from_json(record(answer.json(), "live")),
        )

    def finish(self, live_id: Identifier) -> None:
        """POST {base_url}/lives/{live_id}/finish, no body (assumed path), with an answer that is not known.

        Irreversible. `Missing` also where the platform does not have the operation.
        """
        self._send(Request("lives.finish", "POST", ("lives", live_id, "finish")), lambda answer: None)


def _read_acceptance(answer: Answer) -> None:
    if not flag(mapping(answer.json()).get("status")):
        raise Unreadable("the answer does not say that it was accepted")

"""Folders [2.7, 4.11]; what one contains is publicly described alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, first, flag, integer, moment, optional_text, rest, sequence, text


@dataclass(frozen=True, slots=True)
class Folder:
    """`active` is the specification's boolean `status`; `videos_count` counts direct videos, None when not told."""

    id: str
    name: str
    user_id: str | None
    parent_folder_id: str | None
    active: bool
    videos_count: int | None
    created_at: datetime | None
    updated_at: datetime | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            user_id=optional_text(source.get("user_id")),
            parent_folder_id=optional_text(source.get("parent_folder_id")),
            active=flag(source.get("status"), default=True),
            videos_count=integer(source.get("videos_count")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            extra=rest(source, "id name title user_id parent_folder_id status videos_count created_at updated_at"),
        )


class Folders:
    """Folders of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, parent_folder_id: Identifier | None = None, active: bool = True) -> tuple[Folder, ...]:
        """GET {base_url}/folders [4.11]: direct children of a parent, or without one the whole tree, flat."""
        return self._send(
            Request(
                "folders.list",
                "GET",
                ("folders",),
                [("parent_folder_id", parent_folder_id), ("status", "true" if active else "false")],
            ),
            lambda answer: identified(answer.json(), Folder.from_json, "folders"),
        )

    def funnels(self, folder_id: Identifier) -> tuple[Funnel, ...]:
        """GET {base_url}/folders/{folder_id} (assumed): the funnels in a folder; none where it names none."""
        return self._send(Request("folders.funnels", "GET", ("folders", folder_id)), _funnels)


def _funnels(answer: Answer) -> tuple[Funnel, ...]:
    folder = record(answer.json(), "folder")
    return identified(sequence(folder.get("funnels")), Funnel.from_json)

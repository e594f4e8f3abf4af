"""Funnels [4.10]; reading them is only referred to [2.9]."""

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.funnels import Funnel
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send


class Funnels:
    """Funnels of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> tuple[Funnel, ...]:
        """GET {base_url}/funnels (assumed path)."""
        return self._send(
            Request("funnels.list", "GET", ("funnels",)),
            lambda answer: identified(answer.json(), Funnel.from_json, "funnels"),
        )

    def get(self, funnel_id: Identifier) -> Funnel:
        """GET {base_url}/funnels/{id} (assumed path)."""
        return self._send(
            Request("funnels.get", "GET", ("funnels", funnel_id)),
            lambda answer: Funnel.from_json(record(answer.json(), "funnel", requested_id=funnel_id)),
        )

    def add_videos(self, funnel_id: Identifier, videos: Sequence[Mapping[str, Any]]) -> str:
        """POST {base_url}/funnels/add_videos [4.10]; gives the platform's message. Moves the videos' folder as well."""
        return self._send(
            Request(
                "funnels.add_videos",
                "POST",
                ("funnels", "add_videos"),
                body={"id": str(funnel_id), "videos": list(videos)},
            ),
            lambda answer: answer.message(),
        )

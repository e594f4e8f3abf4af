"""Folders [4.11]."""

from dashboard.platform_api.records.folders import Folder
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import identified


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

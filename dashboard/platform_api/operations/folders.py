"""Folders [4.11]; what one contains is publicly described alone."""

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.folders import Folder
from dashboard.platform_api.records.funnels import Funnel
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import sequence


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

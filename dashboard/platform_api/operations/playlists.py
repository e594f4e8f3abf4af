"""Playlists [4.14]; reading them is only referred to [2.9]."""

from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.playlists import Playlist
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send


class Playlists:
    """Playlists of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> tuple[Playlist, ...]:
        """GET {base_url}/playlists (shape assumed)."""
        return self._send(
            Request("playlists.list", "GET", ("playlists",)),
            lambda answer: identified(answer.json(), Playlist.from_json, "playlists"),
        )

    def get(self, playlist_id: Identifier) -> Playlist:
        """GET {base_url}/playlists/{id} (shape assumed)."""
        return self._send(
            Request("playlists.get", "GET", ("playlists", playlist_id)),
            lambda answer: Playlist.from_json(record(answer.json(), "playlist", requested_id=playlist_id)),
        )

    def delete(self, playlist_id: Identifier) -> str:
        """DELETE {base_url}/playlists/{playlist_id} [4.14], irreversible; gives the platform's message.

        `Missing` with status 400: no such playlist. `NotAllowed` with status 500: someone else's [7].
        """
        return self._send(
            Request("playlists.delete", "DELETE", ("playlists", playlist_id)), lambda answer: answer.message()
        )

"""The engine `dashboard.sqlite`; Django looks for it under this name."""

import sqlite3
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

from dashboard.sqlite import idle
from dashboard.sqlite.idle import Opened


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, whose connection can be left to other threads. `close` ends it, as always."""

    _opened: Opened | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """A connection that another thread has left, or a new one."""

        def connect() -> sqlite3.Connection:
            connection: sqlite3.Connection = super(DatabaseWrapper, self).get_new_connection(conn_params)
            return connection

        self._opened = idle.take(Path(conn_params["database"]), connect)
        return self._opened.connection

    def leave(self) -> None:
        """Leave the connection to other threads. One with something unfinished, or after an error, is closed instead."""
        connection, opened = self.connection, self._opened
        if connection is None or opened is None:
            return
        if self.is_in_memory_db() or self.in_atomic_block or self.errors_occurred or connection.in_transaction:
            self.close()
            return
        self.run_on_commit = []
        self.connection = self._opened = None
        idle.give_back(opened)
